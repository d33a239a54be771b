import { and, between, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { boardItem, boardItemCount } from "#db/schema/board.ts";
import type { ListItemsQuery } from "#worker/contract/board/input.ts";

/** Rows that OFFSET may skip in the one batch of a list; beyond them the counters say where a page begins. */
export const SHALLOW_ROWS = 300;
/** A stretch with so few items is read row by row. */
const LEAF_ROWS = 100;
const DATE_LEVELS = [33, 26, 19, 12] as const;
const NUMBER_LEVELS = [14, 7];

interface CountedOrder {
  scope: string;
  levels: number[];
  column: typeof boardItem.createdDate | typeof boardItem.itemNo;
  keyOf(row: { createdDate: Date; itemNo: number }): number;
}

/** The counted order that a list stands in, or null: by views or title, by number or two filters at once, only OFFSET leads there. */
export function countedOrder(query: ListItemsQuery): CountedOrder | null {
  const filters = [query.category, query.showItemToMain].filter(Boolean).length;
  if (query.sort.field === "itemNo" && filters === 0)
    return { scope: "no", levels: NUMBER_LEVELS, column: boardItem.itemNo, keyOf: (row) => row.itemNo };
  const scope = countScopeOf(query);
  if (query.sort.field !== "createdDate" || scope === null) return null;
  return { scope, levels: [...DATE_LEVELS], column: boardItem.createdDate, keyOf: (row) => row.createdDate.getTime() };
}

/** The scope whose counters hold the list's total. */
export function countScopeOf({ category, showItemToMain }: ListItemsQuery): string | null {
  if (category) return showItemToMain ? null : `c:${category}`;
  return showItemToMain ? "main" : "";
}

/** All items of a scope, pinned and scheduled ones too: a sum of some twenty rows. */
export const scopeTotal = (boardCode: string, scope: string): SQL<number> =>
  sql<number>`(SELECT coalesce(sum(count), 0) FROM ${boardItemCount} WHERE ${and(
    eq(boardItemCount.boardCode, boardCode),
    eq(boardItemCount.scope, scope),
    eq(boardItemCount.level, DATE_LEVELS[0]),
  )})`;

export interface PageStart {
  /** Narrows the list to where its page begins, or behind. */
  where: SQL;
  /** Rows of it that come before the page. */
  offset: number;
}

/**
 * Finds the row at `offset` by going down the counters, some hundred rows at most.
 * @param absent rows that are counted but do not stand in the list: pinned ones, scheduled ones
 */
export async function findPageStart(
  db: Db,
  query: ListItemsQuery,
  order: CountedOrder,
  offset: number,
  absent: { createdDate: Date; itemNo: number }[],
): Promise<PageStart | null> {
  const { descending } = query.sort;
  const keys = absent.map(order.keyOf);
  let remaining = offset;
  let parent: { level: number; node: number } | null = null;
  for (const level of order.levels) {
    const nodes = await readNodes(db, query.boardCode, order.scope, level, parent, descending);
    const found = walkNodes(nodes, level, keys, remaining);
    if (!found) return null;
    ({ remaining } = found);
    parent = { level, node: found.node };
    if (found.count <= LEAF_ROWS) break;
  }
  if (!parent) return null;
  const edge = (parent.node + (descending ? 1 : 0)) * 2 ** parent.level;
  return {
    where: descending ? sql`${order.column} < ${edge}` : sql`${order.column} >= ${edge}`,
    offset: remaining,
  };
}

function readNodes(
  db: Db,
  boardCode: string,
  scope: string,
  level: number,
  parent: { level: number; node: number } | null,
  descending: boolean,
) {
  const children = parent === null ? 0 : 2 ** (parent.level - level);
  return db
    .select({ node: boardItemCount.node, count: boardItemCount.count })
    .from(boardItemCount)
    .where(
      and(
        eq(boardItemCount.boardCode, boardCode),
        eq(boardItemCount.scope, scope),
        eq(boardItemCount.level, level),
        parent ? between(boardItemCount.node, parent.node * children, (parent.node + 1) * children - 1) : undefined,
      ),
    )
    .orderBy(descending ? sql`${boardItemCount.node} DESC` : boardItemCount.node);
}

function walkNodes(nodes: { node: number; count: number }[], level: number, absentKeys: number[], offset: number) {
  let remaining = offset;
  for (const { node, count } of nodes) {
    const listed = count - absentKeys.filter((key) => Math.floor(key / 2 ** level) === node).length;
    if (remaining < listed) return { node, count: listed, remaining };
    remaining -= listed;
  }
  return null;
}
