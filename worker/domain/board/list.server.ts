import { and, asc, desc, eq, gt, isNull, lte, not, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { board, boardItem } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import { countRows } from "#worker/domain/kernel/page.server.ts";
import type { BoardListPage, ItemPage } from "#worker/contract/board/view.ts";
import type { BoardSortField } from "#worker/contract/board/rules.ts";
import type { ListItemsQuery } from "#worker/contract/board/input.ts";
import { makePage } from "#worker/contract/kernel/envelope.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { UNCOUNTED_MESSAGE, UNCOUNTED_ROWS_MAX } from "#worker/contract/kernel/limits.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import { can } from "../kernel/authorize.server.ts";
import { requireLanguage } from "../kernel/identity.server.ts";
import { PICTURE_PLACE_COLUMNS, picturePlacesOf } from "../file/picture-place.server.ts";
import { boardStatement, boardView, authorizeBoard } from "./board.server.ts";
import { followStatement } from "./follow.server.ts";
import { openReportsStatement } from "./moderation.server.ts";
import {
  type CountedOrder,
  countedOrder,
  countScopeOf,
  scopeTotal,
  SHALLOW_ROWS,
  pageStartTables,
} from "./position.server.ts";
import { isPinnedNow, ITEM_ROW_COLUMNS, itemRowView } from "./row.server.ts";
import { itemResource } from "../kernel/resource.server.ts";

const SORT_COLUMNS: Record<
  BoardSortField,
  typeof boardItem.createdDate | typeof boardItem.viewCount | typeof boardItem.title | typeof boardItem.itemNo
> = {
  createdDate: boardItem.createdDate,
  viewCount: boardItem.viewCount,
  title: boardItem.title,
  itemNo: boardItem.itemNo,
};

/** In the board, not in the bin, already published: the same for every list, feed and neighbour. */
export const isPublishedItem = (boardCode: string | SQL<string>, now: Date): SQL | undefined =>
  and(eq(boardItem.boardCode, boardCode), isNull(boardItem.deletedDate), lte(boardItem.createdDate, now));

/** @param byDate the date of today bounds the index; not so where another order, or the place a page begins at, does */
function listWhere(query: ListItemsQuery, now: Date, byDate: boolean = query.sort.field === "createdDate") {
  const category = query.category ? eq(boardItem.category, query.category) : undefined;
  if (query.showItemToMain && query.sort.field !== "createdDate") {
    // The few items of the main display are found by their own index and sorted then.
    const main = and(isPublishedItem(query.boardCode, now), sql`${boardItem.showItemToMain} = 1`, category);
    return sql`${boardItem.id} IN (SELECT ${boardItem.id} FROM ${boardItem} INDEXED BY board_item_main WHERE ${main})`;
  }
  return and(
    // The sign keeps SQLite from going by date and sorting the whole board, or reading it down to a deep page.
    byDate
      ? isPublishedItem(query.boardCode, now)
      : sql`${boardItem.boardCode} = ${query.boardCode} AND ${boardItem.deletedDate} IS NULL AND +${boardItem.createdDate} <= ${now.getTime()}`,
    category,
    // With showItemToMain pinned rows stand by date like any other (contract section 4).
    query.showItemToMain ? sql`${boardItem.showItemToMain} = 1` : not(isPinnedNow(now)),
  );
}

function orderBy({ sort }: ListItemsQuery) {
  const direction = sort.descending ? desc : asc;
  return sort.field === "itemNo"
    ? [direction(boardItem.itemNo)]
    : [direction(SORT_COLUMNS[sort.field]), direction(boardItem.itemNo)];
}

/** The few pinned rows have an index of their own, which SQLite would not choose by itself. */
const PINNED_ITEMS = sql`${boardItem} INDEXED BY board_item_pinned`;
const isPinnedItem = (where: SQL | undefined) =>
  sql`${boardItem.id} IN (SELECT ${boardItem.id} FROM ${PINNED_ITEMS} WHERE ${where})`;

/** Rows that stand in the counters but not in the list: pinned above it, or still to come. */
function absentWhere(query: ListItemsQuery, now: Date) {
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

/** The total comes from counters, less the few pinned and scheduled rows; two filters at once are counted in their index. */
function totalStatement(db: Db, query: ListItemsQuery, now: Date) {
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

const pageSizeSql = (query: ListItemsQuery) =>
  query.size || sql`coalesce((SELECT page_size FROM board WHERE board_code = ${query.boardCode}), 1)`;

function rowsStatement(db: Db, query: ListItemsQuery, now: Date) {
  return db
    .select(columnsOf(query))
    .from(boardItem)
    .where(listWhere(query, now))
    .orderBy(...orderBy(query))
    .limit((countedOrder(query) ? pageSizeSql(query) : uncountedSize(query)) as number)
    .offset(rowsBefore(query) as unknown as number);
}

/** A page that lies deep in a counted order: from where the counters say that it begins. */
function deepRowsStatement(db: Db, query: ListItemsQuery, now: Date, order: CountedOrder) {
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
  // Without a place to begin at the edge is NULL, and nothing lies behind it.
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

const rowsBefore = (query: ListItemsQuery) => sql`(${query.page - 1}) * ${pageSizeSql(query)}`;
/** Nothing beyond the end of an uncounted list is read, not even to be skipped. */
const uncountedSize = (query: ListItemsQuery) =>
  sql`CASE WHEN ${rowsBefore(query)} < ${UNCOUNTED_ROWS_MAX} THEN ${pageSizeSql(query)} ELSE 0 END`;

/** Of a gallery's item whose text has no picture: its first file that is one. Other boards do not look. */
const attachedPicture = (query: ListItemsQuery) => sql<string | null>`CASE
    WHEN thumbnail_file_id IS NULL AND file_count > 0
      AND (SELECT board_type FROM board WHERE board_code = ${query.boardCode}) = 'gallery'
    THEN (SELECT f.id FROM file f WHERE f.item_id = board_item.id AND f.purpose = 'board' AND f.status = 'attached'
      AND f.content_type LIKE 'image/%' ORDER BY f.sort_order LIMIT 1) END`;

const columnsOf = (query: ListItemsQuery) => ({ ...ITEM_ROW_COLUMNS, attachedPictureId: attachedPicture(query) });

/** A list in one batch. */
function listStatements(db: Db, query: ListItemsQuery, now: Date, viewerId: string) {
  const order = countedOrder(query);
  return [
    boardStatement(db, query.boardCode),
    db
      .select(columnsOf(query))
      .from(boardItem)
      .where(isPinnedItem(and(isPublishedItem(query.boardCode, now), isPinnedNow(now), sql`${boardItem.isPinned} = 1`)))
      .orderBy(desc(boardItem.createdDate))
      .limit(50),
    order && isDeepPage(query) ? deepRowsStatement(db, query, now, order) : rowsStatement(db, query, now),
    totalStatement(db, query, now),
    followStatement(db, viewerId, query.boardCode),
    openReportsStatement(db, viewerId, query.boardCode),
  ] as const;
}

/** The board's own page size is not known yet: the smallest one decides. */
const isDeepPage = (query: ListItemsQuery) => (query.page - 1) * (query.size || 10) > SHALLOW_ROWS;

async function readList(scope: RequestScope, given: ListItemsQuery) {
  const now = scope.now();
  const { ctx, rows } = await scope.read((viewerId) => listStatements(scope.db, given, now, viewerId));
  const row = authorizeBoard(ctx, rows[0], "List");
  const query = { ...given, size: given.size || row.pageSize };
  if (!countedOrder(query) && (query.page - 1) * query.size >= UNCOUNTED_ROWS_MAX)
    throw invalidInput({ page: UNCOUNTED_MESSAGE });
  const [following] = rows[4];
  const openReports = rows[5][0]?.open ?? 0;
  return {
    ctx,
    board: row,
    query,
    items: rows[2],
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
  const all = makePage(items.map(view), at);
  const totalPages = countedOrder(query)
    ? all.totalPages
    : Math.min(all.totalPages, Math.ceil(UNCOUNTED_ROWS_MAX / query.size));
  return { ...all, totalPages, pinned: query.showItemToMain ? [] : pinned.map(view) };
}

/** GET board-item: needs List. */
export async function listItems(scope: RequestScope, query: ListItemsQuery): Promise<ItemPage> {
  return itemPageView(await readList(scope, query));
}

/** The list with its board, for the page. */
export async function getBoardListPage(
  scope: RequestScope,
  query: ListItemsQuery,
  language: Language = "ko",
): Promise<BoardListPage> {
  const read = await readList(scope, query);
  requireLanguage(read.ctx, language);
  const items = itemPageView(read);
  const { actor } = read.ctx;
  const mayFollow = actor.kind !== "guest" && can(actor, { action: "Board.View", board: read.board });
  const sort = `${query.sort.field},${query.sort.descending ? "DESC" : "ASC"}`;
  return {
    board: boardView(read.ctx, read.board, language),
    items,
    query: { page: items.page, size: items.size, sort, category: query.category ?? "" },
    ...(read.board.boardType === "faq" ? await readAnswers(read) : { answers: {}, pictures: [] }),
    following: mayFollow ? (read.following?.isOn ?? false) : null,
    openReports: can(actor, { action: "Board.Manage", board: read.board }) ? read.openReports : null,
  };
}

async function readAnswers({
  ctx,
  board: row,
  pinned,
  items,
}: ListRead): Promise<Pick<BoardListPage, "answers" | "pictures">> {
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
    answers: Object.fromEntries(texts.map(({ itemNo, content }) => [itemNo, content])),
    pictures: picturePlacesOf(pictures),
  };
}
