import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { callJson } from "../../support/api-client.ts";
import {
  advanceToMorning,
  createSignupSettings,
  createTestMailing,
  manyMembers,
  sentMessages,
} from "../../support/factories.ts";
import { expectLog } from "../../support/expected-log.ts";
import { acceptMails, RESEND_VARS, runJobsWith, stubMailHost } from "../../hosts/mail-host.ts";
import { createAdministratorSession, createMemberSession } from "../../support/people.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRow, readRows, runSql } from "../../support/test-database.ts";
import { alumnusId, everybody, mailingCall, manyAlumni, outcomesOf, sendTestMailing } from "./people.ts";
import { agree, getMailing, messageCount } from "./mailings.ts";

async function createFilterMailing() {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(450)]);
  await runSql("UPDATE alumni SET email = '' WHERE id = ?", alumnusId(1));
  const id = await createTestMailing(admin, everybody, {
    subject: "{{기수}}기 {{이름}} 님께",
    text: "{{소속}} {{이름}} 님, 총회를 엽니다.\n<b>꼭</b> 오십시오.",
  });
  return { admin, id };
}

test("the preview of a mail shows three letters without addresses", async () => {
  const { admin, id } = await createFilterMailing();
  const preview = await mailingCall(admin, id, "preview");
  expect(preview.data).toMatchObject({
    count: 449,
    leftOut: [{ cause: "no-address", count: 1 }],
    emptyFields: [],
    notBefore: null,
  });
  expect(preview.data.samples).toHaveLength(3);
  expect(preview.data.samples[0].subject).toBe("12기 동문2 님께");
  expect(JSON.stringify(preview.data.samples)).not.toContain("alumnus2@");
  expect(preview.data.samples[0].text).toMatch(/\/mail\/off\/…$/);
  expect(await messageCount()).toBe(0);
});

test("a mail to a filter is sent once to each person", async () => {
  const { admin, id } = await createFilterMailing();
  await mailingCall(admin, id, "preview");
  const body = { version: 2, count: 449, reason: "정기 총회" };
  expect((await mailingCall(admin, id, "send", body)).data.count).toBe(449);
  await runScheduledJobs(env);
  await runScheduledJobs(env);
  expect(await outcomesOf(id)).toEqual({ "no-address": 1, sent: 449 });
  expect(await readRow("SELECT count(*) AS n, count(DISTINCT recipient) AS people FROM message")).toEqual({
    n: 449,
    people: 449,
  });
  const [mail] = await sentMessages("alumnus7@pid.example.kr");
  expect(mail?.subject).toBe("12기 동문7 님께");
  expect(mail?.body).toContain("한빛대학교병원 동문7 님, 총회를 엽니다.\n<b>꼭</b>");
  expect(await getMailing(admin, id)).toMatchObject({
    status: "done",
    can: { edit: false, cancel: false, resend: false },
  });
  expect(
    await readRows("SELECT action, reason, subject_count AS n FROM audit_log WHERE action = 'mailing.send'"),
  ).toEqual([{ action: "mailing.send", reason: "정기 총회", n: 449 }]);
  // The recipients are frozen; a stored filter could contain a name.
  expect(await readRow("SELECT target FROM mailing WHERE id = ?", id)).toEqual({
    target: '{"ids":[],"asked":{"cohort":12}}',
  });
});

test("300 people at one address get one mail by default", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(310, 300)]);
  const one = await sendTestMailing(admin);
  const each = await sendTestMailing(admin, everybody, { isEach: true });
  await runScheduledJobs(env);
  expect(await outcomesOf(one)).toEqual({ sent: 11, "shared-address": 299 });
  expect(await outcomesOf(each)).toEqual({ sent: 310 });
  expect(await readRow("SELECT count(*) AS n FROM message WHERE recipient = 'office@pid.example.kr'")).toEqual({
    n: 301,
  });
});

