import { expect, test } from "vitest";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { isPersonPayer, payerKey } from "#worker/contract/alumni/dues/payer.ts";
import { closeAlikeDeposits } from "#worker/domain/alumni/dues/alike.server.ts";
import {
  allocateDeposit,
  recordPayment,
  releaseDeposit,
  setDepositClosed,
} from "#worker/domain/alumni/dues/bank.server.ts";
import { commitDeposits } from "#worker/domain/alumni/dues/commit.server.ts";
import { planDeposits } from "#worker/domain/alumni/dues/plan.server.ts";
import { chargeDues } from "#worker/domain/alumni/dues/charge.server.ts";
import { changeDue, deleteDue } from "#worker/domain/alumni/dues/due.server.ts";
import { mergePeople, beginStep, contextOf, type Book, DEEDS, KIND } from "../../support/deeds.ts";
import {
  DuesModel,
  emptyLedger,
  type Ledger,
  type ModelAllocation,
  type ModelDeposit,
  type ModelDue,
} from "../../support/dues-model.ts";
import { runInDatabase } from "../../support/isolate-database.ts";
import { type Random, randomFrom } from "../../support/random.ts";
import { runSequences, SEQUENCES, SEQUENCES_TIMEOUT_MS, STEPS } from "../../support/sequences.ts";
import { readRows, readValue } from "../../support/test-database.ts";
import { expectDuesCounted } from "../../api/alumni/dues.ts";

const PERIODS = ["2021", "2022", "2024", "2025", "2026"];

type Stored = Ledger & { paid: Map<string, number>; used: Map<string, number> };

const readLedger = (): Promise<Stored> =>
  runInDatabase(({ sql }) => {
    const ledger = { ...emptyLedger(), paid: new Map<string, number>(), used: new Map<string, number>() };
    for (const { id, paid, ...row } of sql.exec<DueRow>(
      "SELECT id, alumni_id AS person, period, amount, is_exempt AS isExempt, paid FROM due ORDER BY id",
    )) {
      ledger.dues.set(id, row);
      ledger.paid.set(id, paid);
    }
    for (const { id, used, ...row } of sql.exec<DepositRow>(
      "SELECT id, amount, is_closed AS isClosed, allocated AS used FROM deposit ORDER BY id",
    )) {
      ledger.deposits.set(id, row);
      ledger.used.set(id, used);
    }
    for (const { id, ...row } of sql.exec<AllocationRow>(
      "SELECT id, deposit_id AS deposit, due_id AS due, amount FROM due_allocation ORDER BY created_date, id",
    ))
      ledger.allocations.set(id, row);
    return ledger;
  });

type DueRow = ModelDue & { id: string; paid: number } & Record<string, SqlStorageValue>;
type DepositRow = ModelDeposit & { id: string; used: number } & Record<string, SqlStorageValue>;
type AllocationRow = ModelAllocation & { id: string } & Record<string, SqlStorageValue>;

interface Walk {
  book: Book;
  model: DuesModel;
  random: Random;
  live: Set<string>;
  merges: Set<string>;
}

type Act = (at: Walk) => Promise<string>;

const nameOf = async (id: string) => (await readValue<string>("SELECT name FROM alumni WHERE id = ?", id)) ?? "";
const withoutDue = ({ model, live }: Walk, period: string) =>
  [...live].filter((id) => model.duesOf(id).every(([, due]) => due.period !== period));

/** Takes over the rows of a deed, which are as the model expects. */
async function added({ model }: Walk, deedId: string | null, dues: readonly ModelDue[] | null) {
  const rows = model.added(await readLedger());
  const sorted = (each: readonly unknown[]) => each.map((row) => JSON.stringify(row)).toSorted();
  if (dues) expect(sorted(rows.filter(({ table }) => table === "dues").map(({ row }) => row))).toEqual(sorted(dues));
  model.take(rows);
  if (deedId) model.deeds.set(deedId, rows);
  return rows;
}

