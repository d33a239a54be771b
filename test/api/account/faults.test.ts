import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { callAs, callJson } from "../../api-client.ts";
import { advanceClock, createSignupSettings, readSentPincode, signupForm } from "../../factories.ts";
import { createMemberSession, createUser, signInUser, TEST_PASSWORD } from "../../people.ts";
import { callApiWith, faultyDatabase } from "../../faulty-database.ts";
import { expectLog } from "../../expected-log.ts";
import { countRows, readRow, readValue, runSql } from "../../test-database.ts";
import { runScheduledJobs } from "../../scheduled-jobs.ts";
import { stubFetch } from "../../stub-fetch.ts";

const EMAIL = "new.person@pid.example.kr";
const MESSAGE_HOSTS = {
  MESSAGE_TRANSPORT: "resend",
  RESEND_API_KEY: "re_test",
  RESEND_API_URL: "https://mail.test",
  SMS_API_KEY: "sms-key",
  SMS_API_SECRET: "sms-secret",
  SMS_FROM: "02-000-0000",
  SMS_API_URL: "https://sms.test",
};

async function form() {
  await createSignupSettings();
  return signupForm(EMAIL);
}

interface SentMessage {
  url: string;
  headers: Headers;
  body: Record<string, unknown>;
}

/** Stands in for the mail and SMS hosts. @returns what they were asked */
function messageHosts(answer: (sent: SentMessage, at: number) => Promise<Response> | Response): SentMessage[] {
  const asked: SentMessage[] = [];
  stubFetch(async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, { ...init, redirect: "manual" });
    const sent = { url: request.url, headers: request.headers, body: (await request.json()) as SentMessage["body"] };
    asked.push(sent);
    return answer(sent, asked.length);
  });
  return asked;
}
const taken = () => Response.json({ id: "mail-1" });

test("F1: the database fails before a sign-up: nothing is stored, the token serves again", async () => {
  expectLog(/D1_ERROR: Network connection lost/);
  const body = await form();
  const { DB, broke } = faultyDatabase({ sql: /insert into "user" /i, when: "before", times: 1 });
  const failed = await callApiWith({ DB }, "POST", "/api/user/signup", { body });
  expect(broke()).toBe(1);
  expect([failed.status, failed.code, failed.message]).toEqual([500, "INTERNAL_ERROR", "회원가입의 실패하였습니다."]);
  expect(failed.text).not.toMatch(/D1_ERROR|Network|sql/i);
  for (const table of ["user", "user_key", "user_consent"]) expect(await countRows(table), table).toBe(0);
  expect((await callJson("POST", "/api/user/signup", { body })).code).toBe("SUCCESS");
});

test("F1: a fault after the user was inserted leaves nothing of the batch", async () => {
  expectLog(/SQLITE_CONSTRAINT_TRIGGER/);
  const body = await form();
  await runSql("CREATE TRIGGER broken BEFORE INSERT ON user_consent BEGIN SELECT RAISE(ABORT, 'full'); END");
  expect((await callJson("POST", "/api/user/signup", { body })).status).toBe(500);
  for (const table of ["user", "user_key", "user_consent"]) expect(await countRows(table), table).toBe(0);
  await runSql("DROP TRIGGER broken");
  expect((await callJson("POST", "/api/user/signup", { body })).code).toBe("SUCCESS");
});

test("F2: the answer of the database is lost after a sign-up: the person is a member, once", async () => {
  const body = await form();
  const { DB, broke } = faultyDatabase({ sql: /insert into "user" /i, when: "after" });
  const first = await callApiWith({ DB }, "POST", "/api/user/signup", { body });
  expect(broke()).toBe(1);
  expect([first.status, first.data]).toEqual([200, { userName: "홍길동" }]);
  expect(await countRows("user")).toBe(1);
});

test("F2: the answer of the site is lost: the same sign-up again answers like the first", async () => {
  expectLog(/D1_ERROR: Network connection lost/);
  const body = await form();
  // Everything after the write fails too, so that the caller learns nothing.
  const { DB } = faultyDatabase({ sql: /insert into "user" |select .* from "user_key"/i, when: "after" });
  expect((await callApiWith({ DB }, "POST", "/api/user/signup", { body })).status).toBe(500);
  advanceClock(5);
  const again = await callJson("POST", "/api/user/signup", { body });
  expect([again.status, again.data]).toEqual([200, { userName: "홍길동" }]);
  expect(await countRows("user")).toBe(1);
  const stranger = await callJson("POST", "/api/user/signup", { body: { ...body, userKeyCode: "somebodyelse" } });
  expect(stranger.status).toBe(409);
});

