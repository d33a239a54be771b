import type { EditedTarget, OrderedTarget } from "./audit-actions.ts";
import type { ConsoleRight } from "./console/console-page.ts";

/** A field that the office edits in the console: plain data without zod, also loaded by the browser. */
export interface RowField<V = unknown, Stored = V> {
  kind:
    | "line"
    | "code"
    | "link"
    | "html"
    | "moment"
    | "day"
    | "choice"
    | "flag"
    | "number"
    | "bytes"
    | "lines"
    | "choices"
    | "group";
  label: string;
  /** The label of the control if it differs from the name. */
  ask?: string;
  /** The part of the form that shows it. */
  section?: string;
  hint?: string;
  required?: true;
  /** Characters, of each line, or the largest number. */
  max?: number;
  min?: number;
  maxLines?: number;
  /** Of a control for a long line. */
  rows?: number;
  type?: "email" | "tel" | "search";
  placeholder?: string;
  /** Takes the whole width of its section. */
  isWide?: true;
  lang?: "en";
  options?: Readonly<Record<string, string>>;
  /** Draws the options as buttons. */
  asButtons?: true;
  /** A choice among the fields, and its values with which the form shows this field. */
  onlyWith?: readonly [field: string, ...values: string[]];
  /** Set once, for a new row. */
  isFixed?: true;
  /** A change without it keeps the stored value. */
  isKept?: true;
  /** Every call sends it: there is no value by default. */
  isSent?: true;
  /** The right that a change needs besides that of its area. */
  right?: ConsoleRight;
  /** A change needs the second factor again and a reason. */
  asks?: "second factor";
  /** The people who get a mail about a change, with before and after. */
  tells?: "system administrators";
  /** Only a system administrator sets a smaller number. */
  floor?: number;
  start?: V;
  fields?: RowFields;
  /** Carries the type of the stored value. */
  stored?: Stored;
}
type More<V = unknown> = Omit<RowField<V>, "kind" | "label" | "fields" | "stored">;

/** Of a field that says where money or mail goes. */
export const guardedBy = (right: ConsoleRight) =>
  ({ right, asks: "second factor", tells: "system administrators" }) as const satisfies Partial<RowField>;

export const LINK_URL_MAX = 300;

const field =
  <V, Stored = V>(kind: RowField["kind"], start: V) =>
  (label: string, more: More<V> = {}): RowField<V, Stored> => ({ kind, label, start, ...more });
export const line = field<string>("line", "");
/** Its pattern is given to `rowInputs`. */
export const code = field<string>("code", "");
export const html = field<string>("html", "");
export const flag = field<boolean>("flag", false);
export const moment = field<string, Date>("moment", "");
export const link = (label: string, more: More<string> = {}) =>
  field<string>("link", "")(label, { max: LINK_URL_MAX, ...more });
export const day = field<string>("day", "");
export const whole = field<number>("number", 0);
/** Stored in bytes, entered in megabytes. */
export const bytes = field<number>("bytes", 0);
export const lines = field<string[]>("lines", []);
/** Without a start nothing is chosen, as in the conditions of a list. */
export const choice = <K extends string>(
  label: string,
  options: Readonly<Record<K, string>>,
  start?: NoInfer<K>,
  more: More<K> = {},
): RowField<K> => ({ kind: "choice", label, options, ...(start && { start }), ...more });
export const choices = (label: string, options: readonly string[], more: More<string[]> = {}): RowField<string[]> => ({
  kind: "choices",
  label,
  options: Object.fromEntries(options.map((each) => [each, each])),
  start: [...options],
  ...more,
});
/** Fields stored as one object; the form names each by its path. */
export const group = <F extends RowFields>(
  label: string,
  fields: F,
  more: Pick<RowField, "section"> = {},
): RowField<SentValues<F>, StoredValues<F>> & { fields: F } => ({ kind: "group", label, fields, ...more });
/** Also the type of the input says that the field may be left out. */
export const kept = <R extends RowField>(each: R): R & { isKept: true } => ({ ...each, isKept: true });

// oxlint-disable-next-line typescript/no-explicit-any -- fields of any value
export type RowFields = Record<string, RowField<any, any>>;
export type SentValues<F extends RowFields> = { [K in keyof F]: F[K] extends RowField<infer V, unknown> ? V : never };
export type StoredValues<F extends RowFields> = {
  [K in keyof F]: F[K] extends RowField<unknown, infer S> ? S : never;
};
/** Values of an input: undefined for a field that keeps its stored value. */
export type GivenValues<F extends RowFields, Values> = {
  [K in keyof F & keyof Values]: Values[K] | (F[K] extends { isKept: true } ? undefined : never);
};
export type RowView<F extends RowFields> = SentValues<F> & { version: number };

export interface RowType<F extends RowFields> {
  /** In audit codes. */
  code: EditedTarget & OrderedTarget;
  name: string;
  /** The field shown as the row's name. */
  title: keyof F & string;
  /** How many rows there can be. */
  most?: number;
  /** Two moments, the second later than the first. */
  period?: readonly [keyof F & string, keyof F & string];
  /** A field that the office adds: known by a code, and closed instead of deleted once somebody filled it in. */
  closes?: true;
  fields: F;
  example: Partial<SentValues<F>>;
}

export const pickFields = <F extends RowFields>(fields: F, row: StoredValues<F>): StoredValues<F> =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, row[name as keyof F]])) as StoredValues<F>;

/** The start values of all fields. */
export const startOf = <F extends RowFields>(fields: F): SentValues<F> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, each]) => [name, each.fields ? startOf(each.fields) : each.start]),
  ) as SentValues<F>;

/** Labels by name, those of a group included. */
export const labelsOf = (fields: Record<string, Pick<RowField, "label" | "fields">>): Record<string, string> =>
  Object.assign(
    {},
    ...Object.entries(fields).map(([name, each]) => ({
      [name]: each.label,
      ...(each.fields && labelsOf(each.fields)),
    })),
  ) as Record<string, string>;

/** A column of a list: shown, sorted and exported. */
export interface ListedColumn<Row> {
  code: string;
  label: string;
  /** As a sheet shows it, and the page unless it draws the cell itself. */
  text: (row: Row) => string;
  /** The direction of the first click on its header. */
  sort?: "ASC" | "DESC";
  /** Left out of the page until it is chosen. */
  isOptional?: true;
}
