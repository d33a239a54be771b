const WIDE_DIGIT = /[０-９]/g;
const narrowDigits = (value: string) =>
  value.replace(WIDE_DIGIT, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0));

/** Birthday, separator, sex digit and six digits, not within a longer number or code. */
const RESIDENT_NUMBER =
  /(?<![A-Za-z0-9_]|[A-Za-z0-9][\p{Pd}\u2212.])(\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(\s{0,3}(?:[\p{Pd}\u2212]\s{0,3})?)([1-8])\d{6}(?![A-Za-z0-9_]|[\p{Pd}\u2212.]\d)/gu;

const weighted = (digits: string, weights: readonly number[]) =>
  weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0);

/** Numbers issued since October 2020 have no check digit, so it proves a match only. */
const hasResidentCheckDigit = (digits: string): boolean => {
  const rest = weighted(digits, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11;
  return [11, 13].some((base) => (base - rest) % 10 === Number(digits[12]));
};

const isBarcode = (digits: string) => weighted(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;

/** Timestamps in milliseconds from 2005 to 2029, common in file names. */
const isMoment = (digits: string) => /^1[1-8]/.test(digits);

const isRealDay = (birthday: string) =>
  Number(birthday.slice(4)) <= new Date(Date.UTC(2000, Number(birthday.slice(2, 4)), 0)).getUTCDate();

const ADDRESS_REACH = 300;
const NOT_OF_ADDRESS = /[^\w\-.~:/?#@!$&*+,;=%]/;
const ADDRESS = /^[a-z][a-z0-9+.-]{1,10}:\/\/|^www\.|^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}\/|^\/[a-z]|[?&][\w.-]+=/i;

function isInAddress(text: string, start: number, end: number): boolean {
  const before =
    text
      .slice(Math.max(0, start - ADDRESS_REACH), start)
      .split(NOT_OF_ADDRESS)
      .at(-1) ?? "";
  const [after = ""] = text.slice(end, end + ADDRESS_REACH).split(NOT_OF_ADDRESS);
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
  // Narrowing keeps the length, so positions stay valid.
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

/** Resident registration numbers may not be stored (법 제24조의2). */
export const containsResidentNumber = (value: string): boolean => !residentNumbersIn(value).next().done;

export function replaceResidentNumbers(value: string, replacement: (number: ResidentNumber) => string) {
  let [text, end] = ["", 0];
  for (const number of residentNumbersIn(value)) {
    text += value.slice(end, number.index) + replacement(number);
    end = number.index + number.length;
  }
  return text + value.slice(end);
}

export const maskResidentNumbers = (value: string) =>
  replaceResidentNumbers(value, ({ birthday, sex }) => `${birthday}-${sex}******`);

const AROUND = 10;

export function residentNumberMessage(value: string): string {
  const text = maskResidentNumbers(value).replace(/\s+/g, " ");
  const at = text.search(/\d{6}-[1-8]\*{6}/);
  const [from, to] = [Math.max(0, at - AROUND), at + 14 + AROUND];
  const place = `${from > 0 ? "…" : ""}${text.slice(from, to).trim()}${to < text.length ? "…" : ""}`;
  return `주민등록번호로 보이는 값은 저장할 수 없습니다. 지우고 다시 등록해 주십시오: ${place}`;
}
