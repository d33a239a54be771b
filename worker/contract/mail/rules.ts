export const MESSAGE_STATUS_NAMES = { queued: "보낼 예정", sent: "보냄", failed: "실패", held: "보류" } as const;

/** The optional agreement whose consent is the consent to advertising. */
export const ADVERTISING_AGREEMENT = "newsletter";

export const ADVERTISING_MARK = "(광고)";

/** 망법 제50조 제8항: who agreed is reminded of it every two years. */
export const CONSENT_REMINDER_YEARS = 2;

/** What a message to many is filled in with. */
export const BULK_MAIL_FIELDS = { 이름: { sample: "홍길동" } } as const;

/** h***@pid.example.kr, 010-****-1234: enough to recognise, too little to write to. */
export function maskRecipient(address: string): string {
  if (address.includes("@")) return address.replace(/^(.).*@/, "$1***@");
  return address.replace(/-\d+-/, (middle) => `-${"*".repeat(middle.length - 2)}-`);
}

export const MAIL_KINDS = ["informational", "advertising"] as const;

export type MailKind = (typeof MAIL_KINDS)[number];

export const MAIL_TEMPLATE_LIMITS = { subject: 150, text: 5000 } as const;

/** How long what the bell showed is kept. */
export const ACTIVITY_DAYS = 90;

/** More unread than these are not counted. */
export const UNREAD_COUNT_MAX = 99;

export const ACTIVITY_READ_MAX = 100;
