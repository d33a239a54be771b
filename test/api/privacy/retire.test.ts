import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hashPassword } from "#worker/adapters/password.server.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { acceptMails, RESEND_VARS, stubMailHost } from "../../hosts/mail-host.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { createSignupSettings, createTestItem, createVerifiedToken, openSignup } from "../../support/factories.ts";
import { callApiWith, faultyDatabase } from "../../support/faulty-database.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createUser,
  signInUser,
  TEST_PASSWORD,
  type TestSession,
} from "../../support/people.ts";
import { requirePresent } from "../../support/require-present.ts";
import { readRow, readRows, readValue, runSql } from "../../support/test-database.ts";

beforeEach(async () => void (await openSignup()));
afterEach(() => vi.unstubAllGlobals());

const NAME = "선우하늘";
const AFFILIATION = "가온누리연구소";
const PHONE = "02-987-6543";
const MOBILE = "010-9876-5432";
const NEW_EMAIL = "second-address@pid.example.kr";

const retire = (session: TestSession | null, body: unknown = { password: TEST_PASSWORD }) =>
  callAs(session, "POST", "/api/user/retire", body);

async function tables(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'd1_%'",
  ).all<{ name: string }>();
  return results.map(({ name }) => name);
}

async function places(values: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const table of await tables()) {
    const { results } = await env.DB.prepare(`SELECT * FROM "${table}"`)
      .all()
      .catch(() => ({ results: [] }));
    for (const row of results) {
      const text = JSON.stringify(row);
      for (const value of values) if (text.includes(value)) found.push(`${table}: ${value}`);
    }
  }
  for (const { name } of (await env.KV.list()).keys) {
    const text = `${name} ${await env.KV.get(name)}`;
    for (const value of values) if (text.includes(value)) found.push(`KV: ${value}`);
  }
  for (const { key } of (await env.FILES.list()).objects) found.push(`R2: ${key}`);
  return found;
}

async function richMember(): Promise<{ session: TestSession; itemNo: number }> {
  await createSignupSettings();
  const person = await createUser({ userName: NAME });
  await runSql(
    "UPDATE user SET profile = ? WHERE id = ?",
    JSON.stringify({ affiliation: AFFILIATION, tel: PHONE }),
    person.id,
  );
  await runSql(
    "INSERT INTO user_key (user_key_type, user_key_code, user_id, verified_date) VALUES ('Mobile', ?, ?, 1)",
    MOBILE,
    person.id,
  );
  const session = await signInUser(person);
  await signInUser(person);
  const token = session.accessToken;
  const itemNo = await createTestItem(session, "free", { title: "남을 글" });
  await callJson("PATCH", `/api/board-item/free/${itemNo}`, { token, body: { title: "고친 글", version: 1 } });
  await callJson("PUT", `/api/board-item-comment/free/${itemNo}`, { token, body: { content: "남을 댓글" } });
  // Creates a found ID, a reset code, a notice to an old address and a code for the new one.
  await callJson("POST", "/api/user/find-id", { body: { userName: NAME, email: person.email } });
  await callJson("POST", "/api/user/reset-password-token", { body: { email: person.email } });
  const change = { userKeyType: "Email", userKeyToken: await createVerifiedToken(NEW_EMAIL), password: TEST_PASSWORD };
  await callJson("POST", `/api/user/change-user-key/${person.id}`, { token, body: change });
  await callJson("PATCH", `/api/user/${person.id}/consents`, {
    token,
    body: {
      agreements: [
        { code: "terms", version: "1", agreed: true },
        { code: "newsletter", version: "1", agreed: true },
      ],
    },
  });
  const query = "boardCode=free&fileName=a.pdf&size=13";
  const ticket = await callJson("GET", `/api/board-item-file/upload-url?${query}`, { token });
  const uploaded = await callJson("PUT", ticket.data.uploadUrl, {
    body: new TextEncoder().encode("%PDF-1.4 test"),
    headers: { "Content-Type": "application/pdf" },
  });
  expect(uploaded.code).toBe("SUCCESS");
  return { session, itemNo };
}

