import { z } from "zod";
import { flagField, isoDateField, lineField, requiredLineField, versionField } from "./fields.ts";
import { SIZE_LIMITS } from "./limits.ts";
import type { RowField, RowFields, RowType, SentValues, StoredValues } from "./row.ts";

const lineOf = ({ required, max = 200 }: RowField) => (required ? requiredLineField(max) : lineField(max).default(""));
const htmlField = z.string().max(SIZE_LIMITS.contentBytes / 4);
const SCHEMAS: Record<RowField["kind"], (field: RowField) => z.ZodType> = {
  line: lineOf,
  link: lineOf,
  html: ({ required }) => (required ? htmlField : htmlField.default("")),
  moment: () => isoDateField,
  choice: ({ options = {}, start }) => z.enum(Object.keys(options)).default(start as string),
  flag: ({ start }) => flagField.default(start as boolean),
};

export function rowInputs<F extends RowFields>({ fields, period, example }: RowType<F>) {
  const shape = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, SCHEMAS[field.kind](field)]));
  const inOrder = (schema: z.ZodObject): z.ZodType =>
    period === undefined
      ? schema
      : schema.refine((values) => (values[period[0]] as Date) < (values[period[1]] as Date), {
          path: [period[1]],
          message: "끝나는 때가 시작하는 때보다 뒤여야 합니다.",
        });
  const id = z.string().regex(/^[\w-]{1,50}$/, "형식이 올바르지 않습니다.");
  return {
    create: inOrder(z.object(shape)).meta({ example }) as z.ZodType<StoredValues<F>, Partial<SentValues<F>>>,
    update: inOrder(z.object({ ...shape, version: versionField })) as z.ZodType<
      StoredValues<F> & { version: number },
      Partial<SentValues<F>> & { version: number }
    >,
    /** As the settings file carries a row. */
    document: inOrder(z.object({ id, ...shape })) as z.ZodType<StoredValues<F> & { id: string }>,
  };
}
