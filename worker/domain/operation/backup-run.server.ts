import {
  type BackupContext,
  backupSecret,
  BackupStep,
  DUMP_PREFIX,
  manifestKey,
  partPlace,
  pepperFingerprint,
  proveBackup,
  sealManifest,
} from "./backup-manifest.server.ts";
import { and, desc, eq, gt, lt, lte, ne, sql } from "drizzle-orm";
import { backupRun } from "#db/schema/operation.ts";
import { koreanDay, startOfKoreanDay, toKoreanClock } from "#worker/contract/kernel/korea.ts";
import { DAY_MS, HOUR_MS } from "#worker/contract/kernel/limits.ts";
import type { BackupState, DumpedTable } from "#worker/contract/operation/operation.ts";
import { KEPT_BACKUPS } from "#worker/contract/audit/ages.ts";
import { readAges } from "../audit/ages.server.ts";
import { dropBackupTraces } from "../audit/destruction.server.ts";
import {
  closeStatements,
  openSnapshot,
  readSchema,
  readSnapshotPage,
  schemaFingerprint,
} from "./backup-snapshot.server.ts";
import { requirePresent } from "#worker/domain/kernel/require-present.ts";
import { createBackupCipher, sha256Hex } from "#worker/adapters/backup-cipher.server.ts";
import { claimWork, describeFailure, type StepBudget } from "../kernel/stepped-work.server.ts";
import { listFilesStep, removeOrphanCopies } from "./backup-files.server.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";

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
  if (!(await hasRunningBackup(ctx)) && !(await beginNightlyBackup(ctx))) return;
  await advanceBackup(ctx, budget);
}

const isRunning = eq(backupRun.status, "running");

async function hasRunningBackup({ db }: BackupContext): Promise<boolean> {
  const rows = await db.select({ id: backupRun.id }).from(backupRun).where(isRunning).limit(1);
  return rows.length > 0;
}

async function beginNightlyBackup(ctx: BackupContext): Promise<boolean> {
  const day = nightlyBackupDay(ctx.now());
  if (!day) return false;
  // A run of the future was begun by a fast clock: its night still comes.
  await ctx.db
    .update(backupRun)
    .set({ kind: "manual" })
    .where(and(eq(backupRun.kind, "night"), gt(backupRun.startedDate, soonAfter(ctx.now()))));
  const tries = await ctx.db
    .select({ status: backupRun.status, finishedDate: backupRun.finishedDate })
    .from(backupRun)
    .where(and(eq(backupRun.kind, "night"), sql`substr(${backupRun.name}, 1, 10) = ${day}`));
  if (tries.some(({ status }) => status === "ok") || tries.length >= NIGHT_TRIES) return false;
  const last = Math.max(0, ...tries.map(({ finishedDate }) => finishedDate?.getTime() ?? 0));
  if (ctx.now().getTime() - last < HOUR_MS) return false;
  await beginBackup(ctx, "night", await freeName(ctx, day));
  return true;
}

/** Clocks of isolates differ by less. */
const soonAfter = (now: Date) => new Date(now.getTime() + HOUR_MS);

/** The wanted name, numbered if a backup of the list or of the bucket has it. */
async function freeName({ db, backups }: BackupContext, wanted: string): Promise<string> {
  const [listed, stored] = await Promise.all([
    db
      .select({ name: backupRun.name })
      .from(backupRun)
      .where(sql`substr(${backupRun.name}, 1, ${wanted.length}) = ${wanted}`),
    backups.list({ prefix: `${DUMP_PREFIX}${wanted}`, delimiter: "/" }),
  ]);
  const taken = new Set([
    ...listed.map(({ name }) => name),
    ...stored.delimitedPrefixes.map((prefix) => prefix.slice(DUMP_PREFIX.length, -1)),
  ]);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(name)) return name;
  }
}

