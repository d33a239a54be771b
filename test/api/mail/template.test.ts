import { lookUp } from "#worker/contract/kernel/labels.ts";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import {
  ENGLISH_MAIL_TEXTS,
  type Field,
  holdsCodeOrLink,
  MAIL_TEMPLATE_KINDS,
  MAIL_TEMPLATES,
  type MailTemplateKind,
  mailTemplateSamples,
  type MailTemplateText,
  ownTemplateProblems,
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
import { turnOnProposals } from "../../calls/proposal-world.ts";
import { createPartialSession } from "../../support/partial-session.ts";
import { readRow, runSql } from "../../support/test-database.ts";

const DAY_MS = 86_400_000;
const first = (statement: string, ...values: unknown[]) => readRow<Record<string, unknown>>(statement, ...values);
const sendCode = (email: string) =>
  callJson("POST", "/api/user-key/check", { body: { userKeyType: "Email", userKeyCode: email } });

test("every default message names its site", () => {
  for (const kind of MAIL_TEMPLATE_KINDS) {
    const { subject, text } = MAIL_TEMPLATES[kind];
    expect(kind.endsWith("Sms") ? text : subject + text, kind).toContain("{{사이트}}");
    for (const own of [MAIL_TEMPLATES[kind], lookUp(ENGLISH_MAIL_TEXTS, kind)])
      if (own) expect([kind, ownTemplateProblems(kind, own, "https://pid.example.kr")]).toEqual([kind, {}]);
    expect([kind, Object.values(mailTemplateSamples(kind, "https://pid.example.kr")).every(Boolean)]).toEqual([
      kind,
      true,
    ]);
  }
});

test("a message uses the wording of the office", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const body = {
    subject: "[{{사이트}}] 번호 {{인증번호}}",
    text: "번호: {{인증번호}}\n{{화면}}",
    reason: "시험",
    version: 0,
  };
  expect((await callJson("PATCH", "/api/admin/mail-template/code", { token, body })).data).toEqual({ version: 1 });
  await sendCode("one@pid.example.kr");
  const [own] = await sentMessages("one@pid.example.kr");
  expect(own?.subject).toBe(`[새 홈페이지] 번호 ${own?.pincode}`);
  expect(own?.body).toBe(`번호: ${own?.pincode}\n요청하신 화면`);
  expect((await callJson("GET", "/api/admin/mail-template/code", { token })).data).toMatchObject({
    isChanged: true,
    version: 1,
  });

  expect((await callJson("DELETE", "/api/admin/mail-template/code?version=1&reason=x", { token })).data).toEqual({
    version: 2,
  });
  await sendCode("two@pid.example.kr");
  const [again] = await sentMessages("two@pid.example.kr");
  expect(again?.subject).toBe(`[새 홈페이지] 인증번호 ${again?.pincode}`);
  const changed = await first("SELECT detail FROM audit_log WHERE action = 'mail-template.change'");
  expect(JSON.parse(String(changed?.detail))).toMatchObject({
    before: { subject: "[{{사이트}}] 인증번호 {{인증번호}}" },
  });
});

test("an unknown or forbidden placeholder is reported by name", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const good = { subject: "번호", text: "{{인증번호}}", version: 0 };
  const save = async (change: object) =>
    (await callJson("PATCH", "/api/admin/mail-template/code", { token, body: { ...good, ...change } })).fields;
  expect((await save({ text: "{{인증번호}} {{비밀번호}}" })).text).toContain("{{비밀번호}}");
  expect((await save({ subject: "{{이름}}" })).subject).toContain("{{이름}}");
  for (const name of Object.getOwnPropertyNames(Object.prototype))
    expect((await save({ text: `{{인증번호}} {{${name}}}` })).text).toContain(`{{${name}}}`);
  expect((await save({ text: "번호를 보내 드립니다." })).text).toBe(
    "{{인증번호}} 항목은 뺄 수 없습니다. 본문에 넣어 주십시오.",
  );
  expect((await save({ text: "{{인증번호}} {{화면" })).text).toContain("괄호");
  expect(Object.keys(await save({ text: " " }))).toEqual(["text"]);
  expect((await callJson("PATCH", "/api/admin/mail-template/nothing", { token, body: good })).status).toBe(404);
  expect(await first("SELECT * FROM mail_template")).toBeNull();
});

