import { beforeEach, expect, test } from "vitest";
import { userKeyAvailableMessage, UI_MESSAGES, userKeyTakenMessage } from "#worker/contract/kernel/messages.ts";
import { callJson } from "../../support/api-client.ts";
import { createSignupSettings, createVerifiedToken, newcomerForm, openSignup } from "../../support/factories.ts";
import { createUser, TEST_PASSWORD } from "../../support/people.ts";
import { requirePresent } from "../../support/require-present.ts";
import { readValue, runSql } from "../../support/test-database.ts";

beforeEach(async () => void (await openSignup()));

/** Texts of spec sections 5, 6 and 8, copied from the specification instead of the code. */
const SPEC: [text: string, ours: string][] = [
  ["이메일 인증을 진행해주세요.", UI_MESSAGES.emailUnverified],
  ["아이디 중복 확인을 진행해주세요.", UI_MESSAGES.idUnchecked],
  ["인증번호 발송 요청을 다시 해주세요.", UI_MESSAGES.pincodeNotSent],
  ["연락처를 형식에 맞게 입력해주세요.", UI_MESSAGES.phoneFormat],
  ["로그인 후 이용해 주시기 바랍니다.", UI_MESSAGES.memberOnly],
  ["서비스 준비중입니다", UI_MESSAGES.preparing],
  ["회원 정보가 없습니다.", UI_MESSAGES.userNotFound],
  ["로그인에 실패했습니다. 관리자에게 문의해주세요.", UI_MESSAGES.signinRefused],
  ["로그인에 실패했습니다.", UI_MESSAGES.signinFailed],
  ["인증번호 발송에 실패했습니다.", UI_MESSAGES.pincodeSendFailed],
  ["인증에 성공하였습니다.", UI_MESSAGES.pincodeConfirmed],
  ["인증에 실패하였습니다.", UI_MESSAGES.pincodeWrong],
  ["회원가입의 실패하였습니다.", UI_MESSAGES.signupFailed],
  ["비밀번호 재설정이 실패했습니다.", UI_MESSAGES.resetFailed],
  ["에러가 발생했습니다. 관리자에게 문의해주세요.", UI_MESSAGES.findIdFailed],
  ["이미 사용 중인 아이디입니다.", userKeyTakenMessage("Id")],
  ["이미 사용 중인 이메일입니다.", userKeyTakenMessage("Email")],
  ["사용 가능한 아이디입니다.", userKeyAvailableMessage("Id")],
  ["사용 가능한 이메일입니다.", userKeyAvailableMessage("Email")],
];
test.each(SPEC)("the text '%s' is used verbatim", (text, ours) => expect(ours).toBe(text));

