import {
  requiredTextField,
  lineField,
  optionalParameter,
  dayField,
  versionField,
  requiredLineField,
  reasonField,
  pageFields,
} from "../kernel/fields.ts";
import { z } from "zod";
import { exportInput, filterShape } from "../kernel/row-input.ts";
import { REQUEST_FILTERS, REQUEST_KINDS, REQUEST_LIMITS } from "./privacy.ts";
import { normaliseUserKey, isEmail } from "../account/rules.ts";
import { WIDEST_ACCOUNT_RULES } from "../kernel/setting/identity-rules.ts";
import { RETENTION_RULE_CODES } from "../audit/retention-rules.ts";

const longTextField = (max: number) => requiredTextField(max);

export const ownRequestInput = z.object({
  kind: z.enum(REQUEST_KINDS),
  content: longTextField(REQUEST_LIMITS.content),
});

const contactField = lineField(100)
  .transform((value) => normaliseUserKey("Email", value))
  .refine((value) => value === "" || isEmail(value, WIDEST_ACCOUNT_RULES), "이메일을 형식에 맞게 입력해 주십시오.");

export const enterRequestInput = z
  .object({
    kind: z.enum(REQUEST_KINDS),
    /** ID or e-mail of the requester's account, if any. */
    userKeyCode: lineField(100).default(""),
    requesterName: lineField(50).default(""),
    contact: contactField.default(""),
    content: longTextField(REQUEST_LIMITS.content),
    receivedDay: optionalParameter(dayField),
  })
  .refine((value) => value.userKeyCode !== "" || value.requesterName !== "", {
    path: ["requesterName"],
    message: "필수 항목입니다.",
  });

const requestFilter = filterShape(REQUEST_FILTERS);

export const listRequestsQuery = z.object({ ...requestFilter, ...pageFields(20) });

export const exportRequestsInput = exportInput(requestFilter);

export const startRequestInput = z.object({ version: versionField });

export const answerRequestInput = z.object({
  result: z.enum(["done", "refused"]),
  answer: longTextField(REQUEST_LIMITS.answer),
  version: versionField,
});

export const extendRequestInput = z.object({
  days: z.number().int().min(1).max(30),
  reason: requiredLineField(REQUEST_LIMITS.extensionReason),
  version: versionField,
});

/** Destroys and closes the account of the request. */
export const eraseRequestInput = z.object({ answer: longTextField(REQUEST_LIMITS.answer), version: versionField });

export const retentionRulePath = z.object({ rule: z.enum(RETENTION_RULE_CODES) });

/** `fingerprint` of the displayed list; a changed list is refused. */
export const runRetentionRuleInput = z.object({
  fingerprint: z.string().min(1).max(100),
  reason: reasonField,
});

export type RunRetentionRuleInput = z.output<typeof runRetentionRuleInput>;
