import { expect, test } from "vitest";
import { type Attendance, TICKET_MESSAGES } from "#worker/contract/event/event.ts";
import { getTicket } from "#worker/domain/event/ticket.server.ts";
import { openTestEvent, registerAt } from "../../calls/event-world.ts";
import { callAs } from "../../support/api-client.ts";
import { sentMessages } from "../../support/factories.ts";
import {
  createMemberSession,
  createSessionWith,
  createUser,
  signInUser,
  type TestSession,
} from "../../support/people.ts";
import { scopeFor } from "../../support/request-scope.ts";
import { isFull } from "../../support/sample.ts";
import { readRows, readValue, runSql } from "../../support/test-database.ts";

const READS = ["Board_free_View", "Board_free_List"];
const createOfficer = () => createSessionWith(["ADMIN_Access", "Event_Manage", ...READS]);

/** An event of today, with a registered member. */
async function createDoor(attendance: Attendance = "entry") {
  const officer = await createOfficer();
  const event = await openTestEvent(await createMemberSession(), { attendance });
  const now = Date.now();
  await runSql("UPDATE board_item SET event_start = ?, event_end = ? WHERE id = ?", now - 1000, now + 1000, event.id);
  const member = await createMemberSession();
  const { id } = (await registerAt(member, event.own)).data;
  const { ticket } = (await callAs(member, "GET", event.own)).data.mine as { ticket: string };
  const open = (session: TestSession | null, path = ticket) =>
    getTicket(scopeFor(session), path.slice("/Ticket/".length));
  const mark = (name: string, session = officer) =>
    callAs(session, "POST", `/api/admin/event/registration/${id}/attendance`, { mark: name });
  return { ...event, officer, member, registration: id as string, ticket, open, mark };
}

test("a ticket shows its person to an officer alone", async () => {
  const { officer, member, open } = await createDoor();
  await runSql(
    "INSERT INTO alumni (id, name, email, affiliation, created_date, modified_date) VALUES ('a', '홍길동', ?, '가온병원', 1, 1)",
    member.user.email,
  );
  expect((await open(officer)).door).toMatchObject({
    userName: "홍길동",
    affiliation: "가온병원",
    item: { title: "동계 심포지엄" },
    status: "confirmed",
    act: "present",
    said: "",
  });
  const clerk = await createSessionWith(["ADMIN_Access", ...READS]);
  const blind = await createSessionWith(["ADMIN_Access", "Event_Manage"]);
  for (const other of [null, member, await createMemberSession(), clerk])
    expect(await open(other)).toEqual({ isGenuine: true, door: null });
  await runSql("UPDATE board_item SET is_secret = 1");
  expect(await open(blind), "an item that the officer does not read").toEqual({ isGenuine: true, door: null });
});

test("a forged ticket shows nobody", async () => {
  const { officer, registration, ticket, open } = await createDoor();
  const forged = { isGenuine: false, door: null };
  const other = await createDoor();
  for (const path of [
    `/Ticket/${registration}`,
    `/Ticket/${registration}.${ticket.split(".")[1]?.toLowerCase()}`,
    ticket.replace(registration, () => other.registration),
    "/Ticket/.",
  ])
    expect(await open(officer, path), path).toEqual(forged);
  await runSql("DELETE FROM event_registration");
  expect(await open(officer)).toEqual(forged);
});

test("the door says why it takes no ticket", async () => {
  const { officer, open } = await createDoor();
  const saidAfter = async (sql: string) => {
    await runSql(sql);
    const { door } = await open(officer);
    expect(door?.act, sql).toBeNull();
    return door?.said;
  };
  expect(await saidAfter("UPDATE event_registration SET status = 'waiting'")).toContain("대기 중인 사람입니다.");
  expect(await saidAfter("UPDATE event_registration SET status = 'cancelled'")).toBe(TICKET_MESSAGES.cancelled);
  await runSql("UPDATE event_registration SET status = 'confirmed'");
  expect(await saidAfter("UPDATE event SET attendance = 'none'")).toBe(TICKET_MESSAGES.unused);
  await runSql("UPDATE event SET attendance = 'entry'");
  expect(await saidAfter("UPDATE board_item SET is_event_cancelled = 1")).toBe(TICKET_MESSAGES.notHeld);
  await runSql("UPDATE board_item SET is_event_cancelled = 0");
  expect(await saidAfter("UPDATE board_item SET event_start = 1, event_end = 2")).toBe(TICKET_MESSAGES.otherDay);
});

