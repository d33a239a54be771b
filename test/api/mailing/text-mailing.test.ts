import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { callAs, callJson } from "../../support/api-client.ts";
import { createItemWithFile } from "../../samples/board-files.ts";
import { advanceToMorning, createSignupSettings, createTestMailing, sentMessages } from "../../support/factories.ts";
import { expectLog } from "../../support/expected-log.ts";
import { RESEND_VARS, runJobsWith } from "../../hosts/mail-host.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../support/people.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRow, readRows, runSql } from "../../support/test-database.ts";
import { stubTextHost, TEXT_HOST } from "../../hosts/text-host.ts";
import {
  alumnusId,
  alumnusNumber,
  everybody,
  mailingCall,
  manyAlumni,
  outcomesOf,
  sendTestMailing,
  sendTestTexts,
} from "./people.ts";

const offToken = (text = "") => /\/mail\/off\/(\S+)/.exec(text)?.[1] ?? "";

const giveMobile = (session: TestSession, number: string) =>
  runSql(
    "INSERT INTO user_key (user_id, user_key_type, user_key_code, verified_date) VALUES (?, 'Mobile', ?, 1)",
    session.user.id,
    number,
  );

const agree = (userId: string, code: string) =>
  runSql(
    "INSERT INTO user_consent (user_id, code, version, agreed, text_hash, created_date) VALUES (?, ?, '1', 1, 'y', ?)",
    userId,
    code,
    Date.now() - 1000,
  );

const textCall = (session: TestSession, method: string, path: string, body?: object, vars: object = TEXT_HOST) =>
  callJson(method, `/api/admin/mailing${path}`, { token: session.accessToken, body, vars: { ...env, ...vars } });

const written = (more: object) => ({ kind: "informational", subject: "총회 안내", text: "총회", version: 1, ...more });

test("nothing is sent with an unconfigured channel", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(2)]);
  const { id } = (await callAs(admin, "PUT", "/api/admin/mailing", everybody)).data;
  const seen = await textCall(admin, "GET", `/${id}`, undefined, RESEND_VARS);
  expect(seen.data.isSetUp).toEqual({ email: true, sms: false, alimtalk: false });
  for (const [channel, name] of [
    ["sms", "문자를"],
    ["alimtalk", "알림톡을"],
  ] as const) {
    const refused = await textCall(admin, "PATCH", `/${id}`, written({ channel }), RESEND_VARS);
    expect([refused.status, refused.fields.channel]).toEqual([400, expect.stringContaining(`${name} 보내는 설정`)]);
  }
  await textCall(admin, "PATCH", `/${id}`, written({ channel: "sms" }));
  for (const [act, body] of [
    ["preview", {}],
    ["test", {}],
    ["send", { version: 2, count: 2, reason: "총회" }],
  ] as const)
    expect((await textCall(admin, "POST", `/${id}/${act}`, body, RESEND_VARS)).fields).toHaveProperty("channel");
  expect(await readRows("SELECT * FROM mailing_recipient")).toEqual([]);
});

test("a text goes once to each number", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(12, 3)]);
  await runSql("UPDATE alumni SET mobile = '' WHERE id = ?", alumnusId(11));
  await runSql("UPDATE alumni SET mobile = '02-123-4567' WHERE id = ?", alumnusId(12));
  const id = await createTestMailing(admin, everybody, { channel: "sms", text: "{{이름}} 님, {{소속}} 총회입니다." });
  const { data } = await mailingCall(admin, id, "preview");
  expect(data).toMatchObject({
    count: 8,
    leftOut: [
      { cause: "no-mobile", count: 2 },
      { cause: "shared-address", count: 2 },
    ],
    unreachable: ["동문11", "동문12"],
  });
  expect(data.samples).toHaveLength(3);
  expect(data.samples[0]).toMatchObject({
    name: "동문1",
    address: "010-****-0000",
    text: "동문1 님, 한빛대학교병원 총회입니다.",
  });
  // The longest name has four letters, counted as two bytes each.
  expect(data.bytes).toBe(4 * 2 + " 님, ".length + 1 + 7 * 2 + 1 + "총회입니다.".length + 5);
  expect((await mailingCall(admin, id, "send", { version: 2, count: 8, reason: "총회" })).data.count).toBe(8);
  const host = stubTextHost();
  await runJobsWith(TEXT_HOST);
  expect(await outcomesOf(id)).toEqual({ "no-mobile": 2, sent: 8, "shared-address": 2 });
  expect(host.texts).toHaveLength(8);
  expect(host.texts.find(({ to }) => to === alumnusNumber(4))).toEqual({
    to: alumnusNumber(4),
    from: "020000000",
    text: "동문4 님, 한빛대학교병원 총회입니다.",
    type: "SMS",
  });
  const each = await sendTestTexts(admin, everybody, { isEach: true });
  await runScheduledJobs(env);
  expect(await outcomesOf(each)).toEqual({ "no-mobile": 2, sent: 10 });
  const people = await callAs(admin, "GET", `/api/admin/mailing/${each}/recipient?state=sent`);
  expect(people.data.content[0].address).toMatch(/^010-\*{4}-\d{4}$/);
  expect(
    (await callAs(admin, "GET", "/api/admin/message")).data.content.every(
      (row: { channel: string; recipient: string }) => row.channel === "sms" && row.recipient.includes("****"),
    ),
  ).toBe(true);
});