const deeds = {
  async charge(at: Walk) {
    const period = at.random.pick(PERIODS);
    const free = withoutDue(at, period);
    if (free.length === 0) return "";
    const people = at.random.some(free);
    const input = { kindId: KIND, period, segment: { ids: people }, dueDay: "", isBlankUnpaid: false };
    const { workId } = await chargeDues(await contextOf(at.book), { ...input, count: people.length });
    await added(
      at,
      workId,
      people.map((person) => ({ person, period, amount: 50_000, isExempt: 0 })),
    );
    return `charge ${period} ${people.join()}`;
  },
  async begin(at: Walk) {
    const period = at.random.pick(PERIODS);
    const free = withoutDue(at, period);
    if (free.length === 0) return "";
    const words = await Promise.all(
      at.random.some(free).map(async (id) => {
        const word = at.random.pick(["완납", "미납", "면제", "20000"]);
        return { id, name: await nameOf(id), cohort: null, word };
      }),
    );
    const input = { kindId: KIND, period, segment: { filter: {}, except: [] }, dueDay: "", isBlankUnpaid: false };
    const { workId } = await chargeDues(await contextOf(at.book), { ...input, words, count: words.length });
    const dues = words.map(({ id, word }) => ({
      person: id,
      period,
      amount: 50_000,
      isExempt: word === "면제" ? 1 : 0,
    }));
    await added(at, workId, dues);
    const paid = { 완납: 50_000, 미납: 0, 면제: 0, "20000": 20_000 } as Record<string, number>;
    for (const { id, word } of words)
      expect(at.model.paid(at.model.duesOf(id).find(([, due]) => due.period === period)?.[0] ?? "")).toBe(paid[word]);
    return `begin ${period} ${JSON.stringify(words)}`;
  },
  async bank(at: Walk) {
    const payers = [...(await Promise.all([...at.live].map(nameOf))), "한빛병원", "이자"];
    const minute = Math.floor(Date.now() / 60_000) % 60;
    const rows = at.random.some(payers).map((payer, nth) => ({
      when: new Date(`2026-03-02T${10 + nth}:${String(minute).padStart(2, "0")}:00+09:00`),
      payer,
      amount: at.random.pick([50_000, 20_000, 30_000]),
      balance: null,
      doubt: null,
    }));
    const { fingerprint } = await planDeposits(await contextOf(at.book), { rows, withdrawals: [] });
    const sent = { rows, withdrawals: [], separate: [], fileName: "입금.xlsx", fingerprint };
    const before = new Map([...at.model.ledger.dues.keys()].map((id) => [id, at.model.open(id)]));
    const { workId } = await commitDeposits(await contextOf(at.book), sent);
    const found = await added(at, workId, []);
    expect(found.filter(({ table }) => table === "deposits")).toHaveLength(rows.length);
    await expectClosed(at, found);
    for (const { row } of found) if ("due" in row) expect(row.amount).toBeLessThanOrEqual(before.get(row.due) ?? 0);
    return `bank ${JSON.stringify(rows)}`;
  },
  async other(at: Walk) {
    const waiting = await Promise.all(openDeposits(at).map(async ([id]) => ({ id, text: await textOf(id) })));
    const named = waiting.filter(({ text }) => text !== "");
    if (named.length === 0) return "";
    const { id, text } = at.random.pick(named);
    const ids = named.filter((each) => each.text === text).map((each) => each.id);
    const closing = await closeAlikeDeposits(await contextOf(at.book), id, {
      version: await versionIn("deposit", id),
      withoutDues: false,
    });
    expect(closing.count).toBe(ids.length);
    at.model.close(closing.workId, ids, text);
    return `other ${text}`;
  },
  async merge(at: Walk) {
    const keepId = at.random.pick([...at.live]);
    const lost = at.random.pick([...at.live]);
    if (keepId === lost) return "";
    const mergeId = await mergePeople(at.book, keepId, lost);
    at.model.merge(keepId, lost);
    at.model.deeds.set(mergeId, []);
    at.merges.add(mergeId);
    at.live.delete(lost);
    return `merge ${lost} into ${keepId}`;
  },
} satisfies Record<string, Act>;

const textOf = async (id: string) =>
  payerKey((await readValue<string>("SELECT payer FROM deposit WHERE id = ?", id)) ?? "");

/** A file closes only remembered texts, and all of them that name nobody. */
async function expectClosed({ model }: Walk, found: Awaited<ReturnType<typeof added>>) {
  for (const { id, row } of found) {
    if (!("isClosed" in row)) continue;
    const text = await textOf(id);
    const isKnown = model.noDues.has(text);
    if (row.isClosed === 1) expect(isKnown, text).toBe(true);
    const doubt = await readValue<string>("SELECT doubt FROM deposit WHERE id = ?", id);
    if (isKnown && doubt === "" && !isPersonPayer(text)) expect(row.isClosed, text).toBe(1);
  }
}

const openDeposits = ({ model }: Walk) =>
  [...model.ledger.deposits].filter(([id, { amount, isClosed }]) => !isClosed && model.used(id) < amount);
