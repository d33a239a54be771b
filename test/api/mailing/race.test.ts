import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { acceptMails, RESEND_VARS, runJobsWith, stubMailHost } from "../../hosts/mail-host.ts";
import { advanceClock, advanceToMorning, createSignupSettings, createTestMailing } from "../../support/factories.ts";
import { callApiWith, faultyDatabase } from "../../support/faulty-database.ts";
import { createAdministratorSession, createMemberSession } from "../../support/people.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRows, readValue, runSql } from "../../support/test-database.ts";
import { agree } from "./mailings.ts";
import { alumnusId, everybody, mailingCall, manyAlumni, outcomesOf, sendTestMailing } from "./people.ts";
import { startTestRound } from "./rounds.ts";

const DAY_MS = 86_400_000;
const queueBulk = (id: string, recipient: string, isAdvertising: boolean) =>
  runSql(
    `INSERT INTO message (id, channel, recipient, subject, body, status, next_attempt_date, created_date, is_bulk, is_advertising)
     VALUES (?, 'email', ?, '제목', '내용', 'queued', 1, ?, 1, ?)`,
    id,
    recipient,
    Date.now(),
    Number(isAdvertising),
  );
const statusOf = (id: string) => readValue("SELECT status FROM message WHERE id = ?", id);

test("a notice is not sent to an address with a hard bounce", async () => {
  advanceToMorning(0);
  await runSql("INSERT INTO mail_address (address, bounced_date) VALUES ('gone@pid.example.kr', 1)");
  await queueBulk("gone", "gone@pid.example.kr", false);
  await queueBulk("here", "here@pid.example.kr", false);
  const asked = stubMailHost(acceptMails);
  await runJobsWith(RESEND_VARS);
  vi.unstubAllGlobals();
  expect(asked.flatMap(({ mails }) => mails.flatMap(({ to }) => to))).toEqual(["here@pid.example.kr"]);
  expect([await statusOf("gone"), await statusOf("here")]).toEqual(["failed", "sent"]);
});

test("advertising queued by day waits for the morning", { tags: "full" }, async () => {
  advanceToMorning(0);
  advanceClock(12 * 3_600_000);
  await queueBulk("advertising", "a@pid.example.kr", true);
  await queueBulk("notice", "b@pid.example.kr", false);
  const asked = stubMailHost(acceptMails);
  await runJobsWith(RESEND_VARS);
  expect([await statusOf("advertising"), await statusOf("notice")]).toEqual(["queued", "sent"]);
  advanceToMorning(1);
  await runJobsWith(RESEND_VARS);
  vi.unstubAllGlobals();
  expect(await statusOf("advertising")).toBe("sent");
  expect(asked).toHaveLength(2);
});

test("an advertising mailing started by day sends nothing at night", async () => {
  advanceToMorning(0);
  const admin = await createAdministratorSession();
  const person = await createMemberSession();
  await createSignupSettings();
  await agree(person.user.id);
  const target = { source: "member" as const, target: { ids: [person.user.id] } };
  const id = await sendTestMailing(admin, target, { kind: "advertising" });
  expect(await outcomesOf(id)).toEqual({ waiting: 1 });
  advanceClock(12 * 3_600_000);
  await runScheduledJobs(env);
  expect(await outcomesOf(id)).toEqual({ waiting: 1 });
});

test("a mailing cancelled during a step queues nothing of that step", { tags: "full" }, async () => {
  advanceToMorning(0);
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(3)]);
  const id = await sendTestMailing(admin);
  const { DB, broke } = faultyDatabase({
    sql: /update "mailing_recipient" set "state" = \?/i,
    times: 1,
    when: () => runSql("UPDATE mailing SET status = 'cancelled' WHERE id = ?", id),
  });
  await runScheduledJobs({ ...env, DB });
  expect(broke()).toBe(1);
  expect(await readValue("SELECT count(*) FROM message WHERE once_key LIKE 'mailing:%'")).toBe(0);
  expect(await outcomesOf(id)).toEqual({ waiting: 3 });
});

test("a mailing that changed right before it is not sent", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(3)]);
  const id = await createTestMailing(admin, everybody);
  const { count } = (await mailingCall(admin, id, "preview")).data;
  const { DB, broke } = faultyDatabase({
    sql: /insert into "mailing_recipient"/i,
    times: 1,
    when: () => runSql("UPDATE mailing SET subject = '다른 제목', version = version + 1 WHERE id = ?", id),
  });
  const body = { version: 2, count, reason: "정기 총회" };
  const answer = await callApiWith({ DB }, "POST", `/api/admin/mailing/${id}/send`, { token: admin.accessToken, body });
  expect([answer.status, answer.code, broke()]).toEqual([409, "CONFLICT", 1]);
  expect(await outcomesOf(id)).toEqual({});
});

test("a mailing is not sent to more people than previewed", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(3)]);
  const id = await createTestMailing(admin, everybody);
  const { count } = (await mailingCall(admin, id, "preview")).data;
  const { DB, broke } = faultyDatabase({
    sql: /insert into "mailing_recipient"/i,
    when: () =>
      runSql(
        "INSERT INTO alumni (id, name, cohort, email, created_date, modified_date) VALUES (?, '새사람', 12, 'new@pid.example.kr', 1, 1)",
        alumnusId(99),
      ),
  });
  const body = { version: 2, count, reason: "정기 총회" };
  const answer = await callApiWith({ DB }, "POST", `/api/admin/mailing/${id}/send`, { token: admin.accessToken, body });
  expect([answer.status, answer.code, broke()]).toEqual([409, "CONFLICT", 1]);
  expect(await outcomesOf(id)).toEqual({});
});

test("a text skips the number of a suspended account", async () => {
  const admin = await createAdministratorSession();
  const [suspended, other] = [await createMemberSession(), await createMemberSession()];
  await env.DB.batch([manyAlumni(3)]);
  await runSql(
    "INSERT INTO user_key (user_key_type, user_key_code, user_id, verified_date) VALUES ('Mobile', '010-0001-0001', ?, 1), ('Mobile', '010-0001-0002', ?, 1)",
    suspended.user.id,
    other.user.id,
  );
  await runSql("UPDATE alumni SET email = ? WHERE id = ?", other.user.email, alumnusId(1));
  await runSql("UPDATE alumni SET email = ? WHERE id = ?", suspended.user.email, alumnusId(2));
  await runSql(
    "INSERT INTO suspension (user_id, request_id, created_date) VALUES (?, 'request', 1)",
    suspended.user.id,
  );
  const id = await createTestMailing(admin, everybody, { channel: "sms" });
  expect((await mailingCall(admin, id, "preview")).data).toMatchObject({
    count: 1,
    leftOut: [{ cause: "suspended", count: 2 }],
  });
});

test("two simultaneous job runs remind once", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(2)]);
  await startTestRound(admin);
  await runScheduledJobs(env);
  advanceClock(14 * DAY_MS + 1000);
  const { DB, broke } = faultyDatabase({
    sql: /update "confirmation_round" set/i,
    times: 1,
    when: () => runScheduledJobs(env),
  });
  await runScheduledJobs({ ...env, DB });
  expect(broke()).toBe(1);
  expect(await readRows("SELECT wave, count(*) AS n FROM mailing GROUP BY wave ORDER BY wave")).toEqual([
    { wave: 0, n: 1 },
    { wave: 1, n: 1 },
  ]);
});
