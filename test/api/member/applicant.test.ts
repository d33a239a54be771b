import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callAs, callJson } from "../../support/api-client.ts";
import { getDashboard } from "#worker/domain/operation/dashboard.server.ts";
import { scopeFor } from "../../support/request-scope.ts";
import { advanceClock, advanceToMorning, openSignup, sentMessages, signupForm } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  createUser,
  type TestSession,
} from "../../support/people.ts";
import { readRow, readValue, runSql } from "../../support/test-database.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";

const REASON = "회원 자격을 확인하지 못하였습니다.";
const refuse = (session: TestSession, ...ids: string[]) =>
  callAs(session, "POST", "/api/admin/member/refuse", { ids, reason: REASON });
const rename = (session: TestSession, id: string, userName: string, version = 1) =>
  callAs(session, "PATCH", `/api/admin/member/${id}/name`, { userName, reason: "개명", version });
const listed = async (admin: TestSession, status: string) => {
  const { data } = await callAs(admin, "GET", `/api/admin/member?status=${status}`);
  return data.content.map(({ userName, keys }: { userName: string; keys: unknown[] }) => [userName, keys.length]);
};

test("a refused applicant gets the reason by mail", async () => {
  await openSignup();
  const admin = await createAdministratorSession();
  const email = "applicant@pid.example.kr";
  const apply = async () => {
    const answer = await callJson("POST", "/api/user/signup", { body: await signupForm(email) });
    expect(answer.code).toBe("SUCCESS");
    const id = String(await readValue("SELECT user_id FROM user_key WHERE user_key_code = ?", email));
    await runSql("UPDATE user SET status = 'waiting' WHERE id = ?", id);
    return id;
  };
  const id = await apply();
  expect((await refuse(admin, id)).data).toEqual({ changed: 1 });
  const [mail] = (await sentMessages(email)).filter(({ subject }) => subject.includes("가입 신청이 반려되었습니다"));
  expect(mail?.body).toContain(`사유: ${REASON}`);
  expect(await listed(admin, "refused")).toEqual([[expect.any(String), 0]]);
  expect(await readRow("SELECT action, reason FROM audit_log WHERE action = 'member.refuse'")).toEqual({
    action: "member.refuse",
    reason: REASON,
  });
  const toDo = async () => (await getDashboard(scopeFor(admin))).members.waiting;
  expect(await toDo()).toBe(0);
  advanceClock(2 * 60_000);
  expect(await apply()).not.toBe(id);
  expect(await toDo()).toBe(1);
});

test("a refused application is destroyed by the retention rule", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const applicant = await createUser({ status: "waiting", userName: "임시연" });
  await refuse(admin, applicant.id);
  await runSql('UPDATE user SET profile = \'{"affiliation":"한빛병원"}\' WHERE id = ?', applicant.id);
  advanceToMorning(29);
  await runScheduledJobs(env);
  expect(await readValue("SELECT status FROM user WHERE id = ?", applicant.id)).toBe("refused");
  advanceToMorning(2);
  await runScheduledJobs(env);
  expect(await readRow("SELECT status, user_name, profile FROM user WHERE id = ?", applicant.id)).toEqual({
    status: "retired",
    user_name: "탈퇴한 회원",
    profile: "{}",
  });
  expect(await sentMessages(applicant.email)).toEqual([]);
});

test("only an administrator refuses a waiting applicant", async () => {
  const admin = await createAdministratorSession();
  const [active, blocked, waiting] = [
    await createUser(),
    await createUser({ status: "blocked" }),
    await createUser({ status: "waiting" }),
  ];
  for (const { id } of [active, blocked]) expect((await refuse(admin, id)).data).toEqual({ changed: 0 });
  const others = [await createMemberSession(), await createSessionWith(["Alumni_Write"])];
  for (const session of others) expect((await refuse(session, waiting.id)).status).toBe(403);
  const guest = await callJson("POST", "/api/admin/member/refuse", { body: { ids: [waiting.id], reason: REASON } });
  expect(guest.status).toBe(401);
  expect((await refuse(admin, waiting.id)).data).toEqual({ changed: 1 });
  expect((await refuse(admin, waiting.id)).data).toEqual({ changed: 0 });
  expect((await callAs(admin, "POST", "/api/admin/member/approve", { ids: [waiting.id] })).data).toEqual({
    changed: 0,
  });
  expect(await readValue("SELECT count(*) FROM user_key WHERE user_id = ?", active.id)).toBe(2);
});

test("the office corrects a name with notice to the member", async () => {
  const admin = await createAdministratorSession();
  const member = await createMemberSession();
  const { id, email } = member.user;
  expect((await rename(admin, id, "홍길순")).data).toEqual({ version: 2 });
  expect(await readValue("SELECT user_name FROM user WHERE id = ?", id)).toBe("홍길순");
  const [mail] = await sentMessages(email);
  expect(mail?.body).toContain("이전 이름: 홍길동\n새 이름: 홍길순");
  expect(await readValue("SELECT reason FROM audit_log WHERE action = 'member.name'")).toBe("개명");
  expect((await rename(admin, id, "홍길자")).code, "an outdated version").toBe("CONFLICT");
  expect((await rename(admin, id, "Hong", 2)).fields.userName).toContain("한글");
  expect((await rename(admin, id, "홍길순", 2)).fields.userName).toContain("같습니다");
  expect(
    (await callAs(admin, "PATCH", `/api/admin/member/${id}/name`, { userName: "홍길자", version: 2 })).status,
  ).toBe(400);
});

test("nobody but an administrator with the account's rights corrects a name", async () => {
  const partial = await createSessionWith(["ADMIN_Access"]);
  const { id } = await createUser();
  const refused = [await createUser({ status: "refused" }), await createUser({ userType: "Admin" })];
  expect((await rename(partial, refused[0]?.id ?? "", "홍길순")).status).toBe(404);
  expect((await rename(partial, refused[1]?.id ?? "", "홍길순")).status).toBe(403);
  expect((await rename(await createMemberSession(), id, "홍길순")).status).toBe(403);
  expect((await rename(await createSessionWith(["Alumni_Write"]), id, "홍길순")).status).toBe(403);
  const guest = await callJson("PATCH", `/api/admin/member/${id}/name`, {
    body: { userName: "홍길순", reason: "x", version: 1 },
  });
  expect(guest.status).toBe(401);
  expect(await readValue("SELECT user_name FROM user WHERE id = ?", id)).toBe("홍길동");
});
