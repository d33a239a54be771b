import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callAs, callJson } from "../../support/api-client.ts";
import {
  createAdministratorSession,
  createSession,
  createTestRole,
  createUser,
  type TestSession,
} from "../../support/people.ts";
import { readValue, runSql, testDatabase } from "../../support/test-database.ts";
import { roleGrant } from "#db/schema/access.ts";
import { callApiWith, faultyDatabase } from "../../support/faulty-database.ts";
import { DAY_MS, createPartialSession, rowsAsText } from "../../support/partial-session.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";

const officerRole = () => createTestRole(["Alumni_Read", "Alumni_Write"]);

const ACTS: [name: string, act: (target: Target) => [method: string, path: string, body?: unknown]][] = [
  ["block", ({ id }) => ["POST", "/api/admin/member/block", { ids: [id], reason: "시험" }]],
  ["change the role", ({ id }) => ["POST", "/api/admin/member/role", { ids: [id], roleCode: "empty" }]],
  ["end all sessions", ({ id }) => ["POST", "/api/admin/member/end-sessions", { ids: [id] }]],
  ["end one session", ({ id, sid }) => ["DELETE", `/api/user/${id}/sessions/${sid}`]],
  ["rename", ({ id, version }) => ["PATCH", `/api/user/${id}`, { userName: "다른이름", version }]],
  [
    "correct the name",
    ({ id, version }) => ["PATCH", `/api/admin/member/${id}/name`, { userName: "다른이름", reason: "x", version }],
  ],
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
  ["refuse", ({ id }) => ["POST", "/api/admin/member/refuse", { ids: [id], reason: "x" }]],
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
    ...(name === "resume"
      ? [env.DB.prepare("INSERT INTO suspension (user_id, request_id, created_date) VALUES (?, 'request', 1)").bind(id)]
      : []),
    ...Object.entries(requestIds).map(([kind, requestId]) =>
      env.DB.prepare(
        "INSERT INTO privacy_request (id, kind, status, user_id, requester_name, content, received_date, due_date, modified_date) VALUES (?, ?, 'received', ?, '홍길동', '내용', 1, 1, 1)",
      ).bind(requestId, kind, id),
    ),
  ]);
  const status = { unblock: "blocked", approve: "waiting", refuse: "waiting" }[name];
  if (status) await runSql("UPDATE user SET status = ? WHERE id = ?", status, id);
  const sid = (await readValue<string>("SELECT id FROM session WHERE user_id = ?", id)) ?? "";
  return { id, sid, version: 1, suspensionId: requestIds.suspension, erasureId: requestIds.erasure };
}

const stateOf = async (id: string) =>
  [
    await rowsAsText("SELECT * FROM user WHERE id = ?", id),
    await rowsAsText("SELECT * FROM user_key WHERE user_id = ?", id),
    await rowsAsText("SELECT id, revoked_date FROM session WHERE user_id = ?", id),
    await rowsAsText("SELECT * FROM role_grant WHERE user_id = ?", id),
    await rowsAsText("SELECT * FROM suspension WHERE user_id = ?", id),
    await rowsAsText("SELECT * FROM message"),
    await rowsAsText("SELECT id, status FROM privacy_request"),
  ].join("\n");

test.each(sample(ACTS, ([name]) => name))(
  `%s is refused on an account with more rights (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async (name, act) => {
    const partial = await createPartialSession();
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

test("an act on accounts is refused when one holds more rights", async () => {
  const partial = await createPartialSession();
  const plain = await createUser();
  const officer = await createUser({ roleCode: await officerRole() });
  const body = { ids: [plain.id, officer.id], reason: "시험" };
  const { code } = await callAs(partial, "POST", "/api/admin/member/block", body);
  expect(code).toBe("FORBIDDEN");
  expect(await rowsAsText("SELECT id FROM user WHERE status = 'blocked'")).toBe("[]");
});

test("an administrator with equal rights may act", async () => {
  const officer = await createUser({ roleCode: await officerRole() });
  const peer = await createPartialSession("Alumni_Read", "Alumni_Write");
  const partial = await createPartialSession();
  const look = async ({ accessToken: token }: TestSession) =>
    (await callJson("GET", `/api/admin/member/${officer.id}`, { token })).data.canAdminister;
  expect([await look(partial), await look(peer)]).toEqual([false, true]);
  const body = { ids: [officer.id], reason: "휴직" };
  const { code } = await callAs(peer, "POST", "/api/admin/member/block", body);
  expect(code).toBe("SUCCESS");
});

/** Harmless: the link goes to the account's own address, and an unlock clears failed attempts. */
const UNGUARDED = ["mail a reset link", "unlock"];

test.each(
  sample(
    ACTS.filter(([name]) => !UNGUARDED.includes(name)),
    ([name]) => name,
  ),
)(`%s leaves an account that gains rights meanwhile (${SAMPLE_NOTE})`, { tags: "sampled" }, async (name, act) => {
  const partial = await createPartialSession();
  const target = await targetOf(await createSession(), name);
  const roleCode = await officerRole();
  let before = "";
  const { DB, broke } = faultyDatabase({
    // Matches the guards at the start of the batch.
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
});
