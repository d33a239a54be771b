import { DUE_STATE_LABELS } from "../alumni/dues/dues.ts";
import type { ProfileInputType } from "../account/rules.ts";
import type { ProfileField } from "../account/view.ts";
import { addDays, daysBetween } from "../board/event-rules.ts";
import { endOfKoreanDay } from "../kernel/day-ends.ts";
import { defineDesk } from "../kernel/desk.ts";
import { koreanClock, koreanDay, startOfKoreanDay } from "../kernel/korea.ts";
import { valuesOf } from "../kernel/labels.ts";
import { DAY_MS } from "../kernel/limits.ts";

export const REGISTRATION_LIMITS = {
  places: 100_000,
  questions: 20,
  fees: 10,
  feeName: 40,
  feeDays: 90,
  reminderDays: 30,
  /** Days from the letter about an unpaid fee to the cancellation. */
  graceDays: 3,
  roles: 30,
  confirmation: 1000,
  who: 100,
  guestName: 40,
  kindId: 36,
  /** Of one event. */
  registrations: 20_000,
  /** How many the office moves up at once when it adds places. */
  movedAtOnce: 200,
} as const;

const OPEN = ["waiting", "confirmed"] as const;

export const ATTENDANCE_LABELS = {
  none: "출석을 받지 않음",
  entry: "입장할 때",
  both: "입장할 때와 퇴장할 때",
} as const;

export type Attendance = keyof typeof ATTENDANCE_LABELS;

/** A place is taken by all but those who wait and those who cancelled. */
export const EVENT_DESK = defineDesk({
  states: { waiting: "대기", confirmed: "확정", present: "출석", absent: "불참", cancelled: "취소" },
  tones: { waiting: "warning", confirmed: "primary", present: "success", absent: "danger", cancelled: "gray" },
  commands: {
    change: { by: "person", from: OPEN },
    cancel: { by: "person", from: OPEN, to: "cancelled" },
    moveUp: { by: "office", from: ["waiting"], to: "confirmed" },
    cancelByOffice: { by: "office", from: OPEN, to: "cancelled" },
    present: { by: "office", from: ["confirmed", "absent"], to: "present" },
    absent: { by: "office", from: ["confirmed", "present"], to: "absent" },
    unmark: { by: "office", from: ["present", "absent"], to: "confirmed" },
    leave: { by: "office", from: ["present"] },
  },
  letters: { moveUp: "eventMovedUp", cancelByOffice: "eventCancelled" },
});

export type RegistrationStatus = keyof typeof EVENT_DESK.states;

/** In the letter of a place if the office wrote no text of its own. */
export const NO_CONFIRMATION = { ko: "행사에서 뵙겠습니다.", en: "We look forward to seeing you." };

/** In the letter of a place, before the address of the ticket. */
export const SHOW_TICKET = {
  ko: "행사장 입구에서는 아래 입장권의 QR 그림을 보여 주십시오.",
  en: "At the entrance, please show the QR code of your ticket at the address below.",
};

/** Letters to all of an event, by the mark on their registration until it is written. */
export const EVENT_LETTERS = {
  reminder: "eventReminder",
  /** To a guest, whose link the queue cannot sign. */
  movedUp: "eventMovedUp",
  moved: "eventMoved",
  calledOff: "eventCalledOff",
} as const;

/** In the letter of a cancelled event to those who paid. */
export const PAID_BEFORE = {
  ko: "내신 참가비는 사무국이 돌려 드립니다.",
  en: "The office will return the fee that you paid.",
};

export type EventLetter = keyof typeof EVENT_LETTERS;

/** Letters about a new registration. */
export const REGISTERED_LETTERS = { confirmed: "eventConfirmed", waiting: "eventWaiting" } as const;

export const PLACE_TAKEN = ["confirmed", "present", "absent"] as const satisfies readonly RegistrationStatus[];

const { cancelled: _cancelled, ...REGISTERED } = EVENT_DESK.states;

/** Whom the office writes to; nobody who cancelled. */
export const MAILED_PEOPLE = { all: "신청한 사람 모두", ...REGISTERED, unpaid: "참가비를 다 내지 않은 사람" };

export type MailedPeople = keyof typeof MAILED_PEOPLE;

export function mailedStatuses(to: MailedPeople): readonly RegistrationStatus[] {
  if (to === "unpaid") return PLACE_TAKEN;
  return to === "all" ? valuesOf(REGISTERED) : [to];
}

export const MARK_LABELS = { present: "출석", absent: "불참", unmark: "표시 지우기", leave: "퇴장" } as const;

export type AttendanceMark = keyof typeof MARK_LABELS;

/** Whether the event takes the mark at all. */
export const takesMark = (attendance: Attendance, mark: AttendanceMark): boolean =>
  attendance === "both" || (attendance === "entry" && mark !== "leave");

/** Somebody with a place shows it at the door. */
export const hasTicket = ({ attendance }: { attendance: Attendance }, status: RegistrationStatus): boolean =>
  attendance !== "none" && PLACE_TAKEN.some((taken) => taken === status);

