import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { importedPassword, isImportedPassword } from "#worker/adapters/password.server.ts";
import { callJson } from "../../support/api-client.ts";
import { createSignupSettings } from "../../support/factories.ts";
import { createUser } from "../../support/people.ts";
import hashes from "../../fixtures/moving/old-passwords.json";
import { readRow } from "../../support/test-database.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";

async function createMovedUser(hash: string) {
  const person = await createUser();
  const stored = importedPassword(hash, env.PASSWORD_PEPPER);
  await env.DB.batch([
    env.DB.prepare("UPDATE user SET password_hash = ? WHERE id = ?").bind(stored, person.id),
    env.DB.prepare("UPDATE user_key SET verified_date = NULL WHERE user_id = ?").bind(person.id),
  ]);
  return person;
}

const storedHash = async (id: string) =>
  (await readRow<{ hash: string }>("SELECT password_hash AS hash FROM user WHERE id = ?", id))?.hash ?? "";

const signin = (userKeyCode: string, password: string, address = "203.0.113.9") =>
  callJson("POST", "/api/user/signin", { body: { userKeyType: "Id", userKeyCode, password }, address });

// One password of each kind; the adapter's own test covers all.
const ONE_EACH = hashes.filter(({ kind }, index) => hashes.findIndex((each) => each.kind === kind) === index);

test.each(sample(ONE_EACH, ({ kind }) => kind))(
  `$kind: the old password of '$password' signs in once (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async (each) => {
    const person = await createMovedUser(each.hash);
    const wrong = await signin(person.userId, `${each.password}x`, "203.0.113.1");
    expect([wrong.status, wrong.code]).toEqual([401, "INVALID_CREDENTIAL"]);
    expect(isImportedPassword(await storedHash(person.id))).toBe(true);

    expect((await signin(person.userId, each.password)).code).toBe("SUCCESS");
    expect(await storedHash(person.id)).toMatch(/^argon2id\$/);
    expect((await signin(person.userId, each.password)).code).toBe("SUCCESS");
    expect((await signin(person.userId, `${each.password}x`)).code).toBe("INVALID_CREDENTIAL");
  },
);

test("required consents are requested at the first sign-in after a move", async () => {
  await createSignupSettings();
  const person = await createMovedUser(hashes[0]?.hash ?? "");
  const answer = await signin(person.userId, hashes[0]?.password ?? "");
  expect(answer.data.pendingAgreements.map(({ code }: { code: string }) => code)).toEqual(["terms"]);
});

test("an imported password longer than the current limit still works", async () => {
  const long = "긴 비밀번호 ".repeat(14).trim();
  const person = await createMovedUser(createHash("md5").update(long).digest("hex"));
  expect((await signin(person.userId, long)).code).toBe("SUCCESS");
  expect((await signin(person.userId, long)).code).toBe("SUCCESS");
  expect((await signin(person.userId, long.slice(0, -1))).code).toBe("INVALID_CREDENTIAL");
});
