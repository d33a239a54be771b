import type { OwnFieldCode } from "./own-fields.ts";

export const ALUMNI_SORTS = [
  "name",
  "cohort",
  "graduationYear",
  "major",
  "affiliation",
  "department",
  "position",
  "createdDate",
  "modifiedDate",
] as const;

export type AlumniSortField = (typeof ALUMNI_SORTS)[number];

/** With the fields of the office's own. */
export type BookSortField = AlumniSortField | OwnFieldCode;
