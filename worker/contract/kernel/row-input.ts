import { z } from "zod";
import { flagField, isoDateField, lineField, requiredLineField, versionField } from "./fields.ts";
import { SIZE_LIMITS } from "./limits.ts";
import type { RowField, RowFields, RowType, SentValues, StoredValues } from "./row.ts";

const lineOf = ({ required, max = 200 }: RowField) => (required ? requiredLineField(max) : lineField(max));
const htmlField = z.string().max(SIZE_LIMITS.contentBytes / 4);
const SCHEMAS: Record<RowField["kind"], (field: RowField) => z.ZodType> = {
  line: lineOf,
  // An English line may be empty: it belongs to the Korean line at its place.
  lines: ({ max = 200, maxLines = 50, lang }) => z.array(lang ? lineField(max) : requiredLineField(max)).max(maxLines),
  code: lineOf,
  link: lineOf,
  html: () => htmlField,
  moment: () => isoDateField,
  choice: ({ options = {} }) => z.enum(Object.keys(options)),
  flag: () => flagField,
};

function schemaOf(field: RowField): z.ZodType {
  const schema = SCHEMAS[field.kind](field);
  if (field.isKept) return schema.optional();
  return field.required || field.isSent ? schema : schema.default(field.start);
}

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
  const shapeOf = (isUsed: (field: RowField) => boolean) =>
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
  return {
    create: ruled(shapeOf(() => true)).meta({ example }) as z.ZodType<StoredValues<F>, Partial<SentValues<F>>>,
    update: ruled({
      ...shapeOf(({ isFixed }) => !isFixed),
      ...closing,
      ...change,
      version: versionField,
    }) as z.ZodType as z.ZodType<StoredValues<F> & { version: number }, Partial<SentValues<F>> & { version: number }>,
    /** As the settings file carries a row. */
    document: ruled({
      ...(closes ? { code: own?.code ?? KEY } : { id: KEY }),
      ...shapeOf(() => true),
      ...closing,
    }) as z.ZodType<RowDocument<F>>,
  };
}

export type RowDocument<F extends RowFields> = StoredValues<F> & { id?: string; code?: string };
export type RowInputs<F extends RowFields> = ReturnType<typeof rowInputs<F>>;
