import { DatabaseSync } from "node:sqlite";
import { readMigrations } from "#worker/local/migrate.ts";

/** Triggers on their inserts set a column that today's code does not know. */
const WATCHED = ["user", "board_item", "board_item_comment", "alumni", "message"];

/** The most that a later release may add: columns, indexes, a referencing table and triggers. */
export function nextMigration(folder: string): { name: string; queries: string[] } {
  const database = new DatabaseSync(":memory:");
  for (const sql of readMigrations(folder).flatMap(({ queries }) => queries)) database.exec(sql);
  const tables = database
    .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT GLOB 'sqlite_*'")
    .all()
    .map(({ name }) => String(name));
  database.close();
  const added = tables.flatMap((table) => [
    `ALTER TABLE \`${table}\` ADD COLUMN next_text text NOT NULL DEFAULT 'next'`,
    `ALTER TABLE \`${table}\` ADD COLUMN next_number integer`,
    `CREATE INDEX \`next_${table}\` ON \`${table}\` (next_number)`,
  ]);
  const watching = WATCHED.map(
    (table) => `CREATE TRIGGER next_insert_${table} AFTER INSERT ON \`${table}\` BEGIN
  UPDATE \`${table}\` SET next_number = 1 WHERE rowid = new.rowid;
END`,
  );
  const log =
    "CREATE TABLE next_log (id integer PRIMARY KEY, table_name text NOT NULL, user_id text REFERENCES user(id) ON DELETE SET NULL)";
  return { name: "9999_next.sql", queries: [...added, log, ...watching] };
}

/** Removes the breakpoint comments before a statement. */
const bare = (sql: string) => sql.replace(/^(?:\s*--.*\n)+/, "").trim();

/** Finds later statements that could break code of the first release. */
export function findBreakingStatements(released: readonly string[], later: readonly string[]): string[] {
  const known = new Set(released.flatMap((sql) => /^CREATE (?:VIRTUAL )?TABLE [`"]?(\w+)/i.exec(bare(sql))?.[1] ?? []));
  const tableOf = (sql: string) => /\bON [`"]?(\w+)/i.exec(sql)?.[1] ?? "";
  const isBreaking = (sql: string) =>
    /^DROP (?:TABLE|VIEW|TRIGGER)|^ALTER TABLE \S+ (?:DROP|RENAME)|^CREATE TEMP/i.test(sql) ||
    (/^ALTER TABLE \S+ ADD/i.test(sql) && /\bNOT NULL\b/i.test(sql) && !/\bDEFAULT\b/i.test(sql)) ||
    (/^ALTER TABLE \S+ ADD/i.test(sql) && /\bCHECK\b/i.test(sql)) ||
    (/^CREATE UNIQUE INDEX/i.test(sql) && known.has(tableOf(sql))) ||
    // A restore would insert the rows of such a trigger twice.
    (/^CREATE TRIGGER/i.test(sql) && /\bINSERT (?:OR \w+ )?INTO\b/i.test(sql)) ||
    (/^CREATE TRIGGER/i.test(sql) && /\bRAISE\b/i.test(sql) && known.has(tableOf(sql)));
  const triggers = new Map(released.flatMap((sql) => triggerEffect(bare(sql)) ?? []));
  const isReplaced = (at: number) => {
    const [dropped, created] = [later[at], later[at + 1]].map((sql) => bare(sql ?? ""));
    const [name, effect] = triggerEffect(created ?? "")?.[0] ?? [];
    return name !== undefined && dropped === `DROP TRIGGER ${name}` && triggers.get(name) === effect;
  };
  return later.filter((sql, at) => isBreaking(bare(sql)) && !isReplaced(at) && !isReplaced(at - 1));
}

/** The event of a trigger and the tables where it inserts, by its name. */
function triggerEffect(sql: string): [[name: string, effect: string]] | null {
  const [, name, time, event, table] = /^CREATE TRIGGER (\w+) (\w+) (\w+)(?: OF [\w, ]+)? ON (\w+)/i.exec(sql) ?? [];
  if (name === undefined) return null;
  const inserts = [...sql.matchAll(/\bINSERT (?:OR \w+ )?INTO (\w+)/gi)].map(([, into]) => into);
  const refuses = /\bRAISE\b/i.test(sql);
  return [[name, JSON.stringify([time, event, table, [...new Set(inserts)].toSorted(), refuses])]];
}
