import { groupedBy } from "#worker/contract/kernel/grouped-by.ts";
import { payerKey } from "./payer.ts";

/** A movement on an account; `when` is in Korean time, money that left is below zero. */
export type AccountRow = { when: string; payer: string; amount: number; balance: number | null };

const MIDNIGHT = "00:00:00";

/** A time that no bank wrote is midnight, a second that it did not write is 0. */
function knownTime(when: string): { day: string; minute: string; second: string } {
  const [day, time] = [when.slice(0, 10), when.slice(11, 19)];
  const minute = time === MIDNIGHT ? "" : time.slice(0, 5);
  return { day, minute, second: time.endsWith(":00") ? "" : time };
}

/** Rows waiting under a key; each is taken once. */
class Waiting<T> {
  private readonly rows: Map<string, T[]>;
  private readonly taken: Set<T>;
  constructor(rows: readonly T[], taken: Set<T>, keysOf: (row: T) => readonly string[]) {
    const pairs = rows.flatMap((row) => keysOf(row).map((key) => ({ key, row })));
    this.rows = new Map(
      [...groupedBy(pairs, ({ key }) => key)].map(([key, those]) => [key, those.map(({ row }) => row).toReversed()]),
    );
    this.taken = taken;
  }
  take(keys: readonly string[]): T | null {
    for (const key of keys) {
      const rows = this.rows.get(key);
      for (let row = rows?.pop(); row; row = rows?.pop())
        if (!this.taken.has(row)) {
          this.taken.add(row);
          return row;
        }
    }
    return null;
  }
}

interface Known<Row, Stored> {
  /** Rows that are stored already. */
  same: ReadonlySet<Row>;
  /** Rows that agree with a stored one, where something is missing to be sure. */
  twins: ReadonlyMap<Row, Stored>;
  /** Rows with the day, amount and payer of a stored one that is another row. */
  alike: ReadonlySet<Row>;
}

const dayKey = ({ when, payer, amount }: AccountRow) => `${when.slice(0, 10)} ${amount} ${payerKey(payer)}`;

/** Where a stored row waits: by its second, its minute, or its day. */
function placesOf({ when }: AccountRow): string[] {
  const { minute, second } = knownTime(when);
  return [...(minute === "" ? ["day"] : second === "" ? [minute, `${minute}?`] : [second, minute]), ""];
}

/** Where a row of the file looks: at any time that does not contradict its own. */
function placesFor({ when }: AccountRow): string[] {
  const { minute, second } = knownTime(when);
  return minute === "" ? [""] : second === "" ? [minute, "day"] : [second, `${minute}?`, "day"];
}

function withBalance(row: AccountRow, places: readonly string[]): string[] {
  if (row.balance === null) return [];
  const key = dayKey(row);
  return places.map((place) => `${key} = ${row.balance} ${place}`);
}

const hasBalance = ({ balance }: AccountRow) => balance !== null;

function waitingAt(row: AccountRow, places: readonly string[]): string[] {
  const key = dayKey(row);
  return places.map((place) => `${key} ${hasBalance(row)} ${place}`);
}

/** Two known balances that are not equal are two rows. */
function lookingAt(row: AccountRow, places: readonly string[]): string[] {
  const key = dayKey(row);
  return places.flatMap((place) =>
    (hasBalance(row) ? [false] : [false, true]).map((known) => `${key} ${known} ${place}`),
  );
}

const secondOf = ({ when }: AccountRow) => [knownTime(when).second].filter(Boolean);

/** The balance, or the minute, of rows with another text of the payer. @param balances known ones that do not contradict */
function otherPayerKeys({ when, amount, balance, payer }: AccountRow, balances: readonly boolean[]): string[] {
  const { day, minute } = knownTime(when);
  const byBalance = balance === null ? [] : [`${day} ${amount} = ${balance}`];
  const start = payerKey(payer).slice(0, 2);
  if (start.length < 2 || minute === "") return byBalance;
  return [...byBalance, ...balances.map((known) => `${day} ${minute} ${amount} ${start} ${known}`)];
}

const exactKey = ({ when, payer, amount, balance }: AccountRow) => [
  `${when.slice(0, 19)} ${amount} ${balance ?? ""} ${payer}`,
];

interface Pass {
  /** Keys under which a stored row waits. */
  waits: (row: AccountRow) => string[];
  /** Keys under which a row of the file looks. */
  looks: (row: AccountRow) => string[];
  isSure: boolean;
}

/** From the surest on. */
const PASSES: readonly Pass[] = [
  { waits: exactKey, looks: exactKey, isSure: true },
  {
    waits: (row) => withBalance(row, placesOf(row)),
    looks: (row) => withBalance(row, placesFor(row)),
    isSure: true,
  },
  {
    waits: (row) => waitingAt(row, secondOf(row)),
    looks: (row) => lookingAt(row, secondOf(row)),
    isSure: true,
  },
  {
    waits: (row) => waitingAt(row, placesOf(row)),
    looks: (row) => lookingAt(row, placesFor(row)),
    isSure: false,
  },
  {
    waits: (row) => otherPayerKeys(row, [hasBalance(row)]),
    looks: (row) => otherPayerKeys(row, hasBalance(row) ? [false] : [false, true]),
    isSure: false,
  },
];

/** Finds the rows of a file among those stored of its days, in any form of the bank; each stored one is found once. */
export function findKnownRows<Row extends AccountRow, Stored extends AccountRow>(
  rows: readonly Row[],
  stored: readonly Stored[],
): Known<Row, Stored> {
  const taken = new Set<Stored>();
  const same = new Set<Row>();
  const twins = new Map<Row, Stored>();
  // Rows of different days are different rows.
  const days = new Set(stored.map(({ when }) => when.slice(0, 10)));
  const near = rows.filter(({ when }) => days.has(when.slice(0, 10)));
  for (const { waits, looks, isSure } of PASSES) {
    const waiting = new Waiting(stored, taken, waits);
    for (const row of near) {
      if (same.has(row) || twins.has(row)) continue;
      const known = waiting.take(looks(row));
      if (known && isSure) same.add(row);
      else if (known) twins.set(row, known);
    }
  }
  const storedKeys = new Set(stored.map((row) => dayKey(row)));
  const alike = new Set(near.filter((row) => !same.has(row) && !twins.has(row) && storedKeys.has(dayKey(row))));
  return { same, twins, alike };
}
