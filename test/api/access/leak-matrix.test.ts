/** @module-tag sampled */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { openRequestScope } from "../../support/open-scope.ts";
import { decideAccess, type ItemResource } from "#worker/domain/kernel/authorize.server.ts";
import type { Actor } from "#worker/domain/kernel/context.ts";
import { getBoardWritePage } from "#worker/domain/board/write.server.ts";
import { getCalendarPage, renderBoardCalendar } from "#worker/domain/board/calendar.server.ts";
import { renderBoardFeed } from "#worker/domain/board/feed.server.ts";
import { getHistoryPage } from "#worker/domain/board/history.server.ts";
import { getEnglishHome, getHomeExtras, getHomePage } from "#worker/domain/site/home.server.ts";
import { getBoardListPage } from "#worker/domain/board/list.server.ts";
import { listDeletedItems } from "#worker/domain/board/deleted.server.ts";
import { listBoardReports } from "#worker/domain/board/report.server.ts";
import { getSearchPage } from "#worker/domain/site/search-page.server.ts";
import { getBoardViewPage } from "#worker/domain/board/view.server.ts";
import { getItemRegistration } from "#worker/domain/event/item-registration.server.ts";
import { getRegistrationPage } from "#worker/domain/event/registration.server.ts";
import { listSitemapItems } from "#worker/domain/site/sitemap.server.ts";
import { listItemsQuery, searchPageQuery } from "#worker/contract/board/input.ts";
import { callAs, fetchApi } from "../../support/api-client.ts";
import { createTestItem } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { uploadBoardFile } from "../../samples/board-files.ts";
import { ENGLISH_SITE } from "../../support/identity.ts";
import { LEAK_SURFACES } from "../../calls/leak-surfaces.ts";
import { isFull, sample, SAMPLE_NOTE } from "../../support/sample.ts";
import { makePng } from "../../samples/picture-samples.ts";
import { readRow, runSql } from "../../support/test-database.ts";

const MARK = "밀봉표식";
const INSIDE = "붙임속글귀";
const BOARD = "notice";
const STATES = ["public", "secret", "scheduled", "binned", "closed board"] as const;
type LeakState = (typeof STATES)[number];

interface LeakPlace {
  itemNo: number;
  older: number;
  newer: number;
  fileId: string;
  imageId: string;
}

const scopeAs = (session: TestSession | null) =>
  openRequestScope({
    request: new Request("http://localhost/"),
    env,
    requestId: "",
    credential: session ? { token: session.accessToken } : null,
    defer: (work) => createExecutionContext().waitUntil(work),
  });
type Ask = (session: TestSession | null, place: LeakPlace) => Promise<string | null>;
const api =
  (method: string, path: (place: LeakPlace) => string, body?: unknown): Ask =>
  async (session, place) => {
    const options = { token: session?.accessToken, ...(body === undefined ? {} : { body }) };
    const response = await fetchApi(method, path(place), options);
    if (response.status >= 500) throw new Error(`${path(place)}: ${response.status}`);
    // Pictures count as well: only their existence matters.
    const text = new TextDecoder().decode(await response.arrayBuffer());
    return response.ok ? text || "(bytes)" : null;
  };
const pageData =
  (load: (at: ReturnType<typeof scopeAs>, place: LeakPlace) => Promise<unknown>): Ask =>
  (session, place) =>
    load(scopeAs(session), place).then(
      (data) => JSON.stringify(data),
      () => null,
    );
const path = (itemNo: number) => ({ boardCode: BOARD, itemNo });

