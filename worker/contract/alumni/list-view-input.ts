import { z } from "zod";
import { flagField, requiredLineField, versionField } from "../kernel/fields.ts";
import { PAGE_SIZE_MAX } from "../kernel/limits.ts";
import { ALUMNI_FIELDS } from "./columns.ts";
import {
  ALUMNI_VIEW_LIMITS,
  type AlumniFilterText,
  type AlumniViewContent,
  BOOK_SORT_PATTERN,
  FIELD_FILTER_KEYS,
  formatDuesFilter,
  formatFieldFilter,
} from "./list.ts";
import { alumniFilterInput, type FieldFilters } from "./input.ts";
import { type AlumniFieldCode, OWN_FIELD_CODES } from "./own-fields.ts";

const BOOK_FIELDS = [...ALUMNI_FIELDS, ...OWN_FIELD_CODES] as [AlumniFieldCode, ...AlumniFieldCode[]];

const filterText = alumniFilterInput.transform((filter): AlumniFilterText => {
  const { keyword = "", cohort, graduationYear, affiliation = "", dues } = filter;
  const conditions = FIELD_FILTER_KEYS.flatMap((key) => {
    const condition = (filter as FieldFilters)[key];
    return condition ? [[key, formatFieldFilter(condition)] as const] : [];
  });
  const texts = {
    keyword,
    cohort: String(cohort ?? ""),
    graduationYear: String(graduationYear ?? ""),
    affiliation,
    dues: dues ? formatDuesFilter(dues) : "",
  };
  const filled = Object.entries(texts).filter(([, text]) => text !== "");
  return Object.fromEntries([...filled, ...conditions]);
});

const viewContentInput = z.object({
  filter: filterText,
  sort: z.union([z.literal(""), z.string().regex(BOOK_SORT_PATTERN, "정렬 기준이 올바르지 않습니다.")]),
  columns: z.array(z.enum(BOOK_FIELDS)).max(BOOK_FIELDS.length),
  isDense: flagField,
  size: z.number().int().min(1).max(PAGE_SIZE_MAX),
}) satisfies z.ZodType<AlumniViewContent>;

const name = requiredLineField(ALUMNI_VIEW_LIMITS.name);

export const createAlumniViewInput = z.object({ name, isShared: flagField.default(false), content: viewContentInput });

export const updateAlumniViewInput = z.object({
  name: name.optional(),
  isShared: flagField.optional(),
  content: viewContentInput.optional(),
  version: versionField,
});
