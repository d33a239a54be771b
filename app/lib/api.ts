import { type ClientResponse, hc } from "hono/client";
import type { Api } from "#worker/api/app.ts";
import {
  AppError,
  type Envelope,
  ERRORS,
  type FailureAnswer,
  type SuccessAnswer,
  withRequestNumber,
} from "#worker/contract/kernel/errors.ts";
import { fetchAndSetClock } from "./clock.ts";
import { secondFactorReasonOf } from "#worker/contract/kernel/second-factor.ts";
import { askedProofOf, promptProof } from "./asked-proof.ts";
import { promptSecondFactor } from "./second-factor-prompt.ts";
import { dropRefusedSession, getFreshAccessToken } from "./session.ts";
import { pendingWrites } from "./acts.ts";

/** Is typed by the server's routes. Works in the browser only; pages are rendered from loaders. */
export const api = hc<Api>("/", { fetch: fetchWithToken }).api;

/** Retries a refused call after the second factor or a reason was given. */
async function fetchWithToken(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  let response = await fetchWithSession(input, init);
  if (
    secondFactorReasonOf((await refusalOf(response))?.data) === "SECOND_FACTOR_REQUIRED" &&
    (await promptSecondFactor())
  )
    response = await fetchWithSession(input, init);
  const asked = askedProofOf((await refusalOf(response))?.data);
  if (!asked) return response;
  await promptProof(asked, async (proof) => {
    const body = JSON.stringify({ ...(JSON.parse(String(init?.body)) as object), ...proof });
    const sent = await fetchWithSession(input, { ...init, body });
    const again = await refusalOf(sent);
    if (again?.code === "INVALID_CREDENTIAL") return again.message;
    response = sent;
    return null;
  });
  return response;
}

/** Reads a clone of the response; null if the call was not refused. */
async function refusalOf(response: Response): Promise<FailureAnswer | null> {
  if (![400, 401, 403].includes(response.status)) return null;
  const answer = response.clone().json() as Promise<FailureAnswer>;
  return answer.catch(() => null);
}

/** Sign-in calls send no token, because an expired session must not block them. */
const CALLS_WITHOUT_TOKEN =
  /\/api\/user\/(?:signin|signin-by-refresh-token|signup|find-id|reset-password-token|reset-password)$/;

/** Sign-in answers set the clock, because token expiry is measured by the server's clock. */
const SETS_CLOCK = /^\/api\/(?:user|second-factor)\/signin/;

/** Adds the bearer token, refreshes it before it expires and drops it if it is refused. */
function fetchWithSession(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const path = new URL(input instanceof Request ? input.url : input, location.origin).pathname;
  let token: string | null = null;
  const prepare = async (): Promise<RequestInit> => {
    const headers = new Headers(init?.headers);
    token = CALLS_WITHOUT_TOKEN.test(path) ? null : await getFreshAccessToken();
    if (token) headers.set("Authorization", `Bearer ${token}`);
    return { ...init, headers, credentials: "same-origin" };
  };
  const send = async (ready: RequestInit): Promise<Response> => {
    const response = await (SETS_CLOCK.test(path)
      ? fetchAndSetClock(() => fetchOnce(input, ready))
      : fetchOnce(input, ready));
    if (token && response.status === 401) await dropIfRefused(token, response.clone());
    return response;
  };
  if ((init?.method ?? "GET") === "GET") return prepare().then(send);
  return sendAct(prepare, send);
}

/** A wrong password is also a 401 but does not end the session. */
async function dropIfRefused(token: string, response: Response): Promise<void> {
  const { code } = (await response.json().catch(() => ({}))) as { code?: string };
  if (code === "UNAUTHORIZED") dropRefusedSession(token);
}

export const connectionFailure = (cause: unknown): AppError =>
  cause instanceof AppError
    ? cause
    : new AppError("INTERNAL_ERROR", {
        message: "사이트에 연결하지 못했습니다. 인터넷 연결을 확인한 뒤 다시 시도해 주십시오.",
        cause,
      });

