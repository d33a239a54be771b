import { z } from "zod";
import {
  idField,
  flagField,
  reasonField,
  requiredLineField,
  requiredTextField,
  pageFields,
  versionQuery,
} from "../kernel/fields.ts";
import { filterShape } from "../kernel/row-input.ts";
import { MESSAGE_FILTERS } from "./message-filters.ts";
import { ACTIVITY_KINDS, ACTIVITY_READ_MAX, MAIL_TEMPLATE_LIMITS } from "./mail.ts";
import { MAIL_TEMPLATE_KINDS } from "./templates.ts";

export const listMessagesQuery = z.object({
  ...filterShape(MESSAGE_FILTERS),
  ...pageFields(30),
});

export const retryMessagesInput = z.union([
  z.object({ ids: z.array(idField).min(1).max(200) }),
  z.object({ all: z.literal(true) }),
]);

export const followInput = z.object({});

export const notificationsInput = z.object({
  comments: flagField.optional(),
  office: flagField.optional(),
  bell: z.partialRecord(z.enum(ACTIVITY_KINDS), flagField).optional(),
});

export type NotificationsInput = z.output<typeof notificationsInput>;

export const listActivityQuery = z.object({ ...pageFields(20) });
const activityId = z.number().int().min(1);

/** Some, or all up to the newest seen one, so that later ones stay unread. */
export const readActivityInput = z.union([
  z.object({ ids: z.array(activityId).min(1).max(ACTIVITY_READ_MAX) }),
  z.object({ upTo: activityId }),
]);
export const unsubscribePath = z.object({ token: z.string().min(1).max(300) });

export const mailTemplatePath = z.object({ kind: z.string().max(40) });

export const mailReportInput = z.object({
  type: z.string().max(100),
  /** The time of the event, equal in a repeated report. */
  created_at: z.string().max(100).default(""),
  data: z.object({
    email_id: z.string().min(1).max(100),
    bounce: z.object({ type: z.string().max(100) }).optional(),
  }),
});

const mailTemplateShape = {
  subject: requiredLineField(MAIL_TEMPLATE_LIMITS.subject),
  text: requiredTextField(MAIL_TEMPLATE_LIMITS.text),
};

export const mailTemplateTextInput = z.object(mailTemplateShape);

export const mailTemplateDocument = mailTemplateTextInput.extend({ kind: z.enum(MAIL_TEMPLATE_KINDS) });

/** 0 until the office changes the text. */
export const mailTemplateVersion = z.number().int().min(0);

export const updateMailTemplateInput = z.object({
  ...mailTemplateShape,
  reason: reasonField.optional(),
  version: mailTemplateVersion,
});

export const restoreMailTemplateQuery = versionQuery.extend({ reason: reasonField.optional() });
