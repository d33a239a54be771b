import { and, eq, type SQL, sql } from "drizzle-orm";
import { boardItem, boardItemCount } from "#db/schema/board.ts";
import type { ListItemsQuery } from "#worker/contract/board/input.ts";
import type { Place } from "#db/prepared.ts";

export interface ListPlaces extends Pick<ListItemsQuery, "sort" | "showItemToMain"> {
  boardCode: Place<string>;
  category?: Place<string> | undefined;
  /** 0 means the board's default. */
  size: Place<number>;
  page: Place<number>;
}

export const SHALLOW_ROWS = 300;
const LEAF_ROWS = 100;
const DATE_LEVELS = [33, 26, 19, 12] as const;
const NUMBER_LEVELS = [14, 7];

export interface CountedOrder {
  scope: string | SQL;
  levels: number[];
  column: typeof boardItem.createdDate | typeof boardItem.itemNo;
}

/** Counted order of a list; null for other sorts and two filters, which need OFFSET. */
export function countedOrder(query: ListPlaces): CountedOrder | null {
  const filters = [query.category, query.showItemToMain].filter(Boolean).length;
  if (query.sort.field === "itemNo" && filters === 0)
    return { scope: "no", levels: NUMBER_LEVELS, column: boardItem.itemNo };
  const scope = countScopeOf(query);
  if (query.sort.field !== "createdDate" || scope === null) return null;
  return { scope, levels: [...DATE_LEVELS], column: boardItem.createdDate };
}

export function countScopeOf({ category, showItemToMain }: ListPlaces): string | SQL | null {
  if (category) return showItemToMain ? null : sql`'c:' || ${category}`;
  return showItemToMain ? "main" : "";
}

export const scopeTotal = (boardCode: Place<string>, scope: string | SQL): SQL<number> =>
  sql<number>`(SELECT coalesce(sum(count), 0) FROM ${boardItemCount} WHERE ${and(
    eq(boardItemCount.boardCode, boardCode),
    eq(boardItemCount.scope, scope),
    eq(boardItemCount.level, DATE_LEVELS[0]),
  )})`;

const childBits = (levels: readonly number[], index: number) => (levels[index - 1] ?? 0) - (levels[index] ?? 0);

/**
 * Finds the row at `offset` through the counters, reading at most a few hundred rows. @param absent keys that are
 * counted but not listed @returns tables of a WITH RECURSIVE; the last one, `start`, has the edge and the rows to skip,
 * or no row beyond the end
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
