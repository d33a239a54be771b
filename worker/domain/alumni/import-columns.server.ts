import { ALUMNI_FIELDS } from "#worker/contract/alumni/columns.ts";

/** A field as its column is called. */
export const columnOf = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The columns of a staged row, in the order of `stagedRowOf`. */
export const STAGED_ROW_COLUMNS: readonly string[] = [
  "id",
  ...ALUMNI_FIELDS.map(columnOf),
  "own",
  "initials",
  "search_all",
  "search_open",
];

/** Everything of the row `a` that a change can touch, by column name. */
export const ROW_BEFORE_JSON = `json_object(${STAGED_ROW_COLUMNS.slice(1)
  .map((name) => `'${name}', a.${name}`)
  .join(", ")}, 'modified_date', a.modified_date)`;
