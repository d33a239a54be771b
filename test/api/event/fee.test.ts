import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { payDigits } from "#worker/contract/alumni/dues/dues.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { settingOf } from "../../calls/event-acts.ts";
import { FEES, openTestEvent, registerAt } from "../../calls/event-world.ts";
import { sentMessages } from "../../support/factories.ts";
import { createMemberSession, createSessionWith, type TestSession } from "../../support/people.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRow, readRows, readValue, runSql } from "../../support/test-database.ts";
import { expectDuesCounted } from "../alumni/dues.ts";

const BOARD = ["Board_free_View", "Board_free_List"];
const DECIDE = "/api/admin/event/registration";
const createTreasurer = () => createSessionWith(["ADMIN_Access", "Event_Manage", "Dues_Manage", ...BOARD]);

async function createWorld(event: Parameters<typeof openTestEvent>[1] = {}) {
  const author = await createMemberSession();
  const opened = await openTestEvent(author, { fees: FEES, feeDays: 7, ...event });
  return { author, member: await createMemberSession(), treasurer: await createTreasurer(), ...opened };
}

const pageOf = async (session: TestSession, own: string) => (await callAs(session, "GET", own)).data;
const chosen = (session: TestSession, own: string, feeCode = "f1") => registerAt(session, own, { feeCode });
const dueOf = (id: string) => readRow<Record<string, unknown>>("SELECT * FROM due WHERE id = ?", id);
const cancel = (session: TestSession, id: string, version = 1) =>
  callAs(session, "POST", `/api/event/registration/${id}/cancel`, { version });
const pay = (session: TestSession, id: string, amount = 50_000) =>
  callAs(session, "PUT", "/api/admin/due/deposit", { alumniId: id, amount, day: koreanDay(new Date()) });

test("a place with a fee owes it once", async () => {
  const { member, own, id: itemId } = await createWorld();
  const { id } = (await chosen(member, own)).data;
  const year = koreanDay(new Date()).slice(0, 4);
  expect(await dueOf(id)).toMatchObject({
    alumni_id: id,
    kind_id: id,
    period: `${year}-행사${itemId}`,
    amount: 50_000,
    due_day: koreanDay(new Date(Date.now() + 7 * DAY_MS)),
    name: "홍길동",
  });
  expect(await readValue("SELECT count(*) FROM due")).toBe(1);
});

test("the page says where a fee is paid", async () => {
  const { member, own } = await createWorld();
  const before = await pageOf(member, own);
  expect(before.fees).toEqual(FEES.map(({ code, name, amount }) => ({ code, name, amount })));
  const { id } = (await chosen(member, own)).data;
  const { mine } = await pageOf(member, own);
  expect(mine.fee).toMatchObject({ name: "정회원", amount: 50_000, paid: 0, state: "unpaid" });
  expect(mine.pay).toMatchObject({ open: 50_000, payName: `홍길동${payDigits(id)}` });
  const [mail] = await sentMessages(member.user.email);
  expect(mail?.body).toContain(`참가비: 정회원 50,000원\n입금자명: 홍길동${payDigits(id)}\n납부 기한: `);
});

test("a free fee owes nothing", async () => {
  const { member, own } = await createWorld();
  await chosen(member, own, "f2");
  const { mine } = await pageOf(member, own);
  expect([mine.fee.state, mine.pay]).toEqual([null, null]);
  expect(await readValue("SELECT count(*) FROM due")).toBe(0);
});

test("the payer is the person of the address book", async () => {
  const { member, own } = await createWorld();
  await runSql(
    "INSERT INTO alumni (id, name, email, search_all, created_date, modified_date) VALUES ('a1', '강다석', ?, '', 1, 1)",
    member.user.email,
  );
  const { id } = (await chosen(member, own)).data;
  expect(await dueOf(id)).toMatchObject({ alumni_id: "a1", name: "강다석", is_listed: 1 });
  expect((await pageOf(member, own)).mine.pay.payName).toBe(`강다석${payDigits(id)}`);
  await expectDuesCounted();
  expect(
    await readRows("SELECT period, state FROM due_standing WHERE period IN ('', '2026')"),
    "no year is open",
  ).toEqual([]);
});

test("a fee that is not offered is refused by its field", async () => {
  const fees = [FEES[0], { code: "f3", name: "임원", amount: 10_000, roleCodes: ["editor"] }];
  const { member, own } = await createWorld({ fees: fees as typeof FEES });
  expect((await pageOf(member, own)).fees.map(({ code }: { code: string }) => code)).toEqual(["f1"]);
  for (const feeCode of ["", "f9", "f3"]) {
    const { code, fields } = await chosen(member, own, feeCode);
    expect([feeCode, code, Object.keys(fields)]).toEqual([feeCode, "INVALID_INPUT", ["feeCode"]]);
  }
  expect(await readValue("SELECT count(*) FROM event_registration")).toBe(0);
});

