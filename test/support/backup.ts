import { requirePresent } from "./require-present.ts";
import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { connectDatabase } from "#db/client.ts";
import { openBackup, type OpenedBackup } from "#worker/domain/operation/backup-manifest.server.ts";
import type { StepBudget } from "#worker/domain/kernel/stepped-work.server.ts";
import { advanceBackup, backUpNow, STEP_BUDGET } from "#worker/domain/operation/backup-run.server.ts";
import { bindingTarget, restoreDatabase } from "#worker/domain/operation/restore.server.ts";
import { Invocation, meterBindings } from "./platform-meter.ts";

/** Each step has the allowance of one invocation. */
export const SMALL_STEPS = { statements: 2, bytes: 1, ms: 60_000 };

export function backupContext(now: () => Date = () => new Date()) {
  const invocation = new Invocation();
  const { DB, FILES, BACKUPS } = meterBindings(env, () => invocation);
  const config = { BACKUP_KEY: env.BACKUP_KEY, PASSWORD_PEPPER: env.PASSWORD_PEPPER };
  return { db: connectDatabase(DB), files: FILES, backups: BACKUPS, now, config };
}

export const lastRun = async () =>
  requirePresent(
    await env.DB.prepare("SELECT * FROM backup_run ORDER BY started_date DESC, rowid DESC LIMIT 1").first<{
      name: string;
      status: string;
      interruptions: number;
      error: string;
      lease_id: string;
    }>(),
  );

export async function makeBackup(
  budget: StepBudget = STEP_BUDGET,
  between?: () => Promise<void>,
  openContext: () => ReturnType<typeof backupContext> = backupContext,
): Promise<string> {
  await backUpNow(openContext(), budget);
  for (let run = await lastRun(); run.status === "running"; run = await lastRun()) {
    await between?.();
    await advanceBackup(openContext(), budget);
  }
  const run = await lastRun();
  if (run.status !== "ok") throw new Error(run.error);
  return run.name;
}

export const readBackupObject = async (key: string) => {
  const object = await env.BACKUPS.get(key);
  return object && new Uint8Array(await object.arrayBuffer());
};

export const openStoredBackup = (name: string, key = env.BACKUP_KEY): Promise<OpenedBackup> =>
  openBackup(readBackupObject, name, key);

export async function restoreToScratch(name: string): Promise<D1Database> {
  await emptyScratch();
  await restoreDatabase(await openStoredBackup(name), bindingTarget(env.SCRATCH));
  return env.SCRATCH;
}

export async function emptyScratch(): Promise<void> {
  const { results } = await env.SCRATCH.prepare(
    "SELECT type, name FROM sqlite_master WHERE type IN ('table', 'trigger') AND name NOT GLOB '_cf*' AND name NOT GLOB 'sqlite*' AND name NOT GLOB 'board_search_*' AND name NOT GLOB 'alumni_gram_*' ORDER BY type = 'table'",
  ).all<{ type: string; name: string }>();
  await env.SCRATCH.batch([
    env.SCRATCH.prepare("PRAGMA defer_foreign_keys = on"),
    ...results.map(({ type, name }) => env.SCRATCH.prepare(`DROP ${type} "${name}"`)),
  ]);
  await applyD1Migrations(env.SCRATCH, env.TEST_MIGRATIONS);
}

/** All rows of a database by table, except those that a backup omits. */
export async function databaseRows(d1: D1Database, tables: readonly string[]): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const table of tables) {
    const { results } = await d1.prepare(`SELECT * FROM "${table}" ORDER BY rowid`).all();
    rows[table] = results.map((row) => JSON.stringify(row));
  }
  return rows;
}
