import { z } from "zod";
import { ALUMNI_COLUMN_BY_LABEL, ALUMNI_TEXT_LIMITS, BOOK_SORT_PATTERN, SELECTION_LIMITS } from "./list.ts";
import { type AlumniFilter, CONDITION_KEYS, type ConditionKey, conditionOf } from "./conditions.ts";
import { parseAlumniSort } from "./alumni-settings.ts";
import {
  flagField,
  idField,
  lineField,
  NO_RESIDENT_NUMBER,
  pageFields,
  pageNumber,
  reasonField,
  requiredTextField,
  versionField,
} from "../kernel/fields.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";
import {
  ALUMNI_COLUMNS,
  ALUMNI_FIELDS,
  type AlumniField,
  type AlumniValues,
  EMPTY_ALUMNI_VALUES,
  PRIVATE_FIELDS,
} from "./columns.ts";
import { type BookColumn, isOwnFieldCode, OWN_FIELD_CODES } from "./own-fields.ts";
import { ownFieldCode, ownValuesInput } from "./own-field-input.ts";
import { cleanCell } from "./cell-rules.ts";
import { CONFIRMED_CHOICES, EMPTIED_CHOICES } from "./import/cell-changes.ts";
import { cleanFileName } from "../file/rules.ts";
import { endedPeople, faultDecisionsField, importMapping, importMode, missingPeople } from "./import/input.ts";
import { DUPLICATE_REASONS, MERGE_MAX } from "./duplicate.ts";
import { PRINT_KINDS, PRINT_ORDERS } from "./paper.ts";
import { CERTIFICATE_LIMITS, CERTIFICATE_NUMBER_PATTERN, cleanCertificateNumber } from "./certificate.ts";
import { certificateKindRow } from "./rows.ts";
import { rowInputs } from "../kernel/row-input.ts";

const alumniSort = z.string().regex(BOOK_SORT_PATTERN, "정렬 기준이 올바르지 않습니다.").transform(parseAlumniSort);

const WRONG_CONDITION = "검색 조건이 올바르지 않습니다.";

function conditionInput(key: ConditionKey) {
  const { parse, maxLength, isNumber } = conditionOf(key);
  const typed = z
    .string()
    .max(maxLength, { error: WRONG_CONDITION, abort: true })
    .refine(...NO_RESIDENT_NUMBER);
  const schema = isNumber ? z.union([typed, z.number().int().min(0).max(9999)], { error: WRONG_CONDITION }) : typed;
  return schema
    .transform((given, context) => {
      const value = parse(String(given));
      if (value !== null) return value;
      context.addIssue({ code: "custom", message: WRONG_CONDITION, input: given });
      return z.NEVER;
    })
    .optional();
}

const alumniFilterFields = Object.fromEntries(CONDITION_KEYS.map((key) => [key, conditionInput(key)])) as unknown as {
  [K in ConditionKey]: z.ZodOptional<z.ZodType<AlumniFilter[K], string | number>>;
};

/** An unknown condition would mean everybody. */
export const alumniFilterInput = z.strictObject(alumniFilterFields, { error: "알 수 없는 검색 조건이 있습니다." });

const selectedIds = z
  .array(idField)
  .max(SELECTION_LIMITS.ids, `한 번에 ${SELECTION_LIMITS.ids}명까지 고를 수 있습니다.`);

const exceptedIds = z
  .array(idField)
  .max(SELECTION_LIMITS.except, `모두 고른 뒤 ${SELECTION_LIMITS.except}명까지 뺄 수 있습니다.`);

const namedPeople = z.object({ ids: selectedIds.min(1, "한 명 이상 골라 주십시오.") });
const filteredPeople = z.object({ filter: alumniFilterInput, except: exceptedIds.default([]) });

/** The given people, or all matches of a filter except the unticked ones. */
export const alumniSelectionInput = z.union([namedPeople, filteredPeople]);

/** The number of people that the caller saw; an act on another number is refused. */
export const seenCount = z.number().int().min(0);

/** Named people are their own count. */
const segmentCount = seenCount.optional();

export const listSelectedInput = z.union([namedPeople, filteredPeople.extend({ count: segmentCount })]);

