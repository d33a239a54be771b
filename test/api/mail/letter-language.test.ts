import { beforeEach, expect, test } from "vitest";
import { isKorean } from "#worker/contract/kernel/language.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { createTestItem, sentMessages } from "../../support/factories.ts";
import { openTestEvent, registerAt } from "../../calls/event-world.ts";
import { runJobsWith } from "../../hosts/mail-host.ts";
import { ENGLISH_SITE } from "../../support/identity.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSession,
  TEST_PASSWORD,
  type TestSession,
} from "../../support/people.ts";
import { runSql } from "../../support/test-database.ts";

beforeEach(async () => {
  const english = JSON.stringify({ english: ENGLISH_SITE });
  await runSql("INSERT INTO site_setting (key, value, modified_date, version) VALUES ('identity', ?, 1, 1)", english);
  await runSql("UPDATE board SET english_name = 'Notices' WHERE board_code = 'notice'");
});

const OWN_INFO = (session: TestSession) => `/api/user/${session.user.id}`;
const newest = async ({ user }: TestSession) => (await sentMessages(user.email))[0];

async function chooseEnglish(session: TestSession) {
  const { version } = (await callAs(session, "GET", OWN_INFO(session))).data;
  return callAs(session, "PATCH", OWN_INFO(session), { language: "en", version, currentPassword: TEST_PASSWORD });
}

async function createForeigner(): Promise<TestSession> {
  const session = await createSession({ userName: "Ana García-López" });
  expect((await chooseEnglish(session)).data.language).toBe("en");
  return session;
}

const changePassword = (session: TestSession) =>
  callAs(session, "POST", `/api/user/change-password/${session.user.id}`, {
    password: TEST_PASSWORD,
    newPassword: "Zk7!mQ2x",
  });

test("letters of an account come in its language", async () => {
  const [ana, member] = [await createForeigner(), await createMemberSession()];
  for (const session of [ana, member]) expect((await changePassword(session)).status).toBe(200);
  expect((await newest(ana))?.subject).toBe("[The Network] Your password has been changed");
  expect((await newest(member))?.subject).toContain("비밀번호가 변경되었습니다");
});

test("an account without a choice reads Korean", async () => {
  const session = await createMemberSession();
  expect((await callAs(session, "GET", OWN_INFO(session))).data.language).toBe("ko");
});

test("a new post reaches an English follower in English", async () => {
  const ana = await createForeigner();
  const member = await createMemberSession();
  for (const session of [ana, member]) await callAs(session, "PUT", "/api/board/notice/follow");
  const itemNo = await createTestItem(await createAdministratorSession(), "notice", { title: "Winter symposium" });
  await runJobsWith({});
  const mail = await newest(ana);
  expect(mail?.subject).toBe("[Notices] Winter symposium");
  expect(mail?.body).toContain(`/en/board/notice/View/${itemNo}`);
  expect(mail?.body).toContain("Author: Office");
  expect(isKorean(mail?.body ?? "")).toBe(false);
  expect((await newest(member))?.body).toContain(`/board/notice/View/${itemNo}`);
  expect((await newest(member))?.body).toContain("새 글이 올라왔습니다");
});

test("a comment reaches an English author in English", async () => {
  const ana = await createForeigner();
  const itemNo = await createTestItem(ana, "free", { title: "A question" });
  const path = `/api/board-item-comment/free/${itemNo}`;
  expect((await callAs(await createAdministratorSession(), "PUT", path, { content: "Yes." })).code).toBe("SUCCESS");
  await runJobsWith({});
  expect((await newest(ana))?.body).toContain("Office commented on 'A question'.\n\nYes.");
});

test("an answer reaches an English asker in English", async () => {
  const ana = await createForeigner();
  const { id } = (await callAs(ana, "POST", "/api/inquiry", { category: "event", subject: "Course", content: "When?" }))
    .data;
  await callAs(await createAdministratorSession(), "POST", `/api/admin/inquiry/${id}/answer`, {
    content: "In May.",
    version: 1,
  });
  expect((await newest(ana))?.subject).toBe("[The Network] Answer to your inquiry 'Course'");
});

test("without an English site every letter is Korean", async () => {
  const ana = await createForeigner();
  await runSql("DELETE FROM site_setting WHERE key = 'identity'");
  await changePassword(ana);
  expect((await newest(ana))?.subject).toContain("비밀번호가 변경되었습니다");
});

test("nobody chooses the language of another member", async () => {
  const [ana, other] = [await createForeigner(), await createMemberSession()];
  const body = { language: "ko", version: 2, currentPassword: TEST_PASSWORD };
  expect((await callAs(other, "PATCH", OWN_INFO(ana), body)).status).toBe(404);
  expect((await callJson("PATCH", OWN_INFO(ana), { body })).status).toBe(401);
  expect((await callAs(ana, "PATCH", OWN_INFO(ana), { ...body, language: "fr" })).code).toBe("INVALID_INPUT");
  expect((await callAs(ana, "GET", OWN_INFO(ana))).data.language).toBe("en");
});

test("an event's letters reach an English member in English", async () => {
  const author = await createMemberSession();
  const { own } = await openTestEvent(author, { places: 1, item: { title: "Winter symposium" } });
  const ana = await createForeigner();
  const { id } = (await registerAt(author, own)).data;
  await registerAt(ana, own);
  await callAs(author, "POST", `/api/event/registration/${id}/cancel`, { version: 1 });
  const subjects = (await sentMessages(ana.user.email)).map(({ subject }) => subject);
  expect(subjects).toContain("[The Network] You are on the waiting list for 'Winter symposium'");
  expect(subjects).toContain("[The Network] A place at 'Winter symposium' is yours");
  expect(subjects.filter((subject) => subject.includes("Winter"))).toHaveLength(2);
  expect((await newest(ana))?.body).toContain("/en/Board/free/Register/");
});
