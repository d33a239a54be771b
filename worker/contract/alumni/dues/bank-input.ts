import { z } from "zod";
import { cleanFileName } from "#worker/contract/file/rules.ts";
import {
  dayField,
  flagField,
  idField,
  isoDateField,
  lineField,
  optionalParameter,
  pageFields,
  versionField,
} from "#worker/contract/kernel/fields.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { filterShape } from "#worker/contract/kernel/row-input.ts";
import { cleanPayer, DEPOSIT_FILTERS, PAYER_MAX, withoutLongNumbers } from "./bank-file.ts";
import { DUE_LIMITS } from "./dues.ts";

/** A row in JSON has at most 300 bytes. */
export const BANK_FILE_BYTES = 2 * 1024 * 1024;

const wonField = z
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
});

export const listDepositsQuery = z.object({
  state: optionalParameter(z.enum(["open", "all", "closed"])),
  ...filterShape(DEPOSIT_FILTERS),
  ...pageFields(20),
});

export const depositVersionInput = z.object({ version: versionField });

export const allocateDepositInput = depositVersionInput.extend({
  people: z.array(idField).min(1, "사람을 골라 주십시오.").max(30, "한 입금은 30명까지 나눌 수 있습니다."),
  remember: flagField.default(false),
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
