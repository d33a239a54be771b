export const ALUMNI_WHO_FIELDS = [
  "name",
  "cohort",
  "graduationYear",
  "major",
  "affiliation",
  "department",
  "position",
] as const;

/** Fields that a person may hide from members; the rest is visible, the memo to the office only. */
export const PRIVATE_FIELDS = ["email", "mobile", "phone", "zipCode", "address"] as const;

export type PrivateField = (typeof PRIVATE_FIELDS)[number];

/** In the order of files and forms. Free of zod: the browser reads files with it. */
export const ALUMNI_FIELDS = [...ALUMNI_WHO_FIELDS, ...PRIVATE_FIELDS, "memo"] as const;

export type AlumniField = (typeof ALUMNI_FIELDS)[number];

export const ALUMNI_COLUMNS = [...ALUMNI_FIELDS, "id"] as const;

export type AlumniColumn = (typeof ALUMNI_COLUMNS)[number];

/** Header texts of contract.md section 4. */
export const ALUMNI_COLUMN_LABELS: Record<AlumniColumn, string> = {
  name: "이름",
  cohort: "기수",
  graduationYear: "졸업연도",
  major: "전공",
  affiliation: "소속",
  department: "부서",
  position: "직위",
  email: "이메일",
  mobile: "휴대전화",
  phone: "전화",
  zipCode: "우편번호",
  address: "주소",
  memo: "메모",
  id: "ID",
};

export const ALUMNI_MAX_LENGTHS: Record<AlumniField, number> = {
  name: 30,
  cohort: 3,
  graduationYear: 4,
  major: 100,
  affiliation: 100,
  department: 100,
  position: 50,
  email: 100,
  mobile: 20,
  phone: 30,
  zipCode: 7,
  address: 200,
  memo: 1000,
};

export const OWN_ENTRY_FIELDS = [
  "major",
  "affiliation",
  "department",
  "position",
  "mobile",
  "phone",
  "zipCode",
  "address",
] as const satisfies readonly AlumniField[];

const NUMBER_FIELDS = ["cohort", "graduationYear"] as const satisfies readonly AlumniField[];

type NumberField = (typeof NUMBER_FIELDS)[number];

export type AlumniValues = { [F in AlumniField]: F extends NumberField ? number | null : string };

export const isNumberField = (field: AlumniField): field is NumberField => NUMBER_FIELDS.some((each) => each === field);

export const cellText = (value: string | number | null): string => (value === null ? "" : String(value));

/** Strips an extension, a range or a second number. */
export const dialableNumber = (phone: string): string =>
  phone.split(/[(,/~;\n]|내선|교환|구내|ext/i, 1)[0]?.trim() ?? "";
