/** @module-tag full */
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { callAs } from "../../support/api-client.ts";
import { advanceClock, advanceToMorning } from "../../support/factories.ts";
import { acceptMails, RESEND_VARS, runJobsWith, stubMailHost } from "../../hosts/mail-host.ts";
import { createAdministratorSession, createMemberSession, createSessionWith } from "../../support/people.ts";
import { runDueJobs, runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRow, readRows, rowsOf, runSql } from "../../support/test-database.ts";
import { alumnusId, mailingCall, manyAlumni } from "./people.ts";
import { answerLink, everyone, linkOf, roundCall, startTestRound } from "./rounds.ts";

const DAY_MS = 86_400_000;
const mailed = () =>
  readRows<{ n: number; people: number }>(
    "SELECT count(*) AS n, count(DISTINCT recipient) AS people FROM message WHERE once_key LIKE 'mailing:%'",
  );

test("each person of a view gets one personal link", async () => {
  advanceToMorning(0);
  const admin = await createAdministratorSession();
  const owner = await createMemberSession();
  await env.DB.batch([manyAlumni(310, 300)]);
  await runSql("UPDATE alumni SET email = '' WHERE id = ?", alumnusId(301));
  await runSql("UPDATE alumni SET email = ? WHERE id = ?", owner.user.email, alumnusId(302));
  await runSql("INSERT INTO suspension (user_id, request_id, created_date) VALUES (?, 'request', 1)", owner.user.id);
  await runSql("INSERT INTO mail_address (address, bounced_date) VALUES ('alumnus303@pid.example.kr', 1)");
  await runSql("INSERT INTO mail_address (address, refused_date) VALUES ('alumnus304@pid.example.kr', 1)");
  const asked = stubMailHost(acceptMails);
  const id = await startTestRound(admin);
  for (let turn = 0; turn < 2; turn += 1) await runJobsWith(RESEND_VARS);
  vi.unstubAllGlobals();
  const texts = asked.flatMap(({ mails }) => mails.map(({ text }) => text));
  const tokens = texts.flatMap((text) => /\/confirm\/([\w-]{43})/.exec(text)?.[1] ?? []);
  expect([texts.length, new Set(tokens).size]).toEqual([306, 306]);
  const stored = JSON.stringify([await rowsOf("message"), await rowsOf("mailing_recipient"), await rowsOf("mailing")]);
  expect(tokens.filter((token) => stored.includes(token))).toEqual([]);
  expect((await readRow("SELECT count(DISTINCT link_hash) AS n FROM mailing_recipient"))?.n).toBe(306);
  expect((await callAs(admin, "GET", `/api/admin/round/${id}`)).data.cohorts).toEqual([
    { cohort: 12, counts: { waiting: 306, unreached: 1, bounced: 1, excluded: 2 } },
  ]);
  expect((await answerLink(tokens[5] ?? "", "yes?version=1")).code).toBe("SUCCESS");
  expect(
    await readRows("SELECT action, subject_count AS n, reason FROM audit_log WHERE action = 'round.start'"),
  ).toEqual([{ action: "round.start", n: 306, reason: "한 해에 한 번" }]);
});

test("only people without an answer are reminded", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(4)]);
  const id = await startTestRound(admin);
  await runScheduledJobs(env);
  expect((await answerLink(await linkOf(admin, alumnusId(1)), "yes?version=1")).code).toBe("SUCCESS");
  const counts: unknown[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    advanceClock(14 * DAY_MS + 1000);
    await Promise.all([runScheduledJobs(env), runScheduledJobs(env)]);
    await runScheduledJobs(env);
    if (turn === 0) await answerLink(await linkOf(admin, alumnusId(2)), "yes?version=1");
    counts.push((await mailed())[0]?.n);
  }
  expect(counts).toEqual([7, 9, 9, 9]);
  expect(await readRows("SELECT wave, count(*) AS n FROM mailing GROUP BY wave ORDER BY wave")).toEqual([
    { wave: 0, n: 1 },
    { wave: 1, n: 1 },
    { wave: 2, n: 1 },
  ]);
  expect(await readRow("SELECT status, waves FROM confirmation_round WHERE id = ?", id)).toEqual({
    status: "closed",
    waves: 3,
  });
});

