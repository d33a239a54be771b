import { valuesOf } from "../kernel/labels.ts";
import { cleanLine, normaliseUnicode } from "../kernel/text.ts";
import { type AlumniColumn, type AlumniField, ALUMNI_COLUMN_LABELS, cellText } from "./columns.ts";

// Fields that the office adds to the thirteen of the contract. Free of zod: the browser reads files and fills forms with them.

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

/** Who sees a field beside those who may correct the address book. */
export const OWN_FIELD_ACCESS_LABELS = {
  members: "주소록을 볼 수 있는 모든 회원",
  openable: "본인이 공개한 경우에만 다른 회원",
  office: "주소록을 고칠 수 있는 담당자만",
} as const;

export type OwnFieldAccess = keyof typeof OWN_FIELD_ACCESS_LABELS;

export const OWN_FIELD_ACCESS = valuesOf(OWN_FIELD_ACCESS_LABELS);

export const OWN_FIELD_LIMITS = { fields: 40, name: 30, choices: 60, choice: 50 } as const;

/** Never used again once a value was written under it. */
export type OwnFieldCode = `own${number}`;

export const OWN_FIELD_CODES = Array.from({ length: OWN_FIELD_LIMITS.fields }, (_, at): OwnFieldCode => `own${at + 1}`);

export const isOwnFieldCode = (text: string): text is OwnFieldCode =>
  (OWN_FIELD_CODES as readonly string[]).includes(text);

/** A field of either sort. */
export type BookField = AlumniField | OwnFieldCode;

export type BookColumn = AlumniColumn | OwnFieldCode;

export interface OwnField {
  code: OwnFieldCode;
  name: string;
  kind: OwnFieldKind;
  /** What may be chosen, for the kinds that choose. */
  choices: string[];
  required: boolean;
  access: OwnFieldAccess;
  /** May a person write it in their own entry? */
  personEdits: boolean;
  /** Is it a column of the list until somebody chooses other ones? */
  inList: boolean;
}

/** An uploaded file under the name that people gave it; which one it is, files and sheets do not carry. */
export interface OwnFile {
  fileId: string;
  fileName: string;
}

export type OwnValue = string | number | string[] | OwnFile;

export const isOwnFile = (value: unknown): value is OwnFile =>
  typeof value === "object" && value !== null && "fileId" in value;

/** Where the file of a person is read, by whoever sees the value. */
export const ownFileUrl = (alumniId: string, code: OwnFieldCode) => `/api/alumni/${alumniId}/file/${code}`;

/** Filled ones alone. */
export type OwnValues = Partial<Record<OwnFieldCode, OwnValue>>;

/** As people read it and files carry it. */
export const ownValueText = (value: OwnValue | undefined): string => {
  if (Array.isArray(value)) return value.join(", ");
  return isOwnFile(value) ? value.fileName : cellText(value ?? "");
};

/** A sheet has the name of a file and not the file: it can be written out and not be read in. */
export const isImportable = ({ kind }: Pick<OwnField, "kind">) => kind !== "file";

/** Why a column of files fills nothing. */
export const FILES_NOT_IMPORTED = "파일 항목은 이름만 내보냅니다. 파일은 사람마다 주소록에서 올려 주십시오.";

export const isSameOwnValue = (a: OwnValue | undefined, b: OwnValue | undefined) =>
  JSON.stringify(a ?? "") === JSON.stringify(b ?? "");

export const hasChoices = (kind: OwnFieldKind) => kind === "choice" || kind === "choices";

/** A choice that is called otherwise now. */
export interface ChoiceRename {
  from: string;
  to: string;
}

/**
 * Which choices look renamed: those that are gone, with what stands in their places now. Where a line was added or removed
 * the places say nothing.
 */
export function guessRenames(before: readonly string[], after: readonly string[]): ChoiceRename[] {
  if (before.length !== after.length) return [];
  return before.flatMap((from, at) => {
    const to = after[at] ?? "";
    return to !== "" && !after.includes(from) && !before.includes(to) ? [{ from, to }] : [];
  });
}

/** Several values in one cell have no order. */
export const isOwnFieldSortable = ({ kind }: Pick<OwnField, "kind">) => kind !== "choices";

export const ownFieldPath = (code: OwnFieldCode) => `own.${code}` as const;

/** What a field of either sort is called. */
export const columnLabel = (column: BookColumn, own: readonly Pick<OwnField, "code" | "name">[]): string =>
  isOwnFieldCode(column) ? (own.find(({ code }) => code === column)?.name ?? column) : ALUMNI_COLUMN_LABELS[column];

/** A value of a row by its field. */
export const bookText = (
  row: Partial<Record<AlumniField, string | number | null>> & { own: OwnValues },
  field: BookField,
): string => (isOwnFieldCode(field) ? ownValueText(row.own[field]) : cellText(row[field] ?? ""));

/** Names and headers are the same where spaces, signs and case alone differ. */
export const foldFieldName = (text: string) =>
  normaliseUnicode(text, "NFKC")
    .replace(/[^\p{L}\p{N}#]/gu, "")
    .toLowerCase();

/** A field whose name a header is, whatever the header means elsewhere. */
export const ownFieldByName = <F extends Pick<OwnField, "name">>(own: readonly F[], header: string): F | undefined => {
  const folded = foldFieldName(header);
  return folded === "" ? undefined : own.find(({ name }) => foldFieldName(name) === folded);
};

/** The columns of a header with those of the office's own fields in their places; a word of the contract itself stays. */
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
    // Its word is taken: the column is nothing else either.
    if (!isImportable(found)) return null;
    taken.add(found.code);
    return found.code;
  });
}

export const requiredOwnFieldMessage = ({ name }: Pick<OwnField, "name">) => `‘${name}’ 항목을 입력해 주십시오.`;

/** Who sees what: the field itself, not yet somebody's value. */
export const ownFieldsFor = (own: readonly OwnField[], office: boolean) =>
  own.filter(({ access }) => office || access !== "office");

/** A name of a field as it is stored. */
export const cleanFieldName = (name: string) => cleanLine(name);
