/** @module-tag full */
import { expect, test } from "vitest";
import { callJson, fetchApi } from "../../support/api-client.ts";
import { advanceClock, readSentPincode } from "../../support/factories.ts";
import { createMemberSession } from "../../support/people.ts";
import { readRow, runSql } from "../../support/test-database.ts";
import { answerLink, roundCall } from "./rounds.ts";
import { VALUES, openRound, show, state, correction, openByCode, FIRST, SECOND } from "./confirmations.ts";
import { isFull } from "../../support/sample.ts";

test("a verification ends when the entry changes", async () => {
  const { links } = await openRound();
  await runSql("UPDATE alumni SET email = 'alumnus1@pid.example.kr' WHERE id = ?", SECOND);
  await runSql("UPDATE mailing_recipient SET address = 'alumnus1@pid.example.kr' WHERE person_id = ?", SECOND);
  const sent = await answerLink(links[0], "code", {});
  const code = { codeToken: sent.data.codeToken, pincode: await readSentPincode("alumnus1@pid.example.kr") };
  expect((await answerLink(links[1], "open", code)).code).toBe("PINCODE_EXPIRED");
  advanceClock(61_000);
  const opened = await openByCode(links[0]);
  expect((await answerLink(links[1], "correct", { ...correction, proof: opened.proof })).code).toBe("PINCODE_EXPIRED");
  await runSql("UPDATE alumni SET version = 2 WHERE id = ?", FIRST);
  expect((await answerLink(links[0], "correct", { ...correction, proof: opened.proof })).code).toBe("CONFLICT");
  advanceClock(31 * 60_000);
  expect((await answerLink(links[0], "correct", { ...correction, version: 2, proof: opened.proof })).code).toBe(
    "PINCODE_EXPIRED",
  );
});

test("five wrong codes are allowed", async () => {
  const { links } = await openRound();
  const { codeToken } = (await answerLink(links[0], "code", {})).data;
  const right = await readSentPincode("alumnus1@pid.example.kr");
  const wrong = right === "000000" ? "000001" : "000000";
  const tries = await Promise.all(
    Array.from({ length: 20 }, () => answerLink(links[0], "open", { codeToken, pincode: wrong })),
  );
  expect(tries.filter(({ code }) => code === "PINCODE_MISMATCH")).toHaveLength(5);
  expect((await answerLink(links[0], "open", { codeToken, pincode: right })).code).toBe("PINCODE_EXPIRED");
  advanceClock(61_000);
  const next = (await answerLink(links[0], "code", {})).data;
  const pincode = await readSentPincode("alumnus1@pid.example.kr");
  const signup = await callJson("POST", "/api/user-key/confirm", { body: { userKeyToken: next.codeToken, pincode } });
  expect(signup.code).toBe("PINCODE_EXPIRED");
  const other = await callJson("POST", "/api/user-key/check", {
    body: { userKeyType: "Email", userKeyCode: "alumnus1@pid.example.kr" },
  });
  const foreign = { codeToken: other.data.userKeyToken, pincode: await readSentPincode("alumnus1@pid.example.kr") };
  expect((await answerLink(links[0], "open", foreign)).code).toBe("PINCODE_EXPIRED");
});

test("only the person signed in with the address needs no code", async () => {
  const { links } = await openRound();
  const [owner, other] = [await createMemberSession(), await createMemberSession()];
  await runSql(
    "UPDATE user_key SET user_key_code = 'alumnus1@pid.example.kr' WHERE user_key_code = ?",
    owner.user.email,
  );
  expect(await show(links[0], owner)).toMatchObject({ isOwner: true, hasOwner: true });
  expect(await show(links[0], other)).toMatchObject({ isOwner: false });
  expect((await answerLink(links[0], "open", {}, other)).code).toBe("PINCODE_EXPIRED");
  expect((await answerLink(links[0], "correct", correction, other)).code).toBe("PINCODE_EXPIRED");
  const opened = await answerLink(links[0], "open", {}, owner);
  expect(opened.data).toMatchObject({ proof: null, values: { mobile: VALUES.mobile } });
  expect((await answerLink(links[0], "correct", correction, owner)).code).toBe("SUCCESS");
  // A cookie alone cannot write.
  const byCookie = await fetchApi("POST", `/api/confirmation/${links[1]}/correct`, {
    cookie: owner.accessToken,
    body: correction,
  });
  expect(byCookie.status).toBe(410);
});

