import type { Config } from "#worker/config.ts";

type State = "ok" | "failed" | "off" | "local";

const TIMEOUT_MS = 2000;

async function state(work: () => Promise<unknown>): Promise<State> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<State>((resolve) => {
    timer = setTimeout(() => resolve("failed"), TIMEOUT_MS);
  });
  const done = work().then(
    () => "ok" as const,
    () => "failed" as const,
  );
  const result = await Promise.race([done, late]);
  clearTimeout(timer);
  return result;
}

/** Any answer means that the host is there; what it says is not looked at. */
async function reach(url: string): Promise<void> {
  const response = await fetch(url, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
  await response.body?.cancel();
}

/** GET /health: each part's own state; 503 when the database or the storage is out, which no page can do without. */
export async function health(env: Env, config: Config): Promise<Response> {
  const [database, storage, caseReport] = await Promise.all([
    state(() => env.DB.prepare("SELECT 1").first()),
    state(() => env.FILES.head("health")),
    config.CASE_REPORT_URL ? state(() => reach(config.CASE_REPORT_URL)) : Promise.resolve<State>("off"),
  ]);
  const mail: State = config.MESSAGE_TRANSPORT === "outbox" ? "local" : "ok";
  const healthy = database === "ok" && storage === "ok";
  return Response.json(
    { status: healthy ? "ok" : "failed", database, storage, mail, caseReport },
    { status: healthy ? 200 : 503, headers: { "Cache-Control": "no-store" } },
  );
}
