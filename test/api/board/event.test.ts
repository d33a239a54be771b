import ICAL from "ical.js";
import { expect, test } from "vitest";
import { getCalendarPage, renderBoardCalendar } from "#worker/domain/board/calendar.server.ts";
import { getHomeExtras } from "#worker/domain/site/home.server.ts";
import { getSiteFrame } from "#worker/domain/site/site.server.ts";
import { EVENT_MESSAGES } from "#worker/contract/board/event-rules.ts";
import { writeCalendar } from "#worker/adapters/icalendar.server.ts";
import { callAs, callJson, fetchApi } from "../../support/api-client.ts";
import { createTestItem } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, createSessionWith } from "../../support/people.ts";
import { scopeFor } from "../../support/request-scope.ts";
import { runSql } from "../../support/test-database.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const useEvents = () => runSql("UPDATE board SET use_events = 1 WHERE board_code = 'notice'");
const from = (ms: number) => new Date(Math.floor(Date.now() / HOUR) * HOUR + ms).toISOString();
const SYMPOSIUM = {
  startDate: "2026-12-11T00:30:00.000Z",
  endDate: "2026-12-11T08:40:00.000Z",
  place: "서울 새봄컨벤션센터",
  deadline: "2026-12-04T09:00:00.000Z",
};
const WORKSHOP = { isAllDay: true, startDate: "2026-12-17T15:00:00.000Z", endDate: "2026-12-19T15:00:00.000Z" };

function parseCalendar(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text) as string);
  return calendar.getAllSubcomponents("vevent").map((component) => {
    const event = new ICAL.Event(component);
    return {
      uid: event.uid,
      summary: event.summary,
      location: event.location,
      description: event.description,
      start: event.startDate.toString(),
      end: event.endDate.toString(),
      zone: event.startDate.zone?.tzid,
      status: component.getFirstPropertyValue("status"),
      sequence: event.sequence,
    };
  });
}
const itemCalendar = async (itemNo: number, token?: string) =>
  parseCalendar(await (await fetchApi("GET", `/api/board-item/notice/${itemNo}/calendar`, { token })).text());

test("an item loses its event only by an explicit null", async () => {
  const admin = await createAdministratorSession();
  await useEvents();
  const itemNo = await createTestItem(admin, "notice", { title: "심포지엄", event: SYMPOSIUM });
  const path = `/api/board-item/notice/${itemNo}`;
  const seen = { ...SYMPOSIUM, isAllDay: false, firstDay: "2026-12-11", lastDay: "2026-12-11", isCancelled: false };
  expect((await callJson("GET", path)).data.event).toMatchObject(seen);
  expect((await callJson("GET", "/api/board-item?boardCode=notice")).data.content[0].event).toMatchObject(seen);

  expect((await callAs(admin, "PATCH", path, { title: "새 제목", version: 1 })).code).toBe("SUCCESS");
  expect((await callJson("GET", path)).data.event).toMatchObject(seen);
  const cancelled = { ...SYMPOSIUM, isCancelled: true };
  expect((await callAs(admin, "PATCH", path, { event: cancelled, version: 1 })).code).toBe("CONFLICT");
  expect((await callAs(admin, "PATCH", path, { event: cancelled, version: 2 })).code).toBe("SUCCESS");
  expect((await callJson("GET", path)).data.event).toMatchObject({ isCancelled: true });
  expect((await callAs(admin, "PATCH", path, { event: null, version: 3 })).code).toBe("SUCCESS");
  expect((await callJson("GET", path)).data.event).toBeNull();
});