test("F4: who asks cannot be told: nobody gets anything, and nobody is called a guest", async () => {
  expectLog(/"READ".*Network connection lost/, /UPSTREAM_UNAVAILABLE.*Network connection lost/);
  const session = await createMemberSession();
  const { DB } = faultyDatabase({ sql: /from "session"/i, when: "before" });
  const { accessToken: token } = session;
  for (const options of [{ token }, { cookie: token }, {}]) {
    const answer = await callApiWith({ DB }, "GET", `/api/user/${session.user.id}`, options);
    expect([answer.status, answer.code, answer.data], JSON.stringify(options)).toEqual([
      503,
      "UPSTREAM_UNAVAILABLE",
      undefined,
    ]);
    expect(answer.message, JSON.stringify(options)).toBe("일시적인 오류가 발생했습니다. 잠시 후 다시 시도해 주십시오.");
  }
});

test("F5: without its counter no code is compared and no password either", async () => {
  expectLog(/INTERNAL_ERROR.*Network connection lost/);
  const person = await createUser();
  const sent = await callJson("POST", "/api/user-key/check", { body: { userKeyType: "Email", userKeyCode: EMAIL } });
  const { DB } = faultyDatabase({ sql: /rate_limit/i, when: "before" });
  const confirm = { userKeyToken: sent.data.userKeyToken, pincode: "000000" };
  const signin = { userKeyType: "Id", userKeyCode: person.userId, password: TEST_PASSWORD };
  for (const [path, body] of [
    ["/api/user-key/confirm", confirm],
    ["/api/user/signin", signin],
    ["/api/user-key/check", { userKeyType: "Email", userKeyCode: "x@pid.example.kr" }],
    ["/api/user/reset-password-token", { email: person.email }],
  ] as const) {
    const answer = await callApiWith({ DB }, "POST", path, { body });
    expect([answer.status, answer.data], path).toEqual([500, undefined]);
  }
  expect(await readValue("SELECT attempts FROM verification")).toBe(0);
  expect(await countRows("session")).toBe(0);
  expect((await callJson("GET", "/api/board-item?boardCode=notice")).status).toBe(200);
});

test.each([
  ["500", () => new Response("oops", { status: 500 })],
  ["429", () => Response.json({ name: "rate_limit_exceeded", message: "slow down" }, { status: 429 })],
  ["reset", () => Promise.reject(new TypeError("connection reset"))],
  ["hang", () => new Promise<Response>(() => undefined)],
])(
  "F9: a mail host that answers with %s: the text of the spec within five seconds, and the slot is free",
  async (_, answer) => {
    expectLog(/UPSTREAM_UNAVAILABLE.*(mail refused|message provider timed out)/);
    const asked = messageHosts(answer);
    const body = { userKeyType: "Email", userKeyCode: EMAIL };
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const answered = callApiWith(MESSAGE_HOSTS, "POST", "/api/user-key/check", { body });
    await vi.waitFor(() => expect(asked).toHaveLength(1), 20_000);
    await vi.advanceTimersByTimeAsync(5000);
    const failed = await answered;
    vi.useRealTimers();
    expect([failed.status, failed.code, failed.message]).toEqual([
      503,
      "UPSTREAM_UNAVAILABLE",
      "인증번호 발송에 실패했습니다.",
    ]);
    const pincode = /\d{6}/.exec(String(asked[0]?.body.text))?.[0] ?? "";
    expect(pincode).toHaveLength(6);
    expect([failed.message, JSON.stringify(failed.data ?? null)].join()).not.toContain(pincode);
    messageHosts(taken);
    expect((await callApiWith(MESSAGE_HOSTS, "POST", "/api/user-key/check", { body })).code).toBe("SUCCESS");
  },
);

/** The real KV, but for what is told. */
const keyValues = (parts: object) => ({
  KV: { get: env.KV.get.bind(env.KV), put: env.KV.put.bind(env.KV), delete: env.KV.delete.bind(env.KV), ...parts },
});

