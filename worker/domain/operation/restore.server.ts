import { OWN_VALUES } from "#db/schema/alumni.ts";
import { type Batches, bindingBatches } from "#db/batch.ts";
import { UNFINISHED } from "#db/page-stamps.ts";
import { requirePresent } from "#worker/domain/kernel/require-present.ts";
import type { DumpedTable } from "#worker/contract/operation/operation.ts";
import { RESTORED_IDS } from "../audit/destruction.server.ts";
import { BackupError, type OpenedBackup, readBackupPart } from "./backup-manifest.server.ts";
import { type Cell, isDumped, OPEN, rowBytes, tableSumQuery } from "./backup-snapshot.server.ts";

/** Statements run in order, each complete and below 100 kB. */
export interface RestoreTarget {
  /** Bytes of rows per run; a whole part by default, for targets with costly runs. */
  runBytes?: number;
  run(statements: string[]): Promise<void>;
  query<T>(sql: string): Promise<T[]>;
}

const STATEMENT_BYTES = 80_000;
const PIECE_LENGTH = 12_000;
const COUNTED_ANEW: Record<string, string[]> = { board: ["item_count"] };
const PIECES = "_restore_piece";

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;
const quoteText = (text: string) => `'${text.replaceAll("'", "''")}'`;
const encoder = new TextEncoder();
const byteLength = (text: string) => encoder.encode(text).byteLength;

/** Deletes the rows of a freshly migrated database. @param tables tables that a backup can fill */
export function prepareStatements(tables: readonly string[]): string[] {
  return [
    "PRAGMA defer_foreign_keys = on",
    `CREATE TABLE IF NOT EXISTS ${PIECES} (cell INTEGER NOT NULL, piece INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (cell, piece))`,
    `DELETE FROM ${PIECES}`,
    ...tables.map((name) => `DELETE FROM ${quoteName(name)}`),
  ];
}

/** @returns the database's tables @throws BackupError if a table or column of the backup is missing */
async function checkRestoreSchema({ manifest }: OpenedBackup, target: RestoreTarget): Promise<string[]> {
  const columns = await target.query<{ name: string; columnName: string }>(
    `SELECT m.name AS name, c.name AS columnName FROM pragma_table_list AS m, pragma_table_info(m.name) AS c WHERE m.schema = 'main' AND m.type = 'table' AND ${OPEN}`,
  );
  const known = new Set(columns.map(({ name, columnName }) => `${name}.${columnName}`));
  const lacking = manifest.tables.flatMap((table) =>
    table.columns.filter((column) => !known.has(`${table.name}.${column}`)).map((column) => `${table.name}.${column}`),
  );
  if (lacking.length > 0)
    throw new BackupError(
      `이 프로그램의 데이터베이스에 없는 항목이 백업에 있습니다: ${lacking.slice(0, 5).join(", ")}`,
    );
  return [...new Set(columns.map(({ name }) => name))].filter(isDumped);
}

/** Append-only tables of destroyed people and items. */
const DESTROYED: ReadonlySet<string> = new Set(["backup_trace", "destroyed_trace", "destruction"]);

/** Adds only the missing rows of the tables in `only`. */
export async function restorePart(
  backup: OpenedBackup,
  index: number,
  target: RestoreTarget,
  only?: ReadonlySet<string>,
): Promise<{ rows: number; bytes: number; files: StoredFile[] }> {
  let table: { table: string; columns: string[] } | null = null;
  let rows: Cell[][] = [];
  let waiting = 0;
  const found = { rows: 0, bytes: 0, files: [] as StoredFile[] };
  const flush = async () => {
    const isWanted = table && rows.length > 0 && (!only || only.has(table.table));
    if (table && isWanted) await target.run(insertStatements(table.table, table.columns, rows, only !== undefined));
    rows = [];
    waiting = 0;
  };
  for (const line of await readBackupPart(backup, index)) {
    const value = JSON.parse(line) as Cell[] | { table: string; columns: string[] } | { files: true };
    if (Array.isArray(value)) {
      if (!table) {
        found.files.push(value as StoredFile);
        continue;
      }
      rows.push(value);
      found.rows += 1;
      const bytes = rowBytes(value);
      found.bytes += bytes;
      waiting += bytes;
      if (waiting > (target.runBytes ?? Infinity)) await flush();
    } else {
      await flush();
      table = "table" in value ? value : null;
    }
  }
  await flush();
  const { rows: expected } = requirePresent(backup.manifest.parts[index]);
  if (found.rows !== expected)
    throw new BackupError(`백업의 ${index + 1}번째 조각에 ${expected}건이 있어야 하는데 ${found.rows}건입니다.`);
  return found;
}