interface Marked {
  status: RegistrationStatus;
  attendedDate: Date | null;
  leftDate: Date | null;
}

/** A second scan within a minute is the same one. */
export const SAME_SCAN_MS = 60_000;

const wasJustMarked = ({ attendedDate, leftDate }: Marked, now: Date) =>
  now.getTime() - (leftDate ?? attendedDate ?? new Date(0)).getTime() < SAME_SCAN_MS;

/** Whether the registration carries the mark, perhaps by somebody at another door. */
export const isMarked = (mark: AttendanceMark, row: Marked, now: Date): boolean =>
  mark === "leave" ? row.status === "present" && wasJustMarked(row, now) : row.status === EVENT_DESK.commands[mark].to;

/** The one button of the door; without it `said` is the reason. */
export interface DoorAct {
  act: "present" | "leave" | null;
  said: string;
}

/** @param days of the event */
export function doorAct(
  attendance: Attendance,
  row: Marked,
  days: { first: string; last: string },
  now: Date,
): DoorAct {
  const refuse = (said: string) => ({ act: null, said });
  if (row.status === "cancelled") return refuse(TICKET_MESSAGES.cancelled);
  if (attendance === "none") return refuse(TICKET_MESSAGES.unused);
  const today = koreanDay(now);
  if (today < days.first || today > days.last) return refuse(TICKET_MESSAGES.otherDay);
  if (row.status === "waiting") return refuse(REGISTRATION_MESSAGES.stillWaiting);
  if (row.status !== "present") return { act: "present", said: "" };
  const said = markedText(row);
  return attendance === "both" && !wasJustMarked(row, now) ? { act: "leave", said } : refuse(said);
}

const markedText = ({ attendedDate, leftDate }: Marked) =>
  leftDate
    ? `${koreanClock(leftDate)}에 퇴장하였습니다.`
    : `${attendedDate ? `${koreanClock(attendedDate)}에 ` : ""}이미 출석하였습니다.`;

export interface EventQuestion {
  /** Given by the site and kept, so that answers find it. */
  code: string;
  name: string;
  inputType: ProfileInputType;
  detail: string[];
  required: boolean;
}

export interface EventFee {
  /** Given by the site and kept, so that registrations find it. */
  code: string;
  name: string;
  /** Won; 0 is free. */
  amount: number;
  /** Roles that may choose it; empty for everybody. */
  roleCodes: string[];
}

/** Whether money is owed for a registration. */
export const FEE_STATES = {
  unpaid: DUE_STATE_LABELS.unpaid,
  paid: DUE_STATE_LABELS.paid,
  /** Paid for a registration that was cancelled since. */
  refund: "환불할 것",
};

export type FeeState = keyof typeof FEE_STATES;

export const questionField = (question: EventQuestion, order: number): ProfileField => ({
  ...question,
  englishName: "",
  englishDetail: [],
  order,
});

/** Whether registration is open at a moment. */
export type RegistrationPhase = "before" | "open" | "closed";

export const REGISTRATION_PHASES: Record<RegistrationPhase, string> = {
  before: "신청 전",
  open: "신청 중",
  closed: "마감",
};

interface RegistrationTimes {
  openDate: Date;
  closeDate: Date;
}

/** The minute of the close still counts. */
const closesAt = ({ closeDate }: Pick<RegistrationTimes, "closeDate">) => closeDate.getTime() + 60_000;

/** @param isHeld the item still has its event, which is not cancelled */
export function phaseAt(times: RegistrationTimes, isHeld: boolean, now: Date): RegistrationPhase {
  if (!isHeld || now.getTime() >= closesAt(times)) return "closed";
  return now < times.openDate ? "before" : "open";
}

/** The last moment at which a member cancels. */
export const lastCancellation = (times: RegistrationTimes & { cancelUntil: string }): Date =>
  times.cancelUntil === "" ? new Date(closesAt(times) - 1) : endOfKoreanDay(startOfKoreanDay(times.cancelUntil));

interface CopiedTimes {
  openDate: string;
  closeDate: string;
  cancelUntil: string;
}

/** The times of an earlier event, as many days before the other event. */
export function copiedTimes(times: CopiedTimes, firstDay: string, otherFirstDay: string): CopiedTimes {
  const days = daysBetween(firstDay, otherFirstDay);
  const moved = (date: string) => new Date(Date.parse(date) + days * DAY_MS).toISOString();
  return {
    openDate: moved(times.openDate),
    closeDate: moved(times.closeDate),
    cancelUntil: times.cancelUntil && addDays(times.cancelUntil, days),
  };
}

/** Errors of an event's times, by field. */
export function eventTimeProblems({ openDate, closeDate, cancelUntil }: RegistrationTimes & { cancelUntil: string }) {
  if (closeDate <= openDate) return { closeDate: "신청 마감은 신청 시작보다 뒤여야 합니다." };
  if (cancelUntil !== "" && cancelUntil < koreanDay(openDate))
    return { cancelUntil: "취소할 수 있는 마지막 날은 신청 시작보다 앞설 수 없습니다." };
  return {};
}

