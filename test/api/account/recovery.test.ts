import { expect, test } from "vitest";
import { callAs, callJson } from "../../support/api-client.ts";
import { advanceClock, leaveOfLimit, readSentPincode, sentMessages } from "../../support/factories.ts";
import { callApiWith, faultyDatabase } from "../../support/faulty-database.ts";
import { ENGLISH_SITE } from "../../support/identity.ts";
import { createUser, signInUser, TEST_PASSWORD, type TestUser } from "../../support/people.ts";
import { readValue, runSql } from "../../support/test-database.ts";

const NEW_PASSWORD = "Zk7!mQ2x";
const MINUTE = 60_000;
const findId = (body: unknown, address?: string) =>
  callJson("POST", "/api/user/find-id", { body, ...(address ? { address } : {}) });
const askReset = (email: string) => callJson("POST", "/api/user/reset-password-token", { body: { email } });
const reset = (userToken: string, pincode: string, password = NEW_PASSWORD, address?: string) =>
  callJson("POST", "/api/user/reset-password", {
    body: { userToken, pincode, password },
    ...(address ? { address } : {}),
  });
const wrong = (pincode: string) => String((Number(pincode) + 1) % 1_000_000).padStart(6, "0");
const signin = (person: TestUser, password: string) =>
  callJson("POST", "/api/user/signin", { body: { userKeyType: "Id", userKeyCode: person.userId, password } });

async function resetOf(person: TestUser) {
  const { data } = await askReset(person.email);
  return { userToken: data.userToken as string, pincode: await readSentPincode(person.email) };
}

test("an ID is shown only partly masked", async () => {
  const person = await createUser({ userName: "홍길동" });
  const { data } = await findId({ userName: "홍길동", email: person.email.toUpperCase() });
  expect(data.idList).toHaveLength(1);
  const [{ userKeyCode, createdDate }] = data.idList;
  expect(userKeyCode).toMatch(/^pe\*+/);
  expect(userKeyCode).not.toBe(person.userId);
  expect(userKeyCode).toHaveLength(person.userId.length);
  expect(new Date(createdDate).toISOString()).toBe(createdDate);
  expect((await sentMessages(person.email))[0]?.body).toContain(person.userId);
});

test("a masked ID keeps its letters whole", async () => {
  const person = await createUser({ userName: "홍길동" });
  await runSql("UPDATE user_key SET user_key_code = 'a😀bcdef' WHERE user_key_code = ?", person.userId);
  const { data } = await findId({ userName: "홍길동", email: person.email });
  expect(data.idList[0].userKeyCode).toBe("a😀****f");
});

test("finding an ID needs name with address", async () => {
  const person = await createUser({ userName: "홍길동" });
  const other = await createUser({ userName: "김철수" });
  for (const body of [
    { userName: "김철수", email: person.email },
    { userName: "홍길동", email: other.email },
    { userName: "홍길동", email: "nobody@pid.example.kr" },
  ]) {
    const answer = await findId(body);
    expect([answer.status, answer.code, answer.message]).toEqual([404, "NOT_FOUND", "회원 정보가 없습니다."]);
  }
  expect(await sentMessages(person.email)).toEqual([]);
});

test("an address that exceeds the hourly find-id limit waits, others do not", async () => {
  await leaveOfLimit(5, "findIdAddress", "203.0.113.9");
  const person = await createUser({ userName: "홍길동" });
  const body = { userName: "홍길동", email: person.email };
  for (let n = 0; n < 5; n += 1) expect((await findId(body, "203.0.113.9")).status, `${n}`).toBe(200);
  const refused = await findId(body, "203.0.113.9");
  expect([refused.status, refused.code]).toEqual([429, "TOO_MANY_REQUESTS"]);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(3500);
  expect((await findId(body, "203.0.113.10")).status).toBe(200);
});

test("the mobile number finds the account under MobileAndPassword", async () => {
  await runSql(
    `UPDATE site_setting SET value = json_set(value, '$.authType', 'MobileAndPassword') WHERE key = 'authentication'`,
  );
  const person = await createUser({ userName: "홍길동" });
  await runSql(
    "INSERT INTO user_key (user_key_type, user_key_code, user_id, verified_date) VALUES ('Mobile', '010-1234-5678', ?, 1)",
    person.id,
  );
  const { data } = await findId({ userName: "홍길동", mobile: "01012345678" });
  expect(data.idList[0].userKeyCode).toBe("010-****-5678");
  const token = await callJson("POST", "/api/user/reset-password-token", { body: { mobile: "010 1234 5678" } });
  const [sms] = await sentMessages("010-1234-5678");
  expect(sms?.channel).toBe("sms");
  expect((await reset(token.data.userToken, sms?.pincode ?? "")).status).toBe(200);
});

