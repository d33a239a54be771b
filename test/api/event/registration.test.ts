import { expect, test } from "vitest";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { callAs, callJson, fetchApi } from "../../support/api-client.ts";
import { settingOf } from "../../calls/event-acts.ts";
import { openTestEvent, QUESTIONS, registerAt } from "../../calls/event-world.ts";
import { sentMessages } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  retireUser,
  type TestSession,
} from "../../support/people.ts";
import { readRows, readValue, runSql } from "../../support/test-database.ts";

const OFFICE = ["ADMIN_Access", "Event_Manage", "Board_free_View", "Board_free_List"];
const REGISTRATION = "/api/event/registration";
const DECIDE = "/api/admin/event/registration";

const createOfficer = () => createSessionWith(OFFICE, { userName: "김사무" });

async function createWorld(event: Parameters<typeof openTestEvent>[1] = {}) {
  const author = await createMemberSession();
  return {
    author,
    member: await createMemberSession(),
    officer: await createOfficer(),
    ...(await openTestEvent(author, event)),
  };
}

const pageOf = async (session: TestSession | null, own: string) => {
  const answer = session ? await callAs(session, "GET", own) : await callJson("GET", own);
  return answer.data;
};

test("a registered member gets a letter", async () => {
  const { member, own } = await createWorld({ places: 2, questions: QUESTIONS });
  const before = await pageOf(member, own);
  expect(before).toMatchObject({ phase: "open", places: 2, free: 2, isFull: false, mine: null, refusal: "" });
  const made = await registerAt(member, own, { answers: { q1: "채식" } });
  expect(made.data).toMatchObject({ status: "confirmed" });
  const after = await pageOf(member, own);
  expect(after).toMatchObject({
    free: 1,
    mine: { status: "confirmed", answers: { q1: "채식" }, queue: null, can: { change: true, cancel: true } },
    can: { register: false },
  });
  const [mail] = await sentMessages(member.user.email);
  expect(mail?.subject).toContain("‘동계 심포지엄’ 신청이 확정되었습니다");
  expect(mail?.body).toContain("/Board/free/Register/");
});

test("a full event offers the queue with its place", async () => {
  const { author, member, own } = await createWorld({ places: 1 });
  await registerAt(author, own);
  const refused = await registerAt(member, own, { joinsQueue: false });
  expect([refused.code, refused.message]).toEqual([
    "CONFLICT",
    "그사이 자리가 모두 찼습니다. 대기자로 신청하실 수 있습니다.",
  ]);
  expect((await registerAt(member, own)).data.status).toBe("waiting");
  const third = await createMemberSession();
  expect((await registerAt(third, own)).data.status).toBe("waiting");
  expect((await pageOf(third, own)).mine).toMatchObject({ status: "waiting", queue: 2 });
});

test("a cancellation moves up the first in the queue", async () => {
  const { author, member, own } = await createWorld({ places: 1 });
  const first = (await registerAt(author, own)).data;
  await registerAt(member, own);
  const later = await createMemberSession();
  await registerAt(later, own);
  expect((await callAs(author, "POST", `${REGISTRATION}/${first.id}/cancel`, { version: 1 })).data).toEqual({
    version: 2,
  });
  expect((await pageOf(member, own)).mine.status).toBe("confirmed");
  expect((await pageOf(later, own)).mine).toMatchObject({ status: "waiting", queue: 1 });
  const letters = await sentMessages(member.user.email);
  expect(letters.map(({ subject }) => subject).join()).toContain("자리가 나서 확정되었습니다");
  expect(letters.map(({ body }) => body).join()).toContain("홍길동님, 안녕하십니까.");
  expect(await sentMessages(later.user.email)).toHaveLength(1);
  expect(await readValue("SELECT count(*) FROM audit_log WHERE action = 'event.moveUp'")).toBe(1);
});

test("answers change until the close", async () => {
  const { member, own, id } = await createWorld({ questions: QUESTIONS });
  const made = (await registerAt(member, own, { answers: { q1: "채식" } })).data;
  const change = (answers: object, version: number) =>
    callAs(member, "PATCH", `${REGISTRATION}/${made.id}`, { questionsVersion: 1, answers, version });
  expect((await change({ q1: "한식", q2: "늦습니다" }, 1)).data).toEqual({ version: 2 });
  expect((await change({ q1: "한식" }, 1)).code, "a stale version").toBe("CONFLICT");
  expect((await change({ q1: "양식" }, 2)).fields).toHaveProperty(["profile.q1"]);
  await runSql("UPDATE event SET close_date = 1 WHERE item_id = ?", id);
  expect((await change({ q1: "채식" }, 2)).message).toBe("신청이 마감되어 답을 고칠 수 없습니다.");
  expect((await pageOf(member, own)).mine.answers).toEqual({ q1: "한식", q2: "늦습니다" });
});

