import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { api } from "#worker/api/app.ts";
import type { FailureAnswer } from "#worker/contract/kernel/errors.ts";
import { countOpen } from "./open-requests.ts";
import { runInvocation } from "./platform-meter.ts";
import { storeIdempotentAnswer } from "./unread-answers.ts";

export interface ApiAnswer {
  status: number;
  code: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read what came over the wire
  data: any;
  message: string;
  fields: Record<string, string>;
  headers: Headers;
}

interface ApiCallOptions {
  body?: unknown;
  token?: string | undefined;
  cookie?: string;
  headers?: Record<string, string>;
  /** Sent as the client address of Cloudflare. */
  address?: string;
  /** Worker settings of this request only. */
  vars?: object | undefined;
}

const BROWSER =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36";

/** Sends one request and waits for its deferred work. */
export async function fetchApi(method: string, path: string, options: ApiCallOptions = {}): Promise<Response> {
  const headers = new Headers({ "User-Agent": BROWSER, ...options.headers });
  if (options.token) headers.set("Authorization", `Bearer ${options.token}`);
  if (options.cookie) headers.set("Cookie", `accessToken=${options.cookie}`);
  if (options.address) headers.set("CF-Connecting-IP", options.address);
  const init: RequestInit = { method, headers };
  if (options.body !== undefined) {
    if (!headers.has("Content-Type") && !(options.body instanceof FormData))
      headers.set("Content-Type", "application/json");
    init.body = isRawBody(options.body) ? options.body : JSON.stringify(options.body);
  }
  const ctx = createExecutionContext();
  return runInvocation(() =>
    countOpen(async () => {
      const response = await api.fetch(new Request(`http://localhost${path}`, init), options.vars ?? env, ctx);
      await waitOnExecutionContext(ctx);
      return storeIdempotentAnswer(response);
    }),
  );
}

const isRawBody = (body: unknown): body is string | FormData | Uint8Array<ArrayBuffer> | ReadableStream =>
  typeof body === "string" || body instanceof FormData || body instanceof Uint8Array || body instanceof ReadableStream;

export async function callJson(method: string, path: string, options: ApiCallOptions = {}): Promise<ApiAnswer> {
  const response = await fetchApi(method, path, options);
  const answer = (await response.json()) as Partial<FailureAnswer> & { data?: unknown };
  return {
    status: response.status,
    code: answer.code ?? "",
    data: answer.data,
    message: answer.message ?? "",
    fields: answer.fields ?? {},
    headers: response.headers,
  };
}

export const callAs = (
  session: { accessToken: string } | null | undefined,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiAnswer> =>
  callJson(method, path, { token: session?.accessToken, ...(body === undefined ? {} : { body }) });
