import { payDigits } from "#worker/contract/alumni/dues/dues.ts";
import { payerKey } from "#worker/contract/alumni/dues/payer.ts";
import { type Random, randomFrom } from "../../support/random.ts";

/** A generated account: people who pay, and what the bank wrote of each movement. */
export interface TrueMovement {
  /** Korean time, `2026-03-02 14:05:33`. */
  when: string;
  payer: string;
  /** Below zero for a withdrawal. */
  amount: number;
  balance: number;
  isRefund: boolean;
  /** The person who paid, null for anybody outside the book. */
  personId: string | null;
  /** How the program is expected to find the person, where it can. */
  clue: "name" | "digits" | null;
}

export interface HistoryPerson {
  id: string;
  name: string;
}

export const ANNUAL_DUE = 50_000;

const FAMILIES = "김이박최정강조윤장임한오서신권황안송류홍";
const GIVEN = "나다라마바사아자차하도로모보소우주지진현";
const STRANGERS = ["한빛병원", "(주)가나테크", "예금이자", "미래재단", "김기부자"];
const SPENDING = ["한빛문구", "관리비", "사무국급여", "인쇄소", "학회지우편료"];

export function shuffled<T>(random: Random, rows: readonly T[]): T[] {
  const keyed = rows.map((row) => ({ row, key: random.next() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ row }) => row);
}

function makePeople(random: Random, count: number): HistoryPerson[] {
  const letterOf = (letters: string) => random.pick([...letters]);
  return Array.from({ length: count }, (_, at) => ({
    id: `00000000-0000-4000-9000-${String(at).padStart(12, "0")}`,
    name: `${letterOf(FAMILIES)}${letterOf(GIVEN)}${letterOf(GIVEN)}`,
  }));
}

const momentOf = (day: number, second: number) =>
  new Date(Date.UTC(2025, 0, 1 + day, 9, 0, second)).toISOString().slice(0, 19).replace("T", " ");

const dayNumber = (when: string) => (Date.parse(`${when.slice(0, 10)}T00:00:00Z`) - Date.UTC(2025, 0, 1)) / 86_400_000;

type Draft = Omit<TrueMovement, "balance">;

function payment(random: Random, person: HistoryPerson, when: string, namesakes: number): Draft {
  const isWhole = random.next() < 0.93;
  const amount = isWhole ? ANNUAL_DUE : 30_000;
  const base = { when, amount, isRefund: false, personId: person.id };
  if (random.next() < 0.25) return { ...base, payer: `${person.name}${payDigits(person.id)}`, clue: "digits" };
  const payer = random.pick([person.name, person.name, `${person.name} 회비`, `${person.name}교수`]);
  return { ...base, payer, clue: isWhole && namesakes === 1 ? "name" : null };
}

/** A true ledger of `deposits` and `withdrawals` over `days`, the oldest first. */
export function makeHistory(
  seed: number,
  { deposits, withdrawals, days }: Record<"deposits" | "withdrawals" | "days", number>,
) {
  const random = randomFrom(seed);
  const moment = () => momentOf(random.below(days), random.below(13 * 3600));
  const people = makePeople(random, Math.floor(deposits * 0.45));
  const namesakes = new Map<string, number>();
  for (const { name } of people) namesakes.set(name, (namesakes.get(name) ?? 0) + 1);
  const drafts: Draft[] = people.flatMap((person) =>
    [0, 1].map(() => payment(random, person, moment(), namesakes.get(person.name) ?? 1)),
  );
  while (drafts.length < deposits) {
    const again = random.pick(drafts);
    const stranger = { payer: random.pick(STRANGERS), personId: null, clue: null };
    // Some send the same amount twice on a day.
    if (random.next() < 0.2)
      drafts.push({ ...again, when: `${again.when.slice(0, 11)}${moment().slice(11)}`, clue: null });
    else drafts.push({ when: moment(), amount: 10_000 * (1 + random.below(9)), isRefund: false, ...stranger });
  }
  for (let at = 0; at < withdrawals; at += 1) {
    const paid = random.pick(drafts.slice(0, deposits));
    const later = dayNumber(paid.when) + 1 + random.below(40);
    if (later < days && random.next() < 0.3) {
      // A returned deposit is a question, as is any other of the payer.
      for (const each of drafts) if (payerKey(each.payer).includes(payerKey(paid.payer).slice(0, 3))) each.clue = null;
      const when = momentOf(later, random.below(13 * 3600));
      drafts.push({ when, payer: paid.payer, amount: -paid.amount, isRefund: true, personId: null, clue: null });
    } else {
      const payer = random.pick(SPENDING);
      const amount = -1000 * (1 + random.below(300));
      drafts.push({ when: moment(), payer, amount, isRefund: false, personId: null, clue: null });
    }
  }
  let balance = 10_000_000;
  const ledger = drafts
    .toSorted((a, b) => (a.when < b.when ? -1 : Number(a.when > b.when)))
    .map((draft): TrueMovement => ({ ...draft, balance: (balance += draft.amount) }));
  return { people, ledger, random };
}

