import { countUntil } from "#worker/contract/kernel/sorted-rows.ts";
import { byTime, type Movement } from "./bank-file.ts";
import { payerNames } from "./payer.ts";

/** Days after which money that goes back is no return of a deposit. */
export const RETURN_DAYS = 180;

/** Deposits of one name among which the returned one is looked for. */
const NEWEST = 20;

const daysBetween = (from: string, to: string) =>
  (Date.parse(`${to.slice(0, 10)}T00:00:00Z`) - Date.parse(`${from.slice(0, 10)}T00:00:00Z`)) / 86_400_000;

/** A withdrawal without a time may be any of its day. */
const lastMoment = (when: string) => (when.slice(11, 19) === "00:00:00" ? `${when.slice(0, 10)}~` : when);

/** Deposits by time under the names that a withdrawal may have. @param wanted names of withdrawals */
function depositsByName<Deposit extends Movement>(deposits: readonly Deposit[], wanted: ReadonlySet<string>) {
  const byName = new Map<string, Deposit[]>();
  for (const deposit of deposits.toSorted(byTime)) {
    const { whole, parts } = payerNames(deposit.payer);
    const inside = parts.filter((part) => part !== whole && wanted.has(part));
    const keys =
      whole === ""
        ? []
        : [whole, `${whole} ${deposit.amount}`, ...inside.map((part) => `${part} in ${deposit.amount}`)];
    for (const key of keys) {
      const those = byName.get(key);
      if (those) those.push(deposit);
      else byName.set(key, [deposit]);
    }
  }
  return byName;
}

function keysOf({ payer, amount }: Movement): string[] {
  const { whole, parts } = payerNames(payer);
  return [`${whole} ${amount}`, `${whole} in ${amount}`, ...parts.map((part) => `${part} ${amount}`), whole];
}

/**
 * The deposit that each withdrawal returns, as a whole or in part: the latest one before it of the same payer, first of
 * the same amount.
 */
export function findReturned<Deposit extends Movement, Withdrawal extends Movement>(
  deposits: readonly Deposit[],
  withdrawals: readonly Withdrawal[],
): Map<Deposit, Withdrawal> {
  const byName = depositsByName(deposits, new Set(withdrawals.flatMap(({ payer }) => payerNames(payer).whole)));
  const returned = new Map<Deposit, Withdrawal>();
  const latest = (those: readonly Deposit[], { when, amount }: Withdrawal) => {
    const until = countUntil(those, (each) => each.when, lastMoment(when));
    return those
      .slice(Math.max(until - NEWEST, 0), until)
      .findLast((each) => !returned.has(each) && each.amount >= amount && daysBetween(each.when, when) <= RETURN_DAYS);
  };
  for (const withdrawal of withdrawals) {
    for (const key of keysOf(withdrawal)) {
      const found = latest(byName.get(key) ?? [], withdrawal);
      if (!found) continue;
      returned.set(found, withdrawal);
      break;
    }
  }
  return returned;
}
