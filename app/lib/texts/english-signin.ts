import type { SigninTexts } from "#app/lib/texts/signin.ts";
import { englishPasskeyFailure } from "#app/lib/texts/english-problems.ts";
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
    { label: "Join", href: "/en/Account/Signup" },
  ],
  note: "The pages for members are in Korean only. The office is glad to help you in English.",
};