export async function backUpNow(ctx: BackupContext, budget = STEP_BUDGET): Promise<void> {
  if (!(await hasRunningBackup(ctx))) {
    const korea = toKoreanClock(ctx.now()).toISOString();
    const name = `${korea.slice(0, 10)}-${korea.slice(11, 23).replaceAll(/[:.]/g, "")}`;
    await beginBackup(ctx, "manual", await freeName(ctx, name));
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

/** @throws Error if the backup fails; it is marked as failed */
export async function advanceBackup(ctx: BackupContext, budget = STEP_BUDGET): Promise<void> {
  const run = await claimWork(ctx, backupRun, isRunning);
  if (!run) return;
  const step = new BackupStep(ctx, run, budget);
  await step.run(
    async () => {
      if (run.state === null) throw new Error("백업을 시작하다가 멈추었습니다.");
      if (run.interruptions > INTERRUPTIONS_MAX) throw new Error(`백업이 ${run.interruptions}번 중단되었습니다.`);
      if ((await schemaFingerprint(ctx.db.$client)) !== run.state.fingerprint)
        throw new Error("백업하는 동안 데이터베이스의 구조가 바뀌었습니다.");
      await takeParts(step);
    },
    async (cause) => {
      if (!isTransient(cause)) await endBackup(step, { status: "failed", error: describeFailure(cause) });
    },
  );
}

const endBackup = async (step: BackupStep, result: Pick<RunRow, "status"> & Partial<RunRow>) =>
  step.commit(await closeStatements(step.d1), { finishedDate: step.ctx.now(), ...result });

/** Transient platform errors: the step is retried as if it had been killed. */
const isTransient = (cause: unknown) =>
  /network connection lost|reset|overloaded|timed? ?out|internal error|please try again/i.test(
    String(cause instanceof Error ? cause.message + String(cause.cause ?? "") : cause),
  );

/** Called with a new backup that is proved. */
async function removeOldBackups(ctx: BackupContext): Promise<void> {
  const before = (await readAges(ctx)).before("backup");
  // By the order in which they were made, because dates follow the clock.
  const newest = sql`(SELECT id FROM backup_run WHERE status = 'ok' ORDER BY rowid DESC LIMIT ${KEPT_BACKUPS})`;
  const old = await ctx.db
    .select({ id: backupRun.id, name: backupRun.name })
    .from(backupRun)
    .where(
      and(lt(backupRun.startedDate, before), ne(backupRun.status, "running"), sql`${backupRun.id} NOT IN ${newest}`),
    )
    .limit(5);
  for (const { id, name } of old) {
    const { objects, truncated } = await ctx.backups.list({ prefix: `${DUMP_PREFIX}${name}/` });
    if (objects.length > 0) await ctx.backups.delete(objects.map(({ key }) => key));
    if (!truncated) await ctx.db.delete(backupRun).where(eq(backupRun.id, id));
  }
  await dropBackupTraces(ctx.db);
}

/** Made last, whatever its date. */
export const newestBackupStatement = (db: BackupContext["db"]) =>
  db
    .select({ name: backupRun.name })
    .from(backupRun)
    .where(eq(backupRun.status, "ok"))
    .orderBy(sql`rowid DESC`)
    .limit(1);

/** The newest backup that was not made by a fast clock. */
export const lastBackupStatement = (db: BackupContext["db"], now: Date) =>
  db
    .select({ name: backupRun.name, finishedDate: backupRun.finishedDate })
    .from(backupRun)
    .where(and(eq(backupRun.status, "ok"), lte(backupRun.startedDate, soonAfter(now))))
    .orderBy(desc(backupRun.startedDate))
    .limit(1);

declare const __BUILD__: string;
const PART_BYTES = 2 * 1024 * 1024;
export const STEP_BUDGET: StepBudget = { statements: 150, bytes: 64 * 1024 * 1024, ms: 20_000 };

type RunRow = typeof backupRun.$inferSelect;

async function takeParts(step: BackupStep): Promise<void> {
  const { ctx, row: run } = step;
  const cipher = await createBackupCipher(step.secret, run.id);
  while (step.state.phase !== "done" && !step.isSpent()) {
    if (step.state.phase === "copies") await sealBackup(step);
    const { lines, rows, bytes } = await takePart(step);
    if (lines.length > 0) {
      const index = step.state.parts.length;
      const sealed = await cipher.seal(partPlace(index), new TextEncoder().encode(`${lines.join("\n")}\n`));
      // A random suffix: a killed step leaves a locked object that cannot be overwritten.
      const key = `${DUMP_PREFIX}${run.name}/${String(index + 1).padStart(5, "0")}-${crypto.randomUUID().slice(0, 8)}`;
      await ctx.backups.put(key, sealed);
      step.spend(0, bytes);
      const part = { key, bytes: sealed.byteLength, sha256: await sha256Hex(sealed), rows };
      step.state = { ...step.state, parts: [...step.state.parts, part] };
    }
    await step.commit();
  }
  if (step.state.phase !== "done") return;
  await sealBackup(step);
  await endBackup(step, { status: "ok" });
  await removeOldBackups(ctx);
}

/** Writes the manifest and reads it again, before anything older may go. */
async function sealBackup(step: BackupStep): Promise<void> {
  const { ctx, row: run, state } = step;
  if (state.isProved) return;
  // A killed step may have written it, and locked objects cannot be overwritten.
  if (!(await ctx.backups.head(manifestKey(run.name)))) {
    const manifest = await sealManifest(step.secret, {
      id: run.id,
      name: run.name,
      createdDate: run.startedDate.toISOString(),
      appVersion: __BUILD__,
      migrations: state.migrations,
      schema: await readSchema(step.d1),
      fingerprint: state.fingerprint,
      pepper: await pepperFingerprint(ctx.config.PASSWORD_PEPPER),
      ...fieldsOf(state, "sequences", "tables", "parts", "files"),
    });
    await ctx.backups.put(manifestKey(run.name), manifest);
  }
  await proveBackup(ctx.backups, run.name, step.secret);
  step.spend(4);
  step.state = { ...state, isProved: true };
}

interface PartLines {
  lines: string[];
  rows: number;
  bytes: number;
}

async function takePart(step: BackupStep): Promise<PartLines> {
  if (step.state.phase === "tables") return readTablePart(step);
  if (step.state.phase === "files") return { lines: await listFilesStep(step), rows: 0, bytes: 0 };
  step.spend(2);
  step.state = await removeOrphanCopies(step);
  return { lines: [], rows: 0, bytes: 0 };
}

async function readTablePart(step: BackupStep): Promise<PartLines> {
  const lines: string[] = [];
  const tables: DumpedTable[] = [...step.state.tables];
  let { tableIndex, rowId } = step.state;
  let rows = 0;
  let bytes = 0;
  let named = -1;
  while (tableIndex < tables.length && bytes < PART_BYTES && !step.isSpent()) {
    const table = requirePresent(tables[tableIndex]);
    const page = await readSnapshotPage(step.d1, table, rowId);
    step.spend(table.lastRowId === null ? 0 : 2);
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
  step.state = { ...step.state, phase, tables, tableIndex, rowId };
  return { lines, rows, bytes };
}
