import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { secondFactor, secondFactorChallenge } from "#db/schema/account.ts";
import { auditLog } from "#db/schema/audit.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { advanceClock, sentMessages } from "../../support/factories.ts";
import { createMemberSession, signInUser } from "../../support/people.ts";
import { runSql, testDatabase } from "../../support/test-database.ts";
import { requirePresent } from "../../support/require-present.ts";
import { SoftwareAuthenticator } from "../../samples/software-authenticator.ts";
import {
  MINUTE,
  addPasskey,
  addTotp,
  totpCodeOf,
  readOwnSecondFactors,
  postSecondFactor,
  verifyByPasskey,
} from "../../calls/second-factor-acts.ts";

test("the password alone gives guest rights once a second factor exists", async () => {
  const first = await createMemberSession();
  const { passkey } = await addPasskey(first);
  const later = await signInUser(first.user);
  expect(later).toMatchObject({ secondFactor: "pending" });

  const token = later.accessToken;
  const own = await callJson("GET", `/api/user/${first.user.id}`, { token });
  expect([own.status, own.code, own.data]).toEqual([403, "FORBIDDEN", { reason: "SECOND_FACTOR_REQUIRED" }]);
  expect((await callJson("GET", "/api/board/notice", { token })).status).toBe(200);
  const body = { title: "제목", content: "<p>내용</p>", fileIds: [] };
  expect((await callJson("PUT", "/api/board-item/free", { token, body })).status).toBe(403);
  expect(await readOwnSecondFactors(later)).toMatchObject({ isPending: true, factors: [], recoveryCodesLeft: 0 });
  const renewed = await callJson("POST", "/api/user/signin-by-refresh-token", {
    body: { refreshToken: later.refreshToken },
  });
  expect((await callJson("GET", `/api/user/${first.user.id}`, { token: renewed.data.accessToken })).status).toBe(403);
  for (const path of ["/passkey-options", "/totp-options", "/recovery-codes"])
    expect([path, (await postSecondFactor(path, later)).status]).toEqual([path, 403]);

  expect((await verifyByPasskey(later, passkey)).code).toBe("SUCCESS");
  expect((await callJson("GET", `/api/user/${first.user.id}`, { token })).status).toBe(200);
});

test("the address for an authenticator app has no extra colon", async () => {
  await runSql(
    "INSERT INTO site_setting (key, value, modified_date) VALUES ('site', ?, 1) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    JSON.stringify({ siteName: "학회: 회원 마당" }),
  );
  const { data } = await postSecondFactor("/totp-options", await createMemberSession());
  const [, label = "", issuer = ""] = /^otpauth:\/\/totp\/([^?]+)\?issuer=([^&]+)/.exec(data.uri) ?? [];
  expect(decodeURIComponent(issuer)).toBe("학회 회원 마당");
  expect(decodeURIComponent(label).split(":")).toEqual(["학회 회원 마당", expect.any(String)]);
});

test("an older session has to verify a new second factor", async () => {
  const first = await createMemberSession();
  const other = await signInUser(first.user);
  await addPasskey(first);
  expect((await callAs(other, "GET", `/api/user/${first.user.id}`)).status).toBe(403);
  expect((await callAs(first, "GET", `/api/user/${first.user.id}`)).status).toBe(200);
});

test("a passkey signs in alone", async () => {
  const person = await createMemberSession();
  const { passkey } = await addPasskey(person);
  const options = await callJson("POST", "/api/second-factor/signin-options", { body: {} });
  const response = await passkey.assert(options.data.challenge);
  const answer = await callJson("POST", "/api/second-factor/signin", { body: { response } });
  expect([answer.code, answer.data.user.id, answer.data.secondFactor]).toEqual(["SUCCESS", person.user.id, undefined]);
  expect((await callJson("GET", `/api/user/${person.user.id}`, { token: answer.data.accessToken })).status).toBe(200);
  expect(answer.headers.get("Set-Cookie")).toContain("HttpOnly");

  const again = await callJson("POST", "/api/second-factor/signin", { body: { response } });
  expect([again.status, again.code]).toEqual([401, "INVALID_CREDENTIAL"]);
  const stranger = await SoftwareAuthenticator.create(person.user.id);
  const fresh = await callJson("POST", "/api/second-factor/signin-options", { body: {} });
  const before = await testDatabase().select().from(secondFactorChallenge);
  const refused = await callJson("POST", "/api/second-factor/signin", {
    body: { response: await stranger.assert(fresh.data.challenge) },
  });
  expect(refused.status).toBe(401);
  expect(await testDatabase().select().from(secondFactorChallenge)).toEqual(before);
});

