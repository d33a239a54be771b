import { ALUMNI_FIELDS, ALUMNI_MAX_LENGTHS, type AlumniField, type AlumniValues, PRIVATE_FIELDS } from "./columns.ts";
import { PERSON_STATES, REFUSABLE_MEANS } from "../mail/letters.ts";
import { type AlumniFieldCode, bookText, OWN_FIELD_CODES, type OwnFieldCode, type OwnValues } from "./own-fields.ts";
import type { AlumniRow, OpenField } from "./view.ts";

/** The surest reason first. Free of zod: the browser shows them. */
export const DUPLICATE_REASONS = [
  "mobile",
  "email",
  "nameTail",
  "nameCohort",
  "nameYear",
  "nameAffiliation",
  "nameAlike",
] as const;

export const DUPLICATE_REASON_LABELS: Record<DuplicateReason, string> = {
  mobile: "휴대전화가 같음",
  email: "이메일이 같음",
  nameTail: "이름과 휴대전화 끝 네 자리가 같음",
  nameCohort: "이름과 기수가 같음",
  nameYear: "이름과 졸업연도가 같음",
  nameAffiliation: "이름과 소속이 같음",
  nameAlike: "띄어쓰기나 대소문자만 다른 이름",
};

/** The number that fits side by side. */
export const MERGE_MAX = 5;

const lastFourDigits = (mobile: string) => mobile.slice(-4);

/** Ignores spaces and case; must match the database index. */
export const foldName = (text: string) => text.replaceAll(" ", "").toLowerCase();

const sharesDetail = (a: AlumniValues, b: AlumniValues) =>
  (a.cohort !== null && a.cohort === b.cohort) ||
  (a.graduationYear !== null && a.graduationYear === b.graduationYear) ||
  (a.affiliation !== "" && foldName(a.affiliation) === foldName(b.affiliation)) ||
  (a.mobile !== "" && b.mobile !== "" && lastFourDigits(a.mobile) === lastFourDigits(b.mobile));

const DUPLICATE_TESTS: Record<DuplicateReason, (a: AlumniValues, b: AlumniValues) => boolean> = {
  mobile: (a, b) => a.mobile !== "" && a.mobile === b.mobile,
  email: (a, b) => a.email !== "" && a.email === b.email,
  nameTail: (a, b) =>
    a.name === b.name && a.mobile !== "" && b.mobile !== "" && lastFourDigits(a.mobile) === lastFourDigits(b.mobile),
  nameCohort: (a, b) => a.name === b.name && a.cohort !== null && a.cohort === b.cohort,
  nameYear: (a, b) => a.name === b.name && a.graduationYear !== null && a.graduationYear === b.graduationYear,
  nameAffiliation: (a, b) => a.name === b.name && a.affiliation !== "" && a.affiliation === b.affiliation,
  nameAlike: (a, b) => a.name !== b.name && foldName(a.name) === foldName(b.name) && sharesDetail(a, b),
};

export function duplicateReasons(people: readonly AlumniValues[]): DuplicateReason[] {
  const pairs = people.flatMap((a, at) => people.slice(at + 1).map((b) => [a, b] as const));
  const found = DUPLICATE_REASONS.filter((reason) => pairs.some(([a, b]) => DUPLICATE_TESTS[reason](a, b)));
  return found.includes("mobile") ? found.filter((reason) => reason !== "nameTail") : found;
}

const isFilled = (person: MergePerson, field: AlumniFieldCode) => bookText(person, field) !== "";

/** Includes hidden fields: a merge loses none of them. */
const filledOwnFields = (people: readonly Pick<MergePerson, "own">[]): OwnFieldCode[] =>
  OWN_FIELD_CODES.filter((code) => people.some(({ own }) => own[code] !== undefined));

export const uniqueMemos = (people: readonly MergePerson[]) => [
  ...new Set(people.map((person) => person.memo).filter((memo) => memo !== "")),
];

/** The list begins with the default and ends with 작고. */
export const strengthOf = ({ state }: Pick<AlumniValues, "state">) => PERSON_STATES.indexOf(state);

export const isStateField = (field: AlumniFieldCode) =>
  field === "state" || field === "stateDate" || field === "stateNote";

/** Refusals of all people. */
export const mergeRefusals = (people: readonly Pick<AlumniValues, "refuses">[]) =>
  REFUSABLE_MEANS.filter((means) => people.some(({ refuses }) => refuses.includes(means))).join(", ");

/** Prefers the newer value; keeps the stronger state with its day and note, the e-mail that links a member and every memo. */
export function defaultMergeSource(people: readonly MergePerson[]): MergeSource {
  const newest = people.toSorted((a, b) => b.modifiedDate.localeCompare(a.modifiedDate));
  const linked = people.find((person) => person.linked);
  const strongest = newest.toSorted((a, b) => strengthOf(b) - strengthOf(a))[0];
  const pick = (field: AlumniFieldCode) => {
    if (isStateField(field)) return strongest?.id ?? "";
    if (field === "email" && linked) return linked.id;
    if (field === "memo" && uniqueMemos(people).length > 1) return "all";
    return (newest.find((person) => isFilled(person, field)) ?? newest[0])?.id ?? "";
  };
  return Object.fromEntries(
    [...ALUMNI_FIELDS, ...filledOwnFields(people)].map((field) => [field, pick(field)]),
  ) as MergeSource;
}

export const mergeOwnValues = (people: readonly MergePerson[], source: MergeSource): OwnValues =>
  Object.fromEntries(
    filledOwnFields(people).flatMap((code) => {
      const value = people.find(({ id }) => id === source[code])?.own[code];
      return value === undefined ? [] : [[code, value]];
    }),
  );

export function mergeValues(people: readonly MergePerson[], source: MergeSource): AlumniValues {
  const value = (field: AlumniField) => {
    if (field === "refuses") return mergeRefusals(people);
    if (field === "memo" && source.memo === "all") return uniqueMemos(people).join("\n");
    return people.find((person) => person.id === source[field])?.[field];
  };
  return Object.fromEntries(ALUMNI_FIELDS.map((field) => [field, value(field)])) as unknown as AlumniValues;
}

/** A field closed in one row is closed in the result: a merge reveals nothing. */
export const mergeOpenFields = (people: readonly Pick<MergePerson, "openFields">[]): OpenField[] =>
  [...PRIVATE_FIELDS, ...OWN_FIELD_CODES].filter((field) =>
    people.every((person) => person.openFields.includes(field)),
  );

export const isMemoTooLong = (values: AlumniValues) => values.memo.length > ALUMNI_MAX_LENGTHS.memo;

/** Keeps a member's row, else the oldest. */
export function defaultKeptId(people: readonly (MergePerson & Pick<AlumniRow, "createdDate">)[]): string {
  const oldest = people.toSorted((a, b) => a.createdDate.localeCompare(b.createdDate));
  return (people.find((person) => person.linked) ?? oldest[0])?.id ?? "";
}

export type DuplicateReason = (typeof DUPLICATE_REASONS)[number];

export type MergePerson = AlumniValues &
  Pick<AlumniRow, "id" | "own" | "modifiedDate" | "openFields"> & { linked: boolean };

/** The source row of each field; `all` joins the memos. */
export type MergeSource = Record<AlumniField, string> & Partial<Record<OwnFieldCode, string>>;
