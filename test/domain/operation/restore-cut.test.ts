import { requirePresent } from "../../support/require-present.ts";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { openBackup } from "#worker/domain/operation/backup-manifest.server.ts";
import { bindingTarget, restoreDatabase, type RestoreTarget } from "#worker/domain/operation/restore.server.ts";
import { connectDatabase } from "#db/client.ts";
import { message } from "#db/schema/mail.ts";
import worker from "#worker/index.ts";
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { needsSession, SAMPLE_CALLS, takesJson } from "../../calls/calls.ts";
import {
  databaseRows,
  emptyScratch,
  makeBackup,
  openStoredBackup,
  readBackupObject,
  SMALL_STEPS,
} from "../../support/backup.ts";
import { expectLog } from "../../support/expected-log.ts";
import { createTestItem } from "../../support/factories.ts";
import { callApiWith } from "../../support/faulty-database.ts";
import { createAdministratorSession } from "../../support/people.ts";
import { runDueJobs, runAllJobs } from "../../support/scheduled-jobs.ts";
import { takeRealDatabase } from "../../support/empty-storage.ts";

takeRealDatabase();

const POINTS = Number(process.env.KILLS || 20);
const MAILS = 5;

/** The scratch database, refusing all statements after a number of runs; `runs` counts them. */
function cutTarget(after: number): { target: RestoreTarget; runs: () => number } {
  const whole = bindingTarget(env.SCRATCH);
  let runs = 0;
  const run = async (statements: string[]) => {
    if ((runs += 1) > after) throw new Error("killed");
    await whole.run(statements);
  };
  return { target: { ...whole, run }, runs: () => runs };
}

async function createSite(): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO audit_log (created_date, address, action, target_type, target_id, subject_count, reason, request_id) VALUES (1, '', 'job.run', 'job', 'x', 0, '', '')",
    ),
    env.DB.prepare(
      "INSERT INTO destruction (created_date, kind, rule, basis, count) VALUES (1, '회원', 'inactive', '', 1)",
    ),
  ]);
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice", { title: "심포지엄 안내", content: `<p>${"가".repeat(30_000)}</p>` });
  const now = new Date();
  const mail = { channel: "email", subject: "안내", body: "글", status: "queued", nextAttemptDate: now } as const;
  for (let at = 0; at < MAILS; at += 1)
    await connectDatabase(env.DB)
      .insert(message)
      .values({ ...mail, id: `m${at}`, recipient: `m${at}@example.kr`, createdDate: now });
}

const fetchFrom = async (DB: D1Database, path: string, headers = {}) => {
  const execution = createExecutionContext();
  const request = new Request(`http://localhost${path}`, { headers });
  const response = await worker.fetch(request as never, { ...env, DB }, execution);
  const text = await response.text();
  await waitOnExecutionContext(execution);
  return { status: response.status, text };
};

async function expectNothingLeaves(label: string): Promise<void> {
  const site = { ...env, DB: env.SCRATCH };
  await runDueJobs(site);
  await runAllJobs(site);
  const [sent, ran] = await env.SCRATCH.batch<{ n: number }>([
    env.SCRATCH.prepare("SELECT count(*) AS n FROM message WHERE status NOT IN ('queued', 'held')"),
    env.SCRATCH.prepare("SELECT count(*) AS n FROM job"),
  ]);
  expect([sent?.results[0]?.n, ran?.results[0]?.n], label).toEqual([0, 0]);
}

async function expectNothingServed(label: string): Promise<void> {
  const list = await callApiWith({ DB: env.SCRATCH }, "GET", "/api/board-item?boardCode=notice");
  expect([list.status, list.message], label).toEqual([503, expect.stringContaining("npm run restore")]);
  const health = await fetchFrom(env.SCRATCH, "/health");
  expect([health.status, JSON.parse(health.text)], label).toEqual([503, { status: "failed", database: "unfinished" }]);
}