test("nothing stored identifies a person after retirement", async () => {
  const { session, itemNo } = await richMember();
  const { user } = session;
  const values = [
    NAME,
    AFFILIATION,
    PHONE,
    MOBILE,
    user.userId,
    user.email,
    NEW_EMAIL,
    requirePresent(user.email.split("@")[0]),
  ];
  const before = new Set((await places(values)).map((place) => place.split(": ")[1]));
  for (const value of values) expect(before, "every value is found before the retirement").toContain(value);

  const reason = `${NAME}입니다. ${NEW_EMAIL}로 연락 주지 마세요. 이제 쓰지 않습니다.`;
  const answer = await retire(session, { password: TEST_PASSWORD, reason });
  expect([answer.status, answer.data]).toEqual([200, {}]);
  expect(answer.headers.get("Set-Cookie")).toMatch(/accessToken=;/);
  expect(await places(values)).toEqual([]);
  const kept = await readValue("SELECT reason FROM audit_log WHERE action = 'user.retire'");
  expect(kept).toBe("○○입니다. ○○로 연락 주지 마세요. 이제 쓰지 않습니다.");

  const { accessToken: token } = await createMemberSession();
  const item = await callJson("GET", `/api/board-item/free/${itemNo}`, { token });
  expect(item.data).toMatchObject({ title: "고친 글", createdUserName: "탈퇴한 회원" });
  const comments = await callJson("GET", `/api/board-item-comment?boardCode=free&itemNo=${itemNo}`, { token });
  expect(comments.data[0]).toMatchObject({ content: "남을 댓글", createdUserName: "탈퇴한 회원" });
  const row = await readRow("SELECT * FROM user WHERE id = ?", user.id);
  expect(row).toMatchObject({ user_name: "탈퇴한 회원", status: "retired", password_hash: "", profile: "{}" });
  const consents = await env.DB.prepare("SELECT code FROM user_consent WHERE user_id = ?").bind(user.id).all();
  expect(consents.results).toEqual([{ code: "terms" }]);
});

test("every token of a retired member is refused", async () => {
  const session = await createMemberSession();
  const other = await signInUser(session.user);
  await retire(session);
  for (const { accessToken } of [session, other])
    expect((await callJson("GET", `/api/user/${session.user.id}`, { token: accessToken })).status).toBe(401);
  const refreshed = await callJson("POST", "/api/user/signin-by-refresh-token", {
    body: { refreshToken: session.refreshToken },
  });
  expect(refreshed.status).toBe(401);
  const signin = { userKeyType: "Id", userKeyCode: session.user.userId, password: TEST_PASSWORD };
  const gone = await callJson("POST", "/api/user/signin", { body: signin });
  expect([gone.code, gone.message]).toEqual(["NOT_FOUND", "회원 정보가 없습니다."]);
  const admin = await createAdministratorSession();
  expect((await callAs(admin, "GET", `/api/user/${session.user.id}`)).status).toBe(404);
  const key = { userKeyType: "Id", userKeyCode: session.user.userId };
  expect((await callJson("POST", "/api/user-key/check-exists", { body: key })).data).toEqual({ exists: false });
  await createSignupSettings();
  const signup = {
    ...key,
    password: "Zk7!mQ2x",
    userName: "홍길동",
    profile: { affiliation: "기관" },
    userKeyTokenForEmail: await createVerifiedToken(session.user.email),
    agreements: [{ code: "terms", version: "1" }],
  };
  expect((await callJson("POST", "/api/user/signup", { body: signup })).code).toBe("SUCCESS");
});

test("a retirement needs the member's password with the name", async () => {
  const session = await createMemberSession();
  const other = await createMemberSession();
  expect((await retire(null)).status).toBe(401);
  expect((await retire(session, { password: "Wrong!123" })).code).toBe("INVALID_CREDENTIAL");
  expect((await retire(session, {})).code).toBe("INVALID_INPUT");
  expect((await retire(session, { password: TEST_PASSWORD, reason: "900101-1234567" })).fields.reason).toContain(
    "주민등록번호로 보이는 값은 저장할 수 없습니다.",
  );
  expect((await callAs(session, "GET", `/api/user/${session.user.id}`)).status).toBe(200);
  await retire(session, { password: TEST_PASSWORD, userId: other.user.id, id: other.user.id });
  expect((await callAs(other, "GET", `/api/user/${other.user.id}`)).status).toBe(200);
});

