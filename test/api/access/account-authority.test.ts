import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { openRequestScope } from "../../open-scope.ts";
import { updateAuthenticationSetting } from "#worker/domain/site/setting.server.ts";
import { callAs, callJson } from "../../api-client.ts";
import {
  createAdministratorSession,
  createSession,
  createTestRole,
  createUser,
  type TestSession,
} from "../../people.ts";
import { readValue, runSql, testDatabase } from "../../test-database.ts";
import { roleGrant } from "#db/schema/access.ts";
import { userKey } from "#db/schema/account.ts";
import { callApiWith, faultyDatabase } from "../../faulty-database.ts";
import { RESEND_VARS } from "../../mail-host.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const partialSession = async (...more: string[]) =>
  createSession({ roleCode: await createTestRole(["ADMIN_Access", ...more]), userName: "부분 관리자" });
const officerRole = () => createTestRole(["Alumni_Read", "Alumni_Write"]);
const rows = async (statement: string, ...values: unknown[]) =>
  JSON.stringify(
    (
      await env.DB.prepare(statement)
        .bind(...values)
        .all()
    ).results,
  );

/** Each way there is to act on an account of somebody else. */
const ACTS: [name: string, act: (target: Target) => [method: string, path: string, body?: unknown]][] = [
  ["block", ({ id }) => ["POST", "/api/admin/member/block", { ids: [id], reason: "시험" }]],
  ["change the role", ({ id }) => ["POST", "/api/admin/member/role", { ids: [id], roleCode: "empty" }]],
  ["end all sessions", ({ id }) => ["POST", "/api/admin/member/end-sessions", { ids: [id] }]],
  ["end one session", ({ id, sid }) => ["DELETE", `/api/user/${id}/sessions/${sid}`]],
  ["rename", ({ id, version }) => ["PATCH", `/api/user/${id}`, { userName: "다른이름", version }]],
  ["mail a reset link", ({ id }) => ["POST", `/api/admin/member/${id}/reset-link`, {}]],
  ["unlock", ({ id }) => ["POST", `/api/admin/member/${id}/unlock`, {}]],
  [
    "correct the e-mail",
    ({ id, version }) => [
      "PATCH",
      `/api/admin/member/${id}/email`,
      { email: "mine@pid.example.kr", reason: "x", version },
    ],
  ],
  [
    "give a role for a period",
    ({ id }) => ["PUT", `/api/admin/member/${id}/role-grant`, { roleCode: "empty", from: "2026-01-01", reason: "x" }],
  ],
  ["end a role for a period", ({ id }) => ["DELETE", `/api/admin/member/${id}/role-grant/${GRANT_ID}`]],
  ["suspend", ({ suspensionId }) => ["POST", `/api/admin/privacy/request/${suspensionId}/answer`, ANSWER]],
  ["resume", ({ id }) => ["POST", `/api/admin/member/${id}/resume`, { reason: "x" }]],
  ["erase", ({ erasureId }) => ["POST", `/api/admin/privacy/request/${erasureId}/erase`, { answer: "x", version: 1 }]],
  ["unblock", ({ id }) => ["POST", "/api/admin/member/unblock", { ids: [id] }]],
  ["approve", ({ id }) => ["POST", "/api/admin/member/approve", { ids: [id] }]],
];
const ANSWER = { result: "done", answer: "정지하였습니다.", version: 1 };
const GRANT_ID = "00000000-0000-4000-8000-00000000000a";

interface Target {
  id: string;
  sid: string;
  version: number;
  suspensionId: string;
  erasureId: string;
}

/** Somebody on whom every act has something to act on. */
async function targetOf(session: TestSession, name: string): Promise<Target> {
  const { id } = session.user;
  const requestIds = { suspension: crypto.randomUUID(), erasure: crypto.randomUUID() };
  await env.DB.batch([
    env.DB.prepare(
      "INSERT OR IGNORE INTO role (role_code, role_name, permissions) VALUES ('empty', '빈 역할', '[]'), ('held', '빈 역할', '[]')",
    ),
    env.DB.prepare(
      "INSERT INTO role_grant (id, user_id, role_code, start_date, created_date) VALUES (?, ?, 'held', 1, 1)",
    ).bind(GRANT_ID, id),
    ...(name === "resume" ? [env.DB.prepare("INSERT INTO suspension VALUES (?, 'request', 1)").bind(id)] : []),
    ...Object.entries(requestIds).map(([kind, requestId]) =>
      env.DB.prepare(
        "INSERT INTO privacy_request (id, kind, status, user_id, requester_name, content, received_date, due_date, modified_date) VALUES (?, ?, 'received', ?, '홍길동', '내용', 1, 1, 1)",
      ).bind(requestId, kind, id),
    ),
  ]);
  const status = { unblock: "blocked", approve: "waiting" }[name];
  if (status) await runSql("UPDATE user SET status = ? WHERE id = ?", status, id);
  const sid = (await readValue<string>("SELECT id FROM session WHERE user_id = ?", id)) ?? "";
  return { id, sid, version: 1, suspensionId: requestIds.suspension, erasureId: requestIds.erasure };
}

