import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { getTableName, is, Table } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { createAlumniSearch, createBoardSearch } from "#db/search.ts";
import config from "../../drizzle.config.ts";

type Snapshot = Parameters<typeof generateSQLiteMigration>[0];

const FOLDER = resolve(import.meta.dirname, "../../migrations");
const { entries } = JSON.parse(readFileSync(join(FOLDER, "meta/_journal.json"), "utf8")) as {
  entries: { idx: number; tag: string }[];
};
const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .toSorted();
const areas = Object.values(import.meta.glob<Record<string, unknown>>("../../db/schema/*.ts", { eager: true }));
const exported = Object.assign({}, ...areas) as Record<string, unknown>;
const triggers = areas.flatMap((area) =>
  Object.keys(area)
    .filter((name) => name.endsWith("Triggers"))
    .flatMap((name) => area[name] as string[]),
);
const withoutRowid = Object.entries(exported)
  .flatMap(([name, value]) => (/tablesWithoutRowid$/i.test(name) ? (value as Table[]) : []))
  .map((table) => getTableName(table));

let empty: Snapshot;
let inSource: Snapshot;

beforeAll(async () => {
  empty = await generateSQLiteDrizzleJson({}, undefined, config.casing);
  inSource = await generateSQLiteDrizzleJson(exported, undefined, config.casing);
});

function afterMigrations(): string[] {
  const db = new DatabaseSync(":memory:");
  for (const name of files) {
    db.exec(readFileSync(join(FOLDER, name), "utf8").replaceAll("--> statement-breakpoint", ""));
  }
  // Internal objects of SQLite have no SQL or belong to a virtual table.
  return db
    .prepare(
      `SELECT sql FROM sqlite_master
       WHERE sql IS NOT NULL AND tbl_name NOT LIKE 'sqlite_%' AND tbl_name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')`,
    )
    .all()
    .map((row) => String(row.sql));
}

/**
 * Normalizes SQL without spaces, name quotes and column order. Later columns are last, and drizzle-kit quotes function
 * arguments.
 */
function canonical(statement: string): string {
  const text = statement.replace(/;\s*$/, "").replaceAll(/[`\s]/g, "");
  if (!text.startsWith("CREATETABLE")) return text;
  const start = text.indexOf("(") + 1;
  const end = text.lastIndexOf(")");
  let depth = 0;
  const parts = [""];
  for (const letter of text.slice(start, end)) {
    depth += letter === "(" ? 1 : letter === ")" ? -1 : 0;
    if (letter === "," && depth === 0) parts.push("");
    else parts.push(parts.pop() + letter);
  }
  return `${text.slice(0, start)}${parts.toSorted().join(",")}${text.slice(end)}`;
}
const tableOf = (statement: string) => /^CREATE TABLE `(\w+)`/.exec(statement)?.[1] ?? "";

test("drizzle-kit has nothing to add to the last migration", async () => {
  const last = entries.at(-1);
  const name = `${String(last?.idx).padStart(4, "0")}_snapshot.json`;
  const inFolder = JSON.parse(readFileSync(join(FOLDER, "meta", name), "utf8")) as Snapshot;
  expect(await generateSQLiteMigration(inFolder, inSource)).toEqual([]);
});

test("the migrations create the schema", async () => {
  const tables = (await generateSQLiteMigration(empty, inSource)).map((statement) =>
    withoutRowid.includes(tableOf(statement)) ? statement.replace(/;?\s*$/, " WITHOUT ROWID") : statement,
  );
  const wanted = [...tables, createBoardSearch, ...createAlumniSearch, ...triggers].map(canonical).toSorted();
  expect(afterMigrations().map(canonical).toSorted()).toEqual(wanted);
});

test("drizzle-kit knows every table of every area", () => {
  expect(files).toEqual(entries.map(({ tag }) => `${tag}.sql`));
  const names = areas.flatMap((area) =>
    Object.values(area).flatMap((value) => (is(value, Table) ? [getTableName(value)] : [])),
  );
  expect(names.toSorted()).toEqual(Object.keys(inSource.tables).toSorted());
});

test("a table is exported by its SQL name", () => {
  const inCode = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const tables = Object.entries(exported).flatMap(([name, value]) =>
    is(value, Table) ? [[name, inCode(getTableName(value))]] : [],
  );
  expect(tables.length).toBeGreaterThan(100);
  expect(tables.filter(([name, sqlName]) => name !== sqlName)).toEqual([]);
});
