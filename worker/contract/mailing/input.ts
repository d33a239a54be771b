import { z } from "zod";
import { alumniSelectionInput } from "../alumni/input.ts";
import {
  flagField,
  idField,
  isoDateField,
  lineField,
  optionalParameter,
  reasonField,
  textField,
  versionField,
  pageFields,
} from "../kernel/fields.ts";
import { MAIL_KINDS, MAIL_TEMPLATE_LIMITS, MESSAGE_CHANNELS } from "../mail/rules.ts";
import { ALIMTALK_LIMITS } from "../mail/text-message.ts";
import { memberFilterShape } from "../member/input.ts";
import { MAILING_FILES_MAX, RECIPIENT_STATES } from "./rules.ts";

const personIds = z.array(idField).min(1, "받을 사람을 한 명 이상 선택해 주십시오.").max(1000);

export const memberMailFilter = z.object(memberFilterShape);

export const createMailingInput = z.discriminatedUnion("source", [
  z.object({
    source: z.literal("alumni"),
    target: alumniSelectionInput,
  }),
  z.object({
    source: z.literal("member"),
    target: z.union([z.object({ ids: personIds }), z.object({ filter: memberMailFilter })]),
  }),
]);

export type CreateMailingInput = z.output<typeof createMailingInput>;

const templateValues = z
  .record(z.string().min(1).max(ALIMTALK_LIMITS.valueName), lineField(ALIMTALK_LIMITS.value))
  .refine((values) => Object.keys(values).length <= ALIMTALK_LIMITS.values, "변수가 너무 많습니다.");

export const updateMailingInput = z.object({
  channel: z.enum(MESSAGE_CHANNELS).default("email"),
  kind: z.enum(MAIL_KINDS),
  subject: lineField(MAIL_TEMPLATE_LIMITS.subject),
  text: textField(MAIL_TEMPLATE_LIMITS.text),
  fileIds: z.array(idField).max(MAILING_FILES_MAX).default([]),
  isEach: flagField.default(false),
  keepsEmpty: flagField.default(false),
  /** Only for a Kakao message, whose text is the template's. */
  templateCode: lineField(ALIMTALK_LIMITS.templateCode).default(""),
  templateValues: templateValues.default({}),
  version: versionField,
});

export type UpdateMailingInput = z.output<typeof updateMailingInput>;

export const mailingVersionInput = z.object({ version: versionField });

export const sendMailingInput = z.object({
  version: versionField,
  /** The count that the preview showed; a different count sends nothing. */
  count: z.number().int().min(0),
  sendDate: isoDateField.optional(),
  reason: reasonField,
});

export type SendMailingInput = z.output<typeof sendMailingInput>;

export const resendMailingInput = z.object({
  version: versionField,
  reason: reasonField,
  /** Includes recipients whose delivery is unknown. */
  isUnknownToo: flagField.default(false),
});

export type ResendMailingInput = z.output<typeof resendMailingInput>;

export const listMailingsQuery = z.object({ ...pageFields(20) });

export type ListMailingsQuery = z.output<typeof listMailingsQuery>;

export const listRecipientsQuery = z.object({
  state: optionalParameter(z.enum(RECIPIENT_STATES)),
  ...pageFields(50),
});

export type ListRecipientsQuery = z.output<typeof listRecipientsQuery>;
