import { expect } from "vitest";
import { type SignedInPerson, test as pageTest } from "../fixtures.ts";

const PATH = "/board/notice/View/60";
const QUESTION = { code: "meal", name: "점심 도시락", inputType: "text", detail: [], required: false };

const test = pageTest
  .extend("opened", { scope: "file" }, async ({ db }) => {
    const sql = `INSERT OR REPLACE INTO event (item_id, open_date, close_date, places, use_waiting, role_codes, questions, created_date, modified_date)
      SELECT id, 1, 9000000000000, 2, 1, '[]', ?, 1, 1 FROM board_item WHERE board_code = 'notice' AND item_no = 60`;
    await db
      .prepare(sql)
      .bind(JSON.stringify([QUESTION]))
      .run();
  })
  .extend("register", ({ site, db, opened: _opened }) => async (person: SignedInPerson) => {
    await db.prepare("DELETE FROM event_registration").run();
    const answer = await fetch(`${site.url}/api/event/notice/60`, {
      method: "POST",
      headers: { ...person.bearer, "Idempotency-Key": crypto.randomUUID() },
      body: JSON.stringify({ answers: { meal: "현미밥" }, questionsVersion: 1 }),
    });
    expect(answer.status).toBe(200);
  })
  .extend("stranger", { scope: "file" }, ({ signIn }) => signIn("member02", "Member!2345"));

test("a kept page says how many places are free", async ({ get, member, register, db, opened: _opened }) => {
  await db.prepare("DELETE FROM event_registration").run();
  expect((await get(PATH)).text).toContain("남은 자리 2/2");
  await expect.poll(async () => (await get(PATH)).headers.get("Cache-Status")).toBe("pages; hit");
  await register(member);
  expect((await get(PATH)).text).toContain("남은 자리 1/2");
});

test("only the registered member gets a page with the registration", async ({ get, member, stranger, register }) => {
  await register(member);
  for (let round = 0; round < 3; round += 1) {
    expect((await get(PATH, member.cookie)).text).toContain("신청 확인·취소");
    for (const other of [stranger.cookie, {}]) expect((await get(PATH, other)).text).not.toContain("신청 확인·취소");
  }
});

test("the page of a registration shows nobody else's answers", async ({ get, member, stranger, register }) => {
  await register(member);
  const page = "/Board/notice/Register/60";
  expect((await get(page, member.cookie)).text).toContain("현미밥");
  for (const other of [stranger.cookie, {}]) {
    const { status, text } = await get(page, other);
    expect([status, text.includes("현미밥")]).toEqual([200, false]);
  }
});

const SURFACES = [
  PATH,
  `/en${PATH}`,
  "/Board/notice/Register/60",
  "/board/notice/List/",
  "/",
  "/calendar",
  "/board/notice/View/60.data",
  "/Board/notice/Register/60.data",
  "/en/Board/notice/Register/60.data",
  "/calendar.data",
  "/search.data?keyword=심포지엄",
  "/board/notice/rss.xml",
  "/board/notice/calendar.ics",
];

test("answers or fees leave on no page, data, search or feed", async ({ get, member, stranger, register, db }) => {
  await register(member);
  await db.batch([
    db.prepare("UPDATE event_registration SET fee_code = 'f1', fee = 71357"),
    db.prepare(
      `INSERT INTO due (id, alumni_id, kind_id, period, amount, paid, work_id, name, created_date, modified_date)
        SELECT id, id, id, '2026-행사1', 71357, 0, '', '홍길동', 1, 1 FROM event_registration`,
    ),
  ]);
  expect((await get("/Board/notice/Register/60", member.cookie)).text).toContain("71,357");
  const leaks = [];
  for (const path of SURFACES)
    for (const cookie of [stranger.cookie, {}]) {
      const { text } = await get(path, cookie);
      if (/71,?357|현미밥/.test(text)) leaks.push(path);
    }
  expect(leaks).toEqual([]);
  expect((await get("/search.data?keyword=현미밥", stranger.cookie)).text).not.toContain("동계 심포지엄");
  await db.prepare("DELETE FROM due WHERE amount = 71357").run();
});

test("a guest's page links to the sign-in that returns to the registration", async ({ get, opened: _opened }) => {
  expect((await get(PATH)).text).toContain("returnUrl=%2FBoard%2Fnotice%2FRegister%2F60");
});

test("the English pages show the registration in English", async ({ get, member, register, db, opened: _opened }) => {
  await db.prepare("DELETE FROM event_registration").run();
  const { text } = await get(`/en${PATH}`, member.cookie);
  expect(text).toContain("Free places: 2 of 2");
  expect(text).toContain("/en/Board/notice/Register/60");
  await register(member);
  const page = await get("/en/Board/notice/Register/60", member.cookie);
  expect(page.text).toContain("Your registration");
  expect(page.text).not.toContain("내 신청");
});

test("the close of the registration replaces the deadline of the item", async ({
  get,
  member,
  db,
  opened: _opened,
}) => {
  await db.prepare("UPDATE board_item SET event_deadline = 1 WHERE board_code = 'notice' AND item_no = 60").run();
  expect((await get(PATH, member.cookie)).text).not.toContain("신청 마감");
  await db.prepare("DELETE FROM event").run();
  expect((await get(PATH, member.cookie)).text).toContain("신청 마감");
});

test("the office sees a link to open registration where none is", async ({ get, admin, member, db }) => {
  await db.batch([db.prepare("DELETE FROM event_registration"), db.prepare("DELETE FROM event")]);
  expect((await get(PATH, admin.cookie)).text).toContain("/Admin/Events/notice/60/setting");
  expect((await get(PATH, member.cookie)).text).not.toContain("/Admin/Events");
});
