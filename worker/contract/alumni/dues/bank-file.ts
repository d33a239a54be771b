import { maskedCell } from "#worker/contract/alumni/cell-rules.ts";
import type { RawRow } from "#worker/contract/alumni/import/sheet-content.ts";
import { line } from "#worker/contract/kernel/row.ts";
import { cleanLine, normaliseUnicode } from "#worker/contract/kernel/text.ts";
import { DUE_LIMITS } from "./dues.ts";
import type { Movement } from "./match.ts";

/** The words in a head, the most telling first: banks keep the sender in different columns. */
const HEAD_WORDS = {
  when: "거래일시 거래일자 거래일 거래날짜 거래년월일 입금일시 입금일자 입금일 처리일시 일시 일자 날짜",
  time: "거래시간 거래시각 시간 시각",
  payer:
    "보낸분받는분 보낸분 보내는분 보낸사람 의뢰인수취인 의뢰인 입금자명 입금자 입금인 기재내용 통장기재내용 거래기록사항 기록사항 거래자명 내용 거래내용 받는분 적요 상대계좌예금주명",
  paid: "입금액 입금금액 입금 맡기신금액 맡기신돈",
  withdrawn: "출금액 출금금액 출금 찾으신금액 찾으신돈 지급금액 지급액",
  moved: "거래금액 금액",
  kind: "입출금구분 구분 거래구분 거래유형",
  balance: "잔액 거래후잔액 거래후잔고 잔고 통장잔액",
};

export type BankColumn = keyof typeof HEAD_WORDS;

export const BANK_COLUMNS = Object.keys(HEAD_WORDS) as BankColumn[];

export const bankColumnLabel = (column: BankColumn) =>
  column === "payer" ? "보낸분" : (HEAD_WORDS[column].split(" ")[0] ?? "");

/** The place of each column, from 0; a missing one is absent. */
export type BankColumns = Partial<Record<BankColumn, number>>;

export type BankTable = { headRow: number; heads: string[]; columns: BankColumns };

type BankRow = Movement & { balance: number | null };

export type BankFile = Record<"deposits" | "withdrawals", BankRow[]> & { refused: { row: number; reason: string }[] };

export const PAYER_MAX = 60;

export const DEPOSIT_FILTERS = { payer: line("보낸분", { type: "search", max: PAYER_MAX }) };

const HEAD_SEARCH_ROWS = 40;

/** `출금(원)` is `출금`, `보낸분/받는분` is `보낸분받는분`. */
const headKey = (text: string) =>
  normaliseUnicode(text.slice(0, 100), "NFKC")
    .replace(/\([^()]*\)/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "");

function columnsOf(heads: readonly string[]): BankColumns {
  const keys = heads.map(headKey);
  const columns: BankColumns = {};
  for (const column of BANK_COLUMNS) {
    const word = HEAD_WORDS[column].split(" ").find((each) => keys.includes(each));
    if (word !== undefined) columns[column] = keys.indexOf(word);
  }
  if (columns.paid !== undefined) delete columns.moved;
  if (columns.moved === undefined) delete columns.kind;
  return columns;
}

export const isBankTable = ({ when, payer, paid, moved }: BankColumns) =>
  when !== undefined && payer !== undefined && (paid !== undefined || moved !== undefined);

const tableAt = ({ row, cells }: RawRow): BankTable => {
  const heads = cells.map((text) => cleanLine(maskedCell(text).slice(0, 40)));
  return { headRow: row, heads, columns: columnsOf(heads) };
};

/** @param pointed the row of the heads, where the words are not known */
export function findBankTable(rows: readonly RawRow[], pointed?: number): BankTable | null {
  const row = rows.find((each) => each.row === pointed);
  if (row) return tableAt(row);
  const tables = rows.slice(0, HEAD_SEARCH_ROWS).map(tableAt);
  return tables.find(({ columns }) => isBankTable(columns)) ?? null;
}

const padded = (text: string | undefined) => (text ?? "").padStart(2, "0");

