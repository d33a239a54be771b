import { expect, test } from "vitest";
import { callAs } from "../../support/api-client.ts";
import { countRows, readRows, readValue } from "../../support/test-database.ts";
import { type BankRow, DEPOSITS, openBankOffice } from "./bank-office.ts";
import { addOwingPerson } from "./dues.ts";

const { office, plan, commit, open: openDeposits } = openBankOffice();

const PERSON = "00000000-0000-4000-8000-000000000001";

const row = (payer: string, minute: number, amount = 50_000): BankRow => ({
  when: `2026-03-02T10:${String(minute).padStart(2, "0")}:00+09:00`,
  payer,
  amount,
  balance: null,
});

const send = (id: string, act: string, body: object) => callAs(office(), "POST", `${DEPOSITS}/${id}/${act}`, body);

/** Decides that all deposits with the text of the first waiting one pay no dues. */
async function closeAlike(payer: string) {
  const { id, version } = (await openDeposits()).find((each: { payer: string }) => each.payer === payer);
  return (await send(id, "alike", { version })).data;
}

const closed = () => readRows("SELECT payer, is_closed AS isClosed FROM deposit ORDER BY paid_date");

test("all waiting deposits of a text leave the waiting ones", async () => {
  await commit([
    row("예금 이자", 0, 7),
    row("후원금", 1),
    row("예금이자".normalize("NFD"), 2, 9),
    row("(예금이자)", 3, 8),
  ]);
  expect(await closeAlike("예금 이자")).toMatchObject({ count: 3 });
  expect((await openDeposits()).map(({ payer }: BankRow) => payer)).toEqual(["후원금"]);
  const other = (await callAs(office(), "GET", `${DEPOSITS}?state=closed`)).data.content;
  expect(other).toHaveLength(3);
});

test("the next file puts a remembered text aside", async () => {
  await commit([row("예금이자", 0, 7)]);
  await closeAlike("예금이자");
  const rows = [row("예금이자", 5, 8), row("모름", 6, 9)];
  expect((await plan(rows)).counts).toEqual({ sure: 0, ask: 0, twin: 0, other: 1, unknown: 1 });
  expect((await commit(rows)).data).toMatchObject({ added: 2, matched: 0, other: 1 });
  expect(await closed()).toEqual([
    { payer: "예금이자", isClosed: 1 },
    { payer: "예금이자", isClosed: 1 },
    { payer: "모름", isClosed: 0 },
  ]);
});

test("the undo forgets the text", async () => {
  await commit([row("예금이자", 0, 7), row("예금이자", 1, 8)]);
  const { workId } = await closeAlike("예금이자");
  const undone = await callAs(office(), "POST", `/api/admin/due/work/${workId}/undo`, {});
  expect(undone.data).toMatchObject({ restored: 2, kept: [] });
  expect(await countRows("due_payer")).toBe(0);
  expect(await openDeposits()).toHaveLength(2);
  expect((await plan([row("예금이자", 5)])).counts).toMatchObject({ other: 0, unknown: 1 });
});

test("the undo gives back whom a payer was remembered for", async () => {
  await addOwingPerson(PERSON, "김하늘", { 2025: 50_000, 2026: 50_000 });
  await commit([row("한빛병원", 0), row("한빛병원", 1)]);
  const [{ id }] = await openDeposits();
  await send(id, "allocate", { people: [PERSON], version: 1, remember: true });
  const { workId } = await closeAlike("한빛병원");
  expect(await readValue("SELECT alumni_id FROM due_payer")).toBe("");
  await callAs(office(), "POST", `/api/admin/due/work/${workId}/undo`, {});
  expect(await readRows("SELECT alumni_id AS id FROM due_payer")).toEqual([{ id: PERSON }]);
});

test("a deposit that is opened again forgets its text", async () => {
  await commit([row("예금이자", 0, 7), row("예금이자", 1, 8)]);
  const [{ id }] = await openDeposits();
  await closeAlike("예금이자");
  await send(id, "state", { isClosed: false, version: 2 });
  expect(await countRows("due_payer")).toBe(0);
  expect(await openDeposits()).toHaveLength(1);
});

