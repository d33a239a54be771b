import { getTableName, type SQL, sql } from "drizzle-orm";
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { inOrder, unchanged } from "#db/sql.ts";
import type { OrderedTarget } from "#worker/contract/kernel/audit-actions.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { audit } from "./audit-entry.server.ts";
import { type BatchGuard, conflict } from "./guarded-batch.server.ts";

type NumberColumn = AnySQLiteColumn<{ data: number }>;
type OrderedTable = SQLiteTable & { sortOrder: NumberColumn };

export const lastPlace = (table: OrderedTable): SQL<number> =>
  sql`(SELECT coalesce(max(sort_order), 0) + 1 FROM ${sql.identifier(getTableName(table))})`;

/** Rows that `codes` does not name follow. The caller authorises. */
export async function orderRows(ctx: AppContext, table: OrderedTable, targetType: OrderedTarget, codes: string[]) {
  await ctx.db.batch([
    ctx.db.update(table).set({ sortOrder: inOrder(table, codes) } as object),
    audit(ctx, { action: `${targetType}.order`, targetType, detail: { after: codes } }),
  ]);
  return { codes };
}

export const unchangedRow = (
  table: SQLiteTable & { version: NumberColumn },
  key: string | number,
  version: number,
): BatchGuard => ({ holds: unchanged(table, key, version), error: () => conflict() });
