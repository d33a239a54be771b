import type { SignupDraft } from "#app/features/account/signup/signup-draft.ts";
import { findAddressProblem } from "#app/features/account/address-field.tsx";
import { type VerifiableKeyType, findVerification } from "#app/features/account/verification.ts";
import type { AccountTexts } from "#app/lib/texts/account.ts";
import type { FormErrors } from "#app/features/form/use-checked-form.ts";
import { checkProfile } from "#worker/contract/account/own-field.ts";
import type { ProfileField } from "#worker/contract/account/view.ts";
import type { SignupFormView } from "#worker/domain/account/signup.server.ts";
import { ACCOUNT_RULE_MESSAGES } from "#worker/contract/account/rule-messages.ts";
import {
  holdsOwnWord,
  normaliseUserKey,
  passwordRuleProblem,
  SIGNIN_KEY,
  type UserKeyType,
  userKeyProblem,
  userNameProblem,
} from "#worker/contract/account/rules.ts";
import { type AccountRules } from "#worker/contract/kernel/setting/identity-rules.ts";
import { cleanLine } from "#worker/contract/kernel/text.ts";

export interface NewPasswords {
  password: string;
  confirmation: string;
}

export const signupOwnWords = ({ userId, email, mobile, userName }: SignupDraft) => [userId, email, mobile, userName];

export const agreementControlId = (code: string) => `agreements.${code}`;
export const agreementVersionKey = ({ code, version }: { code: string; version: string }) => `${code}@${version}`;

export const signupAddressType = (userKeyType: UserKeyType): VerifiableKeyType =>
  userKeyType === "Mobile" ? "Mobile" : "Email";
export const addressControlId = (type: VerifiableKeyType) => (type === "Email" ? "email" : "mobile");

export function checkSignup(
  info: SignupFormView,
  draft: SignupDraft,
  passwords: NewPasswords,
  now: number,
  texts: AccountTexts,
): FormErrors {
  const userKeyType = SIGNIN_KEY[info.authType];
  return {
    ...agreementErrors(info, draft, texts),
    ...addressErrors(signupAddressType(userKeyType), draft, now, info.rules, texts),
    ...(userKeyType === "Id" ? userIdErrors(draft, info.rules, texts) : {}),
    ...passwordErrors(passwords, info.rules, texts, signupOwnWords(draft)),
    ...userNameErrors(draft.userName, info.rules, texts),
    ...profileErrors(info, draft, texts),
  };
}

function profileErrors({ userProfiles }: SignupFormView, draft: SignupDraft, texts: AccountTexts): FormErrors {
  const said = checkProfile(userProfiles, draft.profile).errors;
  return Object.fromEntries(
    Object.entries(said).map(([id, problem]) => [id, profileProblem(userProfiles, id, problem, texts)]),
  );
}

const profileProblem = (fields: readonly ProfileField[], id: string, said: string, texts: AccountTexts) => {
  const field = fields.find(({ code }) => `profile.${code}` === id);
  return field ? texts.profileProblem(field, said) : said;
};

export function agreementErrors(info: SignupFormView, draft: SignupDraft, texts: AccountTexts): FormErrors {
  const missing = info.agreements.filter((each) => each.required && !draft.agreed.includes(agreementVersionKey(each)));
  return Object.fromEntries(
    missing.map(({ code, title }) => [agreementControlId(code), texts.agreements.missing(title)]),
  );
}

export function addressErrors(
  type: VerifiableKeyType,
  draft: SignupDraft,
  now: number,
  rules: AccountRules,
  texts: AccountTexts,
): FormErrors {
  const value = type === "Email" ? draft.email : draft.mobile;
  if (findVerification(type, value, draft.verification, now)?.isVerified) return {};
  return { [addressControlId(type)]: findAddressProblem(type, value, texts, rules) ?? texts.unverified[type] };
}

function userIdErrors(draft: SignupDraft, rules: AccountRules, texts: AccountTexts): FormErrors {
  const problem = findUserIdProblem(draft.userId, rules, texts);
  if (problem) return { userId: problem };
  return draft.checkedId === normaliseUserKey("Id", draft.userId) ? {} : { userId: texts.userId.unchecked };
}

/** Trims whitespace around the ID and refuses whitespace inside it. */
export function findUserIdProblem(userId: string, rules: AccountRules, texts: AccountTexts): string | null {
  const code = normaliseUserKey("Id", userId);
  if (code === "") return texts.keyMissing("Id");
  const problem = userKeyProblem("Id", code, rules);
  return problem && texts.problem("userId", problem, rules);
}

export function passwordErrors(
  { password, confirmation }: NewPasswords,
  rules: AccountRules,
  texts: AccountTexts,
  ownWords: readonly string[] = [],
): FormErrors {
  if (password === "") return { password: texts.password.missing };
  const broken =
    passwordRuleProblem(password, rules) ??
    (holdsOwnWord(password, ownWords) ? ACCOUNT_RULE_MESSAGES.passwordOwn : null);
  if (broken) return { password: texts.problem("password", broken, rules) };
  if (confirmation === "") return { passwordConfirmation: texts.password.confirmationMissing };
  return password === confirmation ? {} : { passwordConfirmation: texts.password.mismatch };
}

export function userNameErrors(
  userName: string,
  rules: AccountRules,
  texts: AccountTexts,
  takesLatin = texts.name.takesLatin,
): FormErrors {
  const name = cleanLine(userName);
  if (name === "") return { userName: texts.name.missing };
  const problem = userNameProblem(name, rules, takesLatin);
  return problem ? { userName: texts.problem("userName", problem, rules) } : {};
}

/** Maps server errors to their controls and the rest to `form`. */
export function signupServerErrors(
  fields: Record<string, string>,
  { authType, userProfiles, rules }: SignupFormView,
  texts: AccountTexts,
): FormErrors {
  const userKeyType = SIGNIN_KEY[authType];
  const places: Record<string, string> = {
    userKeyCode: userKeyType === "Id" ? "userId" : addressControlId(signupAddressType(userKeyType)),
    userKeyTokenForEmail: "email",
    userKeyTokenForMobile: "mobile",
  };
  const known = (path: string) => /^(?:password|userName|profile\..+|agreements\..+)$/.test(path);
  return Object.fromEntries(
    Object.entries(fields).map(([path, said]) => {
      const id = places[path] ?? (known(path) ? path : "form");
      const problem = path.startsWith("profile.") ? profileProblem(userProfiles, path, said, texts) : said;
      return [id, texts.problem(id, problem, rules)];
    }),
  );
}
