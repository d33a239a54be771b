import { z } from "zod";
import { cleanFileName } from "#worker/contract/file/rules.ts";
import {
  codeField,
  dayField,
  flagField,
  idField,
  isoDateField,
  lineField,
  optionalParameter,
  pageFields,
  reasonField,
  versionField,
} from "#worker/contract/kernel/fields.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { filterShape, newFieldShape } from "#worker/contract/kernel/row-input.ts";
import { ALUMNI_MAX_LENGTHS } from "../columns.ts";
import { alumniSelectionInput } from "../input.ts";
import { ownFieldCode } from "../own-field-input.ts";
import {
  BANK_DOUBT_LABELS,
  type BankDoubt,
  cleanPayer,
  DEPOSIT_FILTERS,
  PAYER_MAX,
  withoutLongNumbers,
} from "./bank-file.ts";
import { DUE_FIELDS, DUE_FILTERS, DUE_LIMITS, isFeePeriod, PERIOD_PATTERN } from "./dues.ts";

const periodField = z.string().regex(PERIOD_PATTERN, "연도를 2026, 2026-1, 2026-상반기처럼 적어 주십시오.");
const { dueDay } = newFieldShape(DUE_FIELDS);

/** A row in JSON has at most 100 bytes, but for the longest names. */
export const PAST_FILE_BYTES = 2 * 1024 * 1024;

const pastWord = z.object({
  name: lineField(ALUMNI_MAX_LENGTHS.name),
  cohort: z.number().int().min(1).max(999).nullable().default(null),
  word: lineField(DUE_LIMITS.word),
});

export const chargeDuesInput = z.object({
  kindId: codeField,
  period: periodField.refine((period) => !isFeePeriod(period), "행사 참가비는 행사 신청에서 청구됩니다."),
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
  .object({
    ...newFieldShape(DUE_FIELDS),
    version: versionField,
    /** The sum that the office saw as paid before it exempts. */
    paid: z.number().int().min(0).optional(),
  })
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

/** A list of voters instead: also life members, without those who left or died. */
const votersFields = {
  isVoters: flagField.default(false),
  /** The kind of dues that makes a life member once it is paid. */
  lifeKindId: optionalParameter(codeField),
};

export const votersQuery = paidByQuery.extend(votersFields);

export const fixPaidByInput = z.object({
  ...votersFields,
  period: periodField,
  kindId: codeField,
  at: isoDateField,
  /** People whom the office saw. */
  count: z.number().int().min(1),
});

/** With a kind, only who had paid by the second or is exempt. */
export const exportLedgerInput = votersQuery.extend({
  period: periodField,
  format: z.enum(["xlsx", "csv"]).default("xlsx"),
  reason: reasonField,
});

/** Deposits and withdrawals of at most 300 bytes in JSON. */
export const BANK_FILE_BYTES = 4 * 1024 * 1024;

export const wonField = z
  .number()
  .int()
  .min(1, "금액을 1원 이상 적어 주십시오.")
  .max(DUE_LIMITS.amount, "금액이 너무 큽니다.");

const payerText = z.string().max(PAYER_MAX * 4);

const bankRow = z.object({
  when: isoDateField,
  payer: payerText.transform(cleanPayer).pipe(lineField(PAYER_MAX)),
  amount: wonField,
  balance: z.number().int().min(-1e13).max(1e13).nullable().default(null),
  doubt: z
    .enum(Object.keys(BANK_DOUBT_LABELS) as BankDoubt[])
    .nullable()
    .default(null),
});

const bankRows = z
  .array(bankRow)
  .max(DUE_LIMITS.bankRows, `한 번에 ${DUE_LIMITS.bankRows.toLocaleString("ko-KR")}행까지 가져올 수 있습니다.`);

export const planDepositsInput = z.object({ rows: bankRows, withdrawals: bankRows.default([]) });

export const commitDepositsInput = z.object({
  ...planDepositsInput.shape,
  fileName: z
    .string()
    .max(2000)
    .transform((name) => withoutLongNumbers(cleanFileName(name)).slice(0, 100) || "입금 파일"),
  /** Of the plan that the office saw. */
  fingerprint: z.string().max(100),
  /** Rows that are another one than the stored one like them, by their place: withdrawals come behind deposits. */
  separate: z
    .array(z.number().int().min(0))
    .max(2 * DUE_LIMITS.bankRows)
    .default([]),
});

export const listDepositsQuery = z.object({
  state: optionalParameter(z.enum(["open", "all", "closed", "out"])),
  ...filterShape(DEPOSIT_FILTERS),
  ...pageFields(20),
});

export const depositVersionInput = z.object({ version: versionField });

export const allocateDepositInput = depositVersionInput.extend({
  people: z.array(idField).min(1, "사람을 골라 주십시오.").max(30, "한 입금은 30명까지 나눌 수 있습니다."),
  remember: flagField.default(false),
});

export const alikeDepositsInput = depositVersionInput.extend({
  /** Those whose people have nothing to pay, instead of those with the same text. */
  withoutDues: flagField.default(false),
});

export const depositStateInput = depositVersionInput.extend({
  isClosed: flagField,
  note: lineField(DUE_LIMITS.note).default(""),
});

export const recordPaymentInput = z.object({
  alumniId: idField,
  amount: wonField,
  day: dayField,
  note: lineField(DUE_LIMITS.note).default(""),
});

export const findPayersQuery = z.object({ name: lineField(SIZE_LIMITS.keywordLength).default("") });
