import { ALUMNI_SORTS } from "./sort-fields.ts";
import { ALUMNI_COLUMNS, ALUMNI_COLUMN_LABELS } from "./columns.ts";
import { OWN_FIELD_CODES } from "./own-fields.ts";

export const ALUMNI_SORT_PATTERN = new RegExp(`^(${ALUMNI_SORTS.join("|")})(?:,(ASC|DESC))?$`);

export const BOOK_SORT_PATTERN = new RegExp(`^(${[...ALUMNI_SORTS, ...OWN_FIELD_CODES].join("|")})(?:,(ASC|DESC))?$`);

export const ALUMNI_COLUMN_BY_LABEL = new Map(
  ALUMNI_COLUMNS.flatMap(
    (code) =>
      [
        [code, code],
        [ALUMNI_COLUMN_LABELS[code], code],
      ] as const,
  ),
);

export const ALUMNI_TEXT_LIMITS = { affiliationFilter: 100, exportReason: 500 } as const;