test("two simultaneous sends by clerks send a mailing once", async () => {
  const [one, two] = [await createAdministratorSession(), await createAdministratorSession()];
  await env.DB.batch([manyAlumni(20)]);
  const id = await createTestMailing(one, everybody);
  const body = { version: 2, count: 20, reason: "정기 총회" };
  const answers = await Promise.all([one, two, one].map((clerk) => mailingCall(clerk, id, "send", body)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  await runScheduledJobs(env);
  expect(await outcomesOf(id)).toEqual({ sent: 20 });
  expect(await messageCount()).toBe(20);
  expect(await readRow("SELECT count(*) AS n FROM audit_log WHERE action = 'mailing.send'")).toEqual({ n: 1 });
});

test("a person with an empty field is left out of a mail", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(5)]);
  await runSql("UPDATE alumni SET position = '교수' WHERE id <> ?", alumnusId(1));
  const unknown = await createTestMailing(admin, everybody, { text: "{{비밀번호}}" });
  expect((await mailingCall(admin, unknown, "preview")).fields.text).toContain("{{비밀번호}}");
  const send = { version: 2, count: 5, reason: "안내" };
  expect((await mailingCall(admin, unknown, "send", send)).fields.text).toContain("{{비밀번호}}");
  const phone = await createTestMailing(admin, everybody, { text: "{{휴대전화}}" });
  expect((await mailingCall(admin, phone, "preview")).fields.text).toContain("{{휴대전화}}");

  const text = "{{직위}}님";
  const id = await createTestMailing(admin, everybody, { text });
  expect((await mailingCall(admin, id, "preview")).data).toMatchObject({
    count: 4,
    leftOut: [{ cause: "empty-field", count: 1 }],
    emptyFields: [{ field: "직위", count: 1, names: ["동문1"] }],
  });
  const kept = await createTestMailing(admin, everybody, { text, keepsEmpty: true });
  expect((await mailingCall(admin, kept, "preview")).data).toMatchObject({
    count: 5,
    leftOut: [],
    emptyFields: [{ field: "직위", count: 1, names: ["동문1"] }],
  });
  await runSql(
    "INSERT INTO site_setting (key, value, version, modified_date) VALUES ('alumni', '{\"off\":[\"position\"]}', 1, 1)",
  );
  expect((await mailingCall(admin, id, "preview")).fields.text).toContain("{{직위}}");
});

const FIELD = "INSERT INTO alumni_field (code, name, kind, choices, access, sort_order)";

test("values of own fields fill a mail", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(7)]);
  await runSql(`${FIELD} VALUES ('own1', '지부', 'text', '[]', 'office', 1),
    ('own2', '관심', 'choices', '["산","강"]', 'openable', 2), ('own3', '회비', 'number', '[]', 'members', 3),
    ('own4', '사진', 'file', '[]', 'members', 4), ('own5', '사이트', 'text', '[]', 'members', 5)`);
  await runSql(
    `UPDATE alumni SET own = '{"own1":"<b>서울</b>","own2":["산","강"],"own3":30000}', state = '휴면' WHERE id = ?`,
    alumnusId(1),
  );
  const text = "{{지부}}·{{관심}}·{{회비}}원·{{상태}}·{{기수}}기 {{사이트}}";
  const id = await createTestMailing(admin, everybody, { subject: "{{지부}}\n{{이름}} 님", text });
  expect((await getMailing(admin, id)).fields).toEqual(
    expect.arrayContaining(["기수", "상태", "지부", "관심", "회비"]),
  );
  expect((await getMailing(admin, id)).fields).not.toEqual(expect.arrayContaining(["사진"]));
  const { data } = await mailingCall(admin, id, "preview");
  expect(data).toMatchObject({
    count: 1,
    leftOut: [{ cause: "empty-field", count: 6 }],
    emptyFields: ["지부", "관심", "회비"].map((field) => ({
      field,
      count: 6,
      names: ["동문2", "동문3", "동문4", "동문5", "동문6"],
    })),
    samples: [{ subject: "<b>서울</b> 동문1 님" }],
  });
  expect(data.samples[0].text).toMatch(/^<b>서울<\/b>·산, 강·30000원·휴면·12기 (?!\{\{)/);
  await mailingCall(admin, id, "send", { version: 2, count: 1, reason: "안내" });
  const asked = stubMailHost(acceptMails);
  await runJobsWith(RESEND_VARS);
  const [mail] = asked.flatMap(({ mails }) => mails);
  expect(mail?.html).toContain("&lt;b&gt;서울&lt;/b&gt;·산, 강");
  const file = await createTestMailing(admin, everybody, { text: "{{사진}}" });
  expect((await mailingCall(admin, file, "preview")).fields.text).toContain("{{사진}}");
  const members = await createTestMailing(admin, { source: "member", target: { filter: {} } }, { text: "{{지부}}" });
  expect((await mailingCall(admin, members, "preview")).fields.text).toContain("{{지부}}");
});

