import { normaliseUnicode } from "#worker/contract/kernel/text.ts";
import { ALUMNI_COLUMN_LABELS, ALUMNI_COLUMNS, type AlumniColumn } from "#worker/contract/alumni/columns.ts";
import { SHARED_COLUMN_WORDS } from "#worker/contract/account/shared-columns.ts";
import type { CellRange, RawRow } from "./sheet-content.ts";

/** Header synonyms, compared without spaces, signs, case and brackets. */
const SYNONYMS: Record<AlumniColumn, string> = {
  ...SHARED_COLUMN_WORDS,
  affiliation: `${SHARED_COLUMN_WORDS.affiliation} organizationname organization1name companyname`,
  department: `${SHARED_COLUMN_WORDS.department} organizationdepartment organization1department`,
  position: `${SHARED_COLUMN_WORDS.position} organizationtitle organization1title`,
  name: "성명 성함 존함 동문명 회원명 한글성명 한글이름 국문성명 국문이름 이름한글 성명한글 성명국문 이름국문 name fullname koreanname namekor",
  cohort: "기 회기 기별 졸업기수 동문기수 수료기수 기수회 졸업기 졸업회수 졸업횟수 회차 cohort class classno",
  graduationYear:
    "졸업년도 졸업년 졸업 졸업일 졸업일자 졸업연월 졸업년월 졸업연월일 졸업년월일 졸업시기 졸업날짜 수료연도 수료년도 수료일 졸업해 졸업학년도 graduationyear graduation gradyear yearofgraduation",
  email:
    "메일 이메일주소 메일주소 전자우편 전자우편주소 전자메일 전자메일주소 이메일계정 이멜 email emailaddress mail mailaddress emailid email1value email1address",
  mobile:
    "휴대폰 핸드폰 손전화 모바일 휴대 휴대전화번호 휴대폰번호 핸드폰번호 휴대번호 휴대연락처 이동전화 이동전화번호 무선전화 연락처 연락처번호 연락처휴대폰 연락처휴대전화 연락처핸드폰 전화휴대폰 전화번호휴대폰 전화번호휴대전화 전화핸드폰 개인연락처 hp hpno mobile mobilephone mobileno cell cellphone cellular phonemobile phone1value",
  phone:
    "전화번호 유선 유선전화 유선번호 일반전화 일반전화번호 사무실 사무실번호 내선 내선번호 대표전화 대표번호 연락처유선 전화유선 전화직장 전화자택 전화번호직장 전화번호자택 전화번호사무실 tel telno telephone phone phoneno phonenumber officephone businessphone workphone",
  zipCode:
    "address1postalcode businesspostalcode homepostalcode 우편 우편번호신 신우편번호 우편번호5자리 우편물번호 새우편번호 우편no zip zipcode postcode postalcode postal",
  address:
    "주소지 우편물주소 우편주소 우편물수령지 우편물수령주소 수령지 수령주소 배송지 배송주소 거주지 거주지주소 현주소 현거주지 도로명주소 지번주소 전체주소 주소전체 주소직장 주소자택 주소집 address addr homeaddress mailingaddress address1formatted",
  memo: "비고 비고란 참고 참고사항 특이사항 기타 기타사항 적요 메모사항 memo note notes remark remarks comment comments",
  state: "회원상태 활동상태 동문상태 status",
  stateDate: "상태일 상태일자 상태변경일 작고일 별세일 사망일 탈퇴일 탈퇴일자",
  stateNote: "상태비고 상태사유 탈퇴사유",
  refuses: "발송제외 발송제외항목",
  id: "고유번호 관리번호 id",
};

const PREFIXES =
  "현재 현 최종 최근 본인 개인 동문 회원 직장 회사 근무처 근무지 근무 병원 학교 사무실 자택 집 소속 주 대표 공식 연락 연락가능 대학 학부 대학원 의대 우편물 우편물수령 수령 발송 변경 신 휴대".split(
    " ",
  );

