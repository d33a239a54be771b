import type { BookPerson, OpenDue } from "./payer-book.ts";

export type DepositAllocation = { dueId: string; amount: number };

const inFull = (dues: readonly OpenDue[]): DepositAllocation[] =>
  dues.map(({ id, open }) => ({ dueId: id, amount: open }));

const sumOf = (dues: readonly OpenDue[]) => dues.reduce((sum, { open }) => sum + open, 0);

/** The oldest dues, or one, that are exactly the amount; null if none or if both are. */
export function exactDues(dues: readonly OpenDue[], amount: number, years?: ReadonlySet<string>) {
  const asked = years?.size ? dues.filter(({ year }) => years.has(year)) : dues;
  const count = asked.findIndex((_, at) => sumOf(asked.slice(0, at + 1)) === amount) + 1;
  const single = asked.find(({ open }) => open === amount);
  if (count > 1) return single ? null : inFull(asked.slice(0, count));
  return single ? inFull([single]) : null;
}

/** As far as the money goes; the rest stays on the deposit. */
export function oldestDues(dues: readonly OpenDue[], amount: number): DepositAllocation[] {
  let left = amount;
  return dues.flatMap(({ id, open }) => {
    const paid = Math.min(open, left);
    left -= paid;
    return paid > 0 ? [{ dueId: id, amount: paid }] : [];
  });
}

/** Dues of one person or several that are exactly the amount: the oldest of each, or all. */
export function sharedDues(people: readonly BookPerson[], amount: number, years?: ReadonlySet<string>) {
  const [first] = people;
  if (first && people.length === 1) return exactDues(first.dues, amount, years);
  const sets = [people.flatMap(({ dues }) => dues.slice(0, 1)), people.flatMap(({ dues }) => dues)];
  const found = sets.find((dues) => dues.length > 0 && sumOf(dues) === amount);
  return found ? inFull(found) : null;
}
