import { englishPasskeyFailure, englishVerifyFailure } from "#app/lib/texts/english-problems.ts";
import type { SecondFactorTexts } from "#app/lib/texts/second-factor.ts";

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
    how: "Please ask another administrator, or the office at the foot of this page, to reset your two-step verification. You will be told by email when it has been started, and can register again on this page 24 hours later.",
    startedTitle: "A reset of your two-step verification has been started",
    started: { before: "From ", after: " you can sign in again, turn two-step verification off and register anew." },
    usableTitle: "You can register two-step verification anew",
    usable: "All passkeys, the authenticator app and the recovery codes that were registered will be removed.",
    use: "Turn off and register anew",
  },
};
