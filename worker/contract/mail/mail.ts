import { valuesOf } from "../kernel/labels.ts";

export const MESSAGE_CHANNEL_NAMES = { email: "메일", sms: "문자", alimtalk: "알림톡" } as const;

export type MessageChannel = keyof typeof MESSAGE_CHANNEL_NAMES;

export const MESSAGE_CHANNELS = valuesOf(MESSAGE_CHANNEL_NAMES);

/** The optional agreement that is the consent to advertising by mail. */
export const ADVERTISING_AGREEMENT = "newsletter";

/** Consent to advertising by text message is separate from that by mail. */
export const TEXT_ADVERTISING_AGREEMENT = "newsletter-sms";

export const advertisingAgreement = (channel: MessageChannel) =>
  channel === "email" ? ADVERTISING_AGREEMENT : TEXT_ADVERTISING_AGREEMENT;

export const ADVERTISING_MARK = "(광고)";

/** Consents are confirmed every two years (망법 제50조 제8항). */
export const CONSENT_REMINDER_YEARS = 2;

/** In place of the subject for administrators who do not edit the address book. */
export const BOOK_MAILING_SUBJECT = "주소록에 보낸 메일";

/** h***@example.kr, 010-****-1234. */
export function maskRecipient(address: string): string {
  if (address.includes("@")) return address.replace(/^(.).*@/, "$1***@");
  return address.replace(/-\d+-/, (middle) => `-${"*".repeat(middle.length - 2)}-`);
}

export const MAIL_KINDS = ["informational", "advertising"] as const;

export type MailKind = (typeof MAIL_KINDS)[number];

export const MAIL_TEMPLATE_LIMITS = { subject: 150, text: 5000 } as const;

export const ACTIVITY_DAYS = 90;

export const UNREAD_COUNT_MAX = 99;

export interface Bell {
  label: string;
  /** Empty without unread notifications. */
  badge: string;
}

export function bellOf(unread: number): Bell {
  const badge = unread > UNREAD_COUNT_MAX ? `${UNREAD_COUNT_MAX}+` : String(unread);
  return unread ? { label: `알림함, 읽지 않은 알림 ${badge}건`, badge } : { label: "알림함", badge: "" };
}

export const ACTIVITY_READ_MAX = 100;

export const ACTIVITY_KIND_NAMES = {
  comment: "내 글에 달린 댓글",
  answer: "내 댓글에 달린 답글",
  item: "알림을 신청한 게시판의 새 글",
  inquiry: "1:1 문의의 답변",
  report: "신고하신 내용의 처리 결과",
  role: "권한 변경",
  import: "주소록 가져오기의 결과",
};

/** `comment` and `answer`: on the person's text; `report`: theirs was decided; `inquiry`: the office answered. */
export type ActivityKind = keyof typeof ACTIVITY_KIND_NAMES;

export const ACTIVITY_KINDS = valuesOf(ACTIVITY_KIND_NAMES);

export interface UnsubscribeView {
  kind: "item" | "comment" | "advertising" | "office";
  channel: MessageChannel;
  boardName: string;
  isOn: boolean;
}

/** Details of events that concern no item and no comment. */
export interface ActivityDetail {
  roleName?: string;
  decision?: "dismiss" | "hide";
  inserted?: number;
  updated?: number;
  inquiryId?: string;
}
