/** Direction marks, and the Hangul fillers that make blank titles. */
const INVISIBLE = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\u3164\ufeff\uffa0\ufff9-\ufffb]/g;

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;

/** No word of any language has so many marks on one letter; to order a run of them takes the square of its length. */
const MARKS_TOO_MANY = /(\p{M}{30})\p{M}+/gu;

/** What `normalize` does, of a text whose letters bear no endless marks: in this way alone it is linear. */
export function normaliseUnicode(value: string, form: "NFC" | "NFKC"): string {
  return value.replace(MARKS_TOO_MANY, "$1").normalize(form);
}

/** Without what no text has: control characters and halves of pairs, which the database would keep as three signs each. */
export function stripControlCharacters(value: string): string {
  return value.replace(/\p{Surrogate}/gu, "\ufffd").replace(CONTROL, "");
}

/** NFC, without control and bidirectional characters: what every free text is before a rule looks at it. */
export function cleanText(value: string): string {
  return normaliseUnicode(stripControlCharacters(value), "NFC").replace(/\r\n?/g, "\n").replace(INVISIBLE, "");
}

/** One line: titles, names, file names. */
export function cleanLine(value: string): string {
  return cleanText(value).replace(/\s+/g, " ").trim();
}

/** Does the text hold what looks like a resident registration number? Such numbers may not be stored (법 제24조의2). */
export function containsResidentNumber(value: string): boolean {
  for (const match of value.matchAll(/(?<!\d)(\d{2})(\d{2})(\d{2})\s*(?:-\s*)?[1-8]\d{6}(?!\d)/g)) {
    const month = Number(match[2]);
    const day = Number(match[3]);
    if (month >= 1 && month <= 12 && day >= 1 && day <= 31) return true;
  }
  return false;
}

/** What looks like a resident registration number is taken out: for texts that nobody can be asked to correct. */
export const maskResidentNumbers = (value: string): string =>
  value.replace(/(?<!\d)\d{6}\s{0,3}(?:-\s{0,3})?[1-8]\d{6}(?!\d)/g, "");

/** Bytes as people read them: 812KB, 3.2MB, 1.5GB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  if (bytes < 1024 ** 2) return `${Math.round(bytes / 1024)}KB`;
  const [size, unit] = bytes < 1024 ** 3 ? [1024 ** 2, "MB"] : [1024 ** 3, "GB"];
  return `${(bytes / size).toFixed(1).replace(/\.0$/, "")}${unit}`;
}
