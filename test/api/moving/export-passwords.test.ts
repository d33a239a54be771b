/** @module-tag full */
import { env } from "cloudflare:workers";
import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { hashPassword, importedPassword } from "#worker/adapters/password.server.ts";
import { callJson, fetchApi } from "../../support/api-client.ts";
import { advanceClock, readSentPincode } from "../../support/factories.ts";
import { checkMove, exportSite, commitMove, MOVING, sendArchives, undoMove } from "../../support/move.ts";
import { moveSite, PASSWORD } from "../../support/moving-site.ts";
import { createAdministratorSession, createUser, TEST_PASSWORD, type TestUser } from "../../support/people.ts";
import { addTotp, MINUTE, postSecondFactor, totpCodeOf } from "../../calls/second-factor-acts.ts";
import { readRows, runSql } from "../../support/test-database.ts";

const FOREIGN_PEPPER = "other-pepper-0123456789abcdef0123456789abcdef";
const MD5_OF_PASSWORD = "5f4dcc3b5aa765d61d8327deb882cf99";

const signinCode = async (userKeyCode: string, password: string) => {
  const body = { userKeyType: "Id", userKeyCode, password };
  return (await callJson("POST", "/api/user/signin", { body, address: `203.0.113.${userKeyCode.length}` })).code;
};

function membersOf(bytes: Uint8Array): { user_id: string; password: string }[] {
  const list = strFromU8(unzipSync(bytes)["members/member_1.jsonl"] ?? new Uint8Array());
  return list
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const freeKeys = (person: TestUser) =>
  runSql("UPDATE user_key SET user_key_code = 'gone-' || user_key_code WHERE user_id = ?", person.id);

async function exportMembers(token: string): Promise<Uint8Array<ArrayBuffer>> {
  const [members] = await exportSite(token, { withPasswords: true });
  expect(members?.part.kind).toBe("members");
  return members?.bytes ?? new Uint8Array();
}

test("members can sign in after a reimport with passwords", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const person = await createUser();
  const { id } = await moveSite(token);
  const bytes = await exportMembers(token);
  const passwords = new Map(membersOf(bytes).map(({ user_id, password }) => [user_id, password]));
  expect(passwords.get(person.userId)).toMatch(/^argon2id\$.*\$pep-/);
  // Not exported: many are of a kind that is cracked within minutes.
  expect(passwords.get("kim_1")).toMatch(/^imported\$/);
  expect(passwords.get("lee")).toBe("");

  await undoMove(token, id);
  await freeKeys(person);
  const again = await sendArchives(token, [{ kind: "rdx", bytes }], { site: "같은 사이트" });
  const checked = await checkMove(token, again);
  const kinds = Object.fromEntries(checked.passwords.map(({ kind, count }) => [kind, count]));
  // `own`: the administrator and a member; `pbkdf2`: one imported; `unknown`: without a password.
  expect(kinds).toEqual({ own: 2, pbkdf2: 1, unknown: 1 });
  await callJson("POST", `${MOVING}/${again}/cancel`, { token, body: {} });
  await commitMove(token, await sendArchives(token, [{ kind: "rdx", bytes }]));
  for (const [userId, password] of [
    [person.userId, TEST_PASSWORD],
    ["kim_1", PASSWORD.password],
  ] as const) {
    const stored = () =>
      readRows(
        "SELECT password_hash AS hash FROM user WHERE id = (SELECT user_id FROM user_key WHERE user_key_code = ?)",
        userId,
      );
    expect((await stored())[0]?.hash).toMatch(/^imported\$/);
    expect([userId, await signinCode(userId, `${password}x`)]).toEqual([userId, "INVALID_CREDENTIAL"]);
    expect([userId, await signinCode(userId, password)]).toEqual([userId, "SUCCESS"]);
    expect((await stored())[0]?.hash).toMatch(/^argon2id\$/);
    expect([userId, await signinCode(userId, password)]).toEqual([userId, "SUCCESS"]);
  }
});

