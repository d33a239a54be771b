import { z } from "zod";
import { alumniSelectionInput, updateAlumniInput } from "../alumni/input.ts";
import { CORRECTED_FIELDS } from "../alumni/confirmation-rules.ts";
import { flagField, optionalParameter, reasonField, versionField, pageFields } from "../kernel/fields.ts";
import { REMINDER_DAYS, ROUND_OUTCOMES } from "./round-rules.ts";

export const createRoundInput = z.object({ target: alumniSelectionInput });

export type CreateRoundInput = z.output<typeof createRoundInput>;

export const startRoundInput = z.object({
  version: versionField,
  /** The count that the preview showed; a different count sends nothing. */
  count: z.number().int().min(0),
  reminderDays: z
    .number()
    .int()
    .min(REMINDER_DAYS.min, `${REMINDER_DAYS.min}일에서 ${REMINDER_DAYS.max}일 사이로 정해 주십시오.`)
    .max(REMINDER_DAYS.max, `${REMINDER_DAYS.min}일에서 ${REMINDER_DAYS.max}일 사이로 정해 주십시오.`),
  repeats: flagField.default(false),
  reason: reasonField,
});

export type StartRoundInput = z.output<typeof startRoundInput>;

export const repeatRoundInput = z.object({ version: versionField, repeats: flagField });

export type RepeatRoundInput = z.output<typeof repeatRoundInput>;

export const listRoundsQuery = z.object({ ...pageFields(20) });

export type ListRoundsQuery = z.output<typeof listRoundsQuery>;

export const listRoundPeopleQuery = z.object({
  outcome: optionalParameter(z.enum(ROUND_OUTCOMES)),
  cohort: optionalParameter(
    z
      .string()
      .regex(/^\d{1,3}$/)
      .transform(Number),
  ),
  ...pageFields(50),
});

export type ListRoundPeopleQuery = z.output<typeof listRoundPeopleQuery>;

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

export type OpenEntryInput = z.output<typeof openEntryInput>;

const corrected = Object.fromEntries(CORRECTED_FIELDS.map((field) => [field, updateAlumniInput.shape[field]])) as Pick<
  typeof updateAlumniInput.shape,
  (typeof CORRECTED_FIELDS)[number]
>;

export const correctEntryInput = z.object({ proof: proof.optional(), version: versionField, ...corrected });

export type CorrectEntryInput = z.output<typeof correctEntryInput>;
