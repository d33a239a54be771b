import { SECOND_FACTOR_MESSAGES } from "./rule-messages.ts";
import { z } from "zod";
import { requiredLineField, lineField, optionalParameter, pageFields, passwordField } from "../kernel/fields.ts";
import { isRecoveryCode, normaliseRecoveryCode, normaliseTotpCode, SECOND_FACTOR_LIMITS } from "./second-factor.ts";

const base64Url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/);

const credential = { id: base64Url(1400), rawId: base64Url(1400), type: z.literal("public-key") };

/** The used fields of a new passkey; others are dropped. */
const registrationField = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64Url(4000),
      attestationObject: base64Url(16_000),
      transports: z.array(z.string().max(20)).max(8).default([]).catch([]),
    }),
  })
  .transform((value) => ({ ...value, clientExtensionResults: {} }));

const assertionField = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64Url(4000),
      authenticatorData: base64Url(4000),
      signature: base64Url(2000),
      userHandle: base64Url(200)
        .nullish()
        .transform((value) => value ?? undefined),
    }),
  })
  .transform(({ response: { userHandle, ...response }, ...value }) => ({
    ...value,
    response: { ...response, ...(userHandle === undefined ? {} : { userHandle }) },
    clientExtensionResults: {},
  }));

const totpCodeField = z
  .string()
  .max(SECOND_FACTOR_LIMITS.typedCodeLength)
  .transform(normaliseTotpCode)
  .pipe(z.string().regex(/^\d{6}$/, SECOND_FACTOR_MESSAGES.totpFormat));

const recoveryCodeField = z
  .string()
  .max(SECOND_FACTOR_LIMITS.typedCodeLength)
  .transform(normaliseRecoveryCode)
  .pipe(z.string().refine(isRecoveryCode, SECOND_FACTOR_MESSAGES.recoveryFormat));

const nameField = lineField(50).default("");

export const addPasskeyInput = z.object({ response: registrationField, name: nameField });
export const addTotpInput = z.object({ setupToken: z.string().min(1).max(1000), code: totpCodeField, name: nameField });
export const renameFactorInput = z.object({ name: requiredLineField(50) });
export const verifyInput = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("passkey"), response: assertionField }),
  z.object({ kind: z.literal("totp"), code: totpCodeField }),
  z.object({ kind: z.literal("recoveryCode"), code: recoveryCodeField }),
  z.object({ kind: z.literal("password"), password: passwordField }),
]);
export const passkeySigninInput = z.object({ response: assertionField });
export const startRecoveryInput = z.object({ reason: requiredLineField(200) });
export const listSecondFactorsQuery = z.object({
  ...pageFields(20),
  show: optionalParameter(z.enum(["all", "missing"])),
});

export type RegistrationResponse = z.output<typeof registrationField>;
export type AssertionResponse = z.output<typeof assertionField>;
