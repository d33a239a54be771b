/** The columns of a planned row, in the order of `rowOf`. */
export const STAGED_ROW_COLUMNS = [
  "id",
  "name",
  "cohort",
  "graduation_year",
  "major",
  "affiliation",
  "department",
  "position",
  "email",
  "mobile",
  "phone",
  "zip_code",
  "address",
  "memo",
  "own",
  "initials",
  "search_all",
  "search_open",
] as const;

/** Everything of the row `a` that a change can touch, by column name. */
export const ROW_BEFORE_JSON = `json_object(${STAGED_ROW_COLUMNS.slice(1)
  .map((name) => `'${name}', a.${name}`)
  .join(", ")}, 'modified_date', a.modified_date)`;
