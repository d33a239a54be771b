import { env } from "cloudflare:workers";
import jwt from "@tsndr/cloudflare-worker-jwt";
import { expect, test, vi, beforeEach } from "vitest";
import { api } from "#worker/api/app.ts";
import { createExecutionContext } from "cloudflare:test";
import { runInvocation } from "../../support/platform-meter.ts";
import { createTokenSigner } from "#worker/adapters/token.server.ts";
import { callJson, fetchApi, callAs } from "../../support/api-client.ts";
import {
  advanceClock,
  readSentPincode,
  sentMessages,
  createVerifiedToken,
  openSignup,
} from "../../support/factories.ts";
import {
  createMemberSession,
  createUser,
  signInUser,
  TEST_PASSWORD,
  createAdministratorSession,
} from "../../support/people.ts";
import { readValue, runSql } from "../../support/test-database.ts";
import { SAMPLE_NOTE, sample } from "../../support/sample.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const refresh = (refreshToken: string, attempt?: string) =>
  callJson("POST", "/api/user/signin-by-refresh-token", { body: { refreshToken, attempt } });
const me = (id: string, token: string) => callJson("GET", `/api/user/${id}`, { token });
const ATTEMPT = "0e0a4b86-attempt-of-one-browser";

test("an account call before sign-in treats the caller as guest", async () => {
  const ended = await createMemberSession();
  await runSql("UPDATE session SET revoked_date = 1");
  const person = await createUser();
  const email = "new@pid.example.kr";
  for (const [at, token] of [ended.accessToken, "a.b.c", "garbage"].entries()) {
    const call = (path: string, body: object) => callJson("POST", path, { body, token });
    const answer = await call("/api/user/signin", {
      userKeyType: "Id",
      userKeyCode: person.userId,
      password: TEST_PASSWORD,
    });
    expect(answer.code, `${at}`).toBe("SUCCESS");
    const { refreshToken } = answer.data;
    expect((await call("/api/user/signin-by-refresh-token", { refreshToken })).code, `${at}`).toBe("SUCCESS");
    const key = { userKeyType: "Email", userKeyCode: `${at}${email}` };
    expect((await call("/api/user-key/check-exists", key)).data, `${at}`).toEqual({ exists: false });
    const { userKeyToken } = (await call("/api/user-key/check", key)).data;
    const pincode = await readSentPincode(key.userKeyCode);
    expect((await call("/api/user-key/confirm", { userKeyToken, pincode })).code, `${at}`).toBe("SUCCESS");
    expect((await call("/api/user/find-id", { userName: "아무개", email })).code, `${at}`).toBe("NOT_FOUND");
    expect((await call("/api/user/reset-password-token", { email: `${at}${email}` })).code, `${at}`).toBe("SUCCESS");
    expect((await call("/api/user/signup", {})).code, `${at}`).toBe("INVALID_INPUT");
    expect((await callJson("GET", "/api/site-setting/info", { token })).code, `${at}`).toBe("SUCCESS");
  }
});

test("reusing a refresh token ends the session, however many refreshes preceded it", async () => {
  const session = await createMemberSession();
  let { refreshToken } = session;
  for (let n = 0; n < 30; n += 1) ({ refreshToken } = (await refresh(refreshToken)).data);
  expect((await refresh(refreshToken)).code).toBe("TOO_MANY_REQUESTS");
  advanceClock(11_000);
  expect((await refresh(session.refreshToken)).code).toBe("UNAUTHORIZED");
  expect((await me(session.user.id, session.accessToken)).status).toBe(401);
  expect((await sentMessages(session.user.email))[0]?.subject).toBe("[새 홈페이지] 로그인이 해제되었습니다");
});

test("a browser can retry a refresh with a lost answer", async () => {
  const session = await createMemberSession();
  const lost = await refresh(session.refreshToken, ATTEMPT);
  advanceClock(5 * MINUTE);
  const again = await refresh(session.refreshToken, ATTEMPT);
  expect([lost.code, again.code]).toEqual(["SUCCESS", "SUCCESS"]);
  advanceClock(5 * MINUTE);
  const third = await refresh(session.refreshToken, ATTEMPT);
  expect((await refresh(third.data.refreshToken)).code).toBe("SUCCESS");
  expect(await sentMessages(session.user.email)).toEqual([]);
  // A lost token that reappears later counts as stolen.
  advanceClock(11_000);
  expect((await refresh(lost.data.refreshToken)).code).toBe("UNAUTHORIZED");
  expect((await me(session.user.id, third.data.accessToken)).status).toBe(401);
});

