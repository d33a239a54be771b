import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { daysLater } from "#worker/contract/kernel/day-ends.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { advanceClock, createSignupSettings, createTestItem, sentMessages } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, createSession } from "../../support/people.ts";
import { readRow, readValue } from "../../support/test-database.ts";

const DAY_MS = 86_400_000;
const OWN = "/api/user/privacy-request";
const OFFICE = "/api/admin/privacy/request";
const ask = (token: string | undefined, fields: object = {}) =>
  callJson("POST", OWN, { token, body: { kind: "access", content: "보관 중인 제 정보를 알려 주십시오.", ...fields } });
const rowOf = (id: string) => readRow("SELECT * FROM privacy_request WHERE id = ?", id);
const actions = async () =>
  (await env.DB.prepare("SELECT action FROM audit_log WHERE action LIKE 'privacy.%' ORDER BY id").raw()).flat();

test("periods are counted in Korean days", () => {
  const due = (at: string, days: number) => daysLater(new Date(at), days).toISOString();
  // 00:30 on the 2nd in Korea is still the 1st in UTC.
  expect(due("2026-11-01T15:30:00Z", 10)).toBe("2026-11-12T14:59:59.999Z");
  expect(due("2026-11-01T14:59:00Z", 10)).toBe("2026-11-11T14:59:59.999Z");
});

test("a member's request is answered by mail", async () => {
  const person = await createMemberSession();
  const admin = await createAdministratorSession();
  const asked = await ask(person.accessToken);
  expect(asked.status).toBe(200);
  const { id } = asked.data;
  expect((await sentMessages(person.user.email))[0]?.subject).toBe("[새 홈페이지] 개인정보 열람 요청을 접수하였습니다");

  const list = await callAs(admin, "GET", `${OFFICE}?status=open`);
  expect(list.data.content).toMatchObject([
    { id, requesterName: "홍길동", contact: person.user.email, overdue: false },
  ]);
  const start = await callAs(admin, "POST", `${OFFICE}/${id}/start`, { version: 1 });
  expect(start.data).toEqual({ version: 2 });
  const body = { result: "done", answer: "보관 중인 정보는 아래와 같습니다.", version: 2 };
  const answered = await callAs(admin, "POST", `${OFFICE}/${id}/answer`, body);
  expect(answered.data).toEqual({ version: 3, mailed: true });
  const [message] = await sentMessages(person.user.email);
  expect(message?.subject).toBe("[새 홈페이지] 개인정보 열람 요청의 처리 결과를 알려 드립니다");
  expect(message?.body).toContain("보관 중인 정보는 아래와 같습니다.");
  const own = await callAs(person, "GET", OWN);
  expect(own.data).toMatchObject([{ id, status: "done", answer: "보관 중인 정보는 아래와 같습니다." }]);
  const detail = await callAs(admin, "GET", `${OFFICE}/${id}`);
  expect(detail.data.history.map((row: { action: string }) => row.action)).toEqual([
    "privacy.answer",
    "privacy.start",
    "privacy.request",
  ]);
  const acted = "privacy.request privacy.list privacy.start privacy.answer privacy.view";
  expect(await actions()).toEqual(acted.split(" "));
});

test("only the office can answer requests of others", async () => {
  const person = await createMemberSession();
  const other = await createMemberSession();
  const { accessToken: token } = await createAdministratorSession();
  expect((await ask(undefined)).status).toBe(401);
  expect((await callJson("GET", OWN)).status).toBe(401);
  const { id } = (await ask(person.accessToken)).data;
  expect((await callAs(other, "GET", OWN)).data).toEqual([]);
  const body = { result: "refused", answer: "대리인의 위임장이 없습니다.", version: 1 };
  expect((await callAs(other, "POST", `${OFFICE}/${id}/answer`, body)).status).toBe(403);
  expect((await callJson("POST", `${OFFICE}/${id}/answer`, { token, body: { ...body, version: 9 } })).code).toBe(
    "CONFLICT",
  );
  expect((await callJson("POST", `${OFFICE}/${id}/answer`, { token, body })).code).toBe("SUCCESS");
  expect((await callJson("POST", `${OFFICE}/${id}/answer`, { token, body: { ...body, version: 2 } })).code).toBe(
    "CONFLICT",
  );
  expect((await sentMessages(person.user.email)).length).toBe(2);
});

test("a request contains no resident number", async () => {
  const person = await createMemberSession();
  expect((await ask(person.accessToken, { content: "900101-1234567" })).fields.content).toContain("주민등록번호");
  for (let at = 0; at < 5; at += 1) expect((await ask(person.accessToken)).status, `${at}`).toBe(200);
  expect((await ask(person.accessToken)).status).toBe(429);
});

