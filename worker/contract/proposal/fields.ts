import { SIZE_LIMITS } from "../kernel/limits.ts";
import { choice, flag, line, moment, whole } from "../kernel/row.ts";
import { QUESTION_FIELDS } from "../event/fields.ts";
import { CALL_KINDS, PROPOSAL_DESK, PROPOSAL_LIMITS } from "./proposal.ts";

const points = (label: string, start: number) =>
  whole(label, { min: 0, max: PROPOSAL_LIMITS.points, required: true, start, section: "심의" });

const days = (label: string) =>
  whole(label, { min: 1, max: PROPOSAL_LIMITS.days, required: true, start: 10, section: "처리 기한" });

/** A call that is open at any time has no close. */
export const CALL_FIELDS = {
  title: line("공모 이름", { required: true, max: PROPOSAL_LIMITS.callTitle, section: "공모" }),
  kind: choice("종류", CALL_KINDS, "project", { section: "공모" }),
  text: line("안내", { rows: 8, max: PROPOSAL_LIMITS.callText, isWide: true, section: "공모" }),
  openDate: moment("접수 시작", { required: true, section: "접수 기간" }),
  closeDate: moment("접수 마감", {
    required: true,
    onlyWith: ["kind", "project"],
    hint: "적은 분까지 받습니다.",
    section: "접수 기간",
  }),
  approveFrom: points("승인 점수(이상)", 70),
  secondFrom: points("재심의 점수(이상)", 60),
  hidesReviewers: flag("심의위원", {
    ask: "제안자에게 심의위원의 이름을 보이지 않습니다",
    start: true,
    section: "심의",
  }),
  checkDays: days("형식 검토(영업일)"),
  reviewDays: days("심의(영업일)"),
};

const name = line("이름", { required: true, max: PROPOSAL_LIMITS.name });

export const CRITERION_FIELDS = {
  name,
  detail: line("설명", { max: PROPOSAL_LIMITS.detail }),
  points: whole("배점", { required: true, min: 1, max: PROPOSAL_LIMITS.points }),
};

export const PAPER_FIELDS = { name, required: flag("필수", { ask: "반드시 내야 합니다" }) };

export const CHECK_FIELDS = { name };

export const PROPOSAL_QUESTION_FIELDS = {
  ...QUESTION_FIELDS,
  hidden: flag("심의위원에게 숨김", { ask: "심의위원에게 보이지 않습니다" }),
};

/** A draft may leave them empty. */
export const PROPOSAL_FIELDS = {
  title: line("연구 제목", { max: PROPOSAL_LIMITS.title }),
  englishTitle: line("영문 제목", { max: PROPOSAL_LIMITS.title }),
  affiliation: line("연구책임자 소속", { max: PROPOSAL_LIMITS.affiliation }),
};

export const APPLICANT_FIELDS = {
  name: line("이름", { max: PROPOSAL_LIMITS.name }),
  email: line("이메일", { type: "email", max: PROPOSAL_LIMITS.email }),
  affiliation: line("소속", { max: PROPOSAL_LIMITS.affiliation }),
};

const { draft: _draft, ...SUBMITTED } = PROPOSAL_DESK.states;

export const PROPOSAL_FILTERS = {
  keyword: line("검색어", {
    type: "search",
    placeholder: "번호, 제목, 연구책임자",
    max: SIZE_LIMITS.keywordLength,
    isWide: true,
  }),
  status: choice("상태", SUBMITTED, undefined, { placeholder: "모두" }),
  overdue: choice("기한", { yes: "기한이 지난 것" }, undefined, { placeholder: "모두" }),
};
