import { expect, test } from "vitest";
import { callJson, fetchApi } from "../../support/api-client.ts";
import { createTestItem } from "../../support/factories.ts";
import { ENGLISH_SITE, NEW_IDENTITY } from "../../support/identity.ts";
import { createAdministratorSession, type TestSession } from "../../support/people.ts";
import { scopeOfToken } from "../../support/request-scope.ts";
import { runSql } from "../../support/test-database.ts";
import { listItemsQuery, searchPageQuery } from "#worker/contract/board/input.ts";
import { getCalendarPage, renderBoardCalendar } from "#worker/domain/board/calendar.server.ts";
import { renderBoardFeed } from "#worker/domain/board/feed.server.ts";
import { getBoardListPage } from "#worker/domain/board/list.server.ts";
import { getBoardViewPage } from "#worker/domain/board/view.server.ts";
import { getEnglishHome } from "#worker/domain/site/home.server.ts";
import { getSearchPage } from "#worker/domain/site/search-page.server.ts";
import { listSitemapItems, listSitemapPages } from "#worker/domain/site/sitemap.server.ts";

const BOARD = "notice";
const NOT_FOUND = { code: "NOT_FOUND" };
const query = listItemsQuery.parse({ boardCode: BOARD });

async function openEnglish() {
  const session = await createAdministratorSession();
  const body = { ...NEW_IDENTITY, english: ENGLISH_SITE, version: 0 };
  await callJson("PATCH", "/api/admin/setting/identity", { token: session.accessToken, body });
  return session;
}

const boardOf = async ({ accessToken: token }: TestSession) => {
  const { data } = await callJson("GET", "/api/admin/board", { token });
  const board = (data as { boards: Record<string, unknown>[] }).boards.find((each) => each.boardCode === BOARD);
  const { boardCode: _code, itemCount: _items, isClosed: _closed, ...values } = board ?? {};
  return values;
};

test("a board needs an English name for English pages", async () => {
  const itemNo = await createTestItem(await createAdministratorSession(), BOARD, { title: "글" });
  const refused = [
    getBoardListPage(scopeOfToken(), query, "en"),
    getBoardViewPage(scopeOfToken(), { boardCode: BOARD, itemNo }, "en"),
    getCalendarPage(scopeOfToken(), {}, "en"),
    getSearchPage(scopeOfToken(), searchPageQuery.parse({ keyword: "글" }), undefined, "en"),
    renderBoardFeed(scopeOfToken(), BOARD, "en"),
  ];
  for (const asked of refused) await expect(asked).rejects.toMatchObject(NOT_FOUND);
});

test("an English page falls back to the only name of a board", async () => {
  const administrator = await openEnglish();
  const { accessToken: token } = administrator;
  const values = await boardOf(administrator);
  expect(values).toMatchObject({ englishName: "News", englishCategories: expect.arrayContaining(["Meeting"]) });
  const change = (body: object) => callJson("PATCH", `/api/admin/board/${BOARD}`, { token, body });
  const names = {
    englishName: "Bulletin",
    englishDescription: "What is new",
    englishCategories: ["Notice", "", "Call"],
  };
  expect((await change({ ...values, ...names })).code).toBe("SUCCESS");
  const shown = async () => (await getBoardListPage(scopeOfToken(), query, "en")).board;
  expect(await shown()).toMatchObject({
    boardName: "Bulletin",
    description: "What is new",
    categoryNames: { 안내: "Notice", 모집: "Call" },
  });
  expect((await getBoardListPage(scopeOfToken(), query)).board).toMatchObject({ boardName: "공지사항" });
  expect((await getBoardListPage(scopeOfToken(), query)).board).not.toHaveProperty("categoryNames");

  const { englishName: _name, englishDescription: _text, englishCategories: _categories, ...without } = values;
  expect((await change({ ...without, version: 2 })).code).toBe("SUCCESS");
  expect(await shown()).toMatchObject({ boardName: "Bulletin" });
  const long = await change({ ...values, englishName: "a".repeat(101), version: 3 });
  expect([long.code, Object.keys(long.fields as object)]).toEqual(["INVALID_INPUT", ["englishName"]]);

  expect((await change({ ...values, englishName: "", englishDescription: "", version: 3 })).code).toBe("SUCCESS");
  expect(await shown()).toMatchObject({ boardName: "공지사항", description: "" });
});

