import { expect, test, vi } from "vitest";
import { AppError } from "#worker/contract/kernel/errors.ts";
import {
  addedPerson,
  beginInvocation,
  beginStep,
  type Book,
  type Deed,
  DEEDS,
  makeBook,
  MEANWHILE,
  tryStep,
} from "../../support/deeds.ts";
import {
  addRows,
  differencesOf,
  findEdit,
  LISTED,
  type ListedRows,
  ownersOf,
  readListed,
  writeEdit,
  wrongSums,
} from "../../support/person-rows.ts";
import {
  readAllRows,
  readWrittenRows,
  type StoredRows,
  withoutGuards,
  writeRowsAgain,
} from "../../support/reset-rows.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";

type Between = keyof typeof MEANWHILE;

interface Pair {
  deed: Deed;
  table: string;
}

const BETWEEN = Object.keys(MEANWHILE) as Between[];
const PAIRS = (Object.keys(DEEDS) as Deed[]).flatMap((deed) =>
  LISTED.map(({ name: table }): Pair => ({ deed, table })),
);
const pairs = sample(
  PAIRS,
  ({ deed, table }) => `${deed} ${table}`,
  ({ deed }) => deed,
);

const DEED = 1;
const MEAN = 2;
const UNDO = 3;

interface Done {
  stored: StoredRows;
  rows: ListedRows;
}

async function undo(book: Book, deed: Deed, id: string): Promise<string[] | AppError> {
  try {
    return (await DEEDS[deed].undo(book, id)).map((kept) => kept.id);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

interface Outcome {
  start: ListedRows;
  /** The start with the event alone. */
  wanted: ListedRows;
  after: ListedRows;
  before: ListedRows;
  found: ListedRows;
  /** Ids that the answer names, or a refusal. */
  named: string[] | AppError;
  between: Between;
  /** The event cannot happen without the deed, so that `wanted` lacks it. */
  needsDeed: boolean;
}

/** Rows that differ without a word, names without such a row, sums that do not fit. */
function faultsOf({ start, wanted, after, before, found, named, between, needsDeed }: Outcome): string[] {
  const isThere = (id: string) => found.get("alumni")?.has(id) || found.get("deposit")?.has(id);
  const isKept = ({ table, key }: { table: string; key: string }) =>
    JSON.stringify(before.get(table)?.get(key)) === JSON.stringify(found.get(table)?.get(key));
  const differences = differencesOf(wanted, found, between === "nothing")
    .map((each) => ({ ...each, owners: ownersOf(each, [wanted, after, found]) }))
    // Nobody can be named for what the destruction of a person left.
    .filter((each) => each.owners.some(isThere) || !isKept(each));
  const edited = differencesOf(after, before, true).map((each) => ({
    ...each,
    owners: ownersOf(each, [start, after, before]),
  }));
  const isEdited = ({ table, key }: { table: string; key: string }) =>
    edited.some((each) => each.table === table && each.key === key);
  const fault = (what: string, rows: readonly unknown[]) =>
    rows.length > 0 ? [`${what} ${JSON.stringify(rows)}`] : [];
  const sums = fault("sums", wrongSums(found));
  if (named instanceof AppError)
    return [
      ...fault("refused, but changed", differencesOf(before, found, true)),
      ...fault(
        `refused (${named.message}) although there is`,
        differences.filter(({ owners }) => owners.every((id) => found.get("alumni")?.has(id))),
      ),
      ...sums,
    ];
  // An edit of the only column that the deed wrote is named, and is what was wanted.
  const left = between === "an edit of the same field" || between === "erasure of a field" ? edited : [];
  const owners = new Set([...differences, ...left].flatMap((each) => each.owners));
  return [
    ...fault(
      "silent",
      differences.filter(
        (each) => !each.owners.some((id) => named.includes(id)) && !(needsDeed && isKept(each) && isEdited(each)),
      ),
    ),
    ...fault(
      "named without a difference",
      named.filter((id) => !owners.has(id)),
    ),
    ...sums,
  ];
}

/** Runs a deed, and from there each cell. @param alone what happens without a deed, by its name and its edit */
async function walk(book: Book, start: Done, { deed, table }: Pair, alone: Map<string, ListedRows>): Promise<string[]> {
  await beginInvocation(book);
  beginStep(book, DEED);
  const deedId = await DEEDS[deed].run(book, false);
  const person = deed === "insert" ? await addedPerson(deedId) : book.a;
  const listed = LISTED.find(({ name }) => name === table);
  if (deed === "insert" && listed) await addRows(listed, [person]);
  const after: Done = { stored: await readWrittenRows(start.stored), rows: await readListed(start.rows) };
  const deposits = [...(after.rows.get("deposit")?.values() ?? [])];
  const hasDeposit = deposits.some((row) => row.work_id === deedId && row.allocated === 0);
  // Rows of an added person are later than the deed.
  const other = deed === "insert" ? null : book.c;
  const editOf = (isSame: boolean) => findEdit(table, isSame, { start: start.rows, after: after.rows, person, other });
  const edit = async (isSame: boolean) => {
    const found = editOf(isSame);
    if (found) await writeEdit(found);
  };
  const edits = { "an edit of another field": editOf(false), "an edit of the same field": editOf(true) };
  const faults: string[] = [];
  for (const between of BETWEEN) {
    await beginInvocation(book);
    const run = async (from: Done) => {
      await writeRowsAgain(from.stored);
      beginStep(book, MEAN);
      return tryStep(() => MEANWHILE[between]({ book, deed, deedId, person, hasDeposit, edit }));
    };
    const key = JSON.stringify([between, person, hasDeposit, edits[between as keyof typeof edits]]);
    const isNothing = between === "nothing" || between === "another deed and its undo";
    const isAlone = alone.has(key) || isNothing || (await run(start));
    const expected = alone.get(key) ?? (isNothing || !isAlone ? start.rows : await readListed(start.rows));
    if (isAlone) alone.set(key, expected);
    const wanted = (await run(after)) ? expected : start.rows;
    const before = await readListed(start.rows);
    beginStep(book, UNDO);
    const named = await undo(book, deed, deedId);
    const found = await readListed(start.rows);
    const outcome = {
      start: start.rows,
      wanted,
      after: after.rows,
      before,
      found,
      named,
      between,
      needsDeed: !isAlone,
    };
    faults.push(...faultsOf(outcome).map((each) => `${deed}, ${table}, ${between}: ${each}`));
  }
  return faults;
}

test(
  `an undo restores or names each row: ${pairs.length * BETWEEN.length} of ${PAIRS.length * BETWEEN.length} cells, ${SAMPLE_NOTE}`,
  { tags: "sampled" },
  () =>
    withoutGuards(async () => {
      const book = await makeBook();
      const base = await readAllRows();
      const faults: string[] = [];
      for (const table of LISTED) {
        const ofTable = pairs.filter((pair) => pair.table === table.name);
        if (ofTable.length === 0) continue;
        vi.setSystemTime(book.start);
        await writeRowsAgain(base);
        await addRows(table, [book.a, book.b, book.c]);
        const start = { stored: await readWrittenRows(base), rows: await readListed() };
        const alone = new Map<string, ListedRows>();
        for (const pair of ofTable) {
          await writeRowsAgain(start.stored);
          faults.push(...(await walk(book, start, pair, alone)));
        }
      }
      expect(faults).toEqual([]);
    }),
);