/** `*` is replaced by a code or link. */
const LEADING_AWAY = [
  "https://evil.kr/?c=*",
  "//evil/*",
  "evil.kr/*",
  "evil.kr *",
  "병원.한국 *",
  "mailto:x@evil.kr?body=*",
  "x@evil.kr *",
  '<img src="//evil.kr/x"> *',
  "<img src=evil.kr/x> *",
  "https://xn--o39an.xn--3e0b707e/ *",
  "https://pid.example.kr@evil.kr/ *",
  "https://pid.example.kr.evil.kr/ *",
  "https://pid.example.kr:8443/ *",
  "http://pid.example.kr/ *",
  "https://pid.example.kr//evil.kr *",
  "{{사이트 주소}}.evil.kr *",
  "{{사이트 주소}}@evil.kr *",
  "evil.{{사이트}} *",
  "*.evil.kr",
  "*@evil.kr",
  "https:\\\\evil.kr *",
  "https:/evil *",
  "HTTPS://EVIL.KR *",
  "1.2.3.4 *",
  "https://0x7f000001/ *",
  "еvil.рф *",
  "❤.ws *",
  "evil。kr *",
  "e\u200Bvil.k\u200Br *",
  "ｅｖｉｌ．ｋｒ *",
  "evil.kr로 오십시오 *",
  "javascript:alert(1) *",
];
/** A placeholder next to a code or link may itself be part of an address. */
const GLUED = ["{{사이트}}*", "{{사이트}}/?*", "x?*", "*{{사이트}}"];

test("no wording can link to other sites", () => {
  const origin = "https://pid.example.kr";
  for (const kind of MAIL_TEMPLATE_KINDS) {
    const names = Object.keys(MAIL_TEMPLATES[kind].fields).filter((name) => fieldsOf(kind)[name]?.required);
    const place = names.find((name) => fieldsOf(kind)[name]?.isCode || fieldsOf(kind)[name]?.sample.startsWith("/"));
    const rest = names.map((name) => ` {{${name}}}`).join("");
    for (const line of [...LEADING_AWAY, ...GLUED]) {
      const written = line.replace("*", () => `{{${place ?? "사이트 주소"}}}`);
      const problems = ownTemplateProblems(kind, { subject: "제목", text: written + rest }, origin);
      expect([kind, written, Object.keys(problems)]).toEqual([kind, written, ["text"]]);
    }
    for (const line of [
      "{{사이트 주소}}/board/notice",
      `${origin}/Account/Signin`,
      "(02-740-1234) 2026.12.1.",
      "자세히: {{사이트 주소}}에서",
    ])
      expect([kind, ownTemplateProblems(kind, { subject: "제목", text: `${line}${rest}` }, origin)]).toEqual([
        kind,
        {},
      ]);
  }
});
const fieldsOf = (kind: MailTemplateKind): Record<string, Field> => MAIL_TEMPLATES[kind].fields;

test("the refusal names the address for every kind of input", async () => {
  const admin = await createAdministratorSession();
  const text = { subject: "번호", text: "https://evil.kr/?c={{인증번호}}" };
  const path = "/api/admin/mail-template/code";
  const document = { kind: "hoewon-settings", format: 1, mailTemplates: [{ kind: "code", ...text }] };
  const answers = [
    await callAs(admin, "PATCH", path, { ...text, version: 0 }),
    await callAs(admin, "POST", `${path}/test`, text),
    await callAs(admin, "POST", "/api/admin/setting/import", { document }),
  ];
  for (const { code, fields } of answers) {
    expect(code).toBe("INVALID_INPUT");
    expect(Object.values(fields).join()).toContain("https://evil.kr/?c=");
  }
});

test("a stored wording that links to another site is not used", async () => {
  await runSql(
    "INSERT INTO mail_template (kind, subject, body, version, modified_date) VALUES ('code', '번호', 'evil.kr {{인증번호}}', 1, 1)",
  );
  await sendCode("one@pid.example.kr");
  const [message] = await sentMessages("one@pid.example.kr");
  expect(message?.body).toContain("10분 안에 입력해 주십시오");
  expect(message?.body).not.toContain("evil");
});

