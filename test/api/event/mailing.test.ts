import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { FEES, openTestEvent, registerAt } from "../../calls/event-world.ts";
import { callAs } from "../../support/api-client.ts";
import { createAdministratorSession, createMemberSession, createSessionWith } from "../../support/people.ts";
import { createPartialSession } from "../../support/partial-session.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRows, runSql } from "../../support/test-database.ts";
import { mailingCall } from "../mailing/people.ts";

const BOARD = ["ADMIN_Access", "Board_free_View", "Board_free_List"];
const createOfficer = () => createSessionWith([...BOARD, "Event_Manage"]);

/** Two members with a place, of whom the second paid, and one who waits. */
async function createWorld() {
  const opened = await openTestEvent(await createMemberSession(), { fees: FEES, places: 2 });
  const [owing, paid, waiting] = [
    await createMemberSession(),
    await createMemberSession(),
    await createMemberSession(),
  ];
  const ids: string[] = [];
  for (const each of [owing, paid, waiting]) ids.push((await registerAt(each, opened.own, { feeCode: "f1" })).data.id);
  await runSql("UPDATE due SET paid = amount WHERE id = ?", ids[1]);
  await runSql("DELETE FROM message");
  return { ...opened, owing, paid, waiting, call: `${opened.office}/mailing` };
}

const TEXT = { kind: "informational", subject: "장소 안내", text: "본관 2층입니다.", version: 1 };

/** Sends to some people of an event. @returns the addresses */
async function sendTo(
  session: Awaited<ReturnType<typeof createOfficer>>,
  call: string,
  to: string,
  before: () => Promise<unknown> = async () => {},
) {
  const { data } = await callAs(session, "POST", call, { to });
  await callAs(session, "PATCH", `/api/admin/mailing/${data.id}`, TEXT);
  const count = (await mailingCall(session, data.id, "preview")).data.count;
  await mailingCall(session, data.id, "send", { version: 2, count, reason: "안내" });
  await before();
  await runScheduledJobs(env);
  const sent = await readRows<{ recipient: string }>("SELECT recipient FROM message WHERE subject = '장소 안내'");
  return sent.map(({ recipient }) => recipient).toSorted();
}

test("a mailing reaches everybody who registered", async () => {
  const { call, owing, paid, waiting } = await createWorld();
  const reached = await sendTo(await createOfficer(), call, "all");
  expect(reached).toEqual([owing, paid, waiting].map(({ user }) => user.email).toSorted());
});

test.each([
  ["waiting", "waiting"],
  ["unpaid", "owing"],
] as const)("a mailing to %s reaches those alone", async (to, who) => {
  const world = await createWorld();
  expect(await sendTo(await createOfficer(), world.call, to)).toEqual([world[who].user.email]);
});

test("a mailing leaves out people who cancelled after it was sent", async () => {
  const { call, owing, paid, id } = await createWorld();
  const cancel = () =>
    runSql("UPDATE event_registration SET status = 'cancelled' WHERE item_id = ? AND user_id = ?", id, owing.user.id);
  expect(await sendTo(await createOfficer(), call, "confirmed", cancel)).toEqual([paid.user.email]);
  expect(await readRows("SELECT cause FROM mailing_recipient WHERE state = 'left'")).toEqual([
    { cause: "unregistered" },
  ]);
});

test("only an officer of events writes to those who registered", async () => {
  const { call, owing } = await createWorld();
  for (const session of [owing, await createSessionWith([...BOARD, "Alumni_Write"])])
    expect((await callAs(session, "POST", call, { to: "all" })).code).toBe("FORBIDDEN");
});

test("a mailing to those who registered is hidden from other officers", async () => {
  const { call } = await createWorld();
  const other = await createSessionWith([...BOARD, "Alumni_Write", "Dues_Manage"]);
  const { data } = await callAs(await createOfficer(), "POST", call, { to: "all" });
  expect((await callAs(other, "GET", `/api/admin/mailing/${data.id}`)).code).toBe("FORBIDDEN");
  expect((await callAs(other, "GET", "/api/admin/mailing")).data.totalElements).toBe(0);
  expect((await callAs(await createAdministratorSession(), "GET", "/api/admin/mailing")).data.totalElements).toBe(1);
});

test("a mailing by the day of entry is no event's", async () => {
  const office = await createSessionWith([...BOARD, "Alumni_Read", "Alumni_Write"]);
  const target = { filter: { registered: "days:30" } };
  expect((await callAs(office, "PUT", "/api/admin/mailing", { source: "alumni", target })).code).toBe("SUCCESS");
  expect((await callAs(office, "GET", "/api/admin/mailing")).data.totalElements).toBe(1);
});

test("a sent mailing stays hidden from other officers", async () => {
  const { call } = await createWorld();
  const other = await createSessionWith([...BOARD, "Alumni_Write", "Dues_Manage"]);
  await sendTo(await createOfficer(), call, "all");
  expect((await callAs(other, "GET", "/api/admin/mailing")).data.totalElements).toBe(0);
});

test("the log of an event's mailing needs the right to events", async () => {
  const { call } = await createWorld();
  await sendTo(await createOfficer(), call, "all");
  const lacks: (string | null)[] = [];
  for (const rights of [["Alumni_Write", "Dues_Manage"], ["Event_Manage"]]) {
    const reader = await createPartialSession(...rights);
    const { content } = (await callAs(reader, "GET", "/api/admin/audit?action=mailing.send")).data;
    lacks.push(content[0].lacks);
  }
  expect(lacks).toEqual(["Event_Manage", null]);
});

test("a queued mailing stops once its officer loses the right to events", async () => {
  const { call } = await createWorld();
  const officer = await createOfficer();
  const takeRight = () =>
    runSql("UPDATE role SET permissions = ? WHERE permissions LIKE '%Event_Manage%'", JSON.stringify(BOARD));
  expect(await sendTo(officer, call, "all", takeRight)).toEqual([]);
});
