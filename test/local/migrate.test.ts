import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyMigrations } from "#worker/local/migrate.ts";
import type { RunningSite } from "#worker/local/site.ts";
import { startTestSite } from "../test-site.ts";

const MIGRATIONS = resolve(import.meta.dirname, "../../migrations");
let site: RunningSite;
let folder: string;

beforeAll(async () => {
  site = await startTestSite();
  folder = mkdtempSync(join(tmpdir(), "hoewon-migrations-"));
  cpSync(MIGRATIONS, folder, { recursive: true });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await site?.dispose();
});

const BROKEN = "9999_broken.sql";

test("F16: a migration that fails half way leaves nothing of itself: the table tells, the running version goes on, a mended file goes in", async () => {
  const { DB } = await site.mf.getBindings<{ DB: D1Database }>();
  const applied = async () => (await DB.prepare("SELECT name FROM d1_migrations ORDER BY id").raw<[string]>()).flat();
  const before = await applied();
  const half = "ALTER TABLE board ADD COLUMN half text NOT NULL DEFAULT '';\n--> statement-breakpoint\n";
  writeFileSync(join(folder, BROKEN), `${half}INSERT INTO no_such_table VALUES (1);\n`);
  await expect(applyMigrations(DB, folder)).rejects.toThrow(BROKEN);

  expect(await applied()).toEqual(before);
  await expect(DB.prepare("SELECT half FROM board").first()).rejects.toThrow(/no such column/);
  expect((await fetch(`${site.url}/board/notice/List/`)).status).toBe(200);
  const body = JSON.stringify({ userKeyType: "Id", userKeyCode: "member01", password: "Member!2345" });
  const headers = { "Content-Type": "application/json" };
  const signin = await fetch(`${site.url}/api/user/signin`, { method: "POST", headers, body });
  expect(signin.status).toBe(200);

  writeFileSync(join(folder, BROKEN), half);
  await applyMigrations(DB, folder);
  expect(await applied()).toEqual([...before, BROKEN]);
  expect(await DB.prepare("SELECT half FROM board LIMIT 1").first("half")).toBe("");
  // The old version on the new schema (F17).
  expect((await fetch(`${site.url}/board/notice/List/`)).status).toBe(200);
});
