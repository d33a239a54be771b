import { maskedCell } from "#worker/contract/alumni/cell-rules.ts";
import type { RawRow } from "#worker/contract/alumni/import/sheet-content.ts";
import { line } from "#worker/contract/kernel/row.ts";
import { cleanLine, normaliseUnicode } from "#worker/contract/kernel/text.ts";

/** The words in a head, the most telling first: banks keep the sender in different columns. */
const HEAD_WORDS = {
  when: "거래일시 거래일자 거래일 거래날짜 거래년월일 입금일시 입금일자 입금일 처리일시 일시 일자 날짜",
  time: "거래시간 거래시각 시간 시각",
  payer:
    "보낸분받는분 보낸분 보내는분 보낸사람 의뢰인수취인 의뢰인 입금자명 입금자 입금인 기재내용 통장기재내용 거래기록사항 기록사항 거래자명 내용 거래내용 받는분 적요 상대계좌예금주명",
  paid: "입금액 입금금액 입금 맡기신금액 맡기신돈 받은금액",
  withdrawn: "출금액 출금금액 출금 찾으신금액 찾으신돈 지급금액 지급액 지급 인출금액 인출액 인출 보낸금액",
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

/** Why a row of the file is a question. */
export const BANK_DOUBT_LABELS = {
  balance: "잔액과 맞지 않음",
  correction: "취소나 정정으로 보임",
  sign: "입금인지 출금인지 알 수 없음",
} as const;

export type BankDoubt = keyof typeof BANK_DOUBT_LABELS;

/** `when` is in Korean time, so that a text order is an order in time. */
export type Movement = { when: string; payer: string; amount: number };

export const byTime = (one: Movement, other: Movement): number =>
  one.when < other.when ? -1 : Number(one.when > other.when);

export type BankRow = Movement & { balance: number | null; doubt: BankDoubt | null };

/** Days between which a balance says that rows are missing. */
export type Gap = [from: string, to: string];

export type BankFile = Record<"deposits" | "withdrawals", BankRow[]> & {
  refused: { row: number; reason: string }[];
  gaps: Gap[];
};

export const PAYER_MAX = 60;

export const DEPOSIT_FILTERS = { payer: line("보낸분", { type: "search", max: PAYER_MAX }) };

const HEAD_SEARCH_ROWS = 40;

/** `출금(원)` is `출금`, `보낸분/받는분` is `보낸분받는분`. */
const headKey = (text: string) =>
  normaliseUnicode(text.slice(0, 100), "NFKC")
    .replace(/\([^()]*\)/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "");

const KNOWN_HEADS = new Set(Object.values(HEAD_WORDS).flatMap((words) => words.split(" ")));

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

const headsOf = ({ cells }: RawRow) => cells.map((text) => cleanLine(maskedCell(text).slice(0, 40)));

/** `거래금액` over `출금 | 입금`: a second row of heads, below one that covers several columns. */
function withSecondRow(top: readonly string[], below: RawRow | undefined): string[] | null {
  const heads = below ? headsOf(below) : [];
  const amounts = heads.filter((head) => KNOWN_HEADS.has(headKey(head)));
  if (amounts.length === 0 || heads.some((head) => /\d/.test(head))) return null;
  let over = "";
  return Array.from({ length: Math.max(top.length, heads.length) }, (_, at) => {
    const [own, head] = [top[at] ?? "", heads[at] ?? ""];
    over = own || (head ? over : "");
    const joined = `${over} ${head}`.trim();
    return head === "" ? own : KNOWN_HEADS.has(headKey(joined)) ? joined : head;
  });
}

function tableAt(rows: readonly RawRow[], at: number): BankTable {
  const raw = rows[at] ?? { row: 0, cells: [] };
  const top = headsOf(raw);
  const below = rows[at + 1];
  const both = withSecondRow(top, below);
  const joined = both && below ? { headRow: below.row, heads: both, columns: columnsOf(both) } : null;
  return joined && isBankTable(joined.columns) ? joined : { headRow: raw.row, heads: top, columns: columnsOf(top) };
}

/** @param pointed the row of the heads, where the words are not known */
export function findBankTable(rows: readonly RawRow[], pointed?: number): BankTable | null {
  const at = rows.findIndex((each) => each.row === pointed);
  if (at >= 0) return tableAt(rows, at);
  const tops = rows.slice(0, HEAD_SEARCH_ROWS);
  const found = tops.map((_, index) => tableAt(rows, index)).find(({ columns }) => isBankTable(columns));
  return found ? withVaryingPayer(found, rows) : null;
}

/** Texts that a bank writes for the way of a payment. */
const WAYS =
  /^(?:인터넷|모바일|스마트|전자|타행|당행|펌|텔레|폰|자동|대량|오픈|창구|CD|ATM|FB|F\/B|CC|PC|BZ)?(?:뱅킹|금융|이체|입금|출금|대체|송금|IB|MB|FBS)*(?:이체|입금|출금)?$/i;

/** Rows by which a column is judged. */
const JUDGED_ROWS = 500;
const SHOWN_ROWS = 3;

type PayerColumn = { column: number; head: string; texts: string[]; payers: number };

/** The columns that may hold the payer, the one that names most payers first. */
function payerColumns(rows: readonly RawRow[], { headRow, heads }: BankTable): PayerColumn[] {
  const words = HEAD_WORDS.payer.split(" ");
  const below = rows.filter(({ row }) => row > headRow).slice(0, JUDGED_ROWS);
  const textsIn = (column: number) => below.map(({ cells }) => cleanPayer(cells[column] ?? ""));
  const isNamed = (text: string) => text !== "" && !WAYS.test(text.replace(/\s/g, ""));
  return heads
    .map((head, column) => ({ head, column, rank: words.indexOf(headKey(head)) }))
    .filter(({ rank }) => rank >= 0)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ head, column }) => ({ head, column, texts: textsIn(column) }))
    .map((each) => ({ ...each, payers: new Set(each.texts.filter(isNamed)).size }))
    .toSorted((a, b) => Number(b.payers > a.payers * 2) - Number(a.payers > b.payers * 2));
}

