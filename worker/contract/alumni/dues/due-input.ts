import { z } from "zod";
import {
  codeField,
  dayField,
  flagField,
  isoDateField,
  lineField,
  optionalParameter,
  pageFields,
  reasonField,
  versionField,
} from "#worker/contract/kernel/fields.ts";
import { filterShape, newFieldShape } from "#worker/contract/kernel/row-input.ts";
import { ALUMNI_MAX_LENGTHS } from "../columns.ts";
import { alumniSelectionInput } from "../input.ts";
import { ownFieldCode } from "../own-field-input.ts";
import { DUE_FIELDS, DUE_FILTERS } from "./charge.ts";
import { DUE_LIMITS, PERIOD_PATTERN } from "./dues.ts";

const periodField = z.string().regex(PERIOD_PATTERN, "연도를 2026, 2026-1, 2026-상반기처럼 적어 주십시오.");
const dueDay = z
  .union([dayField, z.literal("")], { error: "납부 기한을 2026-01-31 형식으로 입력해 주십시오." })
  .default("");

/** A row in JSON has at most 100 bytes, but for the longest names. */
export const PAST_FILE_BYTES = 2 * 1024 * 1024;

const pastWord = z.object({
  name: lineField(ALUMNI_MAX_LENGTHS.name),
  cohort: z.number().int().min(1).max(999).nullable().default(null),
  word: lineField(DUE_LIMITS.word),
});

export const chargeDuesInput = z.object({
  kindId: codeField,
  period: periodField,
  segment: alumniSelectionInput.default({ filter: {}, except: [] }),
  dueDay,
  /** An own field, or rows of a file, that say who paid before the site. */
  fieldCode: ownFieldCode.optional(),
  words: z.array(pastWord).min(1).max(DUE_LIMITS.people).optional(),
  isBlankUnpaid: flagField.default(false),
  /** Without it nothing is charged. */
  count: z.number().int().min(1).optional(),
});

export const listDuesQuery = z.object({
  ...filterShape(DUE_FILTERS),
  period: optionalParameter(periodField),
  ...pageFields(50),
});

export const changeDueInput = z
  .object({ ...newFieldShape(DUE_FIELDS), dueDay, version: versionField })
  .refine(({ isExempt, reason }) => !isExempt || reason !== "", {
    path: ["reason"],
    message: "면제 사유를 적어 주십시오.",
  });

export const dueFiguresQuery = z.object({ year: optionalParameter(z.string().regex(/^\d{4}$/)) });

/** By default the newest period, the first kind and now; a fixed list has its own. */
export const paidByQuery = z.object({
  period: optionalParameter(periodField),
  kindId: optionalParameter(codeField),
  at: optionalParameter(isoDateField),
  listId: optionalParameter(codeField),
});

export const fixPaidByInput = z.object({
  period: periodField,
  kindId: codeField,
  at: isoDateField,
  /** People whom the office saw. */
  count: z.number().int().min(1),
});

/** With a kind, only who had paid by the second or is exempt. */
export const exportLedgerInput = paidByQuery.extend({
  period: periodField,
  format: z.enum(["xlsx", "csv"]).default("xlsx"),
  reason: reasonField,
});
