import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { seedBase } from "#db/seed.ts";
import { CREATE_MIGRATION_TABLE, migrationStatements } from "#worker/local/apply-migrations.ts";
import { checkLog, collectLog } from "./expected-log.ts";
import { isMetered, meterBindings, meterFetch, resetMeter, takeRefusals } from "./platform-meter.ts";
import { shareHashes } from "./shared-hashes.ts";
import { storage } from "./touched-storage.ts";
import { awaitDeferred, closeUnread } from "./unread-answers.ts";

// Makes each binding enforce the platform's limits.
if (!isMetered(env)) {
  Object.assign(env, meterBindings(env));
  globalThis.fetch = meterFetch(globalThis.fetch);
  shareHashes();
}

const statements = [CREATE_MIGRATION_TABLE, ...env.TEST_MIGRATIONS.flatMap(migrationStatements)];
/** Runs the deployment's statements in one batch: one by one they take half of a test's time. */
const scripts = Array.from({ length: Math.ceil(statements.length / 100) }, (_, at) =>
  statements.slice(at * 100, (at + 1) * 100).join(";\n"),
);
const migrate = () => env.DB.batch(scripts.map((sql) => env.DB.prepare(sql)));

beforeEach(async () => {
  // Stubbed globals would leak into the files that follow.
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  collectLog();
  await closeUnread();
  await awaitDeferred();
  if (!storage.isTouched) return;
  await reset();
  resetMeter();
  // A reset of a database of tens of megabytes sometimes needs a second try.
  await migrate().catch(async () => {
    await reset();
    await migrate();
  });
  await seedBase(env.DB);
  storage.isTouched = false;
});

afterEach(() => {
  // Before the next file is imported, whose dates are computed then.
  vi.useRealTimers();
  checkLog();
  expect(takeRefusals(), "what the platform refuses").toEqual([]);
});
