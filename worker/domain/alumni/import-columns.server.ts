import { ALUMNI_FIELDS } from "#worker/contract/alumni/columns.ts";

export const columnOf = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const STAGED_ROW_COLUMNS: readonly string[] = [
  "id",
  ...ALUMNI_FIELDS.map(columnOf),
  "own",
  "initials",
  "search_all",
  "search_open",
];

export const ROW_BEFORE_JSON = `json_object(${STAGED_ROW_COLUMNS.slice(1)
  .map((name) => `'${name}', a.${name}`)
  .join(", ")}, 'modified_date', a.modified_date)`;
