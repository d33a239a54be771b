import { expect, test } from "vitest";
import { callAs, callJson } from "../../support/api-client.ts";
import { advanceClock, sentMessages } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createTestRole,
  createUser,
  createSessionWith,
  TEST_PASSWORD,
} from "../../support/people.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const day = (fromNowDays: number) =>
  new Date(Date.now() + 9 * 3_600_000 + fromNowDays * DAY_MS).toISOString().slice(0, 10);
const canManageNotice = async (token: string) =>
  (await callJson("GET", "/api/board/notice", { token })).data.permissions.manage;
const path = (userId: string) => `/api/admin/member/${userId}/role-grant`;

test("a temporary role adds its rights for its days", async () => {
  const admin = await createAdministratorSession();
  const person = await createMemberSession();
  const roleCode = await createTestRole(["Board_notice_Manage"]);
  const body = { roleCode, from: day(1), to: day(2), reason: "명부 정리" };
  expect((await callAs(admin, "PUT", path(person.user.id), body)).code).toBe("SUCCESS");
  expect(await canManageNotice(person.accessToken)).toBe(false);
  advanceClock(DAY_MS);
  const renewed = await callJson("POST", "/api/user/signin-by-refresh-token", {
    body: { refreshToken: person.refreshToken },
  });
  expect(renewed.data.user.role).toMatchObject({
    roleCode: "member",
    permissions: expect.arrayContaining(["Board_notice_Manage", "Board_notice_List"]),
  });
  const token = renewed.data.accessToken;
  expect(await canManageNotice(token)).toBe(true);
  advanceClock(3 * DAY_MS);
  const after = await callJson("POST", "/api/user/signin-by-refresh-token", {
    body: { refreshToken: renewed.data.refreshToken },
  });
  expect(await canManageNotice(after.data.accessToken)).toBe(false);
});

test("a temporary role can be cancelled or ended at once", async () => {
  const admin = await createAdministratorSession();
  const { accessToken: token } = admin;
  const person = await createMemberSession();
  const roleCode = await createTestRole(["Board_notice_Manage"]);
  const now = { roleCode, from: day(0), reason: "명부 정리" };
  const { data } = await callJson("PUT", path(person.user.id), { token, body: now });
  expect(await canManageNotice(person.accessToken)).toBe(true);
  const one = `${path(person.user.id)}/${data.grantId}`;
  expect((await callJson("DELETE", one, { token })).code).toBe("SUCCESS");
  expect(await canManageNotice(person.accessToken)).toBe(false);
  expect((await callJson("DELETE", one, { token })).code).toBe("CONFLICT");
  const coming = await callJson("PUT", path(person.user.id), { token, body: { ...now, from: day(3) } });
  await callJson("DELETE", `${path(person.user.id)}/${coming.data.grantId}`, { token });
  expect((await callJson("GET", `/api/admin/member/${person.user.id}`, { token })).data.grants).toEqual([]);
});

test("periods of one role must not overlap", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const { id } = await createUser();
  const roleCode = await createTestRole(["Alumni_Read"]);
  const put = (fields: Record<string, unknown>) =>
    callJson("PUT", path(id), { token, body: { roleCode, from: day(1), to: day(5), reason: "명부 정리", ...fields } });
  expect(Object.keys((await put({ to: day(0) })).fields)).toEqual(["to"]);
  expect(Object.keys((await put({ from: day(-9), to: day(-2) })).fields)).toEqual(["to"]);
  expect(Object.keys((await put({ roleCode: "nobody" })).fields)).toEqual(["roleCode"]);
  expect(Object.keys((await put({ roleCode: "member" })).fields)).toEqual(["roleCode"]);
  expect(Object.keys((await put({ reason: " " })).fields)).toEqual(["reason"]);
  const twice = await Promise.all([put({}), put({ from: day(5), to: undefined })]);
  expect(twice.map(({ code }) => code).toSorted()).toEqual(["CONFLICT", "SUCCESS"]);
  expect(
    (
      await callJson("PUT", path("00000000-0000-4000-8000-000000000000"), {
        token,
        body: { roleCode, from: day(1), reason: "x" },
      })
    ).code,
  ).toBe("NOT_FOUND");
});

test("a temporary grant needs the granted rights", async () => {
  const admin = await createAdministratorSession();
  const partial = await createSessionWith(["ADMIN_Access"]);
  const { id } = await createUser();
  const roleCode = await createTestRole(["Alumni_Read"]);
  const body = { roleCode, from: day(0), reason: "명부 정리" };
  expect((await callAs(partial, "PUT", path(id), body)).code).toBe("FORBIDDEN");
  expect((await callAs(partial, "PUT", path(admin.user.id), body)).code).toBe("FORBIDDEN");
});

test("temporary console access does not replace the last administrator", async () => {
  const admin = await createAdministratorSession();
  const other = await createAdministratorSession();
  const { accessToken: token } = admin;
  const person = await createUser();
  await callJson("PUT", path(person.id), {
    token,
    body: { roleCode: "administrator", from: day(0), reason: "휴가 대신", password: TEST_PASSWORD },
  });
  expect((await sentMessages(other.user.email))[0]?.subject).toBe("[새 홈페이지] 관리자 권한이 변경되었습니다");
  const demote = { ids: [other.user.id, admin.user.id], roleCode: "member", userType: "Member" };
  expect((await callJson("POST", "/api/admin/member/role", { token, body: demote })).code).toBe("CONFLICT");
});

test("a role granted temporarily cannot be deleted", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const person = await createUser();
  const roleCode = await createTestRole(["Alumni_Read"]);
  const { data } = await callJson("PUT", path(person.id), {
    token,
    body: { roleCode, from: day(0), reason: "명부 정리" },
  });
  const asked = await callJson("GET", `/api/admin/role/simulate?who=${person.userId}&path=/Alumni`, { token });
  expect(asked.data).toMatchObject({ allowed: true, rule: "permission Alumni_Read" });
  const refused = await callJson("DELETE", `/api/admin/role/${roleCode}`, { token });
  expect([refused.code, refused.message]).toEqual(["CONFLICT", expect.stringContaining("기간을 정해")]);
  await callJson("DELETE", `${path(person.id)}/${data.grantId}`, { token });
  expect((await callJson("DELETE", `/api/admin/role/${roleCode}`, { token })).code).toBe("SUCCESS");
});
