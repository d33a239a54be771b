import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll } from "vitest";
import { seedBase } from "#db/seed.ts";
import { CREATE_MIGRATION_TABLE, migrationStatements } from "#worker/local/apply-migrations.ts";
import { isolateDatabase } from "./isolate-database.ts";
import { meterDatabase, resetMeter } from "./platform-meter.ts";
import { forgetStart, keepStart, resetRows } from "./reset-rows.ts";
import { touchAll, touched } from "./touched-storage.ts";

const boundDatabase = env.DB;
let isReal = false;

/** Replaces the bound D1 by the database in the isolate of the tests. */
export function takeIsolateDatabase(): void {
  env.DB = meterDatabase(isolateDatabase);
  isReal = false;
  touchAll();
}

/** The bound D1, for files that test what a database itself does: backup, restore, cut connections. */
export function takeRealDatabase(): void {
  beforeAll(() => {
    env.DB = meterDatabase(boundDatabase);
    isReal = true;
    touchAll();
  });
  afterAll(takeIsolateDatabase);
}

const statements = [CREATE_MIGRATION_TABLE, ...env.TEST_MIGRATIONS.flatMap(migrationStatements)];
const STATEMENTS_A_SCRIPT = 100;
/** Runs the deployment's statements in one batch: one by one they take half of a test's time. */
const scripts = Array.from({ length: Math.ceil(statements.length / STATEMENTS_A_SCRIPT) }, (_, at) =>
  statements.slice(at * STATEMENTS_A_SCRIPT, (at + 1) * STATEMENTS_A_SCRIPT).join(";\n"),
);

/** Empties what the last test used, and leaves a migrated and seeded database. */
export async function emptyStorage(): Promise<void> {
  if (touched.size === 0) return;
  if (isReal || touched.has("SCRATCH") || touched.has("BACKUPS") || !(await resetRows())) await resetStorage();
  else {
    if (touched.has("KV")) await emptyKeyValues();
    if (touched.has("FILES")) await emptyBucket(env.FILES);
  }
  resetMeter();
  touched.clear();
}

async function resetStorage(): Promise<void> {
  forgetStart();
  await wakeStorage();
  await reset();
  await env.DB.batch(scripts.map((sql) => env.DB.prepare(sql)));
  await seedBase(env.DB);
  if (!isReal) await keepStart();
}

/** `reset` skips an object that sleeps, as each does after ten seconds without a request. */
async function wakeStorage(): Promise<void> {
  await Promise.all([
    ...[env.DB, env.SCRATCH, boundDatabase].map((database) => database.prepare("SELECT 1").run()),
    ...[env.FILES, env.BACKUPS].map((bucket) => bucket.head("-")),
    env.KV.get("-"),
  ]);
}

async function emptyKeyValues(): Promise<void> {
  for (let list = await env.KV.list(); list.keys.length > 0; list = await env.KV.list())
    await Promise.all(list.keys.map(({ name }) => env.KV.delete(name)));
}

async function emptyBucket(bucket: R2Bucket): Promise<void> {
  for (let list = await bucket.list(); list.objects.length > 0; list = await bucket.list())
    await bucket.delete(list.objects.map(({ key }) => key));
}
