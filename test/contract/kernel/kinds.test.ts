import { expect, test } from "vitest";
import { z } from "zod";
import { readRow } from "#app/features/form/row-fields.tsx";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import { documentShape, newFieldShape, rowInputs, storedShape } from "#worker/contract/kernel/row-input.ts";
import {
  choice,
  html,
  KINDS as RULES,
  type LeafField,
  type LeafKind,
  line,
  moment,
  type RowFields,
  type RowType,
  startOf,
  whole,
} from "#worker/contract/kernel/row.ts";
import README from "../../../worker/domain/README.md?raw";
import { otherValue } from "../../support/field-samples.ts";
import { sentForm, withEmptied } from "../../support/form-controls.ts";

const LABEL = "담당";
const COLORS = { red: "빨강", blue: "파랑" };

const KINDS = Object.keys(RULES) as LeafKind[];
/** With options that only some kinds need. */
const fieldOf = (kind: LeafKind, more: { required?: true } = {}) =>
  ({ kind, label: LABEL, start: RULES[kind].empty, max: 20 * 1024 * 1024, options: COLORS, ...more }) as LeafField;
const REQUIRABLE = KINDS.filter((kind) => RULES[kind].control !== "tick");

const rowWith = (fields: RowFields): RowType<RowFields> => ({
  code: "popup",
  name: "줄",
  title: "name",
  fields: { name: line("이름", { required: true }), ...fields },
  example: {},
});
const parse = (schema: z.ZodType, value: unknown) => parseInput(schema, value) as { field: unknown };
const refusal = (schema: z.ZodType, value: object) => {
  try {
    return parse(schema, value);
  } catch (error) {
    const { message, fields } = error as { message: string; fields: object };
    return { message, fields };
  }
};

test.each(KINDS)("an optional %s survives every way, empty or full", (kind) => {
  const fields = { field: fieldOf(kind) };
  const { create, update, document } = rowInputs(rowWith(fields));
  const { field: empty } = startOf(fields);
  for (const value of [empty, otherValue(fields.field, empty)]) {
    const { field: stored } = parse(create, { name: "하나", field: value });
    expect(parse(update, { name: "하나", field: value, version: 1 }).field).toEqual(stored);
    const file = JSON.parse(JSON.stringify({ id: "one", name: "하나", field: stored })) as object;
    expect(parse(document, file).field).toEqual(stored);
    expect(parse(z.object(storedShape(fields)), { field: stored }).field).toEqual(stored);
  }
});

test.each(KINDS)("an absent %s is stored as an empty one", (kind) => {
  const fields = { field: fieldOf(kind) };
  const shape = z.object(newFieldShape(fields));
  const { field: empty } = parse(shape, startOf(fields));
  expect(parse(shape, {}).field).toEqual(empty);
  expect(parse(rowInputs(rowWith(fields)).document, { id: "one", name: "하나" }).field).toEqual(empty);
  expect(parse(z.object(storedShape(fields)), {}).field).toEqual(empty);
});

test.each(KINDS)("the control of a %s sends back what it shows", (kind) => {
  const fields = { field: fieldOf(kind) };
  const { field: empty } = startOf(fields);
  for (const value of [empty, otherValue(fields.field, empty)])
    expect(readRow(fields, sentForm(fields, { field: value })).field).toEqual(value);
});

test.each(KINDS)("the control of an optional %s is cleared", (kind) => {
  const fields = { field: fieldOf(kind) };
  const { field: empty } = startOf(fields);
  const form = sentForm(fields, { field: otherValue(fields.field, empty) });
  expect(readRow(fields, withEmptied(form, fields, "field")).field).toEqual(empty);
});

test.each(REQUIRABLE)("a required %s is refused by its label when missing", (kind) => {
  const optional = { field: fieldOf(kind) };
  const fields = { field: fieldOf(kind, { required: true }) };
  const { create, update } = rowInputs(rowWith(fields));
  const refused = { message: "담당 항목을 확인바랍니다.", fields: { field: "필수 항목입니다." } };
  expect(refusal(create, { name: "하나", ...startOf(optional) })).toEqual(refused);
  expect(refusal(create, { name: "하나" })).toEqual(refused);
  expect(refusal(update, { name: "하나", ...startOf(optional), version: 1 })).toEqual(refused);
});

