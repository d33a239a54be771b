import { profileFieldRow } from "../account/rows.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";
import { choice, day, flag, line, moment, whole } from "../kernel/row.ts";
import { ATTENDANCE_LABELS, EVENT_DESK, REGISTRATION_LIMITS } from "./event.ts";

/** `cancelUntil` is the last day on which a member cancels; empty for the moment of the close. */
export const EVENT_FIELDS = {
  openDate: moment("신청 시작", { required: true, section: "신청 기간" }),
  closeDate: moment("신청 마감", { required: true, section: "신청 기간" }),
  cancelUntil: day("취소할 수 있는 마지막 날", {
    hint: "비워 두면 신청 마감까지 취소할 수 있습니다.",
    section: "신청 기간",
  }),
  places: whole("정원", {
    min: 1,
    max: REGISTRATION_LIMITS.places,
    hint: "비워 두면 정원이 없습니다.",
    section: "정원",
  }),
  useWaiting: flag("대기", { ask: "자리가 차면 대기자를 받습니다", start: true, section: "정원" }),
  hidesCounts: flag("남은 자리 숨기기", { ask: "남은 자리와 대기 인원을 보여 주지 않습니다", section: "정원" }),
  attendance: choice("출석", ATTENDANCE_LABELS, "entry", {
    hint: "확정된 사람의 입장권에 QR 그림이 붙습니다.",
    section: "행사 당일",
  }),
};

const { name, inputType, detail, required } = profileFieldRow.fields;

/** A question is a field of the sign-up without its English names. */
export const QUESTION_FIELDS = { name, inputType, detail, required };

export const REGISTRATION_FILTERS = {
  keyword: line("검색어", {
    type: "search",
    placeholder: "이름, 이메일",
    max: SIZE_LIMITS.keywordLength,
    isWide: true,
  }),
  status: choice("상태", EVENT_DESK.states, undefined, { placeholder: "모두" }),
};
