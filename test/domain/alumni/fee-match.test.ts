import { expect, test } from "vitest";
import type { Movement } from "#worker/contract/alumni/dues/bank-file.ts";
import { payDigits } from "#worker/contract/alumni/dues/dues.ts";
import { matchDeposits } from "#worker/domain/alumni/dues/match.ts";
import type { BookPerson, OpenFee } from "#worker/domain/alumni/dues/payer-book.ts";
import { FIRST_SEED, isFull } from "../../support/sample.ts";

const fee = (id: string, open: number, from = "2026-11-16"): OpenFee => ({ id, open, from, title: "심포지엄 참가비" });
const due = (year: string, open: number) => ({ id: `due ${year}`, year, open });
const person = (more: Partial<BookPerson> = {}): BookPerson => ({
  id: "강다석",
  name: "강다석",
  cohort: null,
  affiliation: "",
  mobileTail: "7391",
  isActive: true,
  dues: [],
  fees: [],
  ...more,
});
const at = (payer: string, amount: number, day = "2026-11-20"): Movement => ({
  when: `${day} 10:00:00`,
  payer,
  amount,
});
const match = (people: BookPerson[], deposits: Movement[], remembered: readonly string[] = []) =>
  matchDeposits(deposits, { people, remembered: () => remembered }, () => null).map(
    ({ pile, cause, why, allocations }) =>
      pile === "sure" ? [cause, ...allocations.map(({ dueId, amount }) => `${dueId} ${amount}`)] : [pile, why],
  );
const one = (given: Partial<BookPerson>, payer: string, amount: number, day?: string) =>
  match([person(given)], [at(payer, amount, day)])[0];

const BOTH = { dues: [due("2026", 50_000)], fees: [fee("r1", 30_000)] };
const ALIKE = { dues: [due("2026", 50_000)], fees: [fee("r1", 50_000)] };

test("a name with the exact amount pays the fee", () => {
  expect(one(BOTH, "강다석", 30_000)).toEqual(["name", "r1 30000"]);
  expect(one(BOTH, "강다석", 50_000)).toEqual(["name", "due 2026 50000"]);
  expect(one(BOTH, "강다석 참가비", 30_000)).toEqual(["inText", "r1 30000"]);
});

test("an amount that fits a due like a fee is asked", () => {
  expect(one(ALIKE, "강다석", 50_000)).toEqual(["ask", "fee"]);
  expect(one(BOTH, "강다석", 80_000)).toEqual(["ask", "amount"]);
});

test("words of dues exclude a fee", () => {
  expect(one(ALIKE, "강다석 연회비", 50_000)).toEqual(["inText", "due 2026 50000"]);
  expect(one({ fees: [fee("r1", 50_000)] }, "강다석 회비", 50_000)).toEqual(["ask", "paid"]);
});

test("words of fees exclude a due", () => {
  expect(one(ALIKE, "강다석 등록비", 50_000)).toEqual(["inText", "r1 50000"]);
  expect(one({ dues: [due("2026", 50_000)] }, "강다석참가비", 50_000)).toEqual(["ask", "paid"]);
  expect(one({ dues: [due("2026", 50_000)] }, "강다석7391 참가비", 50_000)).toEqual(["ask", "fee"]);
});

test("the digits of a registration pay its fee alone", () => {
  expect(one(ALIKE, `강다석${payDigits("r1")}`, 50_000)).toEqual(["digits", "r1 50000"]);
  expect(one(BOTH, `강다석${payDigits("r1")}`, 50_000)).toEqual(["ask", "amount"]);
  expect(one(BOTH, `강다석${payDigits("r1")} 회비`, 50_000)).toEqual(["ask", "fee"]);
});

test("the digits of a person ask where a fee is the amount", () => {
  expect(one(ALIKE, `강다석${payDigits("강다석")}`, 50_000)).toEqual(["ask", "fee"]);
  expect(one(BOTH, "강다석7391", 30_000)).toEqual(["ask", "fee"]);
  expect(one(BOTH, "강다석7391", 50_000)).toEqual(["digits", "due 2026 50000"]);
  expect(one({ fees: BOTH.fees }, "강다석7391", 30_000)).toEqual(["digits", "r1 30000"]);
});

test("two fees of one amount are asked", () => {
  const fees = [fee("r1", 30_000), fee("r2", 30_000)];
  expect(one({ fees }, "강다석", 30_000)).toEqual(["ask", "fee"]);
  expect(one({ fees }, `강다석${payDigits("r2")}`, 30_000)).toEqual(["digits", "r2 30000"]);
});

