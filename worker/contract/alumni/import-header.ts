import { normaliseUnicode } from "../kernel/text.ts";
import { type AlumniColumn, ALUMNI_COLUMNS, ALUMNI_COLUMN_LABELS } from "./columns.ts";
import { invalidInput } from "../kernel/errors.ts";
import { type RawRow, tooLargeFileError, unreadableFileError } from "./csv.ts";
import { ALUMNI_LIMITS } from "../kernel/limits.ts";

/** What people write over a column; compared without spaces, signs, case and what stands in brackets. */
const SYNONYMS: Record<AlumniColumn, string[]> = {
  name: ["성명", "성함", "동문명", "회원명", "name"],
  cohort: ["기", "회기", "졸업기수", "동문기수", "cohort"],
  graduationYear: [
    "졸업년도",
    "졸업년",
    "졸업",
    "졸업일",
    "졸업일자",
    "졸업연월",
    "졸업년월일",
    "졸업연월일",
    "graduationyear",
  ],
  major: ["학과", "전공과목", "전공분야", "전공학과", "major"],
  affiliation: [
    "직장",
    "직장명",
    "근무처",
    "회사",
    "회사명",
    "병원",
    "병원명",
    "기관",
    "기관명",
    "소속기관",
    "소속병원",
    "현소속",
    "affiliation",
  ],
  department: ["부서명", "소속부서", "진료과", "과", "진료과목", "department"],
  position: ["직책", "직급", "직함", "position", "title"],
  email: ["메일", "이메일주소", "메일주소", "전자우편", "전자메일", "email", "mail"],
  mobile: [
    "휴대폰",
    "핸드폰",
    "손전화",
    "모바일",
    "휴대전화번호",
    "휴대폰번호",
    "핸드폰번호",
    "휴대번호",
    "연락처",
    "hp",
    "mobile",
    "cellphone",
  ],
  phone: [
    "전화번호",
    "직장전화",
    "사무실전화",
    "사무실",
    "유선전화",
    "일반전화",
    "자택전화",
    "집전화",
    "내선",
    "tel",
    "phone",
  ],
  zipCode: ["우편", "zip", "zipcode", "우편주소번호"],
  address: ["자택주소", "집주소", "직장주소", "주소지", "우편물주소", "address"],
  memo: ["비고", "참고", "특이사항", "memo", "note"],
  id: ["고유번호", "관리번호"],
};

