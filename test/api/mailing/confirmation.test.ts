import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { maskConfirmed } from "#worker/contract/alumni/confirmation-rules.ts";
import { callAs, fetchApi } from "../../support/api-client.ts";
import { advanceClock } from "../../support/factories.ts";
import { createMemberSession, type TestSession } from "../../support/people.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRow, readRows, rowsOf, runSql } from "../../support/test-database.ts";
import { answerLink } from "./rounds.ts";
import { DAY_MS, VALUES, openRound, show, state, correction, openByCode, FIRST, SECOND } from "./confirmations.ts";

test("opening a link changes nothing", async () => {
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

test("a mask never shows a value of two letters or more completely", () => {
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

test("confirming works once without a sign-in", async () => {
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

test("the page's form works without a script", async () => {
  const { links } = await openRound();
  const response = await fetchApi("POST", `/api/confirmation/${links[0]}/yes?version=1`, {
    headers: { Accept: "text/html", "Content-Type": "application/x-www-form-urlencoded" },
    body: "",
  });
  expect([response.status, response.headers.get("Location")]).toEqual([303, "/confirm/done"]);
});

test("a change needs a code from the same mailbox", async () => {
  const { links } = await openRound();
  expect((await answerLink(links[0], "correct", correction)).code).toBe("PINCODE_EXPIRED");
  expect((await answerLink(links[0], "open", {})).data).toBeUndefined();
  const opened = await openByCode(links[0]);
  expect(opened).toMatchObject({ version: 1, values: { mobile: VALUES.mobile, address: VALUES.address } });
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

test("an address gets one code a minute, five an hour", async () => {
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

test("freshness records which fields changed since the confirmation", async () => {
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
  expect(await read(await createMemberSession())).toEqual([undefined, undefined]);
  expect(JSON.stringify(await rowsOf("alumni_confirmation"))).not.toContain(VALUES.mobile);
});

test("saving the own entry counts as a confirmation", async () => {
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

test("where people may not edit their entry, a link only confirms", async () => {
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

test("a destroyed entry leaves no answer, link or freshness behind", async () => {
  const { admin, links } = await openRound();
  await answerLink(links[0], "yes?version=1");
  await callAs(admin, "POST", "/api/alumni/delete-data", { ids: [FIRST] });
  expect((await callAs(admin, "POST", "/api/alumni/destroy-data", { ids: [FIRST] })).data).toEqual({ destroyed: 1 });
  expect(await rowsOf("alumni_confirmation")).toEqual([]);
  expect(await rowsOf("confirmation_answer")).toEqual([]);
  expect(await readRows("SELECT person_id FROM mailing_recipient")).toEqual([{ person_id: SECOND }]);
});