export const REGISTRATION_MESSAGES = {
  missing: "신청을 받는 행사를 찾을 수 없습니다.",
  registrationMissing: "신청을 찾을 수 없습니다.",
  ended: "취소된 신청입니다. 다시 신청하실 수 있습니다.",
  noEvent: "일정이 있는 글만 신청을 받을 수 있습니다.",
  exists: "이미 신청을 받고 있는 행사입니다.",
  forgedLink: "확인되지 않거나 기한이 지난 주소입니다. 받으신 메일의 주소를 다시 확인하거나 사무국에 문의해 주십시오.",
  signIn: "로그인한 회원만 신청할 수 있습니다.",
  role: "이 행사를 신청할 수 있는 회원이 아닙니다. 사무국에 문의해 주십시오.",
  before: "아직 신청을 받지 않습니다.",
  closed: "신청이 마감되었습니다.",
  full: "자리가 모두 찼습니다.",
  fullButWaiting: "그사이 자리가 모두 찼습니다. 대기자로 신청하실 수 있습니다.",
  registered: "이미 신청한 회원입니다.",
  twice: "이미 신청하신 행사입니다.",
  twiceAsGuest: "이 이메일로 로그인하지 않고 이미 신청하셨습니다.",
  twiceAsMember: "이 이메일을 쓰는 회원으로 이미 신청하셨습니다. 로그인하고 확인해 주십시오.",
  questionsChanged: "그사이 질문이나 참가비가 바뀌었습니다. 바뀐 것을 확인하고 다시 신청해 주십시오.",
  feeMissing: "참가비를 골라 주십시오.",
  feeNotTheirs: "고를 수 없는 참가비입니다. 다시 골라 주십시오.",
  feeChosen: "고른 사람이 있는 참가비는 뺄 수 없습니다.",
  feeTwice: "같은 이름의 참가비가 두 번 있습니다.",
  noFee: "고를 수 있는 참가비가 없습니다. 사무국에 문의해 주십시오.",
  unpaid: "참가비를 기한까지 내지 않아 취소되었습니다.",
  refundOpen: "취소된 신청의 참가비만 돌려줄 수 있습니다. 먼저 신청을 취소해 주십시오.",
  refundChanged: "그사이 낸 금액이 바뀌었습니다. 다시 확인해 주십시오.",
  calledOff: "이미 취소된 행사입니다.",
  sameTime: "일정이 그대로입니다. 새 일시를 입력해 주십시오.",
  stillTelling: "앞서 바꾼 일정을 아직 알리고 있습니다. 10분쯤 뒤에 다시 해 주십시오.",
  tooLateToChange: "신청이 마감되어 답을 고칠 수 없습니다.",
  tooLateToCancel: "취소할 수 있는 날이 지났습니다. 사무국에 문의해 주십시오.",
  answered: "답한 사람이 있는 질문은 지우거나 적는 방법을 바꿀 수 없습니다.",
  fewerPlaces: "이미 확정된 사람보다 정원을 줄일 수 없습니다.",
  hasRegistrations: "신청한 사람이 있어 지울 수 없습니다. 신청 마감을 앞당겨 주십시오.",
  stillWaiting: "대기 중인 사람입니다. 먼저 자리를 주십시오.",
  marked: "이미 그렇게 표시하였습니다.",
  unmarkable: "이 행사에서는 받지 않는 표시입니다. 신청 설정의 출석을 확인해 주십시오.",
  kindMissing: "더 발급하지 않는 증명서입니다. 다시 골라 주십시오.",
  noKind: "신청 설정에서 이수증으로 쓸 증명서를 먼저 골라 주십시오.",
  allCertified: "출석한 사람에게 이수증을 모두 발급하였습니다.",
  guestsUncertified: "계정이 있는 사람에게는 모두 발급하였습니다. 계정이 없는 사람에게는 따로 발급해 주십시오.",
  accountClosed: "계정을 쓸 수 없게 되어 취소됨",
  memberMissing: "회원을 찾을 수 없습니다. 아이디나 이메일, 휴대전화로 입력해 주십시오.",
} as const;

export const TICKET_MESSAGES = {
  forged: "확인되지 않는 입장권입니다. 이름으로 찾아 주십시오.",
  cancelled: "취소된 신청의 입장권입니다.",
  notHeld: "취소되었거나 지워진 행사의 입장권입니다.",
  unused: "출석을 받지 않는 행사의 입장권입니다.",
  otherDay: "오늘 열리는 행사의 입장권이 아닙니다.",
} as const;

/** A guest's own registration, by the signed link of the letters. */
export const guestHref = (token: string) => `/mail/event/${token}`;

/** Below it, the address of the item: `/Board/:boardCode/Register/:itemNo`. */
export const registrationHref = (boardCode: string, itemNo: number) => `/Board/${boardCode}/Register/${itemNo}`;