test("the last administrator stays, even when two retire simultaneously", async () => {
  const alone = await createAdministratorSession();
  const refused = await retire(alone);
  expect([refused.status, refused.code, refused.message]).toEqual([
    409,
    "CONFLICT",
    "마지막 관리자는 탈퇴할 수 없습니다. 다른 관리자를 먼저 지정해 주십시오.",
  ]);
  // An administrator by role does not replace a system administrator.
  const helper = await createUser({ roleCode: "administrator" });
  expect((await retire(alone)).code).toBe("CONFLICT");
  expect((await retire(await signInUser(helper))).status).toBe(200);
  const second = await createAdministratorSession();
  const answers = await Promise.all([retire(alone), retire(second)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const left = await readValue("SELECT count(*) AS n FROM user WHERE user_type = 'Admin' AND status = 'active'");
  expect(left).toBe(1);
});

test("an opt-out is kept only for an entry with the address", async () => {
  const admin = await createAdministratorSession();
  const [listed, other] = [await createMemberSession(), await createMemberSession()];
  await callAs(admin, "PUT", "/api/alumni", { name: "남은이", email: listed.user.email });
  for (const { user } of [listed, other])
    await runSql("INSERT INTO mail_address (address, refused_date) VALUES (?, 1)", user.email);
  for (const session of [listed, other]) expect((await retire(session)).code).toBe("SUCCESS");
  expect(await readRows("SELECT address FROM mail_address")).toEqual([{ address: listed.user.email }]);
});

test("a person who changes the password during a retirement keeps the account", async () => {
  const session = await createMemberSession();
  const hash = hashPassword("Zk7!mQ2x", env.PASSWORD_PEPPER);
  const { DB, broke } = faultyDatabase({
    sql: /into "destruction"/i,
    when: () => runSql("UPDATE user SET password_hash = ? WHERE id = ?", hash, session.user.id),
  });
  const answer = await callApiWith({ DB }, "POST", "/api/user/retire", {
    token: session.accessToken,
    body: { password: TEST_PASSWORD },
  });
  expect([broke(), answer.code]).toEqual([1, "CONFLICT"]);
  expect((await callAs(session, "GET", `/api/user/${session.user.id}`)).status).toBe(200);
});

test("leaving is confirmed at an address that is not kept", async () => {
  const asked = stubMailHost(acceptMails);
  const { accessToken: token, user } = await createMemberSession();
  const sent = { token, body: { password: TEST_PASSWORD } };
  expect((await callApiWith(RESEND_VARS, "POST", "/api/user/retire", sent)).code).toBe("SUCCESS");
  const mails = () => asked.flatMap((each) => each.mails.map(({ to, subject }) => [...to, subject]));
  await vi.waitFor(() =>
    expect(mails()).toEqual([[user.email, expect.stringContaining("회원 탈퇴가 완료되었습니다")]]),
  );
  expect(await places([user.email])).toEqual([]);
});

test("a retiring member decides on their entry", async () => {
  const admin = await createAdministratorSession();
  for (const [choice, kind, isRefused] of [
    [undefined, "correction", true],
    ["stayWithoutMail", "correction", true],
    ["stay", "correction", false],
    ["leave", "erasure", true],
  ] as const) {
    const session = await createMemberSession();
    const { email, userName } = session.user;
    const added = await callAs(admin, "PUT", "/api/alumni", { name: userName, email, mobile: "010-7777-0001" });
    expect((await retire(session, { password: TEST_PASSWORD, ...(choice ? { alumni: choice } : {}) })).code).toBe(
      "SUCCESS",
    );
    const today = koreanDay(new Date());
    expect(
      await readRow("SELECT email, deleted_date, state, state_date FROM alumni WHERE id = ?", added.data.id),
    ).toEqual({
      email,
      deleted_date: null,
      ...(isRefused ? { state: "탈퇴", state_date: today } : { state: "활동", state_date: "" }),
    });
    const tasks = (await callAs(admin, "GET", "/api/admin/privacy/request")).data.content;
    expect([choice, tasks.filter(({ contact }: { contact: string }) => contact === email)]).toEqual([
      choice,
      [expect.objectContaining({ kind, status: "received", requesterName: userName })],
    ]);
    const refused = await readValue(
      "SELECT count(*) FROM mail_address WHERE address IN (?, '010-7777-0001') AND refused_date IS NOT NULL",
      email,
    );
    expect([choice, refused]).toEqual([choice, isRefused ? 2 : 0]);
    await runSql("DELETE FROM alumni");
    await runSql("DELETE FROM mail_address");
  }
});

test("the entry with the same name is withdrawn first", async () => {
  const admin = await createAdministratorSession();
  for (const [names, states, word] of [
    [["홍길동", "가족"], ["탈퇴", "활동"], "‘탈퇴’로 바꾸었습니다"],
    [["이가족", "박가족"], ["활동", "활동"], "바꾸지 않았습니다"],
  ] as const) {
    const session = await createMemberSession();
    for (const name of names) await callAs(admin, "PUT", "/api/alumni", { name, email: session.user.email });
    expect((await retire(session)).code).toBe("SUCCESS");
    const rows = await readRows<{ state: string }>("SELECT state FROM alumni ORDER BY rowid");
    expect(rows.map(({ state }) => state)).toEqual(states);
    expect(await readValue("SELECT content FROM privacy_request ORDER BY rowid DESC LIMIT 1")).toContain(word);
    await runSql("DELETE FROM alumni");
  }
});

test("a retiring member without an entry creates no task", async () => {
  const session = await createMemberSession();
  await retire(session, { password: TEST_PASSWORD, alumni: "leave" });
  expect(await readValue("SELECT count(*) FROM privacy_request")).toBe(0);
  expect((await retire(await createMemberSession(), { password: TEST_PASSWORD, alumni: "x" })).code).toBe(
    "INVALID_INPUT",
  );
});
