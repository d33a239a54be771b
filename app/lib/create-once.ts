/** Calls that accept an `Idempotency-Key` (`creatingCall` of the API). */
const CREATING = [
  /^PUT \/api\/(?:alumni(?:\/view)?|certificate(?:\/issued)?|board-item\/(?!images$)[a-z0-9-]+|board-item-(?:comment|report)\/[a-z0-9-]+\/[0-9]+|cohort\/person\/[0-9a-f-]+\/correction)$/,
  // Every other PUT of the console to a list creates an entry.
  /^PUT \/api\/admin\/(?:[a-z-]+|privacy\/request|setting\/(?:profile-field|agreement|alumni\/field)|member\/[0-9a-f-]+\/role-grant)$/,
  /^POST \/api\/(?:alumni\/(?:merge|import-data|import\/open)|user\/(?:privacy-request|signup)|inquiry(?:\/[0-9a-f-]+\/message)?|admin\/board\/[a-z0-9-]+\/copy)$/,
];
const WAITS_MS = [500, 2000];

/** Idempotency keys of unanswered calls; a repeated call reuses its key because it may have succeeded. */
const unanswered = new Map<string, string>();

/** Sends creating calls with an idempotency key and retries lost answers under the same key. */
export async function fetchOnce(
  input: RequestInfo | URL,
  init: RequestInit,
  wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
): Promise<Response> {
  const path = new URL(input instanceof Request ? input.url : input, location.origin).pathname;
  if (!CREATING.some((call) => call.test(`${init.method} ${path}`))) return fetch(input, init);
  const headers = new Headers(init.headers);
  const act = `${path}\n${String(init.body)}`;
  const key = headers.get("Idempotency-Key") ?? unanswered.get(act) ?? crypto.randomUUID();
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
