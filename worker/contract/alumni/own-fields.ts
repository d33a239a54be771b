import { CHOICE_LENGTH, ownFieldValueText } from "../account/own-field.ts";
import { valuesOf } from "../kernel/labels.ts";
import { normaliseUnicode } from "../kernel/text.ts";
import { type AlumniColumn, type AlumniField, ALUMNI_COLUMN_LABELS, cellText } from "./columns.ts";

// Fields that the office adds to the thirteen of the contract. Free of zod for the browser.

export const OWN_FIELD_KIND_LABELS = {
  text: "글",
  number: "숫자",
  date: "날짜",
  choice: "하나 고르기",
  choices: "여럿 고르기",
  phone: "전화번호",
  email: "이메일",
  address: "주소",
  yesNo: "예/아니요",
  file: "파일",
} as const;

export type OwnFieldKind = keyof typeof OWN_FIELD_KIND_LABELS;

export const OWN_FIELD_KINDS = valuesOf(OWN_FIELD_KIND_LABELS);

export const OWN_FIELD_ACCESS_LABELS = {
  members: "주소록을 볼 수 있는 모든 회원",
  openable: "본인이 공개한 경우에만 다른 회원",
  office: "주소록을 고칠 수 있는 담당자만",
} as const;

export type OwnFieldAccess = keyof typeof OWN_FIELD_ACCESS_LABELS;

export const OWN_FIELD_ACCESS = valuesOf(OWN_FIELD_ACCESS_LABELS);

export const OWN_FIELD_LIMITS = { fields: 40, name: 30, choices: 60, choice: CHOICE_LENGTH } as const;

/** Never reused once a value was stored under it. */
export type OwnFieldCode = `own${number}`;

export const OWN_FIELD_CODES = Array.from({ length: OWN_FIELD_LIMITS.fields }, (_, at): OwnFieldCode => `own${at + 1}`);

export const isOwnFieldCode = (text: string): text is OwnFieldCode =>
  (OWN_FIELD_CODES as readonly string[]).includes(text);

export type AlumniFieldCode = AlumniField | OwnFieldCode;

export type BookColumn = AlumniColumn | OwnFieldCode;

export interface OwnField {
  code: OwnFieldCode;
  name: string;
  kind: OwnFieldKind;
  choices: string[];
  required: boolean;
  access: OwnFieldAccess;
  personEdits: boolean;
  inList: boolean;
}

/** Files and sheets carry only the name. */
export interface OwnFile {
  fileId: string;
  fileName: string;
}

export type OwnValue = string | number | string[] | OwnFile;

export const isOwnFile = (value: unknown): value is OwnFile =>
  typeof value === "object" && value !== null && "fileId" in value;

/** Requires access to the value. */
export const ownFileUrl = (alumniId: string, code: OwnFieldCode) => `/api/alumni/${alumniId}/file/${code}`;

export type OwnValues = Partial<Record<OwnFieldCode, OwnValue>>;

export const ownValueText = (value: OwnValue | undefined): string =>
  isOwnFile(value) ? value.fileName : ownFieldValueText(value);

/** A sheet contains a file's name only, so files are exported and not imported. */
export const isImportable = ({ kind }: Pick<OwnField, "kind">) => kind !== "file";

export const FILES_NOT_IMPORTED = "파일 항목은 이름만 내보냅니다. 파일은 사람마다 주소록에서 올려 주십시오.";

export const isSameOwnValue = (a: OwnValue | undefined, b: OwnValue | undefined) =>
  JSON.stringify(a ?? "") === JSON.stringify(b ?? "");

export const hasChoices = (kind: OwnFieldKind) => kind === "choice" || kind === "choices";

/** Several values in one cell have no order. */
export const isOwnFieldSortable = ({ kind }: Pick<OwnField, "kind">) => kind !== "choices";

export const ownFieldPath = (code: OwnFieldCode) => `own.${code}` as const;

export const columnLabel = (column: BookColumn, own: readonly Pick<OwnField, "code" | "name">[]): string =>
  isOwnFieldCode(column) ? (own.find(({ code }) => code === column)?.name ?? column) : ALUMNI_COLUMN_LABELS[column];

export const bookText = (
  row: Partial<Record<AlumniField, string | number | null>> & { own: OwnValues },
  field: AlumniFieldCode,
): string => (isOwnFieldCode(field) ? ownValueText(row.own[field]) : cellText(row[field] ?? ""));

/** Ignores spaces, signs and case. */
export const foldFieldName = (text: string) =>
  normaliseUnicode(text, "NFKC")
    .replace(/[^\p{L}\p{N}#]/gu, "")
    .toLowerCase();

export const ownFieldByName = <F extends Pick<OwnField, "name">>(own: readonly F[], header: string): F | undefined => {
  const folded = foldFieldName(header);
  return folded === "" ? undefined : own.find(({ name }) => foldFieldName(name) === folded);
};

/** Adds own fields to the columns; a word of the contract takes precedence. */
export function withOwnColumns(
  heads: readonly string[],
  columns: readonly (BookColumn | null)[],
  own: readonly OwnField[],
): (BookColumn | null)[] {
  const taken = new Set<BookColumn>();
  return columns.map((column, at) => {
    const head = heads[at] ?? "";
    if (column !== null && head.trim() === ALUMNI_COLUMN_LABELS[column as AlumniColumn]) return column;
    const found = ownFieldByName(own, head);
    if (!found || taken.has(found.code)) return column;
    // The header names a file field, so the column is not matched otherwise.
    if (!isImportable(found)) return null;
    taken.add(found.code);
    return found.code;
  });
}

export const requiredOwnFieldMessage = ({ name }: Pick<OwnField, "name">) => `‘${name}’ 항목을 입력해 주십시오.`;

export const ownFieldsFor = (own: readonly OwnField[], office: boolean) =>
  own.filter(({ access }) => office || access !== "office");
