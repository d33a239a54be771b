import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, vi } from "vitest";
import { seedBase } from "#db/seed.ts";
import { checkLog, collectLog } from "./expected-log.ts";

const names = JSON.stringify(env.TEST_MIGRATIONS.map(({ name }) => name));
// All as one batch: a transaction for each would take half of what most tests take.
const migrate = () =>
  env.DB.batch([
    ...env.TEST_MIGRATIONS.flatMap(({ queries }) => queries).map((query) => env.DB.prepare(query)),
    env.DB.prepare("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)"),
    env.DB.prepare("INSERT INTO d1_migrations (name) SELECT value FROM json_each(?)").bind(names),
  ]);

// Every test finds an empty, migrated database with roles and settings in it.
beforeEach(async () => {
  // A clock that a test moved on would stand still in every file that comes after, and a stand-in would stay.
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  collectLog();
  await reset();
  await migrate();
  await seedBase(env.DB, env);
});

afterEach(checkLog);