test("a blocked person cannot sign in with a passkey", async () => {
  const person = await createMemberSession();
  const { passkey } = await addPasskey(person);
  await runSql("UPDATE user SET status = 'blocked' WHERE id = ?", person.user.id);
  const options = await callJson("POST", "/api/second-factor/signin-options", { body: {} });
  const answer = await callJson("POST", "/api/second-factor/signin", {
    body: { response: await passkey.assert(options.data.challenge) },
  });
  expect([answer.status, answer.code, answer.data]).toEqual([406, "NOT_ACCEPTABLE", undefined]);
});

test("an app code opens a session once", async () => {
  const first = await createMemberSession();
  const { secret } = await addTotp(first);
  const later = await signInUser(first.user);
  const used = await postSecondFactor("/verify", later, { kind: "totp", code: totpCodeOf(secret) });
  expect([used.status, used.code]).toEqual([400, "PINCODE_MISMATCH"]);
  advanceClock(MINUTE);
  const code = totpCodeOf(secret);
  const both = await Promise.all([1, 2].map(() => postSecondFactor("/verify", later, { kind: "totp", code })));
  expect(both.map((each) => each.code).toSorted()).toEqual(["PINCODE_MISMATCH", "SUCCESS"]);

  const wrong = code === "000000" ? "000001" : "000000";
  for (let at = 0; at < 3; at++)
    expect((await postSecondFactor("/verify", later, { kind: "totp", code: wrong })).status, `${at}`).toBe(400);
  advanceClock(MINUTE);
  const right = { kind: "totp", code: totpCodeOf(secret) };
  expect((await postSecondFactor("/verify", later, right)).status).toBe(429);
  expect((await sentMessages(first.user.email))[0]?.body).toContain("여러 번 실패");
  advanceClock(16 * MINUTE);
  expect((await postSecondFactor("/verify", later, { kind: "totp", code: totpCodeOf(secret) })).code).toBe("SUCCESS");
});

test("simultaneous wrong codes are compared only up to the limit", { tags: "full" }, async () => {
  const first = await createMemberSession();
  const { secret } = await addTotp(first);
  const later = await signInUser(first.user);
  advanceClock(MINUTE);
  const right = totpCodeOf(secret);
  const wrong = Array.from({ length: 40 }, (_, at) => String(at).padStart(6, "0")).filter((code) => code !== right);
  const tries = await Promise.all(wrong.map((code) => postSecondFactor("/verify", later, { kind: "totp", code })));
  const failed = await testDatabase().select().from(auditLog).where(eq(auditLog.action, "second-factor.failed"));
  expect(failed.length).toBeLessThanOrEqual(5);
  expect(tries.filter(({ status }) => status === 400).length).toBe(failed.length);
});

test("thirty wrong codes a day lock app codes", async () => {
  const first = await createMemberSession();
  const { secret } = await addTotp(first);
  const later = await signInUser(first.user);
  advanceClock(MINUTE);
  const wrong = totpCodeOf(secret) === "000000" ? "000001" : "000000";
  const tryCode = (at: number, code: string) =>
    callJson("POST", "/api/second-factor/verify", {
      token: later.accessToken,
      body: { kind: "totp", code },
      address: `198.51.100.${at}`,
    });
  for (let at = 0; at < 30; at++) expect((await tryCode(at, wrong)).code, `${at}`).toBe("PINCODE_MISMATCH");
  expect((await tryCode(200, totpCodeOf(secret))).status).toBe(429);
});

test("the app secret is encrypted for its owner", async () => {
  const [one, two] = [await createMemberSession(), await createMemberSession()];
  const { secret } = await addTotp(one);
  await addTotp(two);
  const [row] = await testDatabase().select().from(secondFactor).where(eq(secondFactor.userId, one.user.id));
  expect(JSON.stringify(row)).not.toContain(secret);
  await runSql(
    "UPDATE second_factor SET sealed_secret = ?, last_step = NULL WHERE user_id = ?",
    requirePresent(row).sealedSecret,
    two.user.id,
  );
  expect((await postSecondFactor("/verify", two, { kind: "totp", code: totpCodeOf(secret) })).code).toBe(
    "PINCODE_MISMATCH",
  );
});

