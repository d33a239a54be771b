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
  people: number;
  answered: number;
}

type OutcomeCounts = Partial<Record<RoundOutcome, number>>;

export interface RoundView extends Omit<RoundRow, "people" | "answered"> {
  reason: string;
  version: number;
  reminderDays: number;
  waves: number;
  nextDate: string | null;
  /** Null when a filter selects the people. */
  chosen: number | null;
  segment: string[];
  /** Sorted by cohort, lowest first; null for people without one. */
  cohorts: { cohort: number | null; counts: OutcomeCounts }[];
  mailings: { id: string; wave: number }[];
  can: { start: boolean; close: boolean; repeat: boolean };
}

export interface RoundPreview {
  count: number;
  leftOut: { cause: MailingCause; count: number }[];
  sample: { subject: string; text: string };
}

export interface RoundPersonRow {
  personId: string;
  /** Empty when the person no longer exists. */
  name: string;
  cohort: number | null;
  address: string;
  outcome: RoundOutcome;
  state: RecipientState;
  cause: MailingCause;
}

export type RoundPeople = Page<RoundPersonRow>;

export interface ConfirmationPage {
  lines: { field: ConfirmedField; text: string }[];
  address: string;
  endDate: string;
  version: number;
  canCorrect: boolean;
  isOwner: boolean;
  hasOwner: boolean;
}

/** Shown only after a second proof. */
export interface OpenEntry {
  /** Null when the sign-in is the proof. */
  proof: string | null;
  version: number;
  values: Partial<Record<CorrectedField, string>>;
}