const normaliseHeader = (text: string) =>
  normaliseUnicode(text, "NFKC")
    .replace(/\([^()]*\)|\[[^[\]]*\]/g, "")
    .replace(/[\s*·.:_'"-]/g, "")
    .toLowerCase();

const COLUMN_BY_LABEL = new Map(
  ALUMNI_COLUMNS.map((column) => [normaliseHeader(ALUMNI_COLUMN_LABELS[column]), column]),
);

const COLUMN_BY_SYNONYM = new Map(
  ALUMNI_COLUMNS.flatMap((column) => SYNONYMS[column].map((text) => [text, column] as const)),
);

/** Which field each header text means; the contract's own texts win over what merely means the same. */
export function guessColumns(heads: readonly string[]): (AlumniColumn | null)[] {
  const taken = new Set<AlumniColumn>();
  const take = (column: AlumniColumn | undefined) => {
    if (column === undefined || taken.has(column)) return null;
    taken.add(column);
    return column;
  };
  const found = heads.map((head) => take(COLUMN_BY_LABEL.get(normaliseHeader(head))));
  return found.map((column, at) => {
    if (column) return column;
    const other = COLUMN_BY_SYNONYM.get(normaliseHeader(heads[at] ?? ""));
    // 연락처 beside 휴대전화 is the other telephone.
    return take(other) ?? (other === "mobile" ? take("phone") : null);
  });
}

export type ColumnMapping = Record<string, string | null>;

function mappedColumns(heads: readonly string[], mapping: ColumnMapping): (AlumniColumn | null)[] {
  const columns: (AlumniColumn | null)[] = heads.map(() => null);
  const columnOf = (text: string) =>
    ALUMNI_COLUMNS.find((column) => column === text || ALUMNI_COLUMN_LABELS[column] === text);
  const placeOf = (text: string) =>
    heads.findIndex((head) => head !== "" && normaliseHeader(head) === normaliseHeader(text));
  for (const [key, value] of Object.entries(mapping)) {
    if (value === null || value === "") continue;
    const [place, column] =
      placeOf(key) >= 0 && columnOf(value) ? [placeOf(key), columnOf(value)] : [placeOf(value), columnOf(key)];
    if (place < 0 || !column) throw invalidInput({ mapping: `‘${key}’ 열을 ‘${value}’에 맞출 수 없습니다.` });
    if (columns.includes(column))
      throw invalidInput({ mapping: `‘${ALUMNI_COLUMN_LABELS[column]}’에 두 열을 맞출 수 없습니다.` });
    columns[place] = column;
  }
  return columns;
}

/** Where a header text of an answer stands, or the column that a fault names by its label; -1 where the file has none. */
export function findColumnIndex(
  heads: readonly string[],
  columns: readonly (AlumniColumn | null)[],
  wanted: string,
): number {
  const at = columns.findIndex(
    (column, place) => column !== null && (heads[place] || ALUMNI_COLUMN_LABELS[column]) === wanted,
  );
  return at >= 0 ? at : columns.findIndex((column) => column !== null && ALUMNI_COLUMN_LABELS[column] === wanted);
}

export interface ImportHeader {
  /** The file's own row. */
  row: number;
  texts: string[];
  columns: (AlumniColumn | null)[];
}

const HEADER_SEARCH_ROWS = 20;

const isLikelyHeader = (columns: readonly (AlumniColumn | null)[], filled: number) => {
  const known = columns.filter(Boolean).length;
  return (columns.includes("name") || columns.includes("id")) && (known >= 2 || filled === 1);
};

function namesMappedColumn(texts: readonly string[], mapping: ColumnMapping): boolean {
  const words = new Set(
    Object.entries(mapping).flatMap(([key, value]) => [normaliseHeader(key), normaliseHeader(value ?? "")]),
  );
  return texts.some((text) => text !== "" && words.has(normaliseHeader(text)));
}

/**
 * The row that says what the columns are, among the first twenty.
 * @throws AppError INVALID_INPUT without one or with two alike, PAYLOAD_TOO_LARGE for too many columns
 */
export function findImportHeader(rows: readonly RawRow[], mapping?: ColumnMapping): ImportHeader {
  const given = mapping && Object.values(mapping).some(Boolean) ? mapping : undefined;
  for (const { row, cells } of rows.slice(0, HEADER_SEARCH_ROWS)) {
    const texts = cells.map((cell) => normaliseUnicode(cell, "NFC").replace(/\s+/g, " ").trim());
    const filled = texts.filter(Boolean);
    const isHead = given ? namesMappedColumn(texts, given) : isLikelyHeader(guessColumns(texts), filled.length);
    if (!isHead) continue;
    if (filled.length > ALUMNI_LIMITS.importColumns)
      throw tooLargeFileError(
        `열이 너무 많습니다(${filled.length}열). ${ALUMNI_LIMITS.importColumns}열까지 읽을 수 있습니다.`,
      );
    const twice = filled.find((text, at) => filled.indexOf(text) !== at);
    if (twice)
      throw unreadableFileError(`같은 머리글이 두 번 있습니다: ‘${twice}’. 하나만 남기거나 이름을 바꾸어 주십시오.`);
    const columns = given ? mappedColumns(texts, given) : guessColumns(texts);
    if (!columns.includes("name") && !columns.includes("id"))
      throw invalidInput({ mapping: "‘이름’ 또는 ‘ID’에 맞춘 열이 있어야 합니다." });
    return { row, texts, columns };
  }
  const widest = Math.max(0, ...rows.slice(0, HEADER_SEARCH_ROWS).map((each) => each.cells.filter(Boolean).length));
  if (widest > ALUMNI_LIMITS.importColumns)
    throw tooLargeFileError(`열이 너무 많습니다(${widest}열). ${ALUMNI_LIMITS.importColumns}열까지 읽을 수 있습니다.`);
  if (widest === 0) throw unreadableFileError("비어 있는 파일입니다.");
  throw unreadableFileError("머리글 행을 찾지 못했습니다. 첫 줄에 ‘이름’, ‘휴대전화’처럼 열의 이름을 적어 주십시오.");
}

/** The row of the template that shows how it is done; it is nobody. */
export const IMPORT_SAMPLE_NAME = "홍길동(예시)";
