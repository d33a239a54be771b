import { expect, test } from "vitest";
import { callAs } from "../../support/api-client.ts";
import { createMemberSession, createSessionWith } from "../../support/people.ts";
import { countRows, readRows } from "../../support/test-database.ts";
import { type BankRow, DEPOSITS, openBankOffice } from "./bank-office.ts";
import { addOwingPerson } from "./dues.ts";

const { office, plan, commit, open } = openBankOffice();

const row = (more: Partial<BankRow> = {}): BankRow => ({
  when: "2026-03-02T14:05:33+09:00",
  payer: "강다석",
  amount: 50_000,
  balance: 150_000,
  ...more,
});

const addPerson = (name: string, dues: Record<string, number> = { 2025: 50_000, 2026: 50_000 }) =>
  addOwingPerson(crypto.randomUUID(), name, dues);

const paid = async () =>
  (await readRows<{ paid: number }>("SELECT paid FROM due ORDER BY period")).map((due) => due.paid);

test.each([
  ["the same second without its balance", { balance: null }],
  ["the same balance without seconds", { when: "2026-03-02T14:05:00+09:00" }],
  ["the same balance without a time", { when: "2026-03-02T00:00:00+09:00" }],
  ["spaces in the payer", { payer: "강 다석" }],
])("a deposit is known by %s", async (_form, more) => {
  await addPerson("강다석");
  await commit([row()]);
  const { rows, stored } = await plan([row(more)]);
  expect([rows, stored]).toEqual([[], 1]);
});

test.each([
  ["seconds and balance", { when: "2026-03-02T14:05:00+09:00", balance: null }],
  ["time and balance", { when: "2026-03-02T00:00:00+09:00", balance: null }],
])("a row without %s may be the stored deposit", async (_form, more) => {
  await addPerson("강다석");
  await commit([row()]);
  const { rows, counts } = await plan([row(more)]);
  expect(counts).toEqual({ sure: 0, ask: 0, twin: 1, other: 0, unknown: 0 });
  expect(rows).toMatchObject([{ pile: "twin", why: "twin", stored: { payer: "강다석", amount: 50_000 } }]);
  expect((await commit([row(more)])).data).toMatchObject({ added: 0, matched: 0 });
  expect([await countRows("deposit"), await paid()]).toEqual([1, [50_000, 0]]);
});

test("the fuller file after the one with days alone is a twin", async () => {
  await addPerson("강다석");
  await commit([row({ when: "2026-03-02T00:00:00+09:00", balance: null })]);
  expect((await plan([row()])).counts).toMatchObject({ sure: 0, twin: 1 });
});

test("a twin known as another deposit is stored as a question", async () => {
  await addPerson("강다석");
  await commit([row()]);
  const other = row({ when: "2026-03-02T00:00:00+09:00", balance: null });
  expect((await commit([other], { separate: [0] })).data).toMatchObject({ added: 1, matched: 0 });
  expect(await open()).toMatchObject([{ why: "twin", isDoubted: true, related: { amount: 50_000 } }]);
  expect(await paid()).toEqual([50_000, 0]);
});

test.each([
  ["another minute", { when: "2026-03-02T14:07:00+09:00", balance: null }],
  ["another balance", { balance: 200_000 }],
])("another deposit of the same day with %s is asked about", async (_form, more) => {
  await addPerson("강다석");
  await commit([row()]);
  const { rows } = await plan([row(more)]);
  expect(rows).toMatchObject([{ pile: "ask", why: "twice" }]);
});

test("as many alike rows of a file as are stored are known", async () => {
  const alike = [row({ balance: null }), row({ balance: null })];
  await commit(alike);
  const days = alike.map((each) => ({ ...each, when: "2026-03-02T00:00:00+09:00" }));
  expect((await plan([...days, ...days.slice(1)])).counts).toMatchObject({ twin: 2, ask: 1 });
});

test.each([
  ["the whole", 50_000],
  ["a part", 20_000],
])("a withdrawal of a later file that returns %s is asked about", async (_share, amount) => {
  await addPerson("강다석");
  await commit([row()]);
  expect(await open()).toEqual([]);
  const back = row({ when: "2026-03-09T09:00:00+09:00", payer: "강다석 반환", amount });
  expect(await plan([], [back])).toMatchObject({ newWithdrawals: 1, returned: 1 });
  await commit([], { withdrawals: [back] });
  const [found] = await open();
  expect(found).toMatchObject({ why: "refunded", isDoubted: true, allocated: 50_000, related: { amount: -amount } });
  expect(await paid()).toEqual([50_000, 0]);
  const body = { isClosed: false, version: found.version };
  expect((await callAs(office(), "POST", `${DEPOSITS}/${found.id}/state`, body)).code).toBe("SUCCESS");
  expect(await open()).toEqual([]);
});