export type ParsedAlumniSelection = z.output<typeof alumniSelectionInput>;

export const listAlumniQuery = z.object({
  ...alumniFilterFields,
  ...pageFields(20),
  sort: alumniSort.optional(),
});

export type ListAlumniQuery = z.output<typeof listAlumniQuery>;

/** Validates like a cell of a file; accepts numbers as well. */
const alumniFieldSchema = <F extends AlumniField>(name: F) =>
  z.union([z.string().max(4000), z.number(), z.null()]).transform((value, context): AlumniValues[F] => {
    const cell = cleanCell(name, value === null ? "" : String(value));
    if ("value" in cell) return cell.value === "" ? EMPTY_ALUMNI_VALUES[name] : cell.value;
    context.addIssue({ code: "custom", message: cell.error, input: value });
    return z.NEVER;
  });

const alumniFieldSchemas = Object.fromEntries(ALUMNI_FIELDS.map((name) => [name, alumniFieldSchema(name)])) as {
  [F in AlumniField]: ReturnType<typeof alumniFieldSchema<F>>;
};

const { name, ...others } = alumniFieldSchemas;

type OptionalSchemas<T> = { [K in keyof T]: T[K] extends z.ZodType ? z.ZodOptional<T[K]> : never };

const optionalFieldSchemas = Object.fromEntries(
  Object.entries(others).map(([key, schema]) => [key, schema.optional()]),
) as unknown as OptionalSchemas<typeof others>;

const openFields = z
  .array(z.union([z.enum(PRIVATE_FIELDS), ownFieldCode]))
  .max(PRIVATE_FIELDS.length + OWN_FIELD_CODES.length);

export const createAlumniInput = z.object({
  name,
  ...optionalFieldSchemas,
  own: ownValuesInput.default({}),
  openFields: openFields.optional(),
});

export const updateAlumniInput = z.object({
  name: name.optional(),
  ...optionalFieldSchemas,
  own: ownValuesInput.default({}),
  openFields: openFields.optional(),
  version: versionField,
});

const { email: _email, mobile: _mobile, ...sharedSchemas } = optionalFieldSchemas;

/** The same values for many people, so without name, address and number. Without a count it is a preview. */
export const changeAlumniInput = z.object({
  segment: alumniSelectionInput,
  set: z.object(sharedSchemas).default({}),
  own: ownValuesInput.default({}),
  ended: endedPeople,
  count: z.number().int().min(1).optional(),
});

export const joinMemberInput = z.object({ alumniId: idField });

const fileColumn = z.string().transform((value, context): BookColumn => {
  if (isOwnFieldCode(value)) return value;
  const code = ALUMNI_COLUMN_BY_LABEL.get(value as keyof AlumniValues);
  if (code) return code;
  context.addIssue({ code: "custom", message: "내보낼 수 없는 항목입니다.", input: value });
  return z.NEVER;
});

export const exportAlumniInput = z.object({
  filter: alumniFilterInput
    .extend({
      sort: alumniSort.optional(),
      ids: selectedIds.optional(),
      except: exceptedIds.optional(),
    })
    .default({}),
  columns: z
    .array(fileColumn)
    .min(1)
    .max(ALUMNI_COLUMNS.length + OWN_FIELD_CODES.length)
    .optional(),
  format: z.enum(["xlsx", "csv"]).default("xlsx"),
  count: segmentCount,
  /** Leaves out who may not be written to by it. */
  means: z.enum(["email", "sms", "post"]).optional(),
  reason: requiredTextField(ALUMNI_TEXT_LIMITS.exportReason),
});

/** Pages by the last id of the page before. */
export const listAddressesQuery = z.object({ after: idField.optional() });

export const alumniExportPath = z.object({ ticket: z.string().min(3).max(400) });

export const importUploadInput = z.object({
  fileName: z.string().max(2000).transform(cleanFileName).pipe(z.string().min(1)),
  size: z.number().int().min(1),
});

