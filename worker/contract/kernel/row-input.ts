import { z } from "zod";
import {
  dayField,
  flagField,
  optionalParameter,
  isoDateField,
  lineField,
  reasonField,
  requiredLineField,
  versionField,
} from "./fields.ts";
import { SIZE_LIMITS } from "./limits.ts";
import {
  type GivenValues,
  type ListedColumn,
  type RowField,
  type RowFields,
  type RowType,
  type SentValues,
  startOf,
  type StoredValues,
} from "./row.ts";

const lineOf = ({ required, max = 200 }: RowField) => (required ? requiredLineField(max) : lineField(max));
const numberOf = ({ min = 0, max = SIZE_LIMITS.documentBytes }: RowField) => z.number().int().min(min).max(max);
const namesOf = ({ options = {} }: RowField) => z.enum(Object.keys(options));
const SCHEMAS: Record<RowField["kind"], (field: RowField) => z.ZodType> = {
  line: lineOf,
  code: lineOf,
  link: lineOf,
  html: () => z.string().max(SIZE_LIMITS.contentBytes / 4),
  moment: () => isoDateField,
  day: () => dayField,
  choice: namesOf,
  choices: (field) => z.array(namesOf(field)),
  flag: () => flagField,
  number: numberOf,
  bytes: numberOf,
  // An English line may be empty: it belongs to the Korean line at its place.
  lines: ({ max = 200, maxLines = 50, lang }) => z.array(lang ? lineField(max) : requiredLineField(max)).max(maxLines),
  group: ({ fields = {} }) => z.object(fieldShape(fields)),
};

type Shape<F extends RowFields> = {
  [K in keyof F]: z.ZodType<GivenValues<F, StoredValues<F>>[K], GivenValues<F, SentValues<F>>[K]>;
};
type ShapeWithDefaults<F extends RowFields> = {
  [K in keyof F]: z.ZodType<GivenValues<F, StoredValues<F>>[K], SentValues<F>[K] | undefined> & {
    _zod: { optin: "optional" };
  };
};
const shapeOf = (fields: RowFields, schema: (field: RowField) => z.ZodType) =>
  Object.fromEntries(Object.entries<RowField>(fields).map(([name, field]) => [name, schema(field)]));

function schemaOf(field: RowField): z.ZodType {
  const schema = SCHEMAS[field.kind](field);
  if (field.isKept) return schema.optional();
  return field.required || field.isSent ? schema : schema.default(field.start);
}

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

const texts = z.array(z.string());
const STORED: Partial<Record<RowField["kind"], (field: RowField) => z.ZodType>> = {
  moment: () => z.date(),
  choice: namesOf,
  choices: () => texts,
  flag: () => z.boolean(),
  number: () => z.number(),
  bytes: () => z.number(),
  lines: () => texts,
  group: ({ fields = {} }) => z.object(storedShape(fields)),
};

/** As a setting stores its fields: a broken value falls back to the field's start. */
export const storedShape = <F extends RowFields>(fields: F) =>
  shapeOf(fields, (field) =>
    (STORED[field.kind]?.(field) ?? z.string()).catch(field.fields ? startOf(field.fields) : field.start),
  ) as { [K in keyof F]: z.ZodType<StoredValues<F>[K]> };

/** Absent fields get their start value, unless they are required. */
export const newFieldShape = <F extends RowFields>(fields: F) => shapeOf(fields, schemaOf) as ShapeWithDefaults<F>;

/** Query parameters of a list's conditions. */
export const filterShape = <F extends RowFields>(fields: F) =>
  shapeOf(fields, (field) => {
    const schema = SCHEMAS[field.kind](field);
    return field.kind === "line" ? schema.optional() : optionalParameter(schema);
  }) as { [K in keyof F]: z.ZodOptional<z.ZodType<SentValues<F>[K], SentValues<F>[K]>> };

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
  const partOf = (isUsed: (field: RowField) => boolean) =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]) =>
        isUsed(field) ? [[name, own?.[name] ?? schemaOf(field)]] : [],
      ),
    );
  const inOrder: RowRule[] = period
    ? [
        [
          (values) => values[period[0]] < values[period[1]],
          { path: [period[1]], message: "끝나는 때가 시작하는 때보다 뒤여야 합니다." },
        ],
      ]
    : [];
  const ruled = (shape: z.ZodRawShape): z.ZodObject =>
    [...inOrder, ...rules].reduce((schema, [fits, issue]) => schema.refine(fits, issue), z.object(shape));
  const closing = closes && { isClosed: flagField };
  const asking = Object.values<RowField>(fields).some(({ asks }) => asks) && { reason: reasonField.optional() };
  return {
    create: ruled({ ...partOf(() => true), ...asking }).meta({ example }) as z.ZodType<
      StoredValues<F>,
      Partial<SentValues<F>>
    >,
    update: ruled({
      ...partOf(({ isFixed }) => !isFixed),
      ...closing,
      ...change,
      ...asking,
      version: versionField,
    }) as z.ZodType as z.ZodType<StoredValues<F> & { version: number }, Partial<SentValues<F>> & { version: number }>,
    /** As the settings file carries a row. */
    document: ruled({
      ...(closes ? { code: own?.code ?? KEY } : { id: KEY }),
      ...partOf(() => true),
      ...closing,
    }) as z.ZodType<RowDocument<F>>,
  };
}

export type RowDocument<F extends RowFields> = StoredValues<F> & { id?: string; code?: string };
export type RowInputs<F extends RowFields> = ReturnType<typeof rowInputs<F>>;
