import { valuesOf } from "../kernel/labels.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";
import { choice } from "../kernel/row.ts";
import { FILE_TYPES } from "../file/rules.ts";
import { personFields } from "../alumni/certificate.ts";
import { type AlumniField, ALUMNI_COLUMN_LABELS } from "../alumni/columns.ts";
import { DUES_COLUMNS, type DuesColumn } from "../alumni/dues/dues.ts";
import type { AlumniFieldCode, OwnField } from "../alumni/own-fields.ts";
import { LETTER_CAUSE_NAMES } from "../mail/letters.ts";
import { SITE_LINK_FIELD, SITE_NAME_FIELD } from "../mail/templates.ts";
import type { Page } from "#worker/contract/kernel/page.ts";

export const MAILING_SOURCE_NAMES = { alumni: "주소록", member: "회원" } as const;

export type MailingSource = keyof typeof MAILING_SOURCE_NAMES;

export type MailingStatus = "draft" | "sending" | "done" | "cancelled";

/** `left`: excluded, see the cause. `unknown`: may have gone out, so it is never resent automatically. */
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

export const isBounced = ({ state, cause }: { state: RecipientState; cause: MailingCause }) =>
  state === "bounced" || (state === "left" && cause === "bounced");

export type RecipientState = keyof typeof RECIPIENT_STATE_NAMES;

export const RECIPIENT_STATES = valuesOf(RECIPIENT_STATE_NAMES);

export const RECIPIENT_FILTERS = { state: choice("결과", RECIPIENT_STATE_NAMES) };

export const MAILING_CAUSE_NAMES = {
  "no-address": "이메일 없음",
  "no-mobile": "휴대전화번호 없음",
  unproven: "본인이 확인하지 않은 이메일",
  ...LETTER_CAUSE_NAMES,
  bounced: "반송된 주소",
  "no-mailbox": "없는 주소이거나 받는 쪽에서 거절함",
  "mailbox-busy": "메일함이 찼거나 잠시 받지 못함",
  suspended: "처리정지",
  inactive: "차단·탈퇴·삭제",
  "no-consent": "광고 수신 미동의",
  "empty-field": "항목이 비어 있음",
  "shared-address": "같은 주소나 번호의 다른 사람이 받음",
  changed: "그사이 주소나 번호가 바뀜",
  answered: "이미 확인함",
  replied: "이미 답함",
  closed: "답받기가 끝남",
  cancelled: "발송 취소",
  paid: "그사이 회비를 내거나 면제됨",
  unregistered: "그사이 행사 신청이 바뀜",
} as const;

export type MailingCause = keyof typeof MAILING_CAUSE_NAMES | "";

/** Causes without any way to reach the person; listed first, with names. */
export const UNREACHABLE_CAUSES: readonly MailingCause[] = ["no-address", "no-mobile"];

export const UNREACHABLE_NAMED = 20;
export const EMPTY_NAMED = 5;

/** The most recipients of one mail, and the most rows of an export. */
export const MAILING_PEOPLE_MAX = 100_000;

export const MAILING_FILES_MAX = 5;

export const ATTACHMENT_LIMITS = {
  maxCount: 1,
  maxSize: SIZE_LIMITS.imageBytes,
  extensions: Object.keys(FILE_TYPES),
};

/** Returns the file ID of an address on this site, or null for any other address. */
export const fileIdFromAddress = (address: string): string | null =>
  /\/api\/file\/([0-9a-f-]{36})$/.exec(address.trim().split(/[?#]/, 1)[0] ?? "")?.[1] ?? null;

/** Placeholder for the opt-out in a text message; advertising gets it at the end automatically. */
export const REFUSAL_FIELD = "수신거부";

export const ADVERTISING_BY_ALIMTALK =
  "알림톡으로는 정보만 보낼 수 있습니다. 광고는 수신에 동의한 회원에게 메일이나 문자로 보내 주십시오.";

/** How far ahead a mail can be scheduled, in days. */
export const MAILING_AHEAD_DAYS = 90;

/** Placeholders whose values do not depend on the person; an own field of the same name is none. */
export const FIXED_FIELDS = [SITE_NAME_FIELD, SITE_LINK_FIELD, REFUSAL_FIELD];

/** Placeholders that a text to these recipients may use, by label; unused columns have none. */
export function mailingFields(
  source: MailingSource,
  used: readonly AlumniField[],
  own: readonly OwnField[],
  withDues: boolean,
): Map<string, AlumniFieldCode | DuesColumn> {
  if (source === "member") return personFields(["name"], []);
  const state = used.filter((field) => field === "state").map((field) => [ALUMNI_COLUMN_LABELS[field], field] as const);
  const fields = new Map<string, AlumniFieldCode | DuesColumn>([
    ...(withDues ? Object.entries(DUES_COLUMNS) : []),
    ...personFields(used, []),
    ...state,
    ...personFields([], own),
  ]);
  for (const name of FIXED_FIELDS) fields.delete(name);
  return fields;
}

/** A file of a board item, sent as a link that checks the reader's right to download. */
export interface MailingFile {
  id: string;
  fileName: string;
  size: number;
}

export interface MailingRecipientRow {
  personId: string;
  /** Empty when the person no longer exists. */
  name: string;
  address: string;
  /** The address bounced, and the caller may correct it; any other address is masked. */
  canMend: boolean;
  state: RecipientState;
  cause: MailingCause;
  stateDate: string;
}

export type MailingRecipients = Page<MailingRecipientRow>;
