import { asc, eq, getTableColumns, type InferSelectModel, type SQL, sql } from "drizzle-orm";
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#db/client.ts";
import type { ClosedTarget } from "#worker/contract/kernel/audit-actions.ts";
import { AppError, type NewVersion } from "#worker/contract/kernel/errors.ts";
import { fieldChanges, type SettingFields } from "#worker/contract/kernel/field-changes.ts";
import { withParticle } from "#worker/contract/kernel/wording.ts";
import type { RowFields, RowType, RowView, StoredValues } from "#worker/contract/kernel/row.ts";
import type { SettingSection } from "#worker/contract/kernel/setting-sections.ts";
import { type RowDocument, type RowInputs, rowInputs } from "#worker/contract/kernel/row-input.ts";
import type { AppContext, BatchStatement, RequestScope } from "./context.ts";
import { audit } from "./audit-entry.server.ts";
import {
  type BatchGuard,
  type BatchPart,
  conflict,
  isUniqueViolation,
  runGuardedBatch,
} from "./guarded-batch.server.ts";
import { auditDifference } from "./audit-difference.ts";
import { authorizeSetting } from "./authorize.server.ts";
import { authorizeFields, requireFieldProof } from "./field-change.server.ts";
import { readNames } from "./choice-rename.server.ts";
import { storeIdempotentAnswer } from "./idempotency.server.ts";
import { lastPlace, orderRows, unchangedRow } from "./ordered-rows.server.ts";
import { eachProblem, pick, type RowTransfer, transferOf } from "./row-transfer.server.ts";

type KeyColumn = AnySQLiteColumn<{ data: string }>;
/** A column for each field. */
type RowTable<F extends RowFields> = SQLiteTable & {
  version: AnySQLiteColumn<{ data: number }>;
  sortOrder: AnySQLiteColumn<{ data: number }>;
  modifiedDate?: AnySQLiteColumn;
} & ({ id: KeyColumn } | { code: KeyColumn }) & { [K in keyof F]: AnySQLiteColumn<{ data: StoredValues<F>[K] }> };

type Closable<Key> = Key extends { code: string } ? { isClosed: boolean; valueCount: number } : unknown;

/** Sent with a change of a field that asks for it. */
interface Reasoned {
  reason?: string | undefined;
}

interface Used {
  /** Names of what uses the row, shown before it is closed, renamed or deleted. */
  uses?: string[];
}

export interface RowChange<Row> {
  before: Row;
  /** The whole input, with what is not a field. */
  sent: object;
}

interface RowHooks<F extends RowFields, Row extends object, Key extends object, Extra extends object> {
  inputs?: RowInputs<F>;
  /** Whose rights the calls need. */
  section: SettingSection;
  /** @throws AppError INVALID_INPUT */
  check?(ctx: AppContext, value: StoredValues<F>, change?: RowChange<Row>): Promise<StoredValues<F>>;
  /** The code of a new row; an id is random. @throws AppError INVALID_INPUT */
  newCode?(ctx: AppContext, value: StoredValues<F>): Promise<Key>;
  /** The error for one row too many; a conflict by default. */
  full?(message: string): AppError;
  /** The error for a code that exists; a conflict by default. */
  taken?(cause: unknown): AppError;
  /** Statements of the batch that stores a row, or deletes it without a value. */
  also?(ctx: AppContext, key: string, value: StoredValues<F> | null, change?: RowChange<Row>): BatchStatement[];
  /** Mails about changed fields, for the batch; needed where a field `tells`. */
  tell?(ctx: AppContext, settings: readonly SettingFields[], reason: string | undefined): Promise<BatchPart[]>;
  view?(row: Row, now: Date): Extra;
  /** Must hold for a row to be deleted. */
  deletable?(key: string): BatchGuard;
  /** Of a row that closes; both refer to its table. */
  values?: { count: SQL<number>; exist: SQL; logged?(row: Row): object };
  /** `namesOf` what uses the row; refers to its table. */
  uses?: SQL<string>;
  /** The settings file replaces all rows, which it knows by this key; without it rows are updated by their own. */
  wholeBy?(document: RowDocument<F>): string;
  transfer?: Partial<RowTransfer<Row, RowDocument<F>>> & {
    /** Validation errors of one row by field. */
    problemsOf?(document: RowDocument<F>): Record<string, string | null>;
  };
}

/** The five calls and the transfer of a row type. */
export function rowsOf<
  F extends RowFields,
  T extends RowTable<F>,
  Key extends object = { id: string },
  Extra extends object = {},