test("people who leave before a reminder do not get it", async () => {
  advanceToMorning(0);
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(3)]);
  const asked = stubMailHost((one, at) => (at === 1 ? acceptMails(one) : new Response("", { status: 503 })));
  await startTestRound(admin);
  await runJobsWith(RESEND_VARS);
  const link = await linkOf(admin, alumnusId(1));
  advanceClock(14 * DAY_MS + 1000);
  const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
  await runJobsWith(RESEND_VARS);
  expect(asked.length).toBeGreaterThan(1);
  expect((await answerLink(link, "yes?version=1")).code).toBe("SUCCESS");
  await runSql("UPDATE alumni SET deleted_date = ? WHERE id = ?", Date.now(), alumnusId(2));
  vi.unstubAllGlobals();
  const again = stubMailHost(acceptMails);
  advanceClock(10 * 60_000);
  await runJobsWith(RESEND_VARS);
  warned.mockRestore();
  const batches = again.filter(({ url }) => url.endsWith("/batch"));
  expect(batches.flatMap(({ mails }) => mails.map(({ to }) => to[0]))).toEqual(["alumnus3@pid.example.kr"]);
});

test("two simultaneous starts start a round once", async () => {
  const [one, two] = [await createAdministratorSession(), await createAdministratorSession()];
  await env.DB.batch([manyAlumni(5)]);
  const { id } = (await callAs(one, "PUT", "/api/admin/round", { target: everyone })).data;
  const body = { version: 1, count: 5, reminderDays: 14, reason: "확인" };
  const wrong = await roundCall(one, id, "start", { ...body, count: 6 });
  expect([wrong.status, wrong.message]).toEqual([409, expect.stringContaining("6명에서 5명")]);
  const answers = await Promise.all([one, two, one].map((clerk) => roundCall(clerk, id, "start", body)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  await runScheduledJobs(env);
  expect(await mailed()).toEqual([{ n: 5, people: 5 }]);
});

test("a closed round sends nothing more", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(3)]);
  const id = await startTestRound(admin);
  await runScheduledJobs(env);
  const link = await linkOf(admin, alumnusId(1));
  await runSql("UPDATE mailing_recipient SET state = 'failed' WHERE person_id = ?", alumnusId(2));
  expect((await roundCall(admin, id, "close", { version: 1 })).status).toBe(409);
  expect((await roundCall(admin, id, "close", { version: 2 })).code).toBe("SUCCESS");
  expect((await answerLink(link, "yes?version=1")).status).toBe(404);
  const mailing = await readRow<{ id: string; version: number }>("SELECT id, version FROM mailing");
  await mailingCall(admin, mailing?.id ?? "", "resend", { version: mailing?.version, reason: "다시" });
  advanceClock(30 * DAY_MS);
  await runScheduledJobs(env);
  expect(await mailed()).toEqual([{ n: 3, people: 3 }]);
  expect((await roundCall(await createAdministratorSession(), id, "close", { version: 3 })).status).toBe(409);
});

test("a repeating round asks each year until stopped", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(2)]);
  const picked = (await callAs(admin, "PUT", "/api/admin/round", { target: { ids: [alumnusId(1)] } })).data;
  const start = { version: 1, count: 1, reminderDays: 14, repeats: true, reason: "확인" };
  expect((await roundCall(admin, picked.id, "start", start)).fields).toHaveProperty("repeats");
  const repeating = await startTestRound(admin, { repeats: true });
  const segmentOf = async (id: string) => (await callAs(admin, "GET", `/api/admin/round/${id}`)).data.segment;
  expect([await segmentOf(picked.id), await segmentOf(repeating)]).toEqual([[], ["기수 12"]]);
  const narrow = { filter: { keyword: "한빛", f_position: "in:과장,원장" }, except: [alumnusId(1)] };
  const narrowed = (await callAs(admin, "PUT", "/api/admin/round", { target: narrow })).data;
  expect(await segmentOf(narrowed.id)).toEqual([
    "검색어 ‘한빛’",
    "직위 ‘과장’, ‘원장’ 가운데 하나",
    "고르지 않은 1명 빼고",
  ]);
  await runScheduledJobs(env);
  const rounds = () =>
    readRows<{ id: string; status: string; days: number | null }>(
      "SELECT id, status, (repeat_date - start_date) / 86400000 AS days FROM confirmation_round WHERE status <> 'draft' ORDER BY created_date",
    );
  expect((await rounds())[0]?.days).toSatisfy((days: number) => days === 365 || days === 366);
  await runSql("UPDATE alumni SET cohort = 13 WHERE id = ?", alumnusId(2));
  await runSql("UPDATE confirmation_round SET end_date = 1, repeat_date = 1 WHERE status = 'open'");
  advanceClock(1000);
  for (let turn = 0; turn < 3; turn += 1) await Promise.all([runScheduledJobs(env), runScheduledJobs(env)]);
  const [old, next] = await rounds();
  expect([old?.status, old?.days, next?.status]).toEqual(["closed", null, "open"]);
  expect(next?.days).toBeGreaterThan(364);
  expect(await rounds()).toHaveLength(2);
  expect(await mailed()).toEqual([{ n: 3, people: 2 }]);
  expect((await roundCall(admin, next?.id ?? "", "repeat", { version: 1, repeats: false })).code).toBe("SUCCESS");
  expect((await rounds())[1]?.days).toBeNull();
});

