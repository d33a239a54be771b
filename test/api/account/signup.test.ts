import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callJson } from "../../support/api-client.ts";
import {
  advanceClock,
  createSignupSettings,
  createVerifiedToken,
  readSentPincode,
  sentMessages,
  signupForm,
} from "../../support/factories.ts";
import { createUser } from "../../support/people.ts";
import { countRows, readRows, readValue, runSql } from "../../support/test-database.ts";
import { NEW_PERSON_EMAIL, MINUTE, checkUserKey, confirmUserKey, findUserKey } from "../../calls/account-calls.ts";

const form = (fields?: Record<string, unknown>) => signupForm(NEW_PERSON_EMAIL, fields);

const signup = (body: unknown) => callJson("POST", "/api/user/signup", { body });

async function setAuthType(authType: string): Promise<void> {
  await runSql(
    "UPDATE site_setting SET value = json_set(value, '$.authType', ?) WHERE key = 'authentication'",
    authType,
  );
}

test("a new member can sign in", async () => {
  await createSignupSettings();
  expect((await signup(await form())).data).toEqual({ userName: "홍길동" });
  const [row] = await readRows("SELECT * FROM user");
  expect(row).toMatchObject({ user_name: "홍길동", user_type: "Member", role_code: "member", status: "active" });
  expect(String(row?.password_hash)).toMatch(/^argon2id\$19456\$2\$1\$/);
  const consents = await env.DB.prepare(
    "SELECT code, version, agreed, text_hash FROM user_consent ORDER BY code",
  ).all();
  expect(consents.results).toEqual([
    { code: "newsletter", version: "1", agreed: 0, text_hash: "y" },
    { code: "terms", version: "1", agreed: 1, text_hash: "x" },
  ]);
  const body = { userKeyType: "Id", userKeyCode: "NewPerson", password: "Zk7!mQ2x" };
  const session = await callJson("POST", "/api/user/signin", { body });
  expect(session.data.user).toMatchObject({ userName: "홍길동", userType: "Member", role: { roleCode: "member" } });
  const me = await callJson("GET", `/api/user/${session.data.user.id}`, { token: session.data.accessToken });
  expect(me.data.userKeys).toEqual([
    { userKeyType: "Email", userKeyCode: NEW_PERSON_EMAIL, verified: true },
    { userKeyType: "Id", userKeyCode: "newperson", verified: false },
  ]);
});

test("under EmailAndPassword the verified e-mail is the sign-in key", async () => {
  await createSignupSettings();
  await setAuthType("EmailAndPassword");
  expect((await signup(await form({ userKeyType: "Id" }))).fields.userKeyType).toBe(
    "이 사이트에서 쓰지 않는 가입 방식입니다.",
  );
  advanceClock(MINUTE + 1000);
  const other = await signup(await form({ userKeyType: "Email", userKeyCode: "other@pid.example.kr" }));
  expect(other.fields.userKeyTokenForEmail).toBe("이메일 인증을 진행해주세요.");
  advanceClock(MINUTE + 1000);
  expect((await signup(await form({ userKeyType: "Email", userKeyCode: NEW_PERSON_EMAIL }))).code).toBe("SUCCESS");
  const body = { userKeyType: "Email", userKeyCode: NEW_PERSON_EMAIL.toUpperCase(), password: "Zk7!mQ2x" };
  expect((await callJson("POST", "/api/user/signin", { body })).code).toBe("SUCCESS");
});

test("under MobileAndPassword an SMS code verifies the mobile number", async () => {
  await createSignupSettings();
  await setAuthType("MobileAndPassword");
  const sent = await checkUserKey("+82 10 1234 5678", "Mobile");
  const [sms] = await sentMessages("010-1234-5678");
  expect(sms?.channel).toBe("sms");
  // Carriers count a Korean letter as two bytes.
  expect([...(sms?.body ?? "")].reduce((bytes, letter) => bytes + (letter > "\u007f" ? 2 : 1), 0)).toBeLessThanOrEqual(
    90,
  );
  const verified = await confirmUserKey(sent.data.userKeyToken, sms?.pincode ?? "");
  const body = await form({
    userKeyType: "Mobile",
    userKeyCode: "01012345678",
    userKeyTokenForEmail: undefined,
    userKeyTokenForMobile: verified.data.userKeyToken,
  });
  expect((await signup({ ...body, userKeyTokenForMobile: undefined })).fields.userKeyTokenForMobile).toBe(
    "휴대전화 인증을 진행해주세요.",
  );
  expect((await signup(body)).code).toBe("SUCCESS");
  const key = { userKeyType: "Mobile", userKeyCode: "010-1234-5678", password: "Zk7!mQ2x" };
  expect((await callJson("POST", "/api/user/signin", { body: key })).code).toBe("SUCCESS");
});

