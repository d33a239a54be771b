import type { ProfileField } from "../account/view.ts";
import { addDays } from "../board/event-rules.ts";
import { type EventQuestion, questionField } from "../event/event.ts";
import { FILE_TYPES } from "../file/rules.ts";
import { defineDesk } from "../kernel/desk.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";

export const PROPOSAL_LIMITS = {
  title: 200,
  affiliation: 100,
  callTitle: 100,
  callText: 20_000,
  criteria: 10,
  points: 100,
  papers: 10,
  checks: 20,
  questions: 30,
  name: 60,
  detail: 300,
  days: 90,
  answer: 20_000,
  applicants: 20,
  email: 100,
  files: 20,
  reviewers: 10,
  who: 100,
  opinion: 10_000,
  reason: 2000,
  /** Of one person at once. */
  open: 30,
} as const;

export const PROPOSAL_FILES = {
  maxCount: PROPOSAL_LIMITS.files,
  maxSize: SIZE_LIMITS.documentBytes,
  extensions: Object.keys(FILE_TYPES),
} as const;

export const CALL_KINDS = { project: "연구과제", anytime: "수시" } as const;

export type CallKind = keyof typeof CALL_KINDS;

const WRITTEN = ["draft", "returned", "second"] as const;
const AT_OFFICE = ["submitted", "review"] as const;

/** From the draft of a member to the decision. */
export const PROPOSAL_DESK = defineDesk({
  states: {
    draft: "작성 중",
    submitted: "형식 검토",
    returned: "보완 요청",
    review: "심의 중",
    second: "재심의",
    approved: "승인",
    refused: "불승인",
    withdrawn: "철회",
  },
  tones: {
    draft: "gray",
    submitted: "primary",
    returned: "warning",
    review: "primary",
    second: "warning",
    approved: "success",
    refused: "danger",
    withdrawn: "gray",
  },
  commands: {
    save: { by: "person", from: WRITTEN },
    submit: { by: "person", from: WRITTEN, to: "submitted" },
    withdraw: { by: "person", from: [...WRITTEN, ...AT_OFFICE], to: "withdrawn" },
    check: { by: "office", from: ["submitted"] },
    return: { by: "office", from: ["submitted"], to: "returned" },
    nameReviewer: { by: "office", from: AT_OFFICE },
    dropReviewer: { by: "office", from: AT_OFFICE },
    startReview: { by: "office", from: ["submitted"], to: "review" },
    approve: { by: "decider", from: ["review"], to: "approved" },
    second: { by: "decider", from: ["review"], to: "second" },
    refuse: { by: "decider", from: ["review"], to: "refused" },
  },
  letters: {
    return: "proposalReturned",
    nameReviewer: "proposalAsked",
    startReview: "proposalReview",
    approve: "proposalDecided",
    second: "proposalDecided",
    refuse: "proposalDecided",
  },
});

export type ProposalStatus = keyof typeof PROPOSAL_DESK.states;

export type ProposalCommand = keyof typeof PROPOSAL_DESK.commands;

/** Those in which the proposer reads the opinions of the round. */
export const DECIDED = ["second", "approved", "refused"] as const satisfies readonly ProposalStatus[];

export const DECISION_LABELS = { approve: "승인", second: "재심의", refuse: "불승인" } as const;

export type Decision = keyof typeof DECISION_LABELS;

/** Of one reviewer, whose answer comes before a look at the papers. */
export const REVIEW_DESK = defineDesk({
  states: { asked: "심의 요청", accepted: "심의 중", recused: "회피", submitted: "심의 완료" },
  tones: { asked: "warning", accepted: "primary", recused: "gray", submitted: "success" },
  commands: {
    accept: { by: "person", from: ["asked"], to: "accepted" },
    recuse: { by: "person", from: ["asked", "accepted", "submitted"], to: "recused" },
    score: { by: "person", from: ["accepted", "submitted"] },
    submit: { by: "person", from: ["accepted"], to: "submitted" },
  },
  letters: {},
});

export type ReviewStatus = keyof typeof REVIEW_DESK.states;

export type ReviewCommand = keyof typeof REVIEW_DESK.commands;

/** Given by the site and kept, as those of the criteria, papers, checks and questions. */
interface Part {
  code: string;
  name: string;
}

