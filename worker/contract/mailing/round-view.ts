import type { ConfirmedField, CorrectedField } from "../alumni/confirmation-rules.ts";
import type { Page } from "../kernel/envelope.ts";
import type { MailingCause, RecipientState } from "./rules.ts";
import type { RoundOutcome, RoundStatus } from "./round-rules.ts";

export interface RoundRow {
  id: string;
  status: RoundStatus;
  startDate: string | null;
  endDate: string | null;
  repeatDate: string | null;
  createdDate: string;
  createdUserName: string;
  /** How many are asked; 0 until it is started. */
  people: number;
  answered: number;
}

export type OutcomeCounts = Partial<Record<RoundOutcome, number>>;

export interface RoundView extends Omit<RoundRow, "people" | "answered"> {
  reason: string;
  version: number;
  reminderDays: number;
  waves: number;
  /** When it reminds again. */
  nextDate: string | null;
  /** Chosen by hand, or all whom a filter shows. */
  chosen: number | null;
  /** The conditions of the filter, in words; none for people chosen by hand. */
  segment: string[];
  /** By cohort, null for people without one; the lowest first. */
  cohorts: { cohort: number | null; counts: OutcomeCounts }[];
  mailings: { id: string; wave: number }[];
  can: { start: boolean; close: boolean; repeat: boolean };
}

export interface RoundPreview {
  count: number;
  leftOut: { cause: MailingCause; count: number }[];
  /** What one of them would get. */
  sample: { subject: string; text: string };
}

export interface RoundPersonRow {
  personId: string;
  /** Empty where the person is not there any more. */
  name: string;
  cohort: number | null;
  address: string;
  outcome: RoundOutcome;
  state: RecipientState;
  cause: MailingCause;
}

export type RoundPeople = Page<RoundPersonRow>;

/** What the link shows to whoever opens it. */
export interface ConfirmationPage {
  /** Masked, each of them. */
  lines: { field: ConfirmedField; text: string }[];
  /** Where a code would go. */
  address: string;
  endDate: string;
  version: number;
  /** May it be corrected here? */
  canCorrect: boolean;
  /** Is whoever looks signed in with the address? */
  isOwner: boolean;
  hasOwner: boolean;
}

/** Shown behind a second proof alone. */
export interface OpenEntry {
  /** Null where the sign-in is the proof. */
  proof: string | null;
  version: number;
  values: Partial<Record<CorrectedField, string>>;
}