test("a text beyond the limits is refused by field", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(1)]);
  const smile = await createTestMailing(admin, everybody, { channel: "sms", text: "총회 😀" });
  expect((await mailingCall(admin, smile, "preview")).fields.text).toContain("😀");
  // Fits alone, but not with the hospital's name.
  const text = `${"가".repeat(994)}{{소속}}`;
  const long = await createTestMailing(admin, everybody, { channel: "sms", text });
  expect((await mailingCall(admin, long, "preview")).fields.text).toContain("2,002바이트");
  const send = { version: 2, count: 1, reason: "총회" };
  expect((await mailingCall(admin, long, "send", send)).fields.text).toContain("2,002바이트");
  const fits = await createTestMailing(admin, everybody, { channel: "sms", text: text.slice(1) });
  expect((await mailingCall(admin, fits, "preview")).data.bytes).toBe(2000);
});

test("a test text goes only to the caller", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(1)]);
  const id = await createTestMailing(admin, everybody, { channel: "sms", text: "{{기수}}기 {{이름}} 님" });
  expect((await mailingCall(admin, id, "test")).fields.recipient).toContain("휴대전화번호가 없어");
  await giveMobile(admin, "010-7777-7777");
  const host = stubTextHost();
  expect((await textCall(admin, "POST", `/${id}/test`)).data).toEqual({ recipient: "010-7777-7777" });
  expect(host.texts).toMatchObject([{ to: "01077777777", text: "3기 홍길동 님", type: "SMS" }]);
});

test("an advertising text starts with its label", { tags: "full" }, async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-21T13:00:00Z") });
  const admin = await createAdministratorSession();
  await createSignupSettings();
  const [texts, mails] = [await createMemberSession(), await createMemberSession()];
  await giveMobile(texts, "010-2222-2222");
  await giveMobile(mails, "010-3333-3333");
  await agree(texts.user.id, "newsletter-sms");
  // Consent to mail is no consent to texts.
  await agree(mails.user.id, "newsletter");
  const whom = { source: "member" as const, target: { ids: [texts.user.id, mails.user.id] } };
  const fields = { kind: "advertising", text: "가을 강좌를 엽니다." };
  const id = await sendTestTexts(admin, whom, fields);
  await runScheduledJobs(env);
  expect(await outcomesOf(id)).toEqual({ "no-consent": 1, waiting: 1 });
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-21T23:01:00Z") });
  const host = stubTextHost();
  await runJobsWith(TEXT_HOST);
  expect(await outcomesOf(id)).toEqual({ "no-consent": 1, sent: 1 });
  const [sent] = host.texts;
  expect(sent).toMatchObject({ to: "01022222222", type: "LMS" });
  expect(sent?.text).toMatch(/^\(광고\) \S.*\n가을 강좌를 엽니다\.\n\n무료수신거부 http\S+\/mail\/off\/\S+$/);
  expect((await callJson("POST", `/api/mail/off/${offToken(sent?.text)}`)).code).toBe("SUCCESS");
  const later = await createAdministratorSession();
  const again = await createTestMailing(later, whom, { channel: "sms", ...fields });
  expect((await mailingCall(later, again, "preview")).data).toMatchObject({
    count: 0,
    leftOut: [{ cause: "no-consent", count: 2 }],
    notBefore: null,
  });
});

