import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { DESTROYED_BY_AGE, type DestroyedByAge, KEPT_BACKUPS } from "#worker/contract/audit/ages.ts";
import { RETENTION_RULE_CODES, RETENTION_RULES } from "#worker/contract/audit/retention-rules.ts";
import { DEFAULT_ALUMNI_SETTINGS } from "#worker/contract/alumni/alumni-settings.ts";
import { DUE_LIMITS } from "#worker/contract/alumni/dues/dues.ts";
import { DAY_MS, HOUR_MS } from "#worker/contract/kernel/limits.ts";
import { SIGNUP_ROLE_CODE } from "#worker/contract/kernel/permissions.ts";
import { ACTIVITY_DAYS } from "#worker/contract/mail/mail.ts";
import { MOVING_LIMITS } from "#worker/contract/moving/rules.ts";
import { readAges } from "#worker/domain/audit/ages.server.ts";
import { raiseAlarms } from "#worker/domain/operation/alarm.server.ts";
import { backUpInSteps } from "#worker/domain/operation/backup-run.server.ts";
import worker from "#worker/index.ts";
import { callJson } from "../../support/api-client.ts";
import { backupContext, lastRun, makeBackup, openStoredBackup } from "../../support/backup.ts";
import { LAST_NOON_MS } from "../../support/clock.ts";
import { takeRealDatabase } from "../../support/empty-storage.ts";
import { insertRow } from "../../support/insert-row.ts";
import { createAdministratorSession, createMemberSession } from "../../support/people.ts";
import { contextFor } from "../../support/request-scope.ts";
import { runDueJobs, runJobsAtClock, runAllJobs } from "../../support/scheduled-jobs.ts";
import { countAllRows, readRows, readValue, runSql, testDatabase } from "../../support/test-database.ts";

takeRealDatabase();

const START = LAST_NOON_MS;
const JUMP_DAYS = 45;
const at = (ms: number) => vi.useFakeTimers({ toFake: ["Date"], now: START + ms });
const agesAt = (ms: number) => readAges({ db: testDatabase(), now: () => new Date(START + ms) });

beforeEach(() => at(0));

const { undoDays, exportHours } = DEFAULT_ALUMNI_SETTINGS;
const BY_SETTING: Partial<Record<DestroyedByAge, number>> = {
  "address-book-export": exportHours * HOUR_MS,
  "address-book-undo": undoDays * DAY_MS,
  "dues-undo": DUE_LIMITS.undoDays * DAY_MS,
  "import-left-open": undoDays * DAY_MS,
  "abandoned-move": MOVING_LIMITS.abandonedDays * DAY_MS,
  "skip-list": MOVING_LIMITS.undoDays * DAY_MS,
  activity: ACTIVITY_DAYS * DAY_MS,
  ...Object.fromEntries(RETENTION_RULE_CODES.map((rule) => [rule, RETENTION_RULES[rule].days * DAY_MS])),
};

interface Sample {
  /** Half a day from its end at START. */
  make(date: number): Promise<unknown>;
  left(): Promise<number | null>;
}

const row = (table: string, dateColumn: string, values: Record<string, string | number> = {}, where = ""): Sample => ({
  make: (date) => insertRow(table, { ...values, [dateColumn]: date }),
  left: () =>
    readValue<number>(`SELECT count(*) FROM "${table}" WHERE ${where || (values.id ? `id = '${values.id}'` : "true")}`),
});

const file = (id: string, purpose: string) => {
  const sample = row("file", "created_date", { id, purpose, status: "ready", storage_key: `f/${id}`, size: 1 });
  const make = async (date: number) => {
    await env.FILES.put(`f/${id}`, "x");
    await sample.make(date);
  };
  return { ...sample, make };
};

const MEMBER = { role_code: SIGNUP_ROLE_CODE, user_type: "Member", password_hash: "", profile: "{}" };

const session = (id: string, dateColumn = "created_date") => ({
  ...row("session", dateColumn, { id }),
  async make(date: number) {
    await insertRow("user", { id, ...MEMBER, status: "blocked" });
    await insertRow("session", { id, user_id: id, expires_date: START + 400 * DAY_MS, [dateColumn]: date });
  },
});

