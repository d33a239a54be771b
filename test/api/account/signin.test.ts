import { env } from "cloudflare:workers";
import Argon2, { Argon2Type } from "@phi-ag/argon2";
import { expect, test, vi } from "vitest";
import { callAs } from "../../support/api-client.ts";
import { advanceClock, createSignupSettings, leaveOfLimit, sentMessages } from "../../support/factories.ts";
import { callApiWith, faultyDatabase } from "../../support/faulty-database.ts";
import { createAdministratorSession, createMemberSession, createUser, TEST_PASSWORD } from "../../support/people.ts";
import { requirePresent } from "../../support/require-present.ts";
import { readValue, runSql } from "../../support/test-database.ts";
import { MINUTE, refreshTokens, setAccountStatus, createSessionWith } from "../../calls/account-calls.ts";

const waitOf = (answer: { headers: Headers }) => Number(answer.headers.get("Retry-After"));

test("a sign-in answer holds only tokens, person, permissions", async () => {
  const person = await createUser();
  const { data, headers } = await createSessionWith(person);
  expect(Object.keys(data).toSorted()).toEqual(["accessToken", "refreshToken", "user"]);
  expect(data.user).toEqual({
    id: person.id,
    userName: "홍길동",
    userType: "Member",
    role: { roleCode: "member", roleName: expect.any(String), permissions: expect.any(Array) },
  });
  const claims = JSON.parse(atob(data.accessToken.split(".")[1]));
  expect(Object.keys(claims).toSorted()).toEqual([
    "aud",
    "exp",
    "iat",
    "iss",
    "jti",
    "roleCode",
    "sid",
    "sub",
    "typ",
    "userType",
  ]);
  expect(claims.exp - claims.iat).toBe(1800);
  const cookie = headers.get("Set-Cookie") ?? "";
  expect(cookie).toMatch(/^accessToken=/);
  expect(cookie).toContain(`accessToken=${data.accessToken}`);
  expect(cookie).toMatch(/HttpOnly/);
  expect(cookie).toMatch(/SameSite=Lax/);
  expect(cookie).not.toMatch(/Secure/);
});

test("each cause of a refused sign-in has its own text", async () => {
  const person = await createUser();
  const wrong = await createSessionWith(person, "Wrong!123");
  expect([wrong.status, wrong.code, wrong.message]).toEqual([
    401,
    "INVALID_CREDENTIAL",
    "계정 정보가 일치하지 않습니다. 다시 입력해주세요.",
  ]);
  const unknown = await createSessionWith({ userId: "nobody" });
  expect([unknown.status, unknown.code, unknown.message]).toEqual([404, "NOT_FOUND", "회원 정보가 없습니다."]);
  for (const status of ["blocked", "waiting"]) {
    await setAccountStatus(person.id, status);
    const closed = await createSessionWith(person);
    expect([closed.status, closed.code, closed.message]).toEqual([
      406,
      "NOT_ACCEPTABLE",
      "로그인에 실패했습니다. 관리자에게 문의해주세요.",
    ]);
    expect((await createSessionWith(person, "Wrong!123")).code, JSON.stringify(status)).toBe("INVALID_CREDENTIAL");
  }
});

test.each([[{ $ne: 1 }], [["a"]], [1], [true], [null], ["x".repeat(1_000)], [""]])(
  "a malformed password (%j) is refused by its shape",
  async (password) => {
    const person = await createUser();
    expect((await createSessionWith(person, password)).code).toBe("INVALID_INPUT");
  },
);

test("an overlong password counts as a wrong one", async () => {
  const person = await createUser();
  expect((await createSessionWith(person, `${TEST_PASSWORD}${"x".repeat(100)}`)).code).toBe("INVALID_CREDENTIAL");
});

test("five failures lock sign-in for fifteen minutes", async () => {
  const person = await createUser();
  const from = "203.0.113.5";
  for (let n = 0; n < 5; n += 1)
    expect((await createSessionWith(person, "Wrong!123", from)).code, `${n}`).toBe("INVALID_CREDENTIAL");
  const first = await createSessionWith(person, TEST_PASSWORD, from);
  expect([first.status, first.code, first.message]).toEqual([
    429,
    "TOO_MANY_REQUESTS",
    "요청이 너무 많습니다. 15분 뒤에 다시 시도해 주십시오.",
  ]);
  expect(waitOf(first)).toBeGreaterThan(14 * 60);
  expect((await createSessionWith(person, TEST_PASSWORD, "203.0.113.6")).code).toBe("SUCCESS");

  advanceClock(15 * MINUTE + 2000);
  for (let n = 0; n < 5; n += 1)
    expect((await createSessionWith(person, "Wrong!123", from)).code, `${n}`).toBe("INVALID_CREDENTIAL");
  const second = await createSessionWith(person, TEST_PASSWORD, from);
  expect(waitOf(second)).toBeGreaterThan(29 * 60);
  expect(waitOf(second)).toBeLessThanOrEqual(30 * 60);

  advanceClock(30 * MINUTE + 2000);
  expect((await createSessionWith(person, TEST_PASSWORD, from)).code).toBe("SUCCESS");
});

