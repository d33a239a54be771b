import type { RawRow } from "#worker/contract/alumni/import/sheet-content.ts";
import {
  type BankColumn,
  type BankColumns,
  type BankFile,
  type BankRow,
  type BankTable,
  cleanPayer,
  type Gap,
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

type Cells = { raw: RawRow; columns: BankColumns };

const shownIn = ({ raw, columns }: Cells, column: BankColumn) => plainCell(raw.cells[columns[column] ?? -1] ?? "");

const storedIn = ({ raw, columns }: Cells, column: BankColumn) =>
  raw.stored?.find((each) => each.column === columns[column])?.stored ?? "";

const amountIn = (cells: Cells, column: BankColumn) =>
  readAmount(shownIn(cells, column)) ?? readAmount(storedIn(cells, column) || "?");

/** A row without a day is a total, or refused with a reason. */
function withoutDay({ cells }: RawRow, date: string): string | null {
  if (cells.some((text) => SUMMARY.test(text.replaceAll(" ", "")))) return null;
  if (NO_YEAR.test(date)) return "거래일시에 연도가 없습니다. 연도가 보이게 내려받아 주십시오.";
  return date === "" ? "거래일시가 비어 있습니다." : "거래일시를 읽을 수 없습니다.";
}

/** Below zero for money that left, or the reason why there is no amount. */
function readMovement(cells: Cells): { amount: number; doubt: BankRow["doubt"] } | string {
  const [paid, withdrawn, moved] = [amountIn(cells, "paid"), amountIn(cells, "withdrawn"), amountIn(cells, "moved")];
  if (paid === null || withdrawn === null || moved === null) return "금액을 읽을 수 없습니다.";
  const words = cells.raw.cells.filter((text) => /[가-힣]/.test(text));
  const isCorrected = words.some((text) => CORRECTION.test(text));
  const isOut = isOutWord(shownIn(cells, "kind")) || (isCorrected && words.some((text) => isOutWord(text)));
  const read = cells.columns.moved === undefined ? paid - Math.abs(withdrawn) : moved;
  if (read === 0) return "입금액과 출금액이 모두 비어 있습니다.";
  if (Math.abs(read) > DUE_LIMITS.amount) return "금액이 너무 큽니다.";
  return { amount: isOut ? -Math.abs(read) : read, doubt: isCorrected ? "correction" : null };
}

function readRow(cells: Cells, heads: readonly string[]): ReadRow | string | null {
  const { raw, columns } = cells;
  const date = shownIn(cells, "when");
  if (raw.cells.every((text) => text.trim() === "") || (date !== "" && date === heads[columns.when ?? -1])) return null;
  const day = readDay(date) ?? readDay(storedIn(cells, "when"));
  if (day === null) return withoutDay(raw, date);
  const movement = readMovement(cells);
  if (typeof movement === "string") return movement;
  const time = readTime(shownIn(cells, "time")) ?? readTime(date.slice(8).trim()) ?? "00:00:00";
  const hasBalance = columns.balance !== undefined && shownIn(cells, "balance") !== "";
  return {
    ...movement,
    row: raw.row,
    day,
    when: `${day}T${time}+09:00`,
    payer: cleanPayer(shownIn(cells, "payer")),
    balance: hasBalance ? amountIn(cells, "balance") : null,
  };
}

/** The share of rows from which a column of balances is one. */
const PROOF_SHARE = 0.5;

/** Each row with the step of the balance before it, of rows from the oldest on. */
const stepsOf = (ordered: readonly ReadRow[]) =>
  ordered.slice(1).flatMap((row, at) => {
    const before = ordered[at];
    if (!before || before.balance === null || row.balance === null) return [];
    return [{ row, before, step: row.balance - before.balance }];
  });

type Step = ReturnType<typeof stepsOf>[number];

const isWhole = ({ row, step }: Step) => Math.abs(step) === Math.abs(row.amount);

/** A file's rows are from the oldest on, or from the newest. */
function stepsInTime(rows: readonly ReadRow[]): Step[] {
  const [down, up] = [stepsOf(rows), stepsOf(rows.toReversed())];
  const fitting = (steps: readonly Step[]) => steps.filter(({ row, step }) => step === row.amount).length;
  const [first, last] = [rows[0]?.when ?? "", rows.at(-1)?.when ?? ""];
  return (first === last ? fitting(up) > fitting(down) : first > last) ? up : down;
}

/** Takes the sign from the balance, and asks about a row whose amount is not its step. */
function proveByBalance(rows: readonly ReadRow[]): Gap[] {
  const steps = stepsInTime(rows);
  if (steps.filter(isWhole).length < steps.length * PROOF_SHARE) return [];
  const gaps: Gap[] = [];
  for (const each of steps) {
    const { row, before, step } = each;
    const isProved = step === row.amount || (isWhole(each) && row.doubt === "sign");
    if (isProved) row.doubt = row.doubt === "sign" ? null : row.doubt;
    else row.doubt = "balance";
    if (isWhole(each)) row.amount = step;
    else gaps.push([before.day, row.day]);
  }
  return gaps;
}

/** Takes the chosen columns alone, so that no account number leaves the browser. */
export function readBankRows(rows: readonly RawRow[], { headRow, heads, columns }: BankTable): BankFile {
  const read: ReadRow[] = [];
  const file: BankFile = { deposits: [], withdrawals: [], refused: [], gaps: [] };
  for (const raw of rows) {
    if (raw.row <= headRow) continue;
    const found = readRow({ raw, columns }, heads);
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
