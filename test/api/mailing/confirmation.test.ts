import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { maskConfirmed } from "#worker/contract/alumni/confirmation-rules.ts";
import { getConfirmation } from "#worker/domain/mailing/confirmation.server.ts";
import { callAs, callJson, fetchApi } from "../../api-client.ts";
import { advanceClock, readSentPincode, setLimits } from "../../factories.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../people.ts";
import { contextFor } from "../../request-scope.ts";
import { runScheduledJobs } from "../../scheduled-jobs.ts";
import { readRow, readRows, rowsOf, runSql } from "../../test-database.ts";
import { alumnusId, manyAlumni } from "./people.ts";
import { answerLink, linkOf, roundCall, startTestRound } from "./rounds.ts";

const DAY_MS = 86_400_000;
const [FIRST, SECOND] = [alumnusId(1), alumnusId(2)];
const VALUES = {
  major: "소아청소년과학",
  department: "소아청소년과",
  position: "교수",
  mobile: "010-1234-5678",
  phone: "02-987-6543",
  zip_code: "03080",
  address: "서울특별시 종로구 대학로 101",
};

/** Two people, asked; each with a link. */
async function openRound(): Promise<{ admin: TestSession; id: string; links: [string, string] }> {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(2)]);
  const columns = Object.keys(VALUES);
  await runSql(`UPDATE alumni SET ${columns.map((name) => `${name} = ?`).join(", ")}`, ...Object.values(VALUES));
  const id = await startTestRound(admin);
  await runScheduledJobs(env);
  return { admin, id, links: [await linkOf(admin, FIRST), await linkOf(admin, SECOND)] };
}

const show = async (token: string, session: TestSession | null = null) =>
  getConfirmation(await contextFor(session), token);
const state = async () =>
  JSON.stringify([await rowsOf("alumni"), await rowsOf("alumni_confirmation"), await rowsOf("confirmation_answer")]);
const correction = { affiliation: "새병원", mobile: "010-9999-0000", version: 1 };

/** The second proof of a link. */
async function openByCode(token: string, to = "alumnus1@pid.example.kr") {
  const sent = await answerLink(token, "code", {});
  const opened = await answerLink(token, "open", {
    codeToken: sent.data.codeToken,
    pincode: await readSentPincode(to),
  });
  return opened.data;
}

test("opening a link shows masked lines and changes nothing, however often it is looked ahead", async () => {
  const { links } = await openRound();
  const before = await state();
  for (let turn = 0; turn < 3; turn += 1) {
    const page = await show(links[0]);
    expect(page.lines.map(({ field }) => field)).toContain("mobile");
    const shown = JSON.stringify(page);
    for (const value of [...Object.values(VALUES), "동문1", "한빛대학교병원", "alumnus1@pid.example.kr"])
      expect(shown).not.toContain(value);
    expect(page).toMatchObject({ version: 1, canCorrect: true, isOwner: false });
  }
  for (const method of ["GET", "HEAD"])
    for (const act of ["yes?version=1", "code", "open", "correct"])
      expect([act, (await fetchApi(method, `/api/confirmation/${links[0]}/${act}`)).status]).toEqual([act, 405]);
  expect(await state()).toBe(before);
});

test("no value of two letters or more is shown whole by its mask", () => {
  const samples = [
    "홍길",
    "홍길동",
    "12",
    "2005",
    "02-123-4567",
    "01012345678",
    "1588-1234",
    "a@b.kr",
    "ab",
    "서울 종로구",
  ];
  for (const text of samples)
    for (const field of ["name", "cohort", "email", "mobile", "phone", "address"] as const)
      expect([field, text, maskConfirmed(field, text).includes(text)]).toEqual([field, text, false]);
  expect(maskConfirmed("mobile", "010-1234-5678")).toBe("***-****-5678");
  expect(maskConfirmed("email", "hong@pid.example.kr")).toBe("h***@p***");
  expect(maskConfirmed("name", "홍")).toBe("*");
});

test("yes confirms once without a sign-in; the same link and its reminders lead nowhere afterwards", async () => {
  const { admin, id, links } = await openRound();
  expect((await answerLink(links[0], "yes?version=2")).code).toBe("CONFLICT");
  const answers = await Promise.all([1, 2, 3].map(() => answerLink(links[0], "yes?version=1")));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404]);
  expect(await readRows("SELECT person_id, kind FROM confirmation_answer")).toEqual([
    { person_id: FIRST, kind: "confirmed" },
  ]);
  const before = await state();
  await expect(show(links[0])).rejects.toMatchObject({ code: "NOT_FOUND" });
  for (const act of ["yes?version=1", "code", "open", "correct"])
    expect((await answerLink(links[0], act, act === "correct" ? correction : {})).status).toBe(404);
  expect(await state()).toBe(before);
  expect(
    await readRows("SELECT actor_user_id AS actor, target_id AS target FROM audit_log WHERE action = 'alumni.confirm'"),
  ).toEqual([{ actor: null, target: FIRST }]);
  expect((await callAs(admin, "GET", `/api/admin/round/${id}`)).data.cohorts[0].counts).toEqual({
    confirmed: 1,
    waiting: 1,
  });
});

