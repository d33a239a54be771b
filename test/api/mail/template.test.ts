import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import {
  MAIL_TEMPLATE_KINDS,
  mailTemplateProblems,
  MAIL_TEMPLATES,
  mailTemplateSamples,
} from "#worker/contract/mail/templates.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { createSignupSettings, sentMessages } from "../../support/factories.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSession,
  createUser,
  type TestSession,
} from "../../support/people.ts";
import { readRow, runSql } from "../../support/test-database.ts";

const DAY_MS = 86_400_000;
const first = (statement: string, ...values: unknown[]) => readRow<Record<string, unknown>>(statement, ...values);
const sendCode = (email: string) =>
  callJson("POST", "/api/user-key/check", { body: { userKeyType: "Email", userKeyCode: email } });

test("every message is worded so that nothing is missing in it, and says which site it is from", () => {
  for (const kind of MAIL_TEMPLATE_KINDS) {
    const { subject, text } = MAIL_TEMPLATES[kind];
    expect(kind.endsWith("Sms") ? text : subject + text, kind).toContain("{{사이트}}");
    expect([kind, mailTemplateProblems(MAIL_TEMPLATES[kind].fields, MAIL_TEMPLATES[kind])]).toEqual([kind, {}]);
    expect([kind, Object.values(mailTemplateSamples(kind, "https://pid.example.kr")).every(Boolean)]).toEqual([
      kind,
      true,
    ]);
  }
});

test("a message goes out as the office worded it, and as it came when the office takes that back", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const body = { subject: "[{{사이트}}] 번호 {{인증번호}}", text: "번호: {{인증번호}}\n{{화면}}", version: 0 };
  expect((await callJson("PATCH", "/api/admin/mail-template/code", { token, body })).data).toEqual({ version: 1 });
  await sendCode("one@pid.example.kr");
  const [own] = await sentMessages("one@pid.example.kr");
  expect(own?.subject).toBe(`[새 홈페이지] 번호 ${own?.pincode}`);
  expect(own?.body).toBe(`번호: ${own?.pincode}\n요청하신 화면`);
  expect((await callJson("GET", "/api/admin/mail-template/code", { token })).data).toMatchObject({
    isChanged: true,
    version: 1,
  });

  expect((await callJson("DELETE", "/api/admin/mail-template/code?version=1", { token })).data).toEqual({ version: 2 });
  await sendCode("two@pid.example.kr");
  const [again] = await sentMessages("two@pid.example.kr");
  expect(again?.subject).toBe(`[새 홈페이지] 인증번호 ${again?.pincode}`);
  const changed = await first("SELECT detail FROM audit_log WHERE action = 'mail-template.change'");
  expect(JSON.parse(String(changed?.detail))).toMatchObject({
    before: { subject: "[{{사이트}}] 인증번호 {{인증번호}}" },
  });
});

test("a place that does not exist or that may not go is named, and nothing is stored", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const good = { subject: "번호", text: "{{인증번호}}", version: 0 };
  const save = async (change: object) =>
    (await callJson("PATCH", "/api/admin/mail-template/code", { token, body: { ...good, ...change } })).fields;
  expect((await save({ text: "{{인증번호}} {{비밀번호}}" })).text).toContain("{{비밀번호}}");
  expect((await save({ subject: "{{이름}}" })).subject).toContain("{{이름}}");
  expect((await save({ text: "번호를 보내 드립니다." })).text).toBe(
    "{{인증번호}} 항목은 뺄 수 없습니다. 본문에 넣어 주십시오.",
  );
  expect((await save({ text: "{{인증번호}} {{화면" })).text).toContain("괄호");
  expect(Object.keys(await save({ text: " " }))).toEqual(["text"]);
  expect((await callJson("PATCH", "/api/admin/mail-template/nothing", { token, body: good })).status).toBe(404);
  expect(await first("SELECT * FROM mail_template")).toBeNull();
});

test("of two who word the same message the second is told, also after the text was taken back between", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const save = (version: number, text = "{{인증번호}}") =>
    callJson("PATCH", "/api/admin/mail-template/code", { token, body: { subject: "번호", text, version } });
  expect((await save(0)).data).toEqual({ version: 1 });
  expect((await save(0, "둘째 {{인증번호}}")).code).toBe("CONFLICT");
  await callJson("DELETE", "/api/admin/mail-template/code?version=1", { token });
  await save(2, "셋째 {{인증번호}}");
  expect((await save(1)).code).toBe("CONFLICT");
  expect((await callJson("DELETE", "/api/admin/mail-template/code?version=1", { token })).code).toBe("CONFLICT");
});

test("what a person is called never becomes a second line, a place or a link of a letter", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const person = await createUser({ status: "waiting", userName: "{{주소}}\r\nBcc: x@evil.example" });
  await callJson("POST", "/api/admin/member/approve", { token, body: { ids: [person.id] } });
  const [message] = await sentMessages(person.email);
  expect(message?.body).toContain("{{주소}}\r\nBcc: x@evil.example님의 가입이 승인되었습니다.");
  expect(message?.body).toContain("https://pid.example.kr/Account/Signin");
  expect(message?.subject).toBe("[새 홈페이지] 가입이 승인되었습니다");
});

