import { describe, expect, test } from "vitest";
import { z } from "zod";
import { lineField, requiredLineField, requiredTextField, textField } from "#worker/contract/kernel/fields.ts";

const modules = import.meta.glob<Record<string, unknown>>("../../../worker/contract/**/*.ts", { eager: true });
const schemas = Object.entries(modules).flatMap(([file, exported]) =>
  Object.entries(exported).flatMap(([name, value]) =>
    value instanceof z.ZodType ? [[`${file.split("/contract/")[1]} ${name}`, value] as const] : [],
  ),
);

const TOO_LONG = "1 ".repeat(1_000_000);

type Def = { type: string; [key: string]: unknown };
const defOf = (schema: z.ZodType) => schema._zod.def as unknown as Def;

/** Values of the schema, each with the long text in a different place. */
function valuesWithText(schema: z.ZodType, depth = 0): unknown[] {
  const def = defOf(schema);
  const inner = (key: string) => valuesWithText(def[key] as z.ZodType, depth + 1);
  if (depth > 12) return [];
  switch (def.type) {
    case "string":
      return [TOO_LONG];
    case "object":
      return Object.entries(def.shape as Record<string, z.ZodType>).flatMap(([key, field]) =>
        valuesWithText(field, depth + 1).map((value) => ({ [key]: value })),
      );
    case "array":
      return inner("element").map((value) => [value]);
    case "record":
      return [...inner("valueType").map((value) => ({ key: value })), { [TOO_LONG]: "" }];
    case "union":
      return (def.options as z.ZodType[]).flatMap((option) => valuesWithText(option, depth + 1));
    case "pipe":
      return [...inner("in"), ...(defOf(def.in as z.ZodType).type === "transform" ? inner("out") : [])];
    case "enum":
    case "literal":
    case "transform":
      return [TOO_LONG];
    default:
      return def.innerType ? inner("innerType") : [];
  }
}

/** zod's search for surrogate pairs before it counts letters; a single pass. */
const LETTER_OF_ZOD = "[\\uD800-\\uDBFF]";
/** True for a pattern tried only once, at the start. Other tests show that it is linear. */
const isTriedOnce = ({ source }: RegExp) => source.startsWith("^") || source === LETTER_OF_ZOD;

const exec = RegExp.prototype.exec;
const replaceExec = (value: typeof exec) =>
  // Every pattern passes through `exec`.
  // oxlint-disable-next-line no-extend-native
  Object.defineProperty(RegExp.prototype, "exec", { value, configurable: true, writable: true });

/** Returns the patterns that met the long text during `act`; each match is cut short. */
function patternsThatMeetLongText(act: () => void): string[] {
  const met: string[] = [];
  replaceExec(function (this: RegExp, text: string) {
    if (text.length < TOO_LONG.length || isTriedOnce(this)) return exec.call(this, text);
    met.push(String(this));
    return null;
  });
  try {
    act();
  } finally {
    replaceExec(exec);
  }
  return met;
}

describe("an overlong text", () => {
  test("is noticed by the pattern counter", () => {
    expect(patternsThatMeetLongText(() => TOO_LONG.replace(/\s+/g, " "))).not.toEqual([]);
    expect(patternsThatMeetLongText(() => /^\d{6}$/.test(TOO_LONG))).toEqual([]);
    expect(schemas.length).toBeGreaterThan(100);
  });

  test.each(schemas)("reaches no unbounded pattern: %s", (_name, schema) => {
    const values = valuesWithText(schema);
    for (const value of values)
      expect(
        patternsThatMeetLongText(() => schema.safeParse(value)),
        `${value}`,
      ).toEqual([]);
  });

  test.each(Object.entries({ lineField, requiredLineField, textField, requiredTextField }))(
    "is refused after cleaning and before parsing: %s",
    (_name, field) => {
      const answer = field(20).safeParse("900101-1234567 900101-1234567");
      expect(answer.error?.issues.map(({ code }) => code)).toEqual(["too_big"]);
    },
  );
});