test("a successful sign-in clears the failures of that account", async () => {
  const person = await createUser();
  for (let round = 0; round < 2; round += 1) {
    for (let n = 0; n < 4; n += 1) await createSessionWith(person, "Wrong!123");
    expect((await createSessionWith(person)).code, `${round}`).toBe("SUCCESS");
  }
});

test("of a hundred simultaneous wrong passwords at most five are compared", async () => {
  const person = await createUser();
  const answers = await Promise.all(Array.from({ length: 100 }, () => createSessionWith(person, "Wrong!123")));
  expect(answers.filter(({ code }) => code === "INVALID_CREDENTIAL")).toHaveLength(5);
  expect(answers.filter(({ code }) => code === "TOO_MANY_REQUESTS")).toHaveLength(95);
});

test("twelve simultaneous correct sign-ins all succeed", async () => {
  const person = await createUser();
  const answers = await Promise.all(Array.from({ length: 12 }, () => createSessionWith(person)));
  expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(["SUCCESS"]));
  const live = await readValue("SELECT count(*) AS n FROM session WHERE revoked_date IS NULL");
  expect(live).toBe(10);
});

test("failures of others at an address leave each account three tries", async () => {
  await leaveOfLimit(10, "signinFailureAddress", "203.0.113.7");
  const people = await Promise.all(Array.from({ length: 8 }, () => createUser()));
  for (let n = 0; n < 10; n += 1)
    await createSessionWith(requirePresent(people[Math.floor(n / 4)]), "Wrong!123", "203.0.113.7");
  const trySignin = async (at: number, password: string, address = "203.0.113.7") =>
    (await createSessionWith(requirePresent(people[at]), password, address)).code;
  expect(await trySignin(7, TEST_PASSWORD)).toBe("SUCCESS");
  for (let n = 0; n < 3; n += 1) expect(await trySignin(6, `Wrong!${n}`)).toBe("INVALID_CREDENTIAL");
  expect(await trySignin(6, "Wrong!123")).toBe("TOO_MANY_REQUESTS");
  expect(await trySignin(6, TEST_PASSWORD, "203.0.113.8")).toBe("SUCCESS");
  for (let n = 0; n < 2; n += 1) expect(await trySignin(5, `Wrong!${n}`)).toBe("INVALID_CREDENTIAL");
  expect(await trySignin(5, TEST_PASSWORD)).toBe("SUCCESS");
});

