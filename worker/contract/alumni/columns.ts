import { cleanLine, cleanText, containsResidentNumber, normaliseUnicode } from "../kernel/text.ts";
import { normalisePhone, isPhone, isEmail, ACCOUNT_RULE_MESSAGES, isMobile } from "../account/rules.ts";
import { WIDEST_ACCOUNT_RULES } from "../kernel/identity-rules.ts";
import { UI_MESSAGES } from "../kernel/messages.ts";

/** The fields of a person in the address book, in the order of files and forms. Free of zod: the browser reads files with it. */
export const ALUMNI_FIELDS = [
  "name",
  "cohort",
  "graduationYear",
  "major",
  "affiliation",
  "department",
  "position",
  "email",
  "mobile",
  "phone",
  "zipCode",
  "address",
  "memo",
] as const;

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

/** What a person may open to or close from other members; the rest is open, the memo is the office's alone. */
export const PRIVATE_FIELDS = ["email", "mobile", "phone", "zipCode", "address"] as const;

export type PrivateField = (typeof PRIVATE_FIELDS)[number];

/** What a person may correct in their own entry. */
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

export interface AlumniValues {
  name: string;
  cohort: number | null;
  graduationYear: number | null;
  major: string;
  affiliation: string;
  department: string;
  position: string;
  email: string;
  mobile: string;
  phone: string;
  zipCode: string;
  address: string;
  memo: string;
}

export const isNumberField = (field: AlumniField): field is "cohort" | "graduationYear" =>
  field === "cohort" || field === "graduationYear";

export type CellResult<T> = { value: T } | { error: string };

const validCell = <T>(value: T): CellResult<T> => ({ value });

const invalidCell = (error: string) => ({ error });

/** Full-width letters, digits and signs to plain ones, and nothing else: ㈜ stays ㈜. */
const halfWidth = (value: string) =>
  value.replace(/[\uff01-\uff5e]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0));

/** The same for what is no free text. */
const normaliseCell = (value: string) => cleanLine(normaliseUnicode(value, "NFKC"));

/** As `normalisePhone`, with the zero that Excel dropped and numbers of companies (1588-1234); foreign ones stay as they are. */
function hyphenateContactNumber(value: string): string {
  if (/^\+(?!82)/.test(value)) return value;
  const digits = value.replace(/^\(?\+82\)?/, "+82").replace(/[^\d+]/g, "");
  if (/^1[568]\d{6}$/.test(digits)) return `${digits.slice(0, 4)}-${digits.slice(4)}`;
  const dropped = /^(1[016789]\d{7,8}|2\d{7,8}|[3-6]\d{8,9}|70\d{8})$/.test(digits);
  const phone = normalisePhone(dropped ? `0${digits}` : digits);
  return isPhone(phone) ? phone : value;
}

function parseNumber(text: string, min: number, max: number, message: string): CellResult<number | null> {
  if (text === "") return validCell(null);
  const value = Number(text);
  return /^\d{1,4}$/.test(text) && value >= min && value <= max ? validCell(value) : invalidCell(message);
}

const DAY_MS = 86_400_000;

/** 2004, 2004년, 2004-02-25, 2004.2.25, 20040225 or the serial number of a day as Excel stores it. */
function yearOf(text: string): string {
  const date = /^(\d{4})\s*(?:년|[-./])\s*(?:\d{1,2}\s*(?:월|[-./]|$).*)?$/.exec(text);
  if (date) return date[1] ?? "";
  if (/^\d{8}$/.test(text)) return text.slice(0, 4);
  if (/^\d{5}$/.test(text) && Number(text) < 80_000)
    return String(new Date((Number(text) - 25_569) * DAY_MS).getUTCFullYear());
  return text;
}

const CELL_RULES: { [F in AlumniField]?: (text: string) => CellResult<AlumniValues[F]> } = {
  cohort: (text) =>
    parseNumber(
      text.replace(/^제?\s*(\d+)\s*(?:기|회)?$/, "$1"),
      1,
      999,
      "기수는 1부터 999까지의 숫자로 입력해 주십시오.",
    ),
  graduationYear: (text) =>
    parseNumber(yearOf(text), 1900, 2100, "졸업연도는 1900~2100 사이의 연도로 입력해 주십시오."),
  email: (text) => {
    const email = text.replace(/\s/g, "").toLowerCase();
    return email === "" || isEmail(email, WIDEST_ACCOUNT_RULES)
      ? validCell(email)
      : invalidCell(ACCOUNT_RULE_MESSAGES.email);
  },
  mobile: (text) => {
    const mobile = text === "" ? "" : hyphenateContactNumber(text);
    return mobile === "" || isMobile(mobile) ? validCell(mobile) : invalidCell(ACCOUNT_RULE_MESSAGES.mobile);
  },
  phone: (text) => {
    const phone = text === "" ? "" : hyphenateContactNumber(text);
    const known = isPhone(phone) || /^1[568]\d{2}-\d{4}$/.test(phone) || /^\+\d[\d -]{5,18}\d$/.test(phone);
    return phone === "" || known ? validCell(phone) : invalidCell(UI_MESSAGES.phoneFormat);
  },
  zipCode: (text) => {
    const digits = text.replace(/[\s-]/g, "");
    if (digits === "") return validCell("");
    if (/^\d{4,5}$/.test(digits)) return validCell(digits.padStart(5, "0"));
    if (/^\d{6}$/.test(digits)) return validCell(`${digits.slice(0, 3)}-${digits.slice(3)}`);
    return invalidCell("우편번호는 숫자 5자리로 입력해 주십시오.");
  },
};

/** One value as it is stored, or the Korean reason why it cannot be. */
export function cleanCell<F extends AlumniField>(field: F, raw: string): CellResult<AlumniValues[F]> {
  const rule = CELL_RULES[field];
  const text = rule
    ? normaliseCell(raw)
    : field === "memo"
      ? cleanText(halfWidth(raw)).trim()
      : cleanLine(halfWidth(raw));
  if (containsResidentNumber(text)) return invalidCell("주민등록번호로 보이는 값은 저장할 수 없습니다.");
  if (rule) return rule(text);
  if (field === "name" && text === "") return invalidCell("이름을 입력해 주십시오.");
  if (text.length > ALUMNI_MAX_LENGTHS[field])
    return invalidCell(`${ALUMNI_MAX_LENGTHS[field]}자 이하로 입력해 주십시오.`);
  return validCell(text as AlumniValues[F]);
}

/** A value as people read it and as files carry it. */
export const cellText = (value: string | number | null): string => (value === null ? "" : String(value));