test("an invalid time of an event is refused by field", async () => {
  const admin = await createAdministratorSession();
  const send = (event: object) =>
    callAs(admin, "PUT", "/api/board-item/notice", { title: "가", content: "<p>나</p>", event });
  expect((await send(SYMPOSIUM)).fields).toEqual({ event: EVENT_MESSAGES.unused });
  await useEvents();
  const backwards = { startDate: SYMPOSIUM.endDate, endDate: SYMPOSIUM.startDate };
  expect((await send(backwards)).fields).toEqual({ "event.endDate": EVENT_MESSAGES.order });
  expect((await send({ ...SYMPOSIUM, isAllDay: true })).fields).toEqual({ "event.startDate": EVENT_MESSAGES.allDay });
  expect((await send({ ...SYMPOSIUM, place: "가".repeat(201) })).fields).toHaveProperty(["event.place"]);
  expect((await send({ ...SYMPOSIUM, startDate: "내일" })).fields).toHaveProperty(["event.startDate"]);

  const { data } = await send(SYMPOSIUM);
  await runSql("UPDATE board SET use_events = 0");
  expect((await callJson("GET", `/api/board-item/notice/${data.itemNo}`)).data.event).toBeNull();
  expect((await callJson("GET", `/api/board-item/notice/${data.itemNo}/calendar`)).code).toBe("NOT_FOUND");
  await expect(renderBoardCalendar(scopeFor(null), "notice")).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("only people who may edit the item can set its event", async () => {
  const admin = await createAdministratorSession();
  await useEvents();
  const itemNo = await createTestItem(admin, "notice");
  const change = (session: Parameters<typeof callAs>[0]) =>
    callAs(session, "PATCH", `/api/board-item/notice/${itemNo}`, { event: SYMPOSIUM, version: 1 });
  expect((await change(null)).code).toBe("UNAUTHORIZED");
  expect((await change(await createMemberSession())).code).toBe("NOT_FOUND");
  const writer = await createSessionWith(["Board_notice_List", "Board_notice_Write"]);
  expect((await change(writer)).code).toBe("NOT_FOUND");
  expect((await callJson("GET", `/api/board-item/notice/${itemNo}`)).data.event).toBeNull();
});

test("a calendar file is valid for every kind of event", async () => {
  const admin = await createAdministratorSession();
  await useEvents();
  const title = `${"한국면역결핍질환연구망 ".repeat(8)}; 1부, 2부 \\ 끝`;
  const timed = await createTestItem(admin, "notice", {
    title,
    event: SYMPOSIUM,
    content: "<p>첫 줄</p><p>둘째 줄</p>",
  });
  const whole = await createTestItem(admin, "notice", { title: "워크숍", event: { ...WORKSHOP, isCancelled: true } });
  await callAs(admin, "PATCH", `/api/board-item/notice/${timed}`, { category: "", version: 1 });

  const [event] = await itemCalendar(timed);
  expect(event).toMatchObject({
    summary: title.trim().replace(/ +/g, " "),
    location: SYMPOSIUM.place,
    start: "2026-12-11T09:30:00",
    end: "2026-12-11T17:40:00",
    zone: "Asia/Seoul",
    status: "CONFIRMED",
    sequence: 2,
  });
  expect(event?.description).toContain("첫 줄 둘째 줄\n\n신청 마감: 2026-12-04 18:00\n\nhttp");
  // DTEND of whole days is exclusive (RFC 5545).
  expect(await itemCalendar(whole)).toMatchObject([{ start: "2026-12-18", end: "2026-12-20", status: "CANCELLED" }]);

  const raw = await (await fetchApi("GET", `/api/board-item/notice/${timed}/calendar`)).text();
  const lines = raw.split("\r\n");
  expect(raw.endsWith("\r\n")).toBe(true);
  expect(raw.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  expect(Math.max(...lines.map((line) => new TextEncoder().encode(line).length))).toBeLessThanOrEqual(75);
});

test("user texts cannot end a calendar line or inject a property", () => {
  const text = writeCalendar("이름\r\nX-EVIL:1", [
    {
      uid: "a@b",
      sequence: 1,
      changedDate: new Date(0),
      isAllDay: false,
      startDate: new Date(0),
      endDate: new Date(0),
      summary: "가\nEND:VEVENT\r\nBEGIN:VEVENT\u0000\u2028",
      location: "",
      description: "👨‍👩‍👧‍👦".repeat(40),
      url: "https://example.org/",
      isCancelled: false,
    },
  ]);
  expect(text).not.toMatch(/^(?:X-EVIL|END:VEVENT.+)/m);
  expect(parseCalendar(text)).toMatchObject([
    { summary: "가\nEND:VEVENT\nBEGIN:VEVENT\u2028", description: "👨‍👩‍👧‍👦".repeat(40) },
  ]);
});

test("a board feed has guest rights", async () => {
  const admin = await createAdministratorSession();
  await useEvents();
  await runSql("UPDATE board SET use_secret = 1");
  const make = (title: string, more: object = {}) =>
    createTestItem(admin, "notice", { title, event: { startDate: from(DAY), endDate: from(DAY) }, ...more });
  await make("열린 행사");
  await make("비밀 행사", { isSecret: true });
  await make("예약 행사", { publishDate: from(DAY) });
  await make("오래된 행사", { event: { startDate: from(-400 * DAY), endDate: from(-399 * DAY) } });
  const gone = await make("지운 행사");
  await callAs(admin, "DELETE", `/api/board-item/notice/${gone}`);
  const titles = async (session: Parameters<typeof scopeFor>[0]) =>
    parseCalendar((await renderBoardCalendar(scopeFor(session), "notice")).text).map(({ summary }) => summary);
  expect(await titles(null)).toEqual(["열린 행사"]);
  expect(await titles(admin)).toEqual(["열린 행사"]);
  await runSql("UPDATE role SET permissions = '[]' WHERE role_code = 'guest'");
  await expect(renderBoardCalendar(scopeFor(admin), "notice")).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a month lists the visible events that overlap it", async () => {
  const admin = await createAdministratorSession();
  await useEvents();
  await runSql("UPDATE board SET use_secret = 1");
  const day = (text: string) => new Date(`${text}T00:00:00+09:00`).toISOString();
  const make = (title: string, startDate: string, endDate: string, more: object = {}) =>
    createTestItem(admin, "notice", { title, event: { isAllDay: true, startDate, endDate }, ...more });
  await make("달을 넘는 행사", day("2030-01-30"), day("2030-02-03"));
  await make("끝난 날 자정", day("2030-01-31"), day("2030-02-01"));
  await make("다음 달", day("2030-03-01"), day("2030-03-02"));
  await make("비밀", day("2030-02-10"), day("2030-02-11"), { isSecret: true });
  const titles = async (session: Parameters<typeof scopeFor>[0], month: string) =>
    (await getCalendarPage(scopeFor(session), { month })).events.map(({ title }) => title);
  expect(await titles(null, "2030-02")).toEqual(["달을 넘는 행사"]);
  expect(await titles(admin, "2030-02")).toEqual(["달을 넘는 행사", "비밀"]);
  expect(await titles(null, "2030-03")).toEqual(["다음 달"]);
  expect(await titles(null, "2029-12")).toEqual([]);

  for (let at = 0; at < 21; at += 1)
    await createTestItem(admin, "notice", {
      title: `비밀 ${at}`,
      isSecret: true,
      event: { startDate: from(DAY), endDate: from(DAY) },
    });
  await createTestItem(admin, "notice", { title: "내일", event: { startDate: from(2 * DAY), endDate: from(2 * DAY) } });
  const { coming, feeds, boards } = await getCalendarPage(scopeFor(null), {});
  expect(coming.map(({ title }) => title)[0]).toBe("내일");
  expect([feeds, boards.map(({ boardCode }) => boardCode)]).toEqual([["notice"], ["notice"]]);
  expect((await getHomeExtras(scopeFor(null))).events.map(({ title }) => title)[0]).toBe("내일");
});

test("the calendar is in the menu of a reader of events", async () => {
  const hrefs = async () =>
    (await getSiteFrame(scopeFor(null))).menu.flatMap(({ children = [] }) => children.map(({ href }) => href));
  expect(await hrefs()).not.toContain("/calendar");
  await useEvents();
  expect(await hrefs()).toContain("/calendar");
  await runSql("UPDATE role SET permissions = '[]' WHERE role_code = 'guest'");
  expect(await hrefs()).not.toContain("/calendar");
  expect(await getCalendarPage(scopeFor(null), {})).toMatchObject({ boards: [], events: [], coming: [] });
});
