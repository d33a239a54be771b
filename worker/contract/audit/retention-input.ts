import { type RetentionRule, RETENTION_RULES, RETENTION_RULE_CODES } from "./retention-rules.ts";
import { z } from "zod";
import { flagField, versionField } from "../kernel/fields.ts";

const ruleShape = (rule: RetentionRule) => {
  const { on, days } = RETENTION_RULES[rule];
  return z.object({ on: z.boolean().catch(on), days: z.number().int().catch(days) }).catch({ on, days });
};

/** `site_setting.privacy`; missing or broken values fall back to the rule's default. */
export const privacySettings = z.object({
  requestDays: z.number().int().min(1).max(30).catch(10),
  rules: z.preprocess(
    (value) => value ?? {},
    z.object(
      Object.fromEntries(RETENTION_RULE_CODES.map((rule) => [rule, ruleShape(rule)])) as Record<
        RetentionRule,
        ReturnType<typeof ruleShape>
      >,
    ),
  ),
});

export type PrivacySettings = z.output<typeof privacySettings>;

/** Days in the recycle bin; null without a retention rule. */
export const alumniBinDays = ({ rules }: PrivacySettings): number | null =>
  rules["alumni-bin"].on ? rules["alumni-bin"].days : null;

const ruleInput = (rule: RetentionRule) => {
  const { min, max } = RETENTION_RULES[rule];
  const message = `${min}일에서 ${max}일 사이로 입력해 주십시오.`;
  return z.object({ on: flagField, days: z.number().int().min(min, message).max(max, message) });
};

export const updatePrivacyInput = z.object({
  requestDays: z
    .number()
    .int()
    .min(1, "1일에서 30일 사이로 입력해 주십시오.")
    .max(30, "1일에서 30일 사이로 입력해 주십시오."),
  rules: z.object(
    Object.fromEntries(RETENTION_RULE_CODES.map((rule) => [rule, ruleInput(rule)])) as Record<
      RetentionRule,
      ReturnType<typeof ruleInput>
    >,
  ),
  version: versionField,
});

export type UpdatePrivacyInput = z.output<typeof updatePrivacyInput>;
