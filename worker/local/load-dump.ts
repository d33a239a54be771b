import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { LocalError } from "./local-error.ts";

export interface DumpedTable {
  table: string;
  columns: string[];
  key: string[];
  rows: unknown[][];
  sha256: string;
}
export interface DatabaseDump {
  createdDate: string;
  migrations: string[];
  tables: DumpedTable[];
}

// D1 takes statements up to 100 kB.
const STATEMENT_BYTES = 80_000;
const brokenDumpError = () =>
  new LocalError("백업 파일이 손상되었거나 끝까지 받지 못한 파일입니다. 다른 날의 백업을 써 주십시오.");

/** Reads a dump that the nightly job wrote. @throws Trouble unless every table has its count and checksum */
export function readDump(bytes: Uint8Array): DatabaseDump {
  let lines: string[];
  try {
    lines = gunzipSync(bytes).toString("utf8").trimEnd().split("\n");
  } catch {
    throw brokenDumpError();
  }
  const head = JSON.parse(lines[0] ?? "{}") as { hoewon?: number; createdDate: string; migrations: string[] };
  if (head.hoewon !== 1) throw brokenDumpError();
  const tables: DumpedTable[] = [];
  let current: DumpedTable | null = null;
  let digest = createHash("sha256");
  for (const line of lines.slice(1)) {
    const value = JSON.parse(line) as unknown[] | { table: string } | { rows: number; sha256: string };
    if (Array.isArray(value)) {
      current?.rows.push(value);
      digest.update(`${line}\n`);
    } else if ("table" in value) {
      if (current) throw brokenDumpError();
      current = { ...(value as Pick<DumpedTable, "table" | "columns" | "key">), rows: [], sha256: "" };
      digest = createHash("sha256");
    } else {
      const sha256 = digest.digest("hex");
      if (!current || current.rows.length !== value.rows || sha256 !== value.sha256) throw brokenDumpError();
      tables.push({ ...current, sha256 });
      current = null;
    }
  }
  if (current || tables.length === 0) throw brokenDumpError();
  return { createdDate: head.createdDate, migrations: head.migrations, tables };
}

const quoteName = (value: string) => `"${value.replaceAll('"', '""')}"`;
const quoteText = (value: string) => `'${value.replaceAll("'", "''")}'`;
const sqlByteLength = (value: string) => Buffer.byteLength(value);

interface LoadOptions {
  /** Of the migrated, empty database: off while rows come in that were already counted and indexed. */
  triggers: readonly { name: string; sql: string }[];
  /** Rows that are there already stay as they are. */
  keep?: boolean;
}

/** The statements that put a dump into a migrated database, each within D1's limit. */
export function dumpLoadStatements(dump: DatabaseDump, { triggers, keep = false }: LoadOptions): string[] {
  const tables = dump.tables.filter(({ rows }) => rows.length > 0);
  return [
    ...triggers.map((trigger) => `DROP TRIGGER ${quoteName(trigger.name)}`),
    ...(keep ? [] : dump.tables.toReversed().map(({ table }) => `DELETE FROM ${quoteName(table)}`)),
    ...tables.flatMap((table) => insertStatements(table, keep)),
    // The index behind it holds no text of its own: the scheduled job makes it again.
    ...(dump.tables.some(({ table }) => table === "board_item_search") && !keep
      ? ["UPDATE board_item_search SET is_stale = 1"]
      : []),
    ...triggers.map((trigger) => trigger.sql),
  ];
}

function insertStatements({ table, columns, key, rows }: DumpedTable, keep: boolean): string[] {
  const into = `INSERT ${keep ? "OR IGNORE " : ""}INTO ${quoteName(table)} (${columns.map(quoteName).join(", ")})`;
  const fields = columns.map((_, at) => `json_extract(value, '$[${at}]')`).join(", ");
  const statements: string[] = [];
  let waiting: string[] = [];
  let size = 0;
  const flush = () => {
    if (waiting.length > 0) {
      statements.push(`${into} SELECT ${fields} FROM json_each(${quoteText(`[${waiting.join(",")}]`)})`);
    }
    waiting = [];
    size = 0;
  };
  for (const row of rows) {
    const { small, rest } = splitRow(row);
    const line = JSON.stringify(small);
    if (size + sqlByteLength(line) > STATEMENT_BYTES) flush();
    waiting.push(line);
    size += sqlByteLength(quoteText(line)) + 1;
    if (rest.length === 0) continue;
    flush();
    const where = key
      .map((column) => `${quoteName(column)} = ${sqlLiteral(row[columns.indexOf(column)])}`)
      .join(" AND ");
    for (const { at, piece } of rest) {
      const column = quoteName(columns[at] ?? "");
      statements.push(`UPDATE ${quoteName(table)} SET ${column} = ${column} || ${quoteText(piece)} WHERE ${where}`);
    }
  }
  flush();
  return statements;
}

const sqlLiteral = (value: unknown) => (typeof value === "string" ? quoteText(value) : String(value));

/** A long text goes in by pieces. 10,000 characters are at most 60 kB in JSON. */
function splitRow(row: unknown[]): { small: unknown[]; rest: { at: number; piece: string }[] } {
  if (sqlByteLength(JSON.stringify(row)) < STATEMENT_BYTES / 2) return { small: row, rest: [] };
  const rest: { at: number; piece: string }[] = [];
  const small = row.map((value, at) => {
    if (typeof value !== "string" || value.length <= 1000) return value;
    const letters = Array.from(value);
    for (let from = 1000; from < letters.length; from += 10_000) {
      rest.push({ at, piece: letters.slice(from, from + 10_000).join("") });
    }
    return letters.slice(0, 1000).join("");
  });
  return { small, rest };
}
