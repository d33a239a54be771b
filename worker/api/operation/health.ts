import type { Config } from "#worker/config.ts";
import { isMonitor, readOperation } from "#worker/domain/operation/operation-state.server.ts";

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

const NO_STORE = { "Cache-Control": "no-store" };

/**
 * GET /health. A stranger is told whether the database answers, which costs one statement; the monitor each part's
 * state, the age of each job and the open alarms. 503 when the database or the storage is out, or the monitor finds an alarm.
 */
export async function healthResponse(request: Request, env: Env, config: Config): Promise<Response> {
  if (!isMonitor(request.headers.get("Authorization"), config)) {
    const database = await checkPart(() => env.DB.prepare("SELECT 1").first());
    const status = database === "ok" ? "ok" : "failed";
    return Response.json({ status, database }, { status: database === "ok" ? 200 : 503, headers: NO_STORE });
  }
  let found: Awaited<ReturnType<typeof readOperation>> | null = null;
  const [database, storage, backups, caseReport] = await Promise.all([
    checkPart(async () => (found = await readOperation(env.DB, new Date()))),
    checkPart(() => env.FILES.head("health")),
    checkPart(() => env.BACKUPS.head("health")),
    config.CASE_REPORT_URL ? checkPart(() => reachHost(config.CASE_REPORT_URL)) : Promise.resolve<HealthState>("off"),
  ]);
  const operation = found as Awaited<ReturnType<typeof readOperation>> | null;
  const mail = config.MESSAGE_TRANSPORT === "outbox" ? "local" : (operation?.mail ?? "failed");
  const isWell = database === "ok" && storage === "ok" && operation?.alarms.length === 0;
  const { jobs = [], alarms = [], lastBackupDate = null } = operation ?? {};
  return Response.json(
    { status: isWell ? "ok" : "failed", database, storage, backups, mail, caseReport, jobs, alarms, lastBackupDate },
    { status: isWell ? 200 : 503, headers: NO_STORE },
  );
}
