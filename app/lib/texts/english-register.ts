import { formatCount } from "#app/lib/format.ts";
import { englishReason } from "#app/lib/texts/english-problems.ts";
import type { RegisterTexts } from "#app/lib/texts/korean-register.ts";
import { REGISTRATION_MESSAGES } from "#worker/contract/event/event.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import { isKorean } from "#worker/contract/kernel/language.ts";

const FEE_MISSING = "Please choose a fee.";

/** Refusals of a registration, by their Korean text. */
const SAID: Readonly<Record<string, string>> = {
  [REGISTRATION_MESSAGES.missing]: "No event that takes registrations was found.",
  [REGISTRATION_MESSAGES.registrationMissing]: "The registration was not found.",
  [REGISTRATION_MESSAGES.ended]: "This registration has been cancelled. You can register again.",
  [REGISTRATION_MESSAGES.forgedLink]:
    "This address is not valid or has expired. Please check the address in our mail, or contact the office.",
  [REGISTRATION_MESSAGES.signIn]: "Only members who have signed in can register.",
  [REGISTRATION_MESSAGES.role]: "Registration is not open to your kind of membership. Please contact the office.",
  [REGISTRATION_MESSAGES.before]: "Registration has not opened yet.",
  [REGISTRATION_MESSAGES.closed]: "Registration is closed.",
  [REGISTRATION_MESSAGES.full]: "All places are taken.",
  [REGISTRATION_MESSAGES.fullButWaiting]:
    "All places have been taken in the meantime. You can still join the waiting list.",
  [REGISTRATION_MESSAGES.twice]: "You have already registered for this event.",
  [REGISTRATION_MESSAGES.twiceAsGuest]: "You have already registered with this email address without signing in.",
  [REGISTRATION_MESSAGES.twiceAsMember]:
    "You have already registered with this email address as a member. Please sign in to see your registration.",
  [REGISTRATION_MESSAGES.questionsChanged]:
    "The questions or fees have changed in the meantime. Please check them and register again.",
  [REGISTRATION_MESSAGES.feeMissing]: FEE_MISSING,
  [REGISTRATION_MESSAGES.feeNotTheirs]: "This fee is not available to you. Please choose another.",
  [REGISTRATION_MESSAGES.noFee]: "There is no fee that you can choose. Please contact the office.",
  [REGISTRATION_MESSAGES.tooLateToChange]: "Registration is closed, so answers can no longer be changed.",
  [REGISTRATION_MESSAGES.tooLateToCancel]: "The last day to cancel has passed. Please contact the office.",
  [new AppError("CONFLICT").message]: "The registration was changed elsewhere in the meantime. Please check it again.",
};

const wonText = (amount: number) => (amount === 0 ? "free" : `${formatCount(amount)} won`);

const said = (refusal: string): string => lookUp(SAID, refusal) ?? (isKorean(refusal) ? englishReason(null) : refusal);

export const ENGLISH_REGISTER_TEXTS: RegisterTexts = {
  title: (isFull) => (isFull ? "Join the waiting list" : "Register"),
  hint: (isFull) =>
    isFull
      ? "When a place becomes free, it goes to the first person on the list, and we write to that person."
      : "We use the name and address of your account.",
  guestTitle: (isFull) => (isFull ? "Join the waiting list without an account" : "Register without an account"),
  guestHint:
    "We send a code to your email address. Later you can view and change your registration by the link in our mail.",
  forMembers: "Members, please sign in first.",
  signin: "Sign in",
  showOther: "View the registration",
  nameMissing: "Please enter your name.",
  done: {
    confirmed: "Your registration is confirmed.",
    waiting: "You are on the waiting list. We write to you when a place becomes free.",
  },
  already: "You have already registered for this event. This is your registration.",
  cancelledBefore: "An earlier registration was cancelled.",
  officeSaid: (reason) => `Reason given by the office: ${reason}`,
  again: "You can register again.",
  fee: "Fee",
  feeMissing: FEE_MISSING,
  won: wonText,
  feeStates: { unpaid: "Unpaid", partial: "Partly paid", paid: "Paid", exempt: "Exempt" },
  received: (won) => `${won} received`,
  until: { before: "due by ", after: "" },
  hidden: "Private event",
  guestOf: (name) => `Registration of ${name}`,
  status: "Status",
  created: "Registered",
  reason: "Reason given by the office",
  cancelUntil: { before: "You can cancel until ", after: "." },
  change: "Change answers",
  save: "Save",
  changed: "Your answers have been changed.",
  cancel: "Cancel registration",
  cancelTitle: "Cancel your registration?",
  cancelText: "Your place then goes to the next person. If you register again, you join the end of the list.",
  cancelled: "Your registration has been cancelled.",
  keep: "Keep it",
  ticket: "QR code of your ticket",
  ticketHow: "Please show this QR code at the entrance.",
  pay: {
    account: "Bank account",
    holder: "Account holder",
    total: "Total",
    payName: "Name to give",
    how: "Please give exactly this name as the sender, so that we can find your payment.",
    ask: (phone) =>
      phone ? `Please ask the office for the bank account (${phone}).` : "Please ask the office for the bank account.",
    copy: "Copy account number",
    copied: "The account number has been copied.",
    open: "Open the payment page",
  },
  said,
  refuse(error, problem) {
    if (!(error instanceof AppError)) throw error;
    const { code, fields, data, retryAfterSeconds } = error;
    const words = lookUp(SAID, error.message);
    throw new AppError(code, {
      message: words ?? englishReason(error),
      ...(fields && {
        fields: Object.fromEntries(
          Object.entries(fields).map(([field, text]) => [field, lookUp(SAID, text) ?? problem(field, text)]),
        ),
      }),
      ...(data && { data }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      cause: error,
    });
  },
};
