import { z } from "zod";
import { alumniSelectionInput, seenCount, updateAlumniInput } from "../alumni/input.ts";
import {
  dayField,
  flagField,
  idField,
  isoDateField,
  lineField,
  optionalParameter,
  pageFields,
  reasonField,
  requiredLineField,
  textField,
  versionField,
} from "../kernel/fields.ts";
import { MAIL_KINDS, MAIL_TEMPLATE_LIMITS, MESSAGE_CHANNELS } from "../mail/mail.ts";
import { ALIMTALK_LIMITS } from "../mail/text-message.ts";
import { memberFilterShape } from "../member/list-input.ts";
import { filterShape } from "../kernel/row-input.ts";
import { MAILING_FILES_MAX, RECIPIENT_FILTERS } from "./mailing.ts";
import { CORRECTED_FIELDS } from "../alumni/confirmation-rules.ts";
import { ANSWER_FILTERS, QUESTION_LIMITS } from "./question.ts";
import { REMINDER_DAYS, ROUND_FILTERS } from "./round.ts";

const personIds = z.array(idField).min(1, "받을 사람을 한 명 이상 선택해 주십시오.").max(1000);

const memberMailFilter = z.object(memberFilterShape);

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

const templateValues = z
  .record(z.string().min(1).max(ALIMTALK_LIMITS.valueName), lineField(ALIMTALK_LIMITS.value))
  .refine((values) => Object.keys(values).length <= ALIMTALK_LIMITS.values, "변수가 너무 많습니다.");

const questionInput = z.object({
  text: requiredLineField(QUESTION_LIMITS.text),
  answers: z
    .array(requiredLineField(QUESTION_LIMITS.answer))
    .min(QUESTION_LIMITS.answersMin, `답을 ${QUESTION_LIMITS.answersMin}개 이상 적어 주십시오.`)
    .max(QUESTION_LIMITS.answersMax, `답은 ${QUESTION_LIMITS.answersMax}개까지 적을 수 있습니다.`)
    .refine((answers) => new Set(answers).size === answers.length, "같은 답이 두 번 있습니다."),
  /** The last day for an answer, in Korea; empty for no end. */
  endDay: dayField.or(z.literal("")).default(""),
});

export const updateMailingInput = z.object({
  channel: z.enum(MESSAGE_CHANNELS).default("email"),
  kind: z.enum(MAIL_KINDS),
  subject: lineField(MAIL_TEMPLATE_LIMITS.subject),
  text: textField(MAIL_TEMPLATE_LIMITS.text),
  fileIds: z.array(idField).max(MAILING_FILES_MAX).default([]),
  attachmentId: idField.nullable().default(null),
  isEach: flagField.default(false),
  keepsEmpty: flagField.default(false),
  /** Only for a Kakao message, whose text is the template's. */
  templateCode: lineField(ALIMTALK_LIMITS.templateCode).default(""),
  templateValues: templateValues.default({}),
  question: questionInput.nullable().default(null),
  version: versionField,
});

export const mailingVersionInput = z.object({ version: versionField });

export const sendMailingInput = z.object({
  version: versionField,
  /** The count that the preview showed; a different count sends nothing. */
  count: seenCount,
  sendDate: isoDateField.optional(),
  reason: reasonField,
});

export const resendMailingInput = z.object({
  version: versionField,
  reason: reasonField,
  /** Includes recipients whose delivery is unknown. */
  isUnknownToo: flagField.default(false),
});

export const listMailingsQuery = z.object({ ...pageFields(20) });

export const listRecipientsQuery = z.object({
  ...filterShape(RECIPIENT_FILTERS),
  ...pageFields(50),
});

export const listAnswersQuery = z.object({
  answer: optionalParameter(z.enum(ANSWER_FILTERS)),
  ...pageFields(50),
});

export const exportAnswersInput = z.object({ format: z.enum(["xlsx", "csv"]).default("xlsx"), reason: reasonField });

/** 256 bits in base64url, and the place of an answer. */
export const answerPath = z.object({
  token: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  answer: z.coerce.number().int().min(1).max(QUESTION_LIMITS.answersMax),
});

export const createRoundInput = z.object({ target: alumniSelectionInput });

export const startRoundInput = z.object({
  version: versionField,
  /** The count that the preview showed; a different count sends nothing. */
  count: seenCount,
  reminderDays: z
    .number()
    .int()
    .min(REMINDER_DAYS.min, `${REMINDER_DAYS.min}일에서 ${REMINDER_DAYS.max}일 사이로 정해 주십시오.`)
    .max(REMINDER_DAYS.max, `${REMINDER_DAYS.min}일에서 ${REMINDER_DAYS.max}일 사이로 정해 주십시오.`),
  repeats: flagField.default(false),
  reason: reasonField,
});

export const repeatRoundInput = z.object({ version: versionField, repeats: flagField });

export const listRoundsQuery = z.object({ ...pageFields(20) });

export const listRoundPeopleQuery = z.object({
  ...filterShape(ROUND_FILTERS),
  cohort: optionalParameter(
    z
      .string()
      .regex(/^\d{1,3}$/)
      .transform(Number),
  ),
  ...pageFields(50),
});

/** 256 bits in base64url. */
export const confirmationPath = z.object({ token: z.string().regex(/^[A-Za-z0-9_-]{43}$/) });

const proof = z.string().min(20).max(100);

export const openEntryInput = z.object({
  /** Both proofs are missing when the address owner is signed in. */
  codeToken: proof.optional(),
  pincode: z
    .string()
    .regex(/^\d{6}$/, "인증번호 6자리를 입력해 주십시오.")
    .optional(),
});

const corrected = Object.fromEntries(CORRECTED_FIELDS.map((field) => [field, updateAlumniInput.shape[field]])) as Pick<
  typeof updateAlumniInput.shape,
  (typeof CORRECTED_FIELDS)[number]
>;

export const correctEntryInput = z.object({ proof: proof.optional(), version: versionField, ...corrected });
