import { and, eq, type SQL, sql } from "drizzle-orm";
import { boardItem, boardItemCount } from "#db/schema/board.ts";
import type { ListItemsQuery } from "#worker/contract/board/input.ts";
import type { Place } from "#db/prepared.ts";

/** What is asked of a list, as values or as their places in a statement that is built before. */
export interface ListPlaces extends Pick<ListItemsQuery, "sort" | "showItemToMain"> {
  boardCode: Place<string>;
  category?: Place<string> | undefined;
  /** 0 is the board's own. */
  size: Place<number>;
  page: Place<number>;
}

/** Rows that OFFSET may skip; beyond them the counters say where a page begins. */
export const SHALLOW_ROWS = 300;
/** A stretch with so few items is read row by row. */
const LEAF_ROWS = 100;
const DATE_LEVELS = [33, 26, 19, 12] as const;
const NUMBER_LEVELS = [14, 7];

export interface CountedOrder {
  scope: string | SQL;
  levels: number[];
  column: typeof boardItem.createdDate | typeof boardItem.itemNo;
}

/** The counted order that a list stands in, or null: by views or title, by number or two filters at once, only OFFSET leads there. */
export function countedOrder(query: ListPlaces): CountedOrder | null {
  const filters = [query.category, query.showItemToMain].filter(Boolean).length;
  if (query.sort.field === "itemNo" && filters === 0)
    return { scope: "no", levels: NUMBER_LEVELS, column: boardItem.itemNo };
  const scope = countScopeOf(query);
  if (query.sort.field !== "createdDate" || scope === null) return null;
  return { scope, levels: [...DATE_LEVELS], column: boardItem.createdDate };
}

/** The scope whose counters hold the list's total. */
export function countScopeOf({ category, showItemToMain }: ListPlaces): string | SQL | null {
  if (category) return showItemToMain ? null : sql`'c:' || ${category}`;
  return showItemToMain ? "main" : "";
}

/** All items of a scope, pinned and scheduled ones too: a sum of some twenty rows. */
export const scopeTotal = (boardCode: Place<string>, scope: string | SQL): SQL<number> =>
  sql<number>`(SELECT coalesce(sum(count), 0) FROM ${boardItemCount} WHERE ${and(
    eq(boardItemCount.boardCode, boardCode),
    eq(boardItemCount.scope, scope),
    eq(boardItemCount.level, DATE_LEVELS[0]),
  )})`;

/** Children of a node one level below; the first level has no parent. */
const childBits = (levels: readonly number[], index: number) => (levels[index - 1] ?? 0) - (levels[index] ?? 0);

/**
 * The row at `offset`, found by going down the counters, some hundred rows at most, within the statement that reads the page.
 * @param absent the keys of rows that are counted but do not stand in the list: pinned ones, scheduled ones
 * @returns the tables of a WITH RECURSIVE, the last of which, `start`, has one row: the edge that the list begins at, and the rows behind
 * it that come before the page. Beyond the end it has none.
 */
export function pageStartTables(
  { boardCode, sort }: ListPlaces,
  { scope, levels }: CountedOrder,
  offset: SQL,
  absent: SQL,
): SQL {
  const [nearest, beyond] = [sql.raw(sort.descending ? "max" : "min"), sql.raw(sort.descending ? "<" : ">")];
  const steps = levels.flatMap((level, index) => {
    const [parent, walk, place] = [`place${index}`, `walk${index + 1}`, `place${index + 1}`].map((name) =>
      sql.raw(name),
    );
    const bits = childBits(levels, index);
    const counters = (row: string) =>
      sql`${sql.raw(row)}.board_code = ${boardCode} AND ${sql.raw(row)}.scope = ${scope} AND ${sql.raw(row)}.level = ${level}`;
    // All children of one parent; the first level has none.
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
  // The deepest place that was gone down to.
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
