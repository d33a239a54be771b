import { expect } from "vitest";
import { pageScopes } from "#worker/edge/shared-page.ts";
import { type SignedInPerson, test as pageTest } from "../fixtures.ts";
import { watchLog } from "../../support/expected-log.ts";

/** One of each kind that guests or members are kept. */
const PATHS = [
  "/",
  "/_.data",
  "/en",
  "/board/notice/List/",
  "/board/notice/List.data",
  "/board/notice/List/?sort=viewCount,DESC",
  "/board/notice/View/60",
  "/board/notice/View/60.data",
  "/board/free/List/",
  "/board/free/View/1",
  "/board/reference/List/?page=2",
  "/en/board/notice/List/",
  "/board/notice/rss.xml",
  "/board/notice/calendar.ics",
  "/calendar",
  "/en/calendar",
  "/pid/about",
  "/en/pid/about",
  "/pid/center",
  "/pid/center/seoul",
  "/pid/residence",
  "/registry",
  "/research/rules",
  "/terms",
  "/privacy",
  "/tos/content/termscontent",
  "/sitemap",
  "/sitemap.xml",
  "/sitemap/pages.xml",
  "/sitemap/notice-1.xml",
  "/robots.txt",
];
const SOME_PATHS = [
  "/",
  "/board/notice/List/",
  "/board/notice/View/60.data",
  "/board/free/View/1",
  "/pid/about",
  "/sitemap.xml",
];
/** Nobody whose looking counts as a view. */
const UNCOUNTED = { "User-Agent": "Googlebot/2.1" };
/** Without what is another in every answer. */
const blank = (text: string) => text.replaceAll(/nonce="[0-9a-f]{32}"|"[0-9a-f]{32}"/g, "");

/** Tables of who asks and what is theirs: in the key of a member's page, in its places, or it is not kept. */
const OF_WHO_ASKS = ["session", "user", "role_grant", "second_factor", "notice_choice", "activity"];
/** Told of to who manages the board, whose pages are rendered for them alone. */
const OF_MANAGERS = ["item_report"];
/** Its rows change with those of `board_item`, by triggers. */
const OF_ITEMS = ["board_item_count"];
/** Read along, and shown on no kept page. */
const OF_NO_PAGE = ["page_stamp", "alumni_field"];

const test = pageTest
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads what a fixture needs
  .extend("siteOptions", { scope: "file" }, async ({}) => ({ onLog: watchLog }))
  .extend("look", { scope: "file" }, ({ site }) => async (path: string, headers: Record<string, string>) => {
    const answer = await fetch(site.url + path, { headers: { ...UNCOUNTED, ...headers }, redirect: "manual" });
    return { status: answer.status, text: blank(await answer.text()), headers: answer.headers };
  })
  .extend("stamps", { scope: "file" }, ({ db }) => async () => {
    const { results } = await db.prepare("SELECT scope, stamp FROM page_stamp").all<{ scope: string; stamp: string }>();
    return JSON.stringify(results);
  })
  .extend("reader", { scope: "file" }, async ({ db, signIn }) => {
    // A name that stands in no item: the router's data writes a text once, wherever it is shown.
    const owner = "(SELECT user_id FROM user_key WHERE user_key_code = 'member02')";
    await db.exec(`UPDATE user SET user_name = '회원2' WHERE id = ${owner}`);
    return signIn("member02", "Member!2345");
  })
  /** Pages that differ from a rendering of now. */
  .extend("differences", { scope: "file" }, ({ look, reader }) => async (paths: readonly string[] = PATHS) => {
    const found: string[] = [];
    for (const path of paths) {
      // A session that is none is a guest's, and its page is not kept; nor is one that is asked for with what nothing reads.
      const asked = `${path}${path.includes("?") ? "&" : "?"}alone=1`;
      const guest = [await look(path, {}), await look(path, { Cookie: "accessToken=none" })];
      const own = [await look(path, reader.cookie), await look(asked, reader.cookie)];
      // The way back to Korean keeps what an English home page is asked with.
      for (const [who, [kept, fresh]] of Object.entries(path === "/en" ? { guest } : { guest, member: own })) {
        const plain = fresh?.text.replaceAll(/(?:\?|&|&amp;|\\u0026)alone=1/g, "").replaceAll('"/en/"', '"/en"');
        if (kept?.status !== fresh?.status || kept?.text !== plain) found.push(`${who} ${path}`);
      }
    }
    return found;
  });

test("each table that a kept page reads has triggers that empty a stamp of what the page shows", async ({
  db,
  look,
  reader,
}) => {
  const { results } = await db
    .prepare("SELECT DISTINCT tbl_name AS name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'page_stamp_%'")
    .all<{ name: string }>();
  const told = results.map(({ name }) => name);
  const known = [...told, ...OF_WHO_ASKS, ...OF_MANAGERS, ...OF_ITEMS, ...OF_NO_PAGE];
  const { results: all } = await db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all<{ name: string }>();
  const tables = new Set(all.map(({ name }) => name));
  let read = 0;
  for (const path of PATHS)
    for (const cookie of [{ Cookie: "accessToken=none" }, {}, reader.cookie]) {
      const { status, headers } = await look(path, { ...cookie, "X-Tell-Tables": "1" });
      const names = (headers.get("X-Tables") ?? "").split(",").filter((name) => tables.has(name));
      read += names.length;
      expect([path, names.filter((name) => !known.includes(name))]).toEqual([path, []]);
      const scopes = pageScopes(new URL(path, "http://localhost"));
      const isTold = (name: string) =>
        name === "board_item"
          ? scopes.length > 1
          : name !== "board_item_comment" || scopes.some((each) => each.startsWith("board:"));
      // What says who asks reads items and comments of theirs, too.
      const isGuest = cookie !== reader.cookie;
      expect([path, isGuest && status === 200 ? names.filter((name) => !isTold(name)) : []]).toEqual([path, []]);
    }
  expect(read).toBeGreaterThan(300);
});

