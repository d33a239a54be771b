import type { Page } from "../kernel/envelope.ts";
import { type AlumniField, type AlumniValues, OWN_ENTRY_FIELDS } from "./columns.ts";
import type { Reach } from "./figures.ts";

// People who represent a cohort: what they see, and what they propose. Free of zod: their page is drawn by it.

/** What people correct in their own entry, and the address without which nobody reaches them. */
export const PROPOSED_FIELDS = [...OWN_ENTRY_FIELDS, "email"] as const satisfies readonly AlumniField[];

export type ProposedField = (typeof PROPOSED_FIELDS)[number];

export type ProposedValues = Partial<Record<ProposedField, string>>;

export const CORRECTION_STATE_NAMES = {
  waiting: "승인 대기",
  accepted: "반영함",
  refused: "반영하지 않음",
  withdrawn: "거둠",
} as const;

export type CorrectionState = keyof typeof CORRECTION_STATE_NAMES;

/** Whom the page of a cohort shows: those whom mail does not reach, or all. */
export const COHORT_SHOWN = ["unreached", "all"] as const;

export type CohortShown = (typeof COHORT_SHOWN)[number];

/** What somebody proposed of a person, for who proposed it. */
export interface OwnCorrection {
  id: string;
  state: CorrectionState;
  fields: ProposedField[];
  /** Their own words, as long as nobody has decided. */
  values: ProposedValues;
  note: string;
  /** Why it was refused. */
  answer: string;
  createdDate: string;
}

/** Of a person of the cohort; what is closed to members is masked here as there. */
export interface CohortPerson extends Omit<AlumniValues, "cohort" | "zipCode" | "address" | "memo"> {
  id: string;
  reach: Reach;
  /** The newest of the caller's own. */
  correction: OwnCorrection | null;
}

export interface CohortPage extends Page<CohortPerson> {
  /** Null where the caller represents none. */
  cohort: number | null;
  /** All that the caller represents. */
  cohorts: number[];
  shown: CohortShown;
  /** What may be proposed here. */
  fields: ProposedField[];
}

/** A proposal as the office decides it. */
export interface CorrectionRow {
  id: string;
  personId: string;
  /** Empty where the person is not in the address book any more. */
  personName: string;
  cohort: number;
  userName: string;
  state: CorrectionState;
  /** Both values, as long as nobody has decided. */
  changes: { field: ProposedField; before: string; after: string }[];
  fields: ProposedField[];
  note: string;
  answer: string;
  /** Who signs in with the proposed address, and could read and correct the entry from then on. */
  accountName: string;
  createdDate: string;
  decidedDate: string | null;
  /** Of the person's entry, as it is shown. */
  version: number;
}

export interface Representative {
  userId: string;
  userName: string;
  cohort: number;
  roleName: string;
  /** Null where it is the person's own role. */
  grantId: string | null;
  startDate: string | null;
  endDate: string | null;
  /** How many of the cohort are not reached by mail. */
  unreached: number;
}

export const REPRESENTATIVE_LIMITS = { cohort: 999, who: 100 } as const;

export const cohortRoleCode = (cohort: number) => `cohort-${cohort}`;

export const cohortRoleName = (cohort: number) => `${cohort}기 대표`;

/** Where people find the page of their cohort. */
export const COHORT_PATH = "/Cohort";

export const CORRECTION_EMPTY = "고칠 내용을 한 가지 이상 입력해 주십시오.";

export const CORRECTION_OWN_EMAIL = "대표님 본인의 이메일은 다른 사람의 이메일로 보내실 수 없습니다.";
