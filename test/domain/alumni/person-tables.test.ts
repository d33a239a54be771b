import { getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { columnOf } from "#worker/domain/alumni/own-value.server.ts";
import { PERSON_TABLES } from "#worker/domain/alumni/person-tables.server.ts";

const MODULES = import.meta.glob<Record<string, unknown>>("/db/schema/*.ts", { eager: true });
const TABLES = Object.values(MODULES).flatMap((each) => Object.values(each).filter((value) => is(value, SQLiteTable)));

/** By its name, or because its table begins with `alumni` and nothing else says what the id is of. */
const PERSON_COLUMN = /^(alumni|person|kept|low|high|absorbed|lost)_id$|^merged_into$/;

export const personColumnsOf = (tables: readonly SQLiteTable[]) =>
  tables.flatMap((table) =>
    getTableConfig(table).columns.flatMap(({ name, keyAsName }) => {
      const column = keyAsName ? columnOf(name) : name;
      return PERSON_COLUMN.test(column) ? [`${getTableName(table)}.${column}`] : [];
    }),
  );

test("each column that holds a person of the address book is declared", () => {
  const declared = PERSON_TABLES.flatMap(({ table, columns }) =>
    columns.map((column) => `${getTableName(table)}.${column}`),
  );
  expect([...new Set(personColumnsOf(TABLES))].toSorted()).toEqual(declared.toSorted());
});
