import { lookUp } from "../labels.ts";
import type { RowField, RowFields } from "../row.ts";

export interface FieldChange {
  path: string;
  field: RowField;
  before: unknown;
  after: unknown;
}

/** Changed fields of one setting or row, by its name. */
export interface SettingFields {
  setting: string;
  changes: readonly FieldChange[];
}

type Values = Readonly<Record<string, unknown>>;

/** Fields that get another value, those of a group included; a field that is left out keeps its value. */
export function fieldChanges(fields: RowFields, before: object, after: object, path = ""): FieldChange[] {
  return Object.entries<RowField>(fields).flatMap(([name, field]) => {
    const [was = field.start, is] = [lookUp(before as Values, name), lookUp(after as Values, name)];
    if (is === undefined) return [];
    if (field.kind === "group")
      return fieldChanges(field.fields, (was ?? {}) as Values, is as Values, `${path}${name}.`);
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    return [{ path: path + name, field, before: was, after: is }];
  });
}
