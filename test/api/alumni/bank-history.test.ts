import { beforeEach, expect, test } from "vitest";
import { findBankTable } from "#worker/contract/alumni/dues/bank-file.ts";
import { readBankRows } from "#worker/contract/alumni/dues/bank-rows.ts";
import { callAs } from "../../support/api-client.ts";
import { createAdministratorSession, type TestSession } from "../../support/people.ts";
import { isFull } from "../../support/sample.ts";
import { readRows, runSql } from "../../support/test-database.ts";
import {
  ANNUAL_DUE,
  FORMS,
  groupOf,
  type HistoryPerson,
  makeHistory,
  sheetOf,
  shuffled,
  type TrueMovement,
} from "./bank-history.ts";
import { expectDuesCounted } from "./dues.ts";

const PATH = "/api/admin/due/deposit";
const DAYS = isFull ? 730 : 73;
const SIZE = { deposits: isFull ? 3000 : 300, withdrawals: isFull ? 400 : 40, days: DAYS };
const WINDOW = 30;
const STEP = 20;

let admin: TestSession;
beforeEach(async () => {
  admin = await createAdministratorSession();
});

async function addPeopleWithDues(people: readonly HistoryPerson[]) {
  await runSql(
    `INSERT INTO alumni (id, name, search_all, state, created_date, modified_date)
      SELECT value ->> 'id', value ->> 'name', value ->> 'name', '활동', 1, 1 FROM json_each(?)`,
    JSON.stringify(people),
  );
  for (const period of ["2025", "2026"])
    await runSql(
      `INSERT INTO due (id, alumni_id, kind_id, period, amount, work_id, created_date, modified_date)
        SELECT ?1 || (value ->> 'id'), value ->> 'id', 'k', ?1, ?2, '', 1, 1 FROM json_each(?3)`,
      period,
      ANNUAL_DUE,
      JSON.stringify(people),
    );
}

/** Windows of days that overlap, each once, and more of them in every form; some were downloaded within their last day. */
function filesOf(ledger: readonly TrueMovement[], { random }: Pick<ReturnType<typeof makeHistory>, "random">) {
  const days = [...new Set(ledger.map(({ when }) => when.slice(0, 10)))].toSorted();
  const windows = Array.from({ length: Math.ceil(days.length / STEP) }, (_, at) => {
    const those = new Set(days.slice(at * STEP, at * STEP + WINDOW));
    return ledger.filter(({ when }) => those.has(when.slice(0, 10)));
  });
  const cut = (rows: readonly TrueMovement[]) => {
    const last = rows.at(-1)?.when.slice(0, 10) ?? "";
    return random.below(2) === 0 ? [...rows] : rows.filter(({ when }) => when < `${last} 1${random.below(9)}`);
  };
  const repeated = Array.from({ length: Math.ceil(windows.length / FORMS.length) }, () => FORMS).flat();
  return shuffled(random, [
    ...windows.map((rows) => ({ rows, form: random.pick(FORMS) })),
    ...repeated.map((form) => ({ rows: cut(random.pick(windows)), form })),
  ]);
}

type Stored = { when: string; payer: string; amount: number };

const storedGroups = async () =>
  countBy(
    await readRows<Stored>(
      "SELECT datetime(paid_date / 1000 + 32400, 'unixepoch') AS \"when\", payer, amount FROM deposit",
    ),
  );

