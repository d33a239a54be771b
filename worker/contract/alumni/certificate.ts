import { normaliseUnicode } from "../kernel/text.ts";
import { type AlumniField, ALUMNI_COLUMN_LABELS, ALUMNI_SAMPLE, ALUMNI_WHO_FIELDS } from "./columns.ts";
import { formatWon } from "./dues/dues.ts";
import { isImportable, type AlumniFieldCode, type OwnField } from "./own-fields.ts";

export const CERTIFICATE_STATE_LABELS = {
  valid: "유효",
  expired: "기간 지남",
  withdrawn: "효력 없음",
} as const;

export type CertificateState = keyof typeof CERTIFICATE_STATE_LABELS;

export const SELF_ISSUE_LABELS = {
  office: "사무국만",
  entry: "사무국과 주소록에 있는 회원 본인",
  member: "사무국과 모든 회원 본인",
} as const;

export type SelfIssue = keyof typeof SELF_ISSUE_LABELS;

/** The kind that every site begins with. */
export const FIRST_CERTIFICATE_KIND = {
  id: "member",
  name: "회원 증명서",
  body: "위 사람은 {{기관}}의 회원임을 증명합니다.",
  withPurpose: true,
  numberPattern: "제 {{연도}}-{{번호}} 호",
  months: 3,
  selfIssue: "member",
} as const;

export const CERTIFICATE_LIMITS = { purpose: 200, people: 300, named: 10, sealBytes: 1024 * 1024 } as const;

export const YEAR_FIELD = "연도";
export const SERIAL_FIELD = "번호";
export const PURPOSE_FIELD = "용도";
export const ISSUED_FIELD = "발급일";
export const ISSUER_FIELD = "기관";

/** Of dues: the last fully paid year. An own field of the same name replaces one. */
const PAID_SAMPLES = { "납부 연도": "2026", "납부 금액": "50,000원", 납부일: "2026년 3월 2일" };

/** Of the event that somebody attended; only its certificates have them. */
const EVENT_SAMPLES = {
  행사: "동계 심포지엄",
  "행사 장소": "본관 대강당",
  "행사 날짜": "2026년 12월 5일",
  "행사 시간": "6시간 30분",
};

export type AttendedEvent = Record<keyof typeof EVENT_SAMPLES, string>;

export interface PaidYear {
  year: string;
  amount: number;
  /** Of the last payment, as a sentence writes it. */
  day: string;
}

// An invisible letter on both sides marks an amount, so that it can be taken out for those who may not see it.
const MARK = "\u2060";

export const paidTexts = (paid: PaidYear | undefined): Record<keyof typeof PAID_SAMPLES, string> => ({
  "납부 연도": paid?.year ?? "",
  "납부 금액": paid ? `${MARK}${formatWon(paid.amount)}${MARK}` : "",
  납부일: paid?.day ?? "",
});

export const isPaidText = (label: string) => Object.hasOwn(PAID_SAMPLES, label);

export const showPaidAmount = (body: string, isShown: boolean): string =>
  body
    .split(MARK)
    .map((part, at) => (at % 2 === 0 || isShown ? part : "(금액)"))
    .join("");

/** Placeholders for values of the person, by label; files and names with braces are none. */
export const personFields = (used: readonly AlumniField[], own: readonly OwnField[]): Map<string, AlumniFieldCode> =>
  new Map<string, AlumniFieldCode>([
    ...own
      .filter((field) => isImportable(field) && !/[{}]/.test(field.name))
      .map(({ name, code }) => [name, code] as const),
    ...ALUMNI_WHO_FIELDS.filter((field) => used.includes(field)).map(
      (field) => [ALUMNI_COLUMN_LABELS[field], field] as const,
    ),
  ]);

/** Placeholders of a kind's text, with a sample each. */
export const certificateSamples = (used: readonly AlumniField[], own: readonly OwnField[], organization: string) => ({
  ...PAID_SAMPLES,
  ...EVENT_SAMPLES,
  ...Object.fromEntries(
    [...personFields(used, own)].map(([label, code]) => [
      label,
      (ALUMNI_SAMPLE as Record<string, string>)[code] ?? label,
    ]),
  ),
  [PURPOSE_FIELD]: "회사 제출",
  [ISSUED_FIELD]: "2026년 1월 31일",
  [ISSUER_FIELD]: organization,
});

/** Omits letters that look like digits; 50 random bits make numbers unguessable. */
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const PLACES = 10;

/** 2026-7KQ4M-X2P9D @param random ten random bytes */
export function certificateNumber(year: string, random: Uint8Array): string {
  const letters = Array.from({ length: PLACES }, (_, at) => LETTERS[(random[at] ?? 0) % LETTERS.length]).join("");
  return `${year}-${letters.slice(0, 5)}-${letters.slice(5)}`;
}

export const CERTIFICATE_NUMBER_PATTERN = /^\d{4}-[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/;

/** Accepts what people type from paper: lower case, spaces, O for 0, no hyphens. */
export function cleanCertificateNumber(text: string): string {
  const plain = normaliseUnicode(text, "NFKC")
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
  return plain.length === 14 ? `${plain.slice(0, 4)}-${plain.slice(4, 9)}-${plain.slice(9)}` : plain;
}

export const CERTIFICATE_OF_GONE =
  "주소록에 작고나 탈퇴로 적힌 분에게는 증명서를 발급할 수 없습니다. 상태를 먼저 확인해 주십시오.";

export const OWN_CERTIFICATE_REFUSED =
  "주소록에 회원이 아닌 것으로 적혀 있어 증명서를 발급할 수 없습니다. 사무국에 문의해 주십시오.";

export const CERTIFICATE_NOT_FOUND =
  "확인 번호와 이름이 일치하는 증명서가 없습니다. 증명서에 적힌 그대로 입력해 주십시오.";
