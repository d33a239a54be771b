import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { importedPassword, pepperName } from "#worker/adapters/password.server.ts";
import { readConfig } from "#worker/config.ts";
import { callJson } from "../../support/api-client.ts";
import { advanceClock } from "../../support/factories.ts";
import { createMemberSession, createUser, TEST_PASSWORD, type TestUser } from "../../support/people.ts";
import { requirePresent } from "../../support/require-present.ts";
import { addPasskey, addTotp, MINUTE, postSecondFactor, totpCodeOf } from "../../calls/second-factor-acts.ts";
import { readValue, runSql } from "../../support/test-database.ts";

const NEXT = "next-pepper-0123456789abcdef0123456789abcdef";
const rotating = { ...env, PASSWORD_PEPPER: NEXT, PASSWORD_PEPPER_OLD: `${env.PASSWORD_PEPPER}, ${"x".repeat(40)}` };
const rotated = { ...env, PASSWORD_PEPPER: NEXT };

const signInAt = (vars: object, person: Pick<TestUser, "userId">, password = TEST_PASSWORD) =>
  callJson("POST", "/api/user/signin", { body: { userKeyType: "Id", userKeyCode: person.userId, password }, vars });
const storedHash = ({ id }: TestUser) => readValue<string>("SELECT password_hash FROM user WHERE id = ?", id);
const pepperOf = async (person: TestUser) => (await storedHash(person))?.split("$").at(-1);

test("a password with the previous pepper is rehashed at sign-in", async () => {
  const [early, late] = [await createUser(), await createUser()];
  expect(await pepperOf(early)).toBe(pepperName(env.PASSWORD_PEPPER));
  const before = await storedHash(early);
  expect((await signInAt(rotating, early, "Wrong!123")).code).toBe("INVALID_CREDENTIAL");
  expect(await storedHash(early)).toBe(before);

  expect((await signInAt(rotating, early)).code).toBe("SUCCESS");
  expect(await pepperOf(early)).toBe(pepperName(NEXT));
  const renewed = await storedHash(early);
  expect((await signInAt(rotating, early)).code).toBe("SUCCESS");
  expect(await storedHash(early)).toBe(renewed);

  expect((await signInAt(rotated, early)).code).toBe("SUCCESS");
  expect((await signInAt(rotated, late)).code).toBe("INVALID_CREDENTIAL");
  expect(await pepperOf(late)).toBe(pepperName(env.PASSWORD_PEPPER));
});

test("the previous pepper also works for changing a password", async () => {
  const person = await createMemberSession();
  const { id } = person.user;
  const call = (path: string, body: object) =>
    callJson("POST", `/api/user/${path}`, { token: person.accessToken, body, vars: rotating });
  expect((await call(`${id}/sessions/end-others`, { password: TEST_PASSWORD })).code).toBe("SUCCESS");
  const passwords = { password: TEST_PASSWORD, newPassword: "Zk7!mQ2x" };
  expect((await call(`change-password/${id}`, passwords)).code).toBe("SUCCESS");
  expect(await pepperOf(person.user)).toBe(pepperName(NEXT));
});

test("an imported password sealed with the previous pepper signs in", async () => {
  const person = await createUser();
  const md5OfPassword = "5f4dcc3b5aa765d61d8327deb882cf99";
  await runSql(
    "UPDATE user SET password_hash = ? WHERE id = ?",
    importedPassword(md5OfPassword, env.PASSWORD_PEPPER),
    person.id,
  );
  expect((await signInAt(rotated, person, "password")).code).toBe("INVALID_CREDENTIAL");
  expect((await signInAt(rotating, person, "password")).code).toBe("SUCCESS");
  expect((await signInAt(rotated, person, "password")).code).toBe("SUCCESS");
});

test("an app secret is resealed at its next code", { tags: "full" }, async () => {
  const person = await createMemberSession();
  const { secret } = await addTotp(person);
  const { recoveryCodes = [] } = await postSecondFactor("/recovery-codes", person).then(({ data }) => data);
  const verify = (vars: object, body: object) => postSecondFactor("/verify", person, body, vars);
  const nextCode = () => {
    advanceClock(MINUTE);
    return { kind: "totp", code: totpCodeOf(secret) };
  };
  expect((await verify(rotated, nextCode())).code).toBe("PINCODE_MISMATCH");
  const [first, second] = recoveryCodes as string[];
  const printed = (code: string | undefined) => ({ kind: "recoveryCode", code: requirePresent(code) });
  expect((await verify(rotated, printed(first))).code).toBe("PINCODE_MISMATCH");

  expect((await verify(rotating, nextCode())).code).toBe("SUCCESS");
  expect((await verify(rotated, nextCode())).code).toBe("SUCCESS");
  expect((await verify(rotating, printed(first))).code).toBe("SUCCESS");
  expect((await verify(rotating, printed(first))).code).toBe("PINCODE_MISMATCH");
  expect((await verify(rotated, printed(second))).code).toBe("PINCODE_MISMATCH");
});

test("passkeys do not depend on peppers", async () => {
  const person = await createMemberSession();
  const { passkey } = await addPasskey(person);
  const options = await postSecondFactor("/verify-options", person, {}, rotated);
  const response = await passkey.assert(options.data.passkey.challenge);
  expect((await postSecondFactor("/verify", person, { kind: "passkey", response }, rotated)).code).toBe("SUCCESS");
});

test("a malformed former pepper is not used", () => {
  expect(() => readConfig({ ...env, PASSWORD_PEPPER_OLD: `${"x".repeat(40)},short` })).toThrow("PASSWORD_PEPPER_OLD");
  expect(readConfig({ ...env, PASSWORD_PEPPER_OLD: " " }).PASSWORD_PEPPER_OLD).toEqual([]);
});