function countBy(rows: readonly Stored[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(groupOf(row), (counts.get(groupOf(row)) ?? 0) + 1);
  return counts;
}

type PlanRow = { at: number; pile: string; why: string | null; people: string[] };

/** Stores a file as an office that knows the truth: a twin is another deposit while the true number is not reached. */
async function importFile({ rows, form }: ReturnType<typeof filesOf>[number], expected: ReadonlyMap<string, number>) {
  const sheet = sheetOf(form, rows);
  const table = findBankTable(sheet);
  if (!table) throw new Error(`no table: ${form.name}`);
  const { deposits, withdrawals, refused } = readBankRows(sheet, table);
  const inOrder = form.isNewestFirst ? rows.toReversed() : rows;
  const paid = inOrder.filter(({ amount }) => amount > 0);
  expect([form.name, refused, deposits.length, withdrawals.length]).toEqual([
    form.name,
    [],
    paid.length,
    rows.length - paid.length,
  ]);
  const sent = { rows: deposits, withdrawals };
  const plan = (await callAs(admin, "POST", `${PATH}/plan`, sent)).data;
  const planned = plan.rows as PlanRow[];
  const counts = await storedGroups();
  for (const { at, pile } of planned) if (pile !== "twin") add(counts, paid[at]);
  const separate: number[] = [];
  for (const { at, pile } of planned) {
    const truth = paid[at];
    if (pile !== "twin" || !truth || (counts.get(groupOf(truth)) ?? 0) >= (expected.get(groupOf(truth)) ?? 0)) continue;
    separate.push(at);
    add(counts, truth);
  }
  const body = { ...sent, fingerprint: plan.fingerprint, fileName: form.name, separate };
  expect((await callAs(admin, "POST", `${PATH}/commit`, body)).code).toBe("SUCCESS");
  return planned.map((row) => ({ ...row, truth: paid[row.at] }));
}

function add(counts: Map<string, number>, row: TrueMovement | undefined) {
  if (row) counts.set(groupOf(row), (counts.get(groupOf(row)) ?? 0) + 1);
}

const share = (those: readonly boolean[]) => those.filter(Boolean).length / those.length;

test.each([1, 2])(
  `overlapping files of ${FORMS.length} forms store each deposit once, history %i`,
  { tags: "sampled" },
  async (seed) => {
    const history = makeHistory(20_261_129 + seed, SIZE);
    const { people, ledger } = history;
    const names = new Map(people.map(({ id, name }) => [id, name]));
    await addPeopleWithDues(people);
    const seen = new Set<TrueMovement>();
    const wrongQuestions: unknown[] = [];
    for (const file of filesOf(ledger, history)) {
      for (const row of file.rows) seen.add(row);
      const expected = countBy([...seen]);
      const asked = await importFile(file, expected);
      // Of each group as many rows as the account has, none lost and none doubled.
      expect(await storedGroups()).toEqual(expected);
      for (const { pile, people: candidates, truth } of asked)
        if (
          truth?.personId &&
          ["ask", "unknown"].includes(pile) &&
          !candidates.includes(names.get(truth.personId) ?? "")
        )
          wrongQuestions.push({ form: file.form.name, pile, candidates, truth });
    }
    expect(wrongQuestions).toEqual([]);
    expect(seen.size).toBe(SIZE.deposits + SIZE.withdrawals);

    const payments = await readRows<Stored & { personId: string }>(
      `SELECT datetime(d.paid_date / 1000 + 32400, 'unixepoch') AS "when", d.payer, d.amount, u.alumni_id AS personId
        FROM due_allocation x JOIN deposit d ON d.id = x.deposit_id JOIN due u ON u.id = x.due_id`,
    );
    const payersOf = new Map<string, Set<string | null>>();
    for (const row of ledger) payersOf.set(groupOf(row), (payersOf.get(groupOf(row)) ?? new Set()).add(row.personId));
    expect(payments.filter((row) => !payersOf.get(groupOf(row))?.has(row.personId))).toEqual([]);
    const paid = new Set(payments.map((row) => groupOf(row)));
    const shareOf = (clue: TrueMovement["clue"]) =>
      share(ledger.filter((row) => row.clue === clue).map((row) => paid.has(groupOf(row))));
    expect(shareOf("name")).toBeGreaterThanOrEqual(0.96);
    expect(shareOf("digits")).toBeGreaterThanOrEqual(0.99);
    await expectDuesCounted();
  },
);
