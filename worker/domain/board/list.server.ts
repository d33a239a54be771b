import { and, asc, desc, eq, gt, isNull, lte, not, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { board, boardItem } from "#db/schema.ts";
import type { Door } from "#worker/context.server.ts";
import type { BoardListPage, ItemPage, ListItemsQuery, SortField } from "#worker/contract/board.ts";
import { pageOf } from "#worker/contract/envelope.ts";
import { boardStatement, boardView, openBoard } from "./board.server.ts";
import { pinnedNow, ROW_COLUMNS, rowView } from "./row.server.ts";

const COLUMNS: Record<
  SortField,
  typeof boardItem.createdDate | typeof boardItem.viewCount | typeof boardItem.title | typeof boardItem.itemNo
> = {
  createdDate: boardItem.createdDate,
  viewCount: boardItem.viewCount,
  title: boardItem.title,
  itemNo: boardItem.itemNo,
};

/** In the board, not in the bin, already published: the same for every list, feed and neighbour. */
export const published = (boardCode: string, now: Date): SQL | undefined =>
  and(eq(boardItem.boardCode, boardCode), isNull(boardItem.deletedDate), lte(boardItem.createdDate, now));

function listWhere(query: ListItemsQuery, now: Date) {
  return and(
    published(query.boardCode, now),
    query.category ? eq(boardItem.category, query.category) : undefined,
    // With showItemToMain pinned rows stand by date like any other (contract section 4).
    query.showItemToMain ? sql`${boardItem.showItemToMain} = 1` : not(pinnedNow(now)),
  );
}

function orderBy({ sort }: ListItemsQuery) {
  const direction = sort.descending ? desc : asc;
  return sort.field === "itemNo"
    ? [direction(boardItem.itemNo)]
    : [direction(COLUMNS[sort.field]), direction(boardItem.itemNo)];
}

export function listStatements(db: Db, query: ListItemsQuery, now: Date) {
  const where = listWhere(query, now);
  const size = query.size || sql`coalesce((SELECT page_size FROM board WHERE board_code = ${query.boardCode}), 1)`;
  return [
    boardStatement(db, query.boardCode),
    db
      .select(ROW_COLUMNS)
      .from(boardItem)
      .where(and(published(query.boardCode, now), pinnedNow(now), sql`${boardItem.isPinned} = 1`))
      .orderBy(desc(boardItem.createdDate))
      .limit(50),
    db
      .select(ROW_COLUMNS)
      .from(boardItem)
      .where(where)
      .orderBy(...orderBy(query))
      .limit(size as number)
      .offset(sql`(${query.page - 1}) * ${size}` as unknown as number),
    totalStatement(db, query, now),
  ] as const;
}

/** A whole board's total comes from its counter, less the few pinned and scheduled rows; a part of it is counted in its own index. */
function totalStatement(db: Db, query: ListItemsQuery, now: Date) {
  if (query.category || query.showItemToMain) {
    return db
      .select({ count: sql<number>`count(*)` })
      .from(boardItem)
      .where(listWhere(query, now));
  }
  const pinned = sql`(SELECT count(*) FROM ${boardItem} WHERE ${published(query.boardCode, now)} AND ${boardItem.isPinned} = 1 AND ${pinnedNow(now)})`;
  const scheduled = sql`(SELECT count(*) FROM ${boardItem} WHERE ${eq(boardItem.boardCode, query.boardCode)} AND ${isNull(boardItem.deletedDate)} AND ${gt(boardItem.createdDate, now)})`;
  return db
    .select({ count: sql<number>`${board.itemCount} - ${pinned} - ${scheduled}` })
    .from(board)
    .where(eq(board.boardCode, query.boardCode));
}

type ListRows = Awaited<ReturnType<typeof readList>>;
const readList = (door: Door, query: ListItemsQuery) => door.read(listStatements(door.db, query, door.now()));

function itemPage({ ctx, rows: [boards, pinned, items, counts] }: ListRows, query: ListItemsQuery): ItemPage {
  const row = openBoard(ctx, boards, "List");
  const view = (item: (typeof items)[number]) => rowView(ctx, row, item);
  const at = { page: query.page, size: query.size || row.pageSize, totalElements: counts[0]?.count ?? 0 };
  return { ...pageOf(items.map(view), at), pinned: query.showItemToMain ? [] : pinned.map(view) };
}

/** GET board-item: needs List. */
export async function listItems(door: Door, query: ListItemsQuery): Promise<ItemPage> {
  return itemPage(await readList(door, query), query);
}

/** The list with its board, for the page. */
export async function boardListPage(door: Door, query: ListItemsQuery): Promise<BoardListPage> {
  const read = await readList(door, query);
  const items = itemPage(read, query);
  const sort = `${query.sort.field},${query.sort.descending ? "DESC" : "ASC"}`;
  return {
    board: boardView(read.ctx, openBoard(read.ctx, read.rows[0], "List")),
    items,
    query: { page: items.page, size: items.size, sort, category: query.category ?? "" },
  };
}
