import { z } from "zod";
import type { DiffLine } from "./text.ts";
import { flag, isoDate, line, requiredLine, text, version } from "./fields.ts";
import { SIZES } from "./limits.ts";
import { INPUT_TYPES, type InputType, type AuthenticationSettings, ruleSettings, type SiteSettings } from "./site.ts";
import { ADDRESS_RULES, AUTH_TYPES, isEmail } from "./user-rules.ts";

const optionalEmail = line(100).refine(
  (value) => value === "" || isEmail(value, ADDRESS_RULES),
  "이메일을 형식에 맞게 입력해 주십시오.",
);

export const updateSiteInput = z.object({
  siteName: requiredLine(50),
  productName: line(50),
  description: line(300),
  contact: z.object({
    organization: line(100),
    address: line(200),
    phone: line(30),
    fax: line(30),
    email: optionalEmail,
  }),
  copyright: line(200),
  version,
});
export type UpdateSiteInput = z.output<typeof updateSiteInput>;

export const roleCode = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,29}$/, "영문 소문자로 시작하여 소문자, 숫자, 하이픈으로 30자까지 입력해 주십시오.");

export const updateAuthenticationInput = z.object({
  authType: z.enum(AUTH_TYPES),
  roleCodeForGuest: roleCode,
  signupApproval: flag,
  rules: ruleSettings.optional(),
  version,
});
export type UpdateAuthenticationInput = z.output<typeof updateAuthenticationInput>;

export const profileFieldCode = z
  .string()
  .regex(/^[a-zA-Z][a-zA-Z0-9]{0,29}$/, "영문자로 시작하여 영문자와 숫자로 30자까지 입력해 주십시오.")
  .refine((code) => !["constructor", "prototype", "toString", "valueOf"].includes(code), "쓸 수 없는 코드입니다.");
const anyCode = z.string().min(1).max(50);
/** What no code can be is simply not there, for those who may ask at all. */
export const profileFieldPath = z.object({ code: anyCode });

const options = z.array(requiredLine(50)).max(50).default([]);
const fieldShape = { name: requiredLine(30), required: flag, detail: options };
const needsOptions = (value: { inputType: InputType; detail: string[] }) =>
  !["select", "radio"].includes(value.inputType) || value.detail.length > 0;
const optionsMissing = { path: ["detail"], message: "고를 수 있는 항목을 한 줄에 하나씩 입력해 주십시오." };

export const createProfileFieldInput = z
  .object({ code: profileFieldCode, inputType: z.enum(INPUT_TYPES), ...fieldShape })
  .refine(needsOptions, optionsMissing);
export type CreateProfileFieldInput = z.output<typeof createProfileFieldInput>;
export const updateProfileFieldInput = z
  .object({ inputType: z.enum(INPUT_TYPES), ...fieldShape, isClosed: flag, version })
  .refine(needsOptions, optionsMissing);
export type UpdateProfileFieldInput = z.output<typeof updateProfileFieldInput>;
export const orderInput = z.object({ codes: z.array(z.string().max(50)).min(1).max(200) });
export const versionQuery = z.object({
  version: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
});

export const agreementCode = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,29}$/, "영문 소문자로 시작하여 소문자, 숫자, 하이픈으로 30자까지 입력해 주십시오.");
export const publishAgreementInput = z.object({
  code: agreementCode,
  title: requiredLine(100),
  required: flag,
  /** HTML, cleaned like a board item. */
  content: text(SIZES.contentBytes / 4).refine((value) => value.trim() !== "", "내용을 입력해 주십시오."),
  /** What members see, for example 2026-12-01. */
  version: z
    .string()
    .regex(/^[0-9A-Za-z][0-9A-Za-z.-]{0,19}$/, "숫자, 영문자, 점, 하이픈으로 20자까지 입력해 주십시오."),
  effectiveDate: isoDate,
  /** The version that the editor read; empty for a new agreement. */
  baseVersion: z.string().max(20),
});
export type PublishAgreementInput = z.output<typeof publishAgreementInput>;
export const agreementPath = z.object({ code: anyCode, version: anyCode });
export const agreementCodePath = z.object({ code: anyCode });
export const closeAgreementInput = z.object({ baseVersion: z.string().max(20) });

export interface Versioned<T> {
  value: T;
  version: number;
}
export type SiteSettingView = Versioned<SiteSettings>;
export type AuthenticationSettingView = Versioned<AuthenticationSettings>;

export interface AdminProfileField {
  code: string;
  name: string;
  inputType: InputType;
  required: boolean;
  detail: string[];
  order: number;
  isClosed: boolean;
  /** How many members have a value in it. */
  valueCount: number;
  version: number;
}

export interface AdminAgreement {
  code: string;
  title: string;
  required: boolean;
  version: string;
  effectiveDate: string;
  isCurrent: boolean;
  textHash: string;
}
export interface AdminAgreementText extends AdminAgreement {
  content: string;
}

/** What changed from one version to another. */
export interface AgreementComparison {
  code: string;
  title: string;
  /** Newest first. */
  versions: AdminAgreement[];
  from: string;
  to: string;
  lines: DiffLine[];
}