test("a sign-up token works once for its verified address", async () => {
  await createSignupSettings();
  const verified = await createVerifiedToken(NEW_PERSON_EMAIL);
  const unverified = async (userKeyTokenForEmail: unknown) =>
    (await signup(await form({ userKeyTokenForEmail, userKeyCode: "another" }))).fields.userKeyTokenForEmail;
  const refusal = "이메일 인증을 진행해주세요.";
  expect(await unverified(undefined)).toBe(refusal);
  expect(await unverified("invented")).toBe(refusal);
  const sent = await checkUserKey("second@pid.example.kr");
  expect(await unverified(sent.data.userKeyToken)).toBe(refusal);
  expect((await signup(await form({ userKeyTokenForEmail: verified }))).code).toBe("SUCCESS");
  const again = await signup(await form({ userKeyTokenForEmail: verified, userKeyCode: "another" }));
  expect(again.status).toBe(409);

  const late = await createVerifiedToken("late@pid.example.kr");
  advanceClock(30 * MINUTE + 1000);
  expect(await unverified(late)).toBe(refusal);
  expect(await countRows("user")).toBe(1);
});

test("an address verified while signed in cannot open a new account", async () => {
  await createSignupSettings();
  const person = await createUser();
  const session = await callJson("POST", "/api/user/signin", {
    body: { userKeyType: "Id", userKeyCode: person.userId, password: "Secret!234" },
  });
  const body = { userKeyType: "Email", userKeyCode: NEW_PERSON_EMAIL };
  const sent = await callJson("POST", "/api/user-key/check", { body, token: session.data.accessToken });
  const verified = await confirmUserKey(sent.data.userKeyToken, await readSentPincode(NEW_PERSON_EMAIL));
  const answer = await signup(await form({ userKeyTokenForEmail: verified.data.userKeyToken }));
  expect(answer.fields.userKeyTokenForEmail).toBe("이메일 인증을 진행해주세요.");
});

test("every missing required field is named", async () => {
  await createSignupSettings();
  const answer = await signup(await form({ agreements: [{ code: "newsletter", version: "1" }], profile: {} }));
  expect(answer.fields).toEqual({
    "profile.affiliation": "소속 기관 항목을 확인바랍니다.",
    "agreements.terms": "'이용약관'에 동의해 주십시오.",
  });
  expect(await countRows("user")).toBe(0);
  expect(await countRows("user_consent")).toBe(0);
});

test.each([
  ["Zk7!m", "비밀번호는 영문, 숫자, 특수문자를 모두 포함하여 6~16자로 입력해 주십시오."],
  ["Zk7!mQ2xZk7!mQ2x1", "비밀번호는 영문, 숫자, 특수문자를 모두 포함하여 6~16자로 입력해 주십시오."],
  ["가나다12!ab", "비밀번호는 영문, 숫자, 특수문자를 모두 포함하여 6~16자로 입력해 주십시오."],
  ["Password1!", "널리 알려져 추측하기 쉬운 비밀번호입니다. 다른 비밀번호를 입력해 주십시오."],
  ["P@ssw0rd!", "널리 알려져 추측하기 쉬운 비밀번호입니다. 다른 비밀번호를 입력해 주십시오."],
  ["dr4g0n!2026", "널리 알려져 추측하기 쉬운 비밀번호입니다. 다른 비밀번호를 입력해 주십시오."],
  ["1newPerson!", "비밀번호에 아이디, 이메일, 이름을 넣을 수 없습니다."],
  ["new.person1!", "비밀번호에 아이디, 이메일, 이름을 넣을 수 없습니다."],
])("the password %s is refused with the reason", async (password, message) => {
  await createSignupSettings();
  expect((await signup(await form({ password }))).fields.password).toBe(message);
  expect(await countRows("user")).toBe(0);
});