test("a retry with the old token ends a used session", async () => {
  for (const late of ["used", "another", "none", "late"]) {
    const session = await createMemberSession();
    const { data } = await refresh(session.refreshToken, ATTEMPT);
    if (late === "used") expect((await refresh(data.refreshToken)).code, `${late}`).toBe("SUCCESS");
    advanceClock(late === "late" ? 31 * MINUTE : 11_000);
    const attempt = { used: ATTEMPT, another: `${ATTEMPT}x`, none: undefined, late: ATTEMPT }[late];
    expect([late, (await refresh(session.refreshToken, attempt)).code]).toEqual([late, "UNAUTHORIZED"]);
    expect([late, (await refresh(data.refreshToken)).code]).toEqual([late, "UNAUTHORIZED"]);
    vi.useRealTimers();
  }
});

test("a session always ends after ninety days", async () => {
  const session = await createMemberSession();
  let { refreshToken } = session;
  for (let day = 13; day < 90; day += 13) {
    advanceClock(13 * DAY);
    const answer = await refresh(refreshToken);
    expect([day, answer.code]).toEqual([day, "SUCCESS"]);
    ({ refreshToken } = answer.data);
  }
  // Day 78: thirteen more days stay within fourteen of the last use, but exceed ninety.
  advanceClock(13 * DAY);
  expect((await refresh(refreshToken)).code).toBe("UNAUTHORIZED");
});

test("an access token of a session older than ninety days is refused", async () => {
  const session = await createMemberSession();
  expect((await me(session.user.id, session.accessToken)).status).toBe(200);
  await runSql("UPDATE session SET created_date = created_date - ?", 90 * DAY);
  expect((await me(session.user.id, session.accessToken)).status).toBe(401);
});

test("the eleventh sign-in ends only the oldest session", async () => {
  const first = await createMemberSession();
  const others = [];
  for (let n = 0; n < 10; n += 1) {
    advanceClock(1000);
    others.push(await signInUser(first.user));
    expect((await me(first.user.id, first.accessToken)).status).toBe(n < 9 ? 200 : 401);
  }
  for (const { accessToken } of others) expect((await me(first.user.id, accessToken)).status).toBe(200);
});

test("only one of several simultaneous confirmations of a code succeeds", async () => {
  const key = { userKeyType: "Email", userKeyCode: "new@pid.example.kr" };
  const { userKeyToken } = (await callJson("POST", "/api/user-key/check", { body: key })).data;
  const body = { userKeyToken, pincode: await readSentPincode(key.userKeyCode) };
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => callJson("POST", "/api/user-key/confirm", { body })));
  expect(answers.map(({ code }) => code).toSorted()).toEqual([...Array(4).fill("PINCODE_EXPIRED"), "SUCCESS"]);
  const verified = await readValue("SELECT count(*) AS n FROM verification WHERE purpose = 'verified'");
  expect(verified).toBe(1);
});

test("ending all other sessions needs the password", async () => {
  const here = await createMemberSession();
  const stranger = await createMemberSession();
  const [there, elsewhere] = [await signInUser(here.user), await signInUser(here.user)];
  const end = (token: string, password: string) =>
    callJson("POST", `/api/user/${here.user.id}/sessions/end-others`, { token, body: { password } });
  expect((await end(here.accessToken, "Wrong!123")).code).toBe("INVALID_CREDENTIAL");
  expect((await end(stranger.accessToken, TEST_PASSWORD)).code).toBe("NOT_FOUND");
  expect((await me(here.user.id, there.accessToken)).status).toBe(200);
  expect((await end(here.accessToken, TEST_PASSWORD)).data).toEqual({ ended: 2 });
  expect((await me(here.user.id, here.accessToken)).status).toBe(200);
  expect((await me(stranger.user.id, stranger.accessToken)).status).toBe(200);
  for (const { accessToken } of [there, elsewhere]) expect((await me(here.user.id, accessToken)).status).toBe(401);
  const log = await readValue("SELECT count(*) AS n FROM audit_log WHERE action = 'session.endOthers'");
  expect(log).toBe(1);
});