test("a registration says why it is refused", async () => {
  const { member, own, id } = await createWorld({ questions: QUESTIONS });
  const messageOf = async (more: object = { answers: { q1: "채식" } }) => (await registerAt(member, own, more)).message;
  expect((await registerAt(member, own)).fields).toHaveProperty(["profile.q1"]);
  expect(await messageOf({ answers: { q1: "채식" }, questionsVersion: 2 })).toContain(
    "그사이 질문이나 참가비가 바뀌었습니다",
  );
  await runSql("UPDATE event SET role_codes = '[\"editor\"]' WHERE item_id = ?", id);
  expect(await messageOf()).toContain("신청할 수 있는 회원이 아닙니다");
  await runSql("UPDATE event SET role_codes = '[]', open_date = ?", Date.now() + 3_600_000);
  expect(await messageOf()).toBe("아직 신청을 받지 않습니다.");
  await runSql("UPDATE event SET open_date = 1, close_date = 2");
  expect(await messageOf()).toBe("신청이 마감되었습니다.");
  await runSql("UPDATE event SET close_date = ?", Date.now() + 3_600_000);
  await registerAt(member, own, { answers: { q1: "채식" } });
  expect(await messageOf()).toBe("이미 신청하신 행사입니다.");
});

test("nobody cancels after the last day but the office", async () => {
  const { member, officer, own, id } = await createWorld();
  const made = (await registerAt(member, own)).data;
  await runSql("UPDATE event SET cancel_until = '2020-01-01' WHERE item_id = ?", id);
  const late = await callAs(member, "POST", `${REGISTRATION}/${made.id}/cancel`, { version: 1 });
  expect(late.message).toBe("취소할 수 있는 날이 지났습니다. 사무국에 문의해 주십시오.");
  const decision = { reason: "본인의 전화", version: 1 };
  expect((await callAs(officer, "POST", `${DECIDE}/${made.id}/cancel`, decision)).code).toBe("SUCCESS");
  expect((await pageOf(member, own)).mine).toMatchObject({ status: "cancelled", reason: "본인의 전화" });
  const letters = await sentMessages(member.user.email);
  expect(letters.map(({ body }) => body).join()).toContain("사유: 본인의 전화");
});

test("a member cancels until the last moment of the last day", async () => {
  const { member, own, id } = await createWorld();
  await registerAt(member, own);
  const canCancel = async () => (await pageOf(member, own)).mine.can.cancel;
  const today = new Date();
  await runSql("UPDATE event SET close_date = 2, cancel_until = ? WHERE item_id = ?", koreanDay(today), id);
  expect(await canCancel()).toBe(true);
  const yesterday = new Date(today.getTime() - DAY_MS);
  await runSql("UPDATE event SET cancel_until = ? WHERE item_id = ?", koreanDay(yesterday), id);
  expect(await canCancel()).toBe(false);
});

test("the office moves somebody up by a place that it adds", async () => {
  const { author, member, officer, own, office } = await createWorld({ places: 1 });
  await registerAt(author, own);
  const { id } = (await registerAt(member, own)).data;
  expect((await callAs(officer, "POST", `${DECIDE}/${id}/up`, { reason: "연자", version: 1 })).data).toEqual({
    version: 2,
  });
  const page = (await callAs(officer, "GET", office)).data;
  expect(page).toMatchObject({ setting: { value: { places: 2 }, version: 2 }, counts: { confirmed: 2, waiting: 0 } });
  const entries = await readRows("SELECT reason FROM audit_log WHERE action = 'event.moveUp'");
  expect(entries).toEqual([{ reason: "연자" }]);
});

test("a cancelled event moves nobody up", async () => {
  const { author, member, officer, own, office, id: itemId } = await createWorld({ places: 1 });
  await registerAt(author, own);
  const { id } = (await registerAt(member, own)).data;
  await runSql("UPDATE board_item SET is_event_cancelled = 1 WHERE id = ?", itemId);
  expect((await callAs(officer, "POST", `${DECIDE}/${id}/up`, { reason: "연자", version: 1 })).code).toBe("CONFLICT");
  expect((await callAs(officer, "GET", office)).data).toMatchObject({ isHeld: false, counts: { waiting: 1 } });
});

test("nobody is added to a cancelled event", async () => {
  const { member, officer, office, id } = await createWorld();
  await runSql("UPDATE board_item SET is_event_cancelled = 1 WHERE id = ?", id);
  const add = await callAs(officer, "POST", `${office}/registration`, { who: member.user.email, reason: "전화" });
  expect(add).toMatchObject({ code: "CONFLICT", message: "신청이 마감되었습니다." });
});