type LeakAction = "Item.Read" | "Item.Download" | "Item.Change" | "Board.Manage";
const DIRECT: Record<string, [LeakAction, Ask]> = {
  "API item": ["Item.Read", api("GET", ({ itemNo }) => `/api/board-item/${BOARD}/${itemNo}`)],
  "page of the item": ["Item.Read", pageData((at, { itemNo }) => getBoardViewPage(at, path(itemNo)))],
  "English page of the item": ["Item.Read", pageData((at, { itemNo }) => getBoardViewPage(at, path(itemNo), "en"))],
  comments: ["Item.Read", api("GET", ({ itemNo }) => `/api/board-item-comment?boardCode=${BOARD}&itemNo=${itemNo}`)],
  file: ["Item.Download", api("GET", ({ fileId }) => `/api/file/${fileId}`)],
  "file, its head": ["Item.Download", api("HEAD", ({ fileId }) => `/api/file/${fileId}`)],
  "archive of the files": [
    "Item.Download",
    api("GET", ({ itemNo }) => `/api/board-item-file/${BOARD}/${itemNo}/archive`),
  ],
  "archive, its head": [
    "Item.Download",
    api("HEAD", ({ itemNo }) => `/api/board-item-file/${BOARD}/${itemNo}/archive`),
  ],
  picture: ["Item.Read", api("GET", ({ imageId }) => `/api/file/${imageId}`)],
  "thumbnail, made": ["Item.Read", api("GET", ({ imageId }) => `/api/file/${imageId}?thumbnail=true&width=100`)],
  "thumbnail, kept": ["Item.Read", api("GET", ({ imageId }) => `/api/file/${imageId}?thumbnail=true&width=100`)],
  "thumbnail, its head": ["Item.Read", api("HEAD", ({ imageId }) => `/api/file/${imageId}?thumbnail=true&width=640`)],
  "thumbnail of a file": ["Item.Download", api("GET", ({ fileId }) => `/api/file/${fileId}?thumbnail=true&width=160`)],
  "the event for a calendar": ["Item.Read", api("GET", ({ itemNo }) => `/api/board-item/${BOARD}/${itemNo}/calendar`)],
  history: ["Item.Change", api("GET", ({ itemNo }) => `/api/board-item/${BOARD}/${itemNo}/revision`)],
  "version of the history": [
    "Item.Change",
    api("GET", ({ itemNo }) => `/api/board-item/${BOARD}/${itemNo}/revision/1`),
  ],
  "page of the history": ["Item.Change", pageData((at, { itemNo }) => getHistoryPage(at, path(itemNo), null))],
  "page of the registration": ["Item.Read", pageData((at, { itemNo }) => getRegistrationPage(at, path(itemNo)))],
  "registration, on the page of the item": [
    "Item.Read",
    pageData((at, { itemNo }) => getItemRegistration(at, path(itemNo))),
  ],
  "English page of the registration": [
    "Item.Read",
    pageData((at, { itemNo }) => getRegistrationPage(at, path(itemNo))),
  ],
  "registration, on the English page of the item": [
    "Item.Read",
    pageData((at, { itemNo }) => getItemRegistration(at, path(itemNo))),
  ],
  export: ["Board.Manage", api("GET", () => `/api/board-item/download-data/${BOARD}?format=csv`)],
  bin: ["Board.Manage", api("GET", () => `/api/board-item/bin/${BOARD}`)],
  "page of the bin": ["Board.Manage", pageData((at) => listDeletedItems(at, BOARD, { page: 1, size: 20 }))],
  reports: ["Board.Manage", api("GET", () => `/api/board-item-report/${BOARD}`)],
  "page of the reports": [
    "Board.Manage",
    pageData((at) => listBoardReports(at, BOARD, { status: "open", page: 1, size: 20 })),
  ],
};

const listQuery = listItemsQuery.parse({ boardCode: BOARD, size: "50" });
const query = (target: string) => searchPageQuery.parse({ keyword: MARK, target });
/** Open to anyone who may edit the current item; a deleted item must be restored first. */
const EDITING: Record<string, Ask> = {
  "page of the editor": pageData((at, { itemNo }) => getBoardWritePage(at, path(itemNo))),
  "draft of a change": api("GET", ({ itemNo }) => `/api/board-item-draft/${BOARD}?itemNo=${itemNo}`),
};

