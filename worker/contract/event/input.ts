import { z } from "zod";
import { roleCode } from "../access/input.ts";
import { messageLanguage, tokenField } from "../account/input.ts";
import { profileFieldCode } from "../account/setting-input.ts";
import { eventTimesInput } from "../board/input.ts";
import { wonField } from "../alumni/dues/due-input.ts";
import { valuesOf } from "../kernel/labels.ts";
import { exportInput, fieldShape, filterShape } from "../kernel/row-input.ts";
import { flagField, pageFields, reasonField, requiredLineField, textField, versionField } from "../kernel/fields.ts";
import { eventTimeProblems, MAILED_PEOPLE, MARK_LABELS, REGISTRATION_LIMITS } from "./event.ts";
import { EVENT_FIELDS, FEE_FIELDS, QUESTION_FIELDS, REGISTRATION_FILTERS } from "./fields.ts";

/** A new question has no code. */
const questionInput = z
  .object({ code: profileFieldCode.optional(), ...fieldShape(QUESTION_FIELDS) })
  .refine(({ inputType, detail }) => !["select", "radio"].includes(inputType) || detail.length > 0, {
    path: ["detail"],
    error: "고를 수 있는 항목을 한 줄에 하나씩 입력해 주십시오.",
  });

/** Empty for every signed-in member. */
const roleCodes = z
  .array(roleCode)
  .max(REGISTRATION_LIMITS.roles)
  .default([])
  .transform((codes) => [...new Set(codes)]);

const eventShape = {
  ...fieldShape(EVENT_FIELDS),
  roleCodes,
  fees: z
    .array(z.object({ code: profileFieldCode.optional(), ...fieldShape(FEE_FIELDS), roleCodes }))
    .max(REGISTRATION_LIMITS.fees)
    .default([]),
  confirmation: textField(REGISTRATION_LIMITS.confirmation).default(""),
  /** Of those present; empty for none. */
  certificateKindId: textField(REGISTRATION_LIMITS.kindId).default(""),
  questions: z.array(questionInput).max(REGISTRATION_LIMITS.questions).default([]),
};

const inOrder = <S extends z.ZodRawShape>(shape: S) =>
  z.object(shape).transform((value, issues) => {
    for (const [field, message] of Object.entries(eventTimeProblems(value as never)))
      issues.addIssue({ code: "custom", path: [field], message });
    return value;
  });

export const openRegistrationInput = inOrder(eventShape);

export const updateRegistrationInput = inOrder({ ...eventShape, version: versionField });

/** As sign-up sends its fields: text, chosen words, or true for a box. */
const answers = z.record(z.string().max(30), z.union([z.string(), z.boolean(), z.array(z.string())])).default({});

const answering = {
  answers,
  /** The questions that the person saw. */
  questionsVersion: versionField,
};

/** The code of a fee; empty where the event has none. */
const feeCode = z.union([z.literal(""), profileFieldCode]).default("");

export const registerInput = z.object({
  ...answering,
  feeCode,
  /** Waits where no place is free; without it that is refused. */
  joinsQueue: flagField.default(false),
});

/** By somebody without an account, with the proof of an e-mail address. */
export const registerGuestInput = registerInput.extend({
  userName: requiredLineField(REGISTRATION_LIMITS.guestName),
  userKeyToken: tokenField,
  language: messageLanguage,
});

export const guestLink = z.object({ token: z.string().max(200) });

export const changeAnswersInput = z.object({ ...answering, version: versionField });

/** `version` is that of the setting. */
export const moveEventInput = eventTimesInput({ reason: reasonField, version: versionField });

export const callOffEventInput = z.object({ reason: reasonField, version: versionField });

export const cancelRegistrationInput = z.object({ version: versionField });

export const decideRegistrationInput = z.object({ reason: reasonField, version: versionField });

/** Added by the office; takes a place, adding one where none is free. */
export const addRegistrationInput = z.object({
  /** A sign-in key: ID, e-mail or mobile number. */
  who: requiredLineField(REGISTRATION_LIMITS.who),
  feeCode,
  reason: reasonField,
  /** Somebody at the door. */
  isPresent: flagField.default(false),
});

/** `paid` is the sum that the office saw. */
export const refundFeeInput = z.object({ reason: reasonField, paid: wonField });

export const attendanceInput = z.object({ mark: z.enum(valuesOf(MARK_LABELS)) });

export const listRegistrationsQuery = z.object({ ...filterShape(REGISTRATION_FILTERS), ...pageFields(50) });

export const exportRegistrationsInput = exportInput(filterShape(REGISTRATION_FILTERS));

export const printNameTagsInput = exportRegistrationsInput.omit({ format: true });

export const mailRegisteredInput = z.object({ to: z.enum(valuesOf(MAILED_PEOPLE)) });

export const listEventsQuery = z.object({ ...pageFields(20) });

export const ownRegistrationsQuery = z.object({ ...pageFields(20) });
