import { normaliseUnicode } from "../kernel/text.ts";
import { DAY_MS } from "../kernel/limits.ts";

export const CERTIFICATE_STATE_LABELS = {
  valid: "유효",
  expired: "기간 지남",
  withdrawn: "효력 없음",
} as const;

export type CertificateState = keyof typeof CERTIFICATE_STATE_LABELS;

export const CERTIFICATE_DAYS = 90;

export const CERTIFICATE_MS = CERTIFICATE_DAYS * DAY_MS;

export const CERTIFICATE_PURPOSE_LENGTH = 200;

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

export interface CertificateView {
  id: string;
  number: string;
  name: string;
  /** The printed purpose; may be empty. */
  purpose: string;
  state: CertificateState;
  createdDate: string;
  expiresDate: string;
  path: string;
}

export const CERTIFICATE_NOT_FOUND = "번호와 이름이 맞는 증명서가 없습니다. 증명서에 적힌 그대로 입력해 주십시오.";
