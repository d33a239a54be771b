import { type OldAddress, parseOldAddress } from "#worker/contract/moving/old-address.ts";
import { readPageCredential } from "../credential.ts";

export const oldAddressOf = (request: Request, url: URL): OldAddress | null =>
  request.method === "GET" || request.method === "HEAD" ? parseOldAddress(url) : null;

/** False for addresses that could also be a page of this site. */
export const isSurelyOld = (address: OldAddress, url: URL): boolean =>
  address.kind === "path" ||
  address.kind === "file-number" ||
  url.searchParams.has("document_srl") ||
  url.searchParams.has("mid") ||
  /\.php$/i.test(url.pathname);

export async function oldAddressResponse(
  request: Request,
  env: Env,
  address: OldAddress,
  requestId: string,
  defer: (work: Promise<unknown>) => void,
): Promise<Response | null> {
  const [{ openRequestScope }, { findOldAddress }] = await Promise.all([
    import("../context.server.ts"),
    import("../domain/moving/old-address.server.ts"),
  ]);
  const credential = readPageCredential(request);
  const scope = openRequestScope({ request, env, requestId, credential, defer });
  const found = await findOldAddress(scope, address);
  if (!found) return null;
  const headers = { Location: encodeURI(found.path), "Cache-Control": "private, no-store", "X-Request-Id": requestId };
  return new Response(null, { status: found.isLasting ? 301 : 302, headers });
}
