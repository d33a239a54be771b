import { expect, test, vi } from "vitest";
import { callJson } from "../../support/api-client.ts";
import { advanceClock, leaveOfLimit, readSentPincode, sentMessages } from "../../support/factories.ts";
import { createUser } from "../../support/people.ts";
import { countRows } from "../../support/test-database.ts";
import { NEW_PERSON_EMAIL, MINUTE, checkUserKey, confirmUserKey, findUserKey } from "../../calls/account-calls.ts";
import { isFull } from "../../support/sample.ts";

const wrong = (pincode: string) => String((Number(pincode) + 1) % 1_000_000).padStart(6, "0");

test("more different keys than allowed in an hour are refused", { tags: "full" }, async () => {
  await leaveOfLimit(30, "lookupAddress", "local");
  for (let n = 0; n < 3; n += 1) await findUserKey("Id", "again");
  for (let n = 1; n < 30; n += 1) expect((await findUserKey("Id", `id${n}`)).status, `${n}`).toBe(200);
  const refused = await findUserKey("Id", "id30");
  expect([refused.status, refused.code]).toEqual([429, "TOO_MANY_REQUESTS"]);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect((await findUserKey("Id", "again")).status).toBe(200);
  const find = { userName: "홍길동", email: "x@pid.example.kr" };
  expect((await callJson("POST", "/api/user/find-id", { body: find })).status).toBe(429);
});

test("the owner of a taken address gets a notice", async () => {
  const person = await createUser();
  const now = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now });
  const fresh = await checkUserKey(NEW_PERSON_EMAIL);
  const taken = await checkUserKey(person.email);
  expect(Object.keys(taken.data)).toEqual(Object.keys(fresh.data));
  expect(taken.status).toBe(fresh.status);
  const [queued] = await sentMessages(person.email);
  expect([queued?.subject, queued?.pincode]).toEqual(["[새 홈페이지] 이미 가입된 주소입니다", null]);
  expect(JSON.stringify(fresh.data)).not.toContain(await readSentPincode(NEW_PERSON_EMAIL));
  expect(Date.parse(fresh.data.expiresDate)).toBe(now + 10 * MINUTE);
});

test("an address gets one code a minute, five an hour", async () => {
  for (let n = 0; n < 5; n += 1) {
    expect((await checkUserKey(NEW_PERSON_EMAIL, "Email", `203.0.113.${n}`)).status, `${n}`).toBe(200);
    const soon = await checkUserKey(NEW_PERSON_EMAIL, "Email", `203.0.113.${n}`);
    expect(soon.status, `${n}`).toBe(429);
    if (n < 4) expect(soon.message, `${n}`).toBe("요청이 너무 많습니다. 1분 뒤에 다시 시도해 주십시오.");
    advanceClock(MINUTE + 1000);
  }
  const refused = await checkUserKey(NEW_PERSON_EMAIL, "Email", "203.0.113.99");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(3000);
  expect(await sentMessages(NEW_PERSON_EMAIL)).toHaveLength(5);
});

test("a code works once within ten minutes", async () => {
  const first = (await checkUserKey(NEW_PERSON_EMAIL)).data.userKeyToken;
  const firstCode = await readSentPincode(NEW_PERSON_EMAIL);
  advanceClock(MINUTE + 1000);
  const second = (await checkUserKey(NEW_PERSON_EMAIL)).data.userKeyToken;
  const secondCode = await readSentPincode(NEW_PERSON_EMAIL);
  expect((await confirmUserKey(first, firstCode)).code).toBe("PINCODE_EXPIRED");
  const answers = await Promise.all([confirmUserKey(second, secondCode), confirmUserKey(second, secondCode)]);
  expect(answers.map(({ code }) => code).toSorted()).toEqual(["PINCODE_EXPIRED", "SUCCESS"]);

  advanceClock(MINUTE + 1000);
  const third = (await checkUserKey(NEW_PERSON_EMAIL)).data.userKeyToken;
  const thirdCode = await readSentPincode(NEW_PERSON_EMAIL);
  advanceClock(10 * MINUTE + 1000);
  expect((await confirmUserKey(third, thirdCode)).code).toBe("PINCODE_EXPIRED");
});

test("a code for one address does not confirm another", async () => {
  const a = (await checkUserKey("a@pid.example.kr")).data.userKeyToken;
  await checkUserKey("b@pid.example.kr");
  const [codeA, codeB] = [await readSentPincode("a@pid.example.kr"), await readSentPincode("b@pid.example.kr")];
  if (codeA !== codeB) expect((await confirmUserKey(a, codeB)).code).toBe("PINCODE_MISMATCH");
});

const GUESSES = isFull ? 200 : 40;

test(`the right code is refused after ${GUESSES} simultaneous wrong ones`, { tags: "sampled" }, async () => {
  const { userKeyToken } = (await checkUserKey(NEW_PERSON_EMAIL)).data;
  const pincode = await readSentPincode(NEW_PERSON_EMAIL);
  const guess = (n: number) =>
    callJson("POST", "/api/user-key/confirm", {
      body: { userKeyToken, pincode: wrong(pincode) },
      address: `198.51.100.${n}`,
    });
  const answers = await Promise.all(Array.from({ length: GUESSES }, (_, n) => guess(n)));
  const compared = answers.filter(({ code }) => code === "PINCODE_MISMATCH");
  expect(compared.map(({ data }) => data.remaining).toSorted()).toEqual([0, 1, 2, 3, 4]);
  expect(answers.filter(({ code }) => code === "PINCODE_EXPIRED")).toHaveLength(GUESSES - 5);
  const right = await confirmUserKey(userKeyToken, pincode);
  expect([right.status, right.code]).toEqual([410, "PINCODE_EXPIRED"]);
});

test("a name or address cannot inject a line into a message", async () => {
  for (const address of [
    "a@pid.example.kr\r\nBcc: x@y.kr",
    "a@pid.example.kr,b@y.kr",
    "a@pid.example.kr%0d%0aBcc:x@y.kr",
  ])
    expect((await checkUserKey(address)).code, `${address}`).toBe("INVALID_INPUT");
  expect(await countRows("message")).toBe(0);
});
