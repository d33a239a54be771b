// The Node build uses Node's text encoder and needs a tenth less CPU; `nodejs_compat` supports it.
import { renderToStaticMarkup, renderToString } from "react-dom/server.node";
import type { ReactNode } from "react";
import { type EntryContext, type RouterContextProvider, ServerRouter } from "react-router";
import { nextPageRules } from "#app/features/site/reader/reader-page.ts";
import { PageDocument, type RouteHandle } from "#app/lib/page-language.ts";
import { flattenData } from "#app/lib/loader-data.ts";
import { pageRequest } from "#app/lib/page-loader.server.ts";
import { renderForReaders } from "#app/lib/markup/reader-markup.ts";
import { ENGLISH_ROOT, languageOf } from "#worker/contract/kernel/language.ts";
import { inScript } from "#worker/edge/placeholders.ts";
import { logError } from "#worker/log.ts";
import appCss from "#app/app.css?url";
import earlyScript from "#app/lib/early-press.js?raw";
import floorScript from "#app/lib/floor.js?raw";
import notLoadedScript from "#app/lib/not-loaded.js?raw";

export const streamTimeout = 10_000;

/** Runs before the application modules. */
const APPLICATION_HEAD = notLoadedScript + floorScript;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
) {
  const { nonce, scope } = context.get(pageRequest);
  headers.set("Content-Type", "text/html; charset=utf-8");
  // Preloads the stylesheet: thirty inline scripts precede it in the page and rendering waits for it.
  headers.set("Link", `<${appCss}>; rel=preload; as=style`);
  const renderDocument = (readerRules: string | null) => (
    <PageDocument
      value={{ nonce, headScript: (readerRules === null ? APPLICATION_HEAD : "") + earlyScript, readerRules }}
    >
      <ServerRouter context={{ ...routerContext, serverHandoffStream: undefined }} url={request.url} nonce={nonce} />
    </PageDocument>
  );
  if (isForReaders(routerContext)) {
    const { actor, config } = await scope.context();
    const root = languageOf(new URL(request.url).pathname) === "en" ? ENGLISH_ROOT : "";
    const rules = nextPageRules(config.PRODUCT_CODE, root);
    if (actor.kind === "guest") return new Response(readerDocument(renderDocument(rules)), { status, headers });
  }
  const page = renderToString(renderDocument(null));
  const isHydrated = routerContext.renderMeta?.didRenderScripts;
  return new Response(`<!DOCTYPE html>${isHydrated ? withData(page, routerContext, nonce) : page}`, {
    status,
    headers,
  });
}

/** Adds the loaders' data as one value (`withoutDataStream` in vite.config.ts). */
function withData(page: string, { staticHandlerContext }: EntryContext, nonce: string): string {
  const { loaderData, actionData, errors } = staticHandlerContext;
  const data = inScript(flattenData({ loaderData, actionData, errors }));
  const code = `const{streamController:c}=window.__reactRouterContext;c.enqueue(JSON.stringify(${data})+"\\n");c.close()`;
  const end = page.lastIndexOf("</body>");
  return `${page.slice(0, end)}<script nonce="${nonce}">{${code}}</script>${page.slice(end)}`;
}

/** True if the route needs no application for guests; error pages always load it. */
function isForReaders({ routeModules, staticHandlerContext: { errors, matches } }: EntryContext): boolean {
  const handle = routeModules[matches.at(-1)?.route.id ?? ""]?.handle as RouteHandle | undefined;
  return !errors && handle?.isForReaders === true;
}

const readerDocument = (page: ReactNode) => `<!DOCTYPE html>${renderForReaders(() => renderToStaticMarkup(page))}`;

interface FailedRequest {
  request: Request;
  context: Readonly<RouterContextProvider>;
}
export function handleError(error: unknown, { request, context }: FailedRequest) {
  if (request.signal.aborted) return;
  logError({
    requestId: context.get(pageRequest).requestId,
    path: new URL(request.url).pathname,
    code: "PAGE",
    cause: error,
  });
}