test("the owner gets one mail after ten failures", async () => {
  const person = await createUser();
  for (let n = 0; n < 12; n += 1) await createSessionWith(person, "Wrong!123", `203.0.113.${Math.floor(n / 5)}`);
  expect((await sentMessages(person.email)).map(({ subject }) => subject)).toEqual([
    "[새 홈페이지] 로그인 실패가 여러 번 있었습니다",
  ]);
  expect((await createSessionWith(person, TEST_PASSWORD, "203.0.113.0")).status).toBe(429);
  expect((await createSessionWith(person, TEST_PASSWORD, "203.0.113.1")).status).toBe(429);

  const { unlockSignin } = await import("#worker/domain/access/password-attempt.server.ts");
  const { contextFor } = await import("../../support/request-scope.ts");
  const other = await createMemberSession();
  await expect(unlockSignin(await contextFor(null), person.id)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  await expect(unlockSignin(await contextFor(other), person.id)).rejects.toMatchObject({ code: "FORBIDDEN" });
  await unlockSignin(await contextFor(await createAdministratorSession()), person.id);
  expect((await createSessionWith(person, TEST_PASSWORD, "203.0.113.0")).code).toBe("SUCCESS");
  expect((await createSessionWith(person, TEST_PASSWORD, "203.0.113.1")).code).toBe("SUCCESS");
});

test("the log records a sign-in without the typed input", async () => {
  const person = await createUser();
  await createSessionWith(person, "Wrong!123");
  await createSessionWith({ userId: "typed-a-password-here" });
  await createSessionWith(person);
  const { results } = await env.DB.prepare("SELECT action, target_id, detail FROM audit_log ORDER BY id").all();
  expect(results).toEqual([
    { action: "signin.failed", target_id: person.id, detail: '{"cause":"password"}' },
    { action: "signin.failed", target_id: "", detail: '{"cause":"unknown"}' },
    { action: "signin", target_id: person.id, detail: null },
  ]);
});

test("an unknown key takes as long as a wrong password", async () => {
  const person = await createUser();
  await createSessionWith(person);
  const derive = vi.spyOn(Argon2.prototype, "hash");
  const costs = async (run: () => Promise<unknown>) => {
    derive.mockClear();
    await run();
    return derive.mock.calls.map(([, { memoryCost, timeCost, parallelism, type } = {}]) => ({
      memoryCost,
      timeCost,
      parallelism,
      type,
    }));
  };
  const known = await costs(() => createSessionWith(person, "Wrong!123"));
  expect(known).toEqual([{ memoryCost: 19_456, timeCost: 2, parallelism: 1, type: Argon2Type.Argon2id }]);
  expect(await costs(() => createSessionWith({ userId: "nobody" }))).toEqual(known);
});

test("a password or account that changes during the comparison opens no session", async () => {
  for (const change of ["password_hash = 'changed'", "status = 'blocked'"]) {
    const person = await createUser();
    const { DB, broke } = faultyDatabase({
      sql: /insert into "session"/i,
      when: () => runSql(`UPDATE user SET ${change} WHERE id = ?`, person.id),
    });
    const body = { userKeyType: "Id", userKeyCode: person.userId, password: TEST_PASSWORD };
    const answer = await callApiWith({ DB }, "POST", "/api/user/signin", { body });
    expect([change, broke(), answer.code]).toEqual([change, 1, "INVALID_CREDENTIAL"]);
    expect(await readValue("SELECT count(*) AS n FROM session WHERE user_id = ?", person.id)).toBe(0);
  }
});

test("an outdated hash is renewed at sign-in", { tags: "full" }, async () => {
  const { scryptSync, createHmac } = await import("node:crypto");
  const salt = Buffer.alloc(16, 7);
  for (const [N, r, p] of [
    [2 ** 12, 8, 1],
    [2 ** 14, 8, 5],
  ] as const) {
    const person = await createUser();
    const storedHash = () => readValue("SELECT password_hash FROM user WHERE id = ?", person.id);
    const key = scryptSync(TEST_PASSWORD, salt, 32, { N, r, p });
    const old = `scrypt$${N}$${r}$${p}$${salt.toString("base64url")}$${createHmac("sha256", env.PASSWORD_PEPPER).update(key).digest("base64url")}$pep1`;
    await runSql("UPDATE user SET password_hash = ? WHERE id = ?", old, person.id);
    expect((await createSessionWith(person, "Wrong!123")).code, `${N}`).toBe("INVALID_CREDENTIAL");
    expect(await storedHash(), `${N}`).toBe(old);
    // Another tab has already renewed the compared hash.
    const { DB, broke } = faultyDatabase({
      sql: /insert into "session"/i,
      times: 1,
      when: () => createSessionWith(person),
    });
    const body = { userKeyType: "Id", userKeyCode: person.userId, password: TEST_PASSWORD };
    const slower = await callApiWith({ DB }, "POST", "/api/user/signin", { body });
    expect([N, broke(), slower.code]).toEqual([N, 1, "SUCCESS"]);
    expect(await storedHash(), `${N}`).toMatch(/^argon2id\$19456\$2\$1\$[\w-]{22}\$[\w-]{43}\$pep-[\w-]{8}$/);
    expect((await createSessionWith(person)).code, `${N}`).toBe("SUCCESS");
    expect((await createSessionWith(person, "Wrong!123")).code, `${N}`).toBe("INVALID_CREDENTIAL");
  }
});

test("a newer required agreement is listed until accepted", async () => {
  await createSignupSettings();
  const session = await createMemberSession();
  const terms = { code: "terms", title: "이용약관", version: "1", required: true };
  const answer = await createSessionWith(session.user);
  expect(answer.data.pendingAgreements).toEqual([terms]);
  expect((await refreshTokens(answer.data.refreshToken)).data.pendingAgreements).toEqual([terms]);
  await callAs(session, "PATCH", `/api/user/${session.user.id}/consents`, {
    agreements: [{ code: "terms", version: "1", agreed: true }],
  });
  expect((await createSessionWith(session.user)).data.pendingAgreements).toBeUndefined();

  await env.DB.batch([
    env.DB.prepare("UPDATE agreement SET is_current = 0 WHERE code = 'terms'"),
    env.DB.prepare(
      "INSERT INTO agreement (code, version, title, required, content, text_hash, effective_date, is_current) VALUES ('terms', '2', '이용약관', 1, '', 'z', 1, 1)",
    ),
  ]);
  expect((await createSessionWith(session.user)).data.pendingAgreements).toEqual([{ ...terms, version: "2" }]);
});
