import { LEASE_MS } from "../kernel/guard.server.ts";
import type { BackupContext, PartLines } from "./backup-context.ts";
import { requirePresent } from "#worker/domain/kernel/require-present.ts";
import { and, eq } from "drizzle-orm";
import { backupRun } from "#db/schema/operation.ts";
import { createBackupCipher, sha256Hex } from "#worker/adapters/backup-cipher.server.ts";
import type { BackupState, DumpedTable } from "#worker/contract/operation/backup-state.ts";
import { removeOrphanCopies } from "./backup-copies.server.ts";
import { type FileCopyBudget, listFilesStep } from "./backup-files.server.ts";
import { DUMP_PREFIX, manifestKey, partPlace, pepperFingerprint, sealManifest } from "./backup-manifest.server.ts";
import { closeSnapshot, readSchema, readSnapshotPage } from "./backup-snapshot.server.ts";

declare const __BUILD__: string;
const PART_BYTES = 2 * 1024 * 1024;
/** Longer than the bucket's lock period. */
export const KEEP_DAYS = 36;

/** An invocation is limited to 1,000 statements and 30 seconds of CPU. */
export interface BackupBudget {
  statements: number;
  bytes: number;
  ms: number;
}
export const STEP_BUDGET: BackupBudget = { statements: 500, bytes: 64 * 1024 * 1024, ms: 20_000 };

export function backupSecret({ config }: BackupContext): string {
  if (config.BACKUP_KEY) return config.BACKUP_KEY;
  throw new Error("BACKUP_KEY가 없어 백업하지 못합니다(worker/OPERATIONS.md).");
}

export type RunRow = typeof backupRun.$inferSelect;

export function endBackupStatement(ctx: BackupContext, run: RunRow, status: "ok" | "failed", error = "") {
  return ctx.db.$client
    .prepare(
      "UPDATE backup_run SET status = ?1, error = ?2, finished_date = ?3, lease_id = '', lease_date = NULL WHERE id = ?4 AND lease_id = ?5",
    )
    .bind(status, error, ctx.now().getTime(), run.id, run.leaseId);
}

export async function runBackupSteps(ctx: BackupContext, run: RunRow, budget: BackupBudget): Promise<void> {
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