test("the language of an item is detected from its text", async () => {
  const administrator = await openEnglish();
  const english = await createTestItem(administrator, BOARD, { title: "Call for papers", content: "<p>Until May</p>" });
  expect((await renderBoardFeed(scopeOfToken(), BOARD, "en")).text).toContain("<language>en</language>");
  const korean = await createTestItem(administrator, BOARD, { title: "논문 모집", content: "<p>5월까지</p>" });
  const mixed = await createTestItem(administrator, BOARD, { title: "Call", content: "<p>5월까지</p>" });
  const entries = await listSitemapItems(scopeOfToken(), { boardCode: BOARD, part: 1 });
  const path = (itemNo: number) => `/board/${BOARD}/View/${itemNo}`;
  expect(entries.map((entry) => [entry.path, entry.english])).toEqual([
    [path(mixed), undefined],
    [path(korean), undefined],
    [path(english), `/en${path(english)}`],
  ]);
  expect(await listSitemapPages(scopeOfToken())).toContainEqual({
    path: `/board/${BOARD}/List/`,
    english: `/en/board/${BOARD}/List/`,
  });

  const { text: feed } = await renderBoardFeed(scopeOfToken(), BOARD, "en");
  expect(feed).toContain("<title>News</title>");
  expect(feed).toContain("<language>ko</language>");
  expect(feed).toContain(`/en${path(english)}</link>`);
  expect((await renderBoardFeed(scopeOfToken(), BOARD)).text).not.toContain("/en/");
});

test("an English search shows only English names or pages", async () => {
  const administrator = await openEnglish();
  const { accessToken: token } = administrator;
  await createTestItem(administrator, BOARD, { title: "Registry rules", category: "안내" });
  const body = {
    title: "Registry 안내",
    content: "<p>글</p>",
    englishTitle: "The registry",
    englishContent: "<p>Text</p>",
  };
  await callJson("PUT", "/api/admin/content/about/draft", { token, body: { ...body, version: 0 } });
  await callJson("POST", "/api/admin/content/about/publish", { token, body: { version: 1 } });
  const address = searchPageQuery.parse({ keyword: "registry" });
  const search = (language: "ko" | "en") => getSearchPage(scopeOfToken(), address, undefined, language);
  const english = await search("en");
  expect(english.pages.map(({ path }) => path)).toEqual(["/en/pid/about"]);
  expect(english.result?.content).toMatchObject([{ boardName: "News", category: "Announcement" }]);
  expect(english.boards.map(({ boardName }) => boardName)).toEqual(["News", "Document library"]);
  const korean = await search("ko");
  expect(korean.pages.map(({ path }) => path).toSorted()).toEqual(["/en/pid/about", "/pid/about"]);
  expect(korean.result?.content).toMatchObject([{ boardName: "공지사항", category: "안내" }]);
});

test("the calendar of an English page is English except for user texts", async () => {
  const administrator = await openEnglish();
  await runSql("UPDATE board SET use_events = 1");
  const itemNo = await createTestItem(administrator, BOARD, { title: "모임" });
  const [start, deadline] = [Date.UTC(2036, 10, 5, 1), Date.UTC(2036, 10, 1, 9)];
  await runSql(
    "UPDATE board_item SET event_start = ?, event_end = ?, event_deadline = ? WHERE item_no = ?",
    start,
    start + 3_600_000,
    deadline,
    itemNo,
  );
  const page = await getCalendarPage(scopeOfToken(), { month: "2036-11" }, "en");
  expect(page.boards[0]).toEqual({ boardCode: BOARD, boardName: "News" });
  expect(page.events).toMatchObject([{ boardName: "News", title: "모임" }]);
  const unfolded = (text: string) => text.replaceAll("\r\n ", "");
  const feed = unfolded((await renderBoardCalendar(scopeOfToken(), BOARD, "en")).text);
  expect(feed).toContain("X-WR-CALNAME:News");
  expect(feed).toContain("Registration closes: 2036-11-01 18:00 KST");
  expect(feed).toContain(`/en/board/${BOARD}/View/${itemNo}`);
  const address = `/api/board-item/${BOARD}/${itemNo}/calendar`;
  const calendarAt = async (path: string) => unfolded(await (await fetchApi("GET", path)).text());
  expect(await calendarAt(`${address}?language=en`)).toContain("Registration closes");
  expect(await calendarAt(address)).toContain("신청 마감");
});

test("a popup on the English home page needs a complete English text", async () => {
  const { accessToken: token } = await openEnglish();
  const popup = {
    title: "알림",
    content: "<p>내용</p>",
    linkUrl: "/terms",
    startDate: "2026-01-01T00:00:00Z",
    endDate: "2046-01-01T00:00:00Z",
  };
  const create = (value: object) => callJson("PUT", "/api/admin/popup", { token, body: { ...popup, ...value } });
  const fieldsOf = async (value: object) => Object.keys(((await create(value)).fields ?? {}) as object);
  expect(await fieldsOf({ englishTitle: "Notice" })).toEqual(["englishContent"]);
  expect(await fieldsOf({ englishContent: "<p>Text</p>" })).toEqual(["englishTitle"]);
  await create({});
  expect((await getEnglishHome(scopeOfToken())).popups).toEqual([]);
  await create({ englishTitle: "Notice", englishContent: '<p onclick="x()">Text</p>' });
  expect((await getEnglishHome(scopeOfToken())).popups).toMatchObject([
    { title: "Notice", content: "<p>Text</p>", linkUrl: "/en/terms" },
  ]);
});
