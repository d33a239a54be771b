import type { ControlName, FieldDrawnBy, LeafField, RowField } from "#worker/contract/kernel/row.ts";
import { KINDS } from "#worker/contract/kernel/row.ts";
import { fieldShape } from "#worker/contract/kernel/row-input.ts";

const MB = 1024 * 1024;

function textsOf(field: FieldDrawnBy<"text">, value: unknown): string[] {
  if (field.kind === "code") return ["major", "minor"];
  if (field.kind === "link") return ["https://pay.example.kr/other", "https://pay.example.kr/another"];
  const { type, max = 1000, rows }: Partial<FieldDrawnBy<"text"> & { type: string; max: number; rows: number }> = field;
  if (type === "email") return ["other@society.kr", "another@society.kr"];
  if (type === "tel") return ["02-7777-7777", "02-8888-8888"];
  const longer = rows ? `${String(value)} 덧붙임` : `${String(value)}가`.slice(-max);
  return [longer, "2030-01-31", "2031-02-01", "09:30", "10:30"];
}

/** Values to choose from, by the control of a kind. */
const SAMPLES: { [C in ControlName]: (field: FieldDrawnBy<C>, value: unknown) => unknown[] } = {
  text: textsOf,
  editor: () => ["<p>다른 글</p>", "<p>또 다른 글</p>"],
  lines: () => [["정회원 70000"], ["정회원 80000"]],
  moment: () => ["2097-01-01T00:00:00.000Z", "2098-01-01T00:00:00.000Z"],
  number: ({ min = 0, max = 100 }) => [max, Math.max(min, 5)],
  megabytes: ({ max = 20 * MB }) => [max, 5 * MB],
  tick: () => [true, false],
  choice: ({ options }) => Object.keys(options),
  ticks: ({ options }) => Object.keys(options).map((each) => [each]),
};

/** Another value that the kind takes. */
export function otherValue(field: LeafField, value: unknown): unknown {
  const { field: schema } = fieldShape({ field: { ...field, required: true } as RowField });
  const samples = SAMPLES[KINDS[field.kind].control](field as never, value);
  const isOther = (sample: unknown) => JSON.stringify(sample) !== JSON.stringify(value);
  const found = samples.find((sample) => isOther(sample) && schema.safeParse(sample).success);
  if (found === undefined) throw new Error(`test/support/field-samples.ts has no value of the kind ${field.kind}`);
  return found;
}
