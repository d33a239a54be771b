import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { RETENTION_RULE_CODES } from "#worker/contract/audit/retention-rules.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { advanceClock, sentMessages } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  createTestRole,
  createUser,
  signInUser,
} from "../../support/people.ts";
import { readRow, runSql } from "../../support/test-database.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";

const DAY_MS = 86_400_000;
const BASE = "/api/admin/privacy/retention";
const REASON = { reason: "정기 파기" };

const list = async (token: string, rule: string) => (await callJson("GET", `${BASE}/${rule}`, { token })).data;
const run = (token: string, rule: string, fingerprint: string) =>
  callJson("POST", `${BASE}/${rule}/run`, { token, body: { fingerprint, ...REASON } });
const values = async (query: string) => (await env.DB.prepare(query).raw()).flat();
const ago = (days: number) => Date.now() - days * DAY_MS;
const register = () =>
  env.DB.prepare("SELECT rule, kind, count, basis, subject_ref FROM destruction ORDER BY id").all();

async function switchRule(token: string, rule: string, on: boolean, days?: number): Promise<void> {
  const page = (await callJson("GET", BASE, { token })).data;
  const rules = Object.fromEntries(
    page.rules.map((row: { rule: string; on: boolean; days: number }) => [
      row.rule,
      row.rule === rule ? { on, days: days ?? row.days } : { on: row.on, days: row.days },
    ]),
  );
  const body = { requestDays: page.requestDays, rules, version: page.version };
  expect((await callJson("PATCH", BASE, { token, body })).code).toBe("SUCCESS");
}

async function idle(userId: string, days: number): Promise<void> {
  await runSql(
    "UPDATE user SET created_date = ?, last_signin_date = ? WHERE id = ?",
    ago(days + 100),
    ago(days),
    userId,
  );
}

test("an inactive member is destroyed only after a warning", { tags: "full" }, async () => {
  const [gone, back, fresh] = [await createUser({ userName: "떠난이" }), await createUser(), await createUser()];
  const silent = await createUser({ userType: "Admin" });
  for (const person of [gone, back, silent]) await idle(person.id, 800);
  let { accessToken: token } = await createAdministratorSession();

  await runScheduledJobs(env);
  expect(await sentMessages(gone.email), "the rule is off by default").toEqual([]);
  await switchRule(token, "inactive", true);
  await runScheduledJobs(env);
  await runScheduledJobs(env);
  expect((await sentMessages(gone.email)).map(({ subject }) => subject)).toEqual([
    "[새 홈페이지] 오래 이용하지 않으신 계정이 30일 뒤 파기됩니다",
  ]);
  const warnings = async (address: string) =>
    (await sentMessages(address)).filter(({ subject }) => subject.includes("파기"));
  expect([await warnings(fresh.email), await warnings(silent.email)]).toEqual([[], []]);
  expect((await list(token, "inactive")).rows).toEqual([]);

  await signInUser(back);
  advanceClock(29 * DAY_MS);
  await runScheduledJobs(env);
  expect(await values("SELECT count(*) FROM user WHERE status = 'retired'")).toEqual([0]);
  advanceClock(2 * DAY_MS);
  ({ accessToken: token } = await createAdministratorSession());
  expect((await list(token, "inactive")).rows.map(({ name }: { name: string }) => name)).toEqual(["떠난이"]);
  await runScheduledJobs(env);
  expect(await values("SELECT id FROM user WHERE status = 'retired'")).toEqual([gone.id]);
  expect(
    await values("SELECT count(*) FROM user_key WHERE user_id IN (SELECT id FROM user WHERE status = 'retired')"),
  ).toEqual([0]);
  const { results } = await register();
  expect(results).toMatchObject([
    { rule: "inactive", kind: "회원정보", count: 1, basis: "마지막으로 이용한 날 뒤 365일" },
  ]);
  expect(JSON.stringify(results)).not.toMatch(new RegExp(`${gone.id}|떠난이|${gone.email}`));
});

test("an unanswered inquiry is never due, however old", async () => {
  const { accessToken: token } = await createAdministratorSession();
  for (const status of ["waiting", "answered", "closed"])
    await runSql(
      "INSERT INTO inquiry (id, user_id, category, subject, status, created_date, last_date) VALUES (?1, 'x', 'etc', '문의', ?1, 1, 1)",
      status,
    );
  const { rows } = await list(token, "inquiries");
  expect(rows.map(({ id }: { id: string }) => id).toSorted()).toEqual(["answered", "closed"]);
});

