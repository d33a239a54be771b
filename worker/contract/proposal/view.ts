import type { ProfileInput } from "../account/rules.ts";
import type { ProfileField } from "../account/view.ts";
import type {
  CallKind,
  CallPhase,
  CheckPoint,
  Criterion,
  Decision,
  Paper,
  ProposalCommand,
  ProposalQuestion,
  ProposalStatus,
  ReviewCommand,
  ReviewStatus,
} from "./proposal.ts";

export interface OpenCall {
  id: string;
  title: string;
  kind: CallKind;
  text: string;
  openDate: string;
  /** Null for a call that never closes. */
  closeDate: string | null;
  phase: CallPhase;
}

export interface OwnProposalRow {
  id: string;
  /** Empty until the first submission. */
  number: string;
  title: string;
  callTitle: string;
  status: ProposalStatus;
  /** False for a co-applicant, who only reads. */
  isLead: boolean;
  modifiedDate: string;
  commands: ProposalCommand[];
}

/** A proposal that the person is asked to review. */
export interface ReviewRow {
  /** Of the proposal. */
  id: string;
  number: string;
  title: string;
  callTitle: string;
  status: ReviewStatus;
  /** Korean day, or empty. */
  dueDay: string;
}

export interface OwnProposals {
  /** Those that take proposals or will. */
  calls: OpenCall[];
  proposals: OwnProposalRow[];
  reviews: ReviewRow[];
}

export interface ProposalFile {
  fileId: string;
  /** Code of the paper. */
  paper: string;
  fileName: string;
  size: number;
  contentType: string;
  url: string;
}

export interface Applicant {
  name: string;
  email: string;
  affiliation: string;
}

export interface ProposalText {
  id: string;
  number: string;
  title: string;
  englishTitle: string;
  affiliation: string;
  /** Of the lead. */
  userName: string;
  answers: ProfileInput;
  questions: ProfileField[];
  papers: Paper[];
  files: ProposalFile[];
  applicants: Applicant[];
}

export interface MissingPart {
  /** As an error names it: `title`, `profile.CODE`, `papers.CODE`, `applicants.0.email`, `hasStatement`. */
  field: string;
  message: string;
}

/** The answer to a save, which may lack everything. */
export interface SavedProposal {
  version: number;
  modifiedDate: string;
  missing: MissingPart[];
}

/** On the page that writes, and as the answer of GET /api/proposal/:id. */
export interface ProposalDraft extends ProposalText {
  call: OpenCall & { version: number };
  status: ProposalStatus;
  hasStatement: boolean;
  missing: MissingPart[];
  /** Of the office or the decision; empty at the first draft. */
  reason: string;
  version: number;
  commands: ProposalCommand[];
}

export interface ProposalEventRow {
  command: string;
  label: string;
  /** Empty where the reader must not know it. */
  who: string;
  date: string;
  reason: string;
}

/** For the proposer after a decision. */
export interface OpinionRow {
  /** Empty where the call hides it. */
  reviewer: string;
  round: number;
  total: number;
  opinion: string;
}

/** For the applicants. */
export interface ProposalView extends ProposalText {
  call: OpenCall;
  status: ProposalStatus;
  isLead: boolean;
  /** Korean day by which the office or the reviewers act; empty without one. */
  dueDay: string;
  reason: string;
  submittedDate: string | null;
  decidedDate: string | null;
  opinions: OpinionRow[];
  history: ProposalEventRow[];
  version: number;
  commands: ProposalCommand[];
}

export interface ReviewPage {
  id: string;
  reviewId: string;
  number: string;
  title: string;
  callTitle: string;
  status: ReviewStatus;
  dueDay: string;
  /** Names and affiliations, the lead first: enough to know a conflict. */
  applicants: Pick<Applicant, "name" | "affiliation">[];
  criteria: Criterion[];
  scores: Record<string, number>;
  opinion: string;
  /** Null until there is no conflict; without the questions that are hidden from reviewers. */
  proposal: ProposalText | null;
  version: number;
  commands: ReviewCommand[];
}

export interface ProposalRow {
  id: string;
  number: string;
  title: string;
  userName: string;
  affiliation: string;
  callTitle: string;
  status: ProposalStatus;
  submittedDate: string | null;
  dueDay: string;
  isOverdue: boolean;
  /** Reviewers of the round who are not recused, and those who submitted. */
  reviewers: number;
  reviewed: number;
}

export interface CaseReview {
  id: string;
  userId: string;
  userName: string;
  round: number;
  status: ReviewStatus;
  /** Of the recusal. */
  reason: string;
  scores: Record<string, number>;
  total: number | null;
  opinion: string;
}

/** All that the office sees. */
export interface ProposalCase extends ProposalText {
  userId: string;
  call: OpenCall;
  criteria: Criterion[];
  checks: CheckPoint[];
  checked: string[];
  status: ProposalStatus;
  round: number;
  /** Fields changed since it was returned, as errors name them. */
  changed: string[];
  dueDay: string;
  isOverdue: boolean;
  submittedDate: string | null;
  decidedDate: string | null;
  reason: string;
  reviews: CaseReview[];
  /** Of the round's submitted reviews; null without one. */
  average: number | null;
  /** The highest total less the lowest. */
  spread: number | null;
  ruled: Decision | null;
  history: ProposalEventRow[];
  version: number;
  commands: ProposalCommand[];
}

export interface CallSetting {
  title: string;
  kind: CallKind;
  text: string;
  openDate: string;
  closeDate: string | null;
  approveFrom: number;
  secondFrom: number;
  hidesReviewers: boolean;
  checkDays: number;
  reviewDays: number;
  criteria: Criterion[];
  papers: Paper[];
  checks: CheckPoint[];
  questions: ProposalQuestion[];
}

export interface CallRow {
  id: string;
  title: string;
  kind: CallKind;
  openDate: string;
  closeDate: string | null;
  phase: CallPhase;
  /** Submitted ones that are not closed to the reader. */
  proposals: number;
}

export interface CallPage extends CallRow {
  setting: CallSetting;
  /** Nobody began a proposal. */
  canDelete: boolean;
  version: number;
}

/** On the public list. */
export interface ApprovedProject {
  number: string;
  title: string;
  englishTitle: string;
  userName: string;
  affiliation: string;
  callTitle: string;
  /** Korean day. */
  approvedDay: string;
}
