import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { secondFactor, secondFactorChallenge, session } from "#db/schema/account.ts";
import { auditLog } from "#db/schema/audit.ts";
import { callAs, callJson } from "../../api-client.ts";
import { advanceClock, sentMessages } from "../../factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSession,
  createTestRole,
  createUser,
  signInUser,
  type TestSession,
} from "../../people.ts";
import { readRows, runSql, testDatabase } from "../../test-database.ts";
import { requirePresent } from "../../require-present.ts";
import { SoftwareAuthenticator } from "../../software-authenticator.ts";

const REQUIRED = { ...env, SECOND_FACTOR: "required" as const };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const post = (path: string, { accessToken }: { accessToken: string }, body: object = {}, vars?: object) =>
  callJson("POST", `/api/second-factor${path}`, { token: accessToken, body, vars });

const codeOf = (secret: string, at = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

async function addPasskey(person: TestSession) {
  const passkey = await SoftwareAuthenticator.create(person.user.id);
  const options = await post("/passkey-options", person);
  const added = await post("/passkey", person, { response: await passkey.attest(options.data.challenge) });
  if (added.code !== "SUCCESS") throw new Error(`${added.code} ${added.message}`);
  return { passkey, recoveryCodes: added.data.recoveryCodes as string[] | undefined, id: added.data.id as string };
}

async function addTotp(person: TestSession) {
  const { data: setup } = await post("/totp-options", person);
  const added = await post("/totp", person, { setupToken: setup.setupToken, code: codeOf(setup.secret) });
  if (added.code !== "SUCCESS") throw new Error(`${added.code} ${added.message}`);
  return { secret: setup.secret as string, id: added.data.id as string, recoveryCodes: added.data.recoveryCodes };
}

const verifyByPasskey = async (person: TestSession, passkey: SoftwareAuthenticator) =>
  post("/verify", person, {
    kind: "passkey",
    response: await passkey.assert((await post("/verify-options", person)).data.passkey.challenge),
  });

const ownState = async ({ accessToken: token }: TestSession, vars?: object) =>
  (await callJson("GET", "/api/second-factor", { token, vars })).data;

test("with a second factor the password alone opens no more than a guest has", async () => {
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
  expect(await ownState(later)).toMatchObject({ isPending: true, factors: [], recoveryCodesLeft: 0 });
  // Nor does a new token for the same session.
  const renewed = await callJson("POST", "/api/user/signin-by-refresh-token", {
    body: { refreshToken: later.refreshToken },
  });
  expect((await callJson("GET", `/api/user/${first.user.id}`, { token: renewed.data.accessToken })).status).toBe(403);
  for (const path of ["/passkey-options", "/totp-options", "/recovery-codes"])
    expect([path, (await post(path, later)).status]).toEqual([path, 403]);

  expect((await verifyByPasskey(later, passkey)).code).toBe("SUCCESS");
  expect((await callJson("GET", `/api/user/${first.user.id}`, { token })).status).toBe(200);
});

test("a session that stood before the second factor was set up has to show it, too", async () => {
  const first = await createMemberSession();
  const other = await signInUser(first.user);
  await addPasskey(first);
  expect((await callAs(other, "GET", `/api/user/${first.user.id}`)).status).toBe(403);
  expect((await callAs(first, "GET", `/api/user/${first.user.id}`)).status).toBe(200);
});

test("a passkey signs in by itself and shows both factors; a lost or foreign one does not", async () => {
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
  // A stranger's try writes nothing.
  expect(await testDatabase().select().from(secondFactorChallenge)).toEqual(before);
});

test("a blocked person gets in by no passkey", async () => {
  const person = await createMemberSession();
  const { passkey } = await addPasskey(person);
  await runSql("UPDATE user SET status = 'blocked' WHERE id = ?", person.user.id);
  const options = await callJson("POST", "/api/second-factor/signin-options", { body: {} });
  const answer = await callJson("POST", "/api/second-factor/signin", {
    body: { response: await passkey.assert(options.data.challenge) },
  });
  expect([answer.status, answer.code, answer.data]).toEqual([406, "NOT_ACCEPTABLE", undefined]);
});

test("the code of an app opens a session once, five wrong ones close the way for a quarter of an hour", async () => {
  const first = await createMemberSession();
  const { secret } = await addTotp(first);
  const later = await signInUser(first.user);
  // The code of the set-up was used.
  const used = await post("/verify", later, { kind: "totp", code: codeOf(secret) });
  expect([used.status, used.code]).toEqual([400, "PINCODE_MISMATCH"]);
  advanceClock(MINUTE);
  const code = codeOf(secret);
  const both = await Promise.all([1, 2].map(() => post("/verify", later, { kind: "totp", code })));
  expect(both.map((each) => each.code).toSorted()).toEqual(["PINCODE_MISMATCH", "SUCCESS"]);

  const wrong = code === "000000" ? "000001" : "000000";
  for (let at = 0; at < 3; at++)
    expect((await post("/verify", later, { kind: "totp", code: wrong })).status, `${at}`).toBe(400);
  advanceClock(MINUTE);
  const right = { kind: "totp", code: codeOf(secret) };
  expect((await post("/verify", later, right)).status).toBe(429);
  expect((await sentMessages(first.user.email))[0]?.body).toContain("여러 번 실패");
  advanceClock(16 * MINUTE);
  expect((await post("/verify", later, { kind: "totp", code: codeOf(secret) })).code).toBe("SUCCESS");
});

test("of 40 wrong codes at once no more are compared than the limit lets through", async () => {
  const first = await createMemberSession();
  const { secret } = await addTotp(first);
  const later = await signInUser(first.user);
  advanceClock(MINUTE);
  const right = codeOf(secret);
  const wrong = Array.from({ length: 40 }, (_, at) => String(at).padStart(6, "0")).filter((code) => code !== right);
  const tries = await Promise.all(wrong.map((code) => post("/verify", later, { kind: "totp", code })));
  const failed = await testDatabase().select().from(auditLog).where(eq(auditLog.action, "second-factor.failed"));
  expect(failed.length).toBeLessThanOrEqual(5);
  expect(tries.filter(({ status }) => status === 400).length).toBe(failed.length);
});

test("the app's secret lies encrypted in the database, bound to its owner", async () => {
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
  expect((await post("/verify", two, { kind: "totp", code: codeOf(secret) })).code).toBe("PINCODE_MISMATCH");
});

test("each of the ten recovery codes opens once; new ones end the old", async () => {
  const first = await createMemberSession();
  const { recoveryCodes = [] } = await addPasskey(first);
  expect(recoveryCodes).toHaveLength(10);
  expect(JSON.stringify(await env.DB.prepare("SELECT * FROM recovery_code").all())).not.toContain(
    requirePresent(recoveryCodes[0]).replace("-", ""),
  );
  const later = await signInUser(first.user);
  const typed = requirePresent(recoveryCodes[0]).toLowerCase().replace("-", " ");
  const both = await Promise.all([1, 2].map(() => post("/verify", later, { kind: "recoveryCode", code: typed })));
  expect(both.map((each) => each.code).toSorted()).toEqual(["PINCODE_MISMATCH", "SUCCESS"]);
  expect((await ownState(later)).recoveryCodesLeft).toBe(9);
  expect((await sentMessages(first.user.email))[0]?.body).toContain("남은 코드 9개");

  const renewed = await post("/recovery-codes", later);
  expect(renewed.data.recoveryCodes).toHaveLength(10);
  const third = await signInUser(first.user);
  expect((await post("/verify", third, { kind: "recoveryCode", code: recoveryCodes[1] })).status).toBe(400);
  // Another person's code is nobody's.
  const other = await createMemberSession();
  await addPasskey(other);
  const stolen = { kind: "recoveryCode", code: renewed.data.recoveryCodes[0] };
  expect((await post("/verify", other, stolen)).status).toBe(400);
  expect((await post("/verify", third, stolen)).code).toBe("SUCCESS");
});

test("the own second factor changes only within five minutes of showing it, or of the password where there is none", async () => {
  const person = await createMemberSession();
  advanceClock(6 * MINUTE);
  expect((await post("/passkey-options", person)).data).toEqual({ reason: "SECOND_FACTOR_REQUIRED" });
  expect((await post("/verify", person, { kind: "password", password: "Wrong!234" })).code).toBe("INVALID_CREDENTIAL");
  expect((await post("/passkey-options", person)).status).toBe(403);
  expect((await post("/verify", person, { kind: "password", password: "Secret!234" })).code).toBe("SUCCESS");
  const { passkey, id } = await addPasskey(person);

  advanceClock(6 * MINUTE);
  const remove = () => callAs(person, "DELETE", `/api/second-factor/${id}`);
  expect((await remove()).data).toEqual({ reason: "SECOND_FACTOR_REQUIRED" });
  // The password is no second factor.
  expect((await post("/verify", person, { kind: "password", password: "Secret!234" })).code).toBe("INVALID_CREDENTIAL");
  expect((await remove()).status).toBe(403);
  expect((await verifyByPasskey(person, passkey)).code).toBe("SUCCESS");
  expect((await remove()).code).toBe("SUCCESS");
  expect(await ownState(person)).toMatchObject({ factors: [], recoveryCodesLeft: 0, methods: { password: true } });
});

test("every change is in the audit log and told to the owner", async () => {
  const person = await createMemberSession();
  const { id } = await addPasskey(person);
  await addTotp(person);
  const token = person.accessToken;
  expect((await callJson("PATCH", `/api/second-factor/${id}`, { token, body: { name: "사무실 PC" } })).status).toBe(
    200,
  );
  await callJson("DELETE", `/api/second-factor/${id}`, { token });
  await post("/recovery-codes", person);
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

test("another person's factor is not there, whatever is asked of it", async () => {
  const [one, two] = [await createMemberSession(), await createMemberSession()];
  const { id } = await addPasskey(one);
  await addPasskey(two);
  const token = two.accessToken;
  expect((await callJson("DELETE", `/api/second-factor/${id}`, { token })).status).toBe(404);
  expect((await callJson("PATCH", `/api/second-factor/${id}`, { token, body: { name: "내 것" } })).status).toBe(404);
  expect((await ownState(one)).factors).toHaveLength(1);
});

test("whose permissions ask for one has nothing of them until it is set up, and keeps the last one", async () => {
  const permissions = ["ADMIN_Access", "Alumni_Read", "Alumni_Export", "Board_free_Manage"];
  const officer = await createSession({ roleCode: await createTestRole(permissions) });
  const admin = await createAdministratorSession();
  for (const person of [officer, admin]) {
    const token = person.accessToken;
    const vars = REQUIRED;
    const refused = await callJson("GET", "/api/admin/member", { token, vars });
    expect([refused.status, refused.data]).toEqual([403, { reason: "SECOND_FACTOR_SETUP" }]);
    expect((await callJson("GET", "/api/admin/member", { token })).status).toBe(200);
    expect((await callJson("GET", "/api/board/free", { token, vars })).data.permissions.manage).toBe(
      // The role of a system administrator has the permission beside all others.
      true,
    );
    expect(await ownState(person, vars)).toMatchObject({ isRequired: true, isPending: false });
    const { id } = await addPasskey(person);
    expect((await callJson("GET", "/api/admin/member", { token, vars })).status).toBe(200);
    const last = await callJson("DELETE", `/api/second-factor/${id}`, { token, vars });
    expect([last.status, last.code]).toEqual([409, "CONFLICT"]);
    expect(last.message).toContain("다른 인증 수단을 먼저 등록");
  }
  const member = await createMemberSession();
  expect(await ownState(member, REQUIRED)).toMatchObject({ isRequired: false });
});

test("what is done by a session without a person, or by none, is refused as to a guest", async () => {
  for (const [method, path] of [
    ["GET", ""],
    ["POST", "/verify-options"],
    ["POST", "/recovery"],
    ["DELETE", "/recovery"],
  ] as const)
    expect(
      (await callJson(method, `/api/second-factor${path}`, method === "POST" ? { body: {} } : {})).status,
      `${method} ${path}`,
    ).toBe(401);
});

test("a lost second factor is lifted by another administrator and its owner, a day later, and both are told", async () => {
  const admin = await createAdministratorSession();
  const lost = await createSession({ userType: "Admin", userName: "김하늘" });
  await addPasskey(lost);
  const other = await signInUser(lost.user);
  const start = (person: TestSession, userId: string) =>
    callAs(person, "POST", `/api/admin/second-factor/${userId}/recovery`, { reason: "휴대전화 분실" });
  expect((await start(lost, lost.user.id)).code).toBe("CONFLICT");
  expect((await start(admin, admin.user.id)).code).toBe("CONFLICT");
  expect((await start(await createMemberSession(), lost.user.id)).status).toBe(403);
  const partial = await createSession({ roleCode: await createTestRole(["ADMIN_Access"]) });
  expect((await start(partial, lost.user.id)).status).toBe(403);
  expect((await start(admin, lost.user.id)).code).toBe("SUCCESS");
  expect((await start(admin, lost.user.id)).code).toBe("CONFLICT");
  for (const { email } of [admin.user, lost.user])
    expect((await sentMessages(email))[0]?.subject, `${email}`).toBe(
      "[연구망 홈페이지] 2단계 인증 복구가 시작되었습니다",
    );

  expect((await post("/recovery", other)).code).toBe("CONFLICT");
  advanceClock(23 * HOUR + 59 * MINUTE);
  const early = await signInUser(lost.user);
  expect((await post("/recovery", early)).code).toBe("CONFLICT");
  expect((await ownState(early)).recovery).toMatchObject({ isUsable: false });
  advanceClock(2 * MINUTE);
  const late = await signInUser(lost.user);
  const used = await Promise.all([1, 2].map(() => post("/recovery", late)));
  expect(used.map(({ code }) => code).toSorted()).toEqual(["CONFLICT", "SUCCESS"]);
  expect(await ownState(late)).toMatchObject({ isPending: false, factors: [], methods: { password: true } });
  const live = await testDatabase().select().from(session).where(eq(session.userId, lost.user.id));
  expect(live.filter(({ revokedDate }) => revokedDate === null)).toHaveLength(1);
});

test("a recovery ends when its owner or an administrator cancels it, and after a week", async () => {
  const admin = await createAdministratorSession();
  const person = await createMemberSession();
  const { passkey } = await addPasskey(person);
  const path = `/api/admin/second-factor/${person.user.id}/recovery`;
  const start = (office: TestSession) => callAs(office, "POST", path, { reason: "분실" });
  await start(admin);
  expect((await callAs(admin, "DELETE", path)).code).toBe("SUCCESS");
  expect((await callAs(admin, "DELETE", path)).status).toBe(404);
  await start(admin);
  const own = await callAs(person, "DELETE", "/api/second-factor/recovery");
  expect(own.code).toBe("SUCCESS");
  await start(admin);
  // Not by whoever has the password alone.
  const pending = await signInUser(person.user);
  const refused = await callAs(pending, "DELETE", "/api/second-factor/recovery");
  expect(refused.status).toBe(403);
  advanceClock(8 * 24 * HOUR + MINUTE);
  const later = await signInUser(person.user);
  expect((await post("/recovery", later)).code).toBe("CONFLICT");
  expect((await verifyByPasskey(later, passkey)).code).toBe("SUCCESS");
  const another = await signInUser(await createUser({ userType: "Admin" }));
  expect((await start(another)).code).toBe("SUCCESS");
});

test("the office sees who has what, those that lack it first, and the same permissions ask for it in both places", async () => {
  const admin = await createAdministratorSession();
  const asking = ["ADMIN_Access", "Alumni_Export", "Alumni_Import", "Member_Manage"];
  const not = ["Alumni_Read", "Board_free_Manage", "Center_seoul_Manage", "Board_free_Export", "CaseReport_Access"];
  for (const code of [...asking, ...not])
    await createUser({ roleCode: await createTestRole([code]), userName: code.replaceAll("_", " ") });
  const member = await createSession({ userName: "패스키 회원" });
  await addPasskey(member);
  await addTotp(member);
  const list = (show: string) => callAs(admin, "GET", `/api/admin/second-factor?show=${show}&size=50`);
  const { data } = await list("all");
  const names = data.content.map(({ userName }: { userName: string }) => userName);
  expect(names.toSorted()).toEqual(
    ["관리자", "패스키 회원", ...asking.map((code) => code.replaceAll("_", " "))].toSorted(),
  );
  expect(names.at(-1)).toBe("패스키 회원");
  expect(data.content.at(-1)).toMatchObject({ kinds: ["passkey", "totp"], recoveryCodesLeft: 10, isRequired: false });
  expect(data.missingCount).toBe(5);
  expect(data.content.slice(0, 5).every((row: { isRequired: boolean }) => row.isRequired)).toBe(true);
  expect((await list("missing")).data.totalElements).toBe(5);
  expect((await callAs(member, "GET", "/api/admin/second-factor")).status).toBe(403);
});

test("a retired person leaves no passkey, secret or code behind", async () => {
  const person = await createMemberSession();
  await addPasskey(person);
  await addTotp(person);
  const answer = await callAs(person, "POST", "/api/user/retire", { password: "Secret!234" });
  expect(answer.code).toBe("SUCCESS");
  for (const table of ["second_factor", "recovery_code", "second_factor_recovery"])
    expect(await readRows(`SELECT * FROM ${table}`), `${table}`).toEqual([]);
});
