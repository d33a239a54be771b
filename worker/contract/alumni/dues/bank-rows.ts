import type { RawRow } from "#worker/contract/alumni/import/sheet-content.ts";
import {
  type BankColumn,
  type BankColumns,
  type BankFile,
  type BankRow,
  type BankTable,
  cleanPayer,
} from "./bank-file.ts";
import { DUE_LIMITS } from "./dues.ts";

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

/** `(33,000)`, `△33,000`, `-33,000` and `33,000-` are below zero; 0 for an empty cell, null for what is no amount. */
function readAmount(text: string): number | null {
  const typed = text.replace(/[,\s₩￦원]|KRW/g, "").replace(/[−－–]/g, "-");
  const plain = typed.replace(/^\((.*)\)$|^[△▲▽▼](.*)$|^(.*\d)-$/, "-$1$2$3").replace(/\.0+$/, "");
  if (/^-?$/.test(plain)) return 0;
  return /^[+-]?\d{1,13}$/.test(plain) ? Number(plain) : null;
}

const SUMMARY = /^(?:합계|총계|총합계|소계|누계|월계|전월이월|이월|계$)/;

const NO_YEAR = /^\d{1,2}\s?[.\-/월]\s?\d{1,2}/;

const CORRECTION = /취소|정정|반려|반환|환불|환급/;

/** Money that leaves: `입금취소` is one, `출금취소` is none. */
const isOutWord = (text: string) =>
  /입금\s?(?:취소|정정|반려)/.test(text) || (/출금|지급|인출/.test(text) && !CORRECTION.test(text));

/** `="0123"` is how some programs keep a text. */
const plainCell = (text: string) =>
  text
    .trim()
    .replace(/^="([^"]*)"$/, "$1")
    .trim();

type ReadRow = BankRow & { row: number; day: string };

function readRow(raw: RawRow, columns: BankColumns, heads: readonly string[]): ReadRow | string | null {
  const shown = (column: BankColumn) => plainCell(raw.cells[columns[column] ?? -1] ?? "");
  const stored = (column: BankColumn) => raw.stored?.find((each) => each.column === columns[column])?.stored ?? "";
  const date = shown("when");
  if (raw.cells.every((text) => text.trim() === "") || (date !== "" && date === heads[columns.when ?? -1])) return null;
  const day = readDay(date) ?? readDay(stored("when"));
  if (day === null) {
    if (raw.cells.some((text) => SUMMARY.test(text.replaceAll(" ", "")))) return null;
    if (NO_YEAR.test(date)) return "거래일시에 연도가 없습니다. 연도가 보이게 내려받아 주십시오.";
    return date === "" ? "거래일시가 비어 있습니다." : "거래일시를 읽을 수 없습니다.";
  }
  const amountOf = (column: BankColumn) => readAmount(shown(column)) ?? readAmount(stored(column) || "?");
  const [paid, withdrawn, moved] = [amountOf("paid"), amountOf("withdrawn"), amountOf("moved")];
  if (paid === null || withdrawn === null || moved === null) return "금액을 읽을 수 없습니다.";
  const words = raw.cells.filter((text) => /[가-힣]/.test(text));
  const isCorrected = words.some((text) => CORRECTION.test(text));
  const isOut = isOutWord(shown("kind")) || (isCorrected && words.some((text) => isOutWord(text)));
  const read = columns.moved === undefined ? paid - Math.abs(withdrawn) : moved;
  const amount = isOut ? -Math.abs(read) : read;
  if (amount === 0) return "입금액과 출금액이 모두 비어 있습니다.";
  if (Math.abs(amount) > DUE_LIMITS.amount) return "금액이 너무 큽니다.";
  const time = readTime(shown("time")) ?? readTime(date.slice(8).trim()) ?? "00:00:00";
  const payer = cleanPayer(shown("payer"));
  const balance = columns.balance === undefined || shown("balance") === "" ? null : amountOf("balance");
  const doubt = isCorrected ? "correction" : null;
  return { row: raw.row, day, when: `${day}T${time}+09:00`, payer, amount, balance, doubt };
}

/** The share of rows from which a column of balances is one. */
const PROOF_SHARE = 0.5;

/** Compares each row's amount with the step of the balance, from the oldest row to the newest. */
function proveByBalance(rows: readonly ReadRow[]): BankFile["gaps"] {
  const steps = (ordered: readonly ReadRow[]) =>
    ordered.slice(1).flatMap((row, at) => {
      const before = ordered[at];
      if (!before || before.balance === null || row.balance === null) return [];
      const step = row.balance - before.balance;
      return [{ row, before, step, isWhole: Math.abs(step) === Math.abs(row.amount) }];
    });
  const signed = (found: ReturnType<typeof steps>) => found.filter(({ row, step }) => step === row.amount).length;
  const [down, up] = [steps(rows), steps(rows.toReversed())];
  const [first, last] = [rows[0]?.when ?? "", rows.at(-1)?.when ?? ""];
  const isNewestFirst = first === last ? signed(up) > signed(down) : first > last;
  const found = isNewestFirst ? up : down;
  if (found.filter(({ isWhole }) => isWhole).length < found.length * PROOF_SHARE) return [];
  const gaps: BankFile["gaps"] = [];
  for (const { row, before, step, isWhole } of found) {
    if (step === row.amount) {
      if (row.doubt === "sign") row.doubt = null;
    } else if (isWhole) {
      if (row.doubt !== "sign") row.doubt = "balance";
      else row.doubt = null;
      row.amount = step;
    } else {
      row.doubt = "balance";
      gaps.push([before.day, row.day]);
    }
  }
  return gaps;
}

/** Takes the chosen columns alone, so that no account number leaves the browser. */
export function readBankRows(rows: readonly RawRow[], { headRow, heads, columns }: BankTable): BankFile {
  const read: ReadRow[] = [];
  const file: BankFile = { deposits: [], withdrawals: [], refused: [], gaps: [] };
  for (const raw of rows) {
    if (raw.row <= headRow) continue;
    const found = readRow(raw, columns, heads);
    if (typeof found === "string") file.refused.push({ row: raw.row, reason: found });
    else if (found) read.push(found);
  }
  const isSigned = columns.moved === undefined || columns.kind !== undefined || read.some(({ amount }) => amount < 0);
  if (!isSigned) for (const row of read) row.doubt ??= "sign";
  file.gaps = proveByBalance(read);
  for (const { row: _row, day: _day, ...each } of read) {
    if (each.amount > 0) file.deposits.push(each);
    else file.withdrawals.push({ ...each, amount: -each.amount });
  }
  return file;
}
