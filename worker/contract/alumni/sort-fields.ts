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
