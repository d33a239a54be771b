import { JOB_LATE_MS } from "#worker/contract/operation/operation.ts";
import type { Config } from "#worker/config.ts";
import { isMonitor, isUnfinished, readOperation } from "#worker/domain/operation/dashboard.server.ts";
import { probePart, reachHost } from "#worker/domain/operation/configuration.server.ts";

const NO_STORE = { "Cache-Control": "no-store" };

async function probeDatabase(read: () => Promise<boolean>): Promise<"ok" | "failed" | "unfinished"> {
  let isMarked = false;
  const probed = await probePart(async () => (isMarked = await read()));
  return isMarked ? "unfinished" : probed;
}

/** Strangers learn only whether the database answers. Returns 503 for an outage, an alarm or a late job. */
export async function healthResponse(request: Request, env: Env, config: Config): Promise<Response> {
  if (!isMonitor(request.headers.get("Authorization"), config)) {
    const database = await probeDatabase(() => isUnfinished(env.DB));
    const status = database === "ok" ? "ok" : "failed";
    return Response.json({ status, database }, { status: database === "ok" ? 200 : 503, headers: NO_STORE });
  }
  let found: Awaited<ReturnType<typeof readOperation>> | null = null;
  const [database, storage, backups, caseReport] = await Promise.all([
    probeDatabase(async () => (found = await readOperation(env.DB, new Date())).isUnfinished),
    probePart(() => env.FILES.head("health")),
    probePart(() => env.BACKUPS.head("health")),
    config.CASE_REPORT_URL ? probePart(() => reachHost(config.CASE_REPORT_URL)) : Promise.resolve("off" as const),
  ]);
  const operation = found as Awaited<ReturnType<typeof readOperation>> | null;
  const mail = config.MESSAGE_TRANSPORT === "outbox" ? "local" : (operation?.mail ?? "failed");
  const { jobs = [], alarms = [], lastBackupDate = null, trips = null } = operation ?? {};
  // Jobs that do not run cannot raise their own alarm.
  const isLate = jobs.some(({ late }) => late !== null && late * 1000 > JOB_LATE_MS);
  const isWell = database === "ok" && storage === "ok" && alarms.length === 0 && !isLate;
  return Response.json(
    {
      status: isWell ? "ok" : "failed",
      database,
      trips,
      storage,
      backups,
      mail,
      caseReport,
      jobs,
      alarms,
      lastBackupDate,
    },
    { status: isWell ? 200 : 503, headers: NO_STORE },
  );
}
