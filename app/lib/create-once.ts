/** The calls that make something once for each `Idempotency-Key`. */
const CREATING = /^\/api\/(?:alumni|admin\/mailing|board-item\/[a-z0-9-]+|board-item-comment\/[a-z0-9-]+\/[0-9]+)$/;
/** The call whose body itself says what it makes: the verified address of a sign-up. */
const KEYED_BY_BODY = /^\/api\/user\/signup$/;
const WAITS_MS = [500, 2000];

/** Keys of what was sent and never answered: sent again by the person, it may have been made already. */
const unanswered = new Map<string, string>();

/** Sends a creating call under a key of its own, and again under the same one while its answer gets lost; others once. */
export async function fetchOnce(
  input: RequestInfo | URL,
  init: RequestInit,
  wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
): Promise<Response> {
  const path = new URL(input instanceof Request ? input.url : input, location.origin).pathname;
  if (init.method === "POST" && KEYED_BY_BODY.test(path))
    return repeatUntilAnswered(() => fetch(input, init), init, wait);
  if (init.method !== "PUT" || !CREATING.test(path)) return fetch(input, init);
  const headers = new Headers(init.headers);
  const act = `${path}\n${String(init.body)}`;
  const key = headers.get("Idempotency-Key") ?? unanswered.get(act) ?? crypto.randomUUID();
  headers.set("Idempotency-Key", key);
  unanswered.set(act, key);
  const response = await repeatUntilAnswered(() => fetch(input, { ...init, headers }), init, wait);
  unanswered.delete(act);
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