test("a field that was renamed after sending leaves its people out", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(2)]);
  await runSql(`${FIELD} VALUES ('own1', '지부', 'text', '[]', 'members', 1)`);
  await runSql(`UPDATE alumni SET own = '{"own1":"서울"}'`);
  const id = await sendTestMailing(admin, everybody, { text: "{{지부}} {{이름}} 님" });
  await runSql("UPDATE alumni_field SET name = '지회'");
  await runScheduledJobs(env);
  expect(await outcomesOf(id)).toEqual({ "empty-field": 2 });
});

test("a merge value stays text", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(1)]);
  await runSql("UPDATE alumni SET name = ? ", "{{소속}}<img src=x>\r\nBcc: a@b.kr");
  await sendTestMailing(admin, everybody, { subject: "{{이름}} 님", text: "{{이름}}" });
  const asked = stubMailHost(acceptMails);
  await runJobsWith(RESEND_VARS);
  const [mail] = asked.flatMap(({ mails }) => mails);
  expect(mail?.subject).toBe("{{소속}}<img src=x> Bcc: a@b.kr 님");
  expect(mail?.to).toEqual(["alumnus1@pid.example.kr"]);
  expect(mail?.html).not.toContain("<img");
  expect(mail?.headers?.["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
});

test("people who left the selection before sending get nothing", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(6), ...manyMembers(3)]);
  const draft = await createTestMailing(admin, everybody);
  await runSql("UPDATE alumni SET deleted_date = 1 WHERE id = ?", alumnusId(6));
  // The number of recipients has changed since the preview.
  const refused = await mailingCall(admin, draft, "send", { version: 2, count: 6, reason: "총회" });
  expect([refused.status, refused.message]).toEqual([409, expect.stringContaining("6명에서 5명")]);

  const id = await sendTestMailing(admin);
  const members = await sendTestMailing(admin, { source: "member", target: { filter: { roleCode: "member" } } });
  const owner = await createMemberSession();
  await runSql("UPDATE alumni SET deleted_date = ? WHERE id = ?", Date.now(), alumnusId(1));
  await runSql("UPDATE alumni SET email = 'new@pid.example.kr' WHERE id = ?", alumnusId(2));
  await runSql(
    "UPDATE user_key SET user_key_code = 'alumnus3@pid.example.kr' WHERE user_key_code = ?",
    owner.user.email,
  );
  await runSql("INSERT INTO suspension (user_id, request_id, created_date) VALUES (?, 'request', 1)", owner.user.id);
  await runSql("UPDATE user SET status = 'blocked' WHERE id = 'many-000001'");
  await runSql("UPDATE user SET status = 'retired', modified_date = ? WHERE id = 'many-000002'", Date.now());
  await runScheduledJobs(env);
  expect(await outcomesOf(id)).toEqual({ changed: 1, inactive: 1, sent: 2, suspended: 1 });
  expect(await outcomesOf(members)).toEqual({ inactive: 2, sent: 1 });
  expect(await sentMessages("new@pid.example.kr")).toEqual([]);
  expect(await sentMessages("alumnus3@pid.example.kr")).toEqual([]);
});

