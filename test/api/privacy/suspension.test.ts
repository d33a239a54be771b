import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callAs, callJson } from "../../support/api-client.ts";
import { createSignupSettings, createTestItem, createTestMailing, sentMessages } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, retireUser, type TestSession } from "../../support/people.ts";
import { runSql } from "../../support/test-database.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";

const OFFICE = "/api/admin/privacy/request";
const values = async (query: string) => (await env.DB.prepare(query).raw()).flat();
const subjects = async ({ user }: TestSession) => (await sentMessages(user.email)).map(({ subject }) => subject);

async function suspend(person: TestSession, result: "done" | "refused" = "done"): Promise<void> {
  const { accessToken: token } = await createAdministratorSession();
  const asked = await callAs(person, "POST", "/api/user/privacy-request", {
    kind: "suspension",
    content: "쓰지 말아 주십시오.",
  });
  const body = { result, answer: "답변입니다.", version: 1 };
  const answer = await callJson("POST", `${OFFICE}/${asked.data.id}/answer`, { token, body });
  expect(answer.code).toBe("SUCCESS");
}
const reachedByMail = async (ids: string[], kind: string) => {
  const admin = await createAdministratorSession();
  const id = await createTestMailing(admin, { source: "member", target: { ids } }, { kind });
  return (await callAs(admin, "POST", `/api/admin/mailing/${id}/preview`)).data;
};
const lift = (person: TestSession, by: TestSession | null = person) =>
  callAs(by, "DELETE", `/api/user/${person.user.id}/suspension`);

test("법 제37조: a suspended person gets no bulk messages", async () => {
  await createSignupSettings();
  const [stopped, other] = [await createMemberSession(), await createMemberSession()];
  for (const { accessToken: token, user } of [stopped, other]) {
    await callJson("PUT", "/api/board/notice/follow", { token });
    await runSql(
      "INSERT INTO user_consent (user_id, code, version, agreed, text_hash, created_date) VALUES (?, 'newsletter', '1', 1, 'y', 1)",
      user.id,
    );
  }
  const ids = [stopped.user.id, other.user.id];
  const itemNo = await createTestItem(stopped, "free");
  await suspend(stopped);

  const one = { count: 1, leftOut: [{ cause: "suspended", count: 1 }] };
  expect(await reachedByMail(ids, "informational")).toMatchObject(one);
  expect(await reachedByMail(ids, "advertising")).toMatchObject(one);
  const { accessToken: token } = await createAdministratorSession();
  expect((await callJson("GET", "/api/admin/consent/due", { token })).data.count).toBe(1);
  await createTestItem(await createAdministratorSession(), "notice", { title: "새 소식" });
  await callJson("PUT", `/api/board-item-comment/free/${itemNo}`, { token, body: { content: "댓글" } });
  await runScheduledJobs(env);
  expect(await subjects(stopped)).toEqual([
    "[새 홈페이지] 개인정보 처리정지 요청의 처리 결과를 알려 드립니다",
    "[새 홈페이지] 개인정보 처리정지 요청을 접수하였습니다",
  ]);
  expect(await subjects(other)).toContain("[공지사항] 새 소식");
});

test("queued bulk messages skip a suspended person", async () => {
  const person = await createMemberSession();
  const insert = (id: string, isBulk: number, batchId: string | null) =>
    env.DB.prepare(
      "INSERT INTO message (id, channel, user_id, recipient, subject, body, status, created_date, is_bulk, batch_id, next_attempt_date) VALUES (?, 'email', ?, ?, '제목', '본문', 'queued', 1, ?, ?, 9e15)",
    ).bind(id, person.user.id, person.user.email, isBulk, batchId);
  await env.DB.batch([insert("own", 0, null), insert("begun", 1, "batch"), insert("waiting", 1, null)]);
  await suspend(person);
  expect(await values("SELECT id FROM message WHERE status = 'queued' ORDER BY id")).toEqual(["begun", "own"]);
});

test("the start of a suspension is shown to both sides", async () => {
  const person = await createMemberSession();
  await runSql(
    "INSERT INTO alumni (id, name, email, mobile, open_fields, created_date, modified_date) VALUES ('a', '홍길동', ?, '010-1111-2222', '[\"mobile\"]', 1, 1)",
    person.user.email,
  );
  const { accessToken: token } = await createAdministratorSession();
  const seen = async () => (await callJson("GET", `/api/admin/member/${person.user.id}`, { token })).data;
  expect((await seen()).suspendedDate).toBeNull();
  await suspend(person);
  const { suspendedDate, history } = await seen();
  expect(Date.parse(suspendedDate)).toBeGreaterThan(Date.now() - 60_000);
  expect(history.map(({ action }: { action: string }) => action)).toContain("user.suspend");
  const own = await callAs(person, "GET", `/api/user/${person.user.id}/export`);
  expect(own.data.suspendedDate).toBe(suspendedDate);
  expect(await values("SELECT open_fields FROM alumni")).toEqual(["[]"]);
});

test("a refused request, or one without an account, suspends nothing", async () => {
  const person = await createMemberSession();
  await suspend(person, "refused");
  const { accessToken: token } = await createAdministratorSession();
  const entered = await callJson("PUT", OFFICE, {
    token,
    body: { kind: "suspension", requesterName: "김동문", content: "쓰지 말아 주십시오." },
  });
  const body = { result: "done", answer: "처리하였습니다.", version: 1 };
  expect((await callJson("POST", `${OFFICE}/${entered.data.id}/answer`, { token, body })).code).toBe("SUCCESS");
  expect(await values("SELECT count(*) FROM suspension")).toEqual([0]);
  expect(await reachedByMail([person.user.id], "informational")).toMatchObject({ count: 1 });
});

test("a suspension can be lifted once", async () => {
  const person = await createMemberSession();
  const admin = await createAdministratorSession();
  const resume = (session: TestSession | null, reason = "본인이 전화로 요청") =>
    callAs(session, "POST", `/api/admin/member/${person.user.id}/resume`, { reason });
  expect([(await lift(person)).status, (await resume(admin)).status]).toEqual([409, 409]);
  await suspend(person);
  expect([(await lift(person, null)).status, (await lift(person, await createMemberSession())).status]).toEqual([
    401, 404,
  ]);
  expect((await lift(person, admin)).status, "the office uses its own call, which asks for a reason").toBe(404);
  expect([(await resume(null)).status, (await resume(person)).status]).toEqual([401, 403]);
  expect((await resume(admin, " ")).code).toBe("INVALID_INPUT");
  expect((await lift(person)).code).toBe("SUCCESS");
  expect((await lift(person)).status).toBe(409);
  expect(await reachedByMail([person.user.id], "informational")).toMatchObject({ count: 1, leftOut: [] });
  await suspend(person);
  expect((await resume(admin)).code).toBe("SUCCESS");
  expect((await resume(admin)).status).toBe(409);
  expect(await values("SELECT action FROM audit_log WHERE action LIKE '%resume' ORDER BY id")).toEqual([
    "user.resume",
    "member.resume",
  ]);
});

test("a retired member leaves no trace of a suspension", async () => {
  const person = await createMemberSession();
  await suspend(person);
  await retireUser(person);
  expect(await values("SELECT count(*) FROM suspension")).toEqual([0]);
});
