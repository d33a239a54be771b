import { valuesOf } from "../kernel/labels.ts";
import { ALUMNI_COLUMN_LABELS, ALUMNI_WHO_FIELDS } from "../alumni/columns.ts";

export const MAILING_SOURCE_NAMES = { alumni: "주소록", member: "회원" } as const;

export type MailingSource = keyof typeof MAILING_SOURCE_NAMES;

export const MAILING_SOURCES = valuesOf(MAILING_SOURCE_NAMES);

export type MailingStatus = "draft" | "sending" | "done" | "cancelled";

/**
 * `left`: not written to, see the cause. `queued`: handed to the provider's queue. `unknown`: the provider did not say
 * whether it took the message; it may have gone out, and is not sent again by itself.
 */
export const RECIPIENT_STATE_NAMES = {
  waiting: "대기",
  queued: "보내는 중",
  sent: "보냄",
  delivered: "도착",
  bounced: "반송",
  complained: "스팸 신고",
  failed: "실패",
  unknown: "확인 안 됨",
  left: "제외",
} as const;

export type RecipientState = keyof typeof RECIPIENT_STATE_NAMES;

export const RECIPIENT_STATES = valuesOf(RECIPIENT_STATE_NAMES);

/** Why somebody is not written to; empty for those who are. */
export const MAILING_CAUSE_NAMES = {
  "no-address": "이메일 없음",
  "no-mobile": "휴대전화번호 없음",
  refused: "수신 거부",
  bounced: "반송된 주소",
  suspended: "처리정지",
  inactive: "차단·탈퇴·삭제",
  "no-consent": "광고 수신 미동의",
  "empty-field": "항목이 비어 있음",
  "shared-address": "같은 주소나 번호의 다른 사람이 받음",
  changed: "그사이 주소나 번호가 바뀜",
  answered: "이미 확인함",
  cancelled: "발송 취소",
} as const;

export type MailingCause = keyof typeof MAILING_CAUSE_NAMES | "";

export const MAILING_CAUSES = valuesOf(MAILING_CAUSE_NAMES);

/** Those who cannot be reached at all: they are told first, and by name. */
export const UNREACHABLE_CAUSES: readonly MailingCause[] = ["no-address", "no-mobile"];

/** So many of them are named in the preview. */
export const UNREACHABLE_NAMED = 20;

/** As many as one mail goes to, and as an export holds. */
export const MAILING_PEOPLE_MAX = 100_000;

export const MAILING_FILES_MAX = 5;

/** The file that an address of this site leads to; null for another address. */
export const fileIdOfAddress = (address: string): string | null =>
  /\/api\/file\/([0-9a-f-]{36})$/.exec(address.trim().split(/[?#]/, 1)[0] ?? "")?.[1] ?? null;

/** In a text message, where the way off stands; advertising has it at its end by itself. */
export const REFUSAL_FIELD = "수신거부";

export const ADVERTISING_BY_ALIMTALK =
  "알림톡으로는 정보만 보낼 수 있습니다. 광고는 수신에 동의한 회원에게 메일이나 문자로 보내 주십시오.";

/** How far ahead a mail is set. */
export const MAILING_AHEAD_DAYS = 90;

/** What a text may be filled in with, of the address book: nothing of how somebody is reached, nor the memo. */
export const ALUMNI_SAMPLES: Record<(typeof ALUMNI_WHO_FIELDS)[number], string> = {
  name: "홍길동",
  cohort: "12",
  graduationYear: "2005",
  major: "경영학",
  affiliation: "가온상사",
  department: "총무부",
  position: "과장",
};

export type MailingFields = Readonly<Record<string, { sample: string }>>;

/** The fields that a text to these people may use, by the name that stands in it; columns that are not used are none. */
export function mailingFields(source: MailingSource, usedColumns: readonly string[]): MailingFields {
  if (source === "member") return { 이름: { sample: ALUMNI_SAMPLES.name } };
  return Object.fromEntries(
    ALUMNI_WHO_FIELDS.filter((field) => usedColumns.includes(field)).map((field) => [
      ALUMNI_COLUMN_LABELS[field],
      { sample: ALUMNI_SAMPLES[field] },
    ]),
  );
}