test("a reset for an unknown address sends no mail", async () => {
  const person = await createUser();
  const known = await askReset(person.email);
  const unknown = await askReset("nobody@pid.example.kr");
  expect([unknown.status, unknown.code]).toEqual([known.status, known.code]);
  expect(Object.keys(unknown.data)).toEqual(Object.keys(known.data));
  expect(unknown.data.userToken).toHaveLength(known.data.userToken.length);
  expect(await sentMessages("nobody@pid.example.kr")).toEqual([]);
  const tries = await Promise.all([0, 1].map((n) => reset(unknown.data.userToken, `00000${n}`)));
  for (const answer of tries) expect(answer.code).toBe("PINCODE_MISMATCH");
});

test("a reset ends every session", async () => {
  const person = await createUser();
  const session = await signInUser(person);
  const { userToken, pincode } = await resetOf(person);
  const answer = await reset(userToken, pincode);
  expect([answer.status, answer.data]).toEqual([200, {}]);
  expect(answer.headers.get("Set-Cookie")).toBeNull();
  expect((await callAs(session, "GET", `/api/user/${person.id}`)).status).toBe(401);
  const refreshed = await callJson("POST", "/api/user/signin-by-refresh-token", {
    body: { refreshToken: session.refreshToken },
  });
  expect(refreshed.status).toBe(401);
  expect((await signin(person, TEST_PASSWORD)).code).toBe("INVALID_CREDENTIAL");
  expect((await signin(person, NEW_PASSWORD)).code).toBe("SUCCESS");
  expect((await sentMessages(person.email))[0]?.subject).toBe("[새 홈페이지] 비밀번호가 재설정되었습니다");
});

test("a reset invalidates every other open code of the person", async () => {
  const person = await createUser();
  const { userToken, pincode } = await resetOf(person);
  await runSql(
    `INSERT INTO verification (token_hash, purpose, key_hash, created_date, expires_date)
     SELECT 'other', 'code', key_hash, created_date, expires_date FROM verification`,
  );
  expect((await reset(userToken, pincode)).code).toBe("SUCCESS");
  expect(await readValue("SELECT count(*) FROM verification WHERE used_date IS NULL")).toBe(0);
});

test("a reset token works once, even under simultaneous attempts", async () => {
  const person = await createUser();
  const { userToken, pincode } = await resetOf(person);
  const answers = await Promise.all(
    ["Zk7!mQ2x", "Zk7!mQ2y", "Zk7!mQ2z"].map((word) => reset(userToken, pincode, word)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await reset(userToken, pincode, "Zk7!mQ2w")).code).toBe("PINCODE_EXPIRED");
});

test("a password changed during a reset is kept", async () => {
  const person = await createUser();
  const { userToken, pincode } = await resetOf(person);
  const { DB, broke } = faultyDatabase({
    sql: /update "user" set "password_hash"/i,
    when: () => runSql("UPDATE user SET password_hash = 'changed' WHERE id = ?", person.id),
  });
  const body = { userToken, pincode, password: NEW_PASSWORD };
  const answer = await callApiWith({ DB }, "POST", "/api/user/reset-password", { body });
  expect([broke(), answer.code]).toEqual([1, "PINCODE_EXPIRED"]);
  expect(await readValue("SELECT password_hash FROM user WHERE id = ?", person.id)).toBe("changed");
});

test("five wrong codes invalidate a reset token, even for the right code", async () => {
  const person = await createUser();
  const { userToken, pincode } = await resetOf(person);
  for (let left = 4; left >= 0; left -= 1) {
    const answer = await reset(userToken, wrong(pincode));
    expect([answer.status, answer.code, answer.message], JSON.stringify(left)).toEqual([
      400,
      "PINCODE_MISMATCH",
      "비밀번호 재설정이 실패했습니다.",
    ]);
    expect(answer.data.remaining, JSON.stringify(left)).toBe(left);
  }
  const late = await reset(userToken, pincode);
  expect([late.status, late.code, late.message]).toEqual([410, "PINCODE_EXPIRED", "비밀번호 재설정이 실패했습니다."]);
  expect((await signin(person, TEST_PASSWORD)).code).toBe("SUCCESS");
});

test("a reset code expires after ten minutes", async () => {
  const person = await createUser();
  const { userToken, pincode } = await resetOf(person);
  advanceClock(10 * MINUTE + 1000);
  expect((await reset(userToken, pincode)).code).toBe("PINCODE_EXPIRED");
});

test("a newer reset code invalidates the older one", async () => {
  const person = await createUser();
  const first = await resetOf(person);
  advanceClock(MINUTE + 1000);
  const second = await resetOf(person);
  expect((await reset(first.userToken, first.pincode)).code).toBe("PINCODE_EXPIRED");
  expect((await reset(second.userToken, second.pincode)).status).toBe(200);
});