const ITEM = { title: "방금 쓴 글", content: "<p>본문</p>", showItemToMain: true, fileIds: [] };
type Send = (
  method: string,
  path: string,
  body?: unknown,
  person?: SignedInPerson,
) => Promise<{ status: number; data: { itemNo: number; commentId: string; id: string } }>;

test("after each act on items and comments, and after the jobs, every kept page equals one rendered now", async ({
  db,
  site,
  admin,
  member,
  reader,
  stamps,
  differences,
}) => {
  const send: Send = async (method, path, body, person = admin) => {
    const init = method === "DELETE" && body === undefined ? {} : { body: JSON.stringify(body ?? {}) };
    const answer = await fetch(site.url + path, { method, headers: person.bearer, ...init });
    const json = (await answer.json().catch(() => ({}))) as { data?: never };
    return { status: answer.status, data: json.data ?? ({} as never) };
  };
  const done: string[] = [];
  let before = await stamps();
  let unseen: string[] = [];
  /** At once on some pages where a stamp tells of a change; what none tells of would be found with the next ones, too. */
  const compare = async (name: string, isLast = false) => {
    unseen.push(name);
    const isFull = unseen.length >= 25 || isLast;
    if ((await stamps()) === before && !isFull) return;
    expect([unseen, await differences(isFull ? PATHS : SOME_PATHS)]).toEqual([unseen, []]);
    if (isFull) unseen = [];
    before = await stamps();
  };
  const act = async (name: string, path: string, body?: unknown, person = admin) => {
    const { status, data } = await send(name.split(" ")[0] ?? "", path, body, person);
    expect([name, status]).toEqual([name, 200]);
    done.push(name);
    await compare(name);
    return data;
  };
  expect(await differences()).toEqual([]);
  before = await stamps();

  for (const [boardCode, writer] of [
    ["notice", admin],
    ["free", member],
  ] as const) {
    const text = { ...ITEM, showItemToMain: writer === admin };
    const { itemNo } = await act("PUT /api/board-item/:boardCode", `/api/board-item/${boardCode}`, text, writer);
    const item = `/api/board-item/${boardCode}/${itemNo}`;
    await act("PATCH /api/board-item/:boardCode/:itemNo", item, { ...text, title: "고친 글", version: 1 }, writer);
    await act(
      "POST /api/board-item/:boardCode/:itemNo/revision/:revision/restore",
      `${item}/revision/1/restore`,
      { version: 2 },
      writer,
    );
    const comments = `/api/board-item-comment/${boardCode}/${boardCode === "notice" ? 60 : 1}`;
    const { commentId } = await act(
      "PUT /api/board-item-comment/:boardCode/:itemNo",
      comments,
      { content: "댓글" },
      member,
    );
    await act(
      "PATCH /api/board-item-comment/:boardCode/:itemNo/:commentId",
      `${comments}/${commentId}`,
      { content: "고친 댓글", version: 1 },
      member,
    );
    await act(
      "PUT /api/board-item-report/:boardCode/:itemNo",
      `/api/board-item-report/${boardCode}/${itemNo}`,
      { reason: "abuse" },
      reader,
    );
    await act("POST /api/board-item-report/:boardCode/:itemNo", `/api/board-item-report/${boardCode}/${itemNo}`, {
      decision: "hide",
    });
    await act(
      "DELETE /api/board-item-comment/:boardCode/:itemNo/:commentId",
      `${comments}/${commentId}`,
      undefined,
      member,
    );
    await act("POST /api/board-item/:boardCode/bulk", `/api/board-item/${boardCode}/bulk`, {
      action: "move",
      itemNos: [2],
      toBoardCode: "reference",
    });
    await act("DELETE /api/board-item/:boardCode/:itemNo", `/api/board-item/${boardCode}/3`);
    await act("POST /api/board-item/:boardCode/:itemNo/restore", `/api/board-item/${boardCode}/3/restore`);
    await act("POST /api/board-item/:boardCode/bulk", `/api/board-item/${boardCode}/bulk`, {
      action: "delete",
      itemNos: [4, 5],
    });
    await act("DELETE /api/board-item/bin/:boardCode", `/api/board-item/bin/${boardCode}`, { itemNos: [4] }).catch(
      () => undefined,
    );
  }

  for (const job of ["*/10 * * * *", "* * * * *"]) {
    await db.batch([
      db.prepare("UPDATE agreement SET is_announced = 1, effective_date = 1 WHERE code = 'terms' AND is_current = 0"),
      db.prepare("UPDATE board_item SET deleted_date = 1 WHERE board_code = 'reference' AND item_no = 3"),
    ]);
    const worker = (await site.mf.getWorker()) as unknown as { scheduled(options: { cron: string }): Promise<unknown> };
    await worker.scheduled({ cron: job });
    await compare(`job ${job}`);
  }
  await compare("the last", true);
  expect(done).toHaveLength(26);
}, 300_000);
