import { normaliseUnicode } from "../kernel/text.ts";
import type { AlumniColumn } from "./columns.ts";

const FAMILY_NAMES =
  "김이박최정강조윤장임한오서신권황안송류유홍전고문손양배백허남심노하곽성차주우구민진지엄채원천방공현함변염여추도소석선설마길연위표명기반나라왕금옥육인맹제모탁국어은편용예경봉사부황보남궁독고선우제갈사공서문동방";

const NO_NAME =
  /(?:과|과장|부장|실장|팀장|원장|교수|강사|의사|약사|전임|전문의|전공의|병원|의원|센터|대학|학교|지사|본부|기업|은행)$/;

const isPersonName = (text: string) => {
  const name = text.replace(/\s/g, "");
  return /^[가-힣]{2,4}$/.test(name) && FAMILY_NAMES.includes(name[0] ?? "?") && !NO_NAME.test(name);
};

const digitsOf = (text: string) => text.replace(/\D/g, "");

type ValueTest = readonly [column: AlumniColumn, test: (text: string) => boolean, share: number];

/** Ordered: the first test that most values pass wins. */
const VALUE_TESTS: readonly ValueTest[] = [
  ["id", (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text), 0.9],
  ["email", (text) => /^[^\s@]+@[^\s@]+$/.test(text), 0.7],
  ["mobile", (text) => /^(?:\+?82)?0?1[016789]\d{7,8}$/.test(digitsOf(text)) && /^[\d\s+().-]+$/.test(text), 0.7],
  ["phone", (text) => /^0(?:2|[3-6]\d|70)\d{7,8}$/.test(digitsOf(text)) && /^[\d\s+().~-]+$/.test(text), 0.7],
  ["zipCode", (text) => /^\d{5}$|^\d{3}-\d{3}$/.test(text), 0.8],
  ["graduationYear", (text) => /^(?:19[4-9]|20[0-4])\d(?:년|$|[-./]\d{1,2}(?:[-./]\d{1,2})?$)/.test(text), 0.8],
  ["cohort", (text) => /^제?\s?\d{1,3}\s?기$/.test(text), 0.8],
  [
    "address",
    (text) => /[가-힣](?:시|도|구|군) /.test(text) && /(?:[로길동읍면리가] ?\d|번지|아파트|빌딩)/.test(text),
    0.6,
  ],
  ["name", isPersonName, 0.7],
  [
    "affiliation",
    (text) =>
      /(?:병원|의원|대학교?|의료원|센터|보건소|클리닉|한의원|약국|연구[소원]|주식회사|공단|재단|학교|의대)$|㈜|\(주\)/.test(
        text,
      ),
    0.6,
  ],
  ["department", (text) => /^[가-힣]{1,8}(?:과|학교실|팀|부|실)$/.test(text), 0.7],
  [
    "position",
    (text) =>
      /^(?:[가-힣]{0,4}(?:교수|원장|과장|부장|실장|팀장|센터장|이사장|이사|대표|강사|전문의|전공의|의사|회장|차장|대리|사원|간호사|약사|연구원))$/.test(
        text,
      ),
    0.7,
  ],
];

const sampleOf = (values: readonly string[]) =>
  values.flatMap((value) => {
    const text = value.length > 300 ? "" : normaliseUnicode(value, "NFKC").replace(/\s+/g, " ").trim();
    return text === "" ? [] : [text];
  });

/** From 0 to 1; null for a column without a test. */
export function shareOf(column: AlumniColumn, values: readonly string[]): number | null {
  const test = VALUE_TESTS.find(([each]) => each === column)?.[1];
  const sample = sampleOf(values);
  if (!test || sample.length === 0) return null;
  return sample.filter((text) => test(text)).length / sample.length;
}

export function columnByValues(values: readonly string[]): AlumniColumn | null {
  const sample = sampleOf(values);
  if (sample.length === 0) return null;
  for (const [column, test, share] of VALUE_TESTS) {
    if (sample.filter((text) => test(text)).length < sample.length * share) continue;
    // A few repeated words are no names.
    if (column === "name" && sample.length > 4 && new Set(sample).size < sample.length * 0.6) continue;
    return column;
  }
  return null;
}
