import { valuesOf } from "../kernel/labels.ts";
import { formatCount } from "../kernel/wording.ts";

// The rule of who may be written to by which means. Free of zod for the browser.

export const LETTER_CAUSE_NAMES = {
  lost: "연락 두절",
  withdrawn: "탈퇴",
  deceased: "작고",
  refused: "수신 거부",
} as const;

/** The reason to leave a person out; empty if they may be written to. */
export type LetterCause = keyof typeof LETTER_CAUSE_NAMES | "";

interface StateRule {
  /** The cause to send no letter. */
  silent?: LetterCause;
  /** Also no certificate, name tag or directory, and no contact is shown to other members. */
  isGone?: true;
}

/** By the stored word; the first is the default. */
const STATE_RULES: Record<string, StateRule> = {
  활동: {},
  휴면: {},
  "연락 두절": { silent: "lost" },
  탈퇴: { silent: "withdrawn", isGone: true },
  작고: { silent: "deceased", isGone: true },
};

export const PERSON_STATES = valuesOf(STATE_RULES);

/** For people who are missing in a list. */
export const MISSING_STATES = PERSON_STATES.slice(1);

const STATES = new Map(Object.entries(STATE_RULES));

export const WITHDRAWN = LETTER_CAUSE_NAMES.withdrawn;

export const DECEASED = LETTER_CAUSE_NAMES.deceased;

export const isGone = ({ state }: { state: string }) => STATES.get(state)?.isGone === true;

export const GONE_STATES = PERSON_STATES.filter((state) => isGone({ state }));

/** Facts that end only by a decision about the person: 작고, 탈퇴, a refused means. A stronger state ends none. */
export const FINAL_FIELDS = ["state", "refuses"] as const;

export type FinalField = (typeof FINAL_FIELDS)[number];

const meansIn = (refuses: string) => refuses.split(",").map((word) => word.trim());

export function endedFields(
  before: Record<FinalField, string>,
  after: Partial<Record<FinalField, string>>,
): FinalField[] {
  const { state = before.state, refuses = before.refuses } = after;
  const isEnded = {
    state: isGone(before) && PERSON_STATES.indexOf(state) < PERSON_STATES.indexOf(before.state),
    refuses: before.refuses !== "" && !meansIn(before.refuses).every((means) => meansIn(refuses).includes(means)),
  };
  return FINAL_FIELDS.filter((field) => isEnded[field]);
}

/** `paper` names a person without writing to them: a certificate, a name tag, a directory. */
export const LETTER_MEANS = { email: "이메일", sms: "문자", post: "우편", paper: "" } as const;

export type LetterMeans = keyof typeof LETTER_MEANS;

/** Stored words of the means that a person refuses. */
export const REFUSABLE_MEANS = Object.values(LETTER_MEANS).filter((word) => word !== "");

export function letterCause({ state, refuses }: { state: string; refuses: string }, means: LetterMeans): LetterCause {
  if (means === "paper") return (isGone({ state }) && STATES.get(state)?.silent) || "";
  return STATES.get(state)?.silent ?? (refuses.includes(LETTER_MEANS[means]) ? "refused" : "");
}

/** `letterCause` in SQL, from the same table. @param row name of the `alumni` row in the query */
export function letterCauseSql(row: string, means: LetterMeans): string {
  const states = PERSON_STATES.map((state) => [state, letterCause({ state, refuses: "" }, means)]);
  const cases = states
    .filter(([, cause]) => cause !== "")
    .map(([state, cause]) => `WHEN ${row}.state = '${state}' THEN '${cause}'`);
  const refusal = means === "paper" ? [] : [`WHEN instr(${row}.refuses, '${LETTER_MEANS[means]}') > 0 THEN 'refused'`];
  return `CASE ${[...cases, ...refusal].join(" ")} ELSE '' END`;
}

export interface LeftOut {
  cause: LetterCause;
  count: number;
}

/** “작고 60명, 수신 거부 3명은 제외했습니다.”; empty for nobody. A hidden cause is empty. */
export const leftOutText = (leftOut: readonly LeftOut[]): string =>
  leftOut.length === 0
    ? ""
    : `${leftOut.map(({ cause, count }) => `${cause ? LETTER_CAUSE_NAMES[cause] : "보내지 않는 분"} ${formatCount(count)}명`).join(", ")}은 제외했습니다.`;

/** The day of a changed state, unless another one is given with it. */
export const withStateDay = <V extends { state: string; stateDate: string }>(before: V, after: V, day: string): V =>
  after.state !== before.state && after.stateDate === before.stateDate ? { ...after, stateDate: day } : after;
