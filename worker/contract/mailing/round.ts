import { valuesOf } from "../kernel/labels.ts";
import { line, choice } from "../kernel/row.ts";

export const ROUND_STATUS_NAMES = { draft: "준비 중", open: "진행 중", closed: "끝남" } as const;

export type RoundStatus = keyof typeof ROUND_STATUS_NAMES;

export const ROUND_OUTCOME_NAMES = {
  confirmed: "맞다고 확인",
  changed: "고치고 확인",
  waiting: "답 없음",
  bounced: "반송·실패",
  unreached: "보낼 곳 없음",
  excluded: "대상에서 빠짐",
} as const;

export type RoundOutcome = keyof typeof ROUND_OUTCOME_NAMES;

export const ROUND_OUTCOMES = valuesOf(ROUND_OUTCOME_NAMES);

export const ROUND_FILTERS = { outcome: choice("결과", ROUND_OUTCOME_NAMES), cohort: line("기수", { max: 3 }) };

/** The request and two reminders. */
export const ROUND_WAVES = 3;

export const REMINDER_DAYS = { min: 3, max: 60, standard: 14 } as const;

export const CONFIRMATION_PATH = "/confirm/";

export const CONFIRMATION_DONE_PATH = "/confirm/done";

/** One message for a forged, used or expired link and for a person who moved or left. */
export const CONFIRMATION_REFUSED =
  "쓸 수 없는 주소입니다. 이미 답하셨거나 기한이 지났을 수 있습니다. 메일의 주소를 끝까지 붙여 넣으셨는지도 확인해 주십시오.";

export const MY_ENTRY_REFUSED = "정보를 직접 고칠 수 없게 되어 있습니다. 사무국에 알려 주십시오.";

export type OutcomeCounts = Partial<Record<RoundOutcome, number>>;
