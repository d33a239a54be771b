import { desc, sql } from "drizzle-orm";
import { boardItemSearch } from "#db/schema/board.ts";
import { type backupDrill, backupRun, job } from "#db/schema/operation.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { AppContext, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { JOB_KILLED_MS, JOB_LABELS } from "#worker/contract/operation/operation.ts";
import { openAlarmsStatement } from "./alarm.server.ts";
import { backUpNow, nextNightlyBackupDate } from "./backup-run.server.ts";
import { lastDrillStatement, nextDrillDate } from "./backup-drill.server.ts";
import { runRecordedJob, scheduledJobs } from "./job-schedule.server.ts";
import { authorizeConsole, can } from "../kernel/authorize.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";

const MINUTE_MS = 60_000;

export async function listJobs(scope: RequestScope) {
  const { ctx, rows } = await scope.readFor(authorizeConsole, [
    scope.db.select().from(job),
    scope.db.select().from(backupRun).orderBy(desc(backupRun.startedDate)).limit(60),
    scope.db
      .select({ stale: sql<number>`count(*)` })
      .from(boardItemSearch)
      .where(sql`is_stale = 1`),
    openAlarmsStatement(scope.db),
    lastDrillStatement(scope.db),
  ]);
  const [jobs, runs, stale, alarms, drills] = rows;
  const locked = await readLockedJobs(ctx);
  const known = new Map(jobs.map((row) => [row.name, row]));
  const schedule = new Map(scheduledJobs(ctx).map((each) => [each.name as string, each.everyMinutes]));
  const nights = runs.filter(({ kind, status }) => kind === "night" && status === "ok");
  /** Jobs that check every minute but run at a certain hour. */
  const ownHours: Record<string, Date> = {
    backup: nextNightlyBackupDate(nights[0]?.startedDate),
    drill: nextDrillDate(drills[0], scope.now()),
  };
  return {
    jobs: Object.entries(JOB_LABELS).map(([name, label]) => {
      const row = known.get(name);
      const everyMinutes = schedule.get(name) ?? 0;
      const status = row ? jobStatus(row, scope.now()) : ("never" as const);
      const next = ownHours[name] ?? new Date((row?.startedDate.getTime() ?? 0) + everyMinutes * MINUTE_MS);
      return {
        name,
        label,
        startedDate: row?.startedDate.toISOString() ?? null,
        finishedDate: row?.finishedDate?.toISOString() ?? null,
        status,
        everyMinutes,
        /** True when the administrator lacks a right to run it by hand. */
        isLocked: locked.has(name),
        /** Next start; null while it runs. */
        nextDate: status === "running" ? null : new Date(Math.max(next.getTime(), scope.now().getTime())).toISOString(),
        error: row?.error ?? "",
      };
    }),
    alarms: alarms.map(({ key, kind, text, startedDate }) => ({
      key,
      kind,
      text,
      startedDate: startedDate.toISOString(),
    })),
    drill: drills[0] ? drillView(drills[0]) : null,
    backups: runs.map(backupRow),
    canDownload: can(ctx.actor, { action: "Site.Export" }),
    staleItems: stale[0]?.stale ?? 0,
  };
}

async function readLockedJobs(ctx: AppContext): Promise<ReadonlySet<string>> {
  const locked = new Set<string>();
  for (const { name, authorize } of scheduledJobs(ctx))
    try {
      await authorize?.(ctx);
    } catch (cause) {
      if (!(cause instanceof AppError)) throw cause;
      locked.add(name);
    }
  return locked;
}

function jobStatus(row: typeof job.$inferSelect, now: Date) {
  const isKilled = row.status === "running" && now.getTime() - row.startedDate.getTime() > JOB_KILLED_MS;
  return isKilled ? ("killed" as const) : row.status;
}

function backupRow(row: typeof backupRun.$inferSelect) {
  const state = row.state ?? { tables: [], parts: [], files: { count: 0, missing: 0 }, phase: "tables", tableIndex: 0 };
  return {
    ...fieldsOf(row, "name", "status", "startedDate", "finishedDate"),
    rows: state.tables.reduce((sum, table) => sum + table.rows, 0),
    bytes: state.parts.reduce((sum, part) => sum + part.bytes, 0),
    files: state.files.count,
    missingFiles: state.files.missing,
    progress: state.phase === "done" ? 1 : state.tableIndex / (state.tables.length + 1),
    interruptions: row.interruptions,
    error: row.error,
  };
}

export type BackupRow = View<typeof backupRow>;

const drillView = (row: typeof backupDrill.$inferSelect) => ({
  ...fieldsOf(row, "name", "status", "startedDate", "finishedDate"),
  rows: row.state.rows,
  pages: row.state.pages ?? 0,
  error: row.error,
});

export type DrillView = View<typeof drillView>;

/** Runs a backup at any hour. @throws AppError NOT_FOUND, CONFLICT while another run is active */
export async function runJobNow(ctx: AppContext, name: string) {
  authorizeConsole(ctx);
  const found = scheduledJobs(ctx).find((jobName) => jobName.name === name);
  if (!found) throw new AppError("NOT_FOUND", { message: "그런 작업이 없습니다." });
  await found.authorize?.(ctx);
  const work = name === "backup" ? () => backUpNow(ctx) : found.run;
  const failure = await runRecordedJob(ctx, name, work);
  if (failure === undefined)
    throw new AppError("CONFLICT", {
      message: `'${JOB_LABELS[found.name]}' 작업을 이미 하고 있어 새로 시작하지 않았습니다. 끝난 뒤 다시 눌러 주십시오.`,
    });
  await audit(ctx, { action: "job.run", targetId: name, detail: { ok: failure === null } }).run();
  return { name, ok: failure === null };
}
