import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { seedBase } from "#db/seed.ts";
import { CREATE_MIGRATION_TABLE, migrationStatements } from "#worker/local/migration-files.ts";
import { checkLog, collectLog } from "./expected-log.ts";
import { isMetered, meterBindings, meterFetch, resetMeter, takeRefusals } from "./platform-meter.ts";
import { storage } from "./touched-storage.ts";
import { closeUnread } from "./unread-answers.ts";

// Every binding that a test or the Worker gets refuses what the platform refuses.
if (!isMetered(env)) {
  Object.assign(env, meterBindings(env));
  globalThis.fetch = meterFetch(globalThis.fetch);
}

const statements = [CREATE_MIGRATION_TABLE, ...env.TEST_MIGRATIONS.flatMap(migrationStatements)];
/** By the statements that a deployment runs, in one batch, and many as one text: one by one they would take half of what most tests take. */
const scripts = Array.from({ length: Math.ceil(statements.length / 100) }, (_, at) =>
  statements.slice(at * 100, (at + 1) * 100).join(";\n"),
);
const migrate = () => env.DB.batch(scripts.map((sql) => env.DB.prepare(sql)));

// Every test finds an empty, migrated database with roles and settings in it.
beforeEach(async () => {
  // A clock that a test moved on would stand still in every file that comes after, and a stand-in would stay.
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  collectLog();
  await closeUnread();
  if (!storage.isTouched) return;
  await reset();
  resetMeter();
  // A database of tens of megabytes is sometimes still there: what is left of it goes at the second try.
  await migrate().catch(async () => {
    await reset();
    await migrate();
  });
  await seedBase(env.DB);
  storage.isTouched = false;
});

afterEach(() => {
  checkLog();
  // Also what the product caught: there it would have failed.
  expect(takeRefusals(), "what the platform refuses").toEqual([]);
});