test("the page's form without a script is led to the thanks; a form of another site has no token to send", async () => {
  const { links } = await openRound();
  const response = await fetchApi("POST", `/api/confirmation/${links[0]}/yes?version=1`, {
    headers: { Accept: "text/html", "Content-Type": "application/x-www-form-urlencoded" },
    body: "",
  });
  expect([response.status, response.headers.get("Location")]).toEqual([303, "/confirm/done"]);
});

test("a change needs a code from the same mailbox; then the fields are shown, and changed once", async () => {
  const { links } = await openRound();
  expect((await answerLink(links[0], "correct", correction)).code).toBe("PINCODE_EXPIRED");
  expect((await answerLink(links[0], "open", {})).data).toBeUndefined();
  const opened = await openByCode(links[0]);
  expect(opened).toMatchObject({ version: 1, values: { mobile: VALUES.mobile, address: VALUES.address } });
  // Neither the name nor the address that links it, whatever is sent.
  const body = {
    ...correction,
    name: "다른사람",
    email: "other@pid.example.kr",
    cohort: 99,
    memo: "x",
    proof: opened.proof,
  };
  expect((await answerLink(links[1], "correct", body)).code).toBe("PINCODE_EXPIRED");
  const answers = await Promise.all([1, 2].map(() => answerLink(links[0], "correct", body)));
  expect(answers.map(({ code }) => code).toSorted()).toEqual(["NOT_FOUND", "SUCCESS"]);
  expect(
    await readRow(
      "SELECT name, email, cohort, memo, affiliation, mobile, address, version FROM alumni WHERE id = ?",
      FIRST,
    ),
  ).toEqual({
    name: "동문1",
    email: "alumnus1@pid.example.kr",
    cohort: 12,
    memo: "",
    affiliation: "새병원",
    mobile: "010-9999-0000",
    address: VALUES.address,
    version: 2,
  });
  expect(await readRows("SELECT person_id, kind FROM confirmation_answer")).toEqual([
    { person_id: FIRST, kind: "changed" },
  ]);
  const log = await readRow<{ detail: string }>("SELECT detail FROM audit_log WHERE action = 'alumni.update'");
  expect(JSON.parse(log?.detail ?? "{}").fields).toEqual(["affiliation", "mobile"]);
  expect(log?.detail).not.toContain("새병원");
});

