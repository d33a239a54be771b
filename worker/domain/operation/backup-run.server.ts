import type { BackupContext } from "./backup-context.ts";
import { and, desc, eq, lt, ne, sql } from "drizzle-orm";
import { isLeaseOver, LEASE_MS } from "../kernel/guard.server.ts";
import { backupRun } from "#db/schema/operation.ts";
import { koreanDay, startOfKoreanDay, toKoreanClock } from "#worker/contract/kernel/korea.ts";
import { DAY_MS, HOUR_MS } from "#worker/contract/kernel/limits.ts";
import type { BackupState } from "#worker/contract/operation/backup-state.ts";
import { dropBackupTraces } from "../audit/destroyed-trace.server.ts";
import { DUMP_PREFIX } from "./backup-manifest.server.ts";
import { closeSnapshot, openSnapshot, schemaFingerprint } from "./backup-snapshot.server.ts";
import {
  KEEP_DAYS,
  STEP_BUDGET,
  backupSecret,
  endBackupStatement,
  runBackupSteps,
  type RunRow,
} from "./backup-step.server.ts";

const HOUR = 3;
const NIGHT_TRIES = 3;
/** Steps that may end without a result before the backup fails. */
const INTERRUPTIONS_MAX = 20;

/** Null before 03:00 in Korea. */
function nightlyBackupDay(now: Date): string | null {
  const korea = toKoreanClock(now);
  return korea.getUTCHours() < HOUR ? null : korea.toISOString().slice(0, 10);
}

export function nextNightlyBackupDate(last: Date | undefined): Date {
  if (!last) return new Date(0);
  const hour = startOfKoreanDay(koreanDay(last)).getTime() + HOUR * HOUR_MS;
  return new Date(last.getTime() < hour ? hour : hour + DAY_MS);
}

/** Starts the backup after 03:00 in Korea, or runs its next step. */
export async function backUpInSteps(ctx: BackupContext, budget = STEP_BUDGET): Promise<void> {
  const running = await findRunningBackup(ctx);
  if (!running && !(await beginNightlyBackup(ctx))) return;
  await advanceBackup(ctx, budget);
}

async function findRunningBackup(ctx: BackupContext) {
  const [row] = await ctx.db.select().from(backupRun).where(eq(backupRun.status, "running")).limit(1);
  return row;
}

async function beginNightlyBackup(ctx: BackupContext): Promise<boolean> {
  const day = nightlyBackupDay(ctx.now());
  if (!day) return false;
  const tries = await ctx.db
    .select({ status: backupRun.status, finishedDate: backupRun.finishedDate })
    .from(backupRun)
    .where(and(eq(backupRun.kind, "night"), sql`substr(${backupRun.name}, 1, 10) = ${day}`));
  if (tries.some(({ status }) => status === "ok") || tries.length >= NIGHT_TRIES) return false;
  const last = Math.max(0, ...tries.map(({ finishedDate }) => finishedDate?.getTime() ?? 0));
  if (ctx.now().getTime() - last < HOUR_MS) return false;
  await beginBackup(ctx, "night", tries.length === 0 ? day : `${day}-${tries.length + 1}`);
  await removeOldBackups(ctx);
  return true;
}

export async function backUpNow(ctx: BackupContext, budget = STEP_BUDGET): Promise<void> {
  if (!(await findRunningBackup(ctx))) {
    const korea = toKoreanClock(ctx.now()).toISOString();
    await beginBackup(ctx, "manual", `${korea.slice(0, 10)}-${korea.slice(11, 23).replaceAll(/[:.]/g, "")}`);
  }
  await advanceBackup(ctx, budget);
}