test("administrators cannot warn accounts that hold more rights than their own", async () => {
  const stronger = await createUser({ roleCode: await createTestRole(["Alumni_Write"]) });
  await idle(stronger.id, 800);
  const partial = await createSessionWith(["ADMIN_Access"]);
  const full = await createAdministratorSession();
  await switchRule(full.accessToken, "inactive", true);
  const tell = async ({ accessToken: token }: { accessToken: string }) => {
    const { toTellFingerprint: fingerprint } = await list(token, "inactive");
    return (await callJson("POST", `${BASE}/inactive/tell`, { token, body: { fingerprint, ...REASON } })).code;
  };
  expect(await tell(partial)).toBe("FORBIDDEN");
  expect(await sentMessages(stronger.email)).toEqual([]);
  expect(await tell(full)).toBe("SUCCESS");
  expect(await sentMessages(stronger.email)).toHaveLength(1);
});

test("a run affects exactly the list of its dry run", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const bin = (id: string, days: number) =>
    runSql(
      "INSERT INTO alumni (id, name, created_date, modified_date, deleted_date) VALUES (?, ?, 1, 1, ?)",
      id,
      id,
      ago(days),
    );
  await bin("하나", 40);
  await bin("둘", 50);
  await bin("셋", 10);
  const shown = await list(token, "alumni-bin");
  expect(shown.rows.map(({ name }: { name: string }) => name)).toEqual(["둘", "하나"]);
  expect(await values("SELECT count(*) FROM alumni")).toEqual([3]);
  expect((await run(token, "alumni-bin", "x")).code).toBe("CONFLICT");
  await bin("넷", 60);
  expect((await run(token, "alumni-bin", shown.fingerprint)).code).toBe("CONFLICT");
  expect(await values("SELECT count(*) FROM alumni")).toEqual([4]);
  const again = await list(token, "alumni-bin");
  expect((await run(token, "alumni-bin", again.fingerprint)).data).toEqual({ destroyed: 3 });
  expect(await values("SELECT name FROM alumni")).toEqual(["셋"]);
  expect((await register()).results.map(({ count, kind }) => `${kind} ${count}`)).toEqual(
    Array(3).fill("주소록 정보 1"),
  );
  const log = await readRow("SELECT subject_count, reason FROM audit_log WHERE action = 'retention.run'");
  expect(log).toEqual({ subject_count: 3, reason: "정기 파기" });
});

test("the job skips a rule that is off", async () => {
  const { accessToken: token } = await createAdministratorSession();
  await runSql(
    "INSERT INTO alumni (id, name, created_date, modified_date, deleted_date) VALUES ('a', 'a', 1, 1, ?)",
    ago(90),
  );
  await switchRule(token, "alumni-bin", false);
  await runScheduledJobs(env);
  expect(await values("SELECT count(*) FROM alumni")).toEqual([1]);
  await switchRule(token, "alumni-bin", true, 100);
  await runScheduledJobs(env);
  expect(await values("SELECT count(*) FROM alumni")).toEqual([1]);
  await switchRule(token, "alumni-bin", true, 30);
  await runScheduledJobs(env);
  expect(await values("SELECT count(*) FROM alumni")).toEqual([0]);
});

