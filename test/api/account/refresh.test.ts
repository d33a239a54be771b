import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { createTokenSigner } from "#worker/adapters/token.server.ts";
import { callJson } from "../../support/api-client.ts";
import { advanceClock, sentMessages } from "../../support/factories.ts";
import { callApiWith, faultyDatabase } from "../../support/faulty-database.ts";
import { createAdministratorSession, createMemberSession } from "../../support/people.ts";
import { requirePresent } from "../../support/require-present.ts";
import { readValue, runSql } from "../../support/test-database.ts";
import { MINUTE, refreshTokens, setAccountStatus } from "../../calls/account-calls.ts";

const HOUR = 60 * MINUTE;

const me = (id: string, token: string) => callJson("GET", `/api/user/${id}`, { token });

test("the old access token stays valid after a refresh", async () => {
  const session = await createMemberSession();
  const { data } = await refreshTokens(session.refreshToken);
  expect(data.refreshToken).not.toBe(session.refreshToken);
  expect(data.user.id).toBe(session.user.id);
  expect((await me(session.user.id, data.accessToken)).status).toBe(200);
  expect((await me(session.user.id, session.accessToken)).status).toBe(200);
});

test("two tabs that refresh at once both stay signed in", async () => {
  const session = await createMemberSession();
  const tabs = await Promise.all([refreshTokens(session.refreshToken), refreshTokens(session.refreshToken)]);
  for (const { data } of tabs) expect((await me(session.user.id, data.accessToken)).status).toBe(200);
  for (const { data } of tabs) expect((await refreshTokens(data.refreshToken)).status).toBe(200);
});

test("simultaneous refreshes of many tabs keep the session", { tags: "full" }, async () => {
  const session = await createMemberSession();
  const answers = await Promise.all(Array.from({ length: 20 }, () => refreshTokens(session.refreshToken)));
  const served = answers.filter(({ code }) => code === "SUCCESS");
  expect(served).toHaveLength(3);
  for (const answer of answers.filter(({ code }) => code !== "SUCCESS")) expect(answer.code).toBe("TOO_MANY_REQUESTS");
  expect((await refreshTokens(requirePresent(served[0]).data.refreshToken)).status).toBe(200);
});

test("an unused token of a second tab expires alone", async () => {
  const session = await createMemberSession();
  const [first, second] = await Promise.all([refreshTokens(session.refreshToken), refreshTokens(session.refreshToken)]);
  let { refreshToken } = first.data;
  for (let week = 0; week < 2; week += 1) {
    advanceClock(7 * 24 * HOUR + MINUTE);
    ({ refreshToken } = (await refreshTokens(refreshToken)).data);
  }
  expect((await refreshTokens(second.data.refreshToken)).status).toBe(401);
  expect((await refreshTokens(refreshToken)).status).toBe(200);
});

test("a session that ends during a refresh gets no new token", async () => {
  const session = await createMemberSession();
  const { DB, broke } = faultyDatabase({
    sql: /update "refresh_token"/i,
    when: () => runSql("UPDATE session SET revoked_date = 1 WHERE user_id = ?", session.user.id),
  });
  const body = { refreshToken: session.refreshToken };
  const answer = await callApiWith({ DB }, "POST", "/api/user/signin-by-refresh-token", { body });
  expect([broke(), answer.code]).toEqual([1, "UNAUTHORIZED"]);
  expect(await readValue("SELECT count(*) AS n FROM refresh_token WHERE parent_hash IS NOT NULL")).toBe(0);
});

test("a refresh token reused after ten seconds ends the session", async () => {
  const session = await createMemberSession();
  const { data } = await refreshTokens(session.refreshToken);
  advanceClock(11_000);
  const stolen = await refreshTokens(session.refreshToken);
  expect([stolen.status, stolen.code, stolen.message]).toEqual([
    401,
    "UNAUTHORIZED",
    "로그인이 만료되었습니다. 다시 로그인해 주십시오.",
  ]);
  expect((await me(session.user.id, data.accessToken)).status).toBe(401);
  expect((await refreshTokens(data.refreshToken)).status).toBe(401);
  expect((await sentMessages(session.user.email))[0]?.subject).toBe("[새 홈페이지] 로그인이 해제되었습니다");
  const reuse = await readValue("SELECT count(*) AS n FROM audit_log WHERE action = 'session.reuse'");
  expect(reuse).toBe(1);
});

test("a refresh token is valid for fourteen days", async () => {
  const session = await createMemberSession();
  advanceClock(29 * MINUTE);
  expect((await me(session.user.id, session.accessToken)).status).toBe(200);
  advanceClock(2 * MINUTE);
  expect((await me(session.user.id, session.accessToken)).status).toBe(401);
  advanceClock(13 * 24 * HOUR);
  const { data } = await refreshTokens(session.refreshToken);
  advanceClock(14 * 24 * HOUR + MINUTE);
  expect((await refreshTokens(data.refreshToken)).status).toBe(401);
});

