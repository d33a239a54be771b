import { z } from "zod";
import type { KindRules, Schemas } from "./field-kind.ts";
import * as schemas from "./fields.ts";
import { flagField, optionalParameter, reasonField, versionField } from "./fields.ts";
import { REQUIRED_MESSAGE } from "./korean-issues.ts";
import {
  type GivenValues,
  isEmpty,
  isRequired,
  isShownWith,
  KINDS,
  type LeafField,
  type ListedColumn,
  type RowField,
  type RowFields,
  type RowType,
  type SentValues,
  type StoredValues,
} from "./row.ts";

const SCHEMAS: Schemas = { z, ...schemas };

const rulesOf = (field: LeafField) => KINDS[field.kind] as KindRules<object>;

/** Of a sent value; takes the empty one where the field may be empty. */
const sentSchema = (field: RowField): z.ZodType =>
  field.kind === "group" ? z.object(fieldShape(field.fields)) : rulesOf(field).schema(SCHEMAS, field);

const storedSchema = (field: RowField): z.ZodType =>
  field.kind === "group" ? z.object(storedShape(field.fields)) : rulesOf(field).stored(SCHEMAS, field);

/** The stored value of a field that nobody filled in. */
function startValue(field: RowField): unknown {
  if (!isEmpty(field.start)) return field.start;
  if (field.kind === "group")
    return Object.fromEntries(Object.entries<RowField>(field.fields).map(([name, each]) => [name, startValue(each)]));
  const { empty, storedEmpty = empty } = rulesOf(field);
  return storedEmpty;
}

type Shape<F extends RowFields> = {
  [K in keyof F]: z.ZodType<GivenValues<F, StoredValues<F>>[K], GivenValues<F, SentValues<F>>[K]>;
};
type ShapeWithDefaults<F extends RowFields> = {
  [K in keyof F]: z.ZodType<GivenValues<F, StoredValues<F>>[K], SentValues<F>[K] | undefined> & {
    _zod: { optin: "optional" };
  };
};
/** The label is the field's name in messages and in the description of the call. */
const shapeOf = (fields: RowFields, schema: (field: RowField) => z.ZodType) =>
  Object.fromEntries(
    Object.entries<RowField>(fields).map(([name, field]) => [name, schema(field).meta({ title: field.label })]),
  );

/** Refuses nothing where something is required, whatever the kind. */
function valueSchema(field: RowField): z.ZodType {
  const schema = sentSchema(field);
  if (field.kind === "group" || !isRequired(field)) return schema;
  const { isEmpty: isBlank = isEmpty, least } = rulesOf(field);
  return schema.refine((each) => !isBlank(each as never), REQUIRED_MESSAGE).meta({ ...least });
}

function schemaOf(field: RowField): z.ZodType {
  const schema = valueSchema(field);
  if (field.isKept) return schema.optional();
  return isRequired(field) || field.isSent ? schema : schema.default(startValue(field));
}

/** A file from before the field has its fallback. */
const documentSchemaOf = (field: RowField): z.ZodType =>
  field.fallback === undefined ? schemaOf(field) : valueSchema(field).default(field.fallback);

export const fieldShape = <F extends RowFields>(fields: F) =>
  shapeOf(fields, (field) => schemaOf({ ...field, isSent: true })) as Shape<F>;

/** Of a change of a field with choices. */
export const renameFields = (choice: z.ZodType<string, string>, max: number) => ({
  /** Renamed choices; all that holds them is renamed as well. */
  renames: z
    .array(z.object({ from: choice, to: choice }))
    .max(max)
    .default([]),
  /** Saves although something keeps an old word. */
  leavesUses: flagField.default(false),
});

/** As a setting stores its fields: a broken value falls back to the field's start. */
export const storedShape = <F extends RowFields>(fields: F) =>
  shapeOf(fields, (field) => storedSchema(field).catch(startValue(field))) as {
    [K in keyof F]: z.ZodType<StoredValues<F>[K]>;
  };

/** Absent fields get their start value, unless they are required. */
export const newFieldShape = <F extends RowFields>(fields: F) => shapeOf(fields, schemaOf) as ShapeWithDefaults<F>;

/** As a settings file carries fields with columns of their own. */
export const documentShape = <F extends RowFields>(fields: F) =>
  shapeOf(fields, documentSchemaOf) as ShapeWithDefaults<F>;