async function beginBackup(ctx: BackupContext, kind: "night" | "manual", name: string): Promise<void> {
  backupSecret(ctx);
  const d1 = ctx.db.$client;
  const fingerprint = await schemaFingerprint(d1);
  const id = crypto.randomUUID();
  const start = d1
    .prepare(
      "INSERT INTO backup_run (id, name, kind, status, started_date, state) VALUES (?1, ?2, ?3, 'running', ?4, 'null')",
    )
    .bind(id, name, kind, ctx.now().getTime());
  const snapshot = await openSnapshot(d1, start);
  const state: BackupState = {
    ...snapshot,
    phase: "tables",
    fingerprint,
    tableIndex: 0,
    rowId: 0,
    parts: [],
    files: { after: "", count: 0, bytes: 0, copied: 0, missing: 0, missingNames: [] },
  };
  await ctx.db.update(backupRun).set({ state }).where(eq(backupRun.id, id));
}

/** @returns null while another step holds the lease */
async function claimStep(ctx: BackupContext, run: RunRow): Promise<RunRow | null> {
  const now = ctx.now();
  const wasKilled = run.leaseId !== "";
  const [claimed] = await ctx.db
    .update(backupRun)
    .set({
      leaseId: crypto.randomUUID(),
      leaseDate: new Date(now.getTime() + LEASE_MS),
      interruptions: wasKilled ? sql`${backupRun.interruptions} + 1` : 0,
    })
    .where(
      and(
        eq(backupRun.id, run.id),
        eq(backupRun.status, "running"),
        eq(backupRun.leaseId, run.leaseId),
        isLeaseOver(backupRun.leaseDate, now),
      ),
    )
    .returning();
  return claimed ?? null;
}

/** @throws Error if the backup fails; it is marked as failed */
export async function advanceBackup(ctx: BackupContext, budget = STEP_BUDGET): Promise<void> {
  const running = await findRunningBackup(ctx);
  const run = running && (await claimStep(ctx, running));
  if (!run) return;
  try {
    if (run.state === null) throw new Error("백업을 시작하다가 멈추었습니다.");
    if (run.interruptions > INTERRUPTIONS_MAX) throw new Error(`백업이 ${run.interruptions}번 중단되었습니다.`);
    if ((await schemaFingerprint(ctx.db.$client)) !== run.state.fingerprint)
      throw new Error("백업하는 동안 데이터베이스의 구조가 바뀌었습니다.");
    await runBackupSteps(ctx, run, budget);
  } catch (cause) {
    if (isTransient(cause)) throw cause;
    const error = cause instanceof Error ? cause.message.replace(/\n.*$/s, "").slice(0, 200) : "";
    await closeSnapshot(ctx.db.$client, endBackupStatement(ctx, run, "failed", error));
    throw cause;
  }
}

/** Transient platform errors: the step is retried as if it had been killed. */
const isTransient = (cause: unknown) =>
  /network connection lost|reset|overloaded|timed? ?out|internal error|please try again/i.test(
    String(cause instanceof Error ? cause.message + String(cause.cause ?? "") : cause),
  );

async function removeOldBackups(ctx: BackupContext): Promise<void> {
  const before = new Date(ctx.now().getTime() - KEEP_DAYS * DAY_MS);
  const old = await ctx.db
    .select({ id: backupRun.id, name: backupRun.name })
    .from(backupRun)
    .where(and(lt(backupRun.startedDate, before), ne(backupRun.status, "running")))
    .limit(5);
  for (const { id, name } of old) {
    const { objects, truncated } = await ctx.backups.list({ prefix: `${DUMP_PREFIX}${name}/` });
    if (objects.length > 0) await ctx.backups.delete(objects.map(({ key }) => key));
    if (!truncated) await ctx.db.delete(backupRun).where(eq(backupRun.id, id));
  }
  await dropBackupTraces(ctx.db);
}

export const lastBackupStatement = (db: BackupContext["db"]) =>
  db
    .select({ name: backupRun.name, finishedDate: backupRun.finishedDate })
    .from(backupRun)
    .where(eq(backupRun.status, "ok"))
    .orderBy(desc(backupRun.startedDate))
    .limit(1);