interface Case {
  what: string;
  path: string;
  body: Record<string, unknown>;
  status: number;
  code: string;
  message: string;
}
const CASES: Case[] = [
  {
    what: "sign-in with a wrong password",
    path: "user/signin",
    body: { userKeyType: "Id", userKeyCode: "taken", password: "Wrong!123" },
    status: 401,
    code: "INVALID_CREDENTIAL",
    message: "계정 정보가 일치하지 않습니다. 다시 입력해주세요.",
  },
  {
    what: "sign-in with an unknown ID",
    path: "user/signin",
    body: { userKeyType: "Id", userKeyCode: "nobody", password: TEST_PASSWORD },
    status: 404,
    code: "NOT_FOUND",
    message: "회원 정보가 없습니다.",
  },
  {
    what: "sign-in to a blocked account",
    path: "user/signin",
    body: { userKeyType: "Id", userKeyCode: "blocked", password: TEST_PASSWORD },
    status: 406,
    code: "NOT_ACCEPTABLE",
    message: "로그인에 실패했습니다. 관리자에게 문의해주세요.",
  },
  {
    what: "sign-up without a verified e-mail",
    path: "user/signup",
    body: newcomerForm({}),
    status: 400,
    code: "INVALID_INPUT",
    message: "이메일 인증을 진행해주세요.",
  },
  {
    what: "sign-up without a required field",
    path: "user/signup",
    body: newcomerForm({ profile: {}, userKeyTokenForEmail: "TOKEN" }),
    status: 400,
    code: "INVALID_INPUT",
    message: "소속 기관 항목을 확인바랍니다.",
  },
  {
    what: "sign-up with a malformed phone",
    path: "user/signup",
    body: newcomerForm({ profile: { affiliation: "기관", tel: "12" }, userKeyTokenForEmail: "TOKEN" }),
    status: 400,
    code: "INVALID_INPUT",
    message: "연락처를 형식에 맞게 입력해주세요.",
  },
  {
    what: "sign-up with a taken ID",
    path: "user/signup",
    body: newcomerForm({ userKeyCode: "taken", userKeyTokenForEmail: "TOKEN" }),
    status: 409,
    code: "ALREADY_EXISTS",
    message: "이미 사용 중인 아이디입니다.",
  },
  {
    what: "a code without a request",
    path: "user-key/confirm",
    body: { userKeyToken: "none", pincode: "123456" },
    status: 410,
    code: "PINCODE_EXPIRED",
    message: "인증번호 발송 요청을 다시 해주세요.",
  },
  {
    what: "a reset without a request",
    path: "user/reset-password",
    body: { userToken: "none", pincode: "123456", password: "Zk7!mQ2x" },
    status: 410,
    code: "PINCODE_EXPIRED",
    message: "비밀번호 재설정이 실패했습니다.",
  },
  {
    what: "find-id for nobody",
    path: "user/find-id",
    body: { userName: "홍길동", email: "nobody@pid.example.kr" },
    status: 404,
    code: "NOT_FOUND",
    message: "회원 정보가 없습니다.",
  },
  {
    what: "a refresh with nobody's token",
    path: "user/signin-by-refresh-token",
    body: { refreshToken: "none" },
    status: 401,
    code: "UNAUTHORIZED",
    message: "로그인이 만료되었습니다. 다시 로그인해 주십시오.",
  },
];
test.each(CASES)("$what: $status $code $message", async ({ path, body, status, code, message }) => {
  await createSignupSettings();
  await runSql(
    "INSERT INTO profile_field (code, name, input_type, required, detail) VALUES ('tel', '연락처', 'phone', 0, '[]')",
  );
  const people = [await createUser(), await createUser({ status: "blocked" })];
  for (const [at, name] of ["taken", "blocked"].entries()) {
    const update = "UPDATE user_key SET user_key_code = ? WHERE user_key_type = 'Id' AND user_id = ?";
    await runSql(update, name, requirePresent(people[at]).id);
  }
  const token =
    body.userKeyTokenForEmail === "TOKEN" ? await createVerifiedToken("new.person@pid.example.kr") : undefined;
  const answer = await callJson("POST", `/api/${path}`, {
    body: { ...body, ...(token ? { userKeyTokenForEmail: token } : {}) },
  });
  expect([answer.status, answer.code, answer.message]).toEqual([status, code, message]);
});

test("a wrong code answers '인증에 실패하였습니다.' with the remaining tries", async () => {
  const sent = await callJson("POST", "/api/user-key/check", {
    body: { userKeyType: "Email", userKeyCode: "n@pid.example.kr" },
  });
  const pincode = await readValue<string>("SELECT pincode FROM message");
  const other = pincode === "000000" ? "000001" : "000000";
  const answer = await callJson("POST", "/api/user-key/confirm", {
    body: { userKeyToken: sent.data.userKeyToken, pincode: other },
  });
  expect([answer.status, answer.code, answer.message, answer.data]).toEqual([
    400,
    "PINCODE_MISMATCH",
    "인증에 실패하였습니다.",
    { remaining: 4 },
  ]);
});