export interface Criterion extends Part {
  detail: string;
  points: number;
}

export interface Paper extends Part {
  required: boolean;
}

export type CheckPoint = Part;

/** Of the form, as those of an event. */
export interface ProposalQuestion extends EventQuestion {
  /** From reviewers. */
  hidden: boolean;
}

export const proposalField = ({ hidden: _hidden, ...question }: ProposalQuestion, order: number): ProfileField =>
  questionField(question, order);

interface CallTimes {
  openDate: Date;
  closeDate: Date | null;
}

/** The minute of the close still counts. */
export const callClosesAt = ({ closeDate }: CallTimes): number => (closeDate ? closeDate.getTime() + 60_000 : Infinity);

export type CallPhase = "before" | "open" | "closed";

export const CALL_PHASES: Record<CallPhase, string> = { before: "접수 전", open: "접수 중", closed: "마감" };

export function callPhaseAt(times: CallTimes, now: Date): CallPhase {
  if (now.getTime() >= callClosesAt(times)) return "closed";
  return now < times.openDate ? "before" : "open";
}

/** The day so many working days after a day. */
export function workingDay(day: string, count: number): string {
  let [at, left] = [day, count];
  while (left > 0) {
    at = addDays(at, 1);
    if (![0, 6].includes(new Date(`${at}T00:00:00Z`).getUTCDay())) left -= 1;
  }
  return at;
}

/** The decision that the call's thresholds suggest; null without a submitted review. */
export function ruledDecision(
  call: { approveFrom: number; secondFrom: number },
  average: number | null,
): Decision | null {
  if (average === null) return null;
  if (average >= call.approveFrom) return "approve";
  return average >= call.secondFrom ? "second" : "refuse";
}

export const PROPOSAL_MESSAGES = {
  missing: "제안서를 찾을 수 없습니다.",
  callMissing: "공모를 찾을 수 없습니다.",
  reviewMissing: "심의 요청을 찾을 수 없습니다.",
  ended: "이미 끝난 제안서입니다.",
  reviewEnded: "회피하신 심의입니다.",
  before: "아직 접수를 시작하지 않은 공모입니다.",
  tooMany: "작성 중인 제안서가 너무 많습니다. 쓰지 않는 제안서를 철회해 주십시오.",
  callChanged: "그사이 공모의 양식이 바뀌었습니다. 바뀐 양식을 확인하고 다시 제출해 주십시오.",
  statement: "이해상충 서약에 표시해 주십시오.",
  submittedLate: (date: string) => `${date}에 접수가 마감되어 제출할 수 없습니다. 쓰신 내용은 그대로 남아 있습니다.`,
  reviewerKept: "답을 마친 심의위원은 지정을 취소할 수 없습니다.",
  score: (points: number) => `0점부터 ${points}점까지의 정수로 입력해 주십시오.`,
  emailTwice: "같은 이메일이 두 번 있습니다.",
  namedReviewer: "이미 지정한 심의위원입니다.",
  reviewerMissing: "회원을 찾을 수 없습니다. 아이디나 이메일, 휴대전화로 입력해 주십시오.",
  reviewerConflict: "이 제안서와 이해관계가 있어 심의위원으로 지정할 수 없습니다.",
  reviewersFull: "심의위원을 더 지정할 수 없습니다.",
  noReviewer: "심의위원을 한 사람 이상 지정한 뒤에 심의를 시작해 주십시오.",
  noReview: "심의를 마친 심의위원이 아직 없습니다.",
  notInReview: "심의 중인 제안서가 아닙니다.",
  opinion: "심의 의견을 입력해 주십시오.",
  hasProposals: "제안서가 있는 공모는 지울 수 없습니다. 접수 마감을 앞당겨 주십시오.",
  usedPart: "제출된 제안서가 있는 공모의 심의 기준은 바꿀 수 없습니다.",
  callTimes: "접수 마감은 접수 시작보다 뒤여야 합니다.",
  thresholds: "재심의 점수는 승인 점수보다 높을 수 없습니다.",
  totalPoints: "배점의 합은 100점이어야 합니다.",
};

export const proposalHref = (id: string) => `/Proposal/View/${id}`;

export const reviewHref = (id: string) => `/Proposal/Review/${id}`;
