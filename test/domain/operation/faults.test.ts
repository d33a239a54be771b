import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { runAllJobs } from "../../support/scheduled-jobs.ts";
import { databaseRows, makeBackup, openStoredBackup, restoreToScratch } from "../../support/backup.ts";
import { advanceToMorning } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession } from "../../support/people.ts";
import { expectLog } from "../../support/expected-log.ts";
import { createItemWithFile } from "../../samples/board-files.ts";
import { readValue } from "../../support/test-database.ts";
import { takeRealDatabase } from "../../support/empty-storage.ts";

takeRealDatabase();

const keys = async () => (await env.FILES.list({ prefix: "f/" })).objects.map(({ key }) => key);

test("a restore after a bad DELETE brings back every row", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  await createItemWithFile(admin, "notice");
  await createItemWithFile(await createMemberSession(), "free");
  expectLog(/job:drill.*로그인 수단이 없는 회원/);
  const name = await makeBackup();
  const tables = (await openStoredBackup(name)).manifest.tables.map((table) => table.name);
  const before = await databaseRows(env.DB, tables);
  const objects = await keys();
  expect(objects).toHaveLength(2);

  await env.DB.batch(
    ["board_item_comment", "file", "board_item", "user_key"].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
  );
  advanceToMorning(2);
  await runAllJobs(env);
  vi.useRealTimers();

  expect(await databaseRows(await restoreToScratch(name), tables)).toEqual({ ...before, notice_pending: [] });
  expect(await keys()).toEqual(objects);
});

interface SqlColumn {
  table_name: string;
  name: string;
  type: string;
  required: number;
  initial: string | null;
}
const columns = async () =>
  (
    await env.DB.prepare(
      `SELECT t.name AS table_name, c.name AS name, c.type AS type, c."notnull" AS required, c.dflt_value AS initial
       FROM sqlite_master AS t, pragma_table_info(t.name) AS c
       WHERE t.type = 'table' AND t.sql NOT LIKE '%VIRTUAL%' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE 'd1_%' AND t.name NOT GLOB '_cf*'
         AND t.name NOT GLOB '*_data' AND t.name NOT GLOB '*_idx' AND t.name NOT GLOB '*_docsize' AND t.name NOT GLOB '*_config'
       ORDER BY t.rowid, c.cid`,
    ).all<SqlColumn>()
  ).results;

function byTable(all: SqlColumn[]): Map<string, SqlColumn[]> {
  const tables = new Map<string, SqlColumn[]>();
  for (const column of all) tables.set(column.table_name, [...(tables.get(column.table_name) ?? []), column]);
  return tables;
}

test("the first version's columns can be written after all migrations", async () => {
  await reset();
  const first = new Map<string, SqlColumn[]>();
  for (let count = 1; count <= env.TEST_MIGRATIONS.length; count += 1) {
    await applyD1Migrations(env.DB, env.TEST_MIGRATIONS.slice(0, count));
    const now = byTable(await columns());
    for (const [table, known] of now) if (!first.has(table)) first.set(table, known);
  }
  const final = byTable(await columns());
  expect(first.size).toBeGreaterThan(25);
  for (const [table, known] of first) {
    const names = new Set(final.get(table)?.map(({ name }) => name));
    expect([table, known.filter(({ name }) => !names.has(name))], "no table or column was removed").toEqual([
      table,
      [],
    ]);
    const added = final.get(table)?.filter(({ name }) => !known.some((column) => column.name === name)) ?? [];
    const hard = added.filter(({ required, initial }) => required === 1 && initial === null);
    expect([table, hard.map(({ name }) => name)], "an added column has a default").toEqual([table, []]);
  }
  // Equal values in all tables, so that every reference finds its parent.
  const value = (column: SqlColumn) => (/int/i.test(column.type) ? "1" : "'x'");
  // A certificate belongs to a member or to a person of the address book, never both.
  first.set("alumni_certificate", first.get("alumni_certificate")?.filter(({ name }) => name !== "user_id") ?? []);
  await env.DB.batch([
    env.DB.prepare("PRAGMA defer_foreign_keys = on"),
    ...[...first].map(([table, known]) =>
      env.DB.prepare(
        `INSERT OR REPLACE INTO "${table}" (${known.map(({ name }) => `"${name}"`).join(", ")}) VALUES (${known.map(value).join(", ")})`,
      ),
    ),
  ]);
  expect(await readValue("SELECT count(*) AS n FROM board_item")).toBe(1);
});

test("no migration drops or renames a column of old code", () => {
  const taking = env.TEST_MIGRATIONS.flatMap(({ name, queries }) =>
    queries.filter((query) => /\b(DROP\s+(TABLE|COLUMN)|RENAME)\b/i.test(query)).map((query) => `${name}: ${query}`),
  );
  expect(taking).toEqual([]);
});
