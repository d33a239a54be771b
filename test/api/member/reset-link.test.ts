import { expect, test } from "vitest";
import { callJson } from "../../support/api-client.ts";
import { advanceClock, sentMessages } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSession,
  createUser,
  createSessionWith,
  TEST_PASSWORD,
  type TestUser,
} from "../../support/people.ts";
import { readValue, runSql } from "../../support/test-database.ts";

const NEW_PASSWORD = "Zk7!mQ2x";
const HOUR_MS = 3_600_000;
const send = (token: string, id: string) => callJson("POST", `/api/admin/member/${id}/reset-link`, { token, body: {} });
const reset = (link: { userToken: string; pincode: string }) =>
  callJson("POST", "/api/user/reset-password", { body: { ...link, password: NEW_PASSWORD } });
const signin = (user: TestUser, password: string) =>
  callJson("POST", "/api/user/signin", { body: { userKeyType: "Id", userKeyCode: user.userId, password } });

async function linkOf(user: TestUser) {
  const [message] = await sentMessages(user.email);
  const [, userToken = "", pincode = ""] = /FindPassword#([\w-]+)\.(\d{6})/.exec(message?.body ?? "") ?? [];
  return { userToken, pincode };
}

test("a reset link sets a new password once", async () => {
  const { accessToken } = await createAdministratorSession();
  const user = await createUser();
  expect((await send(accessToken, user.id)).status).toBe(200);
  const link = await linkOf(user);
  expect((await signin(user, TEST_PASSWORD)).status).toBe(200);
  expect((await reset(link)).status).toBe(200);
  expect((await reset(link)).code).toBe("PINCODE_EXPIRED");
  expect((await signin(user, TEST_PASSWORD)).status).toBe(401);
  expect((await signin(user, NEW_PASSWORD)).status).toBe(200);
});

test("a newer reset link invalidates the older one", async () => {
  const { accessToken } = await createAdministratorSession();
  const [early, late] = [await createUser(), await createUser()];
  await send(accessToken, early.id);
  await send(accessToken, late.id);
  const older = await linkOf(early);
  advanceClock(2 * 60_000);
  const again = await createSession({ userType: "Admin" });
  await send(again.accessToken, early.id);
  expect((await reset(older)).code).toBe("PINCODE_EXPIRED");
  advanceClock(20 * HOUR_MS);
  expect((await reset(await linkOf(early))).status).toBe(200);
  advanceClock(5 * HOUR_MS);
  expect((await reset(await linkOf(late))).code).toBe("PINCODE_EXPIRED");
});

test("an address gets one reset link a minute, regardless of the requester", async () => {
  const [one, other] = [await createAdministratorSession(), await createAdministratorSession()];
  const user = await createUser();
  expect((await send(one.accessToken, user.id)).status).toBe(200);
  expect((await send(other.accessToken, user.id)).status).toBe(429);
  expect(await sentMessages(user.email)).toHaveLength(1);
});

test("a system administrator or a person without sign-in gets no link", async () => {
  const { accessToken } = await createAdministratorSession();
  const blocked = await createUser({ status: "blocked" });
  const waiting = await createUser({ status: "waiting" });
  for (const { id } of [blocked, waiting]) expect((await send(accessToken, id)).status, id).toBe(409);
  const unreachable = await createUser();
  await runSql("UPDATE user_key SET verified_date = NULL WHERE user_id = ?", unreachable.id);
  expect((await send(accessToken, unreachable.id)).fields.email).toContain("먼저 이메일을 정정해 주십시오.");
  const partial = await createSessionWith(["ADMIN_Access"]);
  const system = await createUser({ userType: "Admin" });
  expect((await send(partial.accessToken, system.id)).status).toBe(403);
  const someone = await createUser();
  expect((await send((await createMemberSession()).accessToken, someone.id)).status).toBe(403);
  for (const user of [blocked, waiting, unreachable, system, someone])
    expect(await sentMessages(user.email), user.email).toEqual([]);
});

test("a reset link ends when its address is corrected", async () => {
  const { accessToken } = await createAdministratorSession();
  const user = await createUser();
  await send(accessToken, user.id);
  const link = await linkOf(user);
  const body = { email: "found@pid.example.kr", reason: "메일함 도난", version: 1 };
  const corrected = await callJson("PATCH", `/api/admin/member/${user.id}/email`, { token: accessToken, body });
  expect(corrected.code).toBe("SUCCESS");
  expect(await readValue("SELECT count(*) FROM verification WHERE used_date IS NULL")).toBe(0);
  expect((await reset(link)).code).toBe("PINCODE_EXPIRED");
  expect((await signin(user, TEST_PASSWORD)).status).toBe(200);
});

test("a reset link works only while its address belongs to the account", async () => {
  const { accessToken } = await createAdministratorSession();
  const user = await createUser();
  await send(accessToken, user.id);
  await runSql("UPDATE user_key SET user_key_code = 'moved@pid.example.kr' WHERE user_key_code = ?", user.email);
  expect((await reset(await linkOf(user))).code).toBe("PINCODE_EXPIRED");
  expect((await signin(user, TEST_PASSWORD)).status).toBe(200);
});

test("a reset link ends when the member changes the password", async () => {
  const { accessToken } = await createAdministratorSession();
  const session = await createMemberSession();
  await send(accessToken, session.user.id);
  const link = await linkOf(session.user);
  const body = { password: TEST_PASSWORD, newPassword: "Own8!pass" };
  const changed = await callJson("POST", `/api/user/change-password/${session.user.id}`, {
    token: session.accessToken,
    body,
  });
  expect(changed.code).toBe("SUCCESS");
  expect((await reset(link)).code).toBe("PINCODE_EXPIRED");
  expect((await signin(session.user, body.newPassword)).status).toBe(200);
});