export const importAlumniInput = z.object({
  fileId: idField,
  mode: importMode,
  dryRun: flagField.default(false),
  mapping: importMapping.optional(),
  sheet: z.string().max(200).optional(),
  /** Points at the header, from 1. */
  headRow: z.number().int().min(1).max(1_048_576).optional(),
  confirmed: z.enum(CONFIRMED_CHOICES).default("keep"),
  emptied: z.enum(EMPTIED_CHOICES).default("byId"),
  decisions: faultDecisionsField,
  ended: endedPeople,
  missing: missingPeople,
  skipInvalid: flagField.default(false),
});

export const alumniImportPath = z.object({ importId: idField });

export const emptyInput = z.object({});

export const deleteAlumniInput = z.object({ ids: z.array(idField).min(1).max(1000) });

export const duplicatesQuery = z.object({
  reason: z.enum(DUPLICATE_REASONS).optional(),
  after: z.string().max(400).optional(),
  importId: idField.optional(),
});

const personIds = (max: number) =>
  z
    .array(idField)
    .min(2, "두 명 이상 골라 주십시오.")
    .max(max, `한 번에 ${max}명까지 고를 수 있습니다.`)
    .refine((ids) => new Set(ids).size === ids.length, "같은 사람을 두 번 골랐습니다.");

export const notDuplicateInput = z.object({ ids: personIds(20), distinct: z.boolean() });

export const mergeAlumniQuery = z.object({
  ids: z
    .string()
    .max(400)
    .transform((ids) => ids.split(","))
    .pipe(personIds(MERGE_MAX)),
});

export const mergeAlumniInput = z.object({
  keepId: idField,
  people: z
    .array(z.object({ id: idField, version: versionField }))
    .min(2)
    .max(MERGE_MAX),
  /** Defaults to the newer row with a value. */
  source: z.partialRecord(z.union([z.enum(ALUMNI_FIELDS), ownFieldCode]), z.string().max(36)).default({}),
});

export type MergeAlumniInput = z.output<typeof mergeAlumniInput>;

export const alumniMergePath = z.object({ mergeId: idField });

export const deletedAlumniQuery = z.object({ page: pageNumber });

export const segmentFiguresInput = z.object({
  segment: alumniSelectionInput,
  count: segmentCount,
  reason: reasonField,
});

export const countPrintInput = z.object({ segment: alumniSelectionInput });

export const printAlumniInput = z.object({
  segment: alumniSelectionInput,
  kind: z.enum(PRINT_KINDS),
  columns: z
    .array(z.union([z.enum(ALUMNI_FIELDS), ownFieldCode]))
    .max(ALUMNI_FIELDS.length + OWN_FIELD_CODES.length)
    .default([]),
  order: z.enum(PRINT_ORDERS).default("name"),
  /** Of `countPrint`, for this kind. */
  count: segmentCount,
  reason: reasonField,
});

export const checkCertificateInput = z.object({
  number: z
    .string()
    .max(SIZE_LIMITS.codeLength)
    .transform(cleanCertificateNumber)
    .pipe(z.string().regex(CERTIFICATE_NUMBER_PATTERN, "증명서 아래에 적힌 확인 번호를 그대로 입력해 주십시오.")),
  name: z.string().trim().min(1, "이름을 입력해 주십시오.").max(SIZE_LIMITS.keywordLength),
});

const emptyOr = <T extends z.ZodType>(schema: T) => z.union([schema, z.literal("")]).default("");

export const certificateKindInputs = rowInputs(certificateKindRow, {
  shape: { body: requiredTextField(certificateKindRow.fields.body.max ?? 0), sealId: emptyOr(idField) },
});

/** Without a kind, the first one. */
const issueFields = {
  kindId: z.string().max(50).optional(),
  purpose: lineField(CERTIFICATE_LIMITS.purpose).default(""),
};

export const issueCertificateInput = z.object(issueFields);

export const issueForPeopleInput = z.union([
  z.object({ ...issueFields, segment: alumniSelectionInput, count: segmentCount, reason: reasonField }),
  z
    .object({ ...issueFields, alumniId: idField, reason: reasonField })
    .transform(({ alumniId, ...rest }) => ({ ...rest, segment: { ids: [alumniId] }, count: undefined })),
]);

export const previewCertificatesInput = z.object({ ...issueFields, segment: alumniSelectionInput });

export const sealPath = z.object({ sealId: idField });

export const listCertificatesQuery = z.object({ ...pageFields(50) });
