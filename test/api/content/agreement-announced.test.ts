import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { getAgreementChange, mailAnnouncedAgreements } from "#worker/domain/content/agreement-announced.server.ts";
import { getSiteFrame } from "#worker/domain/site/site.server.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { createSignupSettings, sentMessages } from "../../support/factories.ts";
import { expectLog } from "../../support/expected-log.ts";
import { faultyDatabase } from "../../support/faulty-database.ts";
import { createAdministratorSession, createMemberSession, createUser, type TestSession } from "../../support/people.ts";
import { contextFor, scopeFor } from "../../support/request-scope.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { countRows, readRows, readValue, runSql } from "../../support/test-database.ts";

const NOW = Date.parse("2026-11-21T03:00:00Z");
const FIRST_OF_DECEMBER = "2026-12-01T00:00:00+09:00";
const setClock = (time: number) => vi.useFakeTimers({ toFake: ["Date"], now: time });
const afterTheDay = () => setClock(Date.parse(FIRST_OF_DECEMBER) + 300_000);

const path = "/api/admin/setting/agreement";
const next = {
  code: "terms",
  title: "이용약관",
  required: true,
  content: "<p>약관</p><p>자료는 2년 동안 보관합니다.</p>",
  version: "2",
  effectiveDate: FIRST_OF_DECEMBER,
  baseVersion: "1",
};
const announce = (admin: TestSession, fields: object = {}) => callAs(admin, "PUT", path, { ...next, ...fields });
const withdraw = (by: TestSession, version = "2", code = "terms") =>
  callAs(by, "POST", `${path}/${code}/${version}/withdraw`, {});
const asked = async (code = "terms") =>
  (await callJson("GET", "/api/site-setting/authentication")).data.agreements.find(
    (each: { code: string }) => each.code === code,
  )?.version;
const mailsTo = async (email: string) =>
  (await sentMessages(email)).filter(({ subject }: { subject: string }) => subject.includes("변경 안내"));
const banner = async () => (await getSiteFrame(scopeFor(null))).announced;

let admin: TestSession;
beforeEach(async () => {
  setClock(NOW);
  await createSignupSettings();
  admin = await createAdministratorSession();
});

test("an announced version takes effect on its day", async () => {
  const member = await createMemberSession();
  expect((await announce(admin)).code).toBe("SUCCESS");
  expect(await asked(), "the current version until the announced day").toBe("1");
  expect(await banner()).toEqual([
    { code: "terms", title: "이용약관", effectiveDate: new Date(FIRST_OF_DECEMBER).toISOString() },
  ]);
  expect(await getAgreementChange(scopeFor(null), "terms")).toMatchObject({
    version: "2",
    isUpcoming: true,
    before: { version: "1" },
    lines: [
      { kind: "same", text: "약관" },
      { kind: "added", text: "자료는 2년 동안 보관합니다." },
    ],
  });
  await runScheduledJobs(env);
  await runScheduledJobs(env);
  const [mail, ...more] = await mailsTo(member.user.email);
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ subject: expect.stringContaining("이용약관 변경 안내 (2026년 12월 1일 시행)") });
  expect(await asked()).toBe("1");

  afterTheDay();
  await runScheduledJobs(env);
  expect(await asked()).toBe("2");
  expect(await banner()).toBeUndefined();
  expect(await getAgreementChange(scopeFor(null), "terms")).toMatchObject({ version: "2", isUpcoming: false });
  expect(
    await readRows("SELECT action, subject_count AS people FROM audit_log WHERE target_type = 'agreement'"),
  ).toEqual([
    { action: "agreement.announce", people: 0 },
    { action: "agreement.notify", people: 2 },
    { action: "agreement.begin", people: 0 },
  ]);
});

test("a version published meanwhile for a later day is kept", async () => {
  await announce(admin);
  setClock(Date.parse(FIRST_OF_DECEMBER) + 60_000);
  const session = await createAdministratorSession();
  expect((await announce(session, { version: "3" })).code).toBe("SUCCESS");
  await runScheduledJobs(env);
  expect(await asked()).toBe("3");
  expect(await banner()).toBeUndefined();
});