test("a place from the queue owes its fee then", async () => {
  const { author, member, own } = await createWorld({ places: 1 });
  const first = (await chosen(author, own)).data;
  const waiting = (await chosen(member, own)).data;
  expect(await dueOf(waiting.id)).toBeFalsy();
  await cancel(author, first.id);
  expect(await dueOf(waiting.id)).toMatchObject({ amount: 50_000, paid: 0 });
  expect(await dueOf(first.id), "an unpaid fee goes with the place").toBeFalsy();
});

test("the office moves up with the fee", async () => {
  const { author, member, treasurer, own } = await createWorld({ places: 1 });
  await chosen(author, own);
  const waiting = (await chosen(member, own)).data;
  await callAs(treasurer, "POST", `${DECIDE}/${waiting.id}/up`, { reason: "연자", version: 1 });
  expect(await dueOf(waiting.id)).toMatchObject({ amount: 50_000 });
});

test("the office adds a person with a fee", async () => {
  const { member, treasurer, own, office } = await createWorld();
  const body = { who: member.user.email, reason: "전화" };
  const lacking = await callAs(treasurer, "POST", `${office}/registration`, body);
  expect(lacking.fields).toHaveProperty("feeCode");
  await callAs(treasurer, "POST", `${office}/registration`, { ...body, feeCode: "f1" });
  expect((await pageOf(member, own)).mine.fee.state).toBe("unpaid");
});

test("the bank file pays a fee by its digits", async () => {
  const { member, treasurer, own } = await createWorld();
  const { id } = (await chosen(member, own)).data;
  const row = { when: new Date().toISOString(), payer: `홍길동${payDigits(id)}`, amount: 50_000, balance: null };
  const plan = (await callAs(treasurer, "POST", "/api/admin/due/deposit/plan", { rows: [row] })).data;
  expect(plan.rows).toMatchObject([{ pile: "sure", cause: "digits", people: ["홍길동 참가비"] }]);
  const sent = { rows: [row], fileName: "입금.xlsx", fingerprint: plan.fingerprint };
  expect((await callAs(treasurer, "POST", "/api/admin/due/deposit/commit", sent)).code).toBe("SUCCESS");
  expect((await pageOf(member, own)).mine.fee).toMatchObject({ paid: 50_000, state: "paid" });
  const [work] = await readRows<{ id: string }>("SELECT id FROM due_work");
  await callAs(treasurer, "POST", `/api/admin/due/work/${work?.id}/undo`);
  expect((await pageOf(member, own)).mine.fee, "an undone file").toMatchObject({ paid: 0, state: "unpaid" });
  await expectDuesCounted();
});

test("the page of dues shows fees where there are no others", async () => {
  const { member, treasurer, own } = await createWorld();
  const { id } = (await chosen(member, own)).data;
  const [row] = (await callAs(treasurer, "GET", "/api/admin/due")).data.content;
  expect(row).toMatchObject({ id, name: "홍길동", kindName: "동계 심포지엄 참가비", digits: payDigits(id) });
});

test("the list finds the unpaid", async () => {
  const { author, member, treasurer, own, office } = await createWorld();
  const paid = (await chosen(author, own)).data;
  await chosen(member, own);
  expect((await pay(treasurer, paid.id)).code).toBe("SUCCESS");
  const idsOf = async (fee: string) =>
    (await callAs(treasurer, "GET", `${office}/registration?fee=${fee}`)).data.content.map(
      ({ userId }: { userId: string }) => userId,
    );
  expect(await idsOf("unpaid")).toEqual([member.user.id]);
  expect(await idsOf("paid")).toEqual([author.user.id]);
  const page = (await callAs(treasurer, "GET", office)).data;
  expect(page.canPay).toBe(true);
});

test("a refund takes the due back", async () => {
  const { member, treasurer, own } = await createWorld();
  const { id } = (await chosen(member, own)).data;
  await pay(treasurer, id);
  const refund = (paid = 50_000) => callAs(treasurer, "POST", `${DECIDE}/${id}/refund`, { reason: "불참", paid });
  expect((await refund()).message, "a place that is kept").toContain("먼저 신청을 취소해 주십시오");
  await cancel(member, id);
  expect(await dueOf(id)).toMatchObject({ amount: 50_000, paid: 50_000 });
  expect((await refund(40_000)).message).toContain("낸 금액이 바뀌었습니다");
  expect((await refund()).code).toBe("SUCCESS");
  expect(await dueOf(id)).toBeFalsy();
  expect(await readRow("SELECT allocated, is_closed, note FROM deposit")).toEqual({
    allocated: 0,
    is_closed: 1,
    note: "참가비 환불",
  });
  expect((await refund()).code, "a second time").toBe("CONFLICT");
  await expectDuesCounted();
});