const versionIn = async (table: "due" | "deposit", id: string) =>
  (await readValue<number>(`SELECT version FROM ${table} WHERE id = ?`, id)) ?? 0;

const hands = {
  async pay(at: Walk) {
    const person = at.random.pick([...at.live]);
    const owed = at.model.owed(person);
    if (owed === 0) return "";
    const amount = at.random.pick([owed, Math.min(owed, 20_000)]);
    const expected = at.model.oldest(person, amount);
    await recordPayment(await contextOf(at.book), { alumniId: person, amount, day: koreanDay(new Date()), note: "" });
    const found = await added(at, null, []);
    const parts = found.flatMap(({ row }) => ("due" in row ? [{ due: row.due, amount: row.amount }] : []));
    expect(parts.toSorted((one, other) => one.due.localeCompare(other.due))).toEqual(
      expected.toSorted((one, other) => one.due.localeCompare(other.due)),
    );
    return `pay ${amount} of ${person}`;
  },
  async allocate(at: Walk) {
    const [id, row] = at.random.pick([...openDeposits(at), ["", { amount: 0, isClosed: 0 }] as const]);
    const person = at.random.pick([...at.live]);
    const owed = at.model.owed(person);
    if (id === "" || owed === 0) return "";
    const left = row.amount - at.model.used(id);
    const sent = { version: await versionIn("deposit", id), people: [person], remember: false };
    await allocateDeposit(await contextOf(at.book), id, sent);
    const found = await added(at, null, []);
    at.model.noDues.delete(await textOf(id));
    expect(found.reduce((sum, each) => sum + ("due" in each.row ? each.row.amount : 0), 0)).toBe(Math.min(left, owed));
    return `allocate ${id} to ${person}`;
  },
  async release(at: Walk) {
    const used = [...at.model.ledger.deposits.keys()].filter((id) => at.model.used(id) > 0);
    if (used.length === 0) return "";
    const id = at.random.pick(used);
    await releaseDeposit(await contextOf(at.book), id, await versionIn("deposit", id));
    for (const [key, { deposit }] of at.model.ledger.allocations)
      if (deposit === id) at.model.ledger.allocations.delete(key);
    return `release ${id}`;
  },
  async close(at: Walk) {
    const { deposits } = at.model.ledger;
    const unspent = [...deposits].filter(([id, { amount }]) => at.model.used(id) < amount);
    if (unspent.length === 0) return "";
    const [id, row] = at.random.pick(unspent);
    const isClosed = !row.isClosed;
    await setDepositClosed(await contextOf(at.book), id, {
      version: await versionIn("deposit", id),
      isClosed,
      note: "",
    });
    deposits.set(id, { ...row, isClosed: isClosed ? 1 : 0 });
    if (!isClosed) at.model.noDues.delete(await textOf(id));
    return `close ${id} ${isClosed}`;
  },
  async change(at: Walk) {
    const [id, row] = at.random.pick([...at.model.ledger.dues, ["", null] as const]);
    if (!row) return "";
    const paid = at.model.paid(id);
    const isExempt = paid === 0 && at.random.below(3) === 0;
    const amount = at.random.pick([50_000, 60_000, Math.max(paid, 1)].filter((each) => each >= paid));
    // Another reason is a change that the model does not know.
    if (isExempt && row.isExempt === 1) return "";
    const sent = { version: await versionIn("due", id), amount, dueDay: "", isExempt, reason: isExempt ? "원로" : "" };
    await changeDue(await contextOf(at.book), id, sent);
    at.model.ledger.dues.set(id, { ...row, amount, isExempt: isExempt ? 1 : 0 });
    return `change ${id} to ${amount} ${isExempt}`;
  },
  async delete(at: Walk) {
    const unpaid = [...at.model.ledger.dues.keys()].filter((id) => at.model.paid(id) === 0);
    if (unpaid.length === 0) return "";
    const id = at.random.pick(unpaid);
    await deleteDue(await contextOf(at.book), id, await versionIn("due", id));
    at.model.ledger.dues.delete(id);
    return `delete ${id}`;
  },
  async undo(at: Walk) {
    const ids = [...at.model.deeds.keys()];
    return ids.length === 0 ? "" : undoDeed(at, at.random.pick(ids));
  },
} satisfies Record<string, Act>;

const readPeople = () => readRows<{ id: string }>("SELECT id FROM alumni WHERE deleted_date IS NULL");

