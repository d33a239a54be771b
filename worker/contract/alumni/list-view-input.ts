import { z } from "zod";
import { flagField, requiredLineField, versionField } from "../kernel/fields.ts";
import { PAGE_SIZE_MAX } from "../kernel/limits.ts";
import { ALUMNI_FIELDS } from "./columns.ts";
import { ALUMNI_VIEW_LIMITS, BOOK_SORT_PATTERN } from "./list.ts";
import { type AlumniViewContent, filterTexts } from "./conditions.ts";
import { alumniFilterInput } from "./input.ts";
import { type AlumniFieldCode, OWN_FIELD_CODES } from "./own-fields.ts";

const BOOK_FIELDS = [...ALUMNI_FIELDS, ...OWN_FIELD_CODES] as [AlumniFieldCode, ...AlumniFieldCode[]];

const viewContentInput = z.object({
  filter: alumniFilterInput.transform(filterTexts),
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
