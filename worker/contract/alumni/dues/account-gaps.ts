import type { Gap } from "./bank-file.ts";
import type { AccountRow } from "./known-rows.ts";

export const dayOf = ({ when }: { when: string }): string => when.slice(0, 10);

const onDay = (rows: readonly AccountRow[], day: string) => rows.filter((row) => dayOf(row) === day);

/** Rows of a day may be in any order, so that one balance that fits joins two days. */
function areJoined(earlier: readonly AccountRow[], later: readonly AccountRow[]): boolean {
  const closed = new Set(earlier.flatMap(({ balance }) => balance ?? []));
  const opened = later.flatMap(({ balance, amount }) => (balance === null ? [] : [balance - amount]));
  return closed.size === 0 || opened.length === 0 || opened.some((balance) => closed.has(balance));
}

/** Compares a file's first and last day with the stored days before and after it. @param stored by time */
export function gapsAround(rows: readonly AccountRow[], stored: readonly AccountRow[]): Gap[] {
  const days = rows.map((row) => dayOf(row)).toSorted();
  const [first = "", last = ""] = [days[0], days.at(-1)];
  if (stored.some((row) => dayOf(row) === first || dayOf(row) === last)) return [];
  const before = stored.findLast((row) => dayOf(row) < first);
  const after = stored.find((row) => dayOf(row) > last);
  const neighbours = [
    before && { from: onDay(stored, dayOf(before)), to: onDay(rows, first), days: [dayOf(before), first] as Gap },
    after && { from: onDay(rows, last), to: onDay(stored, dayOf(after)), days: [last, dayOf(after)] as Gap },
  ];
  return neighbours.flatMap((each) => (each && !areJoined(each.from, each.to) ? [each.days] : []));
}
