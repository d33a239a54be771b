import { z } from "zod";
import { requiredLineField, flagField, textField, isoDateField, codeField } from "../kernel/fields.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";
import { AGREEMENT_LIMITS } from "./rules.ts";

export const agreementCode = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,29}$/, "영문 소문자로 시작하여 소문자, 숫자, 하이픈으로 30자까지 입력해 주십시오.");

export const publishAgreementInput = z.object({
  code: agreementCode,
  title: requiredLineField(AGREEMENT_LIMITS.title),
  required: flagField,
  /** HTML, cleaned like a board item. */
  content: textField(SIZE_LIMITS.contentBytes / 4).refine((value) => value.trim() !== "", "내용을 입력해 주십시오."),
  /** Shown to members, for example 2026-12-01. */
  version: z
    .string()
    .regex(/^[0-9A-Za-z][0-9A-Za-z.-]{0,19}$/, "숫자, 영문자, 점, 하이픈으로 20자까지 입력해 주십시오."),
  effectiveDate: isoDateField,
  /** Optimistic lock: the version that the editor read; empty for a new agreement. */
  baseVersion: z.string().max(AGREEMENT_LIMITS.version),
});

export type PublishAgreementInput = z.output<typeof publishAgreementInput>;

export const agreementPath = z.object({ code: codeField, version: codeField });

export const agreementCodePath = z.object({ code: codeField });

export const closeAgreementInput = z.object({ baseVersion: z.string().max(AGREEMENT_LIMITS.version) });