/** May be open without read access to the item, but must not contain its words. */
const GATHERED: Record<string, Ask> = {
  list: api("GET", () => `/api/board-item?boardCode=${BOARD}&size=50`),
  "list for the main page": api("GET", () => `/api/board-item?boardCode=${BOARD}&showItemToMain=true`),
  "page of the list": pageData((at) => getBoardListPage(at, listQuery)),
  home: pageData((at) => getHomePage(at)),
  previous: api("GET", ({ newer }) => `/api/board-item/${BOARD}/${newer}`),
  next: api("GET", ({ older }) => `/api/board-item/${BOARD}/${older}`),
  "previous, on the page": pageData((at, { newer }) => getBoardViewPage(at, path(newer))),
  search: api("POST", () => "/api/board-item/search", { keyword: MARK.slice(0, 3) }),
  "search of the board": api("POST", () => `/api/board-item/search?boardCode=${BOARD}`, { keyword: MARK }),
  "search of file names": api("POST", () => "/api/board-item/search", { keyword: MARK, target: "file" }),
  "search of the text in files": api("POST", () => "/api/board-item/search", { keyword: INSIDE }),
  "page of the search": pageData((at) => getSearchPage(at, query("all"))),
  "page of the search of the board": pageData((at) => getSearchPage(at, query("titleContent"), BOARD)),
  RSS: pageData((at) => renderBoardFeed(at, BOARD)),
  "page of the calendar": pageData((at) => getCalendarPage(at, {})),
  "calendar of the board": pageData((at) => renderBoardCalendar(at, BOARD)),
  "coming events of home": pageData(async (at) => (await getHomeExtras(at)).events),
  "English page of the list": pageData((at) => getBoardListPage(at, listQuery, "en")),
  "English home": pageData((at) => getHomePage(at, "en")),
  "English page of the search": pageData((at) => getSearchPage(at, query("all"), undefined, "en")),
  "English page of the search of the board": pageData((at) => getSearchPage(at, query("titleContent"), BOARD, "en")),
  "English RSS": pageData((at) => renderBoardFeed(at, BOARD, "en")),
  "English page of the calendar": pageData((at) => getCalendarPage(at, {}, "en")),
  "English calendar of the board": pageData((at) => renderBoardCalendar(at, BOARD, "en")),
  "English coming events of home": pageData(async (at) => (await getEnglishHome(at)).events),
  // Lists addresses without titles, so the address identifies the item.
  sitemap: pageData(async (at, { itemNo }) =>
    (await listSitemapItems(at, { boardCode: BOARD, part: 1 })).map((entry) =>
      entry.path.endsWith(`/View/${itemNo}`) ? MARK : "",
    ),
  ),
};
const WITHOUT_ECHO = /"(?:highlight|query|keyword)":(?:\{[^{}]*\}|\[[^\]]*\]|"[^"]*")/g;

async function makePlace(author: TestSession, admin: TestSession, state: LeakState): Promise<LeakPlace> {
  // Wide enough to get resized versions.
  const picture = makePng(700, 8, "noise");
  const fileId = await uploadBoardFile(author, `${MARK}.png`, picture, BOARD);
  await callAs(author, "PUT", `/api/board-item-file/${fileId}/text`, { text: `여기에 ${INSIDE} ${MARK}` });
  const form = new FormData();
  form.set("file", new File([picture], "a.png"));
  const image = await callAs(author, "PUT", "/api/board-item/images", form);
  const older = await createTestItem(admin, BOARD, { title: "앞 글" });
  const itemNo = await createTestItem(author, BOARD, {
    title: `${MARK} 제목`,
    content: `<p>${MARK} 본문</p><img src="${image.data.url}" alt="">`,
    fileIds: [fileId],
    isSecret: state === "secret",
  });
  const newer = await createTestItem(admin, BOARD, { title: "뒤 글" });
  await callAs(admin, "PUT", `/api/board-item-comment/${BOARD}/${itemNo}`, { content: `${MARK} 댓글` });
  const set = (sql: string) => runSql(`UPDATE board_item SET ${sql} WHERE item_no = ${itemNo}`);
  await callAs(author, "PATCH", `/api/board-item/${BOARD}/${itemNo}`, { category: "", version: 1 });
  await set(
    `show_item_to_main = 1, event_place = '${MARK} 강당', event_start = ${Date.now() + 60_000}, event_end = ${Date.now() + 3_600_000}`,
  );
  await runSql(
    "INSERT INTO item_report (id, item_id, reporter_user_id, reason, created_date) SELECT 'r', id, 'x', 'abuse', 0 FROM board_item WHERE board_code = ? AND item_no = ?",
    BOARD,
    itemNo,
  );
  await runSql(
    "INSERT INTO event (item_id, open_date, close_date, role_codes, questions, created_date, modified_date) SELECT id, 0, 9e12, '[]', '[]', 0, 0 FROM board_item WHERE board_code = ? AND item_no = ?",
    BOARD,
    itemNo,
  );
  if (state === "scheduled") await set(`created_date = ${Date.now() + 86_400_000}`);
  if (state === "binned") await callAs(admin, "DELETE", `/api/board-item/${BOARD}/${itemNo}`);
  if (state === "closed board") await runSql("UPDATE board SET is_closed = 1");
  return { itemNo, older, newer, fileId, imageId: image.data.fileId };
}