const atHttps = (path: string, init: RequestInit) =>
  runInvocation(() => api.fetch(new Request(`https://pid.example.kr${path}`, init), env, createExecutionContext()));

test("the cookie on https has the host-only prefix", async () => {
  const person = await createUser();
  const body = JSON.stringify({ userKeyType: "Id", userKeyCode: person.userId, password: TEST_PASSWORD });
  const headers = { "Content-Type": "application/json" };
  const answer = await atHttps("/api/user/signin", { method: "POST", headers, body });
  const cookie = answer.headers.get("Set-Cookie") ?? "";
  expect(cookie).toMatch(/^__Host-accessToken=[^;]+; Max-Age=1800; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  const token = /=([^;]+)/.exec(cookie)?.[1];
  const read = async (name: string) =>
    (await atHttps(`/api/user/${person.id}`, { headers: { Cookie: `x=1; ${name}=${token}` } })).status;
  expect(await read("__Host-accessToken")).toBe(200);
  expect(await read("accessToken")).toBe(401);
  const ended = await atHttps("/api/user/signout", { method: "POST", headers, body: "{}" });
  expect(ended.headers.get("Set-Cookie")).toMatch(/^__Host-accessToken=; Max-Age=0; Path=\/;.* Secure/);
});

test("a form of another site cannot sign anyone out", async () => {
  const session = await createMemberSession();
  for (const type of ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"]) {
    const headers = { "Content-Type": type };
    const answer = await fetchApi("POST", "/api/user/signout", { body: "", headers, cookie: session.accessToken });
    expect(answer.headers.get("Set-Cookie"), `${type}`).toBeNull();
  }
  expect((await me(session.user.id, session.accessToken)).status).toBe(200);
});

test("a token with an invalid header or date is refused", async () => {
  const session = await createMemberSession();
  const secret = (env as unknown as { JWT_SECRET: string }).JWT_SECRET;
  const claims = JSON.parse(atob(session.accessToken.split(".")[1] ?? ""));
  const now = Math.floor(Date.now() / 1000);
  const status = async (change: object, header: object = {}) => {
    const token = await jwt.sign({ ...claims, ...change }, secret, { algorithm: "HS256", header });
    return (await me(session.user.id, token)).status;
  };
  expect(await status({})).toBe(200);
  for (const header of [
    { crit: ["exp"] },
    { crit: [] },
    { typ: "at+jwt" },
    { kid: "other" },
    { jku: "https://evil.example" },
  ])
    expect([header, await status({}, header)]).toEqual([header, 401]);
  for (const change of [
    { iat: now + 60 },
    { iat: now + 60, exp: now + 600 },
    { exp: now + 86_400 },
    { exp: undefined },
    { iat: "0" },
    { exp: 1e20 },
    { typ: "refresh" },
    { typ: undefined },
  ])
    expect([change, await status(change)]).toEqual([change, 401]);
});

test("a verified token still expires", async () => {
  const secrets = { JWT_SECRET: "a".repeat(40), SIGNING_SECRET: "b".repeat(40) };
  const begin = new Date(Math.floor(Date.now() / 1000) * 1000);
  const after = (minutes: number) => new Date(begin.getTime() + minutes * MINUTE);
  const claims = { sub: "who", sid: "session", userType: "Member", roleCode: "member" } as const;
  const signer = createTokenSigner(secrets);
  const token = await signer.signAccess(claims, begin);
  expect(await signer.verifyAccess(token, after(1))).toMatchObject(claims);
  const later = createTokenSigner(secrets);
  expect(await later.verifyAccess(token, after(29))).toMatchObject(claims);
  expect(await later.verifyAccess(token, after(30))).toBeNull();
  expect(await later.verifyAccess(token, after(-1))).toBeNull();
  const [header, payload, signature = ""] = token.split(".");
  const turned = `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
  expect(await later.verifyAccess([header, payload, turned].join("."), after(1))).toBeNull();
  const rotated = createTokenSigner({ ...secrets, JWT_SECRET: "c".repeat(40) });
  expect(await rotated.verifyAccess(token, after(1))).toBeNull();
});

test("a sign-in under a clock ahead ends no later session", async () => {
  const admin = await createUser({ userType: "Admin" });
  advanceClock(40 * DAY);
  for (let at = 0; at < 12; at += 1) await signInUser(admin);
  vi.useRealTimers();
  advanceClock(0);
  const { accessToken } = await signInUser(admin);
  expect((await me(admin.id, accessToken)).code).toBe("SUCCESS");
  expect((await callJson("GET", "/api/admin/member", { token: accessToken })).code).toBe("SUCCESS");
  expect(await readValue("SELECT count(*) FROM session WHERE revoked_date IS NULL")).toBe(10);
  // The clock falls back to before the first write in the database.
  advanceClock(-40 * DAY);
  const early = await signInUser(admin);
  expect((await callJson("GET", "/api/admin/member", { token: early.accessToken })).code).toBe("SUCCESS");
});

beforeEach(async () => void (await openSignup()));

test(`no token is accepted as another kind (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  const admin = await createAdministratorSession();
  const { accessToken, refreshToken } = await signInUser(await createUser());
  const key = { userKeyType: "Email", userKeyCode: "new@pid.example.kr" };
  const upload = await callJson("GET", "/api/file/upload-url?fileName=a.pdf&size=10", { token: accessToken });
  const exported = await callAs(admin, "POST", "/api/alumni/export-data", {
    count: 0,
    reason: "총회 안내",
    format: "csv",
  });
  const lastPart = (path: string) => path.split("/").at(-1) ?? "";
  const tokens: Record<string, string> = {
    access: accessToken,
    refresh: refreshToken,
    upload: lastPart(upload.data.uploadUrl),
    file: lastPart(exported.data.url),
    verified: await createVerifiedToken("other@pid.example.kr"),
    code: (await callJson("POST", "/api/user-key/check", { body: key })).data.userKeyToken,
    reset: (await callJson("POST", "/api/user/reset-password-token", { body: { email: admin.user.email } })).data
      .userToken,
  };
  const password = "Zk7!mQ2x";
  const places: Record<string, (token: string) => ReturnType<typeof callJson>> = {
    access: (token) => callJson("GET", "/api/board/free", { token }),
    refresh: (token) => callJson("POST", "/api/user/signin-by-refresh-token", { body: { refreshToken: token } }),
    upload: (token) => callJson("PUT", `/api/file/upload/${token}`, { body: "0123456789" }),
    file: (token) => callAs(admin, "GET", `/api/alumni/export-data/${token}`),
    mailUndo: (token) => callJson("POST", `/api/user-key/undo/${token}`),
    mailOff: (token) => callJson("POST", `/api/mail/off/${token}`),
    code: (token) =>
      callJson("POST", "/api/user-key/confirm", { body: { userKeyToken: token, pincode: "000000" }, address: token }),
    reset: (token) =>
      callJson("POST", "/api/user/reset-password", {
        body: { userToken: token, pincode: "000000", password },
        address: token,
      }),
    verified: (token) =>
      callJson("POST", "/api/user/signup", {
        body: { ...key, userKeyTokenForEmail: token, password, userName: "홍길동" },
        address: token,
      }),
  };
  const forms = {
    whole: (token: string) => token,
    longer: (token: string) => `${token}x`,
    cut: (token: string) => token.slice(0, -1),
    twice: (token: string) => `${token}.${token}`,
  };
  const rows = Object.keys(places).flatMap((place) =>
    Object.keys(tokens).flatMap((kind) => Object.entries(forms).map(([form, given]) => ({ place, kind, form, given }))),
  );
  // The code is unknown here, so only the token lookup is tested.
  const others = rows.filter(({ place, kind }) => place !== kind);
  for (const { place, kind, form, given } of sample(
    others,
    (row) => `${row.place} ${row.kind} ${row.form}`,
    (row) => row.place,
  )) {
    const answer = await places[place]?.(given(tokens[kind] ?? "").slice(0, 400));
    expect([place, kind, form, [400, 401, 404, 410].includes(answer?.status ?? 0)]).toEqual([place, kind, form, true]);
    expect(answer?.code, `${kind} ${form}`).not.toBe("PINCODE_MISMATCH");
  }
});
