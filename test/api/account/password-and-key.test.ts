import { expect, test } from "vitest";
import { callAs, callJson } from "../../support/api-client.ts";
import { advanceClock, createVerifiedToken, readSentPincode, sentMessages } from "../../support/factories.ts";
import { createMemberSession, signInUser, TEST_PASSWORD, type TestSession } from "../../support/people.ts";
import { readRows, readValue, runSql } from "../../support/test-database.ts";
import { NEW_PASSWORD, readAccount } from "../../calls/account-calls.ts";

const NEW_EMAIL = "moved@pid.example.kr";

const changePassword = (session: TestSession, body: unknown, address?: string) =>
  callJson("POST", `/api/user/change-password/${session.user.id}`, {
    token: session.accessToken,
    body,
    ...(address ? { address } : {}),
  });

const changeKey = (session: TestSession, userKeyToken: string, password = TEST_PASSWORD) =>
  callAs(session, "POST", `/api/user/change-user-key/${session.user.id}`, {
    userKeyType: "Email",
    userKeyToken,
    password,
  });

test("a new password ends the other sessions", async () => {
  const session = await createMemberSession();
  const other = await signInUser(session.user);
  expect((await changePassword(session, { password: TEST_PASSWORD, newPassword: NEW_PASSWORD })).data).toEqual({});
  expect((await readAccount(session.user.id, session.accessToken)).status).toBe(200);
  const refreshed = { body: { refreshToken: session.refreshToken } };
  expect((await callJson("POST", "/api/user/signin-by-refresh-token", refreshed)).status).toBe(200);
  expect((await readAccount(session.user.id, other.accessToken)).status).toBe(401);
  expect((await sentMessages(session.user.email))[0]?.subject).toBe("[새 홈페이지] 비밀번호가 변경되었습니다");
  const body = { userKeyType: "Id", userKeyCode: session.user.userId, password: TEST_PASSWORD };
  expect((await callJson("POST", "/api/user/signin", { body })).code).toBe("INVALID_CREDENTIAL");
});

test.each([
  [TEST_PASSWORD, "지금 쓰는 비밀번호와 다른 비밀번호를 입력해 주십시오."],
  ["Qwerty123!", "널리 알려져 추측하기 쉬운 비밀번호입니다. 다른 비밀번호를 입력해 주십시오."],
  ["onlyletters", "비밀번호는 영문, 숫자, 특수문자를 모두 포함하여 6~16자로 입력해 주십시오."],
])("the new password %s is refused with the reason", async (newPassword, message) => {
  const session = await createMemberSession();
  const answer = await changePassword(session, { password: TEST_PASSWORD, newPassword });
  expect([answer.status, answer.fields.newPassword]).toEqual([400, message]);
});

test("a wrong current password counts as a failed sign-in", async () => {
  const session = await createMemberSession();
  const wrong = await changePassword(session, { password: "Wrong!123", newPassword: NEW_PASSWORD });
  expect([wrong.status, wrong.code]).toEqual([401, "INVALID_CREDENTIAL"]);
  expect((await changeKey(session, "x", "Wrong!123")).code).toBe("INVALID_CREDENTIAL");
  const token = session.accessToken;
  const retire = await callJson("POST", "/api/user/retire", { token, body: { password: "Wrong!123" } });
  expect(retire.code).toBe("INVALID_CREDENTIAL");
  const body = { userKeyType: "Id", userKeyCode: session.user.userId, password: "Wrong!123" };
  for (let n = 0; n < 2; n += 1) await callJson("POST", "/api/user/signin", { body });
  expect((await changePassword(session, { password: TEST_PASSWORD, newPassword: NEW_PASSWORD })).code).toBe(
    "TOO_MANY_REQUESTS",
  );
  // A stranger's failed sign-ins do not lock anyone out of an existing session.
  expect((await readAccount(session.user.id, token)).status).toBe(200);
});