/** `2026.03.02`, `2026-03-02`, `20260302`, `2026년 3월 2일`, `26/03/02`. */
function readDay(text: string): string | null {
  const found =
    /^(\d{4})\s?[.\-/년]\s?(\d{1,2})\s?[.\-/월]\s?(\d{1,2})(?!\d)/.exec(text) ??
    /^((?:19|20)\d\d)(\d\d)(\d\d)(?:\d{4}|\d{6})?(?!\d)/.exec(text) ??
    /^(\d\d)[.\-/](\d\d)[.\-/](\d\d)(?!\d)/.exec(text);
  if (!found) return null;
  const [, year = "", month, day] = found;
  const iso = `${year.length === 2 ? "20" : ""}${year}-${padded(month)}-${padded(day)}`;
  const date = new Date(`${iso}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== iso ? null : iso;
}

/** `14:05:33`, `오후 2:05`, `140533`. */
function readTime(text: string): string | null {
  const found =
    /(?:(오전|오후|AM|PM)\s?)?(\d{1,2})\s?[:시]\s?(\d{1,2})(?:\s?[:분]\s?(\d{1,2}))?(?:\s?(AM|PM))?/i.exec(text) ??
    /^()(\d\d)(\d\d)(\d\d)?$/.exec(text);
  if (!found) return null;
  const [, before = "", hour, minute, second, after = ""] = found;
  const half = before || after;
  const hours = half === "" ? Number(hour) : (Number(hour) % 12) + (/오후|PM/i.test(half) ? 12 : 0);
  if (hours > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) return null;
  return [String(hours), minute, second].map(padded).join(":");
}

/** 0 for an empty cell, null for what is no amount. */
function readAmount(text: string): number | null {
  const plain = text.replace(/[,\s₩￦원]|KRW/g, "").replace(/\.0+$/, "");
  if (/^-?$/.test(plain)) return 0;
  return /^[+-]?\d{1,13}$/.test(plain) ? Number(plain) : null;
}

/** Without numbers that may be an account's or a resident's. */
export const withoutLongNumbers = (text: string): string =>
  cleanLine(maskedCell(text.slice(0, 400)).replace(/[\d-]{8,}/g, " "));

export const cleanPayer = (text: string): string => withoutLongNumbers(text).slice(0, PAYER_MAX).trim();

const SUMMARY = /^(?:합계|총계|총합계|소계|누계|월계|전월이월|이월|계$)/;

function readRow(raw: RawRow, columns: BankColumns, heads: readonly string[]): BankRow | string | null {
  const shown = (column: BankColumn) => raw.cells[columns[column] ?? -1]?.trim() ?? "";
  const stored = (column: BankColumn) => raw.stored?.find((each) => each.column === columns[column])?.stored ?? "";
  const date = shown("when");
  if (raw.cells.every((text) => text.trim() === "") || (date !== "" && date === heads[columns.when ?? -1])) return null;
  const day = readDay(date) ?? readDay(stored("when"));
  if (day === null) {
    if (raw.cells.some((text) => SUMMARY.test(text.replaceAll(" ", "")))) return null;
    return date === "" ? "거래일시가 비어 있습니다." : "거래일시를 읽을 수 없습니다.";
  }
  const amountOf = (column: BankColumn) => readAmount(shown(column)) ?? readAmount(stored(column) || "?");
  const [paid, withdrawn, moved] = [amountOf("paid"), amountOf("withdrawn"), amountOf("moved")];
  if (paid === null || withdrawn === null || moved === null) return "금액을 읽을 수 없습니다.";
  const isOut = /출금|지급|인출/.test(shown("kind"));
  const amount = columns.moved === undefined ? paid - withdrawn : isOut ? -Math.abs(moved) : moved;
  if (amount === 0) return "입금액과 출금액이 모두 비어 있습니다.";
  if (Math.abs(amount) > DUE_LIMITS.amount) return "금액이 너무 큽니다.";
  const time = readTime(shown("time")) ?? readTime(date.slice(8).trim()) ?? "00:00:00";
  const payer = cleanPayer(shown("payer"));
  const balance = columns.balance === undefined || shown("balance") === "" ? null : amountOf("balance");
  return { when: `${day}T${time}+09:00`, payer, amount, balance };
}

/** Takes the chosen columns alone, so that no account number leaves the browser. */
export function readBankRows(rows: readonly RawRow[], { headRow, heads, columns }: BankTable): BankFile {
  const file: BankFile = { deposits: [], withdrawals: [], refused: [] };
  for (const raw of rows) {
    if (raw.row <= headRow) continue;
    const found = readRow(raw, columns, heads);
    if (found === null) continue;
    if (typeof found === "string") file.refused.push({ row: raw.row, reason: found });
    else if (found.amount > 0) file.deposits.push(found);
    else file.withdrawals.push({ ...found, amount: -found.amount });
  }
  return file;
}
