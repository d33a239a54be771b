import { z } from "zod";
import {
  boundedDate,
  flagField,
  ISO_DATE_MESSAGE,
  optionalParameter,
  boundedDay,
  DAY_MESSAGE,
  lineField,
  reasonField,
  requiredLineField,
  versionField,
} from "./fields.ts";
import { orRequired, REQUIRED_MESSAGE } from "./korean-issues.ts";
import { SIZE_LIMITS } from "./limits.ts";
import {
  canBeEmpty,
  type FieldOf,
  type GivenValues,
  isEmpty,
  isRequired,
  isShownWith,
  type Kind,
  type ListedColumn,
  type RowField,
  type RowFields,
  type RowType,
  type SentValues,
  type StoredValues,
} from "./row.ts";

interface KindRules<K extends Kind> {
  /** Of a sent value; takes the empty one where the field may be empty. */
  schema: (field: FieldOf<K>) => z.ZodType;
  /** Of the stored value. */
  stored: (field: FieldOf<K>) => z.ZodType;
  /** Stored for nothing. */
  empty: (field: FieldOf<K>) => unknown;
  isEmpty?: (value: string) => boolean;
  /** Says in the description of a call that a required value is not empty. */
  least?: { minLength: 1 } | { minItems: 1 };
}

/** Markup without a letter or a picture. */
const isBlankMarkup = (html: string): boolean =>
  !html.toLowerCase().includes("<img") &&
  html
    .split("<")
    .every((part, at) => (at === 0 ? part : part.slice(part.indexOf(">") + 1)).replaceAll("&nbsp;", " ").trim() === "");

const emptyText = () => "";
const noNames = (): string[] => [];
const texts = z.array(z.string());
const textRules = {
  schema: ({ max = 200 }: { max?: number }) => lineField(max),
  stored: () => z.string(),
  empty: emptyText,
  least: { minLength: 1 },
} as const;
const numberRules = {
  schema(field: FieldOf<"number"> | FieldOf<"bytes">) {
    const { min = 0, max = SIZE_LIMITS.documentBytes } = field;
    const filled = z.number().int().min(min).max(max);
    return canBeEmpty(field) ? filled.nullable() : filled;
  },
  stored: (field: RowField) => (canBeEmpty(field) ? z.number().nullable() : z.number()),
  empty: () => null,
};
const namesOf = (options: object, more: readonly string[] = []) =>
  z.enum([...more, ...Object.keys(options)], { error: orRequired("선택할 수 없는 값입니다.") });
/** The value, or nothing in the way that its kind is sent or stored. */
const orNothing = (field: RowField, filled: z.ZodType, nothing: z.ZodType) =>
  canBeEmpty(field)
    ? z.union([nothing, filled], {
        error: ({ input, errors }) => orRequired(String(errors?.at(-1)?.[0]?.message))({ input }),
      })
    : filled;

export const KINDS: { [K in Kind]: KindRules<K> } = {
  line: textRules,
  code: textRules,
  link: textRules,
  html: {
    ...textRules,
    schema: () => z.string().max(SIZE_LIMITS.contentBytes / 4, { abort: true }),
    isEmpty: isBlankMarkup,
  },
  lines: {
    // An English line may be empty: it belongs to the Korean line at its place.
    schema: ({ max = 200, maxLines = 50, lang }) =>
      z.array(lang ? lineField(max) : requiredLineField(max)).max(maxLines),
    stored: () => texts,
    empty: noNames,
    least: { minItems: 1 },
  },
  day: {
    schema: (field) => orNothing(field, boundedDay(orRequired(DAY_MESSAGE)), z.literal("")),
    stored: () => z.string(),
    empty: emptyText,
  },
  moment: {
    schema: (field) =>
      orNothing(
        field,
        boundedDate(orRequired(ISO_DATE_MESSAGE)),
        z.literal(["", null]).transform(() => null),
      ),
    stored: (field) => (canBeEmpty(field) ? z.date().nullable() : z.date()),
    empty: () => null,
  },
  number: numberRules,
  bytes: numberRules,
  flag: { schema: () => flagField, stored: () => z.boolean(), empty: () => false },
  choice: {
    schema: (field) => namesOf(field.options, canBeEmpty(field) ? [""] : []),
    stored: (field) => namesOf(field.options, canBeEmpty(field) ? [""] : []),
    empty: emptyText,
  },
  choices: {
    schema: ({ options }) => z.array(namesOf(options)),
    stored: () => texts,
    empty: noNames,
    least: { minItems: 1 },
  },
  group: {
    schema: ({ fields }) => z.object(fieldShape(fields)),
    stored: ({ fields }) => z.object(storedShape(fields)),
    empty: ({ fields }) => storedStart(fields),
  },
};

const rulesOf = (field: RowField) => KINDS[field.kind] as KindRules<Kind>;

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
  const { schema, isEmpty: isBlank = isEmpty, least } = rulesOf(field);
  const value = schema(field);
  if (!isRequired(field)) return value;
  return value.refine((each) => !isBlank(each as never), REQUIRED_MESSAGE).meta({ ...least });
}

/** The stored value of a field that nobody filled in. */
const startValue = (field: RowField): unknown => (isEmpty(field.start) ? rulesOf(field).empty(field) : field.start);

const storedStart = (fields: RowFields): object =>
  Object.fromEntries(Object.entries<RowField>(fields).map(([name, field]) => [name, startValue(field)]));

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
  shapeOf(fields, (field) => rulesOf(field).stored(field).catch(startValue(field))) as {
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
    const schema = rulesOf(field).schema({ ...field, required: true } as never);
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
