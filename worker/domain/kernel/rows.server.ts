import { asc, type InferSelectModel, sql } from "drizzle-orm";
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#db/client.ts";
import type { EditedTarget, OrderedTarget } from "#worker/contract/kernel/audit-actions.ts";
import type { NewVersion } from "#worker/contract/kernel/envelope.ts";
import { withParticle } from "#worker/contract/kernel/wording.ts";
import type { RowFields, RowType, RowView, StoredValues } from "#worker/contract/kernel/row.ts";
import { rowInputs } from "#worker/contract/kernel/row-input.ts";
import type { AppContext, BatchStatement, RequestScope } from "./context.ts";
import { audit } from "./audit-entry.server.ts";
import { authorizeConsole, type BatchGuard, conflict, runGuardedBatch } from "./guarded-batch.server.ts";
import { storeIdempotentAnswer } from "./idempotency.server.ts";
import { deleteOrderedRow, lastPlace, orderRows, requireRow, updateRow } from "./ordered-rows.server.ts";
import { type RowTransfer, stampOf, writeOrderedRow } from "./row-transfer.server.ts";

/** A column for each field. */
type RowTable<F extends RowFields> = SQLiteTable & {
  id: AnySQLiteColumn<{ data: string }>;
  version: AnySQLiteColumn<{ data: number }>;
  sortOrder: AnySQLiteColumn<{ data: number }>;
  modifiedDate?: AnySQLiteColumn;
} & { [K in keyof F]: AnySQLiteColumn<{ data: StoredValues<F>[K] }> };
type RowDocument<F extends RowFields> = StoredValues<F> & { id: string };

interface RowHooks<F extends RowFields, Extra extends object> {
  /** @throws AppError INVALID_INPUT */
  check?(ctx: AppContext, value: StoredValues<F>): Promise<StoredValues<F>>;
  /** Statements of the batch that stores a row, or deletes it without a value. */
  also?(ctx: AppContext, id: string, value: StoredValues<F> | null): BatchStatement[];
  view?(row: StoredValues<F>, now: Date): Extra;
  /** The settings file replaces all rows, which it knows by this key; without it rows are updated by id. */
  wholeBy?(document: StoredValues<F>): string;
  transfer?: Pick<RowTransfer<RowDocument<F>, RowDocument<F>>, "adapt" | "judge"> & {
    /** Validation errors of one row by field. */
    problems?(document: RowDocument<F>): Record<string, string | null>;
  };
}

