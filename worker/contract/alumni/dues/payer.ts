import { isKoreanName } from "#worker/contract/alumni/korean-name.ts";
import { normaliseUnicode } from "#worker/contract/kernel/text.ts";

/** In small letters, with a space for anything that is no letter or digit. */
export const spaced = (text: string) =>
  normaliseUnicode(text, "NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Equal for names and payers that differ in spaces, marks and case only. */
export const payerKey = (text: string): string => spaced(text).replaceAll(" ", "");

/** Every part of the text that may be a name, to read the people from the book. */
export function nameParts(payer: string): string[] {
  const text = spaced(payer);
  const key = text.replaceAll(" ", "");
  return [key, ...text.split(" "), ...slicesOf(key)].filter(({ length }) => length >= 2);
}

export const FEE_WORDS = /참가비|등록비|행사비/;

export const DUES_WORDS = /회비|가입비/;

/** Years, cohorts, amounts, dues, membership and titles. */
export const KNOWN_WORDS =
  /(?<!\d)\d{1,2}년분|(?<!\d)\d\d(?=(?:연|년|정기)?회비)|(?:19|20)?\d\d(?:학년도|년도|년)분?|(?<!\d)(?:19[89]|20[0-4])\d(?!\d)|제?\d{1,3}기|\d{1,4}(?:만원|천원|원)|(?:정기|평생|특별|가입|입회|동문|동창|학회|총회|연|년|월|정)?회비|가입비|입회비|참가비|등록비|행사비|연도|상반기|하반기|납부|납입|입금|송금|이체|동문회|동창회|동문|동창|학회|(?:정|준|평생|명예)?회원|부?회장|이사장|이사|원장|센터장|학장|총장|총무|감사|고문|위원장|위원|교수|강사|박사|선생님|선생|대표|사장|전무|상무|실장|과장|부장|팀장|국장|소장|전문의|의사|약사|간호사|변호사|배상|올림|드림|님|씨/g;

export const ORGANISATION =
  /^\p{L}{2,30}(?:병원|의원|의료원|대학교|대학|학교|센터|연구소|연구원|재단|협회|학회|법인|약국|치과|보건소|공단|회사|은행)$/u;

const RETURN_WORDS = /반환|환불|환급|취소|반려|정정/g;

/** The payer without known words and digits, and the parts of it that may be a name. */
export function payerNames(payer: string): { whole: string; parts: string[] } {
  const words = spaced(payer).replace(KNOWN_WORDS, " ").replace(RETURN_WORDS, " ").replace(/\d+/g, " ").split(" ");
  const named = words.filter(({ length }) => length > 1);
  const whole = words.join("");
  if (whole.length < 2) return { whole: "", parts: [] };
  return { whole, parts: whole.length > RUN_ON_MAX ? named : [...named, ...slicesOf(whole)] };
}

/** Letters of a payer in which a name is found without a space around it. */
const RUN_ON_MAX = 12;

function slicesOf(key: string): string[] {
  const slices: string[] = [];
  for (const length of [2, 3, 4, 5])
    for (let at = 0; at + length <= key.length; at += 1) slices.push(key.slice(at, at + length));
  return slices;
}

const NO_NAME =
  /㈜|\(주\)|주식회사|병원|의원|대학|재단|학회(?!비|장)|협회|센터|법인|회사|은행|약국|치과|학교|기업|조합|지회|지부|본부|이자|급여|수수료/;

/** A Korean or a Latin name; anything else, as 한빛병원 or (주)가나, may pay for anybody. */
export function isPersonPayer(payer: string): boolean {
  if (NO_NAME.test(payer)) return false;
  const text = spaced(payer).replace(KNOWN_WORDS, " ").replace(/\d+/g, " ").trim();
  return /^[a-z]{2,}(?: [a-z]+){1,3}$/.test(text) || isKoreanName(text);
}