const SUFFIXES = "정보 입력 기재 란 1 번호 명 주소 필수 현재 현 자택 직장 집 본인".split(" ");

/** Words for another person, another language, or something about the field. */
const FOREIGN =
  /한자|漢|hanja|chinese|영문|영어|english|배우자|남편|아내|보호자|비상|긴급|가족|자녀|부모|부친|모친|추천인|은사|지도교수|담당자|대리인|입학|생년|생일|출생|나이|연령|성별|수신|동의|거부|여부|구분|회비|입금|납부|계좌|은행|면허|자격|학번|학위|결혼|종교|취미|출신|고교|팩스|fax|홈페이지|url|sns|카카오|kakao|주민|여권|사번|수정일|등록일|가입|반송|참석|신청/;

/** Heads of a name in several columns, as address books export them. */
const NAME_PARTS = {
  family: "성 성씨 lastname familyname surname",
  given: "이름 명 firstname givenname forename",
  middle: "중간이름 가운데이름 middlename additionalname",
} as const;

export type NameColumns = { [Part in keyof typeof NAME_PARTS]: number };

const partWords = Object.entries(NAME_PARTS).map(([part, words]) => [part, words.split(" ")] as const);

/** Places of the parts of a name, -1 for none; null unless family and given name have a column each. */
export function nameColumnsIn(texts: readonly string[]): NameColumns | null {
  const heads = texts.map((text) => (isForeignHeader(text) ? "" : normaliseHeader(text)));
  const places = Object.fromEntries(
    partWords.map(([part, words]) => [part, heads.findIndex((head) => words.includes(head))]),
  ) as NameColumns;
  return places.family >= 0 && places.given >= 0 ? places : null;
}