/** The five calls and the transfer of a row type; each asks for ADMIN_Access. */
export function rowsOf<F extends RowFields, T extends RowTable<F>, Extra extends object = {}>(
  row: RowType<F>,
  table: T,
  hooks: RowHooks<F, Extra> = {},
) {
  const code = row.code as EditedTarget & OrderedTarget;
  const object = withParticle(row.name, "을/를");
  const kind = { table, key: table.id, auditName: code, notFoundMessage: `${object} 찾을 수 없습니다.` };
  const names = Object.keys(row.fields);
  const pick = (from: object, also: readonly string[] = []) =>
    Object.fromEntries([...also, ...names].map((name) => [name, (from as Record<string, unknown>)[name]]));
  const select = (db: Db) =>
    db
      .select()
      .from(table as SQLiteTable)
      .orderBy(asc(table.sortOrder), asc(table.id));
  const modified = (ctx: AppContext) => (table.modifiedDate ? { modifiedDate: ctx.now() } : {});
  const short = (values: object) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => row.fields[name]?.kind !== "html"));
  const most = row.most;
  const room: BatchGuard[] =
    most === undefined
      ? []
      : [
          {
            holds: sql`(SELECT count(*) FROM ${table}) < ${most}`,
            error: () =>
              conflict(
                `${withParticle(row.name, "은/는")} ${most}개까지 둘 수 있습니다. 하나를 고치거나 지워 주십시오.`,
              ),
          },
        ];
  const check = async (ctx: AppContext, value: StoredValues<F>) => (await hooks.check?.(ctx, value)) ?? value;
  const { wholeBy } = hooks;

  const transfer: RowTransfer<RowDocument<F>, RowDocument<F>> = {
    ...hooks.transfer,
    select: select as unknown as RowTransfer<RowDocument<F>, RowDocument<F>>["select"],
    stamp: stampOf(table, table.id, table.version),
    documentOf: (from) => pick(from, wholeBy ? [] : ["id"]) as RowDocument<F>,
    keyOf: (document) => wholeBy?.(document) ?? document.id,
    rowKeyOf: (from) => wholeBy?.(from) ?? from.id,
    nameOf: (document) => String(document[row.title]),
    problems: (documents) =>
      Object.fromEntries(
        documents.flatMap((document, at) =>
          Object.entries(hooks.transfer?.problems?.(document) ?? {}).flatMap(([name, problem]) =>
            problem === null ? [] : [[`${at}.${name}`, problem]],
          ),
        ),
      ),
    write: (ctx, document) =>
      wholeBy
        ? [ctx.db.insert(table).values({ ...document, id: crypto.randomUUID(), sortOrder: lastPlace(table) } as never)]
        : [
            writeOrderedRow(ctx, table, table.id, { ...document, ...modified(ctx) }),
            ...(hooks.also?.(ctx, document.id, document) ?? []),
          ],
    ...(wholeBy ? { isWhole: true, also: ({ db }: AppContext) => [db.delete(table)] } : { ordered: table }),
  };

  return {
    inputs: rowInputs(row),
    transfer,
    async list(scope: RequestScope): Promise<(RowView<F> & Extra)[]> {
      const { ctx, rows } = await scope.readFor(authorizeConsole, [select(scope.db)]);
      return rows[0].map((stored) => {
        const values = Object.entries(pick(stored, ["id", "version"])).map(([name, value]) => [
          name,
          value instanceof Date ? value.toISOString() : value,
        ]);
        return { ...Object.fromEntries(values), ...hooks.view?.(stored as StoredValues<F>, ctx.now()) };
      });
    },
    /** @throws AppError INVALID_INPUT, CONFLICT when there is no room for another */
    async create(ctx: AppContext, input: StoredValues<F>): Promise<{ id: string }> {
      authorizeConsole(ctx);
      const value = await check(ctx, input);
      const id = crypto.randomUUID();
      await runGuardedBatch(ctx, room, [
        ctx.db.insert(table).values({ ...value, ...modified(ctx), id, sortOrder: lastPlace(table) } as never),
        audit(ctx, { action: `${code}.create`, targetType: code, targetId: id, detail: { after: short(value) } }),
        ...(hooks.also?.(ctx, id, value) ?? []),
        ...storeIdempotentAnswer(ctx, { id }),
      ]);
      return { id };
    },
    /** @throws AppError NOT_FOUND, INVALID_INPUT, CONFLICT */
    async update(ctx: AppContext, id: string, input: StoredValues<F> & { version: number }): Promise<NewVersion> {
      authorizeConsole(ctx);
      const { version, ...given } = input;
      const value = await check(ctx, given as unknown as StoredValues<F>);
      const before = await requireRow(ctx, kind, id);
      const also = hooks.also?.(ctx, id, value) ?? [];
      return updateRow(ctx, kind, { key: id, version, also }, before, value, modified(ctx));
    },
    /** @throws AppError NOT_FOUND, CONFLICT */
    async remove(ctx: AppContext, id: string, version: number): Promise<{ id: string }> {
      authorizeConsole(ctx);
      const before: InferSelectModel<T> = await requireRow(ctx, kind, id);
      const also = hooks.also?.(ctx, id, null) ?? [];
      return deleteOrderedRow(ctx, kind, { key: id, version, also }, { before: pick(before) });
    },
    async order(ctx: AppContext, ids: string[]): Promise<{ codes: string[] }> {
      authorizeConsole(ctx);
      return orderRows(ctx, table, code, ids);
    },
  };
}
export type Rows<F extends RowFields, Extra extends object> = ReturnType<typeof rowsOf<F, RowTable<F>, Extra>>;
