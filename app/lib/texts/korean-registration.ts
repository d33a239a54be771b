import { momentText } from "#app/lib/texts/korean-events.ts";
import { EVENT_DESK, REGISTRATION_MESSAGES, REGISTRATION_PHASES } from "#worker/contract/event/event.ts";

/** On the page of the item. */
export const KOREAN_REGISTRATION_TEXTS = {
  title: "행사 신청",
  phases: REGISTRATION_PHASES,
  states: EVENT_DESK.states as Record<keyof typeof EVENT_DESK.states, string>,
  full: REGISTRATION_MESSAGES.full as string,
  waiting: (count: string) => `대기 ${count}명`,
  free: (free: string, places: string) => `남은 자리 ${free}/${places}`,
  moment: momentText,
  from: { before: "", after: "부터 " },
  until: { before: "", after: "까지" },
  queue: (place: string) => `${place}번째`,
  own: "내 신청",
  show: "신청 확인·취소",
  act: (isFull: boolean): string => (isFull ? "대기 신청" : "신청하기"),
  signinFirst: (act: string) => `로그인하고 ${act}`,
};

export type RegistrationTexts = typeof KOREAN_REGISTRATION_TEXTS;