/** A merge's undo names the person of each row that is neither as before nor as before the deed. */
async function undoDeed(at: Walk, id: string): Promise<string> {
  const { book, model } = at;
  if (!at.merges.has(id)) {
    const named = (await DEEDS.bank.undo(book, id)).map((each) => each.id).toSorted();
    expect(named).toEqual((model.closings.has(id) ? model.undoClosing(id) : model.undo(id)).toSorted());
    return `undo ${id}, left ${named.join()}`;
  }
  const before = await readMergeRows(id);
  const named = new Set((await DEEDS.merge.undo(book, id)).map((each) => each.id));
  const after = new Map((await readMergeRows(id)).map((row) => [row.key, row]));
  for (const row of before.filter(({ key }) => after.has(key))) {
    const isGone = row.table === "due_allocation" && row.current === null;
    expect(isGone || [row.person, row.deposit].some((owner) => named.has(owner)), `${id} leaves ${row.key}`).toBe(true);
    expect(after.get(row.key)?.current).toBe(row.current);
  }
  if (after.size === 0 && named.size === 0) model.deeds.delete(id);
  model.ledger = await modelOf();
  at.live = new Set((await readPeople()).map((person) => person.id));
  return `undo ${id}, left ${[...named].join()}`;
}

const readMergeRows = (id: string) =>
  readRows<{ table: string; key: string; person: string; deposit: string; current: string | null }>(
    `SELECT table_name AS "table", table_name || row_key AS key, coalesce(nullif(r.alumni_id, ''), d.alumni_id, '') AS person,
      coalesce(r.before ->> 'deposit_id', '') AS deposit,
      CASE table_name WHEN 'due' THEN (SELECT json_array(alumni_id, period, amount, is_exempt) FROM due WHERE id = row_key ->> 0)
        WHEN 'due_allocation' THEN (SELECT json_array(deposit_id, due_id, amount) FROM due_allocation WHERE id = row_key ->> 0) END AS current
    FROM deed_row r LEFT JOIN due d ON d.id = coalesce(r.after ->> 'due_id', r.before ->> 'due_id') WHERE deed_id = ?`,
    id,
  );

/** Owed, paid and open of each due and used of each deposit, to the won. */
async function compare({ model }: Walk) {
  const { paid, used, ...ledger } = await readLedger();
  expect(ledger).toEqual(model.ledger);
  expect(paid).toEqual(new Map([...ledger.dues.keys()].map((id) => [id, model.paid(id)])));
  expect(used).toEqual(new Map([...ledger.deposits.keys()].map((id) => [id, model.used(id)])));
  expect(await readRows("SELECT payer FROM due_payer WHERE alumni_id = ''")).toHaveLength(model.noDues.size);
  for (const [id, { amount, isExempt }] of ledger.dues)
    expect(model.paid(id), `payments of due ${id}`).toBeLessThanOrEqual(isExempt ? 0 : amount);
  for (const [id, { amount }] of ledger.deposits)
    expect(model.used(id), `used amount of deposit ${id}`).toBeLessThanOrEqual(amount);
}

/** The model takes over what is stored. */
async function modelOf(): Promise<Ledger> {
  const { dues, deposits, allocations } = await readLedger();
  return { dues, deposits, allocations };
}

/** Every second sequence has deeds alone, undone last first. */
async function runSequence(book: Book, seed: number, log: string[]): Promise<number> {
  const random = randomFrom(seed);
  const start = await modelOf();
  const people = await readPeople();
  const at: Walk = {
    book,
    model: new DuesModel(await modelOf()),
    random,
    live: new Set(people.map(({ id }) => id)),
    merges: new Set(),
  };
  const isPure = seed % 2 === 0;
  const acts: Act[] = isPure ? Object.values(deeds) : [...Object.values(deeds), ...Object.values(hands), hands.undo];
  let step = 1;
  for (; step <= STEPS; step += 1) {
    beginStep(book, step);
    const act = random.pick(acts);
    log.push(`${step} ${act.name}`);
    log.push(await act(at));
    await compare(at);
  }
  for (const id of [...at.model.deeds.keys()].toReversed()) {
    beginStep(book, (step += 1));
    log.push(`${step} undo ${id} at the end`);
    log.push(await undoDeed(at, id));
    await compare(at);
  }
  if (isPure) expect(at.model.deeds.size).toBe(0);
  if (isPure) expect(await modelOf()).toEqual(start);
  await expectDuesCounted();
  return step;
}

test(
  `dues equal a model after random deeds: ${SEQUENCES} sequences`,
  { tags: "sampled", timeout: SEQUENCES_TIMEOUT_MS },
  () => runSequences(runSequence),
);
