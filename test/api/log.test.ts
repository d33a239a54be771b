import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { api } from "#worker/api/app.ts";
import { call } from "../client.ts";
import { expectLog, logLines } from "../log.ts";
import { createSignupSettings, createUser, PASSWORD, sentPincode, signIn, verifiedToken } from "../factories.ts";

/** The same database, refusing every statement that matches. */
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

async function callWith(DB: D1Database, path: string, body: unknown) {
  const ctx = createExecutionContext();
  const headers = { "Content-Type": "application/json" };
  const request = new Request(`http://localhost${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const response = await api.fetch(request, { ...env, DB }, ctx);
  await waitOnExecutionContext(ctx);
  return { status: response.status, text: await response.text() };
}

test("neither failures nor successes write a password, a token, a code, an address or a name to the log", async () => {
  expectLog(/no such table/);
  await createSignupSettings();
  const person = await createUser({ userName: "남궁민수" });
  const session = await signIn(person);
  const token = await verifiedToken("fresh@pid.example.kr");
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
  await call("POST", "/api/user/signin", { body: signin });
  await call("POST", "/api/user/signin", { body: { ...signin, userKeyCode: "typed-a-secret-here" } });
  await callWith(failing(/insert into "user"/i), "/api/user/signup", signup);
  await callWith(failing(/user_key/i), "/api/user/signin", { ...signin, password: PASSWORD });
  await callWith(failing(/rate_limit/i), "/api/user-key/check", {
    userKeyType: "Email",
    userKeyCode: "other@pid.example.kr",
  });

  const log = logLines().join("\n");
  expect(log).toContain("INTERNAL_ERROR");
  const pincode = await sentPincode("fresh@pid.example.kr");
  const secrets = [
    PASSWORD,
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

test("a database that fails answers 500 with a number to ask for, and nothing of the cause", async () => {
  expectLog(/no such table/);
  const answer = await callWith(failing(/"user_key"/i), "/api/user-key/check-exists", {
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

test("a session that cannot be checked is nobody's: the answer is an error, never a guest's page", async () => {
  expectLog(/"READ".*no such table/, /UPSTREAM_UNAVAILABLE.*no such table/);
  const session = await signIn(await createUser());
  const ctx = createExecutionContext();
  const request = new Request("http://localhost/api/board/notice", {
    headers: { Authorization: `Bearer ${session.accessToken}` },
  });
  const response = await api.fetch(request, { ...env, DB: failing(/"session"/i) }, ctx);
  await waitOnExecutionContext(ctx);
  expect(response.status).toBe(503);
  expect(await response.text()).not.toContain("boardName");
});
