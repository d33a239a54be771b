/** Direction marks, and the Hangul fillers that make blank titles. */
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\u3164\ufeff\uffa0\ufff9-\ufffb]/g;

/** A joiner outside of a joined emoji and of a script that is written with joiners. */
const LOOSE_JOINER =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}])[\u200c\u200d]|[\u200c\u200d](?![\p{Extended_Pictographic}\p{L}])/gu;

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;

/** No word of any language has so many marks on one letter; to order a run of them takes the square of its length. */
const MARKS_MAX = 30;
const MARKS_TOO_MANY = /\p{M}{31,}/gu;

/** What `normalize` does, of a text whose letters bear no endless marks: in this way alone it is linear. */
export function normaliseUnicode(value: string, form: "NFC" | "NFKC"): string {
  return value.replace(MARKS_TOO_MANY, (run) => [...run].slice(0, MARKS_MAX).join("")).normalize(form);
}

/** Without what no text has: control characters and halves of pairs, which the database would keep as three signs each. */
export function stripControlCharacters(value: string): string {
  return value.replace(/\p{Surrogate}/gu, "\ufffd").replace(CONTROL, "");
}

/** NFC, without control and bidirectional characters: what every free text is before a rule looks at it. */
export function cleanText(value: string): string {
  return normaliseUnicode(stripControlCharacters(value), "NFC")
    .replace(/\r\n?/g, "\n")
    .replace(INVISIBLE, "")
    .replace(LOOSE_JOINER, "");
}

/** One line: titles, names, file names. */
export function cleanLine(value: string): string {
  return cleanText(value).replace(/\s+/g, " ").trim();
}

/** Korea's country code, and the zero that a number has at home. */
const KOREAN_CODE = /(?<![\d+])\(?(?:(?:\+|00)82|82(?=[\s).-]{0,2}\(?0?\)?1[016789]))\)?[\s.-]{0,2}(?:\(0\)|0)?(?=\d)/g;

/** +82 10 1234 5678 to 010 1234 5678. */
export const withoutKoreanCode = (text: string): string => text.replace(KOREAN_CODE, "0");

/** The digits of a text that is a number, or a part of one, however it is typed; else null. */
export function numberDigits(text: string): string | null {
  const number = withoutKoreanCode(normaliseUnicode(text, "NFKC"));
  return /^[\d\s().+-]+$/.test(number) ? number.replace(/\D/g, "") || null : null;
}

/** Digits of the width of a syllable, which a Korean keyboard writes too. */
const WIDE_DIGIT = /[０-９]/g;
const narrowDigits = (value: string) =>
  value.replace(WIDE_DIGIT, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0));

/** Birthday, what stands between, sex and six digits more; part of no longer number and no code of letters and digits. */
const RESIDENT_NUMBER =
  /(?<![A-Za-z0-9_]|[A-Za-z0-9][\p{Pd}\u2212.])(\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(\s{0,3}(?:[\p{Pd}\u2212]\s{0,3})?)([1-8])\d{6}(?![A-Za-z0-9_]|[\p{Pd}\u2212.]\d)/gu;

const weighted = (digits: string, weights: readonly number[]) =>
  weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0);

/** Numbers given out since October 2020 have none, so that it proves a number and disproves none. */
const hasResidentCheckDigit = (digits: string): boolean => {
  const rest = weighted(digits, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11;
  return [11, 13].some((base) => (base - rest) % 10 === Number(digits[12]));
};

const isBarcode = (digits: string) => weighted(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;

/** Milliseconds of the years 2005 to 2029, by which programs name files. */
const isMoment = (digits: string) => /^1[1-8]/.test(digits);

const isRealDay = (birthday: string) =>
  Number(birthday.slice(4)) <= new Date(Date.UTC(2000, Number(birthday.slice(2, 4)), 0)).getUTCDate();

/** How far a web address is looked for around digits. */
const ADDRESS_REACH = 300;
const ADDRESS = /^[a-z][a-z0-9+.-]{1,10}:\/\/|^www\.|^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}\/|^\/[a-z]|[?&][\w.-]+=/i;

function isInAddress(text: string, start: number, end: number): boolean {
  const before = /[\w\-.~:/?#@!$&*+,;=%]*$/.exec(text.slice(Math.max(0, start - ADDRESS_REACH), start))?.[0] ?? "";
  const after = /^[\w\-.~:/?#@!$&*+,;=%]*/.exec(text.slice(end, end + ADDRESS_REACH))?.[0] ?? "";
  return ADDRESS.test(before + after);
}

interface ResidentNumber {
  index: number;
  length: number;
  birthday: string;
  between: string;
  sex: string;
}

function* residentNumbersIn(value: string): Generator<ResidentNumber> {
  // A wide digit is one letter as a narrow one is: the places are the same.
  const text = narrowDigits(value);
  for (const { index, 0: found, 1: birthday = "", 2: between = "", 3: sex = "" } of text.matchAll(RESIDENT_NUMBER)) {
    const end = index + found.length;
    if (!isRealDay(birthday) || isInAddress(text, index, end)) continue;
    const isBare = between === "";
    if (isBare && /^\.[a-z]/i.test(text.slice(end, end + 2))) continue;
    if (isBare && !hasResidentCheckDigit(found) && (isBarcode(found) || isMoment(found))) continue;
    yield { index, length: found.length, birthday, between, sex };
  }
}

/** Does the text hold a resident registration number? They may not be stored (법 제24조의2). */
export const containsResidentNumber = (value: string): boolean => !residentNumbersIn(value).next().done;

/** Each such number with another text in its place. */
export function replaceResidentNumbers(value: string, replacement: (number: ResidentNumber) => string) {
  let [text, end] = ["", 0];
  for (const number of residentNumbersIn(value)) {
    text += value.slice(end, number.index) + replacement(number);
    end = number.index + number.length;
  }
  return text + value.slice(end);
}

/** 900101-1******: for whoever wrote it to find it. */
export const maskResidentNumbers = (value: string) =>
  replaceResidentNumbers(value, ({ birthday, sex }) => `${birthday}-${sex}******`);

const AROUND = 10;

/** The refusal, with the number masked among the letters around it. */
export function residentNumberMessage(value: string): string {
  const text = maskResidentNumbers(value).replace(/\s+/g, " ");
  const at = text.search(/\d{6}-[1-8]\*{6}/);
  const [from, to] = [Math.max(0, at - AROUND), at + 14 + AROUND];
  const place = `${from > 0 ? "…" : ""}${text.slice(from, to).trim()}${to < text.length ? "…" : ""}`;
  return `주민등록번호로 보이는 값은 저장할 수 없습니다. 지우고 다시 등록해 주십시오: ${place}`;
}

/** Bytes as people read them: 812KB, 3.2MB, 1.5GB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  if (bytes < 1024 ** 2) return `${Math.round(bytes / 1024)}KB`;
  const [size, unit] = bytes < 1024 ** 3 ? [1024 ** 2, "MB"] : [1024 ** 3, "GB"];
  return `${(bytes / size).toFixed(1).replace(/\.0$/, "")}${unit}`;
}
