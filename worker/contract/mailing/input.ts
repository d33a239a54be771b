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
import { MAIL_KINDS, MAIL_TEMPLATE_LIMITS } from "../mail/rules.ts";
import { memberFilterShape } from "../member/input.ts";
import { MAILING_FILES_MAX, RECIPIENT_STATES } from "./rules.ts";

/** As many as can be ticked in a list. */
const personIds = z.array(idField).min(1, "받을 사람을 한 명 이상 선택해 주십시오.").max(1000);

export const memberMailFilter = z.object(memberFilterShape);

/** Those chosen, or all whom a filter of the list shows. */
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

export const updateMailingInput = z.object({
  kind: z.enum(MAIL_KINDS),
  /** May be empty while it is being written. */
  subject: lineField(MAIL_TEMPLATE_LIMITS.subject),
  text: textField(MAIL_TEMPLATE_LIMITS.text),
  fileIds: z.array(idField).max(MAILING_FILES_MAX).default([]),
  isEach: flagField.default(false),
  keepsEmpty: flagField.default(false),
  version: versionField,
});

export type UpdateMailingInput = z.output<typeof updateMailingInput>;

export const mailingVersionInput = z.object({ version: versionField });

export const sendMailingInput = z.object({
  version: versionField,
  /** How many the preview said: with another number nothing is sent. */
  count: z.number().int().min(0),
  sendDate: isoDateField.optional(),
  reason: reasonField,
});

export type SendMailingInput = z.output<typeof sendMailingInput>;

export const resendMailingInput = z.object({ version: versionField, reason: reasonField });

export const listMailingsQuery = z.object({ ...pageFields(20) });

export type ListMailingsQuery = z.output<typeof listMailingsQuery>;

export const listRecipientsQuery = z.object({
  state: optionalParameter(z.enum(RECIPIENT_STATES)),
  ...pageFields(50),
});

export type ListRecipientsQuery = z.output<typeof listRecipientsQuery>;
