import { and, asc, desc, eq, gt, isNull, lte, not, sql, type SQL } from "drizzle-orm";
import { board, boardItem, boardItemCount, COUNTER_LEVELS, itemReport } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import type { RequestScope, View } from "#worker/domain/kernel/context.ts";
import type { ItemPage } from "#worker/contract/board/view.ts";
import type { ListItemsQuery } from "#worker/contract/board/input.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { makePage } from "#worker/contract/kernel/page.ts";
import { UNCOUNTED_MESSAGE, UNCOUNTED_ROWS_MAX } from "#worker/contract/kernel/limits.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import { can, itemResource } from "../kernel/authorize.server.ts";
import { requireLanguage } from "../kernel/site-identity.server.ts";
import { PICTURE_PLACE_COLUMNS, picturePlacesOf } from "../file/picture.server.ts";
import { authorizeBoard, boardStatement, boardView } from "./board.server.ts";
import { isPinnedNow, ITEM_ROW_COLUMNS, itemRowView } from "./row.server.ts";
import type { Db } from "#db/client.ts";
import { type Moment, type Place, prepareForms, prepareOnce, timeOf } from "#db/prepared.ts";
import { countRows } from "#worker/domain/kernel/page.server.ts";
import type { BoardSortField } from "#worker/contract/board/rules.ts";
import { followStatement } from "./follow.server.ts";

async function readList(scope: RequestScope, given: ListItemsQuery) {
  const now = scope.now();
  const { ctx, rows } = await scope.read((viewerId) => listStatements(scope.db, given, now, viewerId));
  const row = authorizeBoard(ctx, rows[0], "List");
  const query = { ...given, size: given.size || row.pageSize };
  if (!countedOrder(query) && !query.seek && (query.page - 1) * query.size >= UNCOUNTED_ROWS_MAX)
    throw invalidInput({ page: UNCOUNTED_MESSAGE });
  const [following] = rows[4];
  const openReports = rows[5][0]?.open ?? 0;
  return {
    ctx,
    board: row,
    query,
    items: query.seek?.startsWith("before") ? rows[2].toReversed() : rows[2],
    pinned: rows[1],
    total: rows[3][0]?.count ?? 0,
    following,
    openReports,
  };
}

type ListRead = Awaited<ReturnType<typeof readList>>;

function itemPageView({ ctx, board: row, query, items, pinned, total }: ListRead): ItemPage {
  const view = (item: ListRead["items"][number]) => itemRowView(ctx, row, item);
  const at = { page: query.page, size: query.size, totalElements: Math.max(0, total) };
  return { ...makePage(items.map(view), at), pinned: query.showItemToMain ? [] : pinned.map(view) };
}

export async function listItems(scope: RequestScope, query: ListItemsQuery): Promise<ItemPage> {
  return itemPageView(await readList(scope, query));
}

export async function getBoardListPage(scope: RequestScope, query: ListItemsQuery, language: Language = "ko") {
  const read = await readList(scope, query);
  requireLanguage(read.ctx, language);
  const items = itemPageView(read);
  const { actor } = read.ctx;
  const mayFollow = actor.kind !== "guest" && can(actor, { action: "Board.View", board: read.board });
  const sort = `${query.sort.field},${query.sort.descending ? "DESC" : "ASC"}`;
  return {
    board: boardView(read.ctx, read.board, language),
    items,
    numberedPages: countedOrder(read.query) ? items.totalPages : Math.ceil(UNCOUNTED_ROWS_MAX / items.size),
    query: { page: items.page, size: items.size, sort, category: query.category ?? "" },
    ...(read.board.boardType === "faq" ? await readAnswers(read) : { answers: {}, pictures: [] }),
    following: mayFollow ? (read.ctx.standIn?.isFollowing ?? read.following?.isOn ?? false) : null,
    openReports: can(actor, { action: "Board.Manage", board: read.board }) ? read.openReports : null,
  };
}

export type BoardListPage = View<typeof getBoardListPage>;

