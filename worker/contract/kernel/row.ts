import type { EditedTarget, OrderedTarget } from "./audit-actions.ts";
import type { ConsoleRight } from "./console/console-page.ts";
import type { FieldBase, FieldWith } from "./field-kind.ts";
import * as kinds from "./kinds.ts";

export { canBeEmpty, isEmpty, isRequired } from "./field-kind.ts";
export * from "./kinds.ts";

type AnyKind = (typeof kinds)[keyof typeof kinds];
/** The kinds with a control of their own: a group has those of its fields. */
export type LeafKind = AnyKind["kind"];
type Kind = LeafKind | "group";
type RulesOf<K extends LeafKind> = Extract<AnyKind, { kind: K }>["rules"];
type OptionsOf<K extends Kind> = K extends LeafKind ? NonNullable<RulesOf<K>["options"]> : { fields: RowFields };
export type ControlName = RulesOf<LeafKind>["control"];

// oxlint-disable-next-line typescript/no-explicit-any -- a field of any value
export type FieldOf<K extends Kind, V = any, Stored = V> = FieldWith<K, OptionsOf<K>, V, Stored>;

/** A field that the office edits in the console: plain data without zod, also loaded by the browser. */
export type RowField<V = unknown, Stored = V> = { [K in Kind]: FieldOf<K, V, Stored> }[Kind];
/** A field that is no group. */
export type LeafField = { [K in LeafKind]: FieldOf<K> }[LeafKind];
/** A field that this control draws. */
export type FieldDrawnBy<C extends ControlName> = {
  [K in LeafKind]: RulesOf<K>["control"] extends C ? FieldOf<K> : never;
}[LeafKind];

export const KINDS = Object.fromEntries(Object.values(kinds).map(({ kind, rules }) => [kind, rules])) as {
  [K in LeafKind]: RulesOf<K>;
};

/** Of a field that says where money or mail goes. */
export const guardedBy = (right: ConsoleRight) =>
  ({ right, asks: "second factor", tells: "system administrators" }) as const satisfies Partial<RowField>;

/** Fields stored as one object; the form names each by its path. */
export const group = <F extends RowFields>(label: string, fields: F, more: Pick<RowField, "section"> = {}) =>
  ({ kind: "group", label, fields, ...more }) as FieldOf<"group", SentValues<F>, StoredValues<F>> & { fields: F };
/** Also the type of the input says that the field may be left out. */
export const kept = <R extends RowField>(each: R): R & { isKept: true } => ({ ...each, isKept: true });

/** Whether the form shows a field, by the value of the choice that decides. */
export const isShownWith = ({ onlyWith: [by, ...among] = [""] }: RowField, valueOf: (name: string) => unknown) =>
  by === "" || among.includes(String(valueOf(by)));

// oxlint-disable-next-line typescript/no-explicit-any -- fields of any value
export type RowFields = Record<string, RowField<any, any>>;
export type SentValues<F extends RowFields> = { [K in keyof F]: F[K] extends FieldBase<infer V, unknown> ? V : never };
export type StoredValues<F extends RowFields> = {
  [K in keyof F]: F[K] extends FieldBase<unknown, infer S> ? S : never;
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
    Object.entries<RowField>(fields).map(([name, each]) => [
      name,
      each.kind === "group" ? startOf(each.fields) : each.start,
    ]),
  ) as SentValues<F>;

/** Labels by name, those of a group included. */
export const labelsOf = (fields: Record<string, { label: string; fields?: RowFields }>): Record<string, string> =>
  Object.assign(
    {},
    ...Object.entries(fields).map(([name, each]) => ({
      [name]: each.label,
      ...(each.fields && labelsOf(each.fields)),
    })),
  ) as Record<string, string>;

/** Fields with their path, those of a group included. */
export const leavesOf = (fields: RowFields, path: readonly string[] = []): { path: string[]; field: LeafField }[] =>
  Object.entries<RowField>(fields).flatMap(([name, each]) =>
    each.kind === "group" ? leavesOf(each.fields, [...path, name]) : [{ path: [...path, name], field: each }],
  );

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
