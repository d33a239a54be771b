import { getTableName, is } from "drizzle-orm";
import { type AnySQLiteColumn, getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { columnOf } from "#worker/domain/alumni/own-value.server.ts";
import { PERSON_TABLES } from "#worker/domain/alumni/person-tables.server.ts";
import { ACCOUNT_COLUMNS } from "#worker/domain/privacy/account-columns.server.ts";

const MODULES = import.meta.glob<Record<string, unknown>>("/db/schema/*.ts", { eager: true });
const TABLES = [
  ...new Set(Object.values(MODULES).flatMap((each) => Object.values(each).filter((value) => is(value, SQLiteTable)))),
];

/** Of a person or account by its name, unless the name says of another thing. */
const ID = /(^|_)(id|ids|of|through)$|^(recipient|about_people)$/;
const OF_ANOTHER_THING =
  /^(id|(archive|audit|batch|certificate|certificate_kind|comment|deed|deposit|due|file|import|issue|item|kind|lease|mailing|message|moving|offer|provider|question|related|request|round|row|seal|session|thumbnail_file|image_file|inquiry|upload|work|attachment|parent_comment|source|credential|call|proposal)_id|file_ids)$/;

const nameOf = ({ name, keyAsName }: Pick<AnySQLiteColumn, "name" | "keyAsName">) =>
  keyAsName ? columnOf(name) : name;

const columnsIn = (tables: readonly SQLiteTable[]) =>
  tables.flatMap((table) =>
    getTableConfig(table).columns.map((column) => ({ table: getTableName(table), column: nameOf(column) })),
  );

const fullName = ({ table, column }: { table: string; column: string }) => `${table}.${column}`;

const ofAccounts = ACCOUNT_COLUMNS.map(({ column }) => `${getTableName(column.table)}.${nameOf(column)}`);
const declared = new Set([
  ...ofAccounts,
  ...PERSON_TABLES.flatMap(({ table, columns }) => columns.map((column) => `${getTableName(table)}.${column}`)),
]);

test("each column that may hold an account is declared", () => {
  const unknown = columnsIn(TABLES).filter(
    (each) => ID.test(each.column) && !OF_ANOTHER_THING.test(each.column) && !declared.has(fullName(each)),
  );
  expect(unknown.map(fullName)).toEqual([]);
});

test("a column of an account is declared once", () => {
  expect(ofAccounts.filter((name, at) => ofAccounts.indexOf(name) !== at)).toEqual([]);
});