test("an unsafe new password leaves the code usable", async () => {
  const person = await createUser();
  const { userToken, pincode } = await resetOf(person);
  const refused = {
    [TEST_PASSWORD]: "널리 알려져 추측하기 쉬운 비밀번호입니다. 다른 비밀번호를 입력해 주십시오.",
    "P@ssw0rd!": "널리 알려져 추측하기 쉬운 비밀번호입니다. 다른 비밀번호를 입력해 주십시오.",
    [`${person.userId}!A`]: "비밀번호에 아이디, 이메일, 이름을 넣을 수 없습니다.",
    short1: "비밀번호는 영문, 숫자, 특수문자를 모두 포함하여 6~16자로 입력해 주십시오.",
  };
  for (const [password, message] of Object.entries(refused)) {
    const answer = await reset(userToken, pincode, password);
    expect([answer.code, answer.fields.password]).toEqual(["INVALID_INPUT", message]);
  }
  expect((await reset(userToken, pincode)).status).toBe(200);

  advanceClock(MINUTE + 1000);
  const again = await resetOf(person);
  expect((await reset(again.userToken, again.pincode)).fields.password).toBe(
    "지금 쓰는 비밀번호와 다른 비밀번호를 입력해 주십시오.",
  );
});

test("a code is valid only for its own purpose", async () => {
  const person = await createUser();
  const { userToken, pincode } = await resetOf(person);
  const confirm = await callJson("POST", "/api/user-key/confirm", { body: { userKeyToken: userToken, pincode } });
  expect(confirm.code).toBe("PINCODE_EXPIRED");
  const sent = await callJson("POST", "/api/user-key/check", {
    body: { userKeyType: "Email", userKeyCode: "new@pid.example.kr" },
  });
  const answer = await reset(sent.data.userKeyToken, await readSentPincode("new@pid.example.kr"));
  expect(answer.code).toBe("PINCODE_EXPIRED");
});

test("a second code within a minute is refused", async () => {
  const person = await createUser();
  const { userToken, pincode } = await resetOf(person);
  const soon = await askReset(person.email);
  expect([soon.status, soon.headers.get("Retry-After")]).toEqual([429, "60"]);
  for (let n = 0; n < 5; n += 1) await signin(person, "Wrong!123");
  expect((await signin(person, TEST_PASSWORD)).code).toBe("TOO_MANY_REQUESTS");
  await reset(userToken, pincode);
  expect((await signin(person, NEW_PASSWORD)).code).toBe("SUCCESS");
});

test("requests from English pages get English answers", async () => {
  const english = JSON.stringify({ english: ENGLISH_SITE });
  const person = await createUser({ userName: "홍길동" });
  const language = "en";
  const ask = (email: string) => callJson("POST", "/api/user/reset-password-token", { body: { email, language } });
  const newest = async (address: string) => (await sentMessages(address))[0];
  await ask(person.email);
  expect((await newest(person.email))?.subject).toMatch(/^\[새 홈페이지\] 인증번호 \d{6}$/);

  await runSql("INSERT INTO site_setting (key, value, modified_date, version) VALUES ('identity', ?, 1, 1)", english);
  advanceClock(MINUTE + 1000);
  const { data } = await ask(person.email);
  const pincode = await readSentPincode(person.email);
  const code = await newest(person.email);
  expect(code?.subject).toBe(`[The Network] Verification code ${pincode}`);
  expect(code?.body).toMatch(/^Your verification code is \d{6}\.[^가-힣]*The Network\nhttps?:\/\/[^/]+\/en$/);
  const body = { userToken: data.userToken, pincode, password: NEW_PASSWORD, language };
  expect((await callJson("POST", "/api/user/reset-password", { body })).status).toBe(200);
  await findId({ userName: "홍길동", email: person.email, language });
  await callJson("POST", "/api/user-key/check", {
    body: { userKeyType: "Email", userKeyCode: person.email, language },
  });
  const subjects = (await sentMessages(person.email)).map(({ subject }) => subject).slice(0, 3);
  expect(subjects.toSorted()).toEqual([
    "[The Network] This address is already in use",
    "[The Network] Your ID",
    "[The Network] Your password has been reset",
  ]);
  await callJson("POST", "/api/user-key/check", {
    body: { userKeyType: "Mobile", userKeyCode: "010-1234-5678", language },
  });
  expect((await newest("010-1234-5678"))?.body).toMatch(/^Your verification code is \d{6}\. [^가-힣]+$/);
  expect((await findId({ userName: "홍길동", email: person.email, language: "fr" })).code).toBe("INVALID_INPUT");
});
