import { readRows, runSql } from "./test-database.ts";

interface Column {
  name: string;
  type: string;
  notnull: 0 | 1;
  dflt_value: string | null;
}

/** Inserts a row with the least that its table asks for. */
export async function insertRow(table: string, values: Record<string, string | number>): Promise<void> {
  const columns = await readRows<Column>(`SELECT name, type, "notnull", dflt_value FROM pragma_table_info(?)`, table);
  const required = columns.filter(({ notnull, dflt_value }) => notnull === 1 && dflt_value === null);
  const row: Record<string, string | number> = {
    ...Object.fromEntries(required.map(({ name, type }) => [name, type.toLowerCase() === "integer" ? 1 : "{}"])),
    ...values,
  };
  const names = Object.keys(row);
  await runSql(
    `INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
    ...Object.values(row),
  );
}
