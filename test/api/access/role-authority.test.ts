import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { openRequestScope } from "../../support/open-scope.ts";
import { updateAuthenticationSetting } from "#worker/domain/site/setting.server.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import {
  type TestSession,
  createAdministratorSession,
  createSession,
  createTestRole,
  createUser,
  TEST_PASSWORD,
} from "../../support/people.ts";
import { runSql, testDatabase } from "../../support/test-database.ts";
import { roleGrant } from "#db/schema/access.ts";
import { userKey } from "#db/schema/account.ts";
import { RESEND_VARS } from "../../hosts/mail-host.ts";
import { DAY_MS, createPartialSession, rowsAsText } from "../../support/partial-session.ts";

const authentication = (fields: object) => ({
  authType: "IdAndPassword",
  roleCodeForGuest: "guest",
  signupApproval: false,
  version: 1,
  ...fields,
});

const document = (fields: object) => ({ kind: "hoewon-settings", format: 1, ...fields });

test("nobody can give guests rights that they lack", async () => {
  const partial = await createPartialSession();
  const readers = await createTestRole(["Alumni_Read", "Alumni_Write"]);
  const { accessToken: token } = partial;
  const body = authentication({ roleCodeForGuest: readers });
  const { version: _version, ...section } = body;
  const form = (as: string) => callJson("PATCH", "/api/admin/setting/authentication", { token: as, body });
  const file = (as: string) =>
    callJson("POST", "/api/admin/setting/import", {
      token: as,
      body: { document: document({ authentication: section }) },
    });
  for (const answer of [await form(token), await file(token)]) {
    expect(answer.code).toBe("FORBIDDEN");
    expect(answer.message).toContain("관리자님에게 없는 권한");
  }
  // A file that empties the role and then refills it is refused as well.
  const both = document({
    authentication: section,
    roles: [{ roleCode: readers, roleName: "열람", permissions: ["Alumni_Read"] }],
  });
  expect((await callJson("POST", "/api/admin/setting/import", { token, body: { document: both } })).code).toBe(
    "FORBIDDEN",
  );
  const less = await createTestRole(["Board_notice_List"]);
  const reduced = { ...body, roleCodeForGuest: less };
  expect((await callJson("PATCH", "/api/admin/setting/authentication", { token, body: reduced })).code).toBe("SUCCESS");
  const holder = await createPartialSession("Alumni_Read", "Alumni_Write");
  const given = await callAs(holder, "PATCH", "/api/admin/setting/authentication", { ...body, version: 2 });
  expect(given.code).toBe("SUCCESS");
});

test("a caller cannot remove rights that they lack from a role", async () => {
  const partial = await createPartialSession("Board_free_Manage");
  const roleCode = await createTestRole(["Board_free_Write", "Alumni_Write"]);
  await createUser({ roleCode });
  const { accessToken: token } = partial;
  const role = { roleName: "간사", permissions: ["Alumni_Write"] };
  const byRole = await callJson("PATCH", `/api/admin/role/${roleCode}`, { token, body: { ...role, version: 1 } });
  const byFile = await callJson("POST", "/api/admin/setting/import", {
    token,
    body: { document: document({ roles: [{ roleCode, ...role }] }) },
  });
  const boards = (await callJson("GET", "/api/admin/board", { token })).data.boards as Record<string, unknown>[];
  const {
    boardCode: _code,
    itemCount: _count,
    isClosed: _closed,
    ...free
  } = boards.find((each) => each.boardCode === "free") ?? {};
  const grant = { ...(free.grant as object), [roleCode]: [] };
  const byBoard = await callJson("PATCH", "/api/admin/board/free", { token, body: { ...free, grant } });
  expect([byRole.code, byFile.code, byBoard.code]).toEqual(["FORBIDDEN", "FORBIDDEN", "FORBIDDEN"]);
  expect(await rowsAsText("SELECT permissions FROM role WHERE role_code = ?", roleCode)).toContain("Board_free_Write");
  await runSql("UPDATE user SET role_code = 'member' WHERE role_code = ?", roleCode);
  expect((await callJson("PATCH", `/api/admin/role/${roleCode}`, { token, body: { ...role, version: 1 } })).code).toBe(
    "SUCCESS",
  );
});