/** @throws AppError from the API, or INTERNAL_ERROR without a connection */
export async function callApi<T>(request: Promise<ClientResponse<SuccessAnswer<T>>>): Promise<T> {
  let answer: Envelope<T>;
  try {
    const response = await request;
    answer = (await response.json()) as Envelope<T>;
  } catch (cause) {
    throw connectionFailure(cause);
  }
  if (answer.code === "SUCCESS") return answer.data;
  const { code, message, fields, data } = answer;
  const known = Object.hasOwn(ERRORS, code) ? code : "INTERNAL_ERROR";
  const shown = ERRORS[known].status >= 500 ? withRequestNumber(message, answer.requestId) : message;
  throw new AppError(known, { message: shown, ...(fields ? { fields } : {}), ...(data ? { data } : {}) });
}

/** Browsers limit the bodies of concurrent keepalive requests to 64 KiB in total. */
const KEEPALIVE_BYTES = 60_000;
let keptBytes = 0;
let atRisk = 0;

const ask = (event: Event) => event.preventDefault();
/** Asks before leaving while a request is pending that leaving would abort. */
function risk(change: 1 | -1): void {
  atRisk += change;
  if (atRisk > 0) addEventListener("beforeunload", ask);
  else removeEventListener("beforeunload", ask);
}

/** Sends small writes with keepalive; before larger ones are aborted, the browser asks. */
function sendAct(prepare: () => Promise<RequestInit>, send: (init: RequestInit) => Promise<Response>) {
  const run = async () => {
    risk(1);
    let bytes = 0;
    let isAtRisk = true;
    try {
      const init = await prepare();
      const size = bodyBytes(init.body);
      const keepalive = keptBytes + size <= KEEPALIVE_BYTES;
      if (keepalive) keptBytes += bytes = size;
      const answer = send({ ...init, keepalive });
      if (keepalive) {
        risk(-1);
        isAtRisk = false;
      }
      return await answer;
    } finally {
      keptBytes -= bytes;
      if (isAtRisk) risk(-1);
    }
  };
  const act = run();
  pendingWrites.add(act);
  const forget = () => pendingWrites.delete(act);
  act.then(forget, forget);
  return act;
}

/** Returns Infinity for bodies of unknown size. */
function bodyBytes(body: RequestInit["body"]): number {
  if (body === null || body === undefined) return 0;
  return typeof body === "string" ? new TextEncoder().encode(body).length : Infinity;
}

/** Of a call that creates something: its route requires the header, `fetchOnce` fills it in. */
export const ONCE = { "Idempotency-Key": "" };
const WAITS_MS = [500, 2000];

/** Idempotency keys of unanswered calls; a repeated call reuses its key because it may have succeeded. */
const unanswered = new Map<string, string>();

/** Sends creating calls with an idempotency key and retries lost answers under the same key. */
export async function fetchOnce(
  input: RequestInfo | URL,
  init: RequestInit,
  wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
): Promise<Response> {
  const headers = new Headers(init.headers);
  const given = headers.get("Idempotency-Key");
  if (given === null) return fetch(input, init);
  const path = new URL(input instanceof Request ? input.url : input, location.origin).pathname;
  const act = `${path}\n${String(init.body)}`;
  const key = given || (unanswered.get(act) ?? crypto.randomUUID());
  headers.set("Idempotency-Key", key);
  unanswered.set(act, key);
  const response = await repeatUntilAnswered(() => fetch(input, { ...init, headers }), init, wait);
  // A 5xx answer may come from a proxy after the call succeeded.
  if (response.status < 500) unanswered.delete(act);
  return response;
}

async function repeatUntilAnswered(
  send: () => Promise<Response>,
  init: RequestInit,
  wait: (ms: number) => Promise<void>,
): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const ms = WAITS_MS[attempt];
      if (ms === undefined || init.signal?.aborted) throw error;
      await wait(ms);
    }
  }
}
