import { expect, test } from "vitest";
import { RATE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { callJson } from "../../support/api-client.ts";
import { requirePresent } from "../../support/require-present.ts";
import { advanceClock, leaveOfLimit, readSentPincode, sentMessages } from "../../support/factories.ts";
import { createMemberSession, createUser, TEST_PASSWORD } from "../../support/people.ts";
import { countRows } from "../../support/test-database.ts";

const MINUTE = 60_000;
const signin = (userKeyCode: string, password: string, address = "203.0.113.5") =>
  callJson("POST", "/api/user/signin", { body: { userKeyType: "Id", userKeyCode, password }, address });
const askCode = (userKeyCode: string, address: string, token?: string) =>
  callJson("POST", "/api/user-key/check", { body: { userKeyType: "Email", userKeyCode }, address, token });
const askReset = (email: string, address: string) =>
  callJson("POST", "/api/user/reset-password-token", { body: { email }, address });

test("the remaining attempts are reported near the limit", async () => {
  const person = await createUser();
  const told = [];
  for (let n = 0; n < 5; n += 1) {
    const answer = await signin(person.userId, "Wrong!123");
    expect(answer.code, `${n}`).toBe("INVALID_CREDENTIAL");
    told.push(answer.data?.remaining);
  }
  expect(told).toEqual([undefined, undefined, 2, 1, 0]);
  expect((await signin(person.userId, TEST_PASSWORD)).code).toBe("TOO_MANY_REQUESTS");

  const { userToken } = (await askReset(person.email, "203.0.113.5")).data;
  const pincode = await readSentPincode(person.email);
  const password = "Zk7!mQ2x";
  const body = { userToken, pincode, password };
  expect((await callJson("POST", "/api/user/reset-password", { body, address: "203.0.113.5" })).code).toBe("SUCCESS");
  expect((await signin(person.userId, password)).code).toBe("SUCCESS");
});

test("a reset can be requested after every sign-in limit", async () => {
  const person = await createUser();
  await leaveOfLimit(10, "lookupAddress", "203.0.113.5");
  await leaveOfLimit(10, "signinFailureAddress", "203.0.113.5");
  for (let n = 0; n < 11; n += 1) await signin(`nobody${n}`, "Wrong!123");
  for (let n = 0; n < 5; n += 1) await signin(person.userId, "Wrong!123");
  expect((await signin("nobody", "Wrong!123")).code).toBe("TOO_MANY_REQUESTS");
  expect((await askReset(person.email, "203.0.113.5")).code).toBe("SUCCESS");
  expect(await sentMessages(person.email)).toHaveLength(1);
});

// Set `CODES=2000` for the full daily limit; the normal run covers the last of them.
const CODES = Number(process.env.CODES || 60);
test(
  `${RATE_LIMITS.codeSignupSiteDay.max} codes requested by strangers block neither resets nor members`,
  { tags: "full" },
  async () => {
    const member = await createMemberSession();
    await leaveOfLimit(CODES, "codeSignupSiteDay", "site");
    const many = Array.from({ length: CODES }, (_, n) => n);
    for (let first = 0; first < CODES; first += 20) {
      const asked = many
        .slice(first, first + 20)
        .map((n) => askCode(`stranger${n}@pid.example.kr`, `198.51.${Math.floor(n / 250)}.${n % 250}`));
      const codes = (await Promise.all(asked)).map(({ code }) => code);
      expect(codes, `${first}`).toEqual(codes.map(() => "SUCCESS"));
    }
    expect((await askCode("late@pid.example.kr", "203.0.113.200")).code).toBe("TOO_MANY_REQUESTS");
    expect((await askReset(member.user.email, "203.0.113.200")).code).toBe("SUCCESS");
    expect((await askCode("mine@pid.example.kr", "203.0.113.200", member.accessToken)).code).toBe("SUCCESS");
  },
);

test("resets for unknown addresses do not use the site limit", { tags: "full" }, async () => {
  await leaveOfLimit(20, "codeResetSiteDay", "site");
  const people = [];
  for (let n = 0; n < 21; n += 1) people.push(await createUser());
  for (let n = 0; n < 5; n += 1) await askReset(`nobody${n}@pid.example.kr`, `203.0.113.${n}`);
  for (const [n, person] of people.slice(0, 20).entries())
    expect((await askReset(person.email, `203.0.113.${n}`)).code, `${n}`).toBe("SUCCESS");
  expect((await askReset(requirePresent(people[20]).email, "203.0.113.200")).code).toBe("TOO_MANY_REQUESTS");
  expect((await askReset("nobody@pid.example.kr", "203.0.113.200")).code).toBe("TOO_MANY_REQUESTS");
});

test("sign-up codes do not use up a person's reset codes", async () => {
  const person = await createUser();
  for (let n = 0; n < 5; n += 1) {
    expect((await askCode(person.email, "203.0.113.1")).code, `${n}`).toBe("SUCCESS");
    advanceClock(MINUTE + 1000);
  }
  expect((await askCode(person.email, "203.0.113.1")).code).toBe("TOO_MANY_REQUESTS");
  expect((await askReset(person.email, "203.0.113.9")).code).toBe("SUCCESS");
});

test("wrong codes of others leave each code three tries", { tags: "full" }, async () => {
  await leaveOfLimit(10, "confirmAddress", "203.0.113.5");
  const confirm = async (n: number, right: boolean, wrongFirst = 0) => {
    const email = `guest${n}@pid.example.kr`;
    const { userKeyToken } = (await askCode(email, "203.0.113.5")).data;
    const sent = await readSentPincode(email);
    const pincode = right ? sent : String((Number(sent) + 1) % 1_000_000).padStart(6, "0");
    const wrong = { userKeyToken, pincode: String((Number(sent) + 1) % 1_000_000).padStart(6, "0") };
    for (let at = 0; at < wrongFirst; at++)
      await callJson("POST", "/api/user-key/confirm", { body: wrong, address: "203.0.113.5" });
    const body = { userKeyToken, pincode };
    return (await callJson("POST", "/api/user-key/confirm", { body, address: "203.0.113.5" })).code;
  };
  for (let n = 0; n < 15; n += 1) expect(await confirm(n, true), `${n}`).toBe("SUCCESS");
  for (let n = 15; n < 25; n += 1) expect(await confirm(n, false), `${n}`).toBe("PINCODE_MISMATCH");
  expect(await confirm(25, true, 2)).toBe("SUCCESS");
  expect(await confirm(26, true, 3)).toBe("PINCODE_EXPIRED");
});

test("thirty sign-ins with unknown IDs leave only four rows", { tags: "full" }, async () => {
  await createUser();
  const before = { limits: await countRows("rate_limit"), log: await countRows("audit_log") };
  for (let n = 0; n < 30; n += 1) expect((await signin(`nobody${n}`, "Wrong!123")).code, `${n}`).toBe("NOT_FOUND");
  expect((await countRows("rate_limit")) - before.limits).toBe(2);
  expect((await countRows("audit_log")) - before.log).toBe(2);
});

test("a member uploads at most 200 MB a day", async () => {
  const { accessToken: token, user } = await createMemberSession();
  await leaveOfLimit(20 * 1024 * 1024, "uploadBytesDay", user.id);
  await leaveOfLimit(2, "itemHour", user.id);
  const ask = (size: number) =>
    callJson("GET", `/api/board-item-file/upload-url?boardCode=free&fileName=a.pdf&size=${size}`, { token });
  expect((await ask(19 * 1024 * 1024)).code).toBe("SUCCESS");
  expect((await ask(1024 * 1024 + 1)).code).toBe("TOO_MANY_REQUESTS");
  expect((await ask(1024 * 1024)).code).toBe("SUCCESS");
  const write = () =>
    callJson("PUT", "/api/board-item/free", { token, body: { title: "글", content: "<p>글</p>", fileIds: [] } });
  expect([(await write()).code, (await write()).code, (await write()).code]).toEqual([
    "SUCCESS",
    "SUCCESS",
    "TOO_MANY_REQUESTS",
  ]);
});
