import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { advanceClock, readSentPincode } from "../../support/factories.ts";
import { createMemberSession, createUser, TEST_PASSWORD } from "../../support/people.ts";
import { callApiWith } from "../../support/faulty-database.ts";
import { expectLog } from "../../support/expected-log.ts";
import { countRows, readValue } from "../../support/test-database.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import {
  NEW_PERSON_EMAIL,
  MESSAGE_HOSTS,
  newPersonForm,
  stubMessageHosts,
  messageTaken,
} from "../../hosts/message-hosts.ts";

const keyValues = (parts: object) => ({
  KV: { get: env.KV.get.bind(env.KV), put: env.KV.put.bind(env.KV), delete: env.KV.delete.bind(env.KV), ...parts },
});

test("a failing KV write is reported as an unsent code", async () => {
  expectLog(/UPSTREAM_UNAVAILABLE.*KV PUT failed/);
  const full = keyValues({ put: () => Promise.reject(new Error("KV PUT failed: 429 Too Many Requests")) });
  const body = { userKeyType: "Email", userKeyCode: NEW_PERSON_EMAIL };
  const refused = await callApiWith(full, "POST", "/api/user-key/check", { body });
  expect([refused.status, refused.message]).toEqual([503, "인증번호 발송에 실패했습니다."]);
  // The failed send does not use up the one-minute limit.
  const sent = await callApiWith({}, "POST", "/api/user-key/check", { body });
  expect(sent.status).toBe(200);
  const confirm = { userKeyToken: sent.data?.userKeyToken, pincode: await readSentPincode(NEW_PERSON_EMAIL) };
  const empty = keyValues({ get: () => Promise.resolve(null) });
  expect((await callApiWith(empty, "POST", "/api/user-key/confirm", { body: confirm })).code).toBe("PINCODE_EXPIRED");
  expect((await callApiWith({}, "POST", "/api/user-key/confirm", { body: confirm })).status).toBe(200);
});

test("stale KV reads do not let a code be used twice", async () => {
  const kept = new Map<string, unknown>();
  const stale = keyValues({
    get: async (key: string, type: "json") => {
      if (!kept.has(key)) kept.set(key, await env.KV.get(key, type));
      return kept.get(key);
    },
    delete: () => Promise.resolve(),
  });
  const body = await newPersonForm();
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

test("a failing mail host does not change the reset answer", async () => {
  const person = await createUser();
  stubMessageHosts(() => new Response("oops", { status: 500 }));
  for (const email of [person.email, "nobody@pid.example.kr"]) {
    const answer = await callApiWith(MESSAGE_HOSTS, "POST", "/api/user/reset-password-token", { body: { email } });
    expect([answer.status, Object.keys(answer.data ?? {})], JSON.stringify(email)).toEqual([
      200,
      ["userToken", "resendSeconds"],
    ]);
  }
});

test("an unsent notice is sent later", { tags: "full" }, async () => {
  expectLog(/message.failed.*mail refused/);
  const session = await createMemberSession();
  const asked = stubMessageHosts((_, at) => (at === 1 ? new Response("oops", { status: 500 }) : messageTaken()));
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

test("a retried mail reuses its idempotency key", async () => {
  expectLog(/message.failed.*mail refused/);
  const session = await createMemberSession();
  const asked = stubMessageHosts((_, at) => (at === 1 ? Promise.reject(new TypeError("reset")) : messageTaken()));
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

test("a code leaves no trace once a real host accepts it", async () => {
  const asked = stubMessageHosts(messageTaken);
  const body = { userKeyType: "Email", userKeyCode: NEW_PERSON_EMAIL };
  const answer = await callApiWith(MESSAGE_HOSTS, "POST", "/api/user-key/check", { body });
  const pincode = /\d{6}/.exec(String(asked[0]?.body.text))?.[0] ?? "none";
  expect(asked[0]?.url).toBe("https://mail.test/emails");
  expect(asked[0]?.body.to).toEqual([NEW_PERSON_EMAIL]);
  expect(answer.text).not.toContain(pincode);
  const { results } = await env.DB.prepare("SELECT * FROM message").all();
  expect(results).toHaveLength(1);
  expect(JSON.stringify(results)).not.toContain(pincode);
});

test("an SMS is signed as Solapi documents", async () => {
  expectLog(/UPSTREAM_UNAVAILABLE.*SMS refused: 3010/);
  const { createHmac } = await import("node:crypto");
  const asked = stubMessageHosts((_, at) => Response.json({ statusCode: at === 1 ? "2000" : "3010" }));
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
