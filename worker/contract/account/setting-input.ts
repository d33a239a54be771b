import { z } from "zod";
import { AUTH_TYPES, type InputType, INPUT_TYPES } from "./rules.ts";
import { WIDEST_RULES, type RuleSettings, DEFAULT_RULES } from "../kernel/identity-rules.ts";
import { roleCode } from "../access/input.ts";
import { flag, version, anyCode, requiredLine, forgiving } from "../kernel/fields.ts";

const between = (min: number, max: number) => {
  const message = `${min}에서 ${max} 사이의 숫자로 입력해 주십시오.`;
  return z.number({ error: message }).int(message).min(min, message).max(max, message);
};

const range = (min: number, max: number) => ({ min: between(min, max), max: between(min, max) });

const { userName, password, email } = WIDEST_RULES;

const inOrder = { path: ["max"], message: "가장 긴 길이는 가장 짧은 길이보다 작을 수 없습니다." };

export const ruleSettings: z.ZodType<RuleSettings> = z.object({
  userName: z
    .object({ ...range(userName.min, userName.max), foreign: z.boolean() })
    .refine(({ min, max }) => min <= max, inOrder),
  password: z.object(range(password.min, password.max)).refine(({ min, max }) => min <= max, inOrder),
  email: z.object({ endingMax: between(2, email.endingMax) }),
});

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

const authenticationFields = z.object({
  authType: z.enum(AUTH_TYPES).catch("IdAndPassword"),
  roleCodeForGuest: z.string().catch("guest"),
  /** Must an administrator approve a new member before the first sign-in? */
  signupApproval: z.boolean().catch(false),
  rules: ruleSettings.catch(DEFAULT_RULES),
});

export const authenticationSettings = forgiving(authenticationFields);

export type AuthenticationSettings = z.output<typeof authenticationSettings>;
