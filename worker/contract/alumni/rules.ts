import { ALUMNI_SORTS } from "./sorts.ts";
import { FILE_COLUMNS, COLUMN_LABELS } from "./columns.ts";

export const SORT_TEXT = new RegExp(`^(${ALUMNI_SORTS.join("|")})(?:,(ASC|DESC))?$`);

export const byLabel = new Map(
  FILE_COLUMNS.flatMap(
    (code) =>
      [
        [code, code],
        [COLUMN_LABELS[code], code],
      ] as const,
  ),
);