export type StoredFile = [key: string, size: number, etag: string];

/** @param keep leaves existing rows unchanged */
export function insertStatements(table: string, columns: string[], rows: Cell[][], keep = false): string[] {
  const zeros = (COUNTED_ANEW[table] ?? []).map((column) => columns.indexOf(column));
  const into = `INSERT ${keep ? "OR IGNORE " : ""}INTO ${quoteName(table)} (${columns.map(quoteName).join(", ")})`;
  const fields = columns.map((_, index) => (zeros.includes(index) ? "0" : `json_extract(value, '$[${index}]')`));
  const statements: string[] = [];
  let waiting: string[] = [];
  let size = 0;
  const flush = () => {
    if (waiting.length > 0)
      statements.push(`${into} SELECT ${fields.join(", ")} FROM json_each(${quoteText(`[${waiting.join(",")}]`)})`);
    waiting = [];
    size = 0;
  };
  for (const row of rows) {
    const line = quoteText(JSON.stringify(row));
    const length = byteLength(line) + 1;
    if (length > STATEMENT_BYTES) {
      flush();
      statements.push(...longRowStatements(into, row, fields));
      continue;
    }
    if (size + length > STATEMENT_BYTES) flush();
    waiting.push(JSON.stringify(row));
    size += length;
  }
  flush();
  return statements;
}

/** A long text arrives in pieces that one INSERT joins, so that triggers never see half a row. */
function longRowStatements(into: string, row: Cell[], fields: string[]): string[] {
  const statements = [`DELETE FROM ${PIECES}`];
  const values = row.map((value, cell) => {
    if (fields[cell] === "0") return "0";
    if (typeof value !== "string" || value.length < 1000)
      return value === null ? "NULL" : typeof value === "string" ? quoteText(value) : String(value);
    let piece = 0;
    for (let from = 0; from < value.length; piece += 1) {
      // Never splits a surrogate pair.
      let end = Math.min(from + PIECE_LENGTH, value.length);
      if (end < value.length && /[\ud800-\udbff]/.test(value.charAt(end - 1))) end -= 1;
      statements.push(`INSERT INTO ${PIECES} VALUES (${cell}, ${piece}, ${quoteText(value.slice(from, end))})`);
      from = end;
    }
    return `(SELECT group_concat(text, '') FROM (SELECT text FROM ${PIECES} WHERE cell = ${cell} ORDER BY piece))`;
  });
  return [...statements, `${into} VALUES (${values.join(", ")})`];
}

/** @throws BackupError naming the first table whose rows or bytes differ */
export async function compareTables({ manifest }: OpenedBackup, target: RestoreTarget): Promise<void> {
  for (const table of manifest.tables) {
    const [found] = await target.query<{ count: number; bytes: number }>(tableSumQuery(table.name, table.columns));
    if (found?.count !== table.rows || found.bytes !== table.bytes)
      throw new BackupError(
        `${table.name}: ${table.rows}건(${table.bytes}바이트)이어야 하는데 ${found?.count ?? 0}건(${found?.bytes ?? 0}바이트)입니다.`,
      );
  }
}

const HIDE_DESTROYED = [
  `UPDATE user SET status = 'blocked' WHERE id IN (${RESTORED_IDS.user})`,
  `UPDATE alumni SET deleted_date = unixepoch() * 1000 WHERE deleted_date IS NULL AND id IN (${RESTORED_IDS.alumni})`,
  `UPDATE board_item SET deleted_date = unixepoch() * 1000 WHERE deleted_date IS NULL AND id IN (${RESTORED_IDS.item})`,
];