>(row: RowType<F>, table: T, hooks: RowHooks<F, InferSelectModel<T>, Key, Extra>) {
  type Row = InferSelectModel<T>;
  const { code, name, fields, most, closes } = row;
  const keyName = closes ? "code" : "id";
  const keyColumn = (table as unknown as Record<string, KeyColumn>)[keyName] as KeyColumn;
  const names = [...Object.keys(fields), ...(closes ? ["isClosed"] : [])];
  const modified = (ctx: AppContext) => (table.modifiedDate ? { modifiedDate: ctx.now() } : {});
  const short = (values: object) =>
    Object.fromEntries(Object.entries(values).filter(([each]) => fields[each]?.kind !== "html"));
  const fullMessage = `${withParticle(name, "은/는")} ${most}개까지 둘 수 있습니다. 하나를 고치거나 지워 주십시오.`;
  const room: BatchGuard = {
    holds: most === undefined ? sql`1` : sql`(SELECT count(*) FROM ${table}) < ${most}`,
    error: () => hooks.full?.(fullMessage) ?? conflict(fullMessage),
  };
  const authorize = (ctx: Pick<AppContext, "actor">) => authorizeSetting(ctx, hooks.section);
  const check = async (ctx: AppContext, value: StoredValues<F>, change?: RowChange<Row>) =>
    (await hooks.check?.(ctx, value, change)) ?? value;
  /** @returns mails for the batch @throws AppError FORBIDDEN, INVALID_INPUT without a reason */
  async function guard(ctx: AppContext, before: object, value: StoredValues<F>, reason: string | undefined) {
    const changes = fieldChanges(fields, before, value);
    authorizeFields(ctx, changes);
    requireFieldProof(ctx, changes, reason);
    return (await hooks.tell?.(ctx, [{ setting: `${name} ${String(value[row.title])}`, changes }], reason)) ?? [];
  }
  const { wholeBy, values } = hooks;
  const { problemsOf, ...ownTransfer } = hooks.transfer ?? {};

  const derived = transferOf<RowDocument<F>>()(
    table as T & Record<string, KeyColumn>,
    keyName,
    row.title,
    wholeBy ? names : [keyName, ...names],
  );
  const { ordered: _ordered, ...unordered } = derived;
  const transfer: RowTransfer<Row, RowDocument<F>> = {
    ...(wholeBy
      ? {
          ...unordered,
          keyOf: wholeBy,
          rowKeyOf: wholeBy as (from: Row) => string,
          write: (ctx, document) => [
            ctx.db.insert(table).values({ ...document, id: crypto.randomUUID(), sortOrder: lastPlace(table) } as never),
          ],
          isWhole: true,
          also: ({ db }) => [db.delete(table)],
        }
      : {
          ...derived,
          write: (ctx, document, here, site) => [
            ...derived.write(ctx, { ...document, ...modified(ctx) }, here, site),
            ...(hooks.also?.(ctx, derived.keyOf(document), document) ?? []),
          ],
        }),
    problems: (documents) => eachProblem(documents, (document) => problemsOf?.(document) ?? {}),
    ...ownTransfer,
  };

  const counted = values && { valueCount: values.count.as("value_count") };
  const used = values && { ...counted, isUsed: sql<number>`${values.exist}`.as("is_used") };
  const listed = { ...counted, ...(hooks.uses && { uses: hooks.uses.as("row_uses") }) };
  const select = (db: Db, more: typeof used | typeof listed) =>
    db.select({ ...getTableColumns(table), ...more }).from(table as SQLiteTable);
  async function requireRow({ db }: AppContext, key: string, more?: typeof used) {
    const [found] = await select(db, more).where(eq(keyColumn, key));
    if (!found) throw new AppError("NOT_FOUND", { message: `${withParticle(name, "을/를")} 찾을 수 없습니다.` });
    return found as Row & { valueCount: number; isUsed: number };
  }

  return {
    inputs: hooks.inputs ?? rowInputs(row),
    transfer,
    async list(scope: RequestScope): Promise<(RowView<F> & Key & Closable<Key> & Used & Extra)[]> {
      const ordered = select(scope.db, listed).orderBy(asc(table.sortOrder), asc(keyColumn));
      const { ctx, rows } = await scope.readFor(authorize, [ordered]);
      return rows[0].map((stored) => {
        const shown = pick(stored, [keyName, ...names, "version", ...(values ? ["valueCount"] : [])]);
        for (const [each, value] of Object.entries(shown))
          if (value instanceof Date) shown[each] = value.toISOString();
          else if (value === null && fields[each]?.kind === "moment") shown[each] = "";
        const uses = hooks.uses && { uses: readNames((stored as { uses: string }).uses) };
        return { ...shown, ...uses, ...hooks.view?.(stored as Row, ctx.now()) } as RowView<F> &
          Key &
          Closable<Key> &
          Used &
          Extra;
      });
    },
    /** @throws AppError INVALID_INPUT, CONFLICT when there is no room for another */
    async create(ctx: AppContext, input: StoredValues<F> & Reasoned): Promise<Key> {
      authorize(ctx);
      const { reason, ...given } = input;
      const value = await check(ctx, given as never);
      const mails = await guard(ctx, {}, value, reason);
      const answer = (await hooks.newCode?.(ctx, value)) ?? ({ id: crypto.randomUUID() } as Key & { id: string });
      const key = (answer as Record<string, string>)[keyName] ?? "";
      const statements = [
        ctx.db.insert(table).values({ ...value, ...modified(ctx), ...answer, sortOrder: lastPlace(table) } as never),
        audit(ctx, {
          action: `${code}.create`,
          targetType: code,
          targetId: key,
          reason: reason ?? "",
          detail: { after: short(value) },
        }),
        ...(hooks.also?.(ctx, key, value) ?? []),
        ...storeIdempotentAnswer(ctx, answer),
        ...mails,
      ];
      try {
        await runGuardedBatch(ctx, most === undefined ? [] : [room], statements);
      } catch (cause) {
        throw hooks.newCode && isUniqueViolation(cause) ? (hooks.taken?.(cause) ?? conflict()) : cause;
      }
      return answer;
    },
    /** @throws AppError NOT_FOUND, INVALID_INPUT, CONFLICT */
    async update(ctx: AppContext, key: string, input: StoredValues<F> & Reasoned & NewVersion): Promise<NewVersion> {
      authorize(ctx);
      const { version, reason, ...given } = input;
      const before = await requireRow(ctx, key);
      const unchanged = unchangedRow(table, key, version);
      // Input for other values, such as a rename, must not be refused for a reason that its author cannot see.
      if ((before as { version?: number }).version !== version) throw unchanged.error();
      const value = await check(ctx, { ...pick(before, names), ...given } as StoredValues<F>, { before, sent: given });
      const mails = await guard(ctx, before, value, reason);
      const set = { ...pick(value, names), ...modified(ctx), version: version + 1 };
      const detail = auditDifference(before, pick(value, names));
      await runGuardedBatch(ctx, unchanged, [
        ctx.db
          .update(table)
          .set(set as never)
          .where(eq(keyColumn, key)),
        audit(ctx, { action: `${code}.change`, targetType: code, targetId: key, reason: reason ?? "", detail }),
        ...(hooks.also?.(ctx, key, value, { before, sent: given }) ?? []),
        ...mails,
      ]);
      return { version: version + 1 };
    },
    /** Closes a row with values. @throws AppError NOT_FOUND, CONFLICT */
    async remove(ctx: AppContext, key: string, version: number) {
      authorize(ctx);
      const before = await requireRow(ctx, key, used);
      const { valueCount, isUsed } = before;
      const unused = sql`NOT EXISTS (SELECT 1 FROM ${table} WHERE ${keyColumn} = ${key} AND ${values?.exist})`;
      const guards = [
        unchangedRow(table, key, version),
        ...(values && !isUsed ? [{ holds: unused, error: () => conflict() }] : []),
        ...(hooks.deletable ? [hooks.deletable(key)] : []),
      ];
      await runGuardedBatch(ctx, guards, [
        isUsed
          ? ctx.db
              .update(table)
              .set({ isClosed: true, version: version + 1 } as never)
              .where(eq(keyColumn, key))
          : ctx.db.delete(table).where(eq(keyColumn, key)),
        audit(ctx, {
          action: `${code as ClosedTarget & typeof code}.${isUsed ? "close" : "delete"}`,
          targetType: code,
          targetId: key,
          detail: values ? { ...values.logged?.(before), valueCount } : { before: pick(before, names) },
        }),
        ...(hooks.also?.(ctx, key, null) ?? []),
      ]);
      return values ? { closed: Boolean(isUsed), valueCount } : { id: key };
    },
    async order(ctx: AppContext, keys: string[]): Promise<{ codes: string[] }> {
      authorize(ctx);
      return orderRows(ctx, table, code, keys);
    },
  };
}