test("only Mail_Template can edit messages with codes or links", async () => {
  await turnOnProposals();
  const partial = await createPartialSession();
  const holder = await createPartialSession("Mail_Template");
  const text: MailTemplateText = { subject: "제목", text: "" };
  for (const kind of MAIL_TEMPLATE_KINDS) {
    const placeholders = Object.keys(fieldsOf(kind)).filter((name) => fieldsOf(kind)[name]?.required);
    const own = { ...text, text: `본문 ${placeholders.map((name) => `{{${name}}}`).join(" ")}` };
    const path = `/api/admin/mail-template/${kind}`;
    const document = { kind: "hoewon-settings", format: 1, mailTemplates: [{ kind, ...own }] };
    const expected = holdsCodeOrLink(kind) ? "FORBIDDEN" : "SUCCESS";
    const imported = async (by: TestSession) =>
      (await callAs(by, "POST", "/api/admin/setting/import", { document })).code;
    const codes = [
      await imported(partial),
      (await callAs(partial, "PATCH", path, { ...own, reason: "시험", version: 0 })).code,
      (await callAs(partial, "DELETE", `${path}?version=${expected === "SUCCESS" ? 1 : 0}&reason=x`)).code,
    ];
    expect([kind, codes]).toEqual([kind, [expected, expected, expected]]);
    expect((await callAs(partial, "GET", path)).data.canEdit, kind).toBe(expected === "SUCCESS");
    if (expected === "SUCCESS") continue;
    const given = [
      await imported(holder),
      (await callAs(holder, "PATCH", path, { ...own, reason: "시험", version: 0 })).code,
    ];
    expect([kind, given]).toEqual([kind, ["SUCCESS", "SUCCESS"]]);
    // A file without changes to it needs no right.
    expect(await imported(partial)).toBe("SUCCESS");
  }
});

test("a site name used in every message must not be an address", async () => {
  const admin = await createAdministratorSession();
  const { data } = await callAs(admin, "GET", "/api/admin/setting/site");
  const change = { ...data.value, version: data.version, siteName: "evil.kr" };
  expect((await callAs(admin, "PATCH", "/api/admin/setting/site", change)).fields.siteName).toContain("주소");
  const identity = (await callAs(admin, "GET", "/api/admin/setting/identity")).data;
  const own = { ...identity.value, version: identity.version };
  const patch = async (more: object) =>
    (await callAs(admin, "PATCH", "/api/admin/setting/identity", { ...own, ...more })).fields;
  expect(Object.keys(await patch({ words: { ...own.words, 동문주소록: "//evil.kr" } }))).toContain("words.동문주소록");
  expect(Object.keys(await patch({ english: { ...own.english, siteName: "www.evil.kr" } }))).toContain(
    "english.siteName",
  );
});

test("the second of two editors of a message is refused", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const save = (version: number, text = "{{인증번호}}") =>
    callJson("PATCH", "/api/admin/mail-template/code", {
      token,
      body: { subject: "번호", text, reason: "시험", version },
    });
  expect((await save(0)).data).toEqual({ version: 1 });
  expect((await save(0, "둘째 {{인증번호}}")).code).toBe("CONFLICT");
  await callJson("DELETE", "/api/admin/mail-template/code?version=1&reason=x", { token });
  await save(2, "셋째 {{인증번호}}");
  expect((await save(1)).code).toBe("CONFLICT");
  expect((await callJson("DELETE", "/api/admin/mail-template/code?version=1&reason=x", { token })).code).toBe(
    "CONFLICT",
  );
});

test("a personal name cannot inject text into a message", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const person = await createUser({ status: "waiting", userName: "{{주소}}\r\nBcc: x@evil.example" });
  await callJson("POST", "/api/admin/member/approve", { token, body: { ids: [person.id] } });
  const [message] = await sentMessages(person.email);
  expect(message?.body).toContain("{{주소}}\r\nBcc: x@evil.example님의 가입이 승인되었습니다.");
  expect(message?.body).toContain("https://pid.example.kr/Account/Signin");
  expect(message?.subject).toBe("[새 홈페이지] 가입이 승인되었습니다");
});

test("a test mail goes to the caller only, with sample values", async () => {
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

test("failed messages except codes can be resent", async () => {
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

test("a code is hidden a day after sending", async () => {
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

test("망법 제50조: an old consent is reminded once every two years", async () => {
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

test("letters of a desk that is off are not in the list", async () => {
  const admin = await createAdministratorSession();
  const kinds = async () =>
    ((await callAs(admin, "GET", "/api/admin/mail-template")).data as { kind: string }[]).map(({ kind }) => kind);
  const open = async () => (await callAs(admin, "GET", "/api/admin/mail-template/proposalDecided")).code;
  const inUse = MAIL_TEMPLATE_KINDS.filter((kind) => !("needs" in MAIL_TEMPLATES[kind]));
  expect([await kinds(), await open()]).toEqual([inUse, "NOT_FOUND"]);
  await turnOnProposals();
  expect([await kinds(), await open()]).toEqual([MAIL_TEMPLATE_KINDS, "SUCCESS"]);
});
