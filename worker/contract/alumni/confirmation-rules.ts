import { ALUMNI_WHO_FIELDS, OWN_ENTRY_FIELDS, PRIVATE_FIELDS } from "./columns.ts";

export const CONFIRMATION_KIND_NAMES = { confirmed: "확인함", changed: "고치고 확인함" } as const;

export type ConfirmationKind = keyof typeof CONFIRMATION_KIND_NAMES;

/** All fields but those of the office. */
export const CONFIRMED_FIELDS = [...ALUMNI_WHO_FIELDS, ...PRIVATE_FIELDS] as const;

export type ConfirmedField = (typeof CONFIRMED_FIELDS)[number];

export const CORRECTED_FIELDS = OWN_ENTRY_FIELDS;

export type CorrectedField = (typeof CORRECTED_FIELDS)[number];

const NUMBERS: readonly ConfirmedField[] = ["mobile", "phone"];
const STARS_MAX = 6;

/** Recognizable to the owner only: no value of two letters or more is shown whole. */
export function maskConfirmed(field: ConfirmedField, text: string): string {
  if (text === "") return "";
  if (field === "email" && text.includes("@")) return text.replace(/^(.?)[^@]*@(.?).*$/, "$1***@$2***");
  if (NUMBERS.includes(field) && text.replace(/\D/g, "").length > 8) return text.replace(/\d(?=(?:\D*\d){4})/g, "*");
  const letters = [...text];
  const shown = Math.min(Math.floor(letters.length / 3), 4);
  const first = letters.length === 1 ? 0 : Math.max(1, shown);
  return letters.slice(0, first).join("") + "*".repeat(Math.min(letters.length - first, STARS_MAX));
}

export interface ConfirmationView {
  date: string;
  kind: ConfirmationKind;
  changedSince: ConfirmedField[];
}
