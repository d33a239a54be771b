import type { FieldOf, LeafField } from "#worker/contract/kernel/row.ts";

const otherOf = <T>(value: unknown, one: T, other: T): T =>
  JSON.stringify(value) === JSON.stringify(one) ? other : one;
const otherNumber = ({ min = 0, max = 100 }: { min?: number; max?: number }, value: unknown) =>
  otherOf(value, max, Math.max(min, 5));
const otherText = ({ max = 1000 }: { max?: number }, value: unknown) => `${String(value)}가`.slice(-max);

/** Another value of each kind. */
const OTHER_VALUES: { [K in LeafField["kind"]]: (field: FieldOf<K>, value: unknown) => unknown } = {
  line(field, value) {
    if (field.type === "email") return otherOf(value, "other@society.kr", "another@society.kr");
    if (field.type === "tel") return otherOf(value, "02-7777-7777", "02-8888-8888");
    return field.rows ? `${String(value)} 덧붙임` : otherText(field, value);
  },
  code: (_field, value) => otherOf(value, "major", "minor"),
  link: (_field, value) => otherOf(value, "https://pay.example.kr/other", "https://pay.example.kr/another"),
  html: (_field, value) => otherOf(value, "<p>다른 글</p>", "<p>또 다른 글</p>"),
  lines: (_field, value) => otherOf(value, ["정회원 70000"], ["정회원 80000"]),
  day: (_field, value) => otherOf(value, "2030-01-31", "2031-02-01"),
  moment: (_field, value) => otherOf(value, "2097-01-01T00:00:00.000Z", "2098-01-01T00:00:00.000Z"),
  number: otherNumber,
  bytes: otherNumber,
  flag: (_field, value) => value !== true,
  choice: ({ options }, value) => Object.keys(options).find((each) => each !== value),
  choices: ({ options }, value) => otherOf(value, Object.keys(options).slice(0, 1), Object.keys(options).slice(1, 2)),
};

export const otherValue = (field: LeafField, value: unknown): unknown =>
  OTHER_VALUES[field.kind](field as never, value);
