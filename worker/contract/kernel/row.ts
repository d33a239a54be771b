import { CONSOLE_ROWS, type ConsoleRow } from "./console/console-pages.ts";

/** Rows that the office orders and edits in the console: plain data without zod, also loaded by the browser. */
export interface RowField<V = unknown, Stored = V> {
  kind: "line" | "link" | "html" | "moment" | "choice" | "flag";
  label: string;
  hint?: string;
  required?: true;
  /** Characters. */
  max?: number;
  lang?: "en";
  options?: Readonly<Record<string, string>>;
  start?: V;
  /** Carries the type of the stored value. */
  stored?: Stored;
}
type More = Pick<RowField, "hint" | "required" | "max" | "lang">;

export const LINK_URL_MAX = 300;

const field =
  <V, Stored = V>(kind: RowField["kind"], start: V) =>
  (label: string, more: More = {}): RowField<V, Stored> => ({ kind, label, start, ...more });
export const line = field<string>("line", "");
export const html = field<string>("html", "");
export const flag = field<boolean>("flag", false);
export const moment = field<string, Date>("moment", "");
export const link = (label: string, more: More = {}) =>
  field<string>("link", "")(label, { max: LINK_URL_MAX, ...more });
export const choice = <K extends string>(
  label: string,
  options: Readonly<Record<K, string>>,
  start: NoInfer<K>,
  hint?: string,
): RowField<K> => ({ kind: "choice", label, options, start, ...(hint && { hint }) });

// oxlint-disable-next-line typescript/no-explicit-any -- fields of any value
export type RowFields = Record<string, RowField<any, any>>;
export type SentValues<F extends RowFields> = { [K in keyof F]: F[K] extends RowField<infer V, unknown> ? V : never };
export type StoredValues<F extends RowFields> = {
  [K in keyof F]: F[K] extends RowField<unknown, infer S> ? S : never;
};
export type RowView<F extends RowFields> = SentValues<F> & { id: string; version: number };

export interface RowType<F extends RowFields> {
  code: ConsoleRow["code"];
  name: string;
  /** The field shown as the row's name. */
  title: keyof F & string;
  /** How many rows there can be. */
  most?: number;
  /** Two moments, the second later than the first. */
  period?: readonly [keyof F & string, keyof F & string];
  fields: F;
  example: Partial<SentValues<F>>;
}

export function defineRow<F extends RowFields>(
  code: ConsoleRow["code"],
  row: Omit<RowType<F>, "code" | "name" | "title">,
): RowType<F> {
  const { name, title } = CONSOLE_ROWS.find((each) => each.code === code) as ConsoleRow;
  return { code, name, title: title as keyof F & string, ...row };
}