test("an interrupted restore leaves a database that serves nothing", async () => {
  expectLog(/UPSTREAM_UNAVAILABLE/);
  await createSite();
  const name = await makeBackup(SMALL_STEPS);
  const backup = await openStoredBackup(name);
  const tables = backup.manifest.tables.map((table) => table.name);
  const expected = await databaseRows(env.DB, tables);
  await emptyScratch();
  const counting = cutTarget(Infinity);
  await restoreDatabase(backup, counting.target);
  const runs = counting.runs();
  await emptyScratch();

  const flips = backup.manifest.parts.map(({ key }, at) => async () => {
    const read = async (asked: string) => {
      const bytes = requirePresent(await readBackupObject(asked));
      if (asked === key) bytes[40] = requirePresent(bytes[40]) ^ 1;
      return bytes;
    };
    const broken = await openBackup(read, name, env.BACKUP_KEY);
    await expect(restoreDatabase(broken, bindingTarget(env.SCRATCH)), `part ${at}`).rejects.toThrow("손상되었거나");
  });
  const kills = Array.from({ length: POINTS }, (_, at) => 1 + Math.floor((at * (runs - 1)) / POINTS)).map(
    (point) => async () => {
      await expect(restoreDatabase(backup, cutTarget(point).target), `run ${point}`).rejects.toThrow("killed");
    },
  );
  expect(flips.length).toBeGreaterThan(3);
  for (const [at, cut] of [...flips, ...kills].entries()) {
    await cut();
    await expectNothingLeaves(`point ${at}`);
    await expectNothingServed(`point ${at}`);
  }
  // Rows of tables that the other backup lacks are deleted as well.
  await env.SCRATCH.prepare(
    "INSERT INTO quick_link (id, label, href, sort_order) VALUES ('left', '남은 것', '/', 1)",
  ).run();
  const known = backup.manifest.tables.filter((table) => table.name !== "quick_link");
  const older = { ...backup, manifest: { ...backup.manifest, tables: known } };
  await restoreDatabase(older, bindingTarget(env.SCRATCH));
  const held = expected.message?.map((row) => JSON.stringify({ ...JSON.parse(row), status: "held" }));
  expect(await databaseRows(env.SCRATCH, tables)).toEqual({ ...expected, notice_pending: [], message: held });
  expect((await callApiWith({ DB: env.SCRATCH }, "GET", "/api/board-item?boardCode=notice")).status).toBe(200);
  await expect(env.SCRATCH.prepare("DELETE FROM audit_log").run()).rejects.toThrow("append-only");
  // At night a backup is due, and then a drill, which would refuse this database as its scratch.
  await env.SCRATCH.prepare(
    "INSERT INTO backup_drill (id, name, status, started_date, state) VALUES ('now', 'now', 'ok', ?, '{}')",
  )
    .bind(Date.now())
    .run();
  await runAllJobs({ ...env, DB: env.SCRATCH });
  const left = "SELECT count(*) AS n FROM message WHERE id GLOB 'm?' AND status <> 'held'";
  expect(await env.SCRATCH.prepare(left).first("n")).toBe(0);
  expect(await env.SCRATCH.prepare("SELECT count(*) AS n FROM job").first("n")).toBeGreaterThan(10);
});

const PUBLIC_CALLS: [path: string, body: object][] = [
  ["/api/user/signin", { userKeyType: "Id", userKeyCode: "office", password: "Secret!234" }],
  ["/api/user/signin-by-refresh-token", { refreshToken: "x".repeat(43) }],
  ["/api/user/find-id", { userName: "홍길동", email: "a@example.kr" }],
  ["/api/user-key/check", { userKeyType: "Email", userKeyCode: "a@example.kr" }],
  ["/api/board-item/search", { keyword: "심포지엄" }],
];

test("every call of an unfinished database answers 503", async () => {
  expectLog(/UPSTREAM_UNAVAILABLE/);
  const { accessToken: token } = await createAdministratorSession();
  await env.DB.prepare("INSERT INTO page_stamp (scope, stamp) VALUES ('unfinished', '2026-11-21')").run();
  const refused = [503, expect.stringContaining("npm run restore"), undefined];
  for (const call of SAMPLE_CALLS) {
    const body = takesJson(call) ? { body: {} } : {};
    for (const by of [{}, { token }]) {
      const { status, message: said, data } = await callApiWith({}, call.method, call.path, { ...body, ...by });
      // An unreadable input is refused before the database is asked.
      const isUnread = !needsSession(call) && [400, 404].includes(status);
      expect.soft([status, said, data], call.name).toEqual(isUnread ? [status, said, undefined] : refused);
    }
  }
  for (const [path, body] of PUBLIC_CALLS) {
    const { status, message: said, data } = await callApiWith({}, "POST", path, { body });
    expect.soft([status, said, data], path).toEqual(refused);
  }
});
