import { requirePresent } from "../../support/require-present.ts";
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { drillInSteps } from "#worker/domain/operation/backup-drill.server.ts";
import worker from "#worker/index.ts";
import { runAllJobs } from "../../support/scheduled-jobs.ts";
import { makeBackup, openStoredBackup } from "../../support/backup.ts";
import { expectLog } from "../../support/expected-log.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { contextFor } from "../../support/request-scope.ts";
import { advanceClock, advanceToMorning, createTestItem, leaveOfLimit, sentMessages } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession } from "../../support/people.ts";
import { readValue, runSql } from "../../support/test-database.ts";
import { takeRealDatabase } from "../../support/empty-storage.ts";

takeRealDatabase();

const HOUR_MS = 3_600_000;

const openAlarms = async (token: string) => (await callJson("GET", "/api/admin/job", { token })).data.alarms;

test("a failed backup is mailed until acknowledged", async () => {
  const admin = await createAdministratorSession();
  const member = await createMemberSession();
  await runAllJobs(env);
  expect(await openAlarms(admin.accessToken)).toEqual([]);
  await runSql(
    "INSERT INTO backup_run (id, name, kind, status, started_date, state, error) VALUES ('x', 'x', 'night', 'failed', ?, 'null', '저장소가 가득 찼습니다.')",
    Date.now() + 1000,
  );
  await runAllJobs(env);
  await runAllJobs(env);
  const mails = (await sentMessages(admin.user.email)).filter(({ subject }) => subject.startsWith("[사이트 알림]"));
  expect(mails).toHaveLength(1);
  expect(mails[0]?.body).toContain("저장소가 가득 찼습니다.");
  expect(await sentMessages(member.user.email)).toEqual([]);
  const [alarm] = await openAlarms(admin.accessToken);
  expect(alarm).toMatchObject({ kind: "backup" });
  const acknowledge = (token: string) =>
    callJson("POST", "/api/admin/job/alarm/acknowledge", { token, body: { key: alarm.key } });
  expect((await acknowledge(member.accessToken)).code).toBe("FORBIDDEN");
  expect((await acknowledge(admin.accessToken)).code).toBe("SUCCESS");
  expect((await acknowledge(admin.accessToken)).code).toBe("NOT_FOUND");
  expect(await openAlarms(admin.accessToken)).toEqual([]);
  await runAllJobs(env);
  expect(await openAlarms(admin.accessToken)).toEqual([]);
  await runSql("DELETE FROM backup_run");
  await runAllJobs(env);
  await runSql(
    "INSERT INTO backup_run (id, name, kind, status, started_date, state) VALUES ('y', 'y', 'night', 'failed', ?, 'null')",
    Date.now() + 1000,
  );
  await runAllJobs(env);
  expect(await openAlarms(admin.accessToken)).toHaveLength(1);
});

test("an overdue job, failing mail or a missing file raises alarms", { tags: "full" }, async () => {
  await createAdministratorSession();
  await runAllJobs(env);
  await runSql("UPDATE job SET ok_date = ?1 WHERE name = 'retention'", Date.now() - 3 * HOUR_MS);
  await runSql("UPDATE job SET status = 'running', started_date = ?1 WHERE name = 'retention'", Date.now());
  await runSql(
    "INSERT INTO message (id, channel, recipient, subject, body, status, created_date) SELECT 'f' || value, 'email', 'a@b.kr', 's', 'b', 'failed', ?1 FROM json_each('[1,2,3,4,5]')",
    Date.now(),
  );
  await runSql(
    "INSERT INTO file (id, purpose, owner_user_id, file_name, size, content_type, status, storage_key, created_date) VALUES ('x', 'board', 'u', '안내.pdf', 1, 'x', 'attached', 'f/x', ?)",
    Date.now(),
  );
  await makeBackup();
  await runAllJobs(env);
  const { results } = await env.DB.prepare("SELECT key, text FROM alarm ORDER BY key").all<{
    key: string;
    text: string;
  }>();
  expect(results.map(({ key }) => key)).toEqual(["file:missing", "job:retention", "mail:failed"]);
  expect(results[0]?.text).toContain("안내.pdf");
});