export function finishStatements({ manifest }: OpenedBackup): string[] {
  const has = (name: string) => manifest.tables.some((table: DumpedTable) => table.name === name);
  const counters = Object.entries(manifest.sequences).flatMap(([name, seq]) => [
    `DELETE FROM sqlite_sequence WHERE name = ${quoteText(name)}`,
    `INSERT INTO sqlite_sequence (name, seq) VALUES (${quoteText(name)}, ${seq})`,
  ]);
  return [
    `DROP TABLE IF EXISTS ${PIECES}`,
    ...counters,
    ...(has("backup_trace") ? HIDE_DESTROYED : []),
    ...(has("board_item")
      ? [
          "UPDATE board SET last_item_no = max(last_item_no, (SELECT coalesce(max(item_no), 0) FROM board_item WHERE board_item.board_code = board.board_code))",
        ]
      : []),
    ...(has("message")
      ? [
          // Messages may have been sent after the backup; the office decides on resending.
          "UPDATE message SET status = 'held', batch_id = NULL WHERE status = 'queued'",
          "DELETE FROM notice_pending",
        ]
      : []),
    ...(has("mailing")
      ? [
          "UPDATE mailing_recipient SET state = 'failed' WHERE state IN ('waiting', 'queued')",
          "UPDATE mailing SET status = 'cancelled', version = version + 1 WHERE status = 'sending'",
          // Restored sites send no confirmations until the office restarts them.
          "UPDATE confirmation_round SET status = iif(status = 'open', 'closed', status), next_date = NULL, repeat_date = NULL, version = version + 1 WHERE status = 'open' OR repeat_date IS NOT NULL",
        ]
      : []),
  ];
}

export const INVARIANTS: Record<string, string> = {
  "없는 부모를 가리키는 행": "SELECT count(*) AS n FROM pragma_foreign_key_check",
  "글 번호가 앞선 게시판":
    "SELECT count(*) AS n FROM board WHERE last_item_no < (SELECT coalesce(max(item_no), 0) FROM board_item WHERE board_item.board_code = board.board_code)",
  "글 수가 다른 게시판":
    "SELECT count(*) AS n FROM board WHERE item_count <> (SELECT count(*) FROM board_item WHERE board_item.board_code = board.board_code AND deleted_date IS NULL)",
  "자리 수가 다른 게시판":
    "SELECT count(*) AS n FROM board WHERE item_count <> (SELECT coalesce(sum(count), 0) FROM board_item_count WHERE board_item_count.board_code = board.board_code AND scope = '' AND level = 12)",
  "로그인 수단이 없는 회원":
    "SELECT count(*) AS n FROM user WHERE status = 'active' AND NOT EXISTS (SELECT 1 FROM user_key WHERE user_key.user_id = user.id)",
  "글이 없는 검색 색인":
    "SELECT count(*) AS n FROM board_item_search WHERE NOT EXISTS (SELECT 1 FROM board_item WHERE board_item.id = board_item_search.item_id)",
  "찾아보기가 다른 주소록 항목": `SELECT abs((SELECT count(*) FROM alumni_value) - (SELECT count(*) FROM (
      SELECT DISTINCT alumni.id, f.key, v.value FROM alumni
      JOIN json_each(CASE WHEN json_valid(alumni.own) THEN alumni.own ELSE '{}' END) AS f
      JOIN json_each(${OWN_VALUES}) AS v
      WHERE alumni.own <> '{}' AND v.value IS NOT NULL))) AS n`,
  "사람 색인이 다른 감사 기록":
    "SELECT abs((SELECT count(*) FROM audit_person) - (SELECT count(*) FROM (SELECT DISTINCT audit_id, value FROM audit_subject, json_each(ids)))) AS n",
  "세지 않은 주소록 항목":
    "SELECT abs(coalesce((SELECT people FROM alumni_count WHERE id = 1), 0) - (SELECT count(*) FROM alumni WHERE deleted_date IS NULL)) AS n",
  "검색 색인이 다른 주소록 항목":
    "SELECT abs((SELECT count(*) FROM alumni_gram) - (SELECT count(*) FROM alumni WHERE deleted_date IS NULL)) AS n",
  "통계가 다른 주소록 항목":
    'SELECT sum(abs((SELECT coalesce(sum(count), 0) FROM alumni_figure WHERE kind = k.value) - (SELECT count(*) FROM alumni WHERE deleted_date IS NULL))) AS n FROM json_each(\'["cohort","year","region","affiliation","month"]\') AS k',
  "합계가 다른 회비": "SELECT abs((SELECT coalesce(sum(dues), 0) FROM due_sum) - (SELECT count(*) FROM due)) AS n",
  "검색 색인이 없는 글":
    "SELECT count(*) AS n FROM board_item WHERE NOT EXISTS (SELECT 1 FROM board_item_search WHERE board_item.id = board_item_search.item_id)",
};

