import type { z } from "zod";
import type { ConsoleRight } from "./console/console-page.ts";
import type * as schemas from "./fields.ts";

/** Of every kind. */
export interface FieldBase<V, Stored> {
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

export interface Emptied {
  /** Refused when it is empty; with `onlyWith` only while it is shown. */
  required?: true;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a field of any value
export type FieldWith<Name extends string, Options, V = any, Stored = V> = { kind: Name } & FieldBase<V, Stored> &
  Options;

/** The schemas that rules are made of; rules get them as an argument, so that a page loads the rules without zod. */
export type Schemas = typeof schemas & { z: typeof z };

export interface KindRules<Options, Control extends string = string> {
  /** Sent for nothing. */
  empty: string | null | false | readonly never[];
  /** Stored for nothing, if that differs. */
  storedEmpty?: null;
  isEmpty?: (value: string) => boolean;
  /** Says in the description of a call that a required value is not empty. */
  least?: { minLength: 1 } | { minItems: 1 };
  /** Of a new field, unless it says otherwise. */
  defaults?: Partial<Options>;
  /** Draws and reads it in a form. */
  control: Control;
  /** Of a control for one line. */
  attributes?: { type?: "date" | "time"; autoCapitalize?: "none" };
  /** Of a sent value; takes the empty one where the field may be empty. */
  schema: (schemas: Schemas, field: FieldBase<unknown, unknown> & Options) => z.ZodType;
  /** Of the stored value. */
  stored: (schemas: Schemas, field: FieldBase<unknown, unknown> & Options) => z.ZodType;
}

/** Added to the type of a value that can be empty. */
export type OrEmpty<M, Empty> = M extends { required: true; onlyWith?: never } | { start: string | number }
  ? never
  : Empty;
export type MoreOf<Options, V> = Omit<FieldBase<V, V> & Options, "label" | "stored">;

/**
 * Called with its name and rules, and then to declare a field. `Empty` and `Nothing` are sent and stored for nothing,
 * where the types of a value lack them.
 */
export const defineKind =
  <Options extends object, Sent, Empty = never, Stored = Sent, Nothing = Empty>() =>
  <Name extends string, Control extends string>(kind: Name, rules: KindRules<Options, Control>) =>
    Object.assign(
      <M extends MoreOf<Options, Sent>>(label: string, more?: M) =>
        ({ kind, label, start: rules.empty, ...rules.defaults, ...more }) as unknown as FieldWith<
          Name,
          Options,
          Sent | OrEmpty<M, Empty>,
          Stored | OrEmpty<M, Nothing>
        >,
      { kind, rules: rules as KindRules<Options, Control> & { options?: Options } },
    );

/** Whether the value itself is refused when it is empty; a field that is not always shown depends on its row. */
export const isRequired = (each: Pick<FieldBase<unknown, unknown>, "onlyWith">): boolean =>
  "required" in each && each.required === true && each.onlyWith === undefined;

export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

export const canBeEmpty = (each: Pick<FieldBase<unknown, unknown>, "onlyWith" | "start">): boolean =>
  !isRequired(each) && isEmpty(each.start);
