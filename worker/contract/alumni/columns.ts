import { valuesOf } from "../kernel/labels.ts";
import { LETTER_CAUSE_NAMES, PERSON_STATES, REFUSABLE_MEANS } from "../mail/letters.ts";

interface Column {
  /** The header text of contract.md section 4. */
  label: string;
  max: number;
  sample: string;
  /** Readable by all members, by those to whom the person opens it, or by the office. */
  access: "members" | "openable" | "office";
  /** Corrected by the person. */
  isOwnEntry?: true;
  isNumber?: true;
  /** One of the choices; of `many`, any number joined by commas. */
  kind?: "choice" | "many" | "date";
  choices?: readonly string[];
}

/** In the order of files and forms. Free of zod: the browser reads files with it. */
const COLUMNS = {
  name: { label: "이름", max: 30, sample: "홍길동", access: "members" },
  cohort: { label: "기수", max: 3, sample: "3", access: "members", isNumber: true },
  graduationYear: { label: "졸업연도", max: 4, sample: "2004", access: "members", isNumber: true },
  major: { label: "전공", max: 100, sample: "경영학", access: "members", isOwnEntry: true },
  affiliation: { label: "소속", max: 100, sample: "가온상사", access: "members", isOwnEntry: true },
  department: { label: "부서", max: 100, sample: "총무부", access: "members", isOwnEntry: true },
  position: { label: "직위", max: 50, sample: "과장", access: "members", isOwnEntry: true },
  email: { label: "이메일", max: 100, sample: "hong@example.kr", access: "openable" },
  mobile: { label: "휴대전화", max: 20, sample: "010-0000-1234", access: "openable", isOwnEntry: true },
  phone: { label: "전화", max: 30, sample: "02-000-5678", access: "openable", isOwnEntry: true },
  zipCode: { label: "우편번호", max: 10, sample: "03080", access: "openable", isOwnEntry: true },
  address: { label: "주소", max: 200, sample: "서울특별시 종로구", access: "openable", isOwnEntry: true },
  memo: { label: "메모", max: 1000, sample: "연락은 오후에", access: "office" },
  state: { label: "상태", max: 10, sample: "활동", access: "office", kind: "choice", choices: PERSON_STATES },
  stateDate: { label: "상태 날짜", max: 10, sample: "", access: "office", kind: "date" },
  stateNote: { label: "상태 메모", max: 200, sample: "", access: "office" },
  refuses: {
    label: LETTER_CAUSE_NAMES.refused,
    max: 20,
    sample: "",
    access: "office",
    kind: "many",
    choices: REFUSABLE_MEANS,
  },
} as const satisfies Record<string, Column>;

export type AlumniField = keyof typeof COLUMNS;
type FieldWith<Facts> = { [F in AlumniField]: (typeof COLUMNS)[F] extends Facts ? F : never }[AlumniField];

export const ALUMNI_FIELDS = valuesOf(COLUMNS);
const fieldsWith = <const Facts extends Partial<Column>>(facts: Facts) =>
  ALUMNI_FIELDS.filter((field) =>
    Object.entries(facts).every(([name, fact]) => (COLUMNS[field] as Column)[name as keyof Column] === fact),
  ) as FieldWith<Facts>[];

export const ALUMNI_WHO_FIELDS = fieldsWith({ access: "members" });

/** Fields that a person may hide from members; the rest is visible, the memo to the office only. */
export const PRIVATE_FIELDS = fieldsWith({ access: "openable" });

export type PrivateField = (typeof PRIVATE_FIELDS)[number];

/** Read and changed by the office alone. */
const OFFICE_FIELDS = fieldsWith({ access: "office" });

export const isOfficeField = (field: string): boolean => (OFFICE_FIELDS as readonly string[]).includes(field);

export const withoutOfficeFields = (values: AlumniValues): AlumniValues => ({
  ...values,
  ...Object.fromEntries(OFFICE_FIELDS.map((field) => [field, ""])),
});

export const OWN_ENTRY_FIELDS = fieldsWith({ isOwnEntry: true });

export const ALUMNI_COLUMNS = [...ALUMNI_FIELDS, "id"] as const;

export type AlumniColumn = (typeof ALUMNI_COLUMNS)[number];

const factOf = <K extends "label" | "max" | "sample">(fact: K) =>
  Object.fromEntries(
    ALUMNI_FIELDS.map((field): [string, Column[K]] => [field, (COLUMNS[field] as Column)[fact]]),
  ) as Record<AlumniField, Column[K]>;

export const ALUMNI_COLUMN_LABELS: Record<AlumniColumn, string> = { ...factOf("label"), id: "ID" };

export const ALUMNI_MAX_LENGTHS = factOf("max");

export const ALUMNI_SAMPLE = factOf("sample");

type NumberField = FieldWith<{ isNumber: true }>;

export type AlumniValues = { [F in AlumniField]: F extends NumberField ? number | null : string };

export const isNumberField = (field: AlumniField): field is NumberField => "isNumber" in COLUMNS[field];

const PERSONAL: readonly AlumniField[] = ["name", "email", "mobile"];

/** Fields that several people may share a value of, the state first. */
export const SHARED_FIELDS = [
  ...OFFICE_FIELDS.filter((field) => field !== "memo"),
  ...ALUMNI_FIELDS.filter(
    (field) => !PERSONAL.includes(field) && (field === "memo" || !OFFICE_FIELDS.includes(field as never)),
  ),
];

/** Kind and choices of a field that is no free text. */
export function fieldKind(field: AlumniField): { kind: "choice" | "many" | "date"; choices: string[] } | null {
  const { kind, choices = [] } = COLUMNS[field] as Column;
  return kind ? { kind, choices: [...choices] } : null;
}

/** Values of a new person; also what an emptied field holds. */
export const EMPTY_ALUMNI_VALUES = Object.fromEntries(
  ALUMNI_FIELDS.map((field) => [field, field === "state" ? PERSON_STATES[0] : isNumberField(field) ? null : ""]),
) as AlumniValues;

export const cellText = (value: string | number | null): string => (value === null ? "" : String(value));

/** Strips an extension, a range or a second number. */
export const dialableNumber = (phone: string): string =>
  phone.split(/[(,/~;\n]|내선|교환|구내|ext/i, 1)[0]?.trim() ?? "";
