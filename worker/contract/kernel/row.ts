import type { EditedTarget, OrderedTarget } from "./audit-actions.ts";
import { CONSOLE_ROWS } from "./console/console-pages.ts";

/** Rows that the office orders and edits in the console: plain data without zod, also loaded by the browser. */
export interface RowField<V = unknown, Stored = V> {
  kind: "line" | "lines" | "code" | "link" | "html" | "moment" | "choice" | "flag";
  label: string;
  hint?: string;
  required?: true;
  /** Characters, of each line. */
  max?: number;
  maxLines?: number;
  lang?: "en";
  options?: Readonly<Record<string, string>>;
  /** Set once, for a new row. */
  isFixed?: true;
  /** A change without it keeps the stored value. */
  isKept?: true;
  /** Every call sends it: there is no value by default. */
  isSent?: true;
  start?: V;
  /** Carries the type of the stored value. */
  stored?: Stored;
}
type More = Pick<RowField, "hint" | "required" | "max" | "maxLines" | "lang" | "isFixed" | "isKept" | "isSent">;

export const LINK_URL_MAX = 300;

const field =
  <V, Stored = V>(kind: RowField["kind"], start: V) =>
  (label: string, more: More = {}): RowField<V, Stored> => ({ kind, label, start, ...more });
export const line = field<string>("line", "");
export const lines = field<string[]>("lines", []);
/** Its pattern is given to `rowInputs`. */
export const code = field<string>("code", "");
export const html = field<string>("html", "");
export const flag = field<boolean>("flag", false);
export const moment = field<string, Date>("moment", "");
export const link = (label: string, more: More = {}) =>
  field<string>("link", "")(label, { max: LINK_URL_MAX, ...more });
export const choice = <K extends string>(
  label: string,
  options: Readonly<Record<K, string>>,
  start: NoInfer<K>,
  more: More = {},
): RowField<K> => ({ kind: "choice", label, options, start, ...more });

// oxlint-disable-next-line typescript/no-explicit-any -- fields of any value
export type RowFields = Record<string, RowField<any, any>>;
export type SentValues<F extends RowFields> = { [K in keyof F]: F[K] extends RowField<infer V, unknown> ? V : never };
export type StoredValues<F extends RowFields> = {
  [K in keyof F]: F[K] extends RowField<unknown, infer S> ? S : never;
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

/** @param row with `name` and `title` unless it has a screen of its own */
export const defineRow = <F extends RowFields>(
  rowCode: RowType<F>["code"],
  row: Omit<RowType<F>, "code" | "name" | "title"> & Partial<Pick<RowType<F>, "name" | "title">>,
): RowType<F> => ({ code: rowCode, ...CONSOLE_ROWS.find((each) => each.code === rowCode), ...row }) as RowType<F>;