test("people who left during an outage do not get queued mail", { tags: "full" }, async () => {
  advanceToMorning(0);
  const admin = await createAdministratorSession();
  const reader = await createMemberSession();
  await agree(reader.user.id);
  await env.DB.batch([manyAlumni(3)]);
  const office = await sendTestMailing(admin);
  const advertising = await sendTestMailing(
    admin,
    { source: "member", target: { ids: [reader.user.id] } },
    { kind: "advertising" },
  );
  let isUp = false;
  const asked = stubMailHost((one) => (isUp ? acceptMails(one) : new Response("", { status: 503 })));

  expectLog(/messages.failed/);
  await runJobsWith(RESEND_VARS);
  expect(await outcomesOf(office)).toEqual({ queued: 3 });
  await runSql("UPDATE alumni SET deleted_date = ? WHERE id = ?", Date.now(), alumnusId(1));
  await agree(reader.user.id, false, Date.now());
  isUp = true;
  const before = asked.length;
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * 60_000 });
  await runJobsWith(RESEND_VARS);
  const to = asked.slice(before).flatMap(({ mails }) => mails.map((mail) => mail.to[0]));
  expect(to.toSorted()).toEqual(["alumnus2@pid.example.kr", "alumnus3@pid.example.kr"]);
  expect(await outcomesOf(office)).toEqual({ inactive: 1, sent: 2 });
  expect(await outcomesOf(advertising)).toEqual({ "no-consent": 1 });
});

test("advertising is sent only to people who consented", { tags: "full" }, async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-21T13:00:00Z") });
  const admin = await createAdministratorSession();
  await createSignupSettings();
  const [yes, no, never] = [await createMemberSession(), await createMemberSession(), await createMemberSession()];
  await agree(yes.user.id);
  await agree(no.user.id);
  await agree(no.user.id, false, Date.now());
  // People with an account are matched by it; no one else has consented.
  await env.DB.batch([manyAlumni(2)]);
  await runSql("UPDATE alumni SET email = ? WHERE id = ?", yes.user.email, alumnusId(1));
  const fields = { kind: "advertising", subject: "강좌 안내" };
  const ids = [yes, no, never].map(({ user }) => user.id);
  const book = await createTestMailing(admin, everybody, fields);
  expect((await mailingCall(admin, book, "preview")).data).toMatchObject({
    count: 1,
    leftOut: [{ cause: "no-consent", count: 1 }],
    notBefore: "2026-11-21T23:00:00.000Z",
  });
  const id = await sendTestMailing(admin, { source: "member", target: { ids } }, fields);
  const office = await sendTestMailing(admin, { source: "member", target: { ids } }, { subject: "총회" });
  await runScheduledJobs(env);
  expect(await outcomesOf(id)).toEqual({ "no-consent": 2, waiting: 1 });
  // The office sees the actual sending time, not the time of the click.
  expect((await getMailing(admin, id)).sendDate).toBe("2026-11-21T23:00:00.000Z");
  expect(await outcomesOf(office)).toEqual({ sent: 3 });
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-21T23:01:00Z") });
  await runScheduledJobs(env);
  expect(await outcomesOf(id)).toEqual({ "no-consent": 2, sent: 1 });
  const [mail] = await sentMessages(yes.user.email);
  expect(mail?.subject).toBe("(광고) 강좌 안내");
  expect(mail?.body).toContain("언제든지 무료로 수신을 거부하실 수 있습니다");
  const token = /\/mail\/off\/(\S+)/.exec(mail?.body ?? "")?.[1];
  expect((await callJson("POST", `/api/mail/off/${token}`)).code).toBe("SUCCESS");
  const later = await createAdministratorSession();
  const again = await createTestMailing(later, { source: "member", target: { ids } }, fields);
  expect((await mailingCall(later, again, "preview")).data.count).toBe(0);
});