test("a payment of the text forgets that it pays no dues", async () => {
  await addOwingPerson(PERSON, "김하늘");
  await commit([row("한빛병원", 0)]);
  await closeAlike("한빛병원");
  const withdrawal = row("한빛병원", 9);
  await commit([{ ...row("한빛병원", 5), doubt: "balance" }], { withdrawals: [withdrawal] });
  const { id } = (await openDeposits()).find(({ isClosed }: { isClosed: boolean }) => !isClosed);
  expect((await send(id, "allocate", { people: [PERSON], version: 1 })).code).toBe("SUCCESS");
  expect(await countRows("due_payer")).toBe(0);
});

test("a deposit without a text is closed alone", async () => {
  await commit([row("", 0), row("***", 1)]);
  for (const { id } of await openDeposits())
    expect(await send(id, "alike", { version: 1 })).toMatchObject({
      code: "CONFLICT",
      message: "보낸분이 적히지 않은 입금은 하나씩 정해 주십시오.",
    });
  expect(await closed()).toMatchObject([{ isClosed: 0 }, { isClosed: 0 }]);
});

test("a decided deposit decides no others", async () => {
  await commit([row("후원금", 0), row("후원금", 1)]);
  const [{ id }] = await openDeposits();
  expect((await send(id, "alike", { version: 9 })).code).toBe("CONFLICT");
  await send(id, "state", { isClosed: true, version: 1 });
  expect((await send(id, "alike", { version: 2 })).code).toBe("CONFLICT");
  expect(await openDeposits()).toHaveLength(1);
});

test("the memory holds no text", async () => {
  await commit([row("비밀후원", 0)]);
  await closeAlike("비밀후원");
  for (const table of ["due_payer", "due_work", "audit_log"])
    expect(JSON.stringify(await readRows(`SELECT * FROM ${table}`))).not.toContain("비밀");
});

/** Decides that the waiting deposits of people without dues pay none. */
const closeWithoutDues = async (payer: string) => {
  const { id, version } = (await openDeposits()).find((each: { payer: string }) => each.payer === payer);
  return send(id, "alike", { version, withoutDues: true });
};

/** 김하늘 and 이바다 owe nothing, 박노을 does. */
async function receiveWithoutDues() {
  await addOwingPerson(PERSON, "김하늘", {});
  await addOwingPerson("00000000-0000-4000-8000-000000000002", "이바다", {});
  await addOwingPerson("00000000-0000-4000-8000-000000000003", "박노을", { 2026: 50_000 });
  await commit([row("김하늘", 0), row("이바다", 1, 30_000), row("박노을", 2, 7), row("예금이자", 3, 7)]);
}

test("all deposits of people without dues are closed at once", async () => {
  await receiveWithoutDues();
  expect((await closeWithoutDues("이바다")).data).toMatchObject({ count: 2 });
  expect((await openDeposits()).map(({ payer }: BankRow) => payer)).toEqual(["예금이자", "박노을"]);
  expect(await countRows("due_payer"), "nothing is remembered").toBe(0);
  expect(await countRows("audit_log WHERE action = 'deposit.allocate'")).toBe(1);
});

test("the undo opens the deposits of people without dues", async () => {
  await receiveWithoutDues();
  const { workId } = (await closeWithoutDues("김하늘")).data;
  const undone = await callAs(office(), "POST", `/api/admin/due/work/${workId}/undo`, {});
  expect(undone.data).toMatchObject({ restored: 2, kept: [] });
  expect(await openDeposits()).toHaveLength(4);
});

test("a deposit of somebody who owes is not among those without dues", async () => {
  await receiveWithoutDues();
  for (const payer of ["박노을", "예금이자"])
    expect(await closeWithoutDues(payer), payer).toMatchObject({
      code: "CONFLICT",
      message: "낼 회비가 있거나 다른 점을 먼저 확인할 입금입니다.",
    });
  expect(await openDeposits()).toHaveLength(4);
});

test("a doubted deposit is not among those without dues", async () => {
  await addOwingPerson(PERSON, "김하늘", {});
  await commit([row("김하늘", 0), { ...row("김하늘", 5, 30_000), doubt: "balance" }]);
  const { id, version } = (await openDeposits()).find(({ why }: { why: string }) => why === "paid");
  expect((await send(id, "alike", { version, withoutDues: true })).data).toMatchObject({ count: 1 });
  expect(await openDeposits()).toHaveLength(1);
});
