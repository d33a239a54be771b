import { z } from "zod";
import {
  flag,
  id,
  line,
  pageNumber,
  pageSize,
  requiredLine,
  requiredText,
  RESIDENT_NUMBER_MESSAGE,
  version,
  withoutResidentNumber,
} from "../kernel/fields.ts";
import type { AuditRow } from "../member/member.ts";
import { REQUEST_KINDS, REQUEST_STATUSES, RETENTION_RULES, type RetentionRule, RULE_CODES } from "./rules.ts";
import { ADDRESS_RULES, isEmail, normaliseUserKey } from "../account/rules.ts";

export * from "./rules.ts";

const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());
const day = z.iso.date({ error: "날짜를 2026-01-31 형식으로 입력해 주십시오." });
const words = (max: number) => requiredText(max).refine(withoutResidentNumber, RESIDENT_NUMBER_MESSAGE);

export const ownRequestInput = z.object({ kind: z.enum(REQUEST_KINDS), content: words(2000) });
export type OwnRequestInput = z.output<typeof ownRequestInput>;

const contact = line(100)
  .transform((value) => normaliseUserKey("Email", value))
  .refine((value) => value === "" || isEmail(value, ADDRESS_RULES), "이메일을 형식에 맞게 입력해 주십시오.");
export const enterRequestInput = z
  .object({
    kind: z.enum(REQUEST_KINDS),
    /** The ID or e-mail of his account, if he has one. */
    userKeyCode: line(100).default(""),
    requesterName: line(50).refine(withoutResidentNumber, RESIDENT_NUMBER_MESSAGE).default(""),
    contact: contact.default(""),
    content: words(2000),
    /** The day it came in; today unless told. */
    receivedDay: optional(day),
  })
  .refine((value) => value.userKeyCode !== "" || value.requesterName !== "", {
    path: ["requesterName"],
    message: "필수 항목입니다.",
  });
export type EnterRequestInput = z.output<typeof enterRequestInput>;

const requestFilter = {
  status: optional(z.enum([...REQUEST_STATUSES, "open", "overdue"])),
  kind: optional(z.enum(REQUEST_KINDS)),
};
export const listRequestsQuery = z.object({ ...requestFilter, page: pageNumber, size: pageSize(20) });
const exportShape = { format: z.enum(["csv", "xlsx"]).default("csv"), reason: requiredLine(200) };
export const exportRequestsInput = z.object({ filter: z.object(requestFilter).default({}), ...exportShape });
export type ExportRequestsInput = z.output<typeof exportRequestsInput>;
export type ListRequestsQuery = z.output<typeof listRequestsQuery>;
export const requestPath = z.object({ id });

export const startRequestInput = z.object({ version });
export const answerRequestInput = z.object({
  result: z.enum(["done", "refused"]),
  answer: words(4000),
  version,
});
export type AnswerRequestInput = z.output<typeof answerRequestInput>;
export const extendRequestInput = z.object({
  days: z.number().int().min(1).max(30),
  reason: requiredLine(300).refine(withoutResidentNumber, RESIDENT_NUMBER_MESSAGE),
  version,
});
export type ExtendRequestInput = z.output<typeof extendRequestInput>;
/** Destroys the account behind the request and closes it. */
export const eraseRequestInput = z.object({ answer: words(4000), version });
export type EraseRequestInput = z.output<typeof eraseRequestInput>;

const ruleShape = (rule: RetentionRule) => {
  const { on, days } = RETENTION_RULES[rule];
  return z.object({ on: z.boolean().catch(on), days: z.number().int().catch(days) }).catch({ on, days });
};
/** What stands under `site_setting.privacy`; what is missing or broken falls back to the rule's own numbers. */
export const privacySettings = z.object({
  requestDays: z.number().int().min(1).max(30).catch(10),
  rules: z.preprocess(
    (value) => value ?? {},
    z.object(
      Object.fromEntries(RULE_CODES.map((rule) => [rule, ruleShape(rule)])) as Record<
        RetentionRule,
        ReturnType<typeof ruleShape>
      >,
    ),
  ),
});
export type PrivacySettings = z.output<typeof privacySettings>;
/** How long the bin of the address book keeps people; null where nothing empties it. */
export const binDays = ({ rules }: PrivacySettings): number | null =>
  rules["alumni-bin"].on ? rules["alumni-bin"].days : null;