async function readAnswers({ ctx, board: row, pinned, items }: ListRead) {
  const now = ctx.now();
  const readable = [...pinned, ...items].filter((item) =>
    can(ctx.actor, { action: "Item.Read", item: itemResource(row, item), now }),
  );
  const ids = JSON.stringify(readable.map((item) => item.id));
  const [texts, pictures] = await ctx.db.batch([
    ctx.db
      .select({ itemNo: boardItem.itemNo, content: boardItem.content })
      .from(boardItem)
      .where(sql`${boardItem.id} IN (SELECT value FROM json_each(${ids}))`),
    ctx.db
      .select(PICTURE_PLACE_COLUMNS)
      .from(file)
      .where(
        sql`${file.itemId} IN (SELECT value FROM json_each(${ids})) AND ${file.purpose} = 'image' AND ${file.status} = 'attached'`,
      ),
  ]);
  return {
    answers: Object.fromEntries(texts.map(({ itemNo, content }) => [itemNo, content])) as Record<number, string>,
    pictures: picturePlacesOf(pictures),
  };
}

const SORT_COLUMNS: Record<
  BoardSortField,
  typeof boardItem.createdDate | typeof boardItem.viewCount | typeof boardItem.title | typeof boardItem.itemNo
> = {
  createdDate: boardItem.createdDate,
  viewCount: boardItem.viewCount,
  title: boardItem.title,
  itemNo: boardItem.itemNo,
};

/** The condition for every list, feed and neighbor: in the board, not deleted, already published. */
export const isPublishedItem = (boardCode: Place<string> | SQL<string>, now: Moment): SQL | undefined =>
  and(eq(boardItem.boardCode, boardCode), isNull(boardItem.deletedDate), lte(boardItem.createdDate, now));

/** @param byDate bounds the index by today's date; false if another order or a page position does */
function listWhere(query: ListPlaces, now: Moment, byDate: boolean = query.sort.field === "createdDate") {
  const category = query.category ? eq(boardItem.category, query.category) : undefined;
  if (query.showItemToMain && query.sort.field !== "createdDate") {
    const main = and(isPublishedItem(query.boardCode, now), sql`${boardItem.showItemToMain} = 1`, category);
    return sql`${boardItem.id} IN (SELECT ${boardItem.id} FROM ${boardItem} INDEXED BY board_item_main WHERE ${main})`;
  }
  return and(
    // The unary plus keeps SQLite from scanning the board by date.
    byDate
      ? isPublishedItem(query.boardCode, now)
      : sql`${boardItem.boardCode} = ${query.boardCode} AND ${boardItem.deletedDate} IS NULL AND +${boardItem.createdDate} <= ${timeOf(now)}`,
    category,
    // With showItemToMain, pinned rows are sorted by date (contract section 4).
    query.showItemToMain ? sql`${boardItem.showItemToMain} = 1` : not(isPinnedNow(now)),
  );
}

function seekWhere({ sort, seek, boardCode }: ListPlaces, now: Moment) {
  const itemNo = sql.placeholder("seekNo");
  const row = and(eq(boardItem.itemNo, itemNo), isPublishedItem(boardCode, now));
  const [column, side] = [SORT_COLUMNS[sort.field], sql.raw(sort.descending === (seek === "after") ? "<" : ">")];
  // The number of views travels in the address, because it changes between two pages.
  const key =
    sort.field === "viewCount" ? sql.placeholder("seekViews") : sql`(SELECT ${column} FROM ${boardItem} WHERE ${row})`;
  return sql`(${column}, ${boardItem.itemNo}) ${side} (${key}, ${itemNo})`;
}

function orderBy({ sort, seek }: ListPlaces) {
  const direction = sort.descending === (seek !== "before") ? desc : asc;
  return sort.field === "itemNo"
    ? [direction(boardItem.itemNo)]
    : [direction(SORT_COLUMNS[sort.field]), direction(boardItem.itemNo)];
}

/** Forces the index of pinned rows, which SQLite does not choose. */
const PINNED_ITEMS = sql`${boardItem} INDEXED BY board_item_pinned`;
const isPinnedItem = (where: SQL | undefined) =>
  sql`${boardItem.id} IN (SELECT ${boardItem.id} FROM ${PINNED_ITEMS} WHERE ${where})`;