test("a second scan within a minute counts nothing", async () => {
  const { officer, open, mark } = await createDoor("both");
  expect((await mark("present")).data).toMatchObject({ status: "present", already: false });
  expect((await open(officer)).door).toMatchObject({
    act: null,
    said: expect.stringMatching(/^\d\d:\d\d에 이미 출석/),
  });
  expect((await mark("leave")).data).toMatchObject({ leftDate: null, already: true });
  await runSql("UPDATE event_registration SET attended_date = attended_date - 61000");
  expect((await open(officer)).door?.act).toBe("leave");
  const both = await Promise.all([mark("leave"), mark("leave")]);
  expect(both.map(({ data }) => data.already).toSorted()).toEqual([false, true]);
  expect((await open(officer)).door).toMatchObject({ status: "present", act: null });
  expect(await readValue("SELECT count(*) FROM audit_log WHERE action = 'event.attend'")).toBe(2);
});

test("a mark that the event does not take is refused", async () => {
  const { officer, member, mark, office, own } = await createDoor();
  expect((await mark("present")).code).toBe("SUCCESS");
  expect((await mark("leave")).message).toContain("이 행사에서는 받지 않는 표시입니다.");
  await runSql("UPDATE event SET attendance = 'none'");
  expect((await mark("absent")).code).toBe("CONFLICT");
  const { email } = (await createMemberSession()).user;
  const add = { who: email, reason: "현장 등록", isPresent: true };
  expect((await callAs(officer, "POST", `${office}/registration`, add)).code).toBe("CONFLICT");
  expect((await callAs(member, "GET", own)).data.mine.ticket).toBe("");
});

test("somebody at the door is added as present", async () => {
  const { officer, office } = await createDoor();
  const { email, id } = (await createMemberSession()).user;
  const add = { who: email, reason: "현장 등록", isPresent: true };
  expect((await callAs(officer, "POST", `${office}/registration`, add)).code).toBe("SUCCESS");
  const [row] = await readRows(
    "SELECT status, attended_date IS NULL AS unseen FROM event_registration WHERE user_id = ?",
    id,
  );
  expect(row).toEqual({ status: "present", unseen: 0 });
  expect(await sentMessages(email)).toEqual([]);
});

test("a letter of a place leads to the ticket", async () => {
  const { member, ticket } = await createDoor();
  const [mail] = await sentMessages(member.user.email);
  expect(mail?.body).toContain(ticket);
  expect((await callAs(member, "GET", "/api/event")).data.content).toMatchObject([{ ticket }]);
});

const PEOPLE = isFull ? 300 : 12;

test(`${2 * PEOPLE} scans of two doors mark each person once`, { tags: "sampled" }, async () => {
  const { officer, own, id } = await createDoor();
  const other = await createOfficer();
  const registered: string[] = [];
  for (let at = 0; at < PEOPLE; at += 1)
    registered.push((await registerAt(await signInUser(await createUser()), own)).data.id as string);
  const scan = (session: TestSession, one: string) =>
    callAs(session, "POST", `/api/admin/event/registration/${one}/attendance`, { mark: "present" });
  const already: boolean[] = [];
  for (const [at, one] of registered.entries()) {
    const together = at % 2 === 0;
    const first = scan(officer, one);
    if (!together) await first;
    const answers = await Promise.all([first, scan(other, one)]);
    already.push(...answers.map(({ data }) => data.already as boolean));
  }
  expect(already.filter((each) => !each)).toHaveLength(PEOPLE);
  expect(await readValue("SELECT count(*) FROM event_registration WHERE item_id = ? AND status = 'present'", id)).toBe(
    PEOPLE,
  );
  expect(await readValue("SELECT count(*) FROM audit_log WHERE action = 'event.attend'")).toBe(PEOPLE);
});