test("closing a board needs the same rights as changing its permissions", async () => {
  const partial = await createPartialSession("Board_free_Manage");
  const made = await callJson("PUT", "/api/admin/board", {
    token: partial.accessToken,
    body: { boardCode: "press", boardName: "보도", boardType: "list" },
  });
  const system = await createAdministratorSession();
  const act = (session: TestSession, verb: "state" | "delete", boardCode: string, version: number, isClosed = true) =>
    verb === "state"
      ? callJson("POST", `/api/admin/board/${boardCode}/state`, {
          token: session.accessToken,
          body: { isClosed, version },
        })
      : callJson("DELETE", `/api/admin/board/${boardCode}?version=${version}`, { token: session.accessToken });
  expect((await act(partial, "state", "notice", 1)).code).toBe("FORBIDDEN");
  expect((await act(partial, "delete", "notice", 1)).code).toBe("FORBIDDEN");
  expect(await rowsAsText("SELECT count(*) AS n FROM board WHERE board_code = 'notice' AND is_closed = 0")).toContain(
    "1",
  );
  expect((await act(partial, "state", "free", 1)).code).toBe("SUCCESS");
  expect((await act(partial, "state", "free", 2, false)).code).toBe("SUCCESS");
  // Deleting an unused board removes others' rights to it, so the caller must hold those too.
  expect(made.code).toBe("SUCCESS");
  expect((await act(partial, "delete", "press", 1)).code).toBe("FORBIDDEN");
  const roleCode = await createTestRole(["Board_free_Write", "Alumni_Write"]);
  await createUser({ roleCode });
  expect((await act(partial, "delete", "free", 3)).code).toBe("FORBIDDEN");
  await env.DB.prepare("UPDATE user SET role_code = 'member' WHERE role_code = ?").bind(roleCode).run();
  expect((await act(partial, "delete", "free", 3)).data).toEqual({ deleted: true, closed: false });
  expect((await act(system, "delete", "press", 1)).data).toEqual({ deleted: true, closed: false });
});

test("deleting a role with more rights than the caller is refused", async () => {
  const { accessToken: token } = await createPartialSession();
  const [more, equal] = [await createTestRole(["Alumni_Write"]), await createTestRole([])];
  expect((await callJson("DELETE", `/api/admin/role/${more}`, { token })).code).toBe("FORBIDDEN");
  expect((await callJson("DELETE", `/api/admin/role/${equal}`, { token })).code).toBe("SUCCESS");
});

test("the guest role never gets console access", async () => {
  const admin = await createAdministratorSession();
  const { roles } = (await callAs(admin, "GET", "/api/admin/role")).data;
  const { permissions, roleName, version } = roles.find((role: { roleCode: string }) => role.roleCode === "guest");
  const answer = await callAs(admin, "PATCH", "/api/admin/role/guest", {
    roleName,
    version,
    permissions: [...permissions, "ADMIN_Access"],
    reason: "총무 업무",
    password: TEST_PASSWORD,
  });
  expect([answer.code, answer.data?.errors ?? answer.message]).toEqual(["INVALID_INPUT", expect.anything()]);
  expect(JSON.stringify(answer)).toContain("방문자 역할에는 관리 화면 권한을 줄 수 없습니다.");
});

test("a temporary deputy can use the rights but not pass them on", async () => {
  await createAdministratorSession();
  const deputy = await createSession();
  await testDatabase()
    .insert(roleGrant)
    .values({
      id: "deputy",
      userId: deputy.user.id,
      roleCode: "administrator",
      startDate: new Date(Date.now() - DAY_MS),
      endDate: new Date(Date.now() + DAY_MS),
      createdDate: new Date(),
    });
  const { accessToken: token } = deputy;
  const person = await createUser();
  const send = (path: string, body: object) => callJson("POST", `/api/admin/member/${path}`, { token, body });
  expect((await send("block", { ids: [person.id], reason: "도배" })).code).toBe("SUCCESS");
  expect((await send("role", { ids: [deputy.user.id], roleCode: "administrator" })).code).toBe("FORBIDDEN");
  expect((await send("role", { ids: [person.id], roleCode: "administrator" })).code).toBe("FORBIDDEN");
  const colleague = await createUser({ roleCode: "administrator" });
  expect((await send("end-sessions", { ids: [colleague.id] })).code).toBe("FORBIDDEN");
});

test("setting an account to an entry's email needs the right", async () => {
  await runSql(
    "INSERT INTO alumni (id, name, email, created_date, modified_date) VALUES ('a', '김동문', 'kim@pid.example.kr', 1, 1)",
  );
  const person = await createUser();
  const body = { email: "kim@pid.example.kr", reason: "분실", version: 1 };
  const correct = ({ accessToken: token }: TestSession) =>
    callJson("PATCH", `/api/admin/member/${person.id}/email`, { token, body });
  const refused = await correct(await createPartialSession("Alumni_Read"));
  expect([refused.code, refused.message]).toEqual(["FORBIDDEN", expect.stringContaining("주소록")]);
  expect((await correct(await createPartialSession("Alumni_Write"))).code).toBe("SUCCESS");
});