test.each([
  ["김", true],
  ["남궁민수", true],
  ["김철수".normalize("NFD"), true],
  ["다섯글자임", false],
  ["ㄱㄴ", false],
  ["Hong", false],
  ["홍길동😀", false],
  ["", false],
])("the name %s: %s", async (userName, accepted) => {
  await createSignupSettings();
  const answer = await signup(await form({ userName }));
  if (accepted) expect(answer.data).toEqual({ userName: userName.normalize("NFC") });
  else expect(answer.fields.userName).toMatch(/이름은 한글 1~4자로 입력해 주십시오\.|필수 항목입니다\./);
});

test.each([
  ["Anna-Maria O'Neil", "en", true],
  ["Åse Þórðardóttir", "en", true],
  ["홍길동", "en", true],
  ["a".repeat(60), "en", true],
  ["a".repeat(61), "en", false],
  ["Å", "en", false],
  ["Anna - Maria", "en", false],
  ["Anna 3", "en", false],
  ["김 Anna", "en", false],
  ["Anna", "ko", false],
  ["Anna", undefined, false],
])("the name %s on the form in %s: %s", async (userName, language, accepted) => {
  await createSignupSettings();
  const answer = await signup(await form({ userName, ...(language && { language }) }));
  if (accepted) {
    expect(answer.data).toEqual({ userName });
    expect(await readValue("SELECT language FROM user")).toBe(language ?? "ko");
  } else expect(answer.fields.userName).toBe("이름은 한글 1~4자로 입력해 주십시오.");
});

test("a body cannot set its role, type or status", async () => {
  await createSignupSettings();
  const body = await form({
    userType: "Admin",
    roleCode: "administrator",
    permissions: ["ADMIN_Access"],
    status: "active",
    id: "mine",
    emailVerified: true,
    profile: { affiliation: "기관", roleCode: "administrator", unknown: "x" },
  });
  expect((await signup(body)).code).toBe("SUCCESS");
  const [row] = await readRows("SELECT * FROM user");
  expect(row).toMatchObject({ user_type: "Member", role_code: "member", profile: '{"affiliation":"기관"}' });
  expect(row?.id).toMatch(/^[0-9a-f-]{36}$/);
});

test("twenty simultaneous sign-ups create one member, however the ID is typed", { tags: "full" }, async () => {
  await createSignupSettings();
  const body = await form();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => signup({ ...body, userKeyCode: n % 2 ? "NEWPERSON" : "ｎｅｗperson" })),
  );
  expect(answers.filter(({ code }) => code === "SUCCESS")).toHaveLength(1);
  for (const { status } of answers.filter(({ code }) => code !== "SUCCESS"))
    expect([400, 409], JSON.stringify(status)).toContain(status);
  expect(await countRows("user")).toBe(1);
  expect(await countRows("user_key")).toBe(2);
});

test("a taken ID is refused with the field named", async () => {
  await createSignupSettings();
  const person = await createUser();
  const answer = await signup(await form({ userKeyCode: person.userId.toUpperCase() }));
  expect([answer.status, answer.code, answer.message]).toEqual([409, "ALREADY_EXISTS", "이미 사용 중인 아이디입니다."]);
});

test("every spelling of a key finds the same account", async () => {
  const person = await createUser();
  for (const typed of [
    person.email.toUpperCase(),
    ` ${person.email} `,
    `${person.email}.`,
    person.email.replace("@", "＠"),
  ])
    expect((await findUserKey("Email", typed)).data, `${typed}`).toEqual({ exists: true });
  expect((await findUserKey("Id", person.userId.toUpperCase())).data).toEqual({ exists: true });
  expect((await findUserKey("Id", "nobody")).data).toEqual({ exists: false });
  expect((await findUserKey("Id", "has space")).fields.userKeyCode).toBe("아이디는 공백 없이 입력해 주십시오.");
});