test("an earlier file's withdrawal asks about a later file's deposit", async () => {
  await addPerson("강다석");
  await commit([], { withdrawals: [row({ when: "2026-03-09T09:00:00+09:00" })] });
  expect((await plan([row()])).rows).toMatchObject([{ pile: "ask", why: "refunded" }]);
});

const undo = async (workId: string) => (await callAs(office(), "POST", `/api/admin/due/work/${workId}/undo`, {})).data;

test("the undo of a file takes back the questions of its withdrawals", async () => {
  await addPerson("강다석");
  await commit([row()]);
  const { data } = await commit([], { withdrawals: [row({ when: "2026-03-09T09:00:00+09:00" })] });
  expect(await undo(data.workId)).toEqual({ restored: 1, removed: 1, kept: [] });
  expect(await open()).toEqual([]);
  expect(await paid()).toEqual([50_000, 0]);
});

test("the undo of a file restores the question that it replaced", async () => {
  await addPerson("강다석");
  await commit([row({ doubt: "correction" })]);
  const { data } = await commit([], { withdrawals: [row({ when: "2026-03-09T09:00:00+09:00" })] });
  expect(await open()).toMatchObject([{ why: "refunded" }]);
  await undo(data.workId);
  expect(await open()).toMatchObject([{ why: "correction", related: null }]);
});

test("files are undone in either order", async () => {
  await addPerson("강다석");
  const withdrawal = (await commit([], { withdrawals: [row({ when: "2026-03-09T09:00:00+09:00" })] })).data.workId;
  const deposit = (await commit([row()])).data.workId;
  expect(await open()).toMatchObject([{ why: "refunded" }]);
  await undo(withdrawal);
  // The due is still open, the withdrawal gone.
  expect(await open()).toMatchObject([{ why: null, isDoubted: false }]);
  expect(await undo(deposit)).toEqual({ restored: 0, removed: 1, kept: [] });
  expect(await countRows("deposit")).toBe(0);
});

test("a deposit returned by a later file stays at its own undo", async () => {
  await addPerson("강다석");
  const deposit = (await commit([row()])).data.workId;
  const withdrawal = (await commit([], { withdrawals: [row({ when: "2026-03-09T09:00:00+09:00" })] })).data.workId;
  expect((await undo(deposit)).kept).toMatchObject([{ kind: "deposit", name: "강다석" }]);
  expect(await paid()).toEqual([50_000, 0]);
  await undo(withdrawal);
  await undo(deposit);
  expect([await countRows("deposit"), await paid()]).toEqual([0, [0, 0]]);
});

test("a withdrawal is stored once", async () => {
  const back = row({ payer: "김직원" });
  await commit([], { withdrawals: [back] });
  expect(await plan([], [{ ...back, balance: null }])).toMatchObject({ withdrawals: 1, newWithdrawals: 0 });
  expect((await callAs(office(), "GET", `${DEPOSITS}?state=all`)).data.content).toEqual([]);
  expect((await callAs(office(), "GET", `${DEPOSITS}?state=out`)).data.content).toMatchObject([{ amount: -50_000 }]);
});

const OUT = row({ when: "2026-03-09T09:00:00+09:00", payer: "강다석", balance: null });
/** Another download has neither the time nor the balance. */
const OUT_BY_DAY = { ...OUT, when: "2026-03-09T00:00:00+09:00" };

const withdrawn = async () =>
  (await callAs(office(), "GET", `${DEPOSITS}?state=out`)).data.content.map(({ amount }: BankRow) => amount);

test("a withdrawal that may be the stored one is a question", async () => {
  await commit([], { withdrawals: [OUT] });
  const planned = await plan([row({ payer: "나라온" })], [OUT_BY_DAY]);
  expect(planned).toMatchObject({ newWithdrawals: 0, stored: 0, counts: { twin: 1 } });
  expect(planned.rows.at(-1)).toMatchObject({
    at: 1,
    pile: "twin",
    amount: -50_000,
    when: "2026-03-08T15:00:00.000Z",
    stored: { amount: -50_000, when: "2026-03-09T00:00:00.000Z" },
  });
  await commit([], { withdrawals: [OUT_BY_DAY] });
  expect(await withdrawn()).toEqual([-50_000]);
});