test("a sign-in method that locks out an administrator is refused", async () => {
  const { accessToken: token, user } = await createAdministratorSession();
  const body = authentication({ authType: "MobileAndPassword" });
  const { version: _version, ...section } = body;
  const save = () => callJson("PATCH", "/api/admin/setting/authentication", { token, body });
  const bring = () =>
    callJson("POST", "/api/admin/setting/import", {
      token,
      body: { document: document({ authentication: section }) },
    });
  for (const answer of [await save(), await bring()]) {
    expect(answer.code).toBe("CONFLICT");
    expect(answer.message).toContain("휴대전화번호가 등록되지 않아");
    expect(answer.message).toContain("관리자님");
  }
  const addMobile = (userId: string, at: number) =>
    testDatabase()
      .insert(userKey)
      .values({ userKeyType: "Mobile", userKeyCode: `010-1234-000${at}`, userId, verifiedDate: new Date() });
  await addMobile(user.id, 1);
  const partial = await createPartialSession();
  expect((await save()).message).toContain("부분 관리자님");
  await addMobile(partial.user.id, 2);
  expect((await save()).code).toBe("SUCCESS");
  await runSql("DELETE FROM user_key WHERE user_key_type = 'Id' AND user_id = ?", user.id);
  const back = await callJson("PATCH", "/api/admin/setting/authentication", {
    token,
    body: authentication({ version: 2 }),
  });
  expect([back.code, back.message]).toEqual(["CONFLICT", expect.stringContaining("아이디가 등록되지 않아")]);
});

test("mobile sign-in cannot be chosen before text messages can be sent", async () => {
  const admin = await createAdministratorSession();
  await testDatabase()
    .insert(userKey)
    .values({ userKeyType: "Mobile", userKeyCode: "010-1234-0001", userId: admin.user.id, verifiedDate: new Date() });
  const update = async (vars: object) => {
    const request = new Request("http://localhost/", { headers: { "User-Agent": "test" } });
    const credential = { token: admin.accessToken, from: "bearer" as const };
    const world = { ...env, ...RESEND_VARS, ...vars } as Env;
    const ctx = await openRequestScope({
      request,
      env: world,
      requestId: "test",
      credential,
      defer: () => {},
    }).context();
    return updateAuthenticationSetting(ctx, {
      authType: "MobileAndPassword",
      roleCodeForGuest: "guest",
      signupApproval: false,
      version: 1,
    });
  };
  await expect(update({})).rejects.toMatchObject({ code: "CONFLICT", message: expect.stringContaining("문자 발송") });
  await expect(
    update({ SMS_API_KEY: "key", SMS_API_SECRET: "secret", SMS_FROM: "02-123-4567" }),
  ).resolves.toMatchObject({ version: 2 });
});

const CONSOLE_DOORS: Record<string, (given: { target: string; role: string; to: string }) => [string, string, object]> =
  {
    "another role": ({ target, to }) => ["POST", "/api/admin/member/role", { ids: [target], roleCode: to }],
    "a system administrator": ({ target }) => [
      "POST",
      "/api/admin/member/role",
      { ids: [target], roleCode: "member", userType: "Admin" },
    ],
    "a role for a period": ({ target, to }) => [
      "PUT",
      `/api/admin/member/${target}/role-grant`,
      { roleCode: to, from: "2026-01-01" },
    ],
    "a new role": () => [
      "PUT",
      "/api/admin/role",
      { roleCode: "newcomer", roleName: "새 역할", permissions: ["ADMIN_Access"] },
    ],
    "the rights of a role": ({ role }) => [
      "PATCH",
      `/api/admin/role/${role}`,
      { roleName: "넓힌 역할", permissions: ["ADMIN_Access"], version: 1 },
    ],
    "a settings file": ({ role }) => [
      "POST",
      "/api/admin/setting/import",
      { document: document({ roles: [{ roleCode: role, roleName: "넓힌 역할", permissions: ["ADMIN_Access"] }] }) },
    ],
  };

test.for(Object.keys(CONSOLE_DOORS))("%s grants console access only by password with a reason", async (door) => {
  const admin = await createAdministratorSession();
  const person = await createSession();
  const role = await createTestRole(["Board_notice_List"]);
  const to = await createTestRole(["ADMIN_Access"]);
  const [method, path, given] = CONSOLE_DOORS[door]?.({ target: person.user.id, role, to }) ?? ["", "", {}];
  const isFile = path.endsWith("/import");
  const { fingerprint } = isFile ? (await callAs(admin, "POST", path, given)).data : {};
  const body = isFile ? { ...given, fingerprint } : given;
  const rights = async () =>
    `${await rowsAsText("SELECT role_code, permissions FROM role ORDER BY 1")}${await rowsAsText("SELECT id, user_type, role_code FROM user ORDER BY 1")}${await rowsAsText("SELECT * FROM role_grant")}`;
  const before = await rights();
  const proof = { reason: "총무 교체", password: TEST_PASSWORD };
  for (const [lacking, code] of [
    [{}, "INVALID_INPUT"],
    [{ reason: proof.reason }, "INVALID_INPUT"],
    [{ password: proof.password }, "INVALID_INPUT"],
    [{ ...proof, password: "Wrong!2345" }, "INVALID_CREDENTIAL"],
  ] as const) {
    const answer = await callAs(admin, method, path, { ...body, ...lacking });
    expect([lacking, answer.code]).toEqual([lacking, code]);
    expect(await rights()).toBe(before);
  }
  expect((await callAs(admin, method, path, { ...body, ...proof })).code).toBe("SUCCESS");
  expect(await rights()).not.toBe(before);
  expect(await rowsAsText("SELECT reason FROM audit_log WHERE reason <> ''")).toContain(proof.reason);
});