const NUMBERING = /^(연번|순번|번호|일련번호|no|num|number|순서|seq|#|순|번)$/;

export const normaliseHeader = (text: string) => {
  const plain = normaliseUnicode(text, "NFKC");
  const bare = plain.replace(/\([^()]*\)|\[[^[\]]*\]|<[^<>]*>/g, "");
  return strip(bare.trim() === "" ? plain : bare);
};

const strip = (text: string) => text.replace(/[^\p{L}\p{N}#]/gu, "").toLowerCase();

/** Keeps the brackets: 연락처(휴대폰) and 연락처(직장) are different columns. */
const wholeHeader = (text: string) => strip(normaliseUnicode(text, "NFKC"));

const LABELS = new Map(ALUMNI_COLUMNS.map((column) => [normaliseHeader(ALUMNI_COLUMN_LABELS[column]), column]));

const WORDS = new Map<string, AlumniColumn>([
  ...ALUMNI_COLUMNS.flatMap((column) => SYNONYMS[column].split(" ").map((text) => [text, column] as const)),
  ...LABELS,
]);

interface HeaderMeaning {
  column: AlumniColumn;
  certainty: "sure" | "likely";
  isLabel: boolean;
}

export const isNumberingHeader = (text: string) => NUMBERING.test(normaliseHeader(text));

export const isForeignHeader = (text: string) => FOREIGN.test(wholeHeader(text)) && !LABELS.has(wholeHeader(text));

const meaning = (
  column: AlumniColumn | undefined,
  certainty: "sure" | "likely",
  isLabel = false,
): HeaderMeaning | null => (column === undefined ? null : { column, certainty, isLabel });

/** 휴대폰 뒷자리, 전화번호 끝 4자리. */
export const isTailHeader = (text: string) =>
  /^(?:휴대폰|휴대전화|핸드폰|전화|연락처|모바일|hp)?(?:번호)?의?(?:뒷|뒤|끝)(?:번호|자리|[4네]자리|4)(?:번호|숫자)?$/.test(
    normaliseHeader(text),
  );

export function headerMeaning(text: string): HeaderMeaning | null {
  const head = normaliseHeader(text);
  if (head === "" || head.length > 40) return null;
  const label = LABELS.get(head);
  const whole = wholeHeader(text);
  if (isForeignHeader(text)) return null;
  if (isTailHeader(text)) return meaning("mobile", "likely");
  const exact = WORDS.get(whole) ?? label ?? WORDS.get(head);
  if (exact) return meaning(exact, "sure", label !== undefined && WORDS.get(whole) === label);
  // 이름/성명, 소속(병원)·기관: any of the words.
  const parts = normaliseUnicode(text, "NFKC")
    .split(/[/,·|\n]/)
    .map(normaliseHeader)
    .filter(Boolean);
  const found = new Set(parts.map((part) => WORDS.get(part)));
  if (parts.length > 1 && found.size === 1) return meaning([...found][0], "likely");
  return meaning(withoutAffixes(head) ?? underGroup(text), "likely");
}

/** 연락처 직장전화, 자택주소 우편번호: the word below a merged title. A name there may be another person's. */
function underGroup(text: string): AlumniColumn | undefined {
  const words = normaliseUnicode(text, "NFKC").trim().split(/\s+/);
  const last = normaliseHeader(words.at(-1) ?? "");
  const found = words.length > 1 && last !== "" ? (WORDS.get(last) ?? withoutAffixes(last)) : undefined;
  return found === "name" || found === "id" ? undefined : found;
}

function withoutAffixes(head: string): AlumniColumn | undefined {
  for (const prefix of PREFIXES) {
    if (!head.startsWith(prefix) || head.length === prefix.length) continue;
    const rest = head.slice(prefix.length);
    const found = WORDS.get(rest) ?? withoutSuffix(rest);
    // 학교 이름 and 병원 이름 are no person's names.
    if (found === "name") return /^(동문|회원|본인|개인)$/.test(prefix) ? found : "affiliation";
    if (found) return found;
  }
  return withoutSuffix(head);
}

function withoutSuffix(head: string): AlumniColumn | undefined {
  for (const suffix of SUFFIXES) {
    if (!head.endsWith(suffix) || head.length === suffix.length) continue;
    const found = WORDS.get(head.slice(0, -suffix.length));
    if (found && !(suffix === "주소" && found !== "address" && found !== "email")) return found;
  }
  return undefined;
}

// Reads header texts from a row, alone or combined with the row above or below it.

export const cleanHeader = (cell: string) => normaliseUnicode(cell, "NFC").replace(/\s+/g, " ").trim().slice(0, 200);

/** The texts of a row, with merged cells repeated in each column they cover. */
export function spreadTexts({ row, cells }: RawRow, merges: readonly CellRange[]): string[] {
  const texts = cells.map(cleanHeader);
  for (const { top, bottom, left, right } of merges) {
    if (top !== row || bottom < top || left === right) continue;
    for (let at = left + 1; at <= right && at < left + 200; at += 1) texts[at] ||= texts[left] ?? "";
  }
  return Array.from(texts, (text: string | undefined) => text ?? "");
}

export function distinctHeaders(texts: readonly string[]): string[] {
  const used = new Set(texts);
  const seen = new Set<string>();
  return texts.map((text) => {
    if (text === "" || !seen.has(text)) {
      seen.add(text);
      return text;
    }
    let number = 2;
    while (used.has(`${text} (${number})`)) number += 1;
    used.add(`${text} (${number})`);
    return `${text} (${number})`;
  });
}

export const wordCount = (texts: readonly string[]) => {
  const found = new Set(texts.flatMap((text) => headerMeaning(text)?.column ?? []));
  if (nameColumnsIn(texts)) found.add("name");
  return { count: found.size, isNamed: found.has("name") || found.has("id") };
};

export const isLikelyHeader = (texts: readonly string[]) => {
  const filled = texts.filter(Boolean);
  const { count, isNamed } = wordCount(texts);
  // A sentence that contains the word is a note, and 이름 as a value is a placeholder.
  return isNamed && (count >= 2 || filled.length === 1) && filled.every((text) => text.length <= 60);
};

export const isNameAmongWords = (texts: readonly string[]) => {
  const filled = texts.filter(Boolean);
  return (
    filled.length >= 2 && wordCount(texts).isNamed && filled.every((text) => text.length <= 30 && !/\d{3}|@/.test(text))
  );
};

/** Prefixes a group's text to a column's text that is ambiguous alone: 자택 + 주소. */
function joinHeaders(parent: string, child: string): string {
  if (child === "" || parent === child) return parent;
  if (parent === "") return child;
  return `${parent} ${child}`;
}

export interface HeaderRows {
  first: number;
  last: number;
  texts: string[];
}

const NOTE_MARK = /^(?:[※*☞▶■○●]|주\)|참고|\(?단위)/;

/** @param isLast the row is the last of the header, as someone pointed at it */
export function headerRowsAt(rows: readonly RawRow[], at: number, merges: readonly CellRange[], isLast = false) {
  const raw = rows[at] as RawRow;
  const own = spreadTexts(raw, merges);
  const nameAt = own.findIndex((text) => headerMeaning(text)?.column === "name");
  const below = isLast ? undefined : rows[at + 1];
  const childTexts = below ? spreadTexts(below, merges) : [];
  const isBelow =
    below !== undefined &&
    below.row === raw.row + 1 &&
    childTexts.some(Boolean) &&
    childTexts.every((text) => text.length <= 40 && !/[@]|\d{3}/.test(text)) &&
    isPartedBy(own, childTexts, nameAt, raw.row, merges);
  if (isBelow) {
    const width = Math.max(own.length, childTexts.length);
    // A group's text extends over empty columns to its right.
    let group = "";
    const texts = Array.from({ length: width }, (_, column) => {
      const [parent = "", child = ""] = [own[column], childTexts[column]];
      if (parent !== "") group = parent;
      const isSame =
        headerMeaning(parent)?.column !== undefined && headerMeaning(parent)?.column === headerMeaning(child)?.column;
      if (isSame && nameAt >= 0 && wordCount(childTexts).isNamed) return parent;
      return joinHeaders(parent === "" && child !== "" ? group : parent, child);
    });
    return { first: raw.row, last: below.row, texts };
  }
  const above = rows[at - 1];
  const parents = above && above.row === raw.row - 1 ? spreadTexts(above, merges) : [];
  const isGroup =
    new Set(parents.filter(Boolean)).size > 1 &&
    parents.filter(Boolean).every((text) => text.length <= 20 && !NOTE_MARK.test(text));
  if (!isGroup) return { first: raw.row, last: raw.row, texts: own };
  const twice = new Set(own.filter((text, column) => text !== "" && own.indexOf(text) !== column));
  const texts = own.map((text, column) => {
    const parent = parents[column] ?? parents.slice(0, column).findLast(Boolean) ?? "";
    const reach = parents[column] || parents.slice(0, column).findLast(Boolean) || "";
    if (text === "") return parent;
    const isVague = twice.has(text) || headerMeaning(text) === null;
    return isVague ? joinHeaders(reach, text) : text;
  });
  return { first: (above as RawRow).row, last: raw.row, texts };
}

/** Tells a subdividing header row from the first person of the list. */
function isPartedBy(
  own: readonly string[],
  child: readonly string[],
  nameAt: number,
  row: number,
  merges: readonly CellRange[],
): boolean {
  const isMerged = merges.some(({ top, bottom, left, right }) => top === row && (bottom > top || right > left));
  const below = child[nameAt] ?? "";
  if (nameAt >= 0 && below !== "" && headerMeaning(below)?.column !== "name") return false;
  const words = child.filter(Boolean).filter((text) => headerMeaning(text) !== null || isForeignHeader(text)).length;
  if (nameAt >= 0 && below !== "") return words >= 2;
  const filled = child.filter(Boolean).length;
  // Requires each word below a group's text or an empty cell.
  return (
    words * 2 >= filled && (isMerged || wordCount(own).count < wordCount([...own, ...child]).count || words === filled)
  );
}
