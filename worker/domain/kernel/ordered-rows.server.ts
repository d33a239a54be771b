import type { EditedTarget, OrderedTarget } from "#worker/contract/kernel/audit-actions.ts";
import type { NewVersion } from "#worker/contract/kernel/envelope.ts";
import { eq, getTableName, type InferSelectModel, type SQL, sql } from "drizzle-orm";
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { inOrder, unchanged } from "#db/sql.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { AppContext, BatchStatement } from "#worker/domain/kernel/context.ts";
import { audit } from "./audit-entry.server.ts";
import { auditDifference, type BatchGuard, conflict, runGuardedBatch } from "./guarded-batch.server.ts";

type NumberColumn = AnySQLiteColumn<{ data: number }>;
type OrderedTable = SQLiteTable & { sortOrder: NumberColumn };

interface RowKind<T extends OrderedTable & { version: NumberColumn }> {
  table: T;
  key: AnySQLiteColumn<{ data: string }>;
  auditName: EditedTarget;
  notFoundMessage: string;
}

/** @throws AppError NOT_FOUND */
export async function requireRow<T extends OrderedTable & { version: NumberColumn }>(
  ctx: AppContext,
  kind: RowKind<T>,
  key: string,
): Promise<InferSelectModel<T>> {
  const [row] = await ctx.db
    .select()
    .from(kind.table as OrderedTable)
    .where(eq(kind.key, key));
  if (!row) throw new AppError("NOT_FOUND", { message: kind.notFoundMessage });
  return row as InferSelectModel<T>;
}

interface RowChange {
  key: string;
  version: number;
  also?: readonly BatchStatement[];
}

/** Updates a row under an optimistic lock. The caller authorises. @throws AppError CONFLICT */
export async function updateRow<T extends OrderedTable & { version: NumberColumn }>(
  ctx: AppContext,
  { table, key: keyColumn, auditName }: RowKind<T>,
  { key, version, also = [] }: RowChange,
  before: InferSelectModel<T>,
  value: Record<string, unknown>,
  unlogged: Record<string, unknown> = {},
): Promise<NewVersion> {
  await runGuardedBatch(
    ctx,
    [unchangedRow(table, key, version)],
    [
      ctx.db
        .update(table)
        .set({ ...value, ...unlogged, version: version + 1 } as object)
        .where(eq(keyColumn, key)),
      audit(ctx, {
        action: `${auditName}.change`,
        targetType: auditName,
        targetId: key,
        detail: auditDifference(before as Record<string, unknown>, value),
      }),
      ...also,
    ],
  );
  return { version: version + 1 };
}

/** The caller authorises. @throws AppError CONFLICT */
export async function deleteOrderedRow<T extends OrderedTable & { version: NumberColumn }>(
  ctx: AppContext,
  { table, key: keyColumn, auditName }: RowKind<T>,
  { key, version, also = [] }: RowChange,
  detail: Record<string, unknown>,
): Promise<{ id: string }> {
  await runGuardedBatch(
    ctx,
    [unchangedRow(table, key, version)],
    [
      ctx.db.delete(table).where(eq(keyColumn, key)),
      audit(ctx, { action: `${auditName}.delete`, targetType: auditName, targetId: key, detail }),
      ...also,
    ],
  );
  return { id: key };
}

export const lastPlace = (table: OrderedTable): SQL<number> =>
  sql`(SELECT coalesce(max(sort_order), 0) + 1 FROM ${sql.identifier(getTableName(table))})`;

/** Rows that `codes` does not name follow. The caller authorises. */
export async function orderRows(
  ctx: AppContext,
  table: OrderedTable,
  targetType: OrderedTarget,
  codes: string[],
): Promise<{ codes: string[] }> {
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
