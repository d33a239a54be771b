import { ALUMNI_WHO_FIELDS } from "./columns.ts";
import type { OwnFieldCode } from "./own-fields.ts";

export const ALUMNI_SORTS = [...ALUMNI_WHO_FIELDS, "createdDate", "modifiedDate"] as const;

export type AlumniSortField = (typeof ALUMNI_SORTS)[number];

export type BookSortField = AlumniSortField | OwnFieldCode;
