import { z } from "zod";
import {
  dayField,
  optionalParameter,
  reasonField,
  requiredLineField,
  versionField,
  pageFields,
} from "../kernel/fields.ts";
import { valuesOf } from "../kernel/labels.ts";
import { HELD_DECISIONS } from "./held-address.ts";
import { updateAlumniInput } from "./input.ts";
import { COHORT_SHOWN, PROPOSED_FIELDS, type ProposedField, REPRESENTATIVE_LIMITS } from "./representative.ts";

export const listCohortQuery = z.object({
  cohort: optionalParameter(
    z
      .string()
      .regex(/^[1-9]\d{0,2}$/)
      .transform(Number),
  ),
  shown: z.enum(COHORT_SHOWN).default("unreached"),
  ...pageFields(50),
});

export type ListCohortQuery = z.output<typeof listCohortQuery>;

const proposed = Object.fromEntries(PROPOSED_FIELDS.map((field) => [field, updateAlumniInput.shape[field]])) as Pick<
  typeof updateAlumniInput.shape,
  ProposedField
>;

export const proposeCorrectionInput = z.object({
  ...proposed,
  note: reasonField,
});

export const listCorrectionsQuery = z.object({
  state: z.enum(["waiting", "decided"]).default("waiting"),
  ...pageFields(20),
});

export const acceptCorrectionInput = z.object({ version: versionField });

export const listHeldAddressesQuery = z.object(pageFields(20));

export const decideHeldAddressInput = z.object({
  decision: z.enum(valuesOf(HELD_DECISIONS)),
  version: versionField,
});

export const appointRepresentativeInput = z.object({
  /** A sign-in key: ID, e-mail or mobile number. */
  who: requiredLineField(REPRESENTATIVE_LIMITS.who),
  cohort: z
    .number({ error: "기수를 숫자로 입력해 주십시오." })
    .int()
    .min(1, "기수를 1부터 999 사이로 입력해 주십시오.")
    .max(REPRESENTATIVE_LIMITS.cohort, "기수를 1부터 999 사이로 입력해 주십시오."),
  /** The last day, in Korea. */
  to: dayField,
  reason: reasonField,
});
