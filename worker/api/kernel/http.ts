import type { Context } from "hono";
import type { TypedResponse } from "hono/types";
import type { z } from "zod";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { AppError, type FailureAnswer, invalidInput, type SuccessAnswer } from "#worker/contract/kernel/errors.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import { isUniqueViolation } from "#worker/domain/kernel/guarded-batch.server.ts";
import { logError } from "#worker/log.ts";
import { normaliseUnicode } from "#worker/contract/kernel/text.ts";
import type { SheetDownload } from "#worker/domain/kernel/sheet-download.server.ts";
import { deleteCookie, setCookie } from "hono/cookie";
import { sessionCookieName } from "#worker/config.ts";
import { TOKEN_LIMITS } from "#worker/contract/kernel/token-limits.ts";

export interface ApiEnv {
  Bindings: Env;
  Variables: { scope: RequestScope; requestId: string };
}

export function sendData<T>(c: Context<ApiEnv>, data: T): Response & TypedResponse<SuccessAnswer<T>, 200, "json"> {
  return c.json({ code: "SUCCESS", data }) as unknown as Response & TypedResponse<SuccessAnswer<T>, 200, "json">;
}

export function openContext(c: Context<ApiEnv>): Promise<AppContext> {
  return c.var.scope.context();
}

/** Drops unknown fields. @param maxBytes checked before the body is parsed */
export async function readBody<T extends z.ZodType>(
  c: Context<ApiEnv>,
  schema: T,
  maxBytes: number = SIZE_LIMITS.jsonBytes,
): Promise<z.output<T>> {
  const text = await readText(c.req.raw, maxBytes);
  if (text !== "" && !isJsonRequest(c)) {
    throw new AppError("UNSUPPORTED_FILE", { message: "요청 본문은 application/json 형식이어야 합니다." });
  }
  return parseInput(schema, text === "" ? {} : parseJson(text));
}

export function readQuery<T extends z.ZodType>(c: Context<ApiEnv>, schema: T): z.output<T> {
  const values: Record<string, string> = {};
  for (const [key, given] of Object.entries(c.req.queries())) {
    if (given.length > 1) throw invalidInput({ [key]: "한 번만 지정해 주십시오." });
    values[key] = given[0] ?? "";
  }
  return parseInput(schema, values);
}

/** @throws AppError NOT_FOUND for an impossible path */
export function readPath<T extends z.ZodType>(c: Context<ApiEnv>, schema: T): z.output<T> {
  const result = schema.safeParse(c.req.param());
  if (!result.success) throw new AppError("NOT_FOUND");
  return result.data;
}

/** Content types that a cross-site page can send only after a CORS preflight. */
export const isJsonRequest = (c: Context<ApiEnv>) =>
  /^application\/json\s*(;|$)/i.test(c.req.header("Content-Type") ?? "");

/** A client cut off while sending never sees the answer, so refused bodies are read this far. */
const DROP_LIMITS = { bytes: 16 * 1024 * 1024, ms: 3000 } as const;

export async function dropBody({ body: left }: Request): Promise<void> {
  if (!left || left.locked) return;
  const reader = left.getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((settle) => {
    timer = setTimeout(() => settle(null), DROP_LIMITS.ms);
  });
  try {
    for (let length = 0; length <= DROP_LIMITS.bytes;) {
      const read = await Promise.race([reader.read(), late]);
      if (!read || read.done) return;
      length += (read.value as Uint8Array).byteLength;
    }
  } catch {
    // The client disconnected.
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Not hono/body-limit: it locks the refused stream, which `dropBody` reads. @throws AppError PAYLOAD_TOO_LARGE, also
 * without Content-Length
 */
async function* bodyWithin(request: Request, maxBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  if (Number(request.headers.get("Content-Length") ?? 0) > maxBytes) throw new AppError("PAYLOAD_TOO_LARGE");
  if (!request.body) return;
  const reader = (request.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  try {
    for (let length = 0; ;) {
      const { done, value } = await reader.read();
      if (done) return;
      length += value.byteLength;
      if (length > maxBytes) throw new AppError("PAYLOAD_TOO_LARGE");
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}

/** Null when the body is no form. @throws AppError PAYLOAD_TOO_LARGE */
export async function readForm(request: Request, maxBytes: number): Promise<FormData | null> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of bodyWithin(request, maxBytes)) parts.push(chunk);
  const headers = { "Content-Type": request.headers.get("Content-Type") ?? "" };
  return new Response(new Blob(parts), { headers }).formData().catch(() => null);
}

/** @throws AppError PAYLOAD_TOO_LARGE */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let text = "";
  try {
    for await (const chunk of bodyWithin(request, maxBytes)) text += decoder.decode(chunk, { stream: true });
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw notJsonError();
  }
}

const notJsonError = () => invalidInput({ _: "요청 본문이 올바른 JSON이 아닙니다." });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (key, value: unknown) => (key === "__proto__" ? undefined : value));
  } catch {
    throw notJsonError();
  }
}

/** Maps a lost race to a conflict and a foreign error to INTERNAL_ERROR, whose cause is only logged. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError(isUniqueViolation(error) ? "CONFLICT" : "INTERNAL_ERROR", { cause: error });
}

export function errorResponse(c: Context<ApiEnv>, error: unknown): Response {
  const known = toAppError(error);
  const requestId = c.var.requestId;
  if (known.status >= 500)
    logError({ requestId, path: new URL(c.req.url).pathname, code: known.code, cause: known.cause });
  const answer: FailureAnswer = {
    code: known.code,
    message: known.message,
    ...(known.fields ? { fields: known.fields } : {}),
    ...(known.data ? { data: known.data } : {}),
    requestId,
  };
  if (known.retryAfterSeconds !== undefined) c.header("Retry-After", String(known.retryAfterSeconds));
  return c.json(answer, known.status);
}

export type Download = Omit<SheetDownload, "body"> & { body: Blob | ReadableStream<Uint8Array> };

export function fileResponse({ fileName, contentType, body }: Download): Response {
  return new Response(body, {
    headers: {
      "Content-Type": contentType,
      "Content-Disposition": contentDisposition("attachment", fileName),
      "Cache-Control": "private, no-store",
    },
  });
}

/** RFC 6266 and 8187: an ASCII fallback and the Korean name, without line breaks. */
export function contentDisposition(kind: "inline" | "attachment", fileName: string): string {
  const name = normaliseUnicode(fileName, "NFC").replace(/[\u0000-\u001f\u007f]|\p{Surrogate}/gu, "");
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

const cookieOptions = (name: string) =>
  ({ httpOnly: true, sameSite: "Lax", secure: name.startsWith("__Host-"), path: "/" }) as const;

/** Repeats the access token for pages, files and images; accepted for GET and HEAD only. */
export function setSessionCookie(c: Context<ApiEnv>, accessToken: string): void {
  const name = sessionCookieName(c.req.url);
  // The browser measures token expiry by it; workerd does not send one.
  c.header("Date", new Date().toUTCString());
  setCookie(c, name, accessToken, { ...cookieOptions(name), maxAge: TOKEN_LIMITS.accessTtlSeconds });
}

export function clearSessionCookie(c: Context<ApiEnv>): void {
  const name = sessionCookieName(c.req.url);
  deleteCookie(c, name, cookieOptions(name));
}