test("the office can enter a request by letter", async () => {
  const person = await createMemberSession();
  const { accessToken: token } = await createAdministratorSession();
  const enter = (body: object) =>
    callJson("PUT", OFFICE, { token, body: { kind: "erasure", content: "지워 주십시오.", ...body } });
  expect((await enter({})).fields.requesterName).toBeTruthy();
  expect((await enter({ userKeyCode: "nobody" })).fields.userKeyCode).toBeTruthy();
  expect((await enter({ requesterName: "김동문", receivedDay: "2999-01-01" })).fields.receivedDay).toBeTruthy();
  const ofMember = await enter({ userKeyCode: person.user.userId.toUpperCase() });
  expect(await rowOf(ofMember.data.id)).toMatchObject({ user_id: person.user.id, contact: person.user.email });
  const ofNobody = await enter({
    requesterName: "김동문",
    contact: "Dongmun@PID.example.kr",
    receivedDay: "2026-11-02",
  });
  expect(await rowOf(ofNobody.data.id)).toMatchObject({ user_id: null, contact: "dongmun@pid.example.kr" });
  expect(ofNobody.data.dueDate).toBe("2026-11-12T14:59:59.999Z");
  expect((await sentMessages("dongmun@pid.example.kr"))[0]?.body).toContain("2026년 11월 12일까지");
});

test("a request past its date is overdue until answered", async () => {
  const person = await createMemberSession();
  const { id } = (await ask(person.accessToken)).data;
  advanceClock(11 * DAY_MS);
  const { accessToken: token } = await createAdministratorSession();
  const overdue = async () => (await callJson("GET", `${OFFICE}?status=overdue`, { token })).data.totalElements;
  expect(await overdue()).toBe(1);
  expect((await callJson("GET", "/api/admin/dashboard", { token })).data.privacy).toMatchObject({
    open: 1,
    overdue: 1,
  });
  const extend = (version: number) =>
    callJson("POST", `${OFFICE}/${id}/extend`, {
      token,
      body: { days: 10, reason: "확인할 자료가 많습니다.", version },
    });
  expect((await extend(1)).code).toBe("SUCCESS");
  expect((await sentMessages(person.user.email))[0]?.body).toContain("확인할 자료가 많습니다.");
  expect(await overdue()).toBe(0);
  expect((await extend(2)).code).toBe("INVALID_INPUT");
});

test("the response period is a setting with an optimistic lock", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const page = (await callJson("GET", "/api/admin/privacy/retention", { token })).data;
  const rules = Object.fromEntries(
    page.rules.map(({ rule, on, days }: { rule: string; on: boolean; days: number }) => [rule, { on, days }]),
  );
  expect(rules.inactive).toEqual({ on: false, days: 365 });
  expect(rules["access-log"]).toEqual({ on: true, days: 730 });
  const save = (fields: object, version = 1) =>
    callJson("PATCH", "/api/admin/privacy/retention", { token, body: { requestDays: 7, rules, version, ...fields } });
  const short = await save({
    rules: { ...rules, "access-log": { on: true, days: 364 }, leftover: { on: true, days: 6 } },
  });
  expect(Object.keys(short.fields).toSorted()).toEqual(["rules.access-log.days", "rules.leftover.days"]);
  expect((await save({})).data.version).toBe(2);
  expect((await save({})).code).toBe("CONFLICT");
  const person = await createMemberSession();
  const asked = await ask(person.accessToken);
  expect(asked.data.dueDate).toBe(daysLater(new Date(), 7).toISOString());
  const log = await readValue<string>("SELECT detail FROM audit_log WHERE action = 'privacy.setting'");
  expect(JSON.parse(log ?? "")).toEqual({ before: { requestDays: 10 }, after: { requestDays: 7 } });
});

test("a granted erasure destroys the account like a retirement", async () => {
  await createSignupSettings();
  const person = await createMemberSession();
  const admin = await createAdministratorSession();
  const token = admin.accessToken;
  await createTestItem(person, "free");
  const wrong = (await ask(person.accessToken)).data.id;
  const { id } = (await ask(person.accessToken, { kind: "erasure", content: "모두 지워 주십시오." })).data;
  const erase = (which: string, version = 1) =>
    callJson("POST", `${OFFICE}/${which}/erase`, { token, body: { answer: "모두 파기하였습니다.", version } });
  expect((await erase(wrong)).code).toBe("INVALID_INPUT");
  expect((await erase(id)).code).toBe("SUCCESS");
  expect((await callAs(person, "GET", `/api/user/${person.user.id}`)).status).toBe(401);
  expect(await rowOf(id)).toMatchObject({ status: "done", requester_name: "탈퇴한 회원", contact: "", content: "" });
  expect((await sentMessages(person.user.email)).map(({ subject }) => subject)).toEqual([
    "[새 홈페이지] 개인정보 삭제 요청의 처리 결과를 알려 드립니다",
  ]);
  const register = (await callJson("GET", "/api/admin/privacy/destruction", { token })).data.content;
  expect(register).toMatchObject([{ rule: "request", kind: "회원정보", count: 1, actorName: "관리자" }]);
  expect(JSON.stringify(register)).not.toContain(person.user.id);
  expect((await erase(id, 2)).code).toBe("CONFLICT");
});

test("an administrator cannot be erased before losing that role", async () => {
  const admin = await createAdministratorSession();
  const other = await createSession({ roleCode: "administrator" });
  const { id } = (await ask(other.accessToken, { kind: "erasure" })).data;
  const body = { answer: "파기하였습니다.", version: 1 };
  const answer = await callAs(admin, "POST", `${OFFICE}/${id}/erase`, body);
  expect([answer.code, answer.message]).toEqual(["CONFLICT", expect.stringContaining("관리자")]);
  expect((await callAs(other, "GET", `/api/user/${other.user.id}`)).status).toBe(200);
});