test("a known other withdrawal asks about the deposit that it returns", async () => {
  await addPerson("강다석");
  await commit([row(), row({ when: "2026-03-03T10:00:00+09:00", balance: null })], { withdrawals: [OUT] });
  const asked = async () => (await open()).filter(({ why }: { why: string }) => why === "refunded").length;
  expect(await asked()).toBe(1);
  const { data } = await commit([], { withdrawals: [OUT_BY_DAY], separate: [0] });
  expect([await asked(), await withdrawn()]).toEqual([2, [-50_000, -50_000]]);
  await undo(data.workId);
  expect([await asked(), await withdrawn()]).toEqual([1, [-50_000]]);
});

test("a kept withdrawal asks about a deposit of its own file", async () => {
  await addPerson("강다석");
  await commit([], { withdrawals: [OUT] });
  const planned = await plan([row(), row({ balance: null, when: "2026-03-03T10:00:00+09:00" })], [OUT_BY_DAY]);
  expect(planned.counts).toMatchObject({ sure: 1, ask: 1, twin: 1 });
  const rows = [row(), row({ balance: null, when: "2026-03-03T10:00:00+09:00" })];
  await commit(rows, { withdrawals: [OUT_BY_DAY], separate: [2] });
  expect(await open()).toMatchObject([{ why: "refunded" }, { why: "refunded" }]);
  expect(await paid()).toEqual([50_000, 0]);
});

test.each(["balance", "correction", "sign"])("a row that the file doubts by %s is never decided", async (doubt) => {
  await addPerson("강다석");
  await commit([row({ doubt })]);
  expect(await open()).toMatchObject([{ why: doubt, isDoubted: true }]);
  expect(await paid()).toEqual([0, 0]);
});

test("days between two files whose balances do not join are said", async () => {
  await commit([row({ payer: "가" })]);
  const next = row({ when: "2026-03-05T10:00:00+09:00", payer: "나", balance: 900_000 });
  expect((await plan([next])).gaps).toEqual([["2026-03-02", "2026-03-05"]]);
  expect((await plan([{ ...next, balance: 200_000 }])).gaps).toEqual([]);
});

async function paidDue() {
  await addPerson("강다석", { 2026: 50_000 });
  await commit([row()]);
  const [due] = (await callAs(office(), "GET", "/api/admin/due?period=2026")).data.content;
  return {
    path: `/api/admin/due/${due.id}`,
    body: { amount: 50_000, dueDay: "", isExempt: true, reason: "공로", version: due.version, paid: 50_000 },
  };
}

test("an exemption of a paid due opens its deposit again", async () => {
  const { path, body } = await paidDue();
  expect((await callAs(office(), "PATCH", path, body)).code).toBe("SUCCESS");
  expect(await open()).toMatchObject([{ payer: "강다석", allocated: 0, candidates: [{ name: "강다석", open: 0 }] }]);
  const { sums } = (await callAs(office(), "GET", "/api/admin/due?period=2026")).data;
  expect(sums).toMatchObject({ owed: 0, paid: 0, open: 0, exempt: 1 });
  expect(await countRows("due_allocation")).toBe(0);
});

test("an exemption asks first about the sum that was paid", async () => {
  const { path, body } = await paidDue();
  const { paid: _paid, ...unasked } = body;
  expect((await callAs(office(), "PATCH", path, unasked)).fields).toEqual({
    paid: "이미 낸 돈이 있습니다. 낸 돈을 입금으로 되돌린다고 표시해 주십시오.",
  });
  const { message } = await callAs(office(), "PATCH", path, { ...body, paid: 40_000 });
  expect(message).toContain("낸 금액이 바뀌었습니다");
  expect([await paid(), await countRows("due_allocation")]).toEqual([[50_000], 1]);
});

test.each([
  ["a guest", () => Promise.resolve(null)],
  ["a member", createMemberSession],
  ["an administrator without Dues_Manage", () => createSessionWith(["ADMIN_Access", "Alumni_Read", "Alumni_Write"])],
])("%s cannot exempt a paid due", async (_who, signIn) => {
  const { path, body } = await paidDue();
  const { code } = await callAs(await signIn(), "PATCH", path, body);
  expect(["UNAUTHORIZED", "FORBIDDEN"]).toContain(code);
  expect([await paid(), await countRows("due_allocation")]).toEqual([[50_000], 1]);
});
