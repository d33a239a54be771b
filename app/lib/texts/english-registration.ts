import { formatEnglishDateTime } from "#app/lib/texts/english-dates.ts";
import type { RegistrationTexts } from "#app/lib/texts/korean-registration.ts";

export const ENGLISH_REGISTRATION_TEXTS: RegistrationTexts = {
  title: "Registration",
  phases: { before: "Not yet open", open: "Open", closed: "Closed" },
  states: {
    waiting: "Waiting list",
    confirmed: "Confirmed",
    present: "Attended",
    absent: "Absent",
    cancelled: "Cancelled",
  },
  full: "All places are taken.",
  waiting: (count) => `Waiting: ${count}`,
  free: (free, places) => `Free places: ${free} of ${places}`,
  moment: formatEnglishDateTime,
  from: { before: "From ", after: " " },
  until: { before: "until ", after: "" },
  queue: (place) => `no. ${place}`,
  own: "Your registration",
  show: "View or cancel",
  act: (isFull) => (isFull ? "Join the waiting list" : "Register"),
  signinFirst: (act) => `Sign in to ${act.charAt(0).toLowerCase()}${act.slice(1)}`,
};
