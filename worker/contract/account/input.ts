import { ACCOUNT_RULE_MESSAGES } from "./rule-messages.ts";
import { z } from "zod";
import {
  USER_KEY_TYPES,
  normaliseUserKey,
  userKeyProblem,
  type UserKeyType,
  type ProfileInput,
  LEAVING_CHOICES,
  RETIRE_REASON_MAX,
} from "./rules.ts";
import { WIDEST_ACCOUNT_RULES } from "../kernel/setting/identity-rules.ts";
import { LANGUAGES } from "../kernel/language.ts";
import { cleanLine } from "../kernel/text.ts";
import { NO_RESIDENT_NUMBER, passwordField, requiredLineField, lineField } from "../kernel/fields.ts";

export const userKeyType = z.enum(USER_KEY_TYPES);

/** Only formal checks: the site's own rules for names and passwords are checked by the function. */
export const userName = z
  .string()
  .max(200)
  .transform(cleanLine)
  .pipe(
    z
      .string()
      .min(1)
      .refine(...NO_RESIDENT_NUMBER),
  );

const newPasswordField = z.string().min(1).max(200);

export const emailField = z
  .string()
  .max(400)
  .transform((value) => normaliseUserKey("Email", value))
  .refine((value) => userKeyProblem("Email", value, WIDEST_ACCOUNT_RULES) === null, ACCOUNT_RULE_MESSAGES.email);

export const tokenField = z.string().min(1).max(400);

function withUserKey<T extends z.ZodObject<{ userKeyType: z.ZodType<UserKeyType>; userKeyCode: z.ZodString }>>(
  schema: T,
) {
  return schema.transform((value, ctx) => {
    const given = value as unknown as { userKeyType: UserKeyType; userKeyCode: string };
    const userKeyCode = normaliseUserKey(given.userKeyType, given.userKeyCode);
    const problem = userKeyProblem(given.userKeyType, userKeyCode, WIDEST_ACCOUNT_RULES);
    if (problem) ctx.addIssue({ code: "custom", path: ["userKeyCode"], message: problem });
    return { ...value, userKeyCode };
  });
}

const userKeyShape = { userKeyType, userKeyCode: z.string().min(1).max(400) };

export const userKeyInput = withUserKey(z.object(userKeyShape));

/** The language of the requesting page; Korean by default. */
export const messageLanguage = z.enum(LANGUAGES).optional();

export const sendCodeInput = withUserKey(
  z.object({ ...userKeyShape, userKeyType: z.enum(["Email", "Mobile"]), language: messageLanguage }),
);

export const confirmUserKeyInput = z.object({
  userKeyToken: tokenField,
  pincode: z
    .string()
    .trim()
    .regex(/^\d{6}$/, "인증번호 6자리를 입력해 주십시오."),
});

/** An invalid key gets the same answer as an unknown one. */
export const signinInput = z
  .object({
    ...userKeyShape,
    password: passwordField,
    returnUrl: z.string().max(2000).optional().catch(undefined),
    rememberId: z.boolean().optional().catch(undefined),
  })
  .transform((value) => ({ ...value, userKeyCode: normaliseUserKey(value.userKeyType, value.userKeyCode) }));

/** `attempt` is random and kept by the browser until the answer, so that only it can retry. */
export const refreshSessionInput = z.object({
  refreshToken: z.string().min(1).max(2000),
  attempt: z.string().min(16).max(100).optional(),
});

export const signoutInput = z.object({ refreshToken: z.string().max(2000).optional() });

const agreementChoice = z.object({ code: z.string().max(50), version: z.string().max(50) });

const profileInput: z.ZodType<ProfileInput> = z.record(
  z.string().max(50),
  z.union([z.string().max(4000), z.boolean(), z.array(z.string().max(400)).max(50)]),
);

export const signupInput = withUserKey(
  z.object({
    ...userKeyShape,
    password: newPasswordField,
    userName,
    profile: profileInput.default({}),
    userKeyTokenForEmail: tokenField.optional(),
    userKeyTokenForMobile: tokenField.optional(),
    agreements: z.array(agreementChoice).max(20).default([]),
    language: messageLanguage,
  }),
);

const mobileField = z
  .string()
  .max(400)
  .transform((value) => normaliseUserKey("Mobile", value))
  .refine((value) => userKeyProblem("Mobile", value, WIDEST_ACCOUNT_RULES) === null, ACCOUNT_RULE_MESSAGES.mobile);

/** The account's e-mail, or its mobile number under MobileAndPassword. */
function withAddress<T extends z.ZodRawShape>(shape: T) {
  return z
    .object({ ...shape, email: emailField.optional(), mobile: mobileField.optional() })
    .transform((value, ctx) => {
      const given = value as unknown as { email?: string; mobile?: string };
      if (!given.email && !given.mobile) ctx.addIssue({ code: "custom", path: ["email"], message: "필수 항목입니다." });
      const userKey = given.email
        ? { userKeyType: "Email" as const, userKeyCode: given.email }
        : { userKeyType: "Mobile" as const, userKeyCode: given.mobile ?? "" };
      return { ...value, userKey };
    });
}

export const findIdInput = withAddress({ userName: requiredLineField(50), language: messageLanguage });

export const resetPasswordTokenInput = withAddress({ language: messageLanguage });

export const resetPasswordInput = z.object({
  userToken: tokenField,
  pincode: confirmUserKeyInput.shape.pincode,
  password: newPasswordField,
  language: messageLanguage,
});

export const updateUserInput = z.object({
  userName: userName.optional(),
  profile: profileInput.optional(),
  /** Of letters to this person. */
  language: z.enum(LANGUAGES).optional(),
  version: z.number().int().min(1),
  /** The caller's own password; a wrong one is refused. */
  currentPassword: passwordField.optional(),
});

export const changePasswordInput = z.object({ password: passwordField, newPassword: newPasswordField });

export const endOtherSessionsInput = z.object({ password: passwordField });

export const changeUserKeyInput = z.object({
  userKeyType: z.enum(["Email", "Mobile"]),
  userKeyToken: tokenField,
  password: passwordField,
});

export const retireInput = z.object({
  password: passwordField,
  reason: lineField(RETIRE_REASON_MAX).optional(),
  alumni: z.enum(LEAVING_CHOICES).default("stayWithoutMail"),
});

export const consentsInput = z.object({
  agreements: z
    .array(agreementChoice.extend({ agreed: z.boolean() }))
    .min(1)
    .max(20),
});
