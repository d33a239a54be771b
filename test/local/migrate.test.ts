import { DatabaseSync } from "node:sqlite";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { applyMigrations, migrateDatabase, readMigrations } from "#worker/local/migrate.ts";
import { CREATE_MIGRATION_TABLE, migrationStatements } from "#worker/local/apply-migrations.ts";
import { requireMiniflare } from "#worker/local/require.ts";
import { queryDatabase } from "#worker/local/wrangler.ts";
import { test as siteTest } from "../support/fixtures.ts";

const { convertV4MiniflareOptions, Miniflare } = requireMiniflare();
const MIGRATIONS = resolve(import.meta.dirname, "../../migrations");
const test = siteTest
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads what a fixture needs
  .extend("folder", { scope: "file" }, ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), "hoewon-migrations-"));
    onCleanup(() => rmSync(folder, { recursive: true, force: true }));
    cpSync(MIGRATIONS, folder, { recursive: true });
    return folder;
  });

const BROKEN = "9999_broken.sql";

test("a failed migration leaves nothing behind", async ({ site, db, folder }) => {
  const applied = async () => (await db.prepare("SELECT name FROM d1_migrations ORDER BY id").raw<[string]>()).flat();
  const before = await applied();
  const half = "ALTER TABLE board ADD COLUMN half text NOT NULL DEFAULT '';\n--> statement-breakpoint\n";
  writeFileSync(join(folder, BROKEN), `${half}INSERT INTO no_such_table VALUES (1);\n`);
  await expect(applyMigrations(db, folder)).rejects.toThrow(BROKEN);

  expect(await applied()).toEqual(before);
  await expect(db.prepare("SELECT half FROM board").first()).rejects.toThrow(/no such column/);
  expect((await fetch(`${site.url}/board/notice/List/`)).status).toBe(200);
  const body = JSON.stringify({ userKeyType: "Id", userKeyCode: "member01", password: "Member!2345" });
  const headers = { "Content-Type": "application/json" };
  const signin = await fetch(`${site.url}/api/user/signin`, { method: "POST", headers, body });
  expect(signin.status).toBe(200);

  writeFileSync(join(folder, BROKEN), half);
  await applyMigrations(db, folder);
  expect(await applied()).toEqual([...before, BROKEN]);
  expect(await db.prepare("SELECT half FROM board LIMIT 1").first("half")).toBe("");
  expect((await fetch(`${site.url}/board/notice/List/`)).status).toBe(200);
});

const TRIGGER = `CREATE TABLE counted (id integer PRIMARY KEY, n integer NOT NULL DEFAULT 0);
--> statement-breakpoint
CREATE TRIGGER counted_insert AFTER INSERT ON counted BEGIN
  UPDATE counted SET n = CASE WHEN n > 0 THEN n ELSE 1 END WHERE id = new.id; -- 세미콜론; 주석
  UPDATE counted SET n = n + 1 WHERE id = new.id;
END;
--> statement-breakpoint
INSERT INTO counted (id) VALUES (1);
-- 끝 주석`;

// Each check starts wrangler again, which takes seconds on a busy machine.
test("wrangler applies a migration together with its row", { tags: "full", timeout: 300_000 }, () => {
  const own = mkdtempSync(join(tmpdir(), "hoewon-remote-"));
  const files = join(own, "migrations");
  const place = { remote: false, folder: join(own, "state") } as const;
  const ledger = () => queryDatabase<{ name: string }>(place, "SELECT name FROM d1_migrations").map(({ name }) => name);
  try {
    mkdirSync(files);
    writeFileSync(join(files, "0000_first.sql"), TRIGGER);
    writeFileSync(
      join(files, "0001_second.sql"),
      "CREATE TABLE half (id integer);\nINSERT INTO no_such_table VALUES (1);",
    );
    expect(() => migrateDatabase(place, files)).toThrow(/0001_second\.sql[^]*0000_first\.sql까지[^]*no_such_table/);
    expect(queryDatabase(place, "SELECT n FROM counted")).toEqual([{ n: 2 }]);
    expect(queryDatabase(place, "SELECT name FROM sqlite_master WHERE name = 'half'")).toEqual([]);
    writeFileSync(join(files, "0001_second.sql"), "CREATE TABLE half (id integer);");
    expect(migrateDatabase(place, files)).toEqual(["0001_second.sql"]);
    expect(ledger()).toEqual(["0000_first.sql", "0001_second.sql"]);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
});

test("a process paused beyond the idle timeout of workerd still migrates", { tags: "full" }, async () => {
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "export default { fetch: () => new Response() }",
      compatibilityDate: "2026-10-01",
      d1Databases: ["DB"],
    }),
  );
  const own = mkdtempSync(join(tmpdir(), "hoewon-none-"));
  try {
    const d1 = (await mf.getD1Database("DB")) as unknown as D1Database;
    await applyMigrations(d1, own);
    // Blocks this process, like a long file on a busy machine, beyond the 5 s after which workerd closes a connection.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6000);
    await applyMigrations(d1, own);
    expect(await d1.prepare("SELECT count(*) AS n FROM d1_migrations").first("n")).toBe(0);
  } finally {
    await mf.dispose();
    rmSync(own, { recursive: true, force: true });
  }
});

test("the migrations form one script that SQLite can execute", () => {
  const whole = new DatabaseSync(":memory:");
  whole.exec("BEGIN");
  whole.exec([CREATE_MIGRATION_TABLE, ...readMigrations(MIGRATIONS).flatMap(migrationStatements)].join("\n;\n"));
  whole.exec("COMMIT");
  const objects = (type: string) =>
    whole.prepare("SELECT count(*) AS n FROM sqlite_master WHERE type = ?").get(type)?.n as number;
  const text = readMigrations(MIGRATIONS)
    .flatMap(({ queries }) => queries)
    .join("\n");
  const countOf = (verb: string) => text.match(new RegExp(`^${verb} TRIGGER`, "gim"))?.length ?? 0;
  expect(objects("trigger")).toBe(countOf("CREATE") - countOf("DROP"));
  expect(objects("trigger")).toBeGreaterThan(0);
  expect(whole.prepare("SELECT count(*) AS n FROM d1_migrations").get()?.n).toBe(readMigrations(MIGRATIONS).length);
});