test("passwords are unusable without the pepper", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const [own, moved] = [await createUser(), await createUser()];
  await runSql("UPDATE user SET password_hash = ? WHERE id = ?", hashPassword(TEST_PASSWORD, FOREIGN_PEPPER), own.id);
  await runSql(
    "UPDATE user SET password_hash = ? WHERE id = ?",
    importedPassword(MD5_OF_PASSWORD, FOREIGN_PEPPER),
    moved.id,
  );
  const bytes = await exportMembers(token);
  await freeKeys(own);
  await freeKeys(moved);
  const view = await commitMove(token, await sendArchives(token, [{ kind: "rdx", bytes }]), { boards: {} });
  expect(view.passwords).toContainEqual({ kind: "pepper", count: 2 });
  expect(view.issues.find(({ code }) => code === "member-pepper")).toMatchObject({ count: 2, isLoss: false });
  expect(await signinCode(own.userId, TEST_PASSWORD)).toBe("INVALID_CREDENTIAL");
  expect(await signinCode(moved.userId, "password")).toBe("INVALID_CREDENTIAL");
  for (const { email, userId } of [own, moved]) {
    const { data } = await callJson("POST", "/api/user/reset-password-token", { body: { email } });
    const body = { userToken: data.userToken, pincode: await readSentPincode(email), password: "New!Pass12" };
    expect((await callJson("POST", "/api/user/reset-password", { body })).code).toBe("SUCCESS");
    expect(await signinCode(userId, "New!Pass12")).toBe("SUCCESS");
  }
});

test("an export with passwords needs a renewed verification", async () => {
  const administrator = await createAdministratorSession();
  const { accessToken: token } = administrator;
  const body = { kind: "members", first: "0", last: "z", partNo: 1, reason: "옮기기", withPasswords: true };
  const ask = async (change: object = {}): Promise<{ code: string; reason?: string }> => {
    const answer = await fetchApi("POST", `${MOVING}/export`, {
      token,
      body: JSON.stringify({ ...body, ...change }),
      headers: { "Content-Type": "application/json" },
    });
    if (answer.headers.get("Content-Type") === "application/zip") {
      await answer.arrayBuffer();
      return { code: "ZIP" };
    }
    const { code, data } = (await answer.json()) as { code: string; data: { reason?: string } | null };
    return { code, ...(data?.reason && { reason: data.reason }) };
  };
  for (const change of [{ kind: "items", first: "1", last: "2" }, { kind: "files" }])
    expect([change, (await ask(change)).code]).toEqual([change, "INVALID_INPUT"]);

  // Without a second factor, an old sign-in requires the password again.
  advanceClock(6 * MINUTE);
  expect((await ask({ withPasswords: false })).code).toBe("ZIP");
  expect(await ask()).toEqual({ code: "FORBIDDEN", reason: "SECOND_FACTOR_REQUIRED" });
  await postSecondFactor("/verify", administrator, { kind: "password", password: TEST_PASSWORD });
  expect((await ask()).code).toBe("ZIP");

  // With a second factor, that is required instead.
  const { secret } = await addTotp(administrator);
  advanceClock(6 * MINUTE);
  expect(await ask()).toEqual({ code: "FORBIDDEN", reason: "SECOND_FACTOR_REQUIRED" });
  await postSecondFactor("/verify", administrator, { kind: "totp", code: totpCodeOf(secret) });
  expect((await ask()).code).toBe("ZIP");

  expect(
    await readRows(
      "SELECT reason, json_extract(detail, '$.withPasswords') AS passwords FROM audit_log WHERE action = 'moving.export' ORDER BY id",
    ),
  ).toEqual([null, 1, 1].map((passwords) => ({ reason: "옮기기", passwords })));
});

test("a hash that this product never produces is not exported", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const person = await createUser();
  await runSql("UPDATE user SET password_hash = 'scrypt$1024$8$1$c2FsdA$aGFzaA$pep1' WHERE id = ?", person.id);
  const passwords = new Map(membersOf(await exportMembers(token)).map((each) => [each.user_id, each.password]));
  expect(passwords.get(person.userId)).toBe("");
  expect(env.PASSWORD_PEPPER).not.toBe(FOREIGN_PEPPER);
});