test("only one of two simultaneous changes of a password succeeds", async () => {
  const session = await createMemberSession();
  const answers = await Promise.all(
    ["Zk7!mQ2x", "Zk7!mQ2y"].map((newPassword) => changePassword(session, { password: TEST_PASSWORD, newPassword })),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(1);
  // The loser fails either the comparison or the version check.
  expect(["INVALID_CREDENTIAL", "CONFLICT"]).toContain(refused[0]?.code);
});

test("a verified new e-mail replaces the old one", async () => {
  const session = await createMemberSession();
  const old = session.user.email;
  const reset = await callJson("POST", "/api/user/reset-password-token", { body: { email: old } });
  const pincode = await readSentPincode(old);
  expect((await changeKey(session, await createVerifiedToken(NEW_EMAIL))).data).toEqual({});
  const { data } = await readAccount(session.user.id, session.accessToken);
  expect(data.userKeys).toContainEqual({ userKeyType: "Email", userKeyCode: NEW_EMAIL, verified: true });
  expect(JSON.stringify(data)).not.toContain(old);
  expect((await sentMessages(old))[0]?.subject).toBe("[새 홈페이지] 이메일 정보가 변경되었습니다");
  expect(await readRows("SELECT DISTINCT user_id AS id FROM message WHERE recipient = ?", old)).toEqual([
    { id: session.user.id },
  ]);
  const late = { userToken: reset.data.userToken, pincode, password: NEW_PASSWORD };
  expect((await callJson("POST", "/api/user/reset-password", { body: late })).code).toBe("PINCODE_EXPIRED");
  const taken = { userKeyType: "Email", userKeyCode: old };
  expect((await callJson("POST", "/api/user-key/check-exists", { body: taken })).data).toEqual({ exists: false });
});

test("a token verifies an address once for its requester", async () => {
  const session = await createMemberSession();
  const other = await createMemberSession();
  const token = session.accessToken;
  const check = { userKeyType: "Email", userKeyCode: NEW_EMAIL };
  const sent = await callJson("POST", "/api/user-key/check", { token, body: check });
  const confirm = { userKeyToken: sent.data.userKeyToken, pincode: await readSentPincode(NEW_EMAIL) };
  const { userKeyToken } = (await callJson("POST", "/api/user-key/confirm", { token, body: confirm })).data;
  expect((await changeKey(other, userKeyToken)).fields.userKeyToken).toBe("이메일 인증을 진행해주세요.");
  expect((await changeKey(session, sent.data.userKeyToken)).fields.userKeyToken).toBe("이메일 인증을 진행해주세요.");
  expect((await changeKey(session, userKeyToken)).status).toBe(200);
  expect((await changeKey(session, userKeyToken)).status).toBe(400);
});

test("only one of two members gets an address that both want", { tags: "full" }, async () => {
  const people = [await createMemberSession(), await createMemberSession()];
  const tokens: string[] = [];
  for (const [n] of people.entries()) {
    if (n > 0) advanceClock(61_000);
    tokens.push(await createVerifiedToken(NEW_EMAIL));
  }
  // Revives the second token, so that both changes race.
  await runSql("UPDATE verification SET used_date = NULL WHERE purpose = 'verified'");
  const answers = await Promise.all(people.map((session, n) => changeKey(session, tokens[n] ?? "")));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const loser = answers.find(({ status }) => status === 409);
  expect([loser?.code, loser?.message]).toEqual(["ALREADY_EXISTS", "이미 사용 중인 이메일입니다."]);
  const owners = await readValue("SELECT count(*) AS n FROM user_key WHERE user_key_code = ?", NEW_EMAIL);
  expect(owners).toBe(1);
});

test("a mobile number is added with an SMS code", async () => {
  const session = await createMemberSession();
  const body = { userKeyType: "Mobile", userKeyCode: "01012345678" };
  const sent = await callJson("POST", "/api/user-key/check", { body });
  const pincode = await readSentPincode("010-1234-5678");
  const confirmed = await callJson("POST", "/api/user-key/confirm", {
    body: { userKeyToken: sent.data.userKeyToken, pincode },
  });
  const change = { userKeyType: "Mobile", userKeyToken: confirmed.data.userKeyToken, password: TEST_PASSWORD };
  const answer = await callAs(session, "POST", `/api/user/change-user-key/${session.user.id}`, change);
  expect(answer.status).toBe(200);
  const { data } = await readAccount(session.user.id, session.accessToken);
  expect(data.userKeys).toContainEqual({ userKeyType: "Mobile", userKeyCode: "010-1234-5678", verified: true });
});