test("a test goes to the caller alone, with examples in its places", async () => {
  const admin = await createAdministratorSession();
  const body = { subject: "{{이름}} 님", text: "{{이름}} {{주소}}" };
  const answer = await callAs(admin, "POST", "/api/admin/mail-template/memberApproved/test", body);
  expect(answer.data).toEqual({ recipient: admin.user.email });
  expect((await sentMessages(admin.user.email)).map(({ subject }) => subject)).toEqual(["[시험] 홍길동 님"]);
  expect((await first("SELECT count(*) AS n FROM message"))?.n).toBe(1);
});

async function agree(session: TestSession, agreed = true, daysAgo = 0): Promise<void> {
  await runSql(
    "INSERT INTO user_consent (user_id, code, version, agreed, text_hash, created_date) VALUES (?, 'newsletter', '1', ?, 'y', ?)",
    session.user.id,
    Number(agreed),
    Date.now() - daysAgo * DAY_MS,
  );
}

const log = async (session: TestSession, query = "") =>
  (await callAs(session, "GET", `/api/admin/message?${query}`)).data;

test("the log finds an address and shows it masked; all that failed goes out again, but for codes, and each is audited", async () => {
  const admin = await createAdministratorSession();
  const insert = env.DB.prepare(
    "INSERT INTO message (id, channel, recipient, subject, body, status, created_date, is_bulk, batch_id) VALUES (?, 'email', 'kim@pid.example.kr', '알림', ?, 'failed', ?, 1, 'old')",
  );
  const now = Date.now();
  const ids = Array.from({ length: 3 }, () => crypto.randomUUID());
  await env.DB.batch(ids.map((id, nth) => insert.bind(id, nth === 2 ? "번호는 ******입니다." : "본문", now)));
  const found = await log(admin, "keyword=kim%40pid.example.kr&status=failed");
  expect(found.totalElements).toBe(3);
  expect(JSON.stringify(found)).not.toContain("kim@");
  expect(found.content.map((row: { canRetry: boolean }) => row.canRetry).toSorted()).toEqual([false, true, true]);
  const retry = (body: object) => callAs(admin, "POST", "/api/admin/message/retry", body);
  expect((await retry({ ids: [ids[0]] })).data).toEqual({ changed: 1 });
  expect((await retry({ all: true })).data).toEqual({ changed: 1 });
  expect((await retry({})).code).toBe("INVALID_INPUT");
  await runScheduledJobs(env);
  expect((await log(admin, "status=failed")).totalElements).toBe(1);
  const { results } = await env.DB.prepare("SELECT target_id FROM audit_log WHERE action = 'message.retry'").all();
  expect(results).toHaveLength(2);
});

test("a code is hidden a day after it was sent; nothing else of a message changes", async () => {
  const insert = env.DB.prepare(
    "INSERT INTO message (id, channel, recipient, subject, body, pincode, status, created_date) VALUES (?, 'email', 'a@b.kr', ?, ?, ?, 'sent', ?)",
  );
  const old = Date.now() - 2 * DAY_MS;
  await env.DB.batch([
    insert.bind("letter", "알림", "접수 번호 654321", null, old),
    insert.bind("code", "인증번호 123456", "인증번호는 123456입니다.", "123456", old),
    insert.bind("young", "인증번호 123456", "인증번호는 123456입니다.", "123456", Date.now()),
  ]);
  await runScheduledJobs(env);
  const { results } = await env.DB.prepare("SELECT id, subject, body, pincode FROM message ORDER BY id").all();
  expect(results).toEqual([
    { id: "code", subject: "인증번호 ******", body: "인증번호는 ******입니다.", pincode: null },
    { id: "letter", subject: "알림", body: "접수 번호 654321", pincode: null },
    { id: "young", subject: "인증번호 123456", body: "인증번호는 123456입니다.", pincode: "123456" },
  ]);
});

test("망법 제50조: who agreed two years ago is listed once, reminded once, and again two years later", async () => {
  const admin = await createAdministratorSession();
  await createSignupSettings();
  const [due, fresh, withdrew] = [
    await createMemberSession(),
    await createMemberSession(),
    await createMemberSession(),
  ];
  const gone = await createSession({ status: "blocked" });
  await agree(due, true, 731);
  await agree(fresh, true, 700);
  await agree(withdrew, true, 800);
  await agree(withdrew, false, 10);
  await agree(gone, true, 800);
  const token = admin.accessToken;
  const list = async () => (await callJson("GET", "/api/admin/consent/due", { token })).data;
  const found = await list();
  expect([found.count, found.people.length]).toEqual([1, 1]);
  expect(JSON.stringify(found)).not.toContain(due.user.email);
  const remind = () => callJson("POST", "/api/admin/consent/remind", { token, body: {} });
  expect((await remind()).data).toEqual({ changed: 1 });
  expect((await remind()).data).toEqual({ changed: 0 });
  const [message] = await sentMessages(due.user.email);
  expect(message?.subject).toContain("소식지 수신");
  expect(message?.body).toContain("/mail/off/advertising~newsletter~");
  expect((await list()).count).toBe(0);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 732 * DAY_MS });
  const later = await createAdministratorSession();
  const again = await callAs(later, "GET", "/api/admin/consent/due");
  expect(again.data.count).toBe(2);
});