test("nobody without both rights gives a fee back", async () => {
  const { member, treasurer, own } = await createWorld();
  const { id } = (await chosen(member, own)).data;
  await pay(treasurer, id);
  await cancel(member, id);
  const body = { reason: "불참", paid: 50_000 };
  const refund = async (session: TestSession) => (await callAs(session, "POST", `${DECIDE}/${id}/refund`, body)).code;
  expect(await refund(await createSessionWith(["ADMIN_Access", "Event_Manage", ...BOARD]))).toBe("FORBIDDEN");
  expect(await refund(await createSessionWith(["ADMIN_Access", "Dues_Manage", ...BOARD]))).toBe("FORBIDDEN");
  expect(await refund(member)).toBe("FORBIDDEN");
  expect((await callJson("POST", `${DECIDE}/${id}/refund`, { body })).code).toBe("UNAUTHORIZED");
  expect(await dueOf(id)).toMatchObject({ paid: 50_000 });
});

test("a chosen fee cannot be removed", async () => {
  const { member, treasurer, own, office } = await createWorld();
  await chosen(member, own);
  const save = (fees: object[]) => callAs(treasurer, "PATCH", office, settingOf({ fees, version: 1 }));
  expect((await save([])).fields.fees).toContain("고른 사람이 있는 참가비");
  const raised = [
    { ...FEES[0], amount: 60_000 },
    { name: "비회원", amount: 70_000 },
  ];
  expect((await save(raised)).code).toBe("SUCCESS");
  expect((await pageOf(member, own)).mine.fee.amount, "as it was chosen").toBe(50_000);
  const late = await createMemberSession();
  expect((await chosen(late, own)).message, "seen before the change").toContain("참가비가 바뀌었습니다");
});

const runLater = async (days: number) => {
  await runSql("UPDATE due SET due_day = date(due_day, ?)", `-${days} days`);
  await runSql("UPDATE event_registration SET fee_reminded_date = fee_reminded_date - ?", days * DAY_MS);
  await runScheduledJobs(env);
};

test("an unpaid fee is reminded of once", async () => {
  const { member, own } = await createWorld();
  await chosen(member, own);
  await runLater(7);
  expect(await sentMessages(member.user.email), "on the last day").toHaveLength(1);
  for (let times = 0; times < 3; times += 1) await runLater(4);
  const letters = await sentMessages(member.user.email);
  expect(letters.map(({ subject }) => subject).filter((subject) => subject.includes("기다리고"))).toHaveLength(1);
  expect((await pageOf(member, own)).mine.status).toBe("confirmed");
});

test("a cancelled event reminds nobody of its fee", async () => {
  const { member, own, id: itemId } = await createWorld({ cancelsUnpaid: true });
  const { id } = (await chosen(member, own)).data;
  await runSql("UPDATE board_item SET is_event_cancelled = 1 WHERE id = ?", itemId);
  for (let times = 0; times < 2; times += 1) await runLater(8);
  expect(await readRow("SELECT status, fee_reminded_date FROM event_registration WHERE id = ?", id)).toEqual({
    status: "confirmed",
    fee_reminded_date: null,
  });
});

test("an unpaid place goes to the next after its days", async () => {
  const { author, member, own } = await createWorld({ places: 1, cancelsUnpaid: true });
  await chosen(author, own);
  await chosen(member, own);
  await runLater(8);
  expect((await pageOf(author, own)).mine.status, "reminded").toBe("confirmed");
  await runLater(3);
  expect((await pageOf(author, own)).mine.status, "on the last of three days").toBe("confirmed");
  await runLater(1);
  expect((await pageOf(author, own)).mine).toMatchObject({
    status: "cancelled",
    reason: "참가비를 기한까지 내지 않아 취소되었습니다.",
  });
  expect((await pageOf(member, own)).mine).toMatchObject({ status: "confirmed", fee: { state: "unpaid" } });
});

test("a paid place stays", async () => {
  const { member, treasurer, own } = await createWorld({ cancelsUnpaid: true });
  const { id } = (await chosen(member, own)).data;
  await runLater(8);
  await pay(treasurer, id, 10_000);
  await runLater(9);
  expect((await pageOf(member, own)).mine).toMatchObject({ status: "confirmed", fee: { state: "partial" } });
});
