import { choice } from "../kernel/row.ts";
import type { Page } from "../kernel/page.ts";

/** Fixed when its mailing is sent; an answer is stored as its place, from 1. */
export interface MailingQuestion {
  text: string;
  answers: string[];
}

const ANSWER_PLACES = ["1", "2", "3", "4", "5"] as const;

export const QUESTION_LIMITS = { text: 200, answer: 30, answersMin: 2, answersMax: ANSWER_PLACES.length } as const;

export const ANSWER_PATH = "/answer/";

/** One message for a forged link, an ended question and a person who moved or left. */
export const ANSWER_REFUSED =
  "쓸 수 없는 주소입니다. 답을 받는 기간이 끝났을 수 있습니다. 메일의 주소를 끝까지 붙여 넣으셨는지도 확인해 주십시오.";

export const ENDS_BEFORE_SENDING = "답받는 마지막 날은 오늘이나 그 뒤로 정해 주십시오.";

/** The place of an answer, or none yet. */
export const ANSWER_FILTERS = [...ANSWER_PLACES, "none"] as const;
type AnswerFilter = (typeof ANSWER_FILTERS)[number];

export const NO_ANSWER_NAME = "답 없음";

/** The filter's words are the answers of the question. */
export const answerFilters = ({ answers }: MailingQuestion) => ({
  answer: choice("답", {
    ...Object.fromEntries(answers.map((name, at) => [String(at + 1), name])),
    none: NO_ANSWER_NAME,
  } as Record<AnswerFilter, string>),
});

export interface MailingAnswerRow {
  personId: string;
  /** Empty when the person no longer exists. */
  name: string;
  cohort: number | null;
  /** Null without an answer. */
  answer: number | null;
  answeredDate: string | null;
}

export type MailingAnswers = Page<MailingAnswerRow>;