test("the office adds a member once", async () => {
  const { member, officer, own, itemNo } = await createWorld({ places: 1 });
  const add = (who: string) =>
    callAs(officer, "POST", `/api/admin/event/free/${itemNo}/registration`, { who, reason: "문 앞" });
  expect((await add(member.user.email)).code).toBe("SUCCESS");
  expect((await pageOf(member, own)).mine.status).toBe("confirmed");
  expect((await add(member.user.email)).code).toBe("ALREADY_EXISTS");
  expect((await add("nobody@pid.example.kr")).fields).toHaveProperty("who");
});

test("attendance is marked once, from two doors too", async () => {
  const { member, officer, own } = await createWorld();
  const { id } = (await registerAt(member, own)).data;
  const tap = (mark: string) => callAs(officer, "POST", `${DECIDE}/${id}/attendance`, { mark });
  const both = await Promise.all([tap("present"), tap("present")]);
  expect(both.map(({ data }) => data.already).toSorted()).toEqual([false, true]);
  expect(await readValue("SELECT count(*) FROM audit_log WHERE action = 'event.attend'")).toBe(1);
  expect((await tap("absent")).data).toMatchObject({ status: "absent", attendedDate: null, already: false });
  expect((await tap("unmark")).data.status).toBe("confirmed");
});

test("added places go to the queue", async () => {
  const { author, member, officer, own, office } = await createWorld({ places: 1 });
  await registerAt(author, own);
  await registerAt(member, own);
  const changed = await callAs(officer, "PATCH", office, settingOf({ places: 2, version: 1 }));
  expect(changed.data).toEqual({ version: 2 });
  expect((await pageOf(member, own)).mine.status).toBe("confirmed");
  const fewer = await callAs(officer, "PATCH", office, settingOf({ places: 1, version: 2 }));
  expect(fewer.fields).toHaveProperty("places");
});

test("an answered question keeps its kind", async () => {
  const { member, officer, own, office } = await createWorld({ questions: QUESTIONS });
  await registerAt(member, own, { answers: { q1: "채식" } });
  const [asked] = QUESTIONS;
  const change = (questions: object[], version: number) =>
    callAs(officer, "PATCH", office, settingOf({ questions, version }));
  expect((await change([], 1)).fields).toHaveProperty("questions");
  expect((await change([{ ...asked, inputType: "text" }], 1)).fields).toHaveProperty("questions");
  expect((await change([{ ...asked, name: "점심" }], 1)).code).toBe("SUCCESS");
  expect((await pageOf(member, own)).questionsVersion).toBe(2);
});

test("an event with registrations is not deleted", async () => {
  const { member, officer, own, office } = await createWorld();
  await registerAt(member, own);
  expect((await callAs(officer, "DELETE", `${office}?version=1`)).code).toBe("CONFLICT");
});

test("registration opens on an item with an event alone", async () => {
  const { officer, office, id } = await createWorld();
  expect((await callAs(officer, "PUT", office, settingOf())).code).toBe("ALREADY_EXISTS");
  await runSql("DELETE FROM event WHERE item_id = ?", id);
  expect((await callAs(officer, "GET", "/api/admin/event/item")).data).toMatchObject([{ title: "동계 심포지엄" }]);
  expect((await callAs(officer, "PUT", office, settingOf({ closeDate: settingOf().openDate }))).fields).toHaveProperty(
    "closeDate",
  );
  expect((await callAs(officer, "PUT", office, settingOf({ roleCodes: ["nobody"] }))).fields).toHaveProperty(
    "roleCodes",
  );
  expect((await callAs(officer, "PUT", office, settingOf())).data).toEqual({ version: 1 });
  await runSql("UPDATE board_item SET event_start = NULL WHERE id = ?", id);
  await runSql("DELETE FROM event WHERE item_id = ?", id);
  expect((await callAs(officer, "PUT", office, settingOf())).code).toBe("CONFLICT");
  expect((await callAs(officer, "GET", office)).code).toBe("NOT_FOUND");
});

test("a person who leaves takes the registration along", async () => {
  const { member, own } = await createWorld();
  await registerAt(member, own);
  const page = await callAs(member, "GET", `/api/user/${member.user.id}/export`);
  if (page.code === "SUCCESS") expect(page.data.registrations).toHaveLength(1);
  await retireUser(member);
  expect(await readValue("SELECT count(*) FROM event_registration")).toBe(0);
});

const ANSWER = "유일한답변7351";

