import {
  type BackupContext,
  DUMP_PREFIX,
  manifestKey,
  type PartLines,
  partPlace,
  pepperFingerprint,
  sealManifest,
} from "./backup-manifest.server.ts";
import { and, desc, eq, lt, ne, sql } from "drizzle-orm";
import { isLeaseOver, LEASE_MS } from "../kernel/guarded-batch.server.ts";
import { backupRun } from "#db/schema/operation.ts";
import { koreanDay, startOfKoreanDay, toKoreanClock } from "#worker/contract/kernel/korea.ts";
import { DAY_MS, HOUR_MS } from "#worker/contract/kernel/limits.ts";
import type { BackupState, DumpedTable } from "#worker/contract/operation/operation.ts";
import { dropBackupTraces } from "../audit/destruction.server.ts";
import {
  closeSnapshot,
  openSnapshot,
  readSchema,
  readSnapshotPage,
  schemaFingerprint,
} from "./backup-snapshot.server.ts";
import { requirePresent } from "#worker/domain/kernel/require-present.ts";
import { createBackupCipher, sha256Hex } from "#worker/adapters/backup-cipher.server.ts";
import { type FileCopyBudget, listFilesStep, removeOrphanCopies } from "./backup-files.server.ts";

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

declare const __BUILD__: string;
const PART_BYTES = 2 * 1024 * 1024;
/** Longer than the bucket's lock period. */
const KEEP_DAYS = 36;

/** An invocation is limited to 1,000 statements and 30 seconds of CPU. */
export interface BackupBudget {
  statements: number;
  bytes: number;
  ms: number;
}
export const STEP_BUDGET: BackupBudget = { statements: 500, bytes: 64 * 1024 * 1024, ms: 20_000 };

function backupSecret({ config }: BackupContext): string {
  if (config.BACKUP_KEY) return config.BACKUP_KEY;
  throw new Error("BACKUP_KEY가 없어 백업하지 못합니다(worker/OPERATIONS.md).");
}

type RunRow = typeof backupRun.$inferSelect;

function endBackupStatement(ctx: BackupContext, run: RunRow, status: "ok" | "failed", error = "") {
  return ctx.db.$client
    .prepare(
      "UPDATE backup_run SET status = ?1, error = ?2, finished_date = ?3, lease_id = '', lease_date = NULL WHERE id = ?4 AND lease_id = ?5",
    )
    .bind(status, error, ctx.now().getTime(), run.id, run.leaseId);
}

async function runBackupSteps(ctx: BackupContext, run: RunRow, budget: BackupBudget): Promise<void> {
  const secret = backupSecret(ctx);
  const cipher = await createBackupCipher(secret, run.id);
  const until = ctx.now().getTime() + budget.ms;
  const spent = { statements: 0, bytes: 0 };
  const files: FileCopyBudget = { objects: 300, bytes: budget.bytes / 2 };
  let { state } = run;
  const isSpent = () =>
    spent.statements >= budget.statements ||
    spent.bytes >= budget.bytes ||
    files.objects <= 0 ||
    files.bytes <= 0 ||
    ctx.now().getTime() > until;
  while (state.phase !== "done" && !isSpent()) {
    const part = await takePart(ctx, secret, state, spent, isSpent, files);
    ({ state } = part);
    if (part.lines.length > 0) {
      const index = state.parts.length;
      const sealed = await cipher.seal(partPlace(index), new TextEncoder().encode(`${part.lines.join("\n")}\n`));
      // A random suffix: a killed step leaves a locked object that cannot be overwritten.
      const key = `${DUMP_PREFIX}${run.name}/${String(index + 1).padStart(5, "0")}-${crypto.randomUUID().slice(0, 8)}`;
      await ctx.backups.put(key, sealed);
      spent.bytes += part.bytes;
      state = {
        ...state,
        parts: [...state.parts, { key, bytes: sealed.byteLength, sha256: await sha256Hex(sealed), rows: part.rows }],
      };
    }
    const kept = await ctx.db
      .update(backupRun)
      .set({ state, leaseDate: new Date(ctx.now().getTime() + LEASE_MS) })
      .where(and(eq(backupRun.id, run.id), eq(backupRun.leaseId, run.leaseId)))
      .returning({ id: backupRun.id });
    spent.statements += 1;
    if (kept.length === 0) return;
  }
  if (state.phase !== "done") {
    await ctx.db
      .update(backupRun)
      .set({ leaseId: "", leaseDate: null })
      .where(and(eq(backupRun.id, run.id), eq(backupRun.leaseId, run.leaseId)));
    return;
  }
  // A killed step may have written it, and locked objects cannot be overwritten.
  if (!(await ctx.backups.head(manifestKey(run.name)))) {
    const manifest = await sealManifest(secret, {
      id: run.id,
      name: run.name,
      createdDate: run.startedDate.toISOString(),
      appVersion: __BUILD__,
      migrations: state.migrations,
      schema: await readSchema(ctx.db.$client),
      fingerprint: state.fingerprint,
      pepper: await pepperFingerprint(ctx.config.PASSWORD_PEPPER),
      sequences: state.sequences,
      tables: state.tables,
      parts: state.parts,
      files: state.files,
    });
    await ctx.backups.put(manifestKey(run.name), manifest);
  }
  await closeSnapshot(ctx.db.$client, endBackupStatement(ctx, run, "ok"));
}

async function takePart(
  ctx: BackupContext,
  secret: string,
  state: BackupState,
  spent: { statements: number },
  isSpent: () => boolean,
  files: FileCopyBudget,
): Promise<PartLines> {
  if (state.phase === "tables") return readTablePart(ctx, state, spent, isSpent);
  if (state.phase === "files") return listFilesStep(ctx, secret, state, spent, files);
  spent.statements += 2;
  return { state: await removeOrphanCopies(ctx, secret, state, KEEP_DAYS), lines: [], rows: 0, bytes: 0 };
}

async function readTablePart(
  ctx: BackupContext,
  from: BackupState,
  spent: { statements: number },
  isSpent: () => boolean,
): Promise<PartLines> {
  const lines: string[] = [];
  const tables: DumpedTable[] = [...from.tables];
  let { tableIndex, rowId } = from;
  let rows = 0;
  let bytes = 0;
  let named = -1;
  while (tableIndex < tables.length && bytes < PART_BYTES && !isSpent()) {
    const table = requirePresent(tables[tableIndex]);
    const page = await readSnapshotPage(ctx.db.$client, table, rowId);
    spent.statements += table.lastRowId === null ? 0 : 2;
    if (page.rows.length > 0 && named !== tableIndex) {
      lines.push(JSON.stringify({ table: table.name, columns: table.columns }));
      named = tableIndex;
    }
    for (const row of page.rows) lines.push(JSON.stringify(row));
    tables[tableIndex] = { ...table, rows: table.rows + page.rows.length, bytes: table.bytes + page.bytes };
    rows += page.rows.length;
    bytes += page.bytes;
    rowId = page.nextRowId ?? 0;
    if (page.nextRowId === null) tableIndex += 1;
  }
  const phase = tableIndex < tables.length ? "tables" : "files";
  return { state: { ...from, phase, tables, tableIndex, rowId }, lines, rows, bytes };
}
