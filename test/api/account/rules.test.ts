import { beforeEach, expect, test } from "vitest";
import { userNameProblem } from "#worker/contract/account/rules.ts";
import { buildAccountRules, DEFAULT_RULE_SETTINGS } from "#worker/contract/kernel/setting/identity-rules.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { createSignupSettings, createVerifiedToken, newcomerForm, openSignup } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createUser,
  signInUser,
  TEST_PASSWORD,
} from "../../support/people.ts";

beforeEach(async () => void (await openSignup()));

const rules = { userName: { min: 2, max: 10, foreign: true }, password: { min: 8, max: 32 }, email: { endingMax: 10 } };
const setting = { authType: "IdAndPassword", roleCodeForGuest: "guest", signupApproval: false };

async function set(given: unknown): Promise<{ code: string; fields?: Record<string, string> }> {
  const { accessToken: token } = await createAdministratorSession();
  const { version } = (await callJson("GET", "/api/admin/setting/authentication", { token })).data;
  return callJson("PATCH", "/api/admin/setting/authentication", { token, body: { ...setting, rules: given, version } });
}

const form = (fields: Record<string, unknown>) =>
  newcomerForm({ userKeyCode: "newcomer", password: "Orchard!27", ...fields });

test("a site's account rules are enforced at sign-up", async () => {
  await createSignupSettings();
  expect((await set(rules)).code).toBe("SUCCESS");
  const info = await callJson("GET", "/api/site-setting/authentication");
  expect(info.data.rules.password).toMatchObject({ min: 8, max: 32 });
  const userKeyTokenForEmail = await createVerifiedToken("newcomer@society.academy");
  const wrong = await callJson("POST", "/api/user/signup", {
    body: form({ userName: "김", password: "Orc!27", userKeyTokenForEmail }),
  });
  expect(wrong.fields).toEqual({
    userName: "이름은 한글 2~10자, 또는 영문이나 한자로 입력해 주십시오.",
    password: "비밀번호는 영문, 숫자, 특수문자를 모두 포함하여 8~32자로 입력해 주십시오.",
  });
  const body = form({
    userName: "Marie-Anne O'Neill",
    password: "a longer one is 1 sentence".replaceAll(" ", "."),
    userKeyTokenForEmail,
  });
  expect((await callJson("POST", "/api/user/signup", { body })).data).toEqual({ userName: "Marie-Anne O'Neill" });
});

test("without own settings a site uses the defaults of the specification", async () => {
  const asked = { userKeyType: "Email", userKeyCode: "a@society.academy" };
  expect((await callJson("POST", "/api/user-key/check", { body: asked })).fields.userKeyCode).toContain("이메일");
  expect((await callJson("POST", "/api/user-key/check-exists", { body: asked })).code).toBe("INVALID_INPUT");
  expect(
    Object.keys(
      (await callJson("POST", "/api/user/reset-password-token", { body: { email: "a@society.academy" } })).fields,
    ),
  ).toEqual(["email"]);
  const person = await createMemberSession();
  const patch = { userName: "Marie", version: 1 };
  const answer = await callAs(person, "PATCH", `/api/user/${person.user.id}`, patch);
  expect(answer.fields).toEqual({ userName: "이름은 한글 1~4자로 입력해 주십시오." });
});

test("a member from before the rules keeps their name", async () => {
  const person = await createUser({ userName: "홍" });
  await set({ ...rules, password: { min: 12, max: 32 } });
  const session = await signInUser(person);
  const body = { userName: "홍", profile: {}, version: 1 };
  expect((await callAs(session, "PATCH", `/api/user/${person.id}`, body)).code).toBe("SUCCESS");
  const shorter = { password: TEST_PASSWORD, newPassword: "Orchard!27" };
  const refused = await callAs(session, "POST", `/api/user/change-password/${person.id}`, shorter);
  expect(refused.fields.newPassword).toContain("12~32자");
});

test.each([
  ["최소가 최대보다 크다", { ...rules, password: { min: 20, max: 8 } }, "rules.password.max"],
  ["비밀번호가 너무 짧다", { ...rules, password: { min: 4, max: 16 } }, "rules.password.min"],
  ["이름이 너무 길다", { ...rules, userName: { min: 1, max: 99, foreign: false } }, "rules.userName.max"],
  ["끝자리가 숫자가 아니다", { ...rules, email: { endingMax: "3" } }, "rules.email.endingMax"],
])("contradictory rules are refused at their field: %s", async (_what, given, field) => {
  const answer = await set(given);
  expect([answer.code, Object.keys(answer.fields ?? {})]).toEqual(["INVALID_INPUT", [field]]);
});

test("saving the sign-in method leaves the account rules unchanged", async () => {
  await set(rules);
  await set(undefined);
  expect((await callJson("GET", "/api/site-setting/authentication")).data.rules.password.max).toBe(32);
});

test.each(["Jean Luc", "Ångström", "王小明", "J. R. Smith", "山田 太郎"])(
  "a foreign name is accepted where foreign names are allowed: %s",
  (name) => {
    expect(userNameProblem(name, buildAccountRules(rules))).toBeNull();
    expect(userNameProblem(name, buildAccountRules(DEFAULT_RULE_SETTINGS))).not.toBeNull();
  },
);

test.each(["<b>", "ㄱㄴㄷ", "a  b", "Marie1", "😀", "-", "홍 길동"])(
  "an invalid name is refused everywhere: %s",
  (name) => {
    expect(userNameProblem(name, buildAccountRules(rules))).not.toBeNull();
  },
);