test("a proof of one person serves nobody else who shares the address, nor after the entry was changed", async () => {
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

test("wrong codes are five at most; a code of a sign-up opens no entry, and one of an entry signs nobody up", async () => {
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

test("codes to one address are one a minute and five an hour, whoever asks for them", async () => {
  const { links } = await openRound();
  const codes: string[] = [];
  for (let turn = 0; turn < 7; turn += 1) {
    codes.push((await answerLink(links[0], "code", {})).code);
    codes.push((await answerLink(links[0], "code", {})).code);
    advanceClock(61_000);
  }
  expect(codes.filter((code) => code === "SUCCESS")).toHaveLength(5);
  expect(codes[1]).toBe("TOO_MANY_REQUESTS");
});

test("who is signed in with the address needs no code; anybody else who is signed in does", async () => {
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
  // The cookie alone writes nothing.
  const byCookie = await fetchApi("POST", `/api/confirmation/${links[1]}/correct`, {
    cookie: owner.accessToken,
    body: correction,
  });
  expect(byCookie.status).toBe(410);
});

test("a link is dead for who moved, left, was suspended or is asked no more", async () => {
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

test("400 forged, foreign, used or late links: nothing is changed and no field is shown", async () => {
  await setLimits({});
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
  for (let nth = 0; nth < 400; nth += 1) {
    const act = ["yes?version=1", "code", "open", "correct"][Math.floor(nth / 8) % 4] ?? "";
    const answer = await callJson("POST", `/api/confirmation/${encodeURIComponent(forged(nth))}/${act}`, {
      body: act === "correct" ? correction : {},
      // As many as one address may try, and then from another.
      address: `203.0.113.${Math.floor(nth / 40)}`,
    });
    expect([nth, answer.status, answer.data]).toEqual([nth, 404, undefined]);
    told.add(answer.message);
  }
  // A link of the right length that leads nowhere says the same, whether it was used, made up or cut.
  expect(told.size).toBeLessThanOrEqual(2);
  expect(await state()).toBe(before);
  expect((await readRow("SELECT count(*) AS n FROM message WHERE pincode IS NOT NULL"))?.n).toBe(0);
  expect((await answerLink(links[0], "yes?version=1")).code).toBe("SUCCESS");
});

test("who tries links gets no answer any more, while a right link from the same address goes on", async () => {
  const { links } = await openRound();
  const guess = (nth: number) => answerLink(String(nth).padStart(43, "x"), "yes?version=1");
  const answers = [];
  for (let nth = 0; nth < 70; nth += 1) answers.push((await guess(nth)).status);
  expect(answers.filter((status) => status === 404)).toHaveLength(60);
  expect(answers.at(-1)).toBe(429);
  expect((await answerLink(links[0], "yes?version=1")).code).toBe("SUCCESS");
});

test("freshness: when a person confirmed, and which fields somebody else changed since", async () => {
  const { admin, links } = await openRound();
  await answerLink(links[0], "yes?version=1");
  const read = async (session: TestSession) =>
    (await callAs(session, "GET", "/api/alumni?sort=name,ASC")).data.content.map(
      (row: { confirmation?: unknown }) => row.confirmation,
    );
  expect(await read(admin)).toEqual([
    { kind: "confirmed", date: expect.stringMatching(/^\d{4}-/), changedSince: [] },
    null,
  ]);
  await callAs(admin, "PATCH", `/api/alumni/${FIRST}`, { mobile: "010-7777-0000", memo: "전화함", version: 1 });
  expect((await read(admin))[0].changedSince).toEqual(["mobile"]);
  await callAs(admin, "PATCH", `/api/alumni/${FIRST}`, { mobile: VALUES.mobile, version: 2 });
  expect((await read(admin))[0].changedSince).toEqual([]);
  // Other members are not told.
  expect(await read(await createMemberSession())).toEqual([undefined, undefined]);
  expect(JSON.stringify(await rowsOf("alumni_confirmation"))).not.toContain(VALUES.mobile);
});

test("who saves their own entry on the site has confirmed it, and is not reminded", async () => {
  const { links } = await openRound();
  const owner = await createMemberSession();
  await runSql(
    "UPDATE user_key SET user_key_code = 'alumnus1@pid.example.kr' WHERE user_key_code = ?",
    owner.user.email,
  );
  expect((await callAs(owner, "PATCH", `/api/alumni/${FIRST}`, { position: "부교수", version: 1 })).code).toBe(
    "SUCCESS",
  );
  expect(await readRows("SELECT person_id, kind FROM confirmation_answer")).toEqual([
    { person_id: FIRST, kind: "changed" },
  ]);
  await expect(show(links[0])).rejects.toMatchObject({ code: "NOT_FOUND" });
  advanceClock(15 * DAY_MS);
  await runScheduledJobs(env);
  expect(
    await readRows("SELECT recipient FROM message WHERE once_key LIKE 'mailing:%' ORDER BY created_date DESC LIMIT 1"),
  ).toEqual([{ recipient: "alumnus2@pid.example.kr" }]);
  expect((await readRow("SELECT count(*) AS n FROM mailing_recipient"))?.n).toBe(3);
});

test("where people may not correct their entry, a link confirms and nothing more", async () => {
  const { links } = await openRound();
  await runSql(
    "INSERT OR REPLACE INTO site_setting (key, value, version, modified_date) VALUES ('alumni', ?, 1, 0)",
    JSON.stringify({ ownEntry: "read" }),
  );
  expect((await show(links[0])).canCorrect).toBe(false);
  for (const act of ["code", "open", "correct"])
    expect((await answerLink(links[0], act, act === "correct" ? correction : {})).status).toBe(403);
  expect((await answerLink(links[0], "yes?version=1")).code).toBe("SUCCESS");
});

test("who is destroyed leaves no answer, link or freshness behind", async () => {
  const { admin, links } = await openRound();
  await answerLink(links[0], "yes?version=1");
  await callAs(admin, "POST", "/api/alumni/delete-data", { ids: [FIRST] });
  expect((await callAs(admin, "POST", "/api/alumni/destroy-data", { ids: [FIRST] })).data).toEqual({ destroyed: 1 });
  expect(await rowsOf("alumni_confirmation")).toEqual([]);
  expect(await rowsOf("confirmation_answer")).toEqual([]);
  expect(await readRows("SELECT person_id FROM mailing_recipient")).toEqual([{ person_id: SECOND }]);
});
