import type { AccountAct, AccountTexts } from "#app/lib/texts/account.ts";
import {
  englishNameLetters,
  englishProblem,
  englishProfileProblem,
  englishReason,
  withEnglishReason,
} from "#app/lib/texts/english-problems.ts";
import type { UserKeyType } from "#worker/contract/account/rules.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { AccountSections } from "#app/lib/page-language.ts";
import { ENGLISH_REGISTER_TEXTS } from "#app/lib/texts/english-register.ts";
import { ENGLISH_RECOVERY_TEXTS, ENGLISH_SECOND_FACTOR_TEXTS, ENGLISH_SIGNIN_TEXTS } from "./english-signin.ts";

const KEYS: Record<UserKeyType, string> = { Id: "ID", Email: "Email", Mobile: "Mobile number" };
const KEYS_INSIDE: Record<UserKeyType, string> = { Id: "ID", Email: "email address", Mobile: "mobile number" };

const FAILURES: Record<AccountAct, string> = {
  check: "This could not be checked. Please try again in a moment.",
  sendCode: "The code could not be sent.",
  signup: "Please try again in a moment.",
  findId: "Your ID could not be looked up. If it happens again, please contact the office.",
};

const ASK_AGAIN = "Please ask for a new code.";

function codeFailed(error: unknown): string {
  if (error instanceof AppError && error.code === "PINCODE_EXPIRED") return ASK_AGAIN;
  const remaining = error instanceof AppError ? error.data?.remaining : undefined;
  if (typeof remaining !== "number") return withEnglishReason("The code could not be verified.", error);
  return remaining > 0
    ? `The code is not correct. Attempts left: ${remaining}.`
    : `The code is not correct. ${ASK_AGAIN}`;
}

const TEXT_NAMES = { terms: "terms of use", privacy: "privacy policy" };

export const ENGLISH_ACCOUNT_TEXTS: AccountTexts = {
  failed: (act, error) => withEnglishReason(FAILURES[act], error),
  codeFailed,
  reason: englishReason,
  problem: englishProblem,
  profileProblem: englishProfileProblem,
  namesFields: false,
  keys: KEYS,
  keyMissing: (type) => `Please enter your ${KEYS_INSIDE[type]}.`,
  keyTaken: (type) => `This ${KEYS_INSIDE[type]} is already in use.`,
  keyFree: (type) => `This ${KEYS_INSIDE[type]} is available.`,
  unverified: { Email: "Please verify your email address.", Mobile: "Please verify your mobile number." },
  email: { domain: "Email provider", otherDomain: "Other" },
  userId: {
    hint: "Without spaces.",
    check: "Check availability",
    unchecked: "Please check whether this ID is available.",
  },
  name: {
    label: "Name",
    missing: "Please enter your name.",
    hint: (rules) => `Use ${englishNameLetters(rules)}.`,
    takesLatin: true,
  },
  password: {
    label: "Password",
    newLabel: "New password",
    confirmation: (label) => `${label} (again)`,
    missing: "Please enter a password.",
    confirmationMissing: "Please enter the password once more.",
    mismatch: "The two passwords are not the same.",
    rules: ({ min, max }) => ({
      length: `${min} to ${max} characters`,
      letter: "a letter",
      digit: "a digit",
      special: "a symbol",
      own: "without your ID, email address or name",
    }),
    met: " (met)",
    unmet: " (still needed)",
    note: "Passwords that contain your ID, email address or name, and very common ones, are not accepted.",
  },
  code: {
    label: "Verification code",
    placeholder: "6 digits",
    missing: "Please enter the 6 digits of the code.",
    ask: "Send a code",
    enter: "Enter the code",
    again: "Send again",
    askAgain: ASK_AGAIN,
    wait: (seconds) => `Send again (${seconds} s)`,
    left: (time) => `Time left: ${time}`,
    over: "The code has expired.",
    confirm: "Verify",
    confirmed: "Verified.",
    title: { Email: "Verify your email address", Mobile: "Verify your mobile number" },
    hint: {
      Email: "If you cannot find the message, please look in your spam folder.",
      Mobile: "If no message arrives, please check the number.",
    },
    sentTo: () => ({ before: "A code has been sent to ", after: "." }),
    sentAgain: "A new code has been sent.",
  },
  agreements: {
    all: "I agree to all",
    required: "[Required]",
    optional: "[Optional]",
    missing: () => "You need to agree to this text to sign up.",
    read: "Read the text",
    regionOf: (title) => title,
    language: "A text without an English version is shown in Korean; it is the Korean text that you agree to.",
  },
  signup: {
    title: "Sign up",
    closed: (missing) =>
      missing.length === 0
        ? null
        : `Sign-up is not possible yet. The ${missing.map((code) => TEXT_NAMES[code]).join(" and the ")} of this site are still being prepared.`,
    stepsLabel: "Steps to sign up",
    steps: ["Consent", "Verify", "Details", "Done"],
    currentStep: " (current step)",
    doneStep: " (completed)",
    addressHint: (authType) =>
      authType === "IdAndPassword"
        ? "Used to verify that it is you, and to recover your ID or password."
        : "This is what you will sign in with. It is verified by a code.",
    submit: "Sign up",
    failed: "You have not been signed up.",
    officeFields: "Some of the fields below have a Korean name only.",
  },
  welcome: {
    title: "Welcome",
    nobody: "This page is shown once you have signed up.",
    greeting: { before: "Welcome, ", after: "." },
    greetingOfNobody: "Sign up",
    waiting:
      "Your application has been received. You will be told by email when an administrator has approved it, and can sign in from then on.",
    done: "You have signed up. Please sign in to use the services for members.",
    home: "Home",
  },
  pending: {
    title: "Agreements",
    description: "The texts below have changed. Please read them; once you agree, you can go on.",
    submit: "Agree and continue",
    leave: "Sign out without agreeing",
  },
  signin: "Sign in",
};

export const ENGLISH_ACCOUNT_SECTIONS: AccountSections = {
  signin: ENGLISH_SIGNIN_TEXTS,
  account: ENGLISH_ACCOUNT_TEXTS,
  recovery: ENGLISH_RECOVERY_TEXTS,
  secondFactor: ENGLISH_SECOND_FACTOR_TEXTS,
  register: ENGLISH_REGISTER_TEXTS,
};
