import type { SignupDraft } from "#app/features/account/signup/signup-draft.ts";
import { enterMessage, keyMissingMessage } from "#app/features/account/error-messages.ts";
import { type VerifiableKeyType, findVerification } from "#app/features/account/verification.ts";
import type { FormErrors } from "#app/features/form/use-checked-form.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import { checkProfile } from "#worker/contract/account/profile.ts";
import type { SignupFormView } from "#worker/contract/account/view.ts";
import {
  normaliseUserKey,
  passwordRuleProblem,
  SIGNIN_KEY,
  type UserKeyType,
  userKeyProblem,
  userNameProblem,
} from "#worker/contract/account/rules.ts";
import { type AccountRules } from "#worker/contract/kernel/identity-rules.ts";

export interface NewPasswords {
  password: string;
  confirmation: string;
}

export const agreementControlId = (code: string) => `agreements.${code}`;
export const agreementVersionKey = ({ code, version }: { code: string; version: string }) => `${code}@${version}`;
export const agreementMissingMessage = (title: string) => `'${title}'에 동의해 주십시오.`;

/** The address that a sign-up proves under each authentication type. */
export const signupAddressType = (userKeyType: UserKeyType): VerifiableKeyType =>
  userKeyType === "Mobile" ? "Mobile" : "Email";
export const addressControlId = (type: VerifiableKeyType) => (type === "Email" ? "email" : "mobile");

export function checkSignup(
  info: SignupFormView,
  draft: SignupDraft,
  passwords: NewPasswords,
  now: number,
): FormErrors {
  const userKeyType = SIGNIN_KEY[info.authType];
  return {
    ...agreementErrors(info, draft),
    ...addressErrors(signupAddressType(userKeyType), draft, now, info.rules),
    ...(userKeyType === "Id" ? userIdErrors(draft, info.rules) : {}),
    ...passwordErrors(passwords, info.rules),
    ...userNameErrors(draft.userName, info.rules),
    ...checkProfile(info.userProfiles, draft.profile).errors,
  };
}

export function agreementErrors(info: SignupFormView, draft: SignupDraft): FormErrors {
  const missing = info.agreements.filter((each) => each.required && !draft.agreed.includes(agreementVersionKey(each)));
  return Object.fromEntries(
    missing.map(({ code, title }) => [agreementControlId(code), agreementMissingMessage(title)]),
  );
}

export function addressErrors(
  type: VerifiableKeyType,
  draft: SignupDraft,
  now: number,
  rules: AccountRules,
): FormErrors {
  const value = type === "Email" ? draft.email : draft.mobile;
  if (findVerification(type, value, draft.verification, now)?.isVerified) return {};
  const code = normaliseUserKey(type, value);
  const problem = code === "" ? keyMissingMessage(type) : userKeyProblem(type, code, rules);
  return {
    [addressControlId(type)]:
      problem ?? (type === "Email" ? UI_MESSAGES.emailUnverified : UI_MESSAGES.mobileUnverified),
  };
}

function userIdErrors(draft: SignupDraft, rules: AccountRules): FormErrors {
  const code = normaliseUserKey("Id", draft.userId);
  if (code === "") return { userId: keyMissingMessage("Id") };
  const problem = findUserIdProblem(draft.userId, rules);
  if (problem) return { userId: problem };
  return draft.checkedId === code ? {} : { userId: UI_MESSAGES.idUnchecked };
}

/** No whitespace inside; what stands around it is cut off. */
export const findUserIdProblem = (userId: string, rules: AccountRules) =>
  userKeyProblem("Id", normaliseUserKey("Id", userId), rules);

export function passwordErrors({ password, confirmation }: NewPasswords, rules: AccountRules): FormErrors {
  if (password === "") return { password: enterMessage("비밀번호") };
  const broken = passwordRuleProblem(password, rules);
  if (broken) return { password: broken };
  if (confirmation === "") return { passwordConfirmation: "비밀번호를 한 번 더 입력해 주십시오." };
  return password === confirmation ? {} : { passwordConfirmation: PASSWORD_MISMATCH };
}
export const PASSWORD_MISMATCH = "비밀번호가 일치하지 않습니다.";

export function userNameErrors(userName: string, rules: AccountRules): FormErrors {
  const name = userName.normalize("NFC").trim();
  if (name === "") return { userName: enterMessage("이름") };
  const problem = userNameProblem(name, rules);
  return problem ? { userName: problem } : {};
}

/** What the server found, at the control it is about; the rest stands under `form`. */
export function signupServerErrors(fields: Record<string, string>, userKeyType: UserKeyType): FormErrors {
  const places: Record<string, string> = {
    userKeyCode: userKeyType === "Id" ? "userId" : addressControlId(signupAddressType(userKeyType)),
    userKeyTokenForEmail: "email",
    userKeyTokenForMobile: "mobile",
  };
  const known = (path: string) => /^(?:password|userName|profile\..+|agreements\..+)$/.test(path);
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => [places[path] ?? (known(path) ? path : "form"), message]),
  );
}
