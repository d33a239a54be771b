import { afterEach, beforeEach, expect, test } from "vitest";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { callAs } from "../../support/api-client.ts";
import { callApiWith, faultyDatabase } from "../../support/faulty-database.ts";
import { createAdministratorSession, type TestSession } from "../../support/people.ts";
import { readRow, readValue, runSql } from "../../support/test-database.ts";
import { addOwingPerson, chargeAll, expectDuesCounted, makeDueKind, payDue } from "./dues.ts";

afterEach(expectDuesCounted);

const PERSON = "00000000-0000-4000-8000-000000000001";
const OTHER = "00000000-0000-4000-8000-000000000002";
const DEPOSITS = "/api/admin/due/deposit";
let admin: TestSession;

type Request = [method: string, path: string, body?: object];

/** A file's rows are of another minute for each file. */
const fileOf = (minute: number) => [
  { when: `2026-03-02T10:0${minute}:00+09:00`, payer: "김하늘", amount: 50_000, balance: null },
];

async function bankFile(minute: number): Promise<Request> {
  const rows = fileOf(minute);
  const { data } = await callAs(admin, "POST", `${DEPOSITS}/plan`, { rows, withdrawals: [] });
  return ["POST", `${DEPOSITS}/commit`, { rows, fileName: `${minute}.xlsx`, fingerprint: data.fingerprint }];
}

const depositId = (minute: number) => `00000000-0000-4000-8000-00000000010${minute}`;

async function allocation(minute: number): Promise<Request> {
  const id = depositId(minute);
  await runSql(
    "INSERT INTO deposit (id, source, paid_date, payer, amount, hash, work_id, created_date) VALUES (?1, 'bank', 1, '모름', 50000, ?1, 'w', 1)",
    id,
  );
  return ["POST", `${DEPOSITS}/${id}/allocate`, { people: [PERSON], version: 1 }];
}

const byHand = async (minute: number): Promise<Request> => [
  "PUT",
  DEPOSITS,
  { alumniId: PERSON, amount: 50_000, day: `2026-01-0${minute}` },
];

const dueId = () => readValue<string>("SELECT id FROM due WHERE alumni_id = ?", PERSON);

const PAYMENTS: Record<string, (minute: number) => Promise<Request>> = {
  "a payment by hand": byHand,
  "a deposit matched by hand": allocation,
  "a bank's file": bankFile,
};

const CHANGES: Record<string, (minute: number) => Promise<Request>> = {
  ...PAYMENTS,
  "an exemption": async () => [
    "PATCH",
    `/api/admin/due/${await dueId()}`,
    { amount: 50_000, isExempt: true, reason: "공로", paid: 0, dueDay: "", version: 1 },
  ],
  "a smaller amount": async () => [
    "PATCH",
    `/api/admin/due/${await dueId()}`,
    { amount: 20_000, isExempt: false, reason: "", dueDay: "", version: 1 },
  ],
  "a deletion": async () => ["DELETE", `/api/admin/due/${await dueId()}?version=1`],
};

beforeEach(async () => {
  admin = await createAdministratorSession();
  await addOwingPerson(PERSON, "김하늘");
});

const PAIRS = Object.keys(PAYMENTS).flatMap((late) => Object.keys(CHANGES).map((early) => [late, early] as const));

test.for(PAIRS)("%s pays nothing when %s of the same due came first", async ([late, early]) => {
  const [request, first] = [await PAYMENTS[late]?.(1), await CHANGES[early]?.(2)];
  if (!request || !first) throw new Error(`${late}, ${early}`);
  let after: unknown;
  const { DB, broke } = faultyDatabase({
    sql: /INSERT INTO due_allocation/,
    when: async () => {
      const answer = await callAs(admin, ...first);
      expect([early, answer.code, answer.message]).toEqual([early, "SUCCESS", answer.message]);
      after = await stored();
    },
    times: 1,
  });
  const [method, path, body] = request;
  const answer = await callApiWith({ DB }, method, path, { token: admin.accessToken, body });
  expect([answer.status, broke(), answer.message]).toEqual([409, 1, expect.stringMatching(/그사이/)]);
  expect(await stored()).toEqual(after);
});

const stored = () =>
  readRow(`SELECT (SELECT group_concat(id || paid || amount || is_exempt) FROM due) AS dues,
    (SELECT group_concat(id || allocated || version) FROM deposit) AS deposits, (SELECT count(*) FROM due_allocation) AS parts`);

test("a closed deposit pays nothing", async () => {
  const [method, path, body] = await allocation(1);
  const closed = await callAs(admin, "POST", `${DEPOSITS}/${depositId(1)}/state`, {
    isClosed: true,
    note: "후원금",
    version: 1,
  });
  expect(closed.data).toEqual({ version: 2 });
  const answer = await callAs(admin, method, path, { ...body, version: 2 });
  expect([answer.code, answer.message]).toEqual(["CONFLICT", "이미 맞추었거나 회비가 아닌 입금입니다."]);
});

test("a merge leaves an unpaid due of another kind", async () => {
  await addOwingPerson(OTHER, "김하늘", { 2026: 30_000 });
  await runSql("UPDATE due SET kind_id = 'other' WHERE alumni_id = ?", OTHER);
  const people = [PERSON, OTHER].map((id) => ({ id, version: 1 }));
  const { code } = await callAs(admin, "POST", "/api/alumni/merge", { keepId: PERSON, people, source: {} });
  expect(code).toBe("SUCCESS");
  const owed = "SELECT count(*) AS dues, sum(amount) AS amount FROM due WHERE alumni_id = ?";
  expect(await readRow(owed, PERSON)).toEqual({ dues: 2, amount: 80_000 });
});

const YEAR = koreanDay(new Date()).slice(0, 4);

test("a past payment is dated on no later day than today", async () => {
  const kindId = await makeDueKind(admin);
  const words = [{ name: "김하늘", word: "납부" }];
  const asked = { kindId, period: YEAR, words, isBlankUnpaid: true };
  const begun = await callAs(admin, "POST", "/api/admin/due/charge", { ...asked, count: 1 });
  expect([begun.code, begun.message]).toEqual(["SUCCESS", begun.message]);
  const paid = await readValue<number>("SELECT paid_date FROM deposit WHERE source = 'begin'");
  expect(paid).toBeGreaterThan(0);
  expect(paid).toBeLessThanOrEqual(Date.now());
});

test.for([1, 3])("an office that saw %s cannot fix a list of two", async (count) => {
  const kindId = await makeDueKind(admin);
  const people = [PERSON, await addOwingPerson(OTHER, "이바다", {})];
  await chargeAll(admin, kindId, people, "2025");
  for (const each of people) await payDue(each, 30_000, { period: "2025", paidDate: 1000 });
  const body = { period: "2025", kindId, at: new Date(2000).toISOString(), count };
  const answer = await callAs(admin, "PUT", "/api/admin/due/paid-by", body);
  expect([answer.code, answer.message]).toEqual(["CONFLICT", expect.stringContaining("그사이 명단이 바뀌었습니다")]);
});
