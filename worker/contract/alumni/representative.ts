import { defineDesk } from "../kernel/desk.ts";
import type { Page } from "#worker/contract/kernel/page.ts";
import { type ALUMNI_WHO_FIELDS, type AlumniField, type AlumniValues, OWN_ENTRY_FIELDS } from "./columns.ts";
import type { Reach } from "./figures.ts";

// Free of zod, because the cohort page uses it.

/** The fields of one's own entry, plus the e-mail that reaches the person. */
export const PROPOSED_FIELDS = [...OWN_ENTRY_FIELDS, "email"] as const satisfies readonly AlumniField[];

export type ProposedField = (typeof PROPOSED_FIELDS)[number];

export type ProposedValues = Partial<Record<ProposedField, string>>;

export const CORRECTION_DESK = defineDesk({
  states: { waiting: "승인 대기", accepted: "반영함", refused: "반영하지 않음", withdrawn: "거둠" },
  tones: { waiting: "primary", accepted: "success", refused: "danger", withdrawn: "gray" },
  commands: {
    withdraw: { by: "person", from: ["waiting"], to: "withdrawn" },
    accept: { by: "office", from: ["waiting"], to: "accepted" },
    refuse: { by: "office", from: ["waiting"], to: "refused" },
  },
  letters: { accept: "alumniCorrected" },
});

export type CorrectionState = keyof typeof CORRECTION_DESK.states;

export const COHORT_SHOWN = ["unreached", "all"] as const;

export type CohortShown = (typeof COHORT_SHOWN)[number];

export interface OwnCorrection {
  id: string;
  state: CorrectionState;
  fields: ProposedField[];
  /** The proposer's own text, until the decision. */
  values: ProposedValues;
  note: string;
  answer: string;
  createdDate: string;
}

export interface CohortPerson extends Pick<
  AlumniValues,
  Exclude<(typeof ALUMNI_WHO_FIELDS)[number], "cohort"> | "email" | "mobile" | "phone"
> {
  id: string;
  reach: Reach;
  correction: OwnCorrection | null;
}

export interface CohortPage extends Page<CohortPerson> {
  cohort: number | null;
  cohorts: number[];
  shown: CohortShown;
  fields: ProposedField[];
}

export const REPRESENTATIVE_LIMITS = { cohort: 999, who: 100 } as const;

export const cohortRoleCode = (cohort: number) => `cohort-${cohort}`;

export const cohortRoleName = (cohort: number) => `${cohort}기 대표`;

export const COHORT_PATH = "/Cohort";

export const CORRECTION_EMPTY = "고칠 내용을 한 가지 이상 입력해 주십시오.";

export const CORRECTION_OWN_EMAIL = "대표님 본인의 이메일은 다른 사람의 이메일로 보내실 수 없습니다.";
