import { expect, test } from "vitest";
import { z } from "zod";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";

const input = z.object({
  title: z.string().min(1),
  rows: z.array(z.object({ odd: z.string() })).optional(),
  size: z.number().max(5).optional(),
});
const failure = (value: unknown) => {
  try {
    parseInput(input, value);
  } catch (error) {
    const { message, fields } = error as { message: string; fields: Record<string, string> };
    return { message, fields };
  }
  return null;
};

test("a missing field is named in the message, but not in the error at the field", () => {
  expect(failure({})).toEqual({ message: "제목 항목을 확인바랍니다.", fields: { title: "필수 항목입니다." } });
  expect(failure({ title: "" })?.message).toBe("제목 항목을 확인바랍니다.");
  // A field without a label is named by its key.
  expect(failure({ title: "a", rows: [{ odd: "" }, {}] })).toEqual({
    message: "odd 항목을 확인바랍니다.",
    fields: { "rows.1.odd": "필수 항목입니다." },
  });
  expect(failure({ title: "a", size: 9 })?.message).toBe("5 이하여야 합니다.");
});
