import type { RecoveryTexts, SecondFactorTexts, SigninTexts } from "#app/lib/texts/signin.ts";
import { englishPasskeyFailure, englishVerifyFailure } from "#app/lib/texts/english-problems.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";

function failed(error: unknown): string {
  const code = error instanceof AppError ? error.code : "INTERNAL_ERROR";
  const remaining = error instanceof AppError ? error.data?.remaining : undefined;
  switch (code) {
    case "INVALID_CREDENTIAL":
      if (remaining === 0) return "The password is not correct. After too many attempts sign-in is closed for a while.";
      return typeof remaining === "number"
        ? `The password is not correct. Attempts left before sign-in is closed for a while: ${remaining}.`
        : "The password is not correct.";
    case "NOT_FOUND":
      return "There is no such member.";
    case "NOT_ACCEPTABLE":
      return "This account cannot sign in. Please contact the office.";
    case "TOO_MANY_REQUESTS":
      return "There have been too many attempts. Please wait a while before you try again.";
    default:
      return "Sign-in did not work. Please try again in a moment.";
  }
}

export const ENGLISH_SIGNIN_TEXTS: SigninTexts = {
  title: "Sign in",
  memberOnly: "Please sign in to see this page.",
  keys: { Id: "ID", Email: "Email", Mobile: "Mobile number" },
  keyMissing: (type) =>
    ({ Id: "Please enter your ID.", Email: "Please enter your email.", Mobile: "Please enter your mobile number." })[
      type
    ],
  keyProblem: (type) =>
    ({
      Id: "This is not an ID of this site.",
      Email: "This is not an email address.",
      Mobile: "This is not a Korean mobile number.",
    })[type],
  password: "Password",
  passwordMissing: "Please enter your password.",
  remember: (key) => `Remember my ${key === "ID" ? key : key.toLowerCase()}`,
  failed,
  passkey: "Sign in with a passkey",
  passkeyCancelled: "Signing in with a passkey was cancelled.",
  passkeyFailed: (error) => englishPasskeyFailure(error, failed, "Please sign in by your password."),
  links: [
    { label: "Find my ID", href: "/en/Account/FindId" },
    { label: "Reset password", href: "/en/Account/FindPassword" },
    { label: "Sign up", href: "/en/Account/Signup" },
  ],
  note: "The pages for members are in Korean only. The office is glad to help you in English.",
};

export const ENGLISH_SECOND_FACTOR_TEXTS: SecondFactorTexts = {
  title: "Two-step verification",
  description: { before: "", after: ", your password is correct. One more step is needed." },
  loading: "Loading",
  methods: {
    passkey: {
      label: "Use a passkey",
      text: "Use the fingerprint, face or screen lock of the device that you registered. Press the button below and follow the instructions of your device.",
      field: "",
      missing: "",
    },
    totp: {
      label: "Use an authenticator app",
      text: "Open the authenticator app on your telephone and enter the 6 digits that it shows now.",
      field: "6 digits of the app",
      missing: "Please enter the 6 digits that your authenticator app shows.",
    },
    recoveryCode: {
      label: "Use a recovery code",
      text: "Enter one of the recovery codes that you were given when you registered and have not used yet. Each code works once.",
      field: "Recovery code",
      missing: "Please enter a recovery code.",
    },
    password: {
      label: "Use my password",
      text: "Enter the password that you sign in with.",
      field: "Password",
      missing: "Please enter your password.",
    },
  },
  submit: "Verify",
  failed: englishVerifyFailure,
  passkeyFailed: (error) => englishPasskeyFailure(error, englishVerifyFailure, "Please choose another way."),
  passkeyCancelled: "The verification was cancelled.",
  passkeyGone: "There is no passkey any more. Please choose another way.",
  otherAccount: "Sign in with another account",
  recovery: {
    lost: "I have lost both my device and my recovery codes",
    how: (phone) =>
      `Please ask the office${phone ? ` (${phone})` : ""} to reset your two-step verification. You will be told by email when it has been started, and can register again on this page 24 hours later.`,
    startedTitle: "A reset of your two-step verification has been started",
    started: { before: "From ", after: " you can sign in again, turn two-step verification off and register anew." },
    usableTitle: "You can register two-step verification anew",
    usable: "All passkeys, the authenticator app and the recovery codes that were registered will be removed.",
    use: "Turn off and register anew",
  },
};

const ADDRESSES = { Email: "email address", Mobile: "mobile number" };

export const ENGLISH_RECOVERY_TEXTS: RecoveryTexts = {
  findId: {
    title: "Find my ID",
    intro: (type) => `Please enter the name and the ${ADDRESSES[type]} that you signed up with.`,
    found: "Your ID",
    none: "There is no member with this name and address.",
    joined: { before: "signed up ", after: "" },
    sentTo: (type) => `The complete ID has been sent to the ${ADDRESSES[type]} that you signed up with.`,
    again: "Search again",
  },
  reset: {
    title: "Reset password",
    hint: (type) => `A code will be sent to the ${ADDRESSES[type]} that you signed up with.`,
    newTitle: "Reset the password",
    failed: "The password was not reset.",
    choose: "Please choose a new password. Once it is reset, you will be signed out on all devices.",
    linkOver: "This link has expired or has already been used. Please ask for a code.",
    byCode: "Use a code instead",
    otherAddress: "Use another address",
    sentTo: () => ({
      before: "A code has been sent to ",
      after: ". If nobody has signed up with this address, no code will arrive.",
    }),
    doneTitle: "Password reset",
    done: "Your password has been reset and you have been signed out on all devices. Please sign in with the new password.",
    notDone: "This page is shown once your password has been reset.",
  },
};
