import { profileFieldRow } from "../account/rows.ts";
import { EVENT_LIMITS } from "../board/event-rules.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";
import { choice, day, flag, line, moment, whole } from "../kernel/row.ts";
import { DUE_LIMITS } from "../alumni/dues/dues.ts";
import { ATTENDANCE_LABELS, EVENT_DESK, FEE_STATES, REGISTRATION_LIMITS } from "./event.ts";

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
  takesGuests: flag("비회원", {
    ask: "이메일을 확인하면 회원이 아니어도 신청할 수 있습니다",
    section: "비회원 신청",
  }),
  attendance: choice("출석", ATTENDANCE_LABELS, "entry", {
    hint: "확정된 사람의 입장권에 QR 그림이 붙습니다.",
    section: "행사 당일",
  }),
  reminderDays: whole("안내 메일(며칠 전)", {
    min: 1,
    max: REGISTRATION_LIMITS.reminderDays,
    hint: "그날 아침 9시에 확정된 사람에게 한 번 보냅니다. 비워 두면 보내지 않습니다.",
    section: "행사 당일",
  }),
  feeDays: whole("납부 기한(일)", {
    min: 1,
    max: REGISTRATION_LIMITS.feeDays,
    hint: "자리를 얻은 날부터 셉니다. 지나면 한 번 알립니다. 비워 두면 기한이 없습니다.",
    section: "참가비 납부",
  }),
  cancelsUnpaid: flag("미납 취소", {
    ask: `알리고 ${REGISTRATION_LIMITS.graceDays}일이 지나도 내지 않으면 취소하고 다음 사람에게 자리를 줍니다`,
    section: "참가비 납부",
  }),
};

const { name, inputType, detail, required } = profileFieldRow.fields;

/** A question is a field of the sign-up without its English names. */
export const QUESTION_FIELDS = { name, inputType, detail, required };

export const FEE_FIELDS = {
  name: line("이름", { required: true, max: REGISTRATION_LIMITS.feeName, hint: "예: 정회원, 비회원, 전공의" }),
  amount: whole("금액(원)", { required: true, min: 0, max: DUE_LIMITS.amount, hint: "0은 무료입니다." }),
};

const place = line("장소", { max: EVENT_LIMITS.place });

export const MOVE_FIELDS = {
  startDate: moment("시작", { required: true }),
  endDate: moment("끝", { required: true }),
  place,
};

/** Of an event that lasts all day. */
export const MOVE_DAY_FIELDS = {
  startDate: day("첫날", { required: true }),
  endDate: day("마지막 날", { required: true }),
  place,
};

export const REGISTRATION_FILTERS = {
  keyword: line("검색어", {
    type: "search",
    placeholder: "이름, 이메일",
    max: SIZE_LIMITS.keywordLength,
    isWide: true,
  }),
  status: choice("상태", EVENT_DESK.states, undefined, { placeholder: "모두" }),
  fee: choice("참가비", FEE_STATES, undefined, { placeholder: "모두" }),
};
