import { expect, test } from "vitest";
import type { AccountRow } from "#worker/contract/alumni/dues/known-rows.ts";
import { findKnownRows } from "#worker/contract/alumni/dues/known-rows.ts";
import { guessPayers, matchDeposits } from "#worker/domain/alumni/dues/match.ts";
import type { BookPerson } from "#worker/domain/alumni/dues/payer-book.ts";
import { findReturned } from "#worker/contract/alumni/dues/returns.ts";
import { leastTime } from "../../support/cost-in-parts.ts";
import { isFull } from "../../support/sample.ts";

/** Rows of the largest file, of which `npm test` walks a part. */
const ROWS = isFull ? 5000 : 1000;
const PEOPLE_A_ROW = 4;
/** Beyond linear, at twice the rows. */
const GROWTH_MAX = 1.3;
const ROUNDS_MAX = 10;

const letter = (at: number) => String.fromCodePoint(0xac00 + (at % 11_172));
const nameOf = (at: number) => `김${letter(at)}${letter(at * 7)}`;
/** As long as a bank's text is, with known words, spaces and a name inside. */
const payerOf = (at: number) =>
  `2026년 정기회비 ${nameOf(at)} 한빛병원 동문회 ${letter(at * 3)} 회원 납부 입금`.slice(0, 60);

const rowsOf = (count: number, sign: 1 | -1): AccountRow[] =>
  Array.from({ length: count }, (_, at) => ({
    when: `2026-03-${String(1 + (at % 28)).padStart(2, "0")} 10:${String(at % 60).padStart(2, "0")}:00`,
    payer: payerOf(at),
    amount: sign * 50_000,
    balance: null,
  }));

const peopleOf = (count: number): BookPerson[] =>
  Array.from({ length: count }, (_, at) => ({
    id: String(at),
    name: nameOf(at),
    cohort: null,
    affiliation: "",
    mobileTail: "",
    isActive: true,
    dues: [{ id: `due ${at}`, year: "2026", open: 50_000 }],
    fees: [],
  }));

const STEPS: [step: string, prepare: (rows: number) => () => unknown][] = [
  [
    "rows that are stored already",
    (count) => {
      const [rows, stored] = [rowsOf(count, 1), rowsOf(count, 1)];
      return () => findKnownRows([...rows, ...rowsOf(count, -1)], stored);
    },
  ],
  [
    "withdrawals that return deposits",
    (count) => {
      const deposits = rowsOf(count, 1);
      return () => findReturned(deposits, deposits);
    },
  ],
  [
    "people who pay",
    (count) => {
      const [deposits, people] = [rowsOf(count, 1), peopleOf(count * PEOPLE_A_ROW)];
      return () => matchDeposits(deposits, { people, remembered: () => [] }, () => null);
    },
  ],
  [
    "candidates of open deposits",
    (count) => {
      const [deposits, people] = [rowsOf(count, 1), peopleOf(count * PEOPLE_A_ROW)];
      return () => {
        const guessOf = guessPayers({ people, remembered: () => [] });
        return deposits.map((deposit) => guessOf(deposit));
      };
    },
  ],
];

/** Other work on the machine can only spoil a round. */
function growthOf(prepare: (rows: number) => () => unknown): number {
  const [half, whole] = [prepare(ROWS / 2), prepare(ROWS)];
  let least = Infinity;
  for (let round = 0; round < ROUNDS_MAX && least > GROWTH_MAX; round += 1)
    least = Math.min(least, leastTime(() => void whole()) / leastTime(() => void half()) / 2);
  return least;
}

test.each(STEPS)("twice the rows cost about twice the work: %s", { tags: "sampled" }, (_step, prepare) => {
  expect(growthOf(prepare)).toBeLessThanOrEqual(GROWTH_MAX);
});