test("only their person or a holder of the right sees answers", async () => {
  const { author, member, officer, own, office } = await createWorld({ questions: QUESTIONS, hidesCounts: true });
  await registerAt(member, own, { answers: { q1: "채식", q2: ANSWER } });
  const others = [
    author,
    await createMemberSession(),
    await createSessionWith(["ADMIN_Access", "Alumni_Write", ...OFFICE.slice(2)]),
  ];
  const paths = [
    own,
    "/api/event",
    office,
    `${office}/registration`,
    "/api/admin/event",
    "/api/admin/audit?size=100",
    "/api/admin/message?size=100",
    "/api/board-item/free",
    `/api/board-item${own.slice("/api/event".length)}`,
  ];
  for (const session of others)
    for (const path of paths) expect(JSON.stringify(await callAs(session, "GET", path)), path).not.toMatch(ANSWER);
  for (const path of paths) expect(JSON.stringify(await callJson("GET", path)), path).not.toMatch(ANSWER);
  expect(await pageOf(author, own)).toMatchObject({ free: null, waiting: null });
  expect(JSON.stringify(await callAs(member, "GET", own))).toMatch(ANSWER);
  const list = await callAs(officer, "GET", `${office}/registration?keyword=홍길동&status=confirmed`);
  expect(list.data.content).toMatchObject([{ answers: { q2: ANSWER }, contact: member.user.email }]);
});

test("an unreadable item hides its event", async () => {
  const { member, own, id } = await createWorld();
  await runSql("UPDATE board_item SET is_secret = 1 WHERE id = ?", id);
  expect((await callAs(member, "GET", own)).code).toBe("FORBIDDEN");
  expect((await registerAt(member, own)).code).toBe("FORBIDDEN");
  await runSql("UPDATE board_item SET deleted_date = 1 WHERE id = ?", id);
  expect((await callAs(member, "GET", own)).code).toBe("NOT_FOUND");
});

test("an unreadable item hides its registrations from an officer", async () => {
  const { author, member, own, id: itemId } = await createWorld({ places: 1 });
  await registerAt(author, own);
  const { id } = (await registerAt(member, own)).data;
  await runSql("UPDATE board_item SET is_secret = 1 WHERE id = ?", itemId);
  const officer = await createSessionWith(["ADMIN_Access", "Event_Manage", "Dues_Manage", "Board_free_View"]);
  const calls: [string, object][] = [
    ["up", { reason: "연자", version: 1 }],
    ["cancel", { reason: "중복", version: 1 }],
    ["attendance", { mark: "present" }],
    ["refund", { reason: "불참", paid: 1 }],
  ];
  for (const [command, body] of calls)
    expect((await callAs(officer, "POST", `${DECIDE}/${id}/${command}`, body)).code, command).toBe("NOT_FOUND");
});

test("office calls refuse everybody without the right", async () => {
  const { member, own, office } = await createWorld();
  const { id } = (await registerAt(member, own)).data;
  const clerk = await createSessionWith(["ADMIN_Access", ...OFFICE.slice(2)]);
  const calls: [string, string, object?][] = [
    ["GET", office],
    ["GET", `${office}/registration`],
    ["POST", `${office}/export`, { reason: "명단" }],
    ["POST", `${office}/registration`, { who: "a", reason: "전화" }],
    ["PATCH", office, settingOf({ version: 1 })],
    ["POST", `${DECIDE}/${id}/up`, { reason: "연자", version: 1 }],
    ["POST", `${DECIDE}/${id}/cancel`, { reason: "중복", version: 1 }],
    ["POST", `${DECIDE}/${id}/attendance`, { mark: "present" }],
  ];
  for (const [method, path, body] of calls) {
    expect((await callJson(method, path, { body })).code, path).toBe("UNAUTHORIZED");
    for (const session of [member, clerk])
      expect((await callAs(session, method, path, body)).code, path).toBe("FORBIDDEN");
  }
});

test("another member's registration does not exist for a member", async () => {
  const { author, member, own } = await createWorld();
  const { id } = (await registerAt(member, own)).data;
  const change = { questionsVersion: 1, answers: {}, version: 1 };
  expect((await callAs(author, "POST", `${REGISTRATION}/${id}/cancel`, { version: 1 })).code).toBe("NOT_FOUND");
  expect((await callAs(author, "PATCH", `${REGISTRATION}/${id}`, change)).code).toBe("NOT_FOUND");
  expect((await callJson("POST", `${REGISTRATION}/${id}/cancel`, { body: { version: 1 } })).code).toBe("UNAUTHORIZED");
});

test("an export of registrations has its reason in the log", async () => {
  const officer = await createAdministratorSession();
  const { member, own, itemNo } = await createWorld({ questions: QUESTIONS });
  await registerAt(member, own, { answers: { q1: "채식" } });
  const path = `/api/admin/event/free/${itemNo}/export`;
  expect((await callAs(officer, "POST", path, {})).fields).toHaveProperty("reason");
  const body = { format: "csv", reason: "명찰 인쇄" };
  const response = await fetchApi("POST", path, { token: officer.accessToken, body });
  const text = await response.text();
  expect(text).toContain("사무국 사유");
  expect(text).toContain("채식");
  expect(await readValue("SELECT reason FROM audit_log WHERE action = 'event.export'")).toBe("명찰 인쇄");
});