describe("refused", () => {
  test("a second announcement or a day two years ahead", async () => {
    await announce(admin);
    expect((await announce(admin, { version: "3" })).code).toBe("CONFLICT");
    const close = await callAs(admin, "POST", `${path}/terms/close`, { baseVersion: "1" });
    expect([close.code, close.message]).toEqual(["CONFLICT", expect.stringContaining("예고")]);
    const far = { code: "letters", baseVersion: "", effectiveDate: "2028-12-01T00:00:00+09:00" };
    expect((await announce(admin, far)).fields).toHaveProperty("effectiveDate");
    expect(await countRows("agreement")).toBe(3);
  });

  test("withdrawing a version that is not merely announced", async () => {
    await announce(admin);
    expect((await withdraw(await createMemberSession())).status).toBe(403);
    expect((await callJson("POST", `${path}/terms/2/withdraw`, { body: {} })).status).toBe(401);
    expect((await withdraw(admin, "1")).code).toBe("CONFLICT");
    expect((await withdraw(admin, "9")).code).toBe("NOT_FOUND");
    afterTheDay();
    expect((await withdraw(await createAdministratorSession())).code).toBe("CONFLICT");
    expect(await banner()).toHaveLength(1);
  });
});

test("a version withdrawn before its day never takes effect", async () => {
  const member = await createMemberSession();
  await announce(admin);
  const ctx = await contextFor(null);
  await mailAnnouncedAgreements({ ...ctx, messages: { ...ctx.messages, isLocal: false } });
  const queued = () => readValue<number>("SELECT count(*) FROM message WHERE status = 'queued'");
  expect(await queued()).toBe(2);
  await runSql("UPDATE message SET batch_id = 'on its way' WHERE recipient = ?", admin.user.email);
  expect((await withdraw(admin)).data).toEqual({ code: "terms", version: "2" });
  expect(await queued(), "only the mail that was handed over remains").toBe(1);
  expect(await readRows("SELECT id FROM message WHERE recipient = ?", member.user.email)).toEqual([]);
  expect(await banner()).toBeUndefined();
  await expect(getAgreementChange(scopeFor(null), "terms")).resolves.toMatchObject({ version: "1", before: null });
  afterTheDay();
  await runScheduledJobs(env);
  expect(await asked()).toBe("1");
  expect(await mailsTo(member.user.email)).toEqual([]);
});

test("the terms share their announcement with their page", async () => {
  await runSql("DELETE FROM agreement WHERE code = 'terms'");
  const page = "/api/admin/content/terms";
  const draft = { title: "이용약관", content: "<p>처음</p>", version: 0 };
  await callAs(admin, "PUT", `${page}/draft`, draft);
  await callAs(admin, "POST", `${page}/publish`, { version: 1 });
  await callAs(admin, "PUT", `${page}/draft`, { ...draft, content: "<p>다음</p>", version: 2 });
  await callAs(admin, "POST", `${page}/publish`, {
    version: 3,
    effectiveDate: new Date(FIRST_OF_DECEMBER).toISOString(),
  });
  expect(await banner()).toMatchObject([{ code: "terms" }]);
  const { version } = await getAgreementChange(scopeFor(null), "terms");
  expect((await withdraw(admin, version)).code).toBe("SUCCESS");
  expect(await readRows("SELECT version_no AS versionNo FROM content_version WHERE code = 'terms'")).toEqual([
    { versionNo: 1 },
  ]);
  expect(await getAgreementChange(scopeFor(null), "terms")).toMatchObject({
    isUpcoming: false,
    content: "<p>처음</p>",
  });
});