test("each limit that is nearly reached raises one alarm", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  await leaveOfLimit(1010, "codeSignupSiteDay", "site");
  const send = (n: number) =>
    callJson("POST", "/api/user-key/check", {
      body: { userKeyType: "Email", userKeyCode: `stranger${n}@pid.example.kr` },
      address: `203.0.113.${n}`,
    });
  for (let n = 0; n < 9; n += 1) await send(n);
  await runAllJobs(env);
  expect(await openAlarms(admin.accessToken)).toEqual([]);
  await send(9);
  await runSql(
    "INSERT INTO file (id, purpose, owner_user_id, file_name, size, content_type, status, storage_key, created_date) VALUES ('x', 'board', 'u', 'a.mp4', ?, 'x', 'pending', 'f/x', ?)",
    51 * 1024 ** 3,
    Date.now(),
  );
  const large = { DB: databaseOfBytes(6 * 1000 ** 3) };
  await runAllJobs({ ...env, ...large });
  await runAllJobs({ ...env, ...large });
  const texts = (await openAlarms(admin.accessToken)).map(({ text }: { text: string }) => text);
  expect(texts.toSorted()).toEqual([
    "오늘 보낸 가입 인증번호가 1,000건으로, 하루 한도 2,000건의 절반에 이르렀습니다.",
    "자료 저장 공간이 한도의 55%를 넘었습니다.",
    "파일 저장 공간을 51GB 쓰고 있습니다.",
  ]);
  const mails = (await sentMessages(admin.user.email)).filter(({ subject }) => subject.startsWith("[사이트 알림]"));
  expect(mails).toHaveLength(1);
  advanceClock(24 * HOUR_MS);
  await runAllJobs(env);
  expect(await readValue("SELECT count(*) FROM alarm WHERE kind = 'limit' AND ended_date IS NULL")).toBe(0);
});

function databaseOfBytes(bytes: number): D1Database {
  return new Proxy(env.DB, {
    get(target, key) {
      const member = target[key as keyof D1Database] as (...given: unknown[]) => unknown;
      if (key !== "batch") return member.bind(target);
      return async (statements: D1PreparedStatement[]) =>
        (await target.batch(statements)).map((result) => ({ ...result, meta: { ...result.meta, size_after: bytes } }));
    },
  });
}

const drillContext = () => contextFor(null);

test("the drill restores the newest backup in steps", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  for (const boardCode of ["notice", "notice", "reference"]) await createTestItem(admin, boardCode);
  const name = await makeBackup({ statements: 2, bytes: 1, ms: 60_000 });
  const { manifest } = await openStoredBackup(name);
  let steps = 0;
  for (let status = ""; status !== "ok"; steps += 1) {
    await drillInSteps(await drillContext(), 2);
    status = requirePresent(await readValue<string>("SELECT status FROM backup_drill"));
    if (steps > 50) break;
  }
  // A last step of two parts leaves comparing to one of its own.
  expect(steps).toBe(Math.floor(manifest.parts.length / 2) + 1);
  const { drill } = (await callAs(admin, "GET", "/api/admin/job")).data;
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  expect(drill).toMatchObject({ name, status: "ok", rows, pages: 10 });
  const left = "SELECT count(*) AS n FROM sqlite_master WHERE name NOT GLOB '_cf*' AND name NOT GLOB 'sqlite*'";
  expect(await env.SCRATCH.prepare(left).first("n")).toBe(0);
  await drillInSteps(await drillContext());
  expect(await readValue("SELECT count(*) AS n FROM backup_drill")).toBe(1);
});

test("a killed drill restarts after its lease", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice");
  await makeBackup({ statements: 2, bytes: 1, ms: 60_000 });
  const part = () => readValue<number>("SELECT state ->> 'part' FROM backup_drill");
  for (let steps = 0; steps < 3; steps += 1) await drillInSteps(await drillContext(), 1);
  expect(await part()).toBe(3);
  await runSql("UPDATE backup_drill SET lease_id = 'killed', lease_date = ?", Date.now() + 60_000);
  await drillInSteps(await drillContext(), 1);
  expect(await part()).toBe(3);
  await runSql("UPDATE backup_drill SET lease_date = 1");
  await drillInSteps(await drillContext(), 1);
  expect(await part()).toBe(1);
  for (let steps = 0; steps < 200 && (await readValue("SELECT status FROM backup_drill")) === "running"; steps += 1)
    await drillInSteps(await drillContext(), 4);
  expect(await readValue("SELECT status FROM backup_drill")).toBe("ok");
});

