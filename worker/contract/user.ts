import { z } from "zod";
import { line, requiredLine } from "./fields.ts";
import { cleanLine } from "./text.ts";

export const USER_KEY_TYPES = ["Id", "Email", "Mobile"] as const;
export type UserKeyType = (typeof USER_KEY_TYPES)[number];
export const AUTH_TYPES = ["IdAndPassword", "EmailAndPassword", "MobileAndPassword"] as const;
export type AuthType = (typeof AUTH_TYPES)[number];
export type UserType = "Member" | "Admin";

/** Which key a person signs in with under each authentication type. */
export const SIGNIN_KEY: Record<AuthType, UserKeyType> = {
  IdAndPassword: "Id",
  EmailAndPassword: "Email",
  MobileAndPassword: "Mobile",
};

/** Rules of spec section 5; `RULES` is what GET site-setting/authentication publishes. */
export const RULES = {
  password: { min: 6, max: 16, pattern: "^(?=.*[A-Za-z])(?=.*[0-9])(?=.*[^A-Za-z0-9])[!-~]{6,16}$" },
  userName: { pattern: "^[가-힣]{1,4}$" },
  userId: { max: 50, pattern: "^\\S+$" },
  email: {
    max: 100,
    pattern: "^[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\\.)+[A-Za-z]{2,3}$",
  },
  phone: { pattern: "^\\d{2,3}-\\d{3,4}-\\d{4}$" },
  mobile: { pattern: "^01[016789]-\\d{3,4}-\\d{4}$" },
} as const;

const PATTERNS = {
  password: new RegExp(RULES.password.pattern),
  userName: new RegExp(RULES.userName.pattern),
  email: new RegExp(RULES.email.pattern),
  phone: new RegExp(RULES.phone.pattern),
  mobile: new RegExp(RULES.mobile.pattern),
};

export const RULE_MESSAGES = {
  password: "비밀번호는 영문, 숫자, 특수문자를 모두 포함하여 6~16자로 입력해 주십시오.",
  userName: "이름은 한글 1~4자로 입력해 주십시오.",
  userId: "아이디는 공백 없이 입력해 주십시오.",
  email: "이메일을 형식에 맞게 입력해 주십시오.",
  mobile: "휴대전화번호를 형식에 맞게 입력해 주십시오.",
} as const;

/** Each rule of the password by itself, so that a form can show which are met. */
export const PASSWORD_CHECKS = [
  { code: "length", label: "6~16자", test: (value: string) => value.length >= 6 && value.length <= 16 },
  { code: "letter", label: "영문", test: (value: string) => /[A-Za-z]/.test(value) },
  { code: "digit", label: "숫자", test: (value: string) => /[0-9]/.test(value) },
  { code: "special", label: "특수문자", test: (value: string) => /[^A-Za-z0-9\s]/.test(value) },
] as const;

/** Digits, spaces, +82 or hyphens to 010-1234-5678; what is no phone number comes back as it was. */
export function normalisePhone(value: string): string {
  const digits = value
    .normalize("NFKC")
    .replace(/^\s*\+?82[\s-]*0?/, "0")
    .replace(/\D/g, "");
  const match = /^(02|01[016789]|0\d{2})(\d{3,4})(\d{4})$/.exec(digits);
  return match ? `${match[1]}-${match[2]}-${match[3]}` : value.normalize("NFKC").trim();
}

/** One identity for every way of typing it (contract section 1): normalise, then validate, then look up. */
export function normaliseUserKey(userKeyType: UserKeyType, userKeyCode: string): string {
  if (userKeyType === "Mobile") return normalisePhone(userKeyCode);
  const code = cleanLine(userKeyCode.normalize("NFKC"));
  return userKeyType === "Email" ? code.toLowerCase().replace(/\.+$/, "") : code.toLowerCase();
}

/** Korean message when the normalised key breaks its rule, else null. */
export function userKeyProblem(userKeyType: UserKeyType, code: string): string | null {
  switch (userKeyType) {
    case "Id":
      return code.length > 0 && code.length <= RULES.userId.max && !/\s/.test(code) ? null : RULE_MESSAGES.userId;
    case "Email":
      return code.length <= RULES.email.max && PATTERNS.email.test(code) ? null : RULE_MESSAGES.email;
    case "Mobile":
      return PATTERNS.mobile.test(code) ? null : RULE_MESSAGES.mobile;
  }
}