test("F12: KV that takes nothing is told as a code that was not sent; one that forgot the token opens nothing", async () => {
  expectLog(/UPSTREAM_UNAVAILABLE.*KV PUT failed/);
  const full = keyValues({ put: () => Promise.reject(new Error("KV PUT failed: 429 Too Many Requests")) });
  const body = { userKeyType: "Email", userKeyCode: EMAIL };
  const refused = await callApiWith(full, "POST", "/api/user-key/check", { body });
  expect([refused.status, refused.message]).toEqual([503, "인증번호 발송에 실패했습니다."]);
  // The minute was not used up.
  const sent = await callApiWith({}, "POST", "/api/user-key/check", { body });
  expect(sent.status).toBe(200);
  const confirm = { userKeyToken: sent.data?.userKeyToken, pincode: await readSentPincode(EMAIL) };
  const empty = keyValues({ get: () => Promise.resolve(null) });
  expect((await callApiWith(empty, "POST", "/api/user-key/confirm", { body: confirm })).code).toBe("PINCODE_EXPIRED");
  expect((await callApiWith({}, "POST", "/api/user-key/confirm", { body: confirm })).status).toBe(200);
});

test("F12: KV that still shows what was used makes no code and no token serve twice", async () => {
  const kept = new Map<string, unknown>();
  const stale = keyValues({
    get: async (key: string, type: "json") => {
      if (!kept.has(key)) kept.set(key, await env.KV.get(key, type));
      return kept.get(key);
    },
    delete: () => Promise.resolve(),
  });
  const body = await form();
  expect((await callApiWith(stale, "POST", "/api/user/signup", { body })).status).toBe(200);
  const again = { ...body, userKeyCode: "another" };
  expect((await callApiWith(stale, "POST", "/api/user/signup", { body: again })).status).not.toBe(200);
  expect(await countRows("user")).toBe(1);
  const key = { userKeyType: "Email", userKeyCode: "second@pid.example.kr" };
  const sent = await callApiWith(stale, "POST", "/api/user-key/check", { body: key });
  const confirm = { userKeyToken: sent.data?.userKeyToken, pincode: await readSentPincode(key.userKeyCode) };
  expect((await callApiWith(stale, "POST", "/api/user-key/confirm", { body: confirm })).status).toBe(200);
  expect((await callApiWith(stale, "POST", "/api/user-key/confirm", { body: confirm })).code).toBe("PINCODE_EXPIRED");
});

test("F9: a dead mail host changes nothing about a reset request, known or not", async () => {
  const person = await createUser();
  messageHosts(() => new Response("oops", { status: 500 }));
  for (const email of [person.email, "nobody@pid.example.kr"]) {
    const answer = await callApiWith(MESSAGE_HOSTS, "POST", "/api/user/reset-password-token", { body: { email } });
    expect([answer.status, Object.keys(answer.data ?? {})], JSON.stringify(email)).toEqual([200, ["userToken"]]);
  }
});

test("F9: a notice that could not be sent is kept and sent later; the change it tells of stands", async () => {
  expectLog(/message.failed.*mail refused/);
  const session = await createMemberSession();
  const asked = messageHosts((_, at) => (at === 1 ? new Response("oops", { status: 500 }) : taken()));
  const body = { password: TEST_PASSWORD, newPassword: "Zk7!mQ2x" };
  const path = `/api/user/change-password/${session.user.id}`;
  expect((await callApiWith(MESSAGE_HOSTS, "POST", path, { body, token: session.accessToken })).code).toBe("SUCCESS");
  expect(await readValue("SELECT status FROM message")).toBe("queued");
  advanceClock(61_000);
  await runScheduledJobs({ ...env, ...MESSAGE_HOSTS } as unknown as Env);
  await runScheduledJobs({ ...env, ...MESSAGE_HOSTS } as unknown as Env);
  expect(await readValue("SELECT status FROM message")).toBe("sent");
  expect(asked).toHaveLength(2);
});

test("F10: a mail that was taken though its answer was lost is one mail: the same idempotency key comes again", async () => {
  expectLog(/message.failed.*mail refused/);
  const session = await createMemberSession();
  const asked = messageHosts((_, at) => (at === 1 ? Promise.reject(new TypeError("reset")) : taken()));
  const body = { password: TEST_PASSWORD, newPassword: "Zk7!mQ2x" };
  await callApiWith(MESSAGE_HOSTS, "POST", `/api/user/change-password/${session.user.id}`, {
    body,
    token: session.accessToken,
  });
  advanceClock(61_000);
  await runScheduledJobs({ ...env, ...MESSAGE_HOSTS } as unknown as Env);
  const keys = asked.map(({ headers }) => headers.get("Idempotency-Key"));
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
});

