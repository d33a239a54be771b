import { expect, test } from "vitest";
import { findReturned, RETURN_DAYS } from "#worker/contract/alumni/dues/returns.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";

const movement = (payer: string, amount: number, when: string) => ({ payer, amount, when: `${when}+09:00` });

type Movement = ReturnType<typeof movement>;

/** The places of the deposits that the withdrawals return. */
const returnedBy = (deposits: Movement[], ...withdrawals: Movement[]) => {
  const found = findReturned(deposits, withdrawals);
  return withdrawals.map((withdrawal) => deposits.findIndex((deposit) => found.get(deposit) === withdrawal));
};

const paid = (amount: number, when = "2026-03-02T10:00:00", payer = "강다석 회비") => movement(payer, amount, when);
const back = (amount: number, when = "2026-03-04T10:00:00", payer = "강다석") => movement(payer, amount, when);
const daysAfter = (days: number) =>
  new Date(Date.parse("2026-03-02T10:00:00Z") + days * DAY_MS).toISOString().slice(0, 19);

test.each<[rule: string, deposits: Movement[], withdrawal: Movement, found: number]>([
  ["of another payer returns none", [paid(50_000)], back(50_000, undefined, "강나율"), -1],
  ["that is larger than the deposit returns none", [paid(50_000)], back(50_001), -1],
  ["of a part returns the deposit", [paid(50_000)], back(49_999), 0],
  ["before the deposit returns none", [paid(50_000)], back(50_000, "2026-03-02T09:59:59"), -1],
  ["of the same second returns the deposit", [paid(50_000)], back(50_000, "2026-03-02T10:00:00"), 0],
  ["without a time returns a deposit of its day", [paid(50_000)], back(50_000, "2026-03-02T00:00:00"), 0],
  ["without a time returns none of the next day", [paid(50_000)], back(50_000, "2026-03-01T00:00:00"), -1],
  ["on the last day for returns finds the deposit", [paid(50_000)], back(50_000, daysAfter(RETURN_DAYS)), 0],
  ["after the last day for returns finds none", [paid(50_000)], back(50_000, daysAfter(RETURN_DAYS + 1)), -1],
  [
    "takes the same amount before a later deposit",
    [paid(30_000), paid(50_000, "2026-03-03T10:00:00")],
    back(30_000),
    0,
  ],
  ["takes the later of two like deposits", [paid(50_000), paid(50_000, "2026-03-03T10:00:00")], back(50_000), 1],
  [
    "takes the same amount among words before the payer's other one",
    [paid(50_000, undefined, "서울지부강다석"), paid(70_000, "2026-03-03T10:00:00", "강다석")],
    back(50_000),
    0,
  ],
  ["with words around the name finds the payer", [paid(50_000)], back(50_000, undefined, "강다석 반환"), 0],
  ["without a name returns none", [paid(50_000, undefined, "회비")], back(50_000, undefined, "반환"), -1],
])("a withdrawal %s", (_rule, deposits, withdrawal, found) => {
  expect(returnedBy(deposits, withdrawal)).toEqual([found]);
});

test("two withdrawals return two deposits", () => {
  const deposits = [paid(50_000), paid(50_000, "2026-03-03T10:00:00")];
  expect(returnedBy(deposits, back(50_000), back(50_000, "2026-03-05T10:00:00"))).toEqual([1, 0]);
});

test("one deposit is returned once", () => {
  expect(returnedBy([paid(50_000)], back(50_000), back(50_000, "2026-03-05T10:00:00"))).toEqual([0, -1]);
});
