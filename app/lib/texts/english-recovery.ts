import type { RecoveryTexts } from "#app/lib/texts/recovery.ts";

const ADDRESSES = { Email: "email address", Mobile: "mobile number" };

export const ENGLISH_RECOVERY_TEXTS: RecoveryTexts = {
  findId: {
    title: "Find my ID",
    intro: (type) => `Please enter the name and the ${ADDRESSES[type]} that you joined with.`,
    found: "Your ID",
    none: "There is no member with this name and address.",
    joined: { before: "joined ", after: "" },
    sentTo: (type) => `The complete ID has been sent to the ${ADDRESSES[type]} that you joined with.`,
    again: "Search again",
  },
  reset: {
    title: "Reset password",
    hint: (type) => `A code will be sent to the ${ADDRESSES[type]} that you joined with.`,
    newTitle: "Reset the password",
    failed: "The password was not reset.",
    choose: "Please choose a new password. Once it is reset, you will be signed out on all devices.",
    linkOver: "This link has expired or has already been used. Please ask for a code.",
    byCode: "Use a code instead",
    otherAddress: "Use another address",
    sentTo: () => ({
      before: "A code has been sent to ",
      after: ". If nobody has joined with this address, no code will arrive.",
    }),
    doneTitle: "Password reset",
    done: "Your password has been reset and you have been signed out on all devices. Please sign in with the new password.",
    notDone: "This page is shown once your password has been reset.",
  },
};