test("a round needs the right to edit the address book", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(2)]);
  const { id } = (await callAs(admin, "PUT", "/api/admin/round", { target: everyone })).data;
  const clerk = await createSessionWith(["ADMIN_Access", "Alumni_Read"]);
  const member = await createMemberSession();
  const acts: [method: string, path: string, body?: object][] = [
    ["GET", ""],
    ["PUT", "", { target: everyone }],
    ["GET", `/${id}`],
    ["GET", `/${id}/person`],
    ["POST", `/${id}/preview`, {}],
    ["POST", `/${id}/start`, { version: 1, count: 2, reminderDays: 14, reason: "확인" }],
    ["POST", `/${id}/repeat`, { version: 1, repeats: true }],
    ["POST", `/${id}/close`, { version: 1 }],
    ["DELETE", `/${id}?version=1`],
  ];
  for (const [method, path, body] of acts)
    for (const [who, status] of [
      [null, 401],
      [member, 403],
      [clerk, 403],
    ] as const)
      expect([path, (await callAs(who, method, `/api/admin/round${path}`, body)).status]).toEqual([path, status]);
  expect((await callAs(admin, "DELETE", `/api/admin/round/${id}?version=1`)).code).toBe("SUCCESS");
  expect((await callAs(admin, "GET", `/api/admin/round/${id}`)).status).toBe(404);
});

test("the figures by cohort equal SQL counts", async () => {
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(60)]);
  await runSql("UPDATE alumni SET cohort = CAST(substr(id, -2) AS INTEGER) % 3 + 1");
  const id = await startTestRound(admin, { target: { filter: {} } });
  await runScheduledJobs(env);
  for (const nth of [1, 2, 3, 4, 5]) await answerLink(await linkOf(admin, alumnusId(nth)), "yes?version=1");
  await runSql("UPDATE mailing_recipient SET state = 'bounced' WHERE person_id >= ?", alumnusId(41));
  await runSql(
    "UPDATE mailing_recipient SET state = 'delivered' WHERE person_id BETWEEN ? AND ?",
    alumnusId(6),
    alumnusId(20),
  );
  await runSql("UPDATE alumni SET deleted_date = 1 WHERE id = ?", alumnusId(10));
  const expected = await readRows<{ cohort: number; outcome: string; n: number }>(
    `SELECT cohort, CASE WHEN id <= ? THEN 'confirmed' WHEN id >= ? THEN 'bounced' ELSE 'waiting' END AS outcome, count(*) AS n
     FROM alumni WHERE deleted_date IS NULL GROUP BY 1, 2`,
    alumnusId(5),
    alumnusId(41),
  );
  const { cohorts } = (await callAs(admin, "GET", `/api/admin/round/${id}`)).data;
  for (const { cohort, outcome, n } of expected) {
    const row = cohorts.find((each: { cohort: number }) => each.cohort === cohort);
    expect([cohort, outcome, row.counts[outcome]]).toEqual([cohort, outcome, n]);
    const listed = await callAs(
      admin,
      "GET",
      `/api/admin/round/${id}/person?cohort=${cohort}&outcome=${outcome}&size=100`,
    );
    expect([listed.data.totalElements, listed.data.content.length]).toEqual([n, n]);
  }
  expect(cohorts.at(-1)).toEqual({ cohort: null, counts: { excluded: 1 } });
  const listed = await callAs(admin, "GET", `/api/admin/round/${id}/person?outcome=bounced`);
  expect(
    listed.data.content.every(
      ({ address, canMend }: { address: string; canMend: boolean }) => canMend && address.startsWith("alumnus"),
    ),
  ).toBe(true);
});

test("asking 10,000 people stays within platform limits", async () => {
  advanceToMorning(0);
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(10_000, 300)]);
  const id = await startTestRound(admin);
  // Sent by the minute like every mailing; mailing-faults.test.ts delivers the full number.
  await runDueJobs(env);
  expect(await readRow("SELECT count(DISTINCT link_hash) AS n FROM mailing_recipient")).toEqual({ n: 4000 });
  expect((await callAs(admin, "GET", `/api/admin/round/${id}`)).data.cohorts).toEqual([
    { cohort: 12, counts: { waiting: 10_000 } },
  ]);
  expect((await callAs(admin, "GET", `/api/admin/round/${id}/person?page=200`)).data.content).toHaveLength(50);
});