/** Rows that the counters include and the list omits: pinned and scheduled ones. */
function absentWhere(query: ListPlaces, now: Moment) {
  const live = and(eq(boardItem.boardCode, query.boardCode), isNull(boardItem.deletedDate));
  const scheduled = and(
    live,
    query.category ? eq(boardItem.category, query.category) : undefined,
    query.showItemToMain ? sql`${boardItem.showItemToMain} = 1` : undefined,
    gt(boardItem.createdDate, now),
  );
  const pinned = and(
    live,
    query.category ? eq(boardItem.category, query.category) : undefined,
    lte(boardItem.createdDate, now),
    sql`${boardItem.isPinned} = 1`,
    isPinnedNow(now),
  );
  return { scheduled, pinned };
}

/** Reads the total from counters, minus pinned and scheduled rows; two filters are counted by index. */
function totalStatement(db: Db, query: ListPlaces, now: Moment) {
  const scope = countScopeOf(query);
  if (scope === null) {
    return countRows(db, boardItem, listWhere(query, now));
  }
  const absent = absentWhere(query, now);
  const count = (from: typeof boardItem | SQL, where: SQL | undefined) =>
    sql`(SELECT count(*) FROM ${from} WHERE ${where})`;
  const pinned = query.showItemToMain ? sql`0` : count(PINNED_ITEMS, absent.pinned);
  const all = scope === "" ? board.itemCount : scopeTotal(query.boardCode, scope);
  return db
    .select({ count: sql<number>`${all} - ${pinned} - ${count(boardItem, absent.scheduled)}` })
    .from(board)
    .where(eq(board.boardCode, query.boardCode));
}

const pageSizeSql = (query: ListPlaces) =>
  query.size || sql`coalesce((SELECT page_size FROM board WHERE board_code = ${query.boardCode}), 1)`;

function rowsStatement(db: Db, query: ListPlaces, now: Moment) {
  return db
    .select(columnsOf(query))
    .from(boardItem)
    .where(query.seek ? and(listWhere(query, now, false), seekWhere(query, now)) : listWhere(query, now))
    .orderBy(...orderBy(query))
    .limit((countedOrder(query) || query.seek ? pageSizeSql(query) : uncountedSize(query)) as number)
    .offset((query.seek ? 0 : rowsBefore(query)) as number);
}

function deepRowsStatement(db: Db, query: ListPlaces, now: Moment, order: CountedOrder) {
  const absent = absentWhere(query, now);
  const key = order.column;
  const pinned = query.showItemToMain
    ? sql``
    : sql` UNION ALL SELECT ${key} FROM ${boardItem} WHERE ${isPinnedItem(absent.pinned)}`;
  const tables = pageStartTables(
    query,
    order,
    rowsBefore(query),
    sql`SELECT ${key} FROM ${boardItem} WHERE ${absent.scheduled}${pinned}`,
  );
  const side = sql.raw(query.sort.descending ? "<" : ">=");
  // Without a start row the edge is NULL, which matches no rows.
  return db
    .select(columnsOf(query))
    .from(boardItem)
    .where(
      sql`${boardItem.id} IN (WITH RECURSIVE ${tables} SELECT ${boardItem.id} FROM ${boardItem}
        WHERE ${and(listWhere(query, now, false), sql`${key} ${side} (SELECT edge FROM start)`)}
        ORDER BY ${sql.join(orderBy(query), sql`, `)} LIMIT ${pageSizeSql(query)} OFFSET coalesce((SELECT remaining FROM start), 0))`,
    )
    .orderBy(...orderBy(query));
}

const rowsBefore = (query: ListPlaces) => sql`(${query.page} - 1) * ${pageSizeSql(query)}`;
const uncountedSize = (query: ListPlaces) =>
  sql`CASE WHEN ${rowsBefore(query)} < ${UNCOUNTED_ROWS_MAX} THEN ${pageSizeSql(query)} ELSE 0 END`;

