import { expect, test } from "vitest";
import { z } from "zod";
import { settingFieldName } from "../app/features/site/setting-labels.ts";
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

test("every field of a settings file has a readable name in the preview and in errors", () => {
  const document = z.toJSONSchema(settingDocument, { io: "input", unrepresentable: "any" });
  const { kind: _kind, format: _format, ...sections } = (document.properties ?? {}) as Record<string, Schema>;
  // Nested rows change as a whole, so only the section name is shown.
  const fields = new Set([...Object.keys(sections), ...Object.values(sections).flatMap(fieldsOf)]);
  expect(fields.size).toBeGreaterThan(120);
  expect([...fields].filter((name) => settingFieldName(name) === name)).toEqual([]);
});
