import type { Config } from "#worker/config.ts";

type HealthState = "ok" | "failed" | "off" | "local";

const TIMEOUT_MS = 2000;

async function checkPart(work: () => Promise<unknown>): Promise<HealthState> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<HealthState>((resolve) => {
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
async function reachHost(url: string): Promise<void> {
  const response = await fetch(url, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
  await response.body?.cancel();
}

/** GET /health: each part's own state; 503 when the database or the storage is out, which no page can do without. */
export async function healthResponse(env: Env, config: Config): Promise<Response> {
  const [database, storage, caseReport] = await Promise.all([
    checkPart(() => env.DB.prepare("SELECT 1").first()),
    checkPart(() => env.FILES.head("health")),
    config.CASE_REPORT_URL ? checkPart(() => reachHost(config.CASE_REPORT_URL)) : Promise.resolve<HealthState>("off"),
  ]);
  const mail: HealthState = config.MESSAGE_TRANSPORT === "outbox" ? "local" : "ok";
  const healthy = database === "ok" && storage === "ok";
  return Response.json(
    { status: healthy ? "ok" : "failed", database, storage, mail, caseReport },
    { status: healthy ? 200 : 503, headers: { "Cache-Control": "no-store" } },
  );
}
