import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { remindDueConsents } from "#worker/domain/member/consent-reminder.server.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { contextFor } from "../../support/request-scope.ts";
import { createSignupSettings, sentMessages } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../support/people.ts";
import { faultyDatabase } from "../../support/faulty-database.ts";
import { expectLog } from "../../support/expected-log.ts";
import { runSql } from "../../support/test-database.ts";

const DAY_MS = 86_400_000;
const NOON = Date.parse("2026-11-21T03:00:00Z");
const setClock = (time: number) => vi.useFakeTimers({ toFake: ["Date"], now: time });

const agreedSince = ({ user }: TestSession, days: number) =>
  runSql(
    "INSERT INTO user_consent (user_id, code, version, agreed, text_hash, created_date) VALUES (?, 'newsletter', '1', 1, 'y', ?)",
    user.id,
    NOON - days * DAY_MS,
  );
const mailsTo = async ({ user }: TestSession) => (await sentMessages(user.email)).length;
const reminders = async () =>
  (await env.DB.prepare("SELECT target_id, actor_user_id, reason FROM audit_log WHERE action = 'consent.remind'").all())
    .results;
const due = async ({ accessToken: token }: TestSession) =>
  (await callJson("GET", "/api/admin/consent/due", { token })).data;
const setAutomatic = ({ accessToken: token }: TestSession, automatic: boolean, version: number) =>
  callJson("PATCH", "/api/admin/consent/setting", { token, body: { automatic, version } });

test("망법 제50조: the job reminds of each consent every two years", async () => {
  setClock(NOON);
  await createSignupSettings();
  const [old, fresh] = [await createMemberSession(), await createMemberSession()];
  await agreedSince(old, 731);
  await agreedSince(fresh, 700);
  await runScheduledJobs(env);
  await runScheduledJobs(env);
  expect([await mailsTo(old), await mailsTo(fresh)]).toEqual([1, 0]);
  expect(await reminders()).toEqual([
    { target_id: old.user.id, actor_user_id: null, reason: "동의한 지 2년이 되어 자동으로 보냄" },
  ]);
  expect(await due(await createAdministratorSession())).toMatchObject({
    count: 0,
    automatic: true,
    sent: [{ sentDate: new Date(NOON).toISOString(), count: 1 }],
  });
  setClock(NOON + 732 * DAY_MS);
  // Runs alone, as other jobs would destroy two-year-old messages.
  const ctx = await contextFor(null);
  await remindDueConsents(ctx);
  await remindDueConsents(ctx);
  expect([await mailsTo(old), await mailsTo(fresh)]).toEqual([2, 1]);
});

test("consent reminders wait for the morning", { tags: "full" }, async () => {
  setClock(Date.parse("2026-11-21T12:30:00Z"));
  await createSignupSettings();
  const old = await createMemberSession();
  await agreedSince(old, 731);
  await runScheduledJobs(env);
  expect(await mailsTo(old)).toBe(0);
  setClock(NOON + DAY_MS);
  const admin = await createAdministratorSession();
  expect((await setAutomatic(admin, false, 0)).data).toEqual({ version: 1 });
  expect((await setAutomatic(admin, true, 0)).code, "changed since it was read").toBe("CONFLICT");
  expect((await setAutomatic(await createMemberSession(), true, 1)).status).toBe(403);
  await runScheduledJobs(env);
  expect(await mailsTo(old)).toBe(0);
  expect(await due(admin)).toMatchObject({ count: 1, automatic: false, version: 1, sent: [] });
  const remind = () => callAs(admin, "POST", "/api/admin/consent/remind", {});
  expect((await remind()).data).toEqual({ changed: 1 });
  expect((await remind()).data).toEqual({ changed: 0 });
  expect(await mailsTo(old)).toBe(1);
});

test.each(["before", "after"] as const)(
  "a job that fails %s its batch reminds each member exactly once",
  { tags: "full" },
  async (when) => {
    expectLog(/job:consent-reminders.*Network connection lost/);
    setClock(NOON);
    await createSignupSettings();
    const people = [await createMemberSession(), await createMemberSession()];
    for (const person of people) await agreedSince(person, 800);
    const fault = faultyDatabase({ sql: /update "user_consent"/, when, times: 1 });
    await runScheduledJobs({ ...env, DB: fault.DB });
    expect(fault.broke()).toBe(1);
    setClock(NOON + 600_000);
    await runScheduledJobs(env);
    expect(await Promise.all(people.map(mailsTo))).toEqual([1, 1]);
    expect(await reminders()).toHaveLength(2);
  },
);

test("a manual reminder during the job creates one message", async () => {
  setClock(NOON);
  await createSignupSettings();
  const old = await createMemberSession();
  await agreedSince(old, 731);
  const { accessToken: token } = await createAdministratorSession();
  const click = () => callJson("POST", "/api/admin/consent/remind", { token, body: {} });
  const between = faultyDatabase({ sql: /update "user_consent"/, when: click, times: 1 });
  await runScheduledJobs({ ...env, DB: between.DB });
  expect(between.broke()).toBe(1);
  expect(await mailsTo(old)).toBe(1);
  expect(await reminders()).toHaveLength(1);
});
