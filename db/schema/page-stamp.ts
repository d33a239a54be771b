import { ITEM_SCOPES } from "../page-stamps.ts";
import { getTableColumns, getTableName } from "drizzle-orm";
import { type SQLiteTable, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { textColumn } from "../columns.ts";
import { role } from "./access.ts";
import { board, boardItem, boardItemComment } from "./board.ts";
import { certificateKind } from "./alumni.ts";
import { agreement, center, content, contentFile, contentVersion } from "./content.ts";
import { event, eventRegistration } from "./event.ts";
import { file } from "./file.ts";
import { siteSetting } from "./kernel.ts";
import { popup, quickLink } from "./site.ts";

/**
 * Cache version of pages, by scope: `site`, `boards` (home, calendar), `board:{code}` (its settings), `items:{code}` (its
 * lists), `item:{n}` (an item's page). Writes empty it, the next reader renews it (worker/edge/page-stamp.ts). Views empty
 * `viewed` alone, because pages are filled with the counts.
 */
export const pageStamp = sqliteTable("page_stamp", {
  scope: text().primaryKey(),
  stamp: textColumn(),
  removal: textColumn(),
  viewed: textColumn(),
});

/** `added` hides nothing that pages showed before. */
const EFFECTS = { added: ["stamp"], removed: ["stamp", "removal"], viewed: ["viewed"] } as const;
type Effect = keyof typeof EFFECTS;

const empty = (effect: Effect, scopes: string) => {
  const stamps = EFFECTS[effect];
  return `INSERT INTO page_stamp (scope) ${scopes}
  ON CONFLICT (scope) DO UPDATE SET ${stamps.map((name) => `${name} = ''`).join(", ")} WHERE ${stamps.map((name) => `${name} <> ''`).join(" OR ")};`;
};

const trigger = (name: string, write: string, table: SQLiteTable, effect: Effect, scopes: string, when = "true") =>
  `CREATE TRIGGER page_stamp_${getTableName(table)}_${name} AFTER ${write} ON ${getTableName(table)} WHEN ${when} BEGIN
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

const scopes = (...list: string[]) =>
  `SELECT value FROM json_each(json_array(${list.join(", ")})) WHERE value IS NOT NULL`;
const ofSite = () => scopes("'site'");
const ofHome = () => scopes("'boards'");
const listOf = (row: string) => `'items:' || ${row}.board_code`;
const pageOf = (row: string) => `'item:' || (${row}.item_no % ${ITEM_SCOPES})`;
const ofBoard: ScopesOf = (row) => scopes("'site'", "'boards'", `'board:' || ${row}.board_code`, listOf(row));
/** The page before or after an item, which names it. */
const neighbour = (row: string, side: "<" | ">") => {
  const order = side === "<" ? "created_date DESC, item_no DESC" : "created_date, item_no";
  return `(SELECT ${pageOf("i")} FROM board_item AS i WHERE board_code = ${row}.board_code AND deleted_date IS NULL
    AND (created_date, item_no) ${side} (${row}.created_date, ${row}.item_no) ORDER BY ${order} LIMIT 1)`;
};
const ofItem: ScopesOf = (row) =>
  scopes("'boards'", listOf(row), pageOf(row), neighbour(row, "<"), neighbour(row, ">"));
const itemOf = (row: string, scope: string) => `(SELECT ${scope} FROM board_item AS i WHERE id = ${row}.item_id)`;
/** The page of the item to which a row belongs. */
const ofItsPage: ScopesOf = (row) => scopes(itemOf(row, pageOf("i")));
/** Later triggers insert no row, or a restore would do so twice; the item itself inserted it. */
const refreshItsPage = (table: SQLiteTable, update: string) =>
  (
    [
      ["new", "INSERT", "NEW"],
      ["changed", update, "NEW"],
      ["gone", "DELETE", "OLD"],
    ] as const
  ).map(
    ([
      name,
      write,
      row,
    ]) => `CREATE TRIGGER page_stamp_${getTableName(table)}_${name} AFTER ${write} ON ${getTableName(table)} BEGIN
  UPDATE page_stamp SET stamp = '' WHERE scope = ${itemOf(row, pageOf("i"))} AND stamp <> '';
END`,
  );
const ofFile: ScopesOf = (row) =>
  scopes(itemOf(row, listOf("i")), itemOf(row, pageOf("i")), `iif(${row}.item_id IS NULL, 'site', NULL)`);

const COUNTS = ["view_count", "comment_count", "file_count"];
const isShown: ScopesOf = (row) =>
  `(${row}.status = 'attached' AND ${row}.purpose IN ('board', 'image', 'general', 'content'))`;

const isViewed = "NEW.view_count <> OLD.view_count";
/** Refreshes the view count of an item's page before it lags by ten and by a tenth. */
const SHOWN_STEP = `${isViewed} AND NEW.view_count % CASE WHEN NEW.view_count < 200 THEN 10
  WHEN NEW.view_count < 500 THEN 20 WHEN NEW.view_count < 1000 THEN 50 WHEN NEW.view_count < 5000 THEN 100 ELSE 500 END = 0`;
/** Refreshes that of a list when it doubles, or the lists would never last. */
const LISTED_STEP = `${isViewed} AND NEW.view_count IN (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000)`;

export const pageStampTriggers = [
  ...[role, siteSetting, content, contentVersion, contentFile, center, agreement].flatMap((table) =>
    tableTriggers(table, ofSite, "removed"),
  ),
  ...tableTriggers(certificateKind, ofSite, "removed", ["start_year", "start_number"]),
  ...[popup, quickLink].flatMap((table) => tableTriggers(table, ofHome, "removed")),
  ...tableTriggers(board, ofBoard, "removed", ["last_item_no", "item_count"]),
  ...tableTriggers(boardItem, ofItem, "added", COUNTS),
  trigger(
    "counted",
    "UPDATE OF comment_count, file_count",
    boardItem,
    "added",
    scopes("'boards'", listOf("NEW"), pageOf("NEW")),
  ),
  trigger("viewed", "UPDATE OF view_count", boardItem, "viewed", scopes(pageOf("NEW")), SHOWN_STEP),
  trigger("listed", "UPDATE OF view_count", boardItem, "viewed", scopes(listOf("NEW")), LISTED_STEP),
  ...tableTriggers(boardItemComment, ofItsPage, "added"),
  ...refreshItsPage(event, "UPDATE"),
  ...refreshItsPage(eventRegistration, "UPDATE OF status"),
  trigger("new", "INSERT", file, "added", ofFile("NEW"), isShown("NEW")),
  trigger("shown", "UPDATE", file, "added", ofFile("NEW"), `NOT ${isShown("OLD")} AND ${isShown("NEW")}`),
  trigger("changed", "UPDATE", file, "removed", scopesOfBoth(ofFile), isShown("OLD")),
  trigger("gone", "DELETE", file, "removed", ofFile("OLD"), isShown("OLD")),
];
