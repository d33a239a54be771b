/** Direction marks, and the Hangul fillers that make blank titles. */
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\u3164\ufeff\uffa0\ufff9-\ufffb]/g;

/** Zero-width joiners outside emoji and scripts that need them. */
const LOOSE_JOINER =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}])[\u200c\u200d]|[\u200c\u200d](?![\p{Extended_Pictographic}\p{L}])/gu;

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;

/** No language has more marks on a letter; ordering a run takes quadratic time. */
const MARKS_MAX = 30;
const MARKS_TOO_MANY = /\p{M}{31,}/gu;

/** `normalize` in linear time, because long runs of marks are cut first. */
export function normaliseUnicode(value: string, form: "NFC" | "NFKC"): string {
  return value.replace(MARKS_TOO_MANY, (run) => [...run].slice(0, MARKS_MAX).join("")).normalize(form);
}

/** Removes control characters and lone surrogates, which D1 stores as three characters each. */
export function stripControlCharacters(value: string): string {
  return value.replace(/\p{Surrogate}/gu, "\ufffd").replace(CONTROL, "");
}

/** NFC without control and bidirectional characters; applied to every free text before validation. */
export function cleanText(value: string): string {
  return normaliseUnicode(stripControlCharacters(value), "NFC")
    .replace(/\r\n?/g, "\n")
    .replace(INVISIBLE, "")
    .replace(LOOSE_JOINER, "");
}

export function cleanLine(value: string): string {
  return cleanText(value).replace(/\s+/g, " ").trim();
}

const KOREAN_CODE = /(?<![\d+])\(?(?:(?:\+|00)82|82(?=[\s).-]{0,2}\(?0?\)?1[016789]))\)?[\s.-]{0,2}(?:\(0\)|0)?(?=\d)/g;

/** Beginnings that a spreadsheet reads as a formula, also after white space. */
export const FORMULA_START = /^(?:[\t\r\n\0]|[\s\0]*[=+\-@＝＋－＠])/;

/** +82 10 1234 5678 to 010 1234 5678. */
export const withoutKoreanCode = (text: string): string => text.replace(KOREAN_CODE, "0");

/** Null when the text is no number or part of one. */
export function numberDigits(text: string): string | null {
  const number = withoutKoreanCode(normaliseUnicode(text, "NFKC"));
  return /^[\d\s().+-]+$/.test(number) ? number.replace(/\D/g, "") || null : null;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  if (bytes < 1024 ** 2) return `${Math.round(bytes / 1024)}KB`;
  const [size, unit] = bytes < 1024 ** 3 ? [1024 ** 2, "MB"] : [1024 ** 3, "GB"];
  return `${(bytes / size).toFixed(1).replace(/\.0$/, "")}${unit}`;
}

/** Refuses path traversal, absolute paths, drive letters and backslashes. */
export function isPlainPath(name: string): boolean {
  return !/[\\\u0000-\u001f\u007f]|^\/|^[A-Za-z]:|(?:^|\/)\.\.(?:\/|$)/.test(name);
}

export interface DiffLine {
  kind: "same" | "added" | "removed";
  text: string;
}
