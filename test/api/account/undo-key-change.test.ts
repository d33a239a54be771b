import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callAs, callJson, fetchApi } from "../../support/api-client.ts";
import { advanceClock, createVerifiedToken, sentMessages } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  signInUser,
  TEST_PASSWORD,
  type TestSession,
} from "../../support/people.ts";
import { readValue, runSql } from "../../support/test-database.ts";

const DAY_MS = 86_400_000;
const ATTACKER = "attacker@pid.example.kr";

async function changeEmail(session: TestSession, from: string, to: string): Promise<string> {
  const userKeyToken = await createVerifiedToken(to);
  const body = { userKeyType: "Email", userKeyToken, password: TEST_PASSWORD };
  const answer = await callAs(session, "POST", `/api/user/change-user-key/${session.user.id}`, body);
  expect(answer.code).toBe("SUCCESS");
  const [mail] = (await sentMessages(from)).filter(({ subject }) => subject.includes("이메일 정보가 변경되었습니다"));
  expect(mail?.body).toContain("본인이 변경하지 않았다면");
  return /\/mail\/undo\/([\w-]+)/.exec(mail?.body ?? "")?.[1] ?? "";
}
const undo = (token: string) => callJson("POST", `/api/user-key/undo/${token}`);
const emailOf = (session: TestSession) =>
  readValue("SELECT user_key_code FROM user_key WHERE user_id = ? AND user_key_type = 'Email'", session.user.id);

test("the link mailed to the old address undoes the change", async () => {
  const admin = await createAdministratorSession();
  const session = await createMemberSession();
  const attacker = await signInUser(session.user);
  const token = await changeEmail(attacker, session.user.email, ATTACKER);
  expect((await undo(token)).code).toBe("SUCCESS");
  expect(await emailOf(session)).toBe(session.user.email);
  for (const each of [session, attacker])
    expect((await callAs(each, "GET", `/api/user/${session.user.id}`)).status).toBe(401);
  for (const [address, text] of [
    [session.user.email, "비밀번호를 바로 다시 정해 주십시오"],
    [ATTACKER, "이 주소로는 더 이상 계정을 이용하실 수 없습니다"],
    [admin.user.email, "계정이 도용되지 않았는지 확인해 주십시오"],
  ] as const) {
    const messages = await sentMessages(address);
    const told = messages.find(({ subject }) => subject === "[새 홈페이지] 이메일 변경이 취소되었습니다");
    expect([address, told?.body]).toEqual([address, expect.stringContaining(text)]);
    expect(told?.body).not.toContain("/mail/undo/");
  }
  expect(await readValue("SELECT count(*) FROM audit_log WHERE action = 'user.undoUserKey'")).toBe(1);
});

test("an undo link works once", async () => {
  const session = await createMemberSession();
  const token = await changeEmail(session, session.user.email, ATTACKER);
  expect([(await undo(token)).code, (await undo(token)).code]).toEqual(["SUCCESS", "SUCCESS"]);
  expect(await readValue("SELECT count(*) FROM audit_log WHERE action = 'user.undoUserKey'")).toBe(1);
  await changeEmail(await signInUser(session.user), session.user.email, "own@pid.example.kr");
  expect((await undo(token)).code).toBe("NOT_FOUND");
  expect(await emailOf(session)).toBe("own@pid.example.kr");
});

test("opening an undo link changes nothing", async () => {
  const session = await createMemberSession();
  const token = await changeEmail(session, session.user.email, ATTACKER);
  await fetchApi("GET", `/api/user-key/undo/${token}`);
  expect(await emailOf(session)).toBe(ATTACKER);
  const answers = [await undo("abc"), await undo(`${token}x`), await undo(token.slice(0, -1))];
  advanceClock(7 * DAY_MS);
  answers.push(await undo(token));
  expect(new Set(answers.map(({ status, code, message }) => JSON.stringify([status, code, message])))).toEqual(
    new Set([JSON.stringify([404, "NOT_FOUND", answers[0]?.message])]),
  );
  expect(await emailOf(session)).toBe(ATTACKER);
});

test("the first link undoes a chain of changes", { tags: "full" }, async () => {
  const session = await createMemberSession();
  const attacker = await signInUser(session.user);
  const first = await changeEmail(attacker, session.user.email, ATTACKER);
  const second = await changeEmail(attacker, ATTACKER, "again@pid.example.kr");
  expect((await undo(first)).code).toBe("SUCCESS");
  expect((await undo(second)).code).toBe("NOT_FOUND");
  expect(await emailOf(session)).toBe(session.user.email);
});

test("a link expires once the account has its address again", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const session = await createMemberSession();
  const own = session.user.email;
  const first = await changeEmail(session, own, "b@pid.example.kr");
  const second = await changeEmail(session, "b@pid.example.kr", own);
  expect((await undo(first)).code).toBe("SUCCESS");
  expect((await callAs(session, "GET", `/api/user/${session.user.id}`)).status).toBe(200);
  const third = await changeEmail(session, own, "c@pid.example.kr");
  for (const token of [first]) expect((await undo(token)).code).toBe("NOT_FOUND");
  const version = await readValue("SELECT version FROM user WHERE id = ?", session.user.id);
  const corrected = { email: "office@pid.example.kr", reason: "본인 확인", version };
  expect((await callAs(admin, "PATCH", `/api/admin/member/${session.user.id}/email`, corrected)).code).toBe("SUCCESS");
  for (const token of [first, second, third]) expect((await undo(token)).code).toBe("NOT_FOUND");
  expect(await emailOf(session)).toBe("office@pid.example.kr");
});

test("an address that another account now uses stays there", async () => {
  const session = await createMemberSession();
  const own = session.user.email;
  const token = await changeEmail(session, own, ATTACKER);
  const other = await createMemberSession();
  await runSql(
    "UPDATE user_key SET user_key_code = ? WHERE user_id = ? AND user_key_type = 'Email'",
    own,
    other.user.id,
  );
  expect((await undo(token)).code).toBe("NOT_FOUND");
  expect([await emailOf(session), await emailOf(other)]).toEqual([ATTACKER, own]);
});

test("a retired member leaves no undo link behind", async () => {
  const session = await createMemberSession();
  const token = await changeEmail(session, session.user.email, ATTACKER);
  expect((await callAs(session, "POST", "/api/user/retire", { password: TEST_PASSWORD })).code).toBe("SUCCESS");
  expect((await undo(token)).code).toBe("NOT_FOUND");
  expect(await readValue("SELECT count(*) FROM verification WHERE purpose = 'undo'")).toBe(0);
  const { keys } = await env.KV.list({ prefix: "verification:" });
  const kept = await Promise.all(keys.map(({ name }) => env.KV.get(name)));
  expect(kept.filter((text) => text?.includes(session.user.email))).toEqual([]);
});