/** Query parameters of a list's conditions: an empty one is none. */
export const filterShape = <F extends RowFields>(fields: F) =>
  shapeOf(fields, (field) => {
    const schema = sentSchema({ ...field, required: true } as RowField);
    return field.kind === "line" ? schema.optional() : optionalParameter(schema);
  }) as {
    [K in keyof F]: z.ZodOptional<z.ZodType<Exclude<SentValues<F>[K], "">, Exclude<SentValues<F>[K], "">>>;
  };

/** @param first the order without a parameter */
export const sortParameter = (columns: readonly Pick<ListedColumn<never>, "code" | "sort">[], first: string) =>
  z
    .enum(
      columns.flatMap(({ code, sort }) =>
        sort ? [`${code},${sort}`, `${code},${sort === "ASC" ? "DESC" : "ASC"}`] : [],
      ),
    )
    .default(first);

/** @param filter of a list, whose rows the export holds */
export const exportInput = <F extends z.ZodRawShape>(filter: F) =>
  z.object({
    filter: z.object(filter).default({} as never),
    format: z.enum(["csv", "xlsx"]).default("csv"),
    reason: reasonField,
  });

// oxlint-disable-next-line typescript/no-explicit-any -- values of any fields; a change lacks the fixed ones
type RowRule = readonly [fits: (values: any) => boolean, issue: { path: string[]; message: string }];

interface OwnRules {
  /** Schemas in place of those of the kinds. */
  shape?: z.ZodRawShape;
  /** Also in a change. */
  change?: z.ZodRawShape;
  rules?: readonly RowRule[];
}

const KEY = z.string().regex(/^[\w-]{1,50}$/, "형식이 올바르지 않습니다.");

export function rowInputs<F extends RowFields>(
  { fields, period, example, closes }: RowType<F>,
  { shape: own, change, rules = [] }: OwnRules = {},
) {
  const partOf = (schema = schemaOf, isUsed: (field: RowField) => boolean = () => true) =>
    Object.fromEntries(
      Object.entries<RowField>(fields).flatMap(([name, field]) =>
        isUsed(field) ? [[name, ((own?.[name] as z.ZodType) ?? schema(field)).meta({ title: field.label })]] : [],
      ),
    );
  const inOrder: RowRule[] = period
    ? [
        [
          (values) => period.some((name) => isEmpty(values[name])) || values[period[0]] < values[period[1]],
          { path: [period[1]], message: "끝나는 때가 시작하는 때보다 뒤여야 합니다." },
        ],
      ]
    : [];
  const whileShown = Object.entries<RowField>(fields).flatMap(([name, field]): RowRule[] =>
    "required" in field && field.required && !isRequired(field)
      ? [
          [
            (values) => !isShownWith(field, (by) => values[by]) || !isEmpty(values[name]),
            { path: [name], message: REQUIRED_MESSAGE },
          ],
        ]
      : [],
  );
  const ruled = (shape: z.ZodRawShape): z.ZodObject =>
    [...inOrder, ...rules, ...whileShown].reduce(
      (schema, [fits, issue]) => schema.refine(fits, issue),
      z.object(shape),
    );
  const closing = closes && { isClosed: flagField };
  const asking = Object.values<RowField>(fields).some(({ asks }) => asks) && { reason: reasonField.optional() };
  return {
    create: ruled({ ...partOf(), ...asking }).meta({ example }) as z.ZodType<StoredValues<F>, Partial<SentValues<F>>>,
    update: ruled({
      ...partOf(schemaOf, ({ isFixed }) => !isFixed),
      ...closing,
      ...change,
      ...asking,
      version: versionField,
    }) as z.ZodType as z.ZodType<StoredValues<F> & { version: number }, Partial<SentValues<F>> & { version: number }>,
    /** As the settings file carries a row. */
    document: ruled({
      ...(closes ? { code: own?.code ?? KEY } : { id: KEY }),
      ...partOf(documentSchemaOf),
      ...closing,
    }) as z.ZodType<RowDocument<F>>,
  };
}

export type RowDocument<F extends RowFields> = StoredValues<F> & { id?: string; code?: string };
export type RowInputs<F extends RowFields> = ReturnType<typeof rowInputs<F>>;