test("a link is invalid for a person who is not asked", async () => {
  const { admin, id, links } = await openRound();
  const owner = await createMemberSession();
  const opens = async () =>
    show(links[0]).then(
      () => true,
      () => false,
    );
  const turns: [change: string, back: string][] = [
    ["UPDATE alumni SET email = 'new@pid.example.kr'", "UPDATE alumni SET email = 'alumnus1@pid.example.kr'"],
    ["UPDATE alumni SET deleted_date = 1", "UPDATE alumni SET deleted_date = NULL"],
    ["UPDATE confirmation_round SET end_date = 1", "UPDATE confirmation_round SET end_date = 8e15"],
    [
      `INSERT INTO suspension (user_id, request_id, created_date) SELECT '${owner.user.id}', 'request', 1 FROM user_key WHERE user_key_code = 'alumnus1@pid.example.kr'`,
      "DELETE FROM suspension",
    ],
  ];
  await runSql(
    "UPDATE user_key SET user_key_code = 'alumnus1@pid.example.kr' WHERE user_key_code = ?",
    owner.user.email,
  );
  for (const [change, back] of turns) {
    expect([change, await opens()]).toEqual([change, true]);
    await runSql(change);
    expect([change, await opens(), (await answerLink(links[0], "yes?version=1")).status]).toEqual([change, false, 404]);
    await runSql(back);
  }
  await roundCall(admin, id, "close", { version: 2 });
  expect(await opens()).toBe(false);
});

/** Each of eight wrong links with each of four acts, thrice or more. */
const LINKS = isFull ? 400 : 96;

test(`${LINKS} invalid links change nothing`, async () => {
  const { links } = await openRound();
  await answerLink(links[1], "yes?version=1");
  const before = await state();
  const forged = (nth: number): string => {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const at = nth % 43;
    const letter = letters[(letters.indexOf(links[0][at] ?? "A") + 1 + (nth % 60)) % 64] ?? "";
    const ways = [
      links[0].slice(0, at) + letter + links[0].slice(at + 1),
      links[1],
      [...links[0]].toReversed().join(""),
      links[0].slice(0, 42) + (links[0].endsWith("A") ? "B" : "A"),
      links[0].toLowerCase() === links[0] ? "x".repeat(43) : links[0].toLowerCase(),
      `${links[0].slice(1)}=`,
      `${links[0]}${nth}`,
      links[0].slice(0, -1 - (nth % 20)),
    ];
    return ways[nth % ways.length] ?? "";
  };
  const told = new Set<string>();
  for (let nth = 0; nth < LINKS; nth += 1) {
    const act = ["yes?version=1", "code", "open", "correct"][Math.floor(nth / 8) % 4] ?? "";
    const answer = await callJson("POST", `/api/confirmation/${encodeURIComponent(forged(nth))}/${act}`, {
      body: act === "correct" ? correction : {},
      // Uses up the limit of one address, then continues from the next.
      address: `203.0.113.${Math.floor(nth / 40)}`,
    });
    expect([nth, answer.status, answer.data]).toEqual([nth, 404, undefined]);
    told.add(answer.message);
  }
  // Invalid links of the right length get the same answer, whether used, invented or cut.
  expect(told.size).toBeLessThanOrEqual(2);
  expect(await state()).toBe(before);
  expect((await readRow("SELECT count(*) AS n FROM message WHERE pincode IS NOT NULL"))?.n).toBe(0);
  expect((await answerLink(links[0], "yes?version=1")).code).toBe("SUCCESS");
});

test("an address is refused after many invalid links", async () => {
  const { links } = await openRound();
  const guess = (nth: number) => answerLink(String(nth).padStart(43, "x"), "yes?version=1");
  const answers = [];
  for (let nth = 0; nth < 70; nth += 1) answers.push((await guess(nth)).status);
  expect(answers.filter((status) => status === 404)).toHaveLength(60);
  expect(answers.at(-1)).toBe(429);
  expect((await answerLink(links[0], "yes?version=1")).code).toBe("SUCCESS");
});
