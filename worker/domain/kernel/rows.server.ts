import { asc, eq, getTableColumns, type InferSelectModel, type SQL, sql } from "drizzle-orm";
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#db/client.ts";
import type { ClosedTarget } from "#worker/contract/kernel/audit-actions.ts";
import { AppError, type NewVersion } from "#worker/contract/kernel/errors.ts";
import { fieldChanges, type SettingFields } from "#worker/contract/kernel/setting/field-changes.ts";
import { withParticle } from "#worker/contract/kernel/wording.ts";
import {
  KINDS,
  type RowField,
  type RowFields,
  type RowType,
  type RowView,
  type StoredValues,
} from "#worker/contract/kernel/row.ts";
import type { SettingSection } from "#worker/contract/kernel/setting/setting-sections.ts";
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

const sentValue = (value: unknown, field: RowField | undefined): unknown => {
  if (value instanceof Date) return value.toISOString();
  return value === null && field && field.kind !== "group" ? KINDS[field.kind].empty : value;
};

/** The five calls and the transfer of a row type. A call is a property, which a route takes without its object. */
class Rows<
  F extends RowFields,
  T extends RowTable<F>,
  Key extends object,
  Extra extends object,
  Row extends object = InferSelectModel<T>,
> {
  readonly inputs: RowInputs<F>;
  private readonly row: RowType<F>;
  private readonly table: T;
  private readonly hooks: RowHooks<F, Row, Key, Extra>;
  private readonly keyName: "code" | "id";
  private readonly keyColumn: KeyColumn;
  /** Of the stored values. */
  private readonly names: readonly string[];

  constructor(row: RowType<F>, table: T, hooks: RowHooks<F, Row, Key, Extra>) {
    this.row = row;
    this.table = table;
    this.hooks = hooks;
    this.inputs = hooks.inputs ?? rowInputs(row);
    this.keyName = row.closes ? "code" : "id";
    this.keyColumn = (table as unknown as Record<string, KeyColumn>)[this.keyName] as KeyColumn;
    this.names = [...Object.keys(row.fields), ...(row.closes ? ["isClosed"] : [])];
  }

  readonly list = async (scope: RequestScope): Promise<(RowView<F> & Key & Closable<Key> & Used & Extra)[]> => {
    const ordered = this.select(scope.db, this.listed()).orderBy(asc(this.table.sortOrder), asc(this.keyColumn));
    const { ctx, rows } = await scope.readFor((asking) => authorizeSetting(asking, this.hooks.section), [ordered]);
    return rows[0].map((stored) => this.view(stored as Row, ctx.now()));
  };

  /** @throws AppError INVALID_INPUT, CONFLICT when there is no room for another */
  readonly create = async (ctx: AppContext, input: StoredValues<F> & Reasoned): Promise<Key> => {
    authorizeSetting(ctx, this.hooks.section);
    const { reason, ...given } = input;
    const value = await this.check(ctx, given as never);
    const mails = await this.guardFields(ctx, {}, value, reason);
    const answer = (await this.hooks.newCode?.(ctx, value)) ?? ({ id: crypto.randomUUID() } as Key & { id: string });
    const key = (answer as Record<string, string>)[this.keyName] ?? "";
    const stored = { ...value, ...this.modified(ctx), ...answer, sortOrder: lastPlace(this.table) };
    const statements = [
      ctx.db.insert(this.table).values(stored as never),
      this.auditCreate(ctx, key, value, reason),
      ...(this.hooks.also?.(ctx, key, value) ?? []),
      ...storeIdempotentAnswer(ctx, answer),
      ...mails,
    ];
    try {
      await runGuardedBatch(ctx, this.room(), statements);
    } catch (cause) {
      throw this.hooks.newCode && isUniqueViolation(cause) ? (this.hooks.taken?.(cause) ?? conflict()) : cause;
    }
    return answer;
  };

  /** @throws AppError NOT_FOUND, INVALID_INPUT, CONFLICT */
  readonly update = async (
    ctx: AppContext,
    key: string,
    input: StoredValues<F> & Reasoned & NewVersion,
  ): Promise<NewVersion> => {
    authorizeSetting(ctx, this.hooks.section);
    const { version, reason, ...given } = input;
    const { row, table, names, hooks } = this;
    const before = await this.requireRow(ctx, key);
    const unchanged = unchangedRow(table, key, version);
    // Input for other values, such as a rename, must not be refused for a reason that its author cannot see.
    if ((before as { version?: number }).version !== version) throw unchanged.error();
    const change = { before, sent: given };
    const value = await this.check(ctx, { ...pick(before, names), ...given } as StoredValues<F>, change);
    const mails = await this.guardFields(ctx, before, value, reason);
    const set = { ...pick(value, names), ...this.modified(ctx), version: version + 1 };
    const detail = auditDifference(before, pick(value, names));
    const targetType = row.code;
    await runGuardedBatch(ctx, unchanged, [
      ctx.db
        .update(table)
        .set(set as never)
        .where(eq(this.keyColumn, key)),
      audit(ctx, { action: `${targetType}.change`, targetType, targetId: key, reason: reason ?? "", detail }),
      ...(hooks.also?.(ctx, key, value, change) ?? []),
      ...mails,
    ]);
    return { version: version + 1 };
  };

  /** Closes a row with values. @throws AppError NOT_FOUND, CONFLICT */
  readonly remove = async (ctx: AppContext, key: string, version: number) => {
    authorizeSetting(ctx, this.hooks.section);
    const { values, also } = this.hooks;
    const before = await this.requireRow(ctx, key, this.used());
    const { valueCount, isUsed } = before;
    await runGuardedBatch(ctx, this.removable(key, version, isUsed), [
      isUsed ? this.closing(ctx, key, version) : ctx.db.delete(this.table).where(eq(this.keyColumn, key)),
      this.auditRemove(ctx, key, before),
      ...(also?.(ctx, key, null) ?? []),
    ]);
    return values ? { closed: Boolean(isUsed), valueCount } : { id: key };
  };

  readonly order = async (ctx: AppContext, keys: string[]): Promise<{ codes: string[] }> => {
    authorizeSetting(ctx, this.hooks.section);
    return orderRows(ctx, this.table, this.row.code, keys);
  };

  get transfer(): RowTransfer<Row, RowDocument<F>> {
    const { problemsOf, ...own } = this.hooks.transfer ?? {};
    return {
      ...(this.hooks.wholeBy ? this.transferWhole(this.hooks.wholeBy) : this.transferEach()),
      problems: (documents) => eachProblem(documents, (document) => problemsOf?.(document) ?? {}),
      ...own,
    };
  }

  private async check(ctx: AppContext, value: StoredValues<F>, change?: RowChange<Row>): Promise<StoredValues<F>> {
    return (await this.hooks.check?.(ctx, value, change)) ?? value;
  }

  /** @returns mails for the batch @throws AppError FORBIDDEN, INVALID_INPUT without a reason */
  private async guardFields(ctx: AppContext, before: object, value: StoredValues<F>, reason: string | undefined) {
    const { name, fields, title } = this.row;
    const changes = fieldChanges(fields, before, value);
    authorizeFields(ctx, changes);
    requireFieldProof(ctx, changes, reason);
    const setting = `${name} ${String(value[title])}`;
    return (await this.hooks.tell?.(ctx, [{ setting, changes }], reason)) ?? [];
  }

  /** Holds while another row fits. */
  private room(): BatchGuard[] {
    const { name, most } = this.row;
    if (most === undefined) return [];
    const message = `${withParticle(name, "은/는")} ${most}개까지 둘 수 있습니다. 하나를 고치거나 지워 주십시오.`;
    const holds = sql`(SELECT count(*) FROM ${this.table}) < ${most}`;
    return [{ holds, error: () => this.hooks.full?.(message) ?? conflict(message) }];
  }

  private removable(key: string, version: number, isUsed: number): BatchGuard[] {
    const { values, deletable } = this.hooks;
    const unused = sql`NOT EXISTS (SELECT 1 FROM ${this.table} WHERE ${this.keyColumn} = ${key} AND ${values?.exist})`;
    return [
      unchangedRow(this.table, key, version),
      ...(values && !isUsed ? [{ holds: unused, error: () => conflict() }] : []),
      ...(deletable ? [deletable(key)] : []),
    ];
  }

  private closing(ctx: AppContext, key: string, version: number): BatchStatement {
    const closed = { isClosed: true, version: version + 1 };
    return ctx.db
      .update(this.table)
      .set(closed as never)
      .where(eq(this.keyColumn, key));
  }

  private auditCreate(ctx: AppContext, key: string, value: StoredValues<F>, reason: string | undefined) {
    const { code, fields } = this.row;
    const short = Object.entries(value).filter(([each]) => fields[each]?.kind !== "html");
    const detail = { after: Object.fromEntries(short) };
    return audit(ctx, { action: `${code}.create`, targetType: code, targetId: key, reason: reason ?? "", detail });
  }

  private auditRemove(ctx: AppContext, key: string, before: Row & { valueCount: number; isUsed: number }) {
    const code = this.row.code as ClosedTarget & typeof this.row.code;
    const { values } = this.hooks;
    return audit(ctx, {
      action: `${code}.${before.isUsed ? "close" : "delete"}`,
      targetType: code,
      targetId: key,
      detail: values
        ? { ...values.logged?.(before), valueCount: before.valueCount }
        : { before: pick(before, this.names) },
    });
  }

  private modified(ctx: AppContext) {
    return this.table.modifiedDate ? { modifiedDate: ctx.now() } : {};
  }

  private listed() {
    const { values, uses } = this.hooks;
    return {
      ...(values && { valueCount: values.count.as("value_count") }),
      ...(uses && { uses: uses.as("row_uses") }),
    };
  }

  private used() {
    const { values } = this.hooks;
    if (!values) return undefined;
    return { valueCount: values.count.as("value_count"), isUsed: sql<number>`${values.exist}`.as("is_used") };
  }

  private select(db: Db, more: Record<string, SQL.Aliased> | undefined) {
    return db.select({ ...getTableColumns(this.table), ...more }).from(this.table as SQLiteTable);
  }

  private async requireRow({ db }: AppContext, key: string, more?: Record<string, SQL.Aliased>) {
    const [found] = await this.select(db, more).where(eq(this.keyColumn, key));
    const message = `${withParticle(this.row.name, "을/를")} 찾을 수 없습니다.`;
    if (!found) throw new AppError("NOT_FOUND", { message });
    return found as unknown as Row & { valueCount: number; isUsed: number };
  }

  private view(stored: Row, now: Date) {
    const { hooks } = this;
    const { fields } = this.row;
    const columns = [this.keyName, ...this.names, "version", ...(hooks.values ? ["valueCount"] : [])];
    const shown = Object.entries(pick(stored, columns)).map(([each, value]) => [each, sentValue(value, fields[each])]);
    const uses = hooks.uses && { uses: readNames((stored as { uses?: string }).uses ?? "") };
    return { ...Object.fromEntries(shown), ...uses, ...hooks.view?.(stored, now) } as RowView<F> &
      Key &
      Closable<Key> &
      Used &
      Extra;
  }

  /** Of a table whose columns have the names of the fields. */
  private derived(names: readonly string[]) {
    const table = this.table as T & Record<string, KeyColumn>;
    return transferOf<RowDocument<F>>()(table, this.keyName, this.row.title, names) as unknown as RowTransfer<
      Row,
      RowDocument<F>
    >;
  }

  /** The file replaces all rows. */
  private transferWhole(keyOf: (document: RowDocument<F>) => string): RowTransfer<Row, RowDocument<F>> {
    const { ordered: _ordered, ...unordered } = this.derived(this.names);
    const { table } = this;
    return {
      ...unordered,
      keyOf,
      rowKeyOf: keyOf as unknown as (row: Row) => string,
      write: (ctx, document) => [
        ctx.db.insert(table).values({ ...document, id: crypto.randomUUID(), sortOrder: lastPlace(table) } as never),
      ],
      isWhole: true,
      also: ({ db }) => [db.delete(table)],
    };
  }

  /** The file changes rows by their own key. */
  private transferEach(): RowTransfer<Row, RowDocument<F>> {
    const derived = this.derived([this.keyName, ...this.names]);
    return {
      ...derived,
      write: (ctx, document, here, site) => [
        ...derived.write(ctx, { ...document, ...this.modified(ctx) }, here, site),
        ...(this.hooks.also?.(ctx, derived.keyOf(document), document) ?? []),
      ],
    };
  }
}

/** The five calls and the transfer of a row type. */
export const rowsOf = <
  F extends RowFields,
  T extends RowTable<F>,
  Key extends object = { id: string },
  Extra extends object = {},
>(
  row: RowType<F>,
  table: T,
  hooks: RowHooks<F, InferSelectModel<T>, Key, Extra>,
) => new Rows<F, T, Key, Extra>(row, table, hooks);