async function resourceOf(itemNo: number): Promise<ItemResource> {
  const row = await readRow<Record<string, string & number>>(
    "SELECT i.created_user_id, i.is_secret, i.created_date, i.deleted_date, b.is_closed FROM board_item i JOIN board b USING (board_code) WHERE item_no = ?",
    itemNo,
  );
  if (!row) throw new Error("no item");
  return {
    board: { boardCode: BOARD, isClosed: row.is_closed === 1 },
    createdUserId: String(row.created_user_id),
    isSecret: row.is_secret === 1,
    createdDate: new Date(Number(row.created_date)),
    deletedDate: row.deleted_date === null ? null : new Date(Number(row.deleted_date)),
  };
}

async function people() {
  const own = ["List", "View", "Write", "Comment", "Download"].map((action) => `Board_${BOARD}_${action}`);
  return {
    guest: null,
    member: await createMemberSession(),
    author: await createSessionWith(own),
    manager: await createSessionWith([`Board_${BOARD}_Manage`]),
    administrator: await createAdministratorSession(),
  };
}

const allowedTo = (actor: Actor, action: LeakAction, item: ItemResource): boolean =>
  action === "Board.Manage"
    ? decideAccess(actor, { action, board: item.board }).allowed
    : decideAccess(actor, { action, item, now: new Date() }).allowed;

/** English surfaces show the same items as the Korean ones. */
const koreanOf = (surface: string) => surface.replace("English ", "");

const GUESTS_OWN = new Set(["RSS", "sitemap", "calendar of the board"]);

/** No list, not even a manager's, contains scheduled or deleted items; search engines get no restricted ones. */
function isListed(name: string, state: LeakState): boolean {
  const surface = koreanOf(name);
  if (surface === "sitemap" || surface === "coming events of home") return state === "public";
  const isOfTheSite = surface === "home" || surface === "page of the calendar";
  return state === "public" || state === "secret" || (state === "closed board" && !isOfTheSite);
}

const seen: Record<string, Record<string, Partial<Record<LeakState, string[]>>>> = {};