/** First picture among the files, for gallery items without one in the text. */
const attachedPicture = (query: ListPlaces) => sql<string | null>`CASE
    WHEN thumbnail_file_id IS NULL AND file_count > 0
      AND (SELECT board_type FROM board WHERE board_code = ${query.boardCode}) = 'gallery'
    THEN (SELECT f.id FROM file f WHERE f.item_id = board_item.id AND f.purpose = 'board' AND f.status = 'attached'
      AND f.content_type LIKE 'image/%' ORDER BY f.sort_order LIMIT 1) END`;

const columnsOf = (query: ListPlaces) => ({ ...ITEM_ROW_COLUMNS, attachedPictureId: attachedPicture(query) });

const NOW = sql.placeholder("now");

function pinnedStatement(db: Db, query: ListPlaces) {
  const published = isPublishedItem(query.boardCode, NOW);
  return db
    .select(columnsOf(query))
    .from(boardItem)
    .where(isPinnedItem(and(published, isPinnedNow(NOW), sql`${boardItem.isPinned} = 1`)))
    .orderBy(desc(boardItem.createdDate))
    .limit(50);
}

const formOf = ({ sort, showItemToMain, category, size, seek }: ListItemsQuery): ListPlaces => ({
  sort,
  seek: seek?.replace(/-.*/, ""),
  showItemToMain,
  boardCode: sql.placeholder("boardCode"),
  category: category && sql.placeholder("category"),
  size: size && sql.placeholder("size"),
  page: sql.placeholder("page"),
});
const formKey = ({ sort, showItemToMain, category, size, seek }: ListPlaces) =>
  [sort.field, sort.descending, showItemToMain, Boolean(category), Boolean(size), seek].join();
const preparedPinned = prepareForms(() => "", pinnedStatement);
const preparedRows = prepareForms(formKey, (db, query) => rowsStatement(db, query, NOW));
const preparedDeepRows = prepareForms(
  ({ query }: { order: CountedOrder; query: ListPlaces }) => formKey(query),
  (db, { order, query }) => deepRowsStatement(db, query, NOW, order),
);
const preparedTotal = prepareForms(formKey, (db, query) => totalStatement(db, query, NOW));

function listStatements(db: Db, query: ListItemsQuery, now: Date, viewerId: string) {
  const form = formOf(query);
  const [, seekNo, seekViews] = (query.seek ?? "").split("-").map(Number);
  const values = { ...query, seekNo, seekViews, now: now.getTime() };
  const order = !query.seek && isDeepPage(query) ? countedOrder(form) : null;
  return [
    boardStatement(db, query.boardCode),
    preparedPinned(db, form, values),
    order ? preparedDeepRows(db, { order, query: form }, values) : preparedRows(db, form, values),
    preparedTotal(db, form, values),
    followStatement(db, viewerId, query.boardCode),
    openReportsStatement(db, viewerId, query.boardCode),
  ] as const;
}

/** Assumes the smallest page size, because the board's own is not known yet. */
const isDeepPage = (query: ListItemsQuery) => (query.page - 1) * (query.size || 10) > SHALLOW_ROWS;

interface ListPlaces extends Pick<ListItemsQuery, "sort" | "showItemToMain" | "seek"> {
  boardCode: Place<string>;
  category?: Place<string> | undefined;
  /** 0 means the board's default. */
  size: Place<number>;
  page: Place<number>;
}

const SHALLOW_ROWS = 300;
/** A node with so few rows is read by OFFSET, one level of counters less. */
const LEAF_ROWS = 100;

interface CountedOrder {
  scope: string | SQL;
  levels: readonly number[];
  column: typeof boardItem.createdDate | typeof boardItem.itemNo;
}

/** Counted order of a list; null for other sorts and two filters, which need OFFSET. */
function countedOrder(query: ListPlaces): CountedOrder | null {
  const filters = [query.category, query.showItemToMain].filter(Boolean).length;
  if (query.sort.field === "itemNo" && filters === 0)
    return { scope: "no", levels: COUNTER_LEVELS.number, column: boardItem.itemNo };
  const scope = countScopeOf(query);
  if (query.sort.field !== "createdDate" || scope === null) return null;
  return { scope, levels: COUNTER_LEVELS.date, column: boardItem.createdDate };
}

function countScopeOf({ category, showItemToMain }: ListPlaces): string | SQL | null {
  if (category) return showItemToMain ? null : sql`'c:' || ${category}`;
  return showItemToMain ? "main" : "";
}