test("a number unsubscribed through a text gets no more texts", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(2)]);
  await sendTestTexts(admin, everybody, { text: "총회입니다. {{수신거부}}" });
  await runScheduledJobs(env);
  const [text] = await sentMessages("010-0001-0001");
  for (let turn = 0; turn < 2; turn += 1)
    expect((await callJson("POST", `/api/mail/off/${offToken(text?.body)}`)).code).toBe("SUCCESS");
  expect(await readRows("SELECT address FROM mail_address WHERE refused_date IS NOT NULL")).toEqual([
    { address: "010-0001-0001" },
  ]);
  const next = await createTestMailing(admin, everybody, { channel: "sms" });
  expect((await mailingCall(admin, next, "preview")).data).toMatchObject({
    count: 1,
    leftOut: [{ cause: "refused", count: 1 }],
  });
  const mail = await createTestMailing(admin, everybody);
  expect((await mailingCall(admin, mail, "preview")).data).toMatchObject({ count: 2, leftOut: [], bytes: null });
  // Mails have no such field.
  const inMail = await createTestMailing(admin, everybody, { text: "{{수신거부}}" });
  expect((await mailingCall(admin, inMail, "preview")).fields.text).toContain("{{수신거부}}");
  // Deleting the entry also deletes the data on its number.
  const ids = [alumnusId(1)];
  await callAs(admin, "POST", "/api/alumni/delete-data", { ids });
  await callAs(admin, "POST", "/api/alumni/destroy-data", { ids });
  expect(await readRows("SELECT * FROM mail_address")).toEqual([]);
});

test("a blocked or suspended person gets no text", async () => {
  const admin = await createAdministratorSession();
  const [byNumber, byAddress, blocked] = [
    await createMemberSession(),
    await createMemberSession(),
    await createMemberSession(),
  ];
  await env.DB.batch([manyAlumni(3)]);
  await giveMobile(byNumber, "010-0001-0001");
  await giveMobile(byAddress, "010-5555-5555");
  await runSql("UPDATE alumni SET email = ? WHERE id = ?", byAddress.user.email, alumnusId(2));
  await giveMobile(blocked, "010-6666-6666");
  await runSql("UPDATE user SET status = 'blocked' WHERE id = ?", blocked.user.id);
  for (const { user } of [byNumber, byAddress])
    await runSql("INSERT INTO suspension (user_id, request_id, created_date) VALUES (?, 'request', 1)", user.id);
  const book = await createTestMailing(admin, everybody, { channel: "sms" });
  expect((await mailingCall(admin, book, "preview")).data).toMatchObject({
    count: 1,
    leftOut: [{ cause: "suspended", count: 2 }],
  });
  const ids = [byNumber, byAddress, blocked].map(({ user }) => user.id);
  const members = await createTestMailing(admin, { source: "member", target: { ids } }, { channel: "sms" });
  expect((await mailingCall(admin, members, "preview")).data).toMatchObject({
    count: 0,
    leftOut: [
      { cause: "suspended", count: 2 },
      { cause: "inactive", count: 1 },
    ],
  });
});

test("a member can turn on office texts again", async () => {
  const person = await createMemberSession();
  await giveMobile(person, "010-2222-2222");
  await runSql("INSERT INTO mail_address (address, refused_date) VALUES ('010-2222-2222', 1)");
  const notices = `/api/user/${person.user.id}/notices`;
  expect((await callAs(person, "GET", notices)).data.office).toBe(false);
  expect((await callAs(person, "PATCH", notices, { office: true })).data.office).toBe(true);
  expect(await readRows("SELECT * FROM mail_address")).toEqual([]);
});

const TEMPLATES = {
  KA01TP1: { content: "#{이름}님, #{장소}에서 뵙겠습니다.", buttons: [{ linkMo: "https://pid.example.kr/#{쪽}" }] },
  KA01TP2: { content: "검수 중입니다.", status: "INSPECTING" },
  KA01TP3: { content: "다른 채널의 글", channelId: "KA01OTHER" },
};