test("an access record expires only by its rule", async () => {
  const insert = (action: string, days: number, target: string) =>
    env.DB.prepare(
      "INSERT INTO audit_log (created_date, address, action, target_type, target_id, request_id) VALUES (?, '', ?, 'user', ?, '')",
    ).bind(ago(days), action, target);
  const subjects = (target: string) =>
    env.DB.prepare(
      "INSERT INTO audit_subject SELECT id, 0, json_array(target_id) FROM audit_log WHERE target_id = ?",
    ).bind(target);
  const trace = (id: string, days: number) =>
    env.DB.prepare("INSERT INTO destroyed_trace (digest, subject_id, created_date) VALUES (?1, ?1, ?2)").bind(
      id,
      ago(days),
    );
  await env.DB.batch([
    insert("old", 731, "x"),
    insert("kept", 700, "y"),
    insert("young", 10, "z"),
    subjects("x"),
    subjects("y"),
    trace("x", 731),
    trace("y", 700),
  ]);
  for (const table of ["audit_log", "audit_subject", "destroyed_trace"])
    await expect(runSql(`DELETE FROM ${table}`), table).rejects.toThrow(/append-only/);
  // Refused even with the rule's permit.
  await runSql("INSERT INTO retention_permit (rule, before_date) VALUES ('access-log', ?)", Date.now());
  await expect(runSql("DELETE FROM audit_log WHERE action = 'young'")).rejects.toThrow(/append-only/);
  await runSql("DELETE FROM retention_permit");
  await runScheduledJobs(env);
  expect(await values("SELECT action FROM audit_log WHERE action IN ('old', 'kept', 'young')")).toEqual([
    "kept",
    "young",
  ]);
  expect(await values("SELECT ids FROM audit_subject")).toEqual(['["y"]']);
  expect(await values("SELECT subject_id FROM audit_person")).toEqual(["y"]);
  expect(await values("SELECT digest FROM destroyed_trace")).toEqual(["y"]);
  expect(await values("SELECT count(*) FROM retention_permit")).toEqual([0]);
  expect((await register()).results).toMatchObject([{ rule: "access-log", count: 1, subject_ref: "" }]);
});

test("leftovers of a retired member are deleted after their periods", async () => {
  const person = await createUser();
  const message = (id: string, userId: string | null, days: number, status: string) =>
    env.DB.prepare(
      "INSERT INTO message (id, channel, user_id, recipient, subject, body, status, created_date) VALUES (?, 'email', ?, 'a@pid.example.kr', '안내', '본문', ?, ?)",
    ).bind(id, userId, status, ago(days));
  const request = (id: string, days: number | null) =>
    env.DB.prepare(
      "INSERT INTO privacy_request (id, kind, status, requester_name, content, received_date, due_date, closed_date, modified_date) VALUES (?, 'access', 'done', '이름', '내용', 1, 1, ?, 1)",
    ).bind(id, days === null ? null : ago(days));
  await env.DB.batch([
    env.DB.prepare(
      "UPDATE user SET status = 'retired', profile = '{}', password_hash = '', modified_date = ? WHERE id = ?",
    ).bind(ago(6), person.id),
    message("farewell", person.id, 6, "sent"),
    message("old", null, 366, "sent"),
    message("waiting", null, 366, "queued"),
    message("new", null, 300, "sent"),
    request("closed-long-ago", 366),
    request("closed", 300),
    request("open", null),
  ]);
  await runScheduledJobs(env);
  expect(await values("SELECT id FROM message WHERE id IN ('farewell', 'old', 'waiting', 'new') ORDER BY id")).toEqual([
    "new",
    "waiting",
  ]);
  expect(await values("SELECT count(*) FROM user_key")).toEqual([0]);
  expect(await values("SELECT id FROM privacy_request ORDER BY id")).toEqual(["closed", "open"]);
  const rules = (await register()).results.map(({ rule }) => rule);
  expect(rules).toEqual(["leftover", "requests", "messages"]);
  await runScheduledJobs(env);
  expect((await register()).results).toHaveLength(3);
});

test("every rule can be previewed by the office alone", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const person = await createMemberSession();
  const page = (await callJson("GET", BASE, { token })).data;
  expect(page.rules.map(({ due }: { due: number }) => due)).toEqual(RETENTION_RULE_CODES.map(() => 0));
  for (const rule of RETENTION_RULE_CODES) {
    const shown = await list(token, rule);
    expect([rule, shown.rows]).toEqual([rule, []]);
    expect((await run(token, rule, shown.fingerprint)).code, rule).toBe("CONFLICT");
    expect((await callAs(person, "GET", `${BASE}/${rule}`)).status, rule).toBe(403);
  }
  expect((await callJson("GET", `${BASE}/nothing`, { token })).status).toBe(404);
});

test("the register of destruction cannot be changed", async () => {
  await runSql("INSERT INTO destruction (created_date, kind, rule, basis, count) VALUES (1, 'a', 'a', 'a', 1)");
  await expect(runSql("UPDATE destruction SET count = 0")).rejects.toThrow(/append-only/);
  await expect(runSql("DELETE FROM destruction")).rejects.toThrow(/append-only/);
});