test.each(REQUIRABLE)("a required %s that is hidden by a choice may be empty", (kind) => {
  const { field: empty } = startOf({ field: fieldOf(kind) });
  const color = choice("색", COLORS, "red");
  const fields = { color, field: { ...fieldOf(kind, { required: true }), onlyWith: ["color", "blue"] as const } };
  const { create } = rowInputs(rowWith(fields));
  const stored = parse(create, { name: "하나", color: "red", field: empty });
  expect(parse(create, { name: "하나", color: "red" })).toEqual(stored);
  expect(refusal(create, { name: "하나", color: "blue", field: empty })).toMatchObject({
    fields: { field: "필수 항목입니다." },
  });
});

test("markup without letters or pictures is empty", () => {
  const { create } = rowInputs(rowWith({ field: html(LABEL, { required: true }) }));
  const isTaken = (field: string) => "field" in refusal(create, { name: "하나", field });
  expect(["<p></p>", "<p>&nbsp;</p><p><br></p>", " "].filter(isTaken)).toEqual([]);
  expect(["<p>글</p>", '<p><img src="/api/file/1"></p>'].filter(isTaken)).toHaveLength(2);
});

test("a period without its end has no order", () => {
  const fields = { from: moment("시작", { required: true }), to: moment("끝") };
  const { create } = rowInputs({ ...rowWith(fields), period: ["from", "to"] });
  const from = "2026-11-02T00:00:00.000Z";
  expect(parse(create, { name: "하나", from, to: "" })).toMatchObject({ to: null });
  expect(refusal(create, { name: "하나", from, to: "2026-11-01T00:00:00.000Z" })).toMatchObject({
    fields: { to: "끝나는 때가 시작하는 때보다 뒤여야 합니다." },
  });
});

test("a number that begins with 0 is 0 when it is cleared", () => {
  const fields = { months: whole("기간", { start: 0 }), size: whole("쪽", { start: 10 }) };
  const form = sentForm(fields, { months: 12, size: 20 });
  const typed = readRow(fields, withEmptied(withEmptied(form, fields, "months"), fields, "size"));
  expect(typed).toEqual({ months: 0, size: null });
  expect(refusal(z.object(newFieldShape(fields)), typed)).toMatchObject({ fields: { size: "필수 항목입니다." } });
});

test("a file from before a required field has its fallback", () => {
  const fields = { owner: line(LABEL, { required: true, fallback: "사무국" }) };
  const { create, document } = rowInputs(rowWith(fields));
  expect(parse(document, { id: "one", name: "하나" })).toMatchObject({ owner: "사무국" });
  expect(parse(z.object(documentShape(fields)), {})).toEqual({ owner: "사무국" });
  expect(refusal(document, { id: "one", name: "하나", owner: "" })).toMatchObject({
    message: "담당 항목을 확인바랍니다.",
  });
  expect(refusal(create, { name: "하나" })).toMatchObject({ message: "담당 항목을 확인바랍니다." });
});

/** The table of `worker/domain/README.md`. */
function describedKinds(): string {
  const typeOf = (schema: z.core.JSONSchema.BaseSchema): string => {
    const { format, type, anyOf: [first] = [], items } = schema;
    if (first) return typeOf(first as z.core.JSONSchema.BaseSchema);
    return type === "array" ? `array of ${typeOf(items as z.core.JSONSchema.BaseSchema)}` : (format ?? String(type));
  };
  const rows = KINDS.map((kind) => {
    const required = z.toJSONSchema(newFieldShape({ field: fieldOf(kind, { required: true }) }).field, { io: "input" });
    const { field: stored } = parse(z.object(newFieldShape({ field: fieldOf(kind) })), {});
    return `| \`${kind}\` | ${typeOf(required)} | \`${JSON.stringify(RULES[kind].empty)}\` | \`${JSON.stringify(stored)}\` |`;
  });
  return [
    "| kind | a call sends | for nothing | stored for nothing |",
    "|---|---|---|---|",
    ...rows,
    "| `group` | its fields | | |",
    "",
  ].join("\n");
}

test("the domain's README lists every kind", () => {
  expect(README).toContain(describedKinds());
});