const stateOf = async (id: string) =>
  [
    await rows("SELECT * FROM user WHERE id = ?", id),
    await rows("SELECT * FROM user_key WHERE user_id = ?", id),
    await rows("SELECT id, revoked_date FROM session WHERE user_id = ?", id),
    await rows("SELECT * FROM role_grant WHERE user_id = ?", id),
    await rows("SELECT * FROM suspension WHERE user_id = ?", id),
    await rows("SELECT * FROM message"),
    await rows("SELECT id, status FROM privacy_request"),
  ].join("\n");

test.each(ACTS)(
  "%s: refused on an account that holds more, by its role or a grant, and done on a member",
  async (name, act) => {
    const partial = await partialSession();
    const later = await createSession();
    const above: [string, TestSession][] = [
      ["address-book officer", await createSession({ roleCode: await officerRole() })],
      ["administrator", await createSession({ roleCode: "administrator" })],
      ["system administrator", await createAdministratorSession()],
      ["officer from tomorrow", later],
    ];
    const tomorrow = new Date(Date.now() + DAY_MS);
    await testDatabase()
      .insert(roleGrant)
      .values({
        id: "later",
        userId: later.user.id,
        roleCode: await officerRole(),
        startDate: tomorrow,
        createdDate: tomorrow,
      });
    for (const [who, session] of above) {
      const target = await targetOf(session, name);
      const before = await stateOf(target.id);
      const [method, path, body] = act(target);
      const answer = await callAs(partial, method, path, body);
      expect([who, answer.code]).toEqual([who, "FORBIDDEN"]);
      expect(answer.message, `${who}`).toContain("관리자님에게 없는 권한을 가진 회원");
      expect(await stateOf(target.id), `${who}`).toBe(before);
      await env.DB.batch([
        env.DB.prepare("DELETE FROM role_grant WHERE id = ?").bind(GRANT_ID),
        env.DB.prepare("DELETE FROM privacy_request"),
      ]);
    }
    const target = await targetOf(await createSession(), name);
    const before = await stateOf(target.id);
    const [method, path, body] = act(target);
    expect((await callAs(partial, method, path, body)).code).toBe("SUCCESS");
    if (name !== "unlock") expect(await stateOf(target.id)).not.toBe(before);
  },
);

test("one of many who holds more keeps the whole act from happening", async () => {
  const partial = await partialSession();
  const plain = await createUser();
  const officer = await createUser({ roleCode: await officerRole() });
  const body = { ids: [plain.id, officer.id], reason: "시험" };
  const { code } = await callAs(partial, "POST", "/api/admin/member/block", body);
  expect(code).toBe("FORBIDDEN");
  expect(await rows("SELECT id FROM user WHERE status = 'blocked'")).toBe("[]");
});

test("who holds the same may act, and the member's page says to the others that they may only look", async () => {
  const officer = await createUser({ roleCode: await officerRole() });
  const peer = await partialSession("Alumni_Read", "Alumni_Write");
  const partial = await partialSession();
  const look = async ({ accessToken: token }: TestSession) =>
    (await callJson("GET", `/api/admin/member/${officer.id}`, { token })).data.canAdminister;
  expect([await look(partial), await look(peer)]).toEqual([false, true]);
  const body = { ids: [officer.id], reason: "휴직" };
  const { code } = await callAs(peer, "POST", "/api/admin/member/block", body);
  expect(code).toBe("SUCCESS");
});

/** These change nothing of the account: a link goes to its own address, an unlock forgets wrong passwords. */
const UNGUARDED = ["mail a reset link", "unlock"];

