import { expect, test } from "vitest";
import { z } from "zod";
import { settingFieldName, summarizeChange } from "../app/features/site/setting-labels.ts";
import { BOARD_FIELDS } from "../worker/contract/board/fields.ts";
import { IDENTITY_FIELDS } from "../worker/contract/kernel/setting/site-fields.ts";
import { lookUp } from "../worker/contract/kernel/labels.ts";
import { popupRow } from "../worker/contract/site/rows.ts";
import { settingDocument } from "../worker/contract/site/transfer-input.ts";

type Schema = z.core.JSONSchema.JSONSchema;

function fieldsOf(schema: Schema): string[] {
  const own = Object.entries(schema.properties ?? {}) as [string, Schema][];
  const inside = [schema.items, ...(schema.anyOf ?? []), ...(schema.allOf ?? [])] as (Schema | undefined)[];
  return [
    ...own.flatMap(([name, value]) => [name, ...fieldsOf(value)]),
    ...inside.flatMap((each) => (each && !Array.isArray(each) ? fieldsOf(each) : [])),
  ];
}

test("every field of a settings file has a readable name", () => {
  const document = z.toJSONSchema(settingDocument, { io: "input", unrepresentable: "any" });
  const { kind: _kind, format: _format, ...sections } = (document.properties ?? {}) as Record<string, Schema>;
  // Nested rows change as a whole, so only the section name is shown.
  const fields = Object.entries(sections).flatMap(([section, schema]) =>
    [section, ...fieldsOf(schema)].map((name) => ({ section, name })),
  );
  expect(fields.length).toBeGreaterThan(120);
  expect(fields.filter(({ section, name }) => settingFieldName(name, section) === name)).toEqual([]);
});

test.each([
  ["identity", "color", IDENTITY_FIELDS.color],
  ["boards", "boardType", BOARD_FIELDS.boardType],
  ["popups", "position", popupRow.fields.position],
] as const)("the preview of a settings file shows %s.%s by label", (section, key, { label, options }) => {
  const codes = Object.keys(options ?? {});
  expect(codes.length).toBeGreaterThan(1);
  for (const [before, after] of codes.flatMap((one) => codes.map((other) => [one, other] as const)))
    expect(
      summarizeChange({
        section,
        code: "",
        name: "",
        kind: "changed",
        before: { [key]: before },
        after: { [key]: after },
        follows: [],
      }),
    ).toBe(`${label}: ${lookUp(options, before)} → ${lookUp(options, after)}`);
});
