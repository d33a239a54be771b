import { z } from "zod";
import { AUTH_TYPES, PROFILE_FIELD_LIMITS } from "./rules.ts";
import { renameFields, rowInputs } from "../kernel/row-input.ts";
import { profileFieldRow } from "./rows.ts";
import {
  WIDEST_RULE_SETTINGS,
  type AccountRuleSettings,
  DEFAULT_RULE_SETTINGS,
} from "../kernel/setting/identity-rules.ts";
import { roleCode } from "../access/input.ts";
import { flagField, requiredLineField, versionField, withDefaults } from "../kernel/fields.ts";

const integerBetween = (min: number, max: number) => {
  const message = `${min}에서 ${max} 사이의 숫자로 입력해 주십시오.`;
  return z.number({ error: message }).int(message).min(min, message).max(max, message);
};

const rangeField = (min: number, max: number) => ({ min: integerBetween(min, max), max: integerBetween(min, max) });

const { userName, password, email } = WIDEST_RULE_SETTINGS;

const MIN_ABOVE_MAX_ISSUE = { path: ["max"], message: "가장 긴 길이는 가장 짧은 길이보다 작을 수 없습니다." };

export const accountRuleSettings: z.ZodType<AccountRuleSettings> = z.object({
  userName: z
    .object({ ...rangeField(userName.min, userName.max), foreign: z.boolean() })
    .refine(({ min, max }) => min <= max, MIN_ABOVE_MAX_ISSUE),
  password: z.object(rangeField(password.min, password.max)).refine(({ min, max }) => min <= max, MIN_ABOVE_MAX_ISSUE),
  email: z.object({ endingMax: integerBetween(2, email.endingMax) }),
});

export const updateAuthenticationInput = z.object({
  authType: z.enum(AUTH_TYPES),
  roleCodeForGuest: roleCode,
  signupApproval: flagField,
  rules: accountRuleSettings.optional(),
  version: versionField,
});

export const profileFieldCode = z
  .string()
  .regex(/^[a-zA-Z][a-zA-Z0-9]{0,29}$/, "영문자로 시작하여 영문자와 숫자로 30자까지 입력해 주십시오.")
  .refine((code) => !["constructor", "prototype", "toString", "valueOf"].includes(code), "쓸 수 없는 코드입니다.");

export const profileFieldInputs = rowInputs(profileFieldRow, {
  shape: { code: profileFieldCode },
  change: {
    ...renameFields(requiredLineField(PROFILE_FIELD_LIMITS.option), PROFILE_FIELD_LIMITS.optionsMax),
    isClosed: flagField.default(false),
  },
  rules: [
    [
      ({ inputType, detail }) => !["select", "radio"].includes(inputType) || detail.length > 0,
      { path: ["detail"], message: "고를 수 있는 항목을 한 줄에 하나씩 입력해 주십시오." },
    ],
  ],
});

const authenticationFields = z.object({
  authType: z.enum(AUTH_TYPES).catch("IdAndPassword"),
  roleCodeForGuest: z.string().catch("guest"),
  signupApproval: z.boolean().catch(false),
  rules: accountRuleSettings.catch(DEFAULT_RULE_SETTINGS),
});

export const authenticationSettings = withDefaults(authenticationFields);

export type AuthenticationSettings = z.output<typeof authenticationSettings>;