const scopeTotal = (boardCode: Place<string>, scope: string | SQL): SQL<number> =>
  sql<number>`(SELECT coalesce(sum(count), 0) FROM ${boardItemCount} WHERE ${and(
    eq(boardItemCount.boardCode, boardCode),
    eq(boardItemCount.scope, scope),
    eq(boardItemCount.level, COUNTER_LEVELS.date[0]),
  )})`;

const childBits = (levels: readonly number[], index: number) => (levels[index - 1] ?? 0) - (levels[index] ?? 0);

/**
 * Finds the row at `offset` through the counters, reading at most a few hundred rows. @param absent keys that are
 * counted but not listed @returns tables of a WITH RECURSIVE; the last one, `start`, has the edge and the rows to skip,
 * or no row beyond the end
 */
function pageStartTables({ boardCode, sort }: ListPlaces, { scope, levels }: CountedOrder, offset: SQL, absent: SQL) {
  const [nearest, beyond] = [sql.raw(sort.descending ? "max" : "min"), sql.raw(sort.descending ? "<" : ">")];
  const steps = levels.flatMap((level, index) => {
    const [parent, walk, place] = [`place${index}`, `walk${index + 1}`, `place${index + 1}`].map((name) =>
      sql.raw(name),
    );
    const bits = childBits(levels, index);
    const counters = (row: string) =>
      sql`${sql.raw(row)}.board_code = ${boardCode} AND ${sql.raw(row)}.scope = ${scope} AND ${sql.raw(row)}.level = ${level}`;
    const within = (node: SQL) =>
      index === 0 ? sql`1` : sql`f.node BETWEEN ${node} << ${bits} AND ((${node} + 1) << ${bits}) - 1`;
    const listed = sql`c.count - (SELECT count(*) FROM absent WHERE absent.key >> ${level} = c.node)`;
    const next = (where: SQL) =>
      sql`CROSS JOIN ${boardItemCount} AS c ON ${counters("c")} AND c.node = (SELECT ${nearest}(f.node) FROM ${boardItemCount} AS f WHERE ${counters("f")} AND ${where})`;
    return [
      sql`${walk}(node, listed, remaining) AS (
        SELECT c.node, ${listed}, p.remaining FROM ${parent} AS p ${next(within(sql`p.node`))} WHERE ${index === 0 ? sql`1` : sql`p.listed > ${LEAF_ROWS}`}
        UNION ALL
        SELECT c.node, ${listed}, w.remaining - w.listed FROM ${walk} AS w ${next(sql`f.node ${beyond} w.node AND ${within(sql`(w.node >> ${bits})`)}`)} WHERE w.remaining >= w.listed)`,
      sql`${place} AS (SELECT node, listed, remaining FROM ${walk} WHERE remaining < listed LIMIT 1)`,
    ];
  });
  const places = levels.map((level, index) =>
    sql.raw(`SELECT ${level} AS level, node, remaining FROM place${index + 1}`),
  );
  return sql.join(
    [
      sql`absent(key) AS MATERIALIZED (${absent})`,
      sql`place0(node, listed, remaining) AS (SELECT NULL, NULL, ${offset})`,
      ...steps,
      sql`start(edge, remaining) AS (SELECT (node + ${sort.descending ? 1 : 0}) << level, remaining
        FROM (${sql.join(places, sql` UNION ALL `)}) ORDER BY level LIMIT 1)`,
    ],
    sql`, `,
  );
}

const openReportsStatement = (db: Db, viewerId: string, boardCode: string) =>
  preparedOpenReports(db, { viewerId, boardCode });

const preparedOpenReports = prepareOnce((db) =>
  db
    .select({ open: sql<number>`count(DISTINCT ${itemReport.itemId} || '/' || ${itemReport.commentId})`.as("open") })
    .from(itemReport)
    .where(
      sql`${sql.placeholder("viewerId")} <> '' AND status = 'open' AND EXISTS (SELECT 1 FROM board_item WHERE board_item.id = ${itemReport.itemId} AND board_item.board_code = ${sql.placeholder("boardCode")})`,
    ),
);