test("a code leaves no trace of itself in the database once a real host takes it", async () => {
  const asked = messageHosts(taken);
  const body = { userKeyType: "Email", userKeyCode: EMAIL };
  const answer = await callApiWith(MESSAGE_HOSTS, "POST", "/api/user-key/check", { body });
  const pincode = /\d{6}/.exec(String(asked[0]?.body.text))?.[0] ?? "none";
  expect(asked[0]?.url).toBe("https://mail.test/emails");
  expect(asked[0]?.body.to).toEqual([EMAIL]);
  expect(answer.text).not.toContain(pincode);
  const { results } = await env.DB.prepare("SELECT * FROM message").all();
  expect(results).toHaveLength(1);
  expect(JSON.stringify(results)).not.toContain(pincode);
});

test("an SMS is signed as Solapi documents it, and refused when the host says so inside a 200", async () => {
  expectLog(/UPSTREAM_UNAVAILABLE.*SMS refused: 3010/);
  const { createHmac } = await import("node:crypto");
  const asked = messageHosts((_, at) => Response.json({ statusCode: at === 1 ? "2000" : "3010" }));
  const body = { userKeyType: "Mobile", userKeyCode: "010-1234-5678" };
  const now = new Date();
  vi.useFakeTimers({ toFake: ["Date"], now });
  expect((await callApiWith(MESSAGE_HOSTS, "POST", "/api/user-key/check", { body })).code).toBe("SUCCESS");
  const [sms] = asked;
  expect(sms?.url).toBe("https://sms.test/messages/v4/send");
  expect(sms?.body.message).toMatchObject({ to: "01012345678", from: "020000000" });
  const header = /^HMAC-SHA256 apiKey=sms-key, date=(\S+), salt=(\w{12,64}), signature=([0-9a-f]{64})$/.exec(
    sms?.headers.get("Authorization") ?? "",
  );
  const [, date = "", salt = "", signature] = header ?? [];
  expect(
    createHmac("sha256", "sms-secret")
      .update(date + salt)
      .digest("hex"),
  ).toBe(signature);
  expect(date).toBe(now.toISOString());

  const refused = { userKeyType: "Mobile", userKeyCode: "010-2222-3333" };
  const answer = await callApiWith(MESSAGE_HOSTS, "POST", "/api/user-key/check", { body: refused });
  expect([answer.status, answer.message]).toEqual([503, "인증번호 발송에 실패했습니다."]);
});

test.each(["before", "after"] as const)(
  "F14: a fault %s the batch of a retirement: fully active or fully retired",
  async (when) => {
    expectLog(/D1_ERROR: Network connection lost/);
    const session = await signInUser(await createUser({ userName: "홍길동" }));
    const { DB, broke } = faultyDatabase({ sql: /update "user" set "user_name"/i, when, times: 1 });
    const answer = await callApiWith({ DB }, "POST", "/api/user/retire", {
      token: session.accessToken,
      body: { password: TEST_PASSWORD },
    });
    expect(broke()).toBe(1);
    expect(answer.status).toBe(500);
    const row = await readRow("SELECT status, user_name FROM user WHERE id = ?", session.user.id);
    const keys = await countRows("user_key");
    const sessions = await countRows("session");
    if (when === "before") {
      expect([row, keys, sessions]).toEqual([{ status: "active", user_name: "홍길동" }, 2, 1]);
      expect((await callAs(session, "GET", `/api/user/${session.user.id}`)).status).toBe(200);
    } else {
      expect([row, keys, sessions]).toEqual([{ status: "retired", user_name: "탈퇴한 회원" }, 0, 0]);
    }
  },
);

test("F14: a statement that fails within the batch of a retirement leaves the member whole", async () => {
  expectLog(/SQLITE_CONSTRAINT_TRIGGER/);
  const session = await signInUser(await createUser({ userName: "홍길동" }));
  await runSql(
    "CREATE TRIGGER broken BEFORE INSERT ON audit_log WHEN NEW.action = 'user.retire' BEGIN SELECT RAISE(ABORT, 'full'); END",
  );
  const answer = await callAs(session, "POST", "/api/user/retire", { password: TEST_PASSWORD });
  expect([answer.status, answer.code]).toEqual([500, "INTERNAL_ERROR"]);
  expect(await countRows("user_key")).toBe(2);
  expect((await callAs(session, "GET", `/api/user/${session.user.id}`)).data.userName).toBe("홍길동");
});
