import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import { dumpDatabaseLines, storeDatabaseDump } from "#worker/domain/operation/backup.server.ts";
import { storeFileList } from "#worker/domain/operation/file-list.server.ts";
import { runScheduledJobs } from "#worker/jobs.ts";
import { missingFiles, readStoredFileList } from "#worker/local/stored-file-list.ts";
import { dumpLoadStatements, readDump } from "#worker/local/load-dump.ts";
import { createAdministratorSession, testDatabase, advanceClock, createMemberSession } from "../../factories.ts";
import { createItemWithFile } from "../../board-files.ts";
import { requirePresent } from "../../require-present.ts";

const DAY_MS = 86_400_000;
const ctx = { db: testDatabase(), files: env.FILES, now: () => new Date() };

afterEach(() => {
  vi.useRealTimers();
});

const bytesOf = async (key: string) => new Uint8Array(await requirePresent(await env.FILES.get(key)).arrayBuffer());
const keys = async () => (await env.FILES.list({ prefix: "f/" })).objects.map(({ key }) => key);

/** The lines of a dump by table. What keeps time (jobs, search marks) is another thing after a restore. */
async function state(): Promise<string[]> {
  const lines: string[] = [];
  let table = "";
  for await (const line of dumpDatabaseLines(env.DB, new Date(0))) {
    if (line.startsWith('{"table"')) table = (JSON.parse(line) as { table: string }).table;
    if (!["job", "board_item_search"].includes(table)) lines.push(line);
  }
  return lines;
}

test("F20: after a bad DELETE a restore gives every row back, and every object is still there", async () => {
  const admin = await createAdministratorSession();
  await createItemWithFile(admin, "notice");
  await createItemWithFile(await createMemberSession(), "free");
  await storeDatabaseDump(ctx, "backup/night.ndjson.gz");
  await storeFileList(ctx, "backup/night.files.ndjson.gz");
  const before = await state();
  const objects = await keys();
  expect(objects).toHaveLength(2);

  await env.DB.batch(
    ["board_item_comment", "file", "board_item", "user_key"].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
  );
  advanceClock(2 * DAY_MS);
  await runScheduledJobs(env);
  vi.useRealTimers();

  const dump = readDump(await bytesOf("backup/night.ndjson.gz"));
  const triggers = await env.DB.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all<{
    name: string;
    sql: string;
  }>();
  const statements = dumpLoadStatements(dump, { triggers: triggers.results });
  await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
  expect(await state()).toEqual(before);
  expect(await keys()).toEqual(objects);
  expect(missingFiles(dump, readStoredFileList(await bytesOf("backup/night.files.ndjson.gz")))).toEqual([]);
});

test("the list of files beside the dump names what the storage does not hold, in the job and at a restore", async () => {
  const { fileId } = await createItemWithFile(await createAdministratorSession(), "notice");
  const [key = ""] = await keys();
  await env.FILES.delete(key);
  await expect(storeFileList(ctx, "backup/night.files.ndjson.gz")).rejects.toThrow(`저장소에 없는 파일 1개: ${key}`);
  await storeDatabaseDump(ctx, "backup/night.ndjson.gz");
  const dump = readDump(await bytesOf("backup/night.ndjson.gz"));
  const list = await bytesOf("backup/night.files.ndjson.gz");
  expect(missingFiles(dump, readStoredFileList(list))).toEqual([{ fileName: "한글 안내.pdf", key }]);
  expect(fileId).toBeTruthy();
  expect(() => readStoredFileList(list.slice(0, list.byteLength - 20))).toThrow("손상");
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

test("F17: what the first version of each table knows can still be written when all migrations are applied", async () => {
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
    expect([table, known.filter(({ name }) => !names.has(name))], "no table or column went").toEqual([table, []]);
    const added = final.get(table)?.filter(({ name }) => !known.some((column) => column.name === name)) ?? [];
    const hard = added.filter(({ required, initial }) => required === 1 && initial === null);
    expect([table, hard.map(({ name }) => name)], "what came later has a default").toEqual([table, []]);
  }
  // One row each, equal everywhere, so that every reference finds its parent.
  const value = (column: SqlColumn) => (/int/i.test(column.type) ? "1" : "'x'");
  await env.DB.batch([
    env.DB.prepare("PRAGMA defer_foreign_keys = on"),
    ...[...first].map(([table, known]) =>
      env.DB.prepare(
        `INSERT OR REPLACE INTO "${table}" (${known.map(({ name }) => `"${name}"`).join(", ")}) VALUES (${known.map(value).join(", ")})`,
      ),
    ),
  ]);
  expect(await env.DB.prepare("SELECT count(*) AS n FROM board_item").first("n")).toBe(1);
});

test("F17: no migration takes away or renames what old code knows", () => {
  const taking = env.TEST_MIGRATIONS.flatMap(({ name, queries }) =>
    queries.filter((query) => /\b(DROP\s+(TABLE|COLUMN)|RENAME)\b/i.test(query)).map((query) => `${name}: ${query}`),
  );
  expect(taking).toEqual([]);
});
