import type { Draft } from "#app/features/account/signup/draft.ts";
import { enterMessage, keyMissing } from "#app/features/account/texts.ts";
import { type AddressType, proofFor } from "#app/features/account/verification.ts";
import { MESSAGES } from "#worker/contract/kernel/messages.ts";
import { checkProfile } from "#worker/contract/account/profile.ts";
import type { SignupForm } from "#worker/contract/account/view.ts";
import {
  normaliseUserKey,
  passwordRuleProblem,
  SIGNIN_KEY,
  type UserKeyType,
  userKeyProblem,
  userNameProblem,
} from "#worker/contract/account/rules.ts";
import { type Rules } from "#worker/contract/kernel/identity-rules.ts";

/** Control id to message, in the order of the form. */
export type FormErrors = Record<string, string>;

export interface Passwords {
  password: string;
  confirmation: string;
}

export const agreementId = (code: string) => `agreements.${code}`;
export const agreementKey = ({ code, version }: { code: string; version: string }) => `${code}@${version}`;
export const agreementMissing = (title: string) => `'${title}'에 동의해 주십시오.`;

/** The address that a sign-up proves under each authentication type. */
export const addressTypeOf = (userKeyType: UserKeyType): AddressType => (userKeyType === "Mobile" ? "Mobile" : "Email");
export const addressId = (type: AddressType) => (type === "Email" ? "email" : "mobile");

export function checkSignup(info: SignupForm, draft: Draft, passwords: Passwords, now: number): FormErrors {
  const userKeyType = SIGNIN_KEY[info.authType];
  return {
    ...missingAgreements(info, draft),
    ...addressErrors(addressTypeOf(userKeyType), draft, now, info.rules),
    ...(userKeyType === "Id" ? idErrors(draft, info.rules) : {}),
    ...passwordErrors(passwords, info.rules),
    ...nameErrors(draft.userName, info.rules),
    ...checkProfile(info.userProfiles, draft.profile).errors,
  };
}

export function missingAgreements(info: SignupForm, draft: Draft): FormErrors {
  const missing = info.agreements.filter((each) => each.required && !draft.agreed.includes(agreementKey(each)));
  return Object.fromEntries(missing.map(({ code, title }) => [agreementId(code), agreementMissing(title)]));
}

export function addressErrors(type: AddressType, draft: Draft, now: number, rules: Rules): FormErrors {
  const value = type === "Email" ? draft.email : draft.mobile;
  if (proofFor(type, value, draft.verification, now)?.isVerified) return {};
  const code = normaliseUserKey(type, value);
  const problem = code === "" ? keyMissing(type) : userKeyProblem(type, code, rules);
  return { [addressId(type)]: problem ?? (type === "Email" ? MESSAGES.emailUnverified : MESSAGES.mobileUnverified) };
}

function idErrors(draft: Draft, rules: Rules): FormErrors {
  const code = normaliseUserKey("Id", draft.userId);
  if (code === "") return { userId: keyMissing("Id") };
  const problem = idProblem(draft.userId, rules);
  if (problem) return { userId: problem };
  return draft.checkedId === code ? {} : { userId: MESSAGES.idUnchecked };
}

/** No whitespace inside; what stands around it is cut off. */
export const idProblem = (userId: string, rules: Rules) => userKeyProblem("Id", normaliseUserKey("Id", userId), rules);

export function passwordErrors({ password, confirmation }: Passwords, rules: Rules): FormErrors {
  if (password === "") return { password: enterMessage("비밀번호") };
  const broken = passwordRuleProblem(password, rules);
  if (broken) return { password: broken };
  if (confirmation === "") return { passwordConfirmation: "비밀번호를 한 번 더 입력해 주십시오." };
  return password === confirmation ? {} : { passwordConfirmation: PASSWORD_MISMATCH };
}
export const PASSWORD_MISMATCH = "비밀번호가 일치하지 않습니다.";

export function nameErrors(userName: string, rules: Rules): FormErrors {
  const name = userName.normalize("NFC").trim();
  if (name === "") return { userName: enterMessage("이름") };
  const problem = userNameProblem(name, rules);
  return problem ? { userName: problem } : {};
}

/** What the server found, at the control it is about; the rest stands under `form`. */
export function serverErrors(fields: Record<string, string>, userKeyType: UserKeyType): FormErrors {
  const places: Record<string, string> = {
    userKeyCode: userKeyType === "Id" ? "userId" : addressId(addressTypeOf(userKeyType)),
    userKeyTokenForEmail: "email",
    userKeyTokenForMobile: "mobile",
  };
  const known = (path: string) => /^(?:password|userName|profile\..+|agreements\..+)$/.test(path);
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => [places[path] ?? (known(path) ? path : "form"), message]),
  );
}
