import { getTableColumns, getTableName } from "drizzle-orm";
import { type SQLiteTable, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { textColumn } from "../columns.ts";
import { role } from "./access.ts";
import { board, boardItem, boardItemComment } from "./board.ts";
import { certificateKind } from "./alumni.ts";
import { agreement, center, content, contentFile, contentVersion } from "./content.ts";
import { file } from "./file.ts";
import { siteSetting } from "./kernel.ts";
import { popup, quickLink } from "./site.ts";

/**
 * Cache version of pages, by scope: `site`, `boards`, `board:{code}`. Writes empty it, the next reader renews it
 * (worker/edge/page-stamp.ts).
 */
export const pageStamp = sqliteTable("page_stamp", {
  scope: text().primaryKey(),
  stamp: textColumn(),
  removal: textColumn(),
});

/** `added` hides nothing that pages showed before. */
type Effect = "added" | "removed";

const empty = (effect: Effect, scopes: string) => {
  const stamps = effect === "added" ? ["stamp"] : ["stamp", "removal"];
  return `INSERT INTO page_stamp (scope) ${scopes}
  ON CONFLICT (scope) DO UPDATE SET ${stamps.map((name) => `${name} = ''`).join(", ")} WHERE ${stamps.map((name) => `${name} <> ''`).join(" OR ")};`;
};

const trigger = (name: string, event: string, table: SQLiteTable, effect: Effect, scopes: string, when = "true") =>
  `CREATE TRIGGER page_stamp_${getTableName(table)}_${name} AFTER ${event} ON ${getTableName(table)} WHEN ${when} BEGIN
  ${empty(effect, scopes)}
END`;

const columnsBut = (table: SQLiteTable, left: readonly string[]) =>
  Object.keys(getTableColumns(table))
    .map((key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    .filter((name) => !left.includes(name))
    .join(", ");

type ScopesOf = (row: "NEW" | "OLD") => string;
const scopesOfBoth = (scopesOf: ScopesOf) => `${scopesOf("OLD")} UNION ALL ${scopesOf("NEW")}`;

/** @param left columns that pages do not show, or that have their own trigger */
const tableTriggers = (table: SQLiteTable, scopesOf: ScopesOf, inserted: Effect, left: readonly string[] = []) => [
  trigger("new", "INSERT", table, inserted, scopesOf("NEW")),
  trigger("changed", `UPDATE OF ${columnsBut(table, left)}`, table, "removed", scopesOfBoth(scopesOf)),
  trigger("gone", "DELETE", table, "removed", scopesOf("OLD")),
];

const scopes = (...list: string[]) => `SELECT value FROM json_each(json_array(${list.join(", ")})) WHERE true`;
const ofSite = () => scopes("'site'");
const ofBoard: ScopesOf = (row) => scopes("'site'", "'boards'", `'board:' || ${row}.board_code`);
const ofItem: ScopesOf = (row) => scopes("'boards'", `'board:' || ${row}.board_code`);
const ofItemOf: ScopesOf = (row) => `SELECT 'board:' || board_code FROM board_item WHERE id = ${row}.item_id`;
const ofFile: ScopesOf = (row) => `${ofItemOf(row)} UNION ALL SELECT 'site' WHERE ${row}.item_id IS NULL`;

const COUNTS = ["view_count", "comment_count", "file_count"];
const isShown: ScopesOf = (row) =>
  `(${row}.status = 'attached' AND ${row}.purpose IN ('board', 'image', 'general', 'content'))`;

/** Refreshes a shown view count every 10 views below 1,000, then every 100. */
const SHOWN_STEP =
  "NEW.view_count <> OLD.view_count AND NEW.view_count % CASE WHEN NEW.view_count < 1000 THEN 10 ELSE 100 END = 0";

export const pageStampTriggers = [
  ...[
    role,
    siteSetting,
    popup,
    quickLink,
    certificateKind,
    content,
    contentVersion,
    contentFile,
    center,
    agreement,
  ].flatMap((table) => tableTriggers(table, ofSite, "removed")),
  ...tableTriggers(board, ofBoard, "removed", ["last_item_no", "item_count"]),
  ...tableTriggers(boardItem, ofItem, "added", COUNTS),
  trigger("counted", "UPDATE OF comment_count, file_count", boardItem, "added", ofItem("NEW")),
  trigger("viewed", "UPDATE OF view_count", boardItem, "added", ofItem("NEW"), SHOWN_STEP),
  ...tableTriggers(boardItemComment, ofItemOf, "added"),
  trigger("new", "INSERT", file, "added", ofFile("NEW"), isShown("NEW")),
  trigger("shown", "UPDATE", file, "added", ofFile("NEW"), `NOT ${isShown("OLD")} AND ${isShown("NEW")}`),
  trigger("changed", "UPDATE", file, "removed", scopesOfBoth(ofFile), isShown("OLD")),
  trigger("gone", "DELETE", file, "removed", ofFile("OLD"), isShown("OLD")),
];
