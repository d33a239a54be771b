import { z } from "zod";
import { SORT_TEXT, byLabel } from "./rules.ts";
import { sortOf } from "./alumni-settings.ts";
import { line, pageNumber, pageSize, version, id, requiredText, flag } from "../kernel/fields.ts";
import { SIZES } from "../kernel/limits.ts";
import {
  type AlumniField,
  type AlumniValues,
  cleanCell,
  ALUMNI_FIELDS,
  PRIVATE_FIELDS,
  type FileColumn,
  FILE_COLUMNS,
} from "./columns.ts";
import { cleanFileName } from "../file/rules.ts";
import { importMode, importMapping } from "./import-input.ts";
import { TWIN_REASONS, MERGE_MAX } from "./merge-rules.ts";

export const alumniSort = z.string().regex(SORT_TEXT, "정렬 기준이 올바르지 않습니다.").transform(sortOf);

/** An empty field of a search form asks for nothing. */
const optionalNumber = z
  .union([z.string().regex(/^\d{0,4}$/, "숫자로 입력해 주십시오."), z.number().int().min(0).max(9999)])
  .transform((value) => (value === "" ? undefined : Number(value)));

const filterFields = {
  keyword: line(SIZES.keywordLength).optional(),
  cohort: optionalNumber.optional(),
  graduationYear: optionalNumber.optional(),
  affiliation: line(100).optional(),
};

export const listAlumniQuery = z.object({
  ...filterFields,
  page: pageNumber,
  size: pageSize(20),
  /** Without it, the one of the settings. */
  sort: alumniSort.optional(),
});

export type ListAlumniQuery = z.output<typeof listAlumniQuery>;

/** A field by the same rule as a cell of a file; numbers may come as numbers. */
const field = <F extends AlumniField>(name: F) =>
  z.union([z.string().max(4000), z.number(), z.null()]).transform((value, context): AlumniValues[F] => {
    const cell = cleanCell(name, value === null ? "" : String(value));
    if ("value" in cell) return cell.value;
    context.addIssue({ code: "custom", message: cell.error, input: value });
    return z.NEVER;
  });

type FieldSchemas = { [F in AlumniField]: ReturnType<typeof field<F>> };

const fields = Object.fromEntries(ALUMNI_FIELDS.map((name) => [name, field(name)])) as FieldSchemas;

const { name, ...others } = fields;

type Optional<T> = { [K in keyof T]: T[K] extends z.ZodType ? z.ZodOptional<T[K]> : never };

const optional = Object.fromEntries(
  Object.entries(others).map(([key, schema]) => [key, schema.optional()]),
) as unknown as Optional<typeof others>;

const openFields = z.array(z.enum(PRIVATE_FIELDS)).max(PRIVATE_FIELDS.length);

export const createAlumniInput = z.object({ name, ...optional, openFields: openFields.optional() });

export type CreateAlumniInput = z.output<typeof createAlumniInput>;

export const updateAlumniInput = z.object({
  name: name.optional(),
  ...optional,
  openFields: openFields.optional(),
  version,
});

export type UpdateAlumniInput = z.output<typeof updateAlumniInput>;

export const alumniPath = z.object({ id });

const fileColumn = z.string().transform((value, context): FileColumn => {
  const code = byLabel.get(value as FileColumn);
  if (code) return code;
  context.addIssue({ code: "custom", message: "내보낼 수 없는 항목입니다.", input: value });
  return z.NEVER;
});

export const exportAlumniInput = z.object({
  filter: z.object({ ...filterFields, sort: alumniSort.optional(), ids: z.array(id).max(1000).optional() }).default({}),
  columns: z.array(fileColumn).min(1).max(FILE_COLUMNS.length).optional(),
  format: z.enum(["xlsx", "csv"]).default("xlsx"),
  reason: requiredText(500),
});

export type ExportAlumniInput = z.output<typeof exportAlumniInput>;

export const exportPath = z.object({ ticket: z.string().min(3).max(400) });

export const importUploadInput = z.object({
  fileName: z.string().max(2000).transform(cleanFileName).pipe(z.string().min(1)),
  size: z.number().int().min(1),
});

export const importAlumniInput = z.object({
  fileId: id,
  mode: importMode,
  dryRun: flag.default(false),
  mapping: importMapping.optional(),
  skipInvalid: flag.default(false),
});

export type ImportAlumniInput = z.output<typeof importAlumniInput>;

export const importPath = z.object({ importId: id });

export const nothing = z.object({});

export const deleteAlumniInput = z.object({ ids: z.array(id).min(1).max(1000) });

export const twinQuery = z.object({
  reason: z.enum(TWIN_REASONS).optional(),
  /** Where the page before ended. */
  after: z.string().max(400).optional(),
  /** Only groups with somebody whom this import added. */
  importId: id.optional(),
});

export type TwinQuery = z.output<typeof twinQuery>;

const several = (max: number) =>
  z
    .array(id)
    .min(2, "두 명 이상 골라 주십시오.")
    .max(max, `한 번에 ${max}명까지 고를 수 있습니다.`)
    .refine((ids) => new Set(ids).size === ids.length, "같은 동문을 두 번 골랐습니다.");

export const distinctInput = z.object({ ids: several(20), distinct: z.boolean() });

export type DistinctInput = z.output<typeof distinctInput>;

export const mergeQuery = z.object({
  ids: z
    .string()
    .max(400)
    .transform((ids) => ids.split(","))
    .pipe(several(MERGE_MAX)),
});

export const mergeAlumniInput = z.object({
  keepId: id,
  people: z.array(z.object({ id, version })).min(2).max(MERGE_MAX),
  /** Which row each field comes from; where nothing is said, the newer that is filled. */
  source: z.partialRecord(z.enum(ALUMNI_FIELDS), z.string().max(36)).default({}),
});

export type MergeAlumniInput = z.output<typeof mergeAlumniInput>;

export const mergePath = z.object({ mergeId: id });

export const alumniBinQuery = z.object({ page: pageNumber });