test("a deposit from before the registration pays no fee", () => {
  expect(one({ fees: [fee("r1", 30_000)] }, "강다석", 30_000, "2026-11-15")).toEqual(["ask", "paid"]);
});

test("a fee is paid once", () => {
  const deposits = [at("강다석", 30_000), at("강다석", 30_000, "2026-11-21")];
  expect(match([person({ fees: [fee("r1", 30_000)] })], deposits)).toEqual([
    ["name", "r1 30000"],
    ["ask", "paid"],
  ]);
});

test("a registration without an entry is a payer like people", () => {
  const guest = person({ id: "r9", fees: [fee("r9", 30_000)] });
  expect(match([guest], [at("강다석", 30_000)])).toEqual([["name", "r9 30000"]]);
  expect(match([guest, person(BOTH)], [at("강다석", 30_000)])).toEqual([["ask", "namesakes"]]);
});

test("remembered people with a fee are asked", () => {
  const other = person({ id: "강나율", name: "강나율", dues: [due("2025", 20_000)] });
  const known = [person(BOTH), other];
  const ids = known.map(({ id }) => id);
  expect(match(known, [at("한빛병원", 70_000)], ids)).toEqual([["ask", "organisation"]]);
  expect(match(known, [at("이영희", 70_000)], ids)).toEqual([["ask", "fee"]]);
  expect(match(known, [at("이영희", 30_000)], ["강다석"])).toEqual([["remembered", "r1 30000"]]);
});

const PAYERS = isFull ? 2000 : 200;
const SEED = FIRST_SEED;

/** Texts of payers: the name, words, own digits or the fee's. */
const TEXTS = [
  (name: string) => name,
  (name: string, digits: string) => `${name}${digits}`,
  (name: string, digits: string) => `${digits} ${name}`,
  (name: string, _digits: string, word: string) => `${name} ${word}`,
  (name: string, _digits: string, word: string) => `${name}${word}`,
  (name: string, digits: string, word: string) => `${name}${digits} ${word}`,
];

test(`no fee pays a year's due among ${PAYERS} payers (seed ${SEED})`, { tags: "sampled" }, () => {
  let state = SEED;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const letters = [..."강김이박최정윤조장임한오서신권황안송류홍"];
  const pick = <T>(from: readonly T[]) => from[random(from.length)] as T;
  const people = Array.from({ length: PAYERS }, (_, nth): BookPerson => {
    const id = `person ${nth}`;
    const name = pick(letters) + pick(letters) + pick(letters) + (random(3) === 0 ? pick(letters) : "");
    const isMember = random(20) > 0;
    const fees = nth % 10 === 0 ? [fee(`fee ${nth}`, pick([30_000, 50_000, 80_000]), "2026-01-02")] : [];
    const years = isMember ? pick([["2026"], ["2026"], ["2025", "2026"]]) : [];
    const dues = years.map((year) => ({ id: `${id} ${year}`, year, open: pick([30_000, 50_000]) }));
    return person({ id, name, mobileTail: String(1000 + random(900)), dues, fees });
  });
  const truth = people.flatMap(({ name, id, mobileTail, dues, fees }) => [
    ...dues.slice(0, 1).map((owed) => ({
      id: owed.id,
      payer: pick(TEXTS)(name, pick([payDigits(id), mobileTail]), pick(["회비", "연회비", ""])),
      amount: owed.open,
    })),
    ...fees.map((owed) => ({
      id: owed.id,
      payer: pick(TEXTS)(name, pick([payDigits(owed.id), mobileTail]), pick(["참가비", "등록비", ""])),
      amount: owed.open,
    })),
  ]);
  const deposits = truth.map(({ payer, amount }, nth) => at(payer, amount, `2026-1${nth % 2}-0${1 + (nth % 9)}`));
  const found = matchDeposits(deposits, { people, remembered: () => [] }, () => null);
  const isFee = (id: string) => id.startsWith("fee");
  const wrong = found.flatMap(({ allocations }, nth) =>
    allocations.filter(({ dueId }) => dueId !== truth[nth]?.id).map(() => truth[nth]),
  );
  expect(wrong).toEqual([]);
  const paid = found.filter(({ allocations }, nth) => allocations.some(({ dueId }) => dueId === truth[nth]?.id));
  expect(paid.length).toBeGreaterThan(truth.length / 2);
  const paidFees = found.filter(({ allocations }) => allocations.some(({ dueId }) => isFee(dueId)));
  expect(paidFees.length).toBeGreaterThan(people.length / 25);
});