/** Rows of a deed with the deed that says how old they are. */
const ofDeed = (deed: string, rows: string, key: string): Sample => ({
  async make(date) {
    await insertRow(deed, { id: rows + deed, created_date: date });
    await insertRow(rows, { [key]: rows + deed });
  },
  left: () => readValue(`SELECT count(*) FROM ${rows} WHERE ${key} = '${rows + deed}'`),
});

const registration = (item_id: number, guest_email = ""): Sample => ({
  async make(date) {
    await insertRow("event", { item_id, close_date: date, role_codes: "[]", questions: "[]" });
    const made = { id: `over${item_id}`, item_id, user_id: "u", guest_email, status: "present", answers: "{}" };
    await insertRow("event_registration", made);
  },
  left: () => readValue("SELECT count(*) FROM event_registration WHERE item_id = ?", item_id),
});

const SAMPLES: Record<DestroyedByAge, Sample> = {
  backup: {
    async make(date) {
      await makeBackup();
      await runSql("UPDATE backup_run SET id = 'oldest', started_date = ?", date);
      await runSql(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${KEPT_BACKUPS})
         INSERT INTO backup_run (id, name, kind, status, started_date, state)
         SELECT 'newer' || i, 'newer' || i, kind, status, ?, state FROM backup_run, n WHERE id = 'oldest'`,
        START,
      );
    },
    left: () => readValue("SELECT count(*) FROM backup_run WHERE id = 'oldest'"),
  },
  "backup-file": {
    make: () => env.BACKUPS.put("files/f/orphan", "x"),
    left: async () => ((await env.BACKUPS.head("files/f/orphan")) ? 1 : 0),
  },
  upload: file("upload", "board"),
  "address-book-export": file("export", "alumni-export"),
  "address-book-undo": ofDeed("alumni_import", "alumni_before", "import_id"),
  "dues-undo": ofDeed("due_work", "deed_row", "deed_id"),
  "import-preview": row("alumni_staging", "touched_date", { id: "preview" }),
  "import-left-open": {
    async make(date) {
      await insertRow("alumni_staging", { id: "open", touched_date: date, committed_date: date });
      await insertRow("alumni_staged", { import_id: "open", kind: "insert" });
    },
    left: () => readValue("SELECT count(*) FROM alumni_staging WHERE id = 'open'"),
  },
  "import-answer": row("alumni_import_choice", "used_date"),
  "import-people": ofDeed("alumni_import", "alumni_import_person", "import_id"),
  "deleted-view": row("alumni_view", "deleted_date"),
  correction: row("alumni_correction", "decided_date", { state: "accepted" }),
  "mailing-draft": row("mailing", "modified_date", { status: "draft" }),
  "round-draft": row("confirmation_round", "modified_date", { status: "draft" }),
  "abandoned-move": row("moving", "created_date", { id: "m1", status: "checked" }, "status = 'checked'"),
  "skip-list": {
    async make(date) {
      await insertRow("moving", { id: "m2", status: "committed", committed_date: date });
      await insertRow("moving_issue", { moving_id: "m2" });
    },
    left: () => readValue("SELECT count(*) FROM moving_issue"),
  },
  limit: row("rate_limit", "reset_date", { key: "limit" }, "key = 'limit'"),
  "kept-answer": row("kept_answer", "created_date", { key: "answer" }, "key = 'answer'"),
  "sent-code": row("message", "created_date", { id: "code", status: "sent", pincode: "123456" }, "pincode IS NOT NULL"),
  "factor-challenge": row("second_factor_challenge", "expires_date"),
  "mail-report": row("mail_report", "created_date"),
  verification: row("verification", "expires_date"),
  "view-count": {
    make: (date) => insertRow("board_item_view", { day: new Date(date).toISOString().slice(0, 10) }),
    left: () => readValue("SELECT count(*) FROM board_item_view"),
  },
  "refresh-token": {
    async make(date) {
      await session("live").make(START);
      await insertRow("refresh_token", { hash: "old", session_id: "live", expires_date: date });
    },
    left: () => readValue("SELECT count(*) FROM refresh_token WHERE hash = 'old'"),
  },
  "ended-session": session("ended", "expires_date"),
  "revoked-session": session("revoked", "revoked_date"),
  activity: row("activity", "created_date"),
  leftover: row(
    "user",
    "modified_date",
    { id: "leftover", ...MEMBER, status: "retired", profile: '{"job":"x"}' },
    `id = 'leftover' AND profile <> '{}'`,
  ),
  inactive: {
    async make(date) {
      const idle = { ...MEMBER, status: "active", created_date: date, last_signin_date: date };
      await insertRow("user", { id: "idle", ...idle });
      await insertRow("user_key", { user_id: "idle", user_key_type: "Id", user_key_code: "idle" });
      await insertRow("retention_notice", { user_id: "idle", created_date: date + 1 });
    },
    left: () => readValue("SELECT count(*) FROM user WHERE id = 'idle' AND status = 'active'"),
  },
  refused: row(
    "user",
    "modified_date",
    { id: "refused", ...MEMBER, status: "refused" },
    "id = 'refused' AND status = 'refused'",
  ),
  consents: {
    async make(date) {
      await insertRow("user", { id: "gone", ...MEMBER, status: "retired", modified_date: date });
      await insertRow("agreement", { code: "law", version: "1", required: 1 });
      await insertRow("user_consent", { user_id: "gone", code: "law", version: "1" });
    },
    left: () => readValue("SELECT count(*) FROM user_consent WHERE user_id = 'gone'"),
  },
  requests: row("privacy_request", "closed_date"),
  inquiries: row("inquiry", "last_date", { id: "answered", status: "answered" }),
  registrations: registration(900),
  "guest-registrations": registration(901, "guest@example.com"),
  "alumni-bin": row("alumni", "deleted_date", { id: "binned" }),
  "board-bin": row("board_item", "deleted_date", { id: 9001, board_code: "notice", item_no: 9001 }),
  comments: {
    async make(date) {
      await insertRow("board_item", { id: 9002, board_code: "notice", item_no: 9002 });
      await insertRow("board_item_comment", { id: "c1", item_id: 9002, deleted_date: date });
    },
    left: () => readValue("SELECT count(*) FROM board_item_comment"),
  },
  drafts: row("item_draft", "modified_date", { user_id: "u" }),
  dues: row("due", "created_date", { id: "due" }),
  messages: row("message", "created_date", { id: "sent", status: "sent" }),
  "access-log": row("audit_log", "created_date", { id: 1, action: "old.action" }, "action = 'old.action'"),
};

const KINDS = Object.keys(SAMPLES) as DestroyedByAge[];
const keptMs = (what: DestroyedByAge) =>
  BY_SETTING[what] ?? (DESTROYED_BY_AGE as Record<string, number | null>)[what] ?? Number.NaN;

async function leftOf(): Promise<Record<string, number | null>> {
  const left: Record<string, number | null> = {};
  for (const what of KINDS) left[what] = await SAMPLES[what].left();
  return left;
}
const all = (count: number) => Object.fromEntries(KINDS.map((what) => [what, count]));

async function fillSite() {
  const rules = Object.fromEntries(
    RETENTION_RULE_CODES.map((rule) => [rule, { on: true, days: RETENTION_RULES[rule].days }]),
  );
  await insertRow("site_setting", {
    key: "privacy",
    value: JSON.stringify({ requestDays: 10, rules }),
    modified_date: 1,
  });
  for (const what of KINDS) await SAMPLES[what].make(START + DAY_MS / 2 - keptMs(what));
  expect(await leftOf()).toEqual(all(1));
}

const monitor = { Authorization: `Bearer ${env.HEALTH_TOKEN}` };
async function health() {
  const request = new Request("http://localhost/health", { headers: monitor });
  const response = await worker.fetch(request as never, env, createExecutionContext());
  const { alarms } = (await response.json()) as { alarms: { kind: string }[] };
  return { status: response.status, kinds: alarms.map(({ kind }) => kind) };
}
const told = () => readValue("SELECT count(*) FROM message WHERE body LIKE '%건너뛰었습니다%'");

test("a clock 45 days ahead for one run destroys nothing", async () => {
  const admin = await createAdministratorSession();
  await fillSite();
  await runAllJobs(env);
  expect(await leftOf()).toEqual(all(1));
  const before = await countAllRows();

  at(JUMP_DAYS * DAY_MS);
  await runJobsAtClock(env);
  expect(await leftOf()).toEqual(all(1));
  expect(await health()).toEqual({ status: 503, kinds: ["clock"] });

  for (const minutes of [1, 12]) {
    at(minutes * 60_000);
    await runJobsAtClock(env);
  }
  expect(await leftOf()).toEqual(all(1));
  const after = await countAllRows();
  expect(Object.entries(after).filter(([table, count]) => count < (before[table] ?? 0))).toEqual([]);
  expect(await told()).toBe(1);
  expect(await health()).toEqual({ status: 503, kinds: ["clock"] });

  const acknowledge = (token: string) =>
    callJson("POST", "/api/admin/job/alarm/acknowledge", { token, body: { key: "clock:jumped" } });
  expect((await acknowledge((await createMemberSession()).accessToken)).code).toBe("FORBIDDEN");
  expect((await acknowledge(admin.accessToken)).code).toBe("SUCCESS");
  expect((await health()).kinds).toEqual([]);
  await runJobsAtClock(env);
  expect([(await health()).kinds, await told()]).toEqual([[], 1]);
});

test("a clock that is set back keeps running limits", async () => {
  await createAdministratorSession();
  const limitUntil = (ms: number) => insertRow("rate_limit", { key: `until ${ms}`, reset_date: START + ms });
  const limits = () => readValue("SELECT count(*) FROM rate_limit WHERE key LIKE 'until %'");
  await limitUntil(JUMP_DAYS * DAY_MS + HOUR_MS);
  at(JUMP_DAYS * DAY_MS);
  await runAllJobs(env);
  at(HOUR_MS);
  await runJobsAtClock(env);
  expect(await limits()).toBe(1);
  await runAllJobs(env);
  expect(await limits()).toBe(0);
});

test("everything declared by age goes under a clock that continues", async () => {
  await createAdministratorSession();
  await fillSite();
  at(JUMP_DAYS * DAY_MS);
  await runAllJobs(env);
  expect(await leftOf()).toEqual(all(0));
});

test("a jump is over once the clock is trusted", async () => {
  const jumps: [runs: number[], hasJumped: boolean][] = [
    [[0, DAY_MS], false],
    [[0, DAY_MS + 1], true],
    [[0, -DAY_MS - 1], true],
    [[0, 45 * DAY_MS, 45 * DAY_MS + HOUR_MS], true],
    [[0, 45 * DAY_MS, HOUR_MS], false],
    [[0, 45 * DAY_MS, HOUR_MS, 45 * DAY_MS], true],
    [[0, 45 * DAY_MS, 46 * DAY_MS - 1], true],
    [[0, 45 * DAY_MS, 46 * DAY_MS], false],
    [[0, 45 * DAY_MS, 90 * DAY_MS], true],
    [[0, 45 * DAY_MS, 90 * DAY_MS, 90 * DAY_MS + HOUR_MS], true],
  ];
  for (const [runs, hasJumped] of jumps) {
    await runSql("DELETE FROM age_clock");
    let last = null;
    for (const ms of runs) ({ jump: last } = await agesAt(ms));
    expect([runs, last !== null]).toEqual([runs, hasJumped]);
  }
});

test("the first run after a jump alarms the office", async () => {
  await createAdministratorSession();
  await runAllJobs(env);
  at(JUMP_DAYS * DAY_MS);
  expect(await runDueJobs(env, { statements: 4, ms: 60_000 })).toEqual(["alarms"]);
  expect(await told()).toBe(1);
});

test("nobody destroys a list after a jump until the clock is confirmed", async () => {
  await createAdministratorSession();
  await insertRow("alumni", { id: "binned", deleted_date: START - 29 * DAY_MS });
  await runAllJobs(env);
  at(JUMP_DAYS * DAY_MS);
  const { accessToken: token } = await createAdministratorSession();
  const base = "/api/admin/privacy/retention/alumni-bin";
  const destroy = async () => {
    const { fingerprint } = (await callJson("GET", base, { token })).data;
    return callJson("POST", `${base}/run`, { token, body: { fingerprint, reason: "정기 파기" } });
  };
  const refused = await destroy();
  expect(refused).toMatchObject({ code: "CONFLICT", message: expect.stringContaining("건너뛰었습니다") });
  const warned = await callJson("POST", "/api/admin/privacy/retention/inactive/tell", {
    token,
    body: { fingerprint: "x", reason: "정기 파기" },
  });
  expect(warned.message).toContain("건너뛰었습니다");
  await runJobsAtClock(env);
  await callJson("POST", "/api/admin/job/alarm/acknowledge", { token, body: { key: "clock:jumped" } });
  expect((await destroy()).data).toEqual({ destroyed: 1 });
});

const night = (day: number, hours = 0) => backupContext(() => new Date(Date.UTC(2026, 9, 1 + day, 18 + hours, 1)));
const nights = () => readRows<{ name: string; status: string }>("SELECT name, status FROM backup_run ORDER BY rowid");

test("the newest backups stay whatever their dates", async () => {
  for (let day = 0; day <= KEPT_BACKUPS; day += 1) await backUpInSteps(night(day));
  const names = (await nights()).map(({ name }) => name);
  await runSql("DELETE FROM age_clock");
  // The new backup is not stored: nothing may go.
  const broken = night(60);
  broken.backups = new Proxy(broken.backups, {
    get: (bucket, key) => {
      if (key === "put") return async () => null;
      const member = bucket[key as keyof R2Bucket] as unknown;
      return typeof member === "function" ? member.bind(bucket) : member;
    },
  });
  await expect(backUpInSteps(broken)).rejects.toThrow("목록(manifest)이 없습니다");
  expect((await nights()).map(({ name }) => name)).toEqual([...names, "2026-12-01"]);
  await backUpInSteps(night(60, 2));
  const left = (await nights()).filter(({ status }) => status === "ok").map(({ name }) => name);
  expect(left).toEqual([...names.slice(2), "2026-12-01-2"]);
});

test("a night with a used name gets a backup", async () => {
  await backUpInSteps(night(0));
  await backUpInSteps(night(45));
  expect((await lastRun()).name).toBe("2026-11-16");
  await backUpInSteps(night(1));
  await backUpInSteps(night(45));
  await backUpInSteps(night(45));
  expect((await nights()).map(({ name }) => name)).toEqual(["2026-10-02", "2026-11-16", "2026-10-03", "2026-11-16-2"]);
  const made = async (name: string) => (await openStoredBackup(name)).manifest.id;
  expect(await made("2026-11-16")).not.toBe(await made("2026-11-16-2"));
});

test("a backup never takes the name of an unknown one", async () => {
  await backUpInSteps(night(0));
  const first = (await openStoredBackup("2026-10-02")).manifest.id;
  await runSql("DELETE FROM backup_run");
  await backUpInSteps(night(0));
  expect((await lastRun()).name).toBe("2026-10-02-2");
  expect((await openStoredBackup("2026-10-02")).manifest.id).toBe(first);
});

test("a backup of a fast clock does not hide missing backups", async () => {
  await createAdministratorSession();
  await makeBackup();
  await runSql("UPDATE backup_run SET started_date = ?1, finished_date = ?1", START + JUMP_DAYS * DAY_MS);
  await runSql("UPDATE user SET created_date = 1");
  await raiseAlarms(await contextFor(null));
  expect(await readRows("SELECT key FROM alarm WHERE kind = 'backup'")).toEqual([{ key: "backup:late" }]);
});