/** A column with 인터넷뱅킹 in each row is no payer. */
function withVaryingPayer(table: BankTable, rows: readonly RawRow[]): BankTable {
  const [best] = payerColumns(rows, table);
  return best ? withPayerColumn(table, best.column) : table;
}

export const withPayerColumn = (table: BankTable, payer: number): BankTable => ({
  ...table,
  columns: { ...table.columns, payer },
});

/** A column that may hold the payer, with its text in three rows. */
export type PayerChoice = Pick<PayerColumn, "column" | "head"> & { samples: string[] };

/** Two columns or more that name payers alike often, so that only the office knows the right one; else none. */
export function payerChoices(rows: readonly RawRow[], table: BankTable): PayerChoice[] {
  const [best, ...others] = payerColumns(rows, table);
  if (!best || best.payers < 2) return [];
  const rivals = others.filter(
    ({ payers, texts }) => payers > 1 && payers * 2 >= best.payers && texts.some((text, at) => text !== best.texts[at]),
  );
  if (rivals.length === 0) return [];
  const differing = best.texts.flatMap((text, at) => (rivals.some(({ texts }) => texts[at] !== text) ? [at] : []));
  return [best, ...rivals].map(({ column, head, texts }) => ({
    column,
    head,
    samples: differing.slice(0, SHOWN_ROWS).map((at) => texts[at] ?? ""),
  }));
}

/** Without numbers that may be an account's or a resident's. */
export const withoutLongNumbers = (text: string): string =>
  cleanLine(maskedCell(text.slice(0, 400)).replace(/[\d-]{8,}/g, " "));

export const cleanPayer = (text: string): string => withoutLongNumbers(text).slice(0, PAYER_MAX).trim();