const ruleInput = (rule: RetentionRule) => {
  const { min, max } = RETENTION_RULES[rule];
  const message = `${min}일에서 ${max}일 사이로 입력해 주십시오.`;
  return z.object({ on: flag, days: z.number().int().min(min, message).max(max, message) });
};
export const updatePrivacyInput = z.object({
  requestDays: z
    .number()
    .int()
    .min(1, "1일에서 30일 사이로 입력해 주십시오.")
    .max(30, "1일에서 30일 사이로 입력해 주십시오."),
  rules: z.object(
    Object.fromEntries(RULE_CODES.map((rule) => [rule, ruleInput(rule)])) as Record<
      RetentionRule,
      ReturnType<typeof ruleInput>
    >,
  ),
  version,
});
export type UpdatePrivacyInput = z.output<typeof updatePrivacyInput>;

export const rulePath = z.object({ rule: z.enum(RULE_CODES) });
/** `fingerprint` of the list that was shown: only that very list is acted on. */
export const runRuleInput = z.object({ fingerprint: z.string().min(1).max(100), reason: requiredLine(200) });
export type RunRuleInput = z.output<typeof runRuleInput>;
const destructionFilter = { rule: line(30).optional(), from: optional(day), to: optional(day) };
export const listDestructionsQuery = z.object({ ...destructionFilter, page: pageNumber, size: pageSize(30) });
export const exportDestructionsInput = z.object({ filter: z.object(destructionFilter).default({}), ...exportShape });
export type ExportDestructionsInput = z.output<typeof exportDestructionsInput>;
export type ListDestructionsQuery = z.output<typeof listDestructionsQuery>;

export interface PrivacySettingView {
  value: PrivacySettings;
  version: number;
}
export interface RequestDetail extends PrivacyRequestRow {
  content: string;
  answer: string;
  extendedReason: string;
  handlerName: string;
  history: AuditRow[];
}
export interface PrivacyRequestRow {
  id: string;
  kind: (typeof REQUEST_KINDS)[number];
  status: (typeof REQUEST_STATUSES)[number];
  userId: string | null;
  requesterName: string;
  contact: string;
  receivedDate: string;
  dueDate: string;
  closedDate: string | null;
  overdue: boolean;
  version: number;
}
export interface OwnRequestRow {
  id: string;
  kind: PrivacyRequestRow["kind"];
  status: PrivacyRequestRow["status"];
  content: string;
  answer: string;
  extendedReason: string;
  receivedDate: string;
  dueDate: string;
  closedDate: string | null;
}

export interface RuleSummary {
  rule: RetentionRule;
  on: boolean;
  days: number;
  /** How many would be destroyed now; counted up to 1,000. */
  due: number;
  /** How many are to be told now that their account ends; `inactive` alone. */
  toTell: number;
}
export interface RetentionPage {
  rules: RuleSummary[];
  requestDays: number;
  version: number;
}
export interface DueRow {
  id: string;
  name: string;
  sinceDate: string;
}
export interface DueList {
  rule: RetentionRule;
  on: boolean;
  days: number;
  rows: DueRow[];
  /** There are more; they come when these are gone. */
  more: boolean;
  fingerprint: string;
  /** Members who are mailed before their account ends; `inactive` alone. */
  toTell: DueRow[];
  toTellFingerprint: string;
}
export interface DestructionRow {
  id: number;
  createdDate: string;
  kind: string;
  rule: string;
  basis: string;
  subjectRef: string;
  count: number;
  actorName: string;
  automatic: boolean;
}
