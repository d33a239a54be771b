import { expect, test } from "vitest";
import { getCalendarPage, renderBoardCalendar } from "#worker/domain/board/calendar.server.ts";
import { type Feed, renderBoardFeed } from "#worker/domain/board/feed.server.ts";
import { getSiteFrame } from "#worker/domain/site/site.server.ts";
import { createTestItem } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../support/people.ts";
import { scopeFor } from "../../support/request-scope.ts";
import { runSql } from "../../support/test-database.ts";
import { isNewItem } from "#worker/domain/board/row.server.ts";
import { listItemsQuery } from "#worker/contract/board/input.ts";
import { getHomePage } from "#worker/domain/site/home.server.ts";
import { getBoardListPage } from "#worker/domain/board/list.server.ts";
import { readerStatement } from "#worker/domain/board/reader.server.ts";
import { getBoardViewPage } from "#worker/domain/board/view.server.ts";
import { expectIndexed, explainRead } from "../../support/query-plans.ts";

// A feed has only what a guest may read, and is missing where a guest may not read.

const MARK = "밀봉표식";
const DAY_MS = 86_400_000;

async function makeEvent(admin: TestSession, fields: Record<string, unknown> = {}): Promise<number> {
  const event = {
    startDate: new Date(Date.now() + DAY_MS).toISOString(),
    endDate: new Date(Date.now() + 2 * DAY_MS).toISOString(),
    place: `${MARK} 강당`,
  };
  return createTestItem(admin, "notice", { title: `${MARK} 제목`, content: `<p>${MARK} 본문</p>`, event, ...fields });
}

async function feedsFor(session: TestSession | null): Promise<Record<string, string | number>> {
  const outcome = (feed: Promise<Feed>) =>
    feed.then(
      ({ text }) => text.split(MARK).length - 1,
      (error: { code: string }) => error.code,
    );
  return {
    rss: await outcome(renderBoardFeed(scopeFor(session), "notice")),
    calendar: await outcome(renderBoardCalendar(scopeFor(session), "notice")),
  };
}

async function namedFor(session: TestSession | null): Promise<boolean[]> {
  const [frame, calendar] = [await getSiteFrame(scopeFor(session)), await getCalendarPage(scopeFor(session), {})];
  return [frame.feeds.includes("notice"), calendar.feeds.includes("notice")];
}

test.each([
  [["List", "View"], true],
  [["List"], false],
  [["View"], false],
  [["Download", "Write"], false],
  [[], false],
])("guests with %j on a board can read its feeds: %s", async (actions, isThere) => {
  const admin = await createAdministratorSession();
  const member = await createMemberSession();
  await runSql("UPDATE board SET use_events = 1");
  await makeEvent(admin);
  const permissions = actions.map((action) => `Board_notice_${action}`);
  await runSql("UPDATE role SET permissions = ? WHERE role_code = 'guest'", JSON.stringify(permissions));
  // The member may view it and the administrator manages it; the feed is still the guest's.
  for (const session of [null, member, admin]) {
    const given = await feedsFor(session);
    if (isThere) expect([Number(given.rss) > 0, Number(given.calendar) > 0]).toEqual([true, true]);
    else expect(given).toEqual({ rss: "NOT_FOUND", calendar: "NOT_FOUND" });
  }
  for (const session of [member, admin]) expect(await namedFor(session)).toEqual([isThere, isThere]);
});

test.each([
  ["secret", "is_secret = 1"],
  ["still to come", `created_date = ${Date.now() + DAY_MS}`],
  ["deleted", `deleted_date = ${Date.now()}`],
])("an item that is %s is in no feed for anyone", async (_state, set) => {
  const admin = await createAdministratorSession();
  await runSql("UPDATE board SET use_events = 1, use_secret = 1");
  const itemNo = await makeEvent(admin);
  expect(Number((await feedsFor(null)).rss)).toBeGreaterThan(0);
  await runSql(`UPDATE board_item SET ${set} WHERE board_code = 'notice' AND item_no = ?`, itemNo);
  for (const session of [null, await createMemberSession(), admin])
    expect(await feedsFor(session)).toEqual({ rss: 0, calendar: 0 });
});

test("a board without events has no feed of events", async () => {
  const admin = await createAdministratorSession();
  await runSql("UPDATE board SET use_events = 1");
  await makeEvent(admin);
  await runSql("UPDATE board SET use_events = 0");
  for (const session of [null, admin]) expect((await feedsFor(session)).calendar).toBe("NOT_FOUND");
  await runSql("UPDATE board SET use_events = 1, is_closed = 1");
  for (const session of [null, admin])
    expect(await feedsFor(session)).toEqual({ rss: "NOT_FOUND", calendar: "NOT_FOUND" });
});

test("an item is new for 24 hours, to the millisecond", () => {
  const created = new Date("2026-11-21T00:00:00Z");
  const after = (ms: number) => isNewItem(created, new Date(created.getTime() + ms));
  expect([after(0), after(86_399_999), after(86_400_000), after(-1)]).toEqual([true, true, false, false]);
});

test("every statement of the home page uses an index", async () => {
  const { accessToken } = await createMemberSession();
  expectIndexed(await explainRead(accessToken, (scope) => Promise.all([getSiteFrame(scope), getHomePage(scope)])));
});

test.each([
  "",
  "&sort=viewCount,ASC",
  "&sort=title,DESC",
  "&sort=itemNo,ASC",
  "&category=안내",
  "&showItemToMain=true",
])("every statement of a list (%s) finds its rows by an index", async (choice) => {
  const query = listItemsQuery.parse(Object.fromEntries(new URLSearchParams(`boardCode=notice${choice}`)));
  expectIndexed(await explainRead(null, (scope) => Promise.all([getSiteFrame(scope), getBoardListPage(scope, query)])));
});

test("the reader lookup of a page uses an index", async () => {
  const { accessToken } = await createMemberSession();
  const place = { listedBoardCode: "notice", boardCode: "notice", itemNo: 1, scopes: ["site"], shownItems: [1] };
  expectIndexed(
    await explainRead(accessToken, (scope) =>
      scope.read((sub) => [readerStatement(scope.db, { sid: "", sub }, new Date(), place)]),
    ),
  );
});

test("every statement of a view page uses an index", async () => {
  const itemNo = await createTestItem(await createAdministratorSession(), "notice");
  expectIndexed(await explainRead(null, (scope) => getBoardViewPage(scope, { boardCode: "notice", itemNo })));
});