test.each(ACTS.filter(([name]) => !UNGUARDED.includes(name)))(
  "%s: an account that gets more between the look and the act is not touched",
  async (name, act) => {
    const partial = await partialSession();
    const target = await targetOf(await createSession(), name);
    const roleCode = await officerRole();
    let before = "";
    const { DB, broke } = faultyDatabase({
      // The guards stand first in the batch of the act.
      sql: /^insert into "rate_limit".*SELECT NULL/s,
      when: async () => {
        await runSql("UPDATE user SET role_code = ? WHERE id = ?", roleCode, target.id);
        before = await stateOf(target.id);
      },
      times: 1,
    });
    const [method, path, body] = act(target);
    const answer = await callApiWith({ DB }, method, path, { token: partial.accessToken, body });
    expect([broke(), answer.code]).toEqual([1, "CONFLICT"]);
    expect(await stateOf(target.id)).toBe(before);
  },
);

const authentication = (fields: object) => ({
  authType: "IdAndPassword",
  roleCodeForGuest: "guest",
  signupApproval: false,
  version: 1,
  ...fields,
});
const document = (fields: object) => ({ kind: "hoewon-settings", format: 1, ...fields });

test("the guest gets no role that adds what the caller does not hold, by the form or by a file", async () => {
  const partial = await partialSession();
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
  // A file that empties the role first and fills it in the same breath gets no further.
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
  const holder = await partialSession("Alumni_Read", "Alumni_Write");
  const given = await callAs(holder, "PATCH", "/api/admin/setting/authentication", { ...body, version: 2 });
  expect(given.code).toBe("SUCCESS");
});

test("a role loses nothing through who holds less than those who have it: role page, file and board alike", async () => {
  const partial = await partialSession("Board_free_Manage");
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
  expect(await rows("SELECT permissions FROM role WHERE role_code = ?", roleCode)).toContain("Board_free_Write");
  await runSql("UPDATE user SET role_code = 'member' WHERE role_code = ?", roleCode);
  expect((await callJson("PATCH", `/api/admin/role/${roleCode}`, { token, body: { ...role, version: 1 } })).code).toBe(
    "SUCCESS",
  );
});

test("a board is closed, opened and deleted by who manages it, as its rights are changed", async () => {
  const partial = await partialSession("Board_free_Manage");
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
  expect(await rows("SELECT count(*) AS n FROM board WHERE board_code = 'notice' AND is_closed = 0")).toContain("1");
  expect((await act(partial, "state", "free", 1)).code).toBe("SUCCESS");
  expect((await act(partial, "state", "free", 2, false)).code).toBe("SUCCESS");
  // Rights of the others go with an unused board: who does not hold them takes them from nobody.
  expect(made.code).toBe("SUCCESS");
  expect((await act(partial, "delete", "press", 1)).code).toBe("FORBIDDEN");
  const roleCode = await createTestRole(["Board_free_Write", "Alumni_Write"]);
  await createUser({ roleCode });
  expect((await act(partial, "delete", "free", 3)).code).toBe("FORBIDDEN");
  await env.DB.prepare("UPDATE user SET role_code = 'member' WHERE role_code = ?").bind(roleCode).run();
  expect((await act(partial, "delete", "free", 3)).data).toEqual({ deleted: true, closed: false });
  expect((await act(system, "delete", "press", 1)).data).toEqual({ deleted: true, closed: false });
});

test("a deputy for a period uses the rights, and hands none of them on", async () => {
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

test("an address of the address book goes to an account by who may change the entry", async () => {
  await runSql(
    "INSERT INTO alumni (id, name, email, created_date, modified_date) VALUES ('a', '김동문', 'kim@pid.example.kr', 1, 1)",
  );
  const person = await createUser();
  const body = { email: "kim@pid.example.kr", reason: "분실", version: 1 };
  const correct = ({ accessToken: token }: TestSession) =>
    callJson("PATCH", `/api/admin/member/${person.id}/email`, { token, body });
  const refused = await correct(await partialSession("Alumni_Read"));
  expect([refused.code, refused.message]).toEqual(["FORBIDDEN", expect.stringContaining("동문 주소록")]);
  expect((await correct(await partialSession("Alumni_Write"))).code).toBe("SUCCESS");
});

test("the way to sign in is not changed to one that locks an administrator out, by the form or by a file", async () => {
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
  const partial = await partialSession();
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

test("mobile sign-in is not chosen before text messages can be sent", async () => {
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
