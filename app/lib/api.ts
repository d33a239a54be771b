import { type ClientResponse, hc } from "hono/client";
import type { Api } from "#worker/api/app.ts";
import {
  type Envelope,
  type FailureAnswer,
  type SuccessAnswer,
  withRequestNumber,
} from "#worker/contract/kernel/envelope.ts";
import { AppError, ERRORS } from "#worker/contract/kernel/errors.ts";
import { fetchAndSetClock } from "./clock.ts";
import { fetchOnce } from "./create-once.ts";
import { CONSOLE_ENTRY_REASON, secondFactorReasonOf } from "#worker/contract/kernel/second-factor.ts";
import { sendAct } from "./send-act.ts";
import { promptConsoleEntry, promptSecondFactor } from "./second-factor-prompt.ts";
import { dropRefusedSession, getFreshAccessToken } from "./session.ts";

/** Is typed by the server's routes. Works in the browser only; pages are rendered from loaders. */
export const api = hc<Api>("/", { fetch: fetchWithToken }).api;

/** Retries a refused call after the second factor or the console's reason was given. */
async function fetchWithToken(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  let response = await fetchWithSession(input, init);
  if (
    secondFactorReasonOf((await refusalOf(response))?.data) === "SECOND_FACTOR_REQUIRED" &&
    (await promptSecondFactor())
  )
    response = await fetchWithSession(input, init);
  const refused = await refusalOf(response);
  if (refused?.data?.reason !== CONSOLE_ENTRY_REASON) return response;
  await promptConsoleEntry(async (proof) => {
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

/** @throws AppError from the API, or INTERNAL_ERROR without a connection */
export async function callApi<T>(request: Promise<ClientResponse<SuccessAnswer<T>>>): Promise<T> {
  let answer: Envelope<T>;
  try {
    const response = await request;
    answer = (await response.json()) as Envelope<T>;
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("INTERNAL_ERROR", {
      message: "사이트에 연결하지 못했습니다. 인터넷 연결을 확인한 뒤 다시 시도해 주십시오.",
      cause,
    });
  }
  if (answer.code === "SUCCESS") return answer.data;
  const { code, message, fields, data } = answer;
  const known = Object.hasOwn(ERRORS, code) ? code : "INTERNAL_ERROR";
  const shown = ERRORS[known].status >= 500 ? withRequestNumber(message, answer.requestId) : message;
  throw new AppError(known, { message: shown, ...(fields ? { fields } : {}), ...(data ? { data } : {}) });
}
