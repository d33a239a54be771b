import { faultyDatabase } from "../../support/faulty-database.ts";
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { api } from "#worker/api/app.ts";
import { runInvocation } from "../../support/platform-meter.ts";
import { withoutTokens } from "#worker/log.ts";
import { callJson, fetchApi } from "../../support/api-client.ts";
import { CALLS } from "../../calls/calls.ts";
import { createSignupSettings, createVerifiedToken, readSentPincode } from "../../support/factories.ts";
import { createUser, signInUser, TEST_PASSWORD } from "../../support/people.ts";
import { expectLog, logLines } from "../../support/expected-log.ts";

/** Database that fails every matching statement. */
function failing(pattern: RegExp): D1Database {
  return new Proxy(env.DB, {
    get(target, key) {
      if (key === "prepare") {
        return (query: string) => {
          if (pattern.test(query)) throw new Error(`D1_ERROR: no such table near ${query}`);
          return target.prepare(query);
        };
      }
      return (target[key as keyof D1Database] as (...args: unknown[]) => unknown).bind(target);
    },
  });
}

async function callWithDatabase(DB: D1Database, path: string, body: unknown) {
  const ctx = createExecutionContext();
  const headers = { "Content-Type": "application/json" };
  const request = new Request(`http://localhost${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const response = await runInvocation(() => api.fetch(request, { ...env, DB }, ctx));
  await waitOnExecutionContext(ctx);
  return { status: response.status, text: await response.text() };
}

test("the log contains no password, token, code, address or name", async () => {
  expectLog(/no such table/);
  await createSignupSettings();
  const person = await createUser({ userName: "남궁민수" });
  const session = await signInUser(person);
  const token = await createVerifiedToken("fresh@pid.example.kr");
  const signup = {
    userKeyType: "Id",
    userKeyCode: "freshman",
    password: "Fresh!2345",
    userName: "선우현",
    profile: { affiliation: "새솔의료원" },
    userKeyTokenForEmail: token,
    agreements: [{ code: "terms", version: "1" }],
  };
  const signin = { userKeyType: "Id", userKeyCode: person.userId, password: "Wrong!2345" };
  await callJson("POST", "/api/user/signin", { body: signin });
  await callJson("POST", "/api/user/signin", { body: { ...signin, userKeyCode: "typed-a-secret-here" } });
  await callWithDatabase(failing(/insert into "user"/i), "/api/user/signup", signup);
  await callWithDatabase(failing(/user_key/i), "/api/user/signin", { ...signin, password: TEST_PASSWORD });
  await callWithDatabase(failing(/rate_limit/i), "/api/user-key/check", {
    userKeyType: "Email",
    userKeyCode: "other@pid.example.kr",
  });

  const log = logLines().join("\n");
  expect(log).toContain("INTERNAL_ERROR");
  const pincode = await readSentPincode("fresh@pid.example.kr");
  const secrets = [
    TEST_PASSWORD,
    "Wrong!2345",
    "Fresh!2345",
    token,
    session.accessToken,
    session.refreshToken,
    pincode,
    person.email,
    person.userId,
    person.userName,
    "선우현",
    "freshman",
    "fresh@pid.example.kr",
    "other@pid.example.kr",
    "typed-a-secret-here",
  ];
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
});

test("a failing database answers 500 without a cause", async () => {
  expectLog(/no such table/);
  const answer = await callWithDatabase(failing(/"user_key"/i), "/api/user-key/check-exists", {
    userKeyType: "Id",
    userKeyCode: "someone",
  });
  expect(answer.status).toBe(500);
  expect(JSON.parse(answer.text)).toEqual({
    code: "INTERNAL_ERROR",
    message: "일시적인 오류가 발생했습니다. 잠시 후 다시 시도해 주십시오.",
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

test("a session that cannot be checked gets an error", async () => {
  expectLog(/"READ".*Network connection lost/, /UPSTREAM_UNAVAILABLE.*Network connection lost/);
  const session = await signInUser(await createUser());
  const ctx = createExecutionContext();
  const request = new Request("http://localhost/api/board/notice", {
    headers: { Authorization: `Bearer ${session.accessToken}` },
  });
  const { DB } = faultyDatabase({ sql: /from "session"/i, when: "before" });
  const response = await runInvocation(() => api.fetch(request, { ...env, DB }, ctx));
  await waitOnExecutionContext(ctx);
  expect(response.status).toBe(503);
  expect(await response.text()).not.toContain("boardName");
});

test("no logged path contains a token that grants access", async () => {
  expectLog(/Network connection lost/);
  const token = `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll("-", "").slice(0, 43);
  const { DB } = faultyDatabase({ sql: /./, when: "before" });
  const calls = Object.keys(CALLS).filter((name) => /:(?:token|ticket)\b/.test(name));
  for (const name of calls) {
    const [method = "", route = ""] = name.split(" ");
    for (const secret of [token, `${token}.${token}`])
      await fetchApi(
        method,
        route.replace(/:\w+/g, () => secret),
        { vars: { ...env, DB } },
      );
  }
  expect(calls.length).toBeGreaterThan(7);
  expect(logLines().length).toBeGreaterThan(4);
  expect(logLines().filter((line) => line.includes(token))).toEqual([]);

  const id = crypto.randomUUID();
  expect(withoutTokens(`/api/alumni/${id}/restore`)).toBe(`/api/alumni/${id}/restore`);
  expect(withoutTokens("/api/site-setting/authentication-of-a-long-name")).toBe(
    "/api/site-setting/authentication-of-a-long-name",
  );
  for (const path of [`/confirm/${token}`, `/mail/off/${token}.data`, `/Certificate/${token}`])
    expect(withoutTokens(path)).toBe(path.replace(/[^/]+$/, "*"));
});
