import {
  requiredText,
  withoutResidentNumber,
  RESIDENT_NUMBER_MESSAGE,
  line,
  optional,
  day,
  pageNumber,
  pageSize,
  id,
  version,
  requiredLine,
} from "../kernel/fields.ts";
import { z } from "zod";
import { REQUEST_KINDS, REQUEST_STATUSES } from "./rules.ts";
import { normaliseUserKey, isEmail } from "../account/rules.ts";
import { ADDRESS_RULES } from "../kernel/identity-rules.ts";
import { exportShape } from "../audit/input.ts";
import { RULE_CODES } from "../audit/retention-rules.ts";

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

export const rulePath = z.object({ rule: z.enum(RULE_CODES) });

/** `fingerprint` of the list that was shown: only that very list is acted on. */
export const runRuleInput = z.object({ fingerprint: z.string().min(1).max(100), reason: requiredLine(200) });

export type RunRuleInput = z.output<typeof runRuleInput>;