export const isPhone = (value: string) => PATTERNS.phone.test(value);
export const isEmail = (value: string) => value.length <= RULES.email.max && PATTERNS.email.test(value);

export const userKeyType = z.enum(USER_KEY_TYPES);
export const userName = z
  .string()
  .max(200)
  .transform(cleanLine)
  .pipe(z.string().regex(PATTERNS.userName, RULE_MESSAGES.userName));
export const newPassword = z.string().max(200).regex(PATTERNS.password, RULE_MESSAGES.password);
/** A password to compare: never normalised, refused by length before it costs a hash. */
export const password = z.string().min(1).max(200);
export const email = z
  .string()
  .max(400)
  .transform((value) => normaliseUserKey("Email", value))
  .refine((value) => userKeyProblem("Email", value) === null, RULE_MESSAGES.email);
const token = z.string().min(1).max(400);

/** userKeyType and userKeyCode in any object, the code normalised and checked by its type's rule. */
function withUserKey<T extends z.ZodObject<{ userKeyType: z.ZodType<UserKeyType>; userKeyCode: z.ZodString }>>(
  schema: T,
) {
  return schema.transform((value, ctx) => {
    const given = value as unknown as { userKeyType: UserKeyType; userKeyCode: string };
    const userKeyCode = normaliseUserKey(given.userKeyType, given.userKeyCode);
    const problem = userKeyProblem(given.userKeyType, userKeyCode);
    if (problem) ctx.addIssue({ code: "custom", path: ["userKeyCode"], message: problem });
    return { ...value, userKeyCode };
  });
}
const key = { userKeyType, userKeyCode: z.string().min(1).max(400) };

export const userKeyInput = withUserKey(z.object(key));
export const sendCodeInput = withUserKey(z.object({ ...key, userKeyType: z.enum(["Email", "Mobile"]) }));
export const confirmInput = z.object({
  userKeyToken: token,
  pincode: z
    .string()
    .trim()
    .regex(/^\d{6}$/, "인증번호 6자리를 입력해 주십시오."),
});

export const signinInput = z.object({
  ...key,
  password,
  returnUrl: z.string().max(2000).optional().catch(undefined),
  rememberId: z.boolean().optional().catch(undefined),
});
export const refreshInput = z.object({ refreshToken: token });
export const signoutInput = z.object({ refreshToken: z.string().max(400).optional() });

export const agreementChoice = z.object({ code: z.string().max(50), version: z.string().max(50) });
export const profileInput = z.record(
  z.string().max(50),
  z.union([z.string().max(4000), z.boolean(), z.array(z.string().max(400)).max(50)]),
);
export type ProfileInput = z.output<typeof profileInput>;

export const signupInput = withUserKey(
  z.object({
    ...key,
    password: newPassword,
    userName,
    profile: profileInput.default({}),
    userKeyTokenForEmail: token.optional(),
    userKeyTokenForMobile: token.optional(),
    agreements: z.array(agreementChoice).max(20).default([]),
  }),
);

export const findIdInput = z.object({ userName: requiredLine(50), email });
export const resetTokenInput = z.object({ email });
export const resetInput = z.object({ userToken: token, pincode: confirmInput.shape.pincode, password: newPassword });
export const updateUserInput = z.object({
  userName: userName.optional(),
  profile: profileInput.optional(),
  version: z.number().int().min(1),
});
export const changePasswordInput = z.object({ password, newPassword });
export const changeUserKeyInput = z.object({ userKeyType: z.enum(["Email", "Mobile"]), userKeyToken: token, password });
export const retireInput = z.object({ password, reason: line(500).optional() });

export type SignupInput = z.output<typeof signupInput>;
export type SigninInput = z.output<typeof signinInput>;

export interface SignedInUser {
  id: string;
  userName: string;
  userType: UserType;
  role: { roleCode: string; roleName: string; permissions: string[] };
}

export interface TokenPair {
  accessToken: string;
  refreshToken: string;
  user: SignedInUser;
}