test("a drill of a damaged backup raises an alarm", async () => {
  const admin = await createAdministratorSession();
  const { manifest } = await openStoredBackup(await makeBackup());
  await env.BACKUPS.delete(requirePresent(manifest.parts[0]).key);
  await expect(drillInSteps(await drillContext())).rejects.toThrow("조각이 없습니다");
  await runAllJobs(env);
  expect(await openAlarms(admin.accessToken)).toMatchObject([{ kind: "drill" }]);
});

test("a drill fails when a page cannot be shown", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice");
  await env.DB.prepare("UPDATE board SET categories = 'none' WHERE board_code = 'notice'").run();
  await makeBackup();
  await expect(drillInSteps(await drillContext())).rejects.toThrow();
  await env.DB.prepare("UPDATE board SET categories = '[]' WHERE board_code = 'notice'").run();
  expect((await openAlarms(admin.accessToken)).length).toBe(0);
  await runAllJobs(env);
  expect(await openAlarms(admin.accessToken)).toMatchObject([{ kind: "drill" }]);
});

test("a drill never empties a database that contains other data", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  await makeBackup();
  await expect(drillInSteps({ ...(await drillContext()), scratch: env.DB })).rejects.toThrow("다른 자료가 있습니다");
  expect(await openAlarms(admin.accessToken)).toEqual([]);
  expect(await readValue("SELECT count(*) AS n FROM user")).toBe(1);
});

test("forty days without a drill raise an alarm", { tags: "full" }, async () => {
  await createAdministratorSession();
  expectLog(/job:backup.*BACKUP_KEY가 없어/);
  advanceToMorning(41);
  await runAllJobs({ ...env, BACKUP_KEY: undefined } as never);
  const { results } = await env.DB.prepare("SELECT key FROM alarm ORDER BY key").all<{ key: string }>();
  expect(results.map(({ key }) => key)).toEqual(expect.arrayContaining(["backup:late", "drill:late"]));
});

const health = async (headers: Record<string, string> = {}) => {
  const request = new Request("http://localhost/health", { headers });
  const response = await worker.fetch(request as never, env, createExecutionContext());
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

test("/health tells a guest only whether the site answers", async () => {
  await createAdministratorSession();
  await runAllJobs(env);
  expect(await health()).toEqual({ status: 200, body: { status: "ok", database: "ok" } });
  expect((await health({ Authorization: `Bearer ${"x".repeat(40)}` })).body).toEqual({ status: "ok", database: "ok" });
  const monitor = { Authorization: `Bearer ${env.HEALTH_TOKEN}` };
  const well = await health(monitor);
  expect(well).toMatchObject({ status: 200, body: { storage: "ok", backups: "ok", alarms: [] } });
  const trip = expect.any(Number);
  expect(well.body.trips).toMatchObject({
    count: trip,
    medianMs: trip,
    percentile95Ms: trip,
    since: expect.any(String),
  });
  const jobs = well.body.jobs as { name: string; age: number }[];
  expect(jobs.find(({ name }) => name === "retention")?.age).toBeLessThan(60);
  await runSql("INSERT INTO alarm (key, kind, text, started_date) VALUES ('a', 'mail', '알림', 1)");
  expect(await health(monitor)).toMatchObject({
    status: 503,
    body: { status: "failed", alarms: [{ kind: "mail", text: "알림" }] },
  });
});

test("/health says how long each job has been due", { tags: "full" }, async () => {
  await createAdministratorSession();
  await runAllJobs(env);
  const monitor = { Authorization: `Bearer ${env.HEALTH_TOKEN}` };
  const late = ({ body }: Awaited<ReturnType<typeof health>>, name: string) =>
    (body.jobs as { name: string; late: number | null }[]).find((job) => job.name === name)?.late;
  const well = await health(monitor);
  expect([well.status, late(well, "messages"), late(well, "retention")]).toEqual([200, 0, 0]);
  await runSql("UPDATE job SET started_date = started_date - 7200000 WHERE name = 'messages'");
  const stopped = await health(monitor);
  expect(stopped.status).toBe(503);
  expect([late(stopped, "messages"), late(stopped, "retention")]).toEqual([expect.closeTo(7140, -2), 0]);
  await runSql("UPDATE job SET started_date = started_date + 3456000000 WHERE name = 'messages'");
  expect(late(await health(monitor), "messages")).toBe(null);
});