const won = (amount: number) => amount.toLocaleString("ko-KR");
const inWon = (amount: number) => (amount > 0 ? won(amount) : "");
const second = ({ when }: TrueMovement) => when.replaceAll("-", ".");
const minute = ({ when }: TrueMovement) => when.slice(0, 16);
const day = ({ when }: TrueMovement) => when.slice(0, 10);
const paid = ({ amount }: TrueMovement) => inWon(amount);
const out = ({ amount }: TrueMovement) => inWon(-amount);
const balance = (row: TrueMovement) => won(row.balance);
const payer = (row: TrueMovement) => row.payer;
const spacedPayer = (row: TrueMovement) => ` ${row.payer}  `;
const way = () => "전자금융";

interface Form {
  name: string;
  /** One row of heads, or two. */
  heads: string[];
  cells: ((row: TrueMovement) => string)[];
  isNewestFirst?: boolean;
}

/** Seconds, minutes or days × with or without balance × signed or two columns × order, with heads of banks. */
export const FORMS: readonly Form[] = [
  {
    name: "seconds, balance, two columns",
    heads: ["거래일시|적요|보낸분/받는분|출금액(원)|입금액(원)|잔액(원)"],
    cells: [second, way, payer, out, paid, balance],
  },
  {
    name: "date and time apart, newest first",
    heads: ["거래일자|거래시간|적요|출금(원)|입금(원)|내용|잔액(원)"],
    cells: [day, ({ when }) => when.slice(11), way, out, paid, spacedPayer, balance],
    isNewestFirst: true,
  },
  {
    name: "heads in two rows, minutes",
    heads: ["거래일시|거래금액||거래후잔액|거래기록사항", "|출금|입금||"],
    cells: [minute, out, paid, balance, payer],
    isNewestFirst: true,
  },
  {
    name: "signed with balance, minutes",
    heads: ["거래일시|거래금액|거래 후 잔액|내용"],
    cells: [minute, ({ amount }) => won(amount), balance, payer],
  },
  {
    name: "days with balance",
    heads: ["거래일자|찾으신금액|맡기신금액|거래내용|거래후 잔액"],
    cells: [day, out, paid, payer, balance],
  },
  { name: "days alone", heads: ["일자|입금액|출금액|적요"], cells: [day, paid, out, payer] },
  {
    name: "signed without balance, seconds",
    heads: ["거래일시|금액|보낸사람"],
    cells: [second, ({ amount }) => won(amount), spacedPayer],
    isNewestFirst: true,
  },
  {
    name: "a column that says which, minutes",
    heads: ["거래일시|구분|거래금액|내용"],
    cells: [minute, ({ amount }) => (amount > 0 ? "입금" : "출금"), ({ amount }) => won(Math.abs(amount)), payer],
  },
  {
    name: "withdrawals in brackets, seconds",
    heads: ["처리일시|지급(원)|입금(원)|의뢰인"],
    cells: [
      second,
      ({ amount }) => (amount < 0 ? `(${won(-amount)})` : "0"),
      ({ amount }) => inWon(amount) || "0",
      payer,
    ],
  },
  {
    name: "withdrawals by a mark, days and balance",
    heads: ["거래일|거래금액|기재내용|잔고"],
    cells: [day, ({ amount }) => (amount < 0 ? `△${won(-amount)}` : won(amount)), payer, balance],
    isNewestFirst: true,
  },
  {
    name: "negative withdrawals, minutes and balance",
    heads: ["거래일시|출금금액|입금금액|기록사항|거래후잔고"],
    cells: [minute, ({ amount }) => (amount < 0 ? won(amount) : ""), paid, payer, balance],
  },
  {
    name: "returns as cancelled deposits",
    heads: ["거래일시|거래구분|출금|입금|입금자명|잔액"],
    cells: [
      second,
      ({ amount, isRefund }) => (isRefund ? "입금취소" : amount < 0 ? "출금" : "입금"),
      (row) => (row.isRefund ? "" : out(row)),
      (row) => (row.isRefund ? won(-row.amount) : paid(row)),
      payer,
      balance,
    ],
    isNewestFirst: true,
  },
];

/** Movements as rows of a bank's sheet, in the form's order. */
export function sheetOf({ heads, cells, isNewestFirst = false }: Form, rows: readonly TrueMovement[]) {
  const lines = [...heads.map((head) => head.split("|")), ...rows.map((row) => cells.map((cell) => cell(row)))];
  const ordered = isNewestFirst ? [...lines.slice(0, heads.length), ...lines.slice(heads.length).toReversed()] : lines;
  return ordered.map((each, at) => ({ row: at + 1, cells: each }));
}

/** Movements of one day that nobody can tell apart by day, payer and amount. */
export const groupOf = ({ when, payer: text, amount }: Pick<TrueMovement, "when" | "payer" | "amount">) =>
  `${when.slice(0, 10)} ${payerKey(text)} ${amount}`;