for (const board of ["guests may read", "members alone may read"] as const) {
  test.each(STATES)(`a board that ${board}, an item that is: %s (${SAMPLE_NOTE})`, async (state) => {
    // An FAQ list contains the texts, so it has the most to leak.
    await runSql("UPDATE board SET use_secret = 1, use_events = 1, board_type = 'faq'");
    if (board === "members alone may read")
      await runSql("UPDATE role SET permissions = '[]' WHERE role_code = 'guest'");
    const english = JSON.stringify({ english: ENGLISH_SITE });
    await runSql("INSERT INTO site_setting (key, value, modified_date) VALUES ('identity', ?, 0)", english);
    const everybody = await people();
    const place = await makePlace(everybody.author, everybody.administrator, state);
    const item = await resourceOf(place.itemNo);
    const given: Record<string, string> = {};
    const expected: Record<string, string> = {};
    const surfaces = [DIRECT, EDITING, GATHERED].flatMap((each) => Object.keys(each));
    const cells = Object.keys(everybody).flatMap((who) => surfaces.map((surface) => ({ who, surface })));
    // Each surface has a reader in each state.
    const asked = new Set(
      sample(
        cells,
        ({ who, surface }) => `${board} ${state} ${who} ${surface}`,
        ({ surface }) => surface,
      ).map(({ who, surface }) => `${surface}, ${who}`),
    );
    for (const [who, session] of Object.entries(everybody)) {
      const { actor } = await scopeAs(session).context();
      const isAsked = ([surface]: [string, unknown]) => asked.has(`${surface}, ${who}`);
      for (const [surface, [action, ask]] of Object.entries(DIRECT).filter(isAsked)) {
        const at = `${surface}, ${who}`;
        given[at] = (await ask(session, place)) === null ? "refused" : "open";
        expected[at] = allowedTo(actor, action, item) ? "open" : "refused";
      }
      const changes = allowedTo(actor, "Item.Change", item) && state !== "binned";
      for (const [surface, ask] of Object.entries(EDITING).filter(isAsked)) {
        given[`${surface}, ${who}`] = (await ask(session, place)) === null ? "refused" : "open";
        expected[`${surface}, ${who}`] = changes ? "open" : "refused";
      }
      for (const [surface, ask] of Object.entries(GATHERED).filter(isAsked)) {
        const at = `${surface}, ${who}`;
        const answer = (await ask(session, place))?.replace(WITHOUT_ECHO, "") ?? "";
        given[at] = answer.includes(MARK) ? "shown" : "not shown";
        // Feeds and the sitemap always use guest rights.
        const reader = GUESTS_OWN.has(koreanOf(surface)) ? (await scopeAs(null).context()).actor : actor;
        expected[at] = allowedTo(reader, "Item.Read", item) && isListed(surface, state) ? "shown" : "not shown";
      }
    }
    for (const [at, answer] of Object.entries(given)) {
      const [surface = "", who = ""] = at.split(/, (?=\w+$)/);
      if (answer === "open" || answer === "shown") (((seen[board] ??= {})[surface] ??= {})[state] ??= []).push(who);
    }
    expect(given, board).toEqual(expected);
  });
}

test("every listed surface is tested", () => {
  const asked = [DIRECT, EDITING, GATHERED].flatMap((each) => Object.keys(each));
  expect(asked.toSorted()).toEqual(Object.keys(LEAK_SURFACES).toSorted());
});

const everybody = ["guest", "member", "author", "manager", "administrator"];
const names = (who: string[] = []) =>
  who.length === everybody.length
    ? "everybody"
    : who.length === 0
      ? "nobody"
      : everybody.filter((each) => who.includes(each)).join(", ");

function published(): string {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const tables = Object.entries(seen).flatMap(([board, surfaces]) => [
    `## A board that ${board}`,
    "",
    row(["surface", "route", ...STATES]),
    row(["---", "---", ...STATES.map(() => "---")]),
    ...Object.entries(LEAK_SURFACES).map(([surface, route]) =>
      row([surface, `\`${route}\``, ...STATES.map((state) => names(surfaces[surface]?.[state]))]),
    ),
    "",
  ]);
  return [...MATRIX_HEADER, ...tables].join("\n");
}
const MATRIX_HEADER = [
  "# Who can see an item, by surface",
  "",
  "Written by `test/api/access/leak-matrix.test.ts` from its results; it fails when this page differs",
  "(`npx vitest run -u --project worker test/api/access/leak-matrix.test.ts` writes it again). Each answer was compared with",
  "`decide()` in `worker/domain/kernel/authorize.server.ts`. `test/calls/leak-surfaces.ts` names the routes and why the others",
  "cannot show an item; a new route fails until it is in one of the lists.",
  "",
  "The item is the author's. The member holds List, View, Write, Comment and Download, the manager Manage of this board",
  "alone. Lists show a secret item as '비밀글입니다.', without its words.",
  "",
];

test.runIf(isFull)("the published table matches the results", async () => {
  expect(Object.keys(seen)).toHaveLength(2);
  await expect(published()).toMatchFileSnapshot("../../leak-matrix.md");
});
