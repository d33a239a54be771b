import type { EditedTarget, OrderedTarget } from "./audit-actions.ts";
import type { ConsoleRight } from "./console/console-page.ts";

/** Of every kind. */
interface FieldBase<V, Stored> {
  label: string;
  /** The label of the control if it differs from the name. */
  ask?: string;
  /** The part of the form that shows it. */
  section?: string;
  hint?: string;
  /** Takes the whole width of its section. */
  isWide?: true;
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
  start?: V;
  /** The value in settings files from before the field, and in the rows of that time. */
  fallback?: V;
  /** Carries the type of the stored value. */
  stored?: Stored;
}

interface Emptied {
  /** Refused when it is empty; with `onlyWith` only while it is shown. */
  required?: true;
}

interface NumberOptions extends Emptied {
  min?: number;
  max?: number;
  /** Only a system administrator sets a smaller number. */
  floor?: number;
}

interface TextOptions extends Emptied {
  /** Characters. */
  max?: number;
  lang?: "en";
}

/** The options of each kind besides those of every field. */
interface KindOptions {
  line: TextOptions & {
    /** Of a control for a long line. */
    rows?: number;
    type?: "email" | "tel" | "search";
    placeholder?: string;
  };
  code: TextOptions;
  link: TextOptions;
  html: TextOptions;
  /** Characters of each line. */
  lines: TextOptions & { maxLines?: number };
  day: Emptied;
  moment: Emptied;
  number: NumberOptions;
  bytes: NumberOptions;
  flag: object;
  choice: Emptied & {
    options: Readonly<Record<string, string>>;
    /** Draws the options as buttons. */
    asButtons?: true;
    /** The choice of nothing. */
    placeholder?: string;
  };
  choices: Emptied & { options: Readonly<Record<string, string>> };
  group: { fields: RowFields };
}

export type Kind = keyof KindOptions;

// oxlint-disable-next-line typescript/no-explicit-any -- a field of any value
export type FieldOf<K extends Kind, V = any, Stored = V> = { kind: K } & FieldBase<V, Stored> & KindOptions[K];

/** A field that the office edits in the console: plain data without zod, also loaded by the browser. */
export type RowField<V = unknown, Stored = V> = { [K in Kind]: FieldOf<K, V, Stored> }[Kind];

/** A value that is sent for nothing. */
const EMPTY = {
  line: "",
  code: "",
  link: "",
  html: "",
  lines: [],
  day: "",
  moment: "",
  number: null,
  bytes: null,
  flag: false,
  choice: "",
  choices: [],
  group: undefined,
} as const satisfies Record<Kind, unknown>;

type More<K extends Kind, V> = Omit<FieldOf<K, V>, "kind" | "label" | "options" | "fields" | "stored">;
/** Added to the type of a value that can be empty. */
type OrEmpty<M, Empty> = M extends { required: true; onlyWith?: never } | { start: string | number } ? never : Empty;

/** Of a field that says where money or mail goes. */
export const guardedBy = (right: ConsoleRight) =>
  ({ right, asks: "second factor", tells: "system administrators" }) as const satisfies Partial<RowField>;

export const LINK_URL_MAX = 300;

const field = <K extends Kind, V, Stored = V>(kind: K, label: string, more: object) =>
  ({ kind, label, start: EMPTY[kind], ...more }) as unknown as FieldOf<K, V, Stored>;
export const line = (label: string, more: More<"line", string> = {}) => field<"line", string>("line", label, more);
/** Its pattern is given to `rowInputs`. */
export const code = (label: string, more: More<"code", string> = {}) => field<"code", string>("code", label, more);
export const html = (label: string, more: More<"html", string> = {}) => field<"html", string>("html", label, more);
export const link = (label: string, more: More<"link", string> = {}) =>
  field<"link", string>("link", label, { max: LINK_URL_MAX, ...more });
export const lines = (label: string, more: More<"lines", string[]> = {}) =>
  field<"lines", string[]>("lines", label, more);
export const flag = (label: string, more: More<"flag", boolean> = {}) => field<"flag", boolean>("flag", label, more);
export const day = (label: string, more: More<"day", string> = {}) => field<"day", string>("day", label, more);
/** Stored as null when it is empty. */
export const moment = <M extends More<"moment", string>>(label: string, more?: M) =>
  field<"moment", string, Date | OrEmpty<M, null>>("moment", label, more ?? {});
/** Null when it is empty; with `start: 0` that is 0, and with another start it is refused. */
export const whole = <M extends More<"number", number>>(label: string, more?: M) =>
  field<"number", number | OrEmpty<M, null>>("number", label, more ?? {});
/** Stored in bytes, entered in megabytes. */
export const bytes = <M extends More<"bytes", number>>(label: string, more?: M) =>
  field<"bytes", number | OrEmpty<M, null>>("bytes", label, more ?? {});
/** Without a start nothing is chosen, as in the conditions of a list. */
export const choice = <
  K extends string,
  S extends NoInfer<K> | undefined = undefined,
  M extends More<"choice", K> = More<"choice", K>,
>(
  label: string,
  options: Readonly<Record<K, string>>,
  start?: S,
  more?: M,
) =>
  field<"choice", K | (S extends string ? never : OrEmpty<M, "">)>("choice", label, {
    options,
    ...(start && { start }),
    ...more,
  });
export const choices = (label: string, options: readonly string[], more: More<"choices", string[]> = {}) =>
  field<"choices", string[]>("choices", label, {
    options: Object.fromEntries(options.map((each) => [each, each])),
    start: [...options],
    ...more,
  });
/** Fields stored as one object; the form names each by its path. */
export const group = <F extends RowFields>(label: string, fields: F, more: Pick<RowField, "section"> = {}) =>
  field<"group", SentValues<F>, StoredValues<F>>("group", label, { fields, ...more }) as FieldOf<
    "group",
    SentValues<F>,
    StoredValues<F>
  > & { fields: F };
/** Also the type of the input says that the field may be left out. */
export const kept = <R extends RowField>(each: R): R & { isKept: true } => ({ ...each, isKept: true });

/** Whether the value itself is refused when it is empty; a field that is not always shown depends on its row. */
export const isRequired = (each: RowField): boolean =>
  "required" in each && each.required === true && each.onlyWith === undefined;

export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

export const canBeEmpty = (each: RowField): boolean => !isRequired(each) && isEmpty(each.start);

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

/** A field that is no group. */
export type LeafField = FieldOf<Exclude<Kind, "group">>;

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