export async function findBrokenInvariants(target: RestoreTarget): Promise<string[]> {
  const broken: string[] = [];
  for (const [name, query] of Object.entries(INVARIANTS)) {
    const [row] = await target.query<{ n: number }>(query);
    if (row?.n !== 0) broken.push(`${name} ${row?.n ?? "?"}개`);
  }
  return broken;
}

export interface RestoreOptions {
  onProgress?(progress: { part: number; parts: number; rows: number }): void;
  onFiles?(files: StoredFile[]): Promise<void>;
  /** A later backup; people and items that it knows as destroyed are hidden until the retention job destroys them. */
  newer?: OpenedBackup | undefined;
}

/**
 * Restores part by part into a migrated database. An interrupted restore stays marked, and the next one replaces its
 * rows. @returns faults in the restored data
 */
export async function restoreDatabase(
  backup: OpenedBackup,
  target: RestoreTarget,
  { onProgress, onFiles, newer }: RestoreOptions = {},
): Promise<string[]> {
  const { name, parts } = backup.manifest;
  const tables = await checkRestoreSchema(backup, target);
  // The site stays offline until the last statements remove this mark.
  await target.run([`INSERT OR REPLACE INTO page_stamp (scope, stamp) VALUES ('${UNFINISHED}', ${quoteText(name)})`]);
  const guards = await target.query<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%BEFORE DELETE%RAISE(%'",
  );
  await target.run([
    ...guards.map((guard) => `DROP TRIGGER ${quoteName(guard.name)}`),
    ...prepareStatements(tables),
    ...guards.map(({ sql }) => sql),
  ]);
  let rows = 0;
  for (const index of parts.keys()) {
    const done = await restorePart(backup, index, target);
    rows += done.rows;
    if (done.files.length > 0) await onFiles?.(done.files);
    onProgress?.({ part: index + 1, parts: parts.length, rows });
  }
  await compareTables(backup, target);
  if (newer) await checkRestoreSchema(newer, target);
  for (const index of newer?.manifest.parts.keys() ?? [])
    await restorePart(requirePresent(newer), index, target, DESTROYED);
  await target.run([...finishStatements(backup), `DELETE FROM page_stamp WHERE scope = '${UNFINISHED}'`]);
  return findBrokenInvariants(target);
}

const RUN_BYTES = 2 * 1024 * 1024;

export const batchTarget = ({ batch, query }: Batches): RestoreTarget => ({
  runBytes: 512 * 1024,
  async run(statements) {
    let waiting: string[] = [];
    let size = 0;
    const flush = async () => {
      if (waiting.length > 0) await batch(waiting);
      waiting = [];
      size = 0;
    };
    for (const statement of statements) {
      waiting.push(statement);
      size += statement.length;
      if (size > RUN_BYTES) await flush();
    }
    await flush();
  },
  query,
});

export const bindingTarget = (d1: D1Database): RestoreTarget => batchTarget(bindingBatches(d1));