test("each of the ten recovery codes works once", async () => {
  const first = await createMemberSession();
  const { recoveryCodes = [] } = await addPasskey(first);
  expect(recoveryCodes).toHaveLength(10);
  expect(JSON.stringify(await env.DB.prepare("SELECT * FROM recovery_code").all())).not.toContain(
    requirePresent(recoveryCodes[0]).replace("-", ""),
  );
  const later = await signInUser(first.user);
  const typed = requirePresent(recoveryCodes[0]).toLowerCase().replace("-", " ");
  const both = await Promise.all(
    [1, 2].map(() => postSecondFactor("/verify", later, { kind: "recoveryCode", code: typed })),
  );
  expect(both.map((each) => each.code).toSorted()).toEqual(["PINCODE_MISMATCH", "SUCCESS"]);
  expect((await readOwnSecondFactors(later)).recoveryCodesLeft).toBe(9);
  expect((await sentMessages(first.user.email))[0]?.body).toContain("남은 코드 9개");

  const renewed = await postSecondFactor("/recovery-codes", later);
  expect(renewed.data.recoveryCodes).toHaveLength(10);
  const third = await signInUser(first.user);
  expect((await postSecondFactor("/verify", third, { kind: "recoveryCode", code: recoveryCodes[1] })).status).toBe(400);
  const other = await createMemberSession();
  await addPasskey(other);
  const stolen = { kind: "recoveryCode", code: renewed.data.recoveryCodes[0] };
  expect((await postSecondFactor("/verify", other, stolen)).status).toBe(400);
  expect((await postSecondFactor("/verify", third, stolen)).code).toBe("SUCCESS");
});

test("changing the own second factor requires a recent verification", async () => {
  const person = await createMemberSession();
  advanceClock(6 * MINUTE);
  expect((await postSecondFactor("/passkey-options", person)).data).toEqual({ reason: "SECOND_FACTOR_REQUIRED" });
  expect((await postSecondFactor("/verify", person, { kind: "password", password: "Wrong!234" })).code).toBe(
    "INVALID_CREDENTIAL",
  );
  expect((await postSecondFactor("/passkey-options", person)).status).toBe(403);
  expect((await postSecondFactor("/verify", person, { kind: "password", password: "Secret!234" })).code).toBe(
    "SUCCESS",
  );
  const { passkey, id } = await addPasskey(person);

  advanceClock(6 * MINUTE);
  const remove = () => callAs(person, "DELETE", `/api/second-factor/${id}`);
  expect((await remove()).data).toEqual({ reason: "SECOND_FACTOR_REQUIRED" });
  expect((await postSecondFactor("/verify", person, { kind: "password", password: "Secret!234" })).code).toBe(
    "INVALID_CREDENTIAL",
  );
  expect((await remove()).status).toBe(403);
  expect((await verifyByPasskey(person, passkey)).code).toBe("SUCCESS");
  expect((await remove()).code).toBe("SUCCESS");
  expect(await readOwnSecondFactors(person)).toMatchObject({
    factors: [],
    recoveryCodesLeft: 0,
    methods: { password: true },
  });
});

test("every change is reported to the owner", async () => {
  const person = await createMemberSession();
  const { id } = await addPasskey(person);
  await addTotp(person);
  const token = person.accessToken;
  expect((await callJson("PATCH", `/api/second-factor/${id}`, { token, body: { name: "사무실 PC" } })).status).toBe(
    200,
  );
  await callJson("DELETE", `/api/second-factor/${id}`, { token });
  await postSecondFactor("/recovery-codes", person);
  const messages = (await sentMessages(person.user.email)).map(({ body }) => body.split("\n")[2]);
  expect(messages).toEqual([
    "복구 코드 다시 발급",
    "패스키(사무실 PC) 삭제",
    "인증 앱(휴대전화) 등록",
    "패스키(Chrome · Windows) 등록",
  ]);
  const log = await testDatabase().select().from(auditLog);
  expect(log.filter(({ actorUserId }) => actorUserId === person.user.id).map(({ action }) => action)).toEqual([
    "second-factor.add",
    "second-factor.add",
    "second-factor.rename",
    "second-factor.remove",
    "second-factor.recovery-codes",
  ]);
});

test("the second factor of another person answers as missing", async () => {
  const [one, two] = [await createMemberSession(), await createMemberSession()];
  const { id } = await addPasskey(one);
  await addPasskey(two);
  const token = two.accessToken;
  expect((await callJson("DELETE", `/api/second-factor/${id}`, { token })).status).toBe(404);
  expect((await callJson("PATCH", `/api/second-factor/${id}`, { token, body: { name: "내 것" } })).status).toBe(404);
  expect((await readOwnSecondFactors(one)).factors).toHaveLength(1);
});