async function createKakaoMailing() {
  advanceToMorning(0);
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(2)]);
  await runSql("UPDATE alumni SET name = '' WHERE id = ?", alumnusId(2));
  const templates = structuredClone(TEMPLATES);
  const host = stubTextHost([], { templates });
  const { id } = (await textCall(admin, "PUT", "", everybody)).data;
  const save = (templateCode: string, more: object = {}) =>
    textCall(admin, "PATCH", `/${id}`, written({ channel: "alimtalk", templateCode, ...more }));
  return { admin, templates, host, id, save };
}

const TEMPLATE_VALUES = { 장소: "대강당", 쪽: "1", 남: "의 변수" };

test("a Kakao message needs an approved template", async () => {
  const { admin, id, save } = await createKakaoMailing();
  for (const [code, said] of [
    ["KA01TP9", "없는 템플릿"],
    ["KA01TP3", "없는 템플릿"],
    ["KA01TP2", "승인되지 않았거나"],
  ] as const)
    expect((await save(code)).fields.templateCode).toContain(said);
  expect((await save("KA01TP1", { text: "다른 글" })).code).toBe("SUCCESS");
  const seen = (await textCall(admin, "GET", `/${id}`)).data;
  expect(seen).toMatchObject({
    text: "{{이름}}님, {{장소}}에서 뵙겠습니다.",
    templateValues: { 이름: "{{이름}}", 장소: "", 쪽: "" },
  });
  expect((await textCall(admin, "POST", `/${id}/preview`)).fields.templateValues).toContain("#{장소}");
});

test("a Kakao message holds information without files", async () => {
  const { admin, id, save } = await createKakaoMailing();
  const { fileId } = await createItemWithFile(admin, "notice");
  const more = { kind: "advertising", templateValues: TEMPLATE_VALUES, fileIds: [fileId] };
  const advertising = await save("KA01TP1", more);
  expect(advertising.code).toBe("SUCCESS");
  const refused = await textCall(admin, "POST", `/${id}/preview`);
  expect(refused.fields).toMatchObject({
    kind: expect.stringContaining("알림톡으로는 정보만"),
    fileIds: expect.stringContaining("파일을 붙일 수 없습니다"),
  });
});

test("a Kakao message is sent with the values of its template", async () => {
  const { admin, templates, host, id, save } = await createKakaoMailing();
  await save("KA01TP1", { templateValues: TEMPLATE_VALUES });
  const { data } = await textCall(admin, "POST", `/${id}/preview`);
  // A variable must not be empty, even where the office keeps empty fields.
  expect(data).toMatchObject({ count: 1, leftOut: [{ cause: "empty-field", count: 1 }], bytes: null });
  expect(data.samples[0].text).toBe("동문1님, 대강당에서 뵙겠습니다.");
  const send = { version: 2, count: 1, reason: "총회" };
  templates.KA01TP1.content = "#{이름}님, 바뀐 글입니다. #{장소}";
  expect((await textCall(admin, "POST", `/${id}/send`, send)).status).toBe(409);
  templates.KA01TP1.content = TEMPLATES.KA01TP1.content;
  expect((await textCall(admin, "POST", `/${id}/send`, send)).code).toBe("SUCCESS");
  await runJobsWith(TEXT_HOST);
  expect(host.texts).toEqual([
    {
      to: alumnusNumber(1),
      from: "020000000",
      type: "ATA",
      kakaoOptions: {
        pfId: "KA01PF",
        templateId: "KA01TP1",
        variables: { "#{이름}": "동문1", "#{장소}": "대강당", "#{쪽}": "1" },
        disableSms: false,
      },
    },
  ]);
  expect(await outcomesOf(id)).toEqual({ "empty-field": 1, sent: 1 });
  expect(await readRow("SELECT detail FROM audit_log WHERE action = 'mailing.send'")).toEqual({
    detail: expect.stringContaining('"channel":"alimtalk"'),
  });
});

test("an SMS host outage does not delay mail", { tags: "full" }, async () => {
  expectLog(/messages.failed/);
  advanceToMorning(0);
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(2)]);
  const [mail, text] = [await sendTestMailing(admin), await sendTestTexts(admin)];
  stubTextHost([["create", "down"]]);
  await runJobsWith(TEXT_HOST);
  expect([await outcomesOf(mail), await outcomesOf(text)]).toEqual([{ sent: 2 }, { queued: 2 }]);
});