test("unsubscribed, blocked or suspended members get no mail", { tags: "full" }, async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => createMemberSession()));
  const [reads, refuses, bounces, suspended, agrees] = people as [TestSession, ...TestSession[]] & TestSession[];
  const blocked = await createUser({ status: "blocked" });
  const noted = (session: TestSession | undefined, column: string) =>
    runSql(`INSERT INTO mail_address (address, ${column}) VALUES (?, 1)`, session?.user.email);
  await noted(refuses, "refused_date");
  await noted(bounces, "bounced_date");
  await runSql("INSERT INTO suspension (user_id, request_id, created_date) VALUES (?, 'r', 1)", suspended?.user.id);
  await runSql(
    "INSERT INTO user_consent (user_id, code, version, agreed, text_hash, created_date) VALUES (?, 'newsletter', '1', 1, 'y', 1)",
    agrees?.user.id,
  );
  const told = async () => {
    const emails = [...people.map(({ user }) => user.email), blocked.email];
    return Promise.all(emails.map(async (email) => (await mailsTo(email)).length));
  };
  await announce(admin);
  await runScheduledJobs(env);
  expect(await told()).toEqual([1, 0, 0, 0, 1, 0]);
  await announce(admin, { code: "newsletter", title: "소식지 수신", required: false });
  await runScheduledJobs(env);
  expect(await told()).toEqual([1, 0, 0, 0, 2, 0]);
  // Unsubscribing through the mail also covers the next one.
  const [mail] = await mailsTo(reads.user.email);
  const token = /\/mail\/off\/(\S+)/.exec(String(mail?.body))?.[1];
  expect((await callJson("POST", `/api/mail/off/${token}`)).code).toBe("SUCCESS");
  await announce(admin, { code: "letters", baseVersion: "" });
  await runScheduledJobs(env);
  expect(await told()).toEqual([1, 0, 0, 0, 3, 0]);
});

const MARKS_HOW_FAR = /update "agreement" set "mailed_through"/;

const written = async () => [
  await readValue("SELECT count(*) FROM message WHERE once_key LIKE 'agreement:%'"),
  await readValue("SELECT count(DISTINCT recipient) FROM message WHERE once_key LIKE 'agreement:%'"),
];

async function createMembers(count: number): Promise<void> {
  const numbers = `WITH RECURSIVE step(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM step WHERE n < ${count})`;
  await runSql(
    `INSERT INTO user (id, user_name, user_type, role_code, status, password_hash, profile, created_date, modified_date)
      ${numbers} SELECT 'u' || n, '회원', 'Member', 'member', 'active', 'x', '{}', 1, 1 FROM step`,
  );
  await runSql(
    `INSERT INTO user_key (user_key_type, user_key_code, user_id, verified_date)
      ${numbers} SELECT 'Email', 'u' || n || '@pid.example.kr', 'u' || n, 1 FROM step`,
  );
}

test.each(["before", "after"] as const)(
  "a job that fails %s one of its batches resumes there",
  { tags: "full" },
  async (when) => {
    expectLog(/job:agreement-mails.*Network connection lost/);
    await createMembers(600);
    await announce(admin);
    let batches = 0;
    const breakSecond = async () => {
      batches += 1;
      if (batches === 2) throw new Error("D1_ERROR: Network connection lost.");
    };
    const broken = when === "after" ? { when, times: 1 } : { when: breakSecond, times: 2 };
    const fault = faultyDatabase({ sql: MARKS_HOW_FAR, ...broken });
    await runScheduledJobs({ ...env, DB: fault.DB });
    expect(await written()).toEqual([500, 500]);
    await runScheduledJobs(env);
    expect(await written()).toEqual([601, 601]);
    expect(
      await readRows("SELECT mailed_count AS mailed, mailed_through AS through FROM agreement WHERE version = '2'"),
    ).toEqual([{ mailed: 601, through: null }]);
  },
);

test("two simultaneous runs write one mail to each member", { tags: "full" }, async () => {
  const member = await createMemberSession();
  await announce(admin);
  const other = async () => mailAnnouncedAgreements(await contextFor(null));
  const between = faultyDatabase({ sql: MARKS_HOW_FAR, when: other, times: 1 });
  await runScheduledJobs({ ...env, DB: between.DB });
  expect(between.broke()).toBe(1);
  expect(await mailsTo(member.user.email)).toHaveLength(1);
  expect(await readValue("SELECT count(*) FROM audit_log WHERE action = 'agreement.notify'")).toBe(1);
});