test("access tokens cannot replace refresh tokens or the reverse", async () => {
  const session = await createMemberSession();
  expect((await refreshTokens(session.accessToken)).status).toBe(401);
  expect((await me(session.user.id, session.refreshToken)).status).toBe(401);
});

test.each(["blocked", "waiting", "retired"])("a %s account's tokens stop at once", async (status) => {
  const session = await createMemberSession();
  await setAccountStatus(session.user.id, status);
  expect((await me(session.user.id, session.accessToken)).status).toBe(401);
  expect((await refreshTokens(session.refreshToken)).status).toBe(401);
});

test("an administrator's session ends after half an hour idle", async () => {
  const idle = await createAdministratorSession();
  advanceClock(31 * MINUTE);
  expect((await refreshTokens(idle.refreshToken)).status).toBe(401);
  vi.useRealTimers();

  let { refreshToken } = await createAdministratorSession();
  for (let n = 0; n < 28; n += 1) {
    advanceClock(25 * MINUTE);
    const answer = await refreshTokens(refreshToken);
    if (answer.code === "SUCCESS") ({ refreshToken } = answer.data);
    expect(answer.status, `after ${(n + 1) * 25} minutes`).toBe(200);
  }
  advanceClock(25 * MINUTE);
  expect((await refreshTokens(refreshToken)).status).toBe(401);
});

test("sign-out ends the session with either of its tokens", async () => {
  for (const by of ["access", "refresh"]) {
    const session = await createMemberSession();
    const options =
      by === "access" ? { token: session.accessToken, body: {} } : { body: { refreshToken: session.refreshToken } };
    const answer = await callJson("POST", "/api/user/signout", options);
    expect(answer.code, by).toBe("SUCCESS");
    expect(answer.headers.get("Set-Cookie"), by).toMatch(/accessToken=;.*Max-Age=0/);
    expect((await me(session.user.id, session.accessToken)).status, by).toBe(401);
    expect((await refreshTokens(session.refreshToken)).status, by).toBe(401);
    const again = await callJson("POST", "/api/user/signout", { body: { refreshToken: session.refreshToken } });
    expect(again.code, by).toBe("SUCCESS");
  }
});

test("a token with another secret, kind or session is refused", async () => {
  const session = await createMemberSession();
  const other = await createMemberSession();
  const id = session.user.id;
  const claims = JSON.parse(atob(requirePresent(session.accessToken.split(".")[1])));
  const forger = createTokenSigner({ JWT_SECRET: "x".repeat(40), SIGNING_SECRET: "x".repeat(40) });
  const forged = await forger.signAccess(claims, new Date());
  const ours = createTokenSigner(env as unknown as { JWT_SECRET: string; SIGNING_SECRET: string });
  const sid = JSON.parse(atob(requirePresent(other.accessToken.split(".")[1]))).sid;
  const borrowed = await ours.signAccess({ ...claims, sid }, new Date());
  const raised = await ours.signAccess(
    { ...claims, sub: id, userType: "Admin", roleCode: "administrator" },
    new Date(),
  );
  for (const token of [forged, borrowed]) expect((await me(id, token)).status).toBe(401);
  // Roles are read from the database, never from the token.
  expect((await me(other.user.id, raised)).status).toBe(404);

  const jwt = (await import("@tsndr/cloudflare-worker-jwt")).default;
  const secret = (env as unknown as { JWT_SECRET: string }).JWT_SECRET;
  const now = Math.floor(Date.now() / 1000);
  const base = { ...claims, iat: now, exp: now + 600 };
  for (const change of [
    { exp: undefined },
    { exp: "9999999999" },
    { exp: now - 1 },
    { iss: "evil" },
    { aud: "other" },
    { typ: "refresh" },
    { sid: undefined },
    { sub: 1 },
    { userType: "Root" },
  ]) {
    const token = await jwt.sign({ ...base, ...change }, secret, { algorithm: "HS256" });
    expect((await me(id, token)).status, JSON.stringify(change)).toBe(401);
  }
  const stronger = await jwt.sign(base, secret, { algorithm: "HS512" });
  expect((await me(id, stronger)).status).toBe(401);
  // The last signature character has two spare bits: only one of four encodings is accepted.
  const right = await jwt.sign(base, secret, { algorithm: "HS256" });
  expect((await me(id, right)).status).toBe(200);
  const signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  for (const sign of signs)
    if (!right.endsWith(sign)) expect((await me(id, right.slice(0, -1) + sign)).status, sign).toBe(401);
});
