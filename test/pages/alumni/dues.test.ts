import { expect } from "vitest";
import { test } from "../fixtures.ts";

test("figures without dues name no year", async ({ get, db, admin }) => {
  const read = async (path: string) => (await get(path, admin.cookie)).text;
  expect(await read("/Admin/Dues/figures")).not.toContain("년 기수별");
  await db.batch([
    db.prepare(
      "INSERT INTO due_kind (id, name, amount, grades, sort_order) VALUES ('dues-page', '연회비', 50000, '[]', 1)",
    ),
    db.prepare(
      `INSERT INTO due (id, alumni_id, kind_id, period, amount, due_day, work_id, created_date, modified_date)
       SELECT 'dues-page', id, 'dues-page', '2026', 50000, '2026-12-31', '', 1, 1 FROM alumni LIMIT 1`,
    ),
  ]);
  expect(await read("/Admin/Dues/figures")).toContain("2026년 기수별");
  const list = await read("/Admin/Dues/figures?period=2026&kindId=dues-page&at=2026-11-28T08:00");
  expect(/<input[^>]*name="at"[^>]*>/.exec(list)?.[0]).toContain('value="2026-11-28T08:00"');
  expect(await read("/Admin/Dues?period=2026")).toMatch(/<td[^>]*>(?:<[^>]*>[^<]*<[^>]*>)?2026\.12\.31<\/td>/);
});

const withDue = (db: D1Database, dueDay: string) =>
  db.batch([
    db.prepare("DELETE FROM due"),
    db.prepare(
      "INSERT OR IGNORE INTO due_kind (id, name, amount, grades, sort_order) VALUES ('dues-page', '연회비', 50000, '[]', 1)",
    ),
    db
      .prepare(
        `INSERT INTO due (id, alumni_id, kind_id, period, amount, paid, due_day, work_id, created_date, modified_date)
         SELECT 'sum-' || id, id, 'dues-page', '2026', 50000, 20000, ?, '', 1, 1 FROM alumni LIMIT 3`,
      )
      .bind(dueDay),
  ]);

test("the table of dues ends with its sums", async ({ get, db, admin }) => {
  await withDue(db, "");
  const { text } = await get("/Admin/Dues", admin.cookie);
  const last = text.slice(text.lastIndexOf("<tr", text.indexOf("</tbody>")), text.indexOf("</tbody>"));
  expect([last.includes("합계 3건"), last.includes("150,000원"), last.includes("60,000원")]).toEqual([
    true,
    true,
    true,
  ]);
});

test("a table of dues leaves out columns without values", async ({ get, db, admin }) => {
  const heads = async () =>
    (await get("/Admin/Dues", admin.cookie)).text.match(/(?<=<th[^>]*>)납부 기한|면제 사유(?=<\/th>)/g);
  await withDue(db, "");
  expect(await heads()).toBe(null);
  await withDue(db, "2026-12-31");
  expect(await heads()).toEqual(["납부 기한"]);
});

test("the voters of a second are listed in the console", async ({ get, db, admin }) => {
  await withDue(db, "");
  await db.prepare("UPDATE due SET is_exempt = 1, reason = '공로' WHERE id = (SELECT min(id) FROM due)").run();
  const { text } = await get("/Admin/Voters?period=2026&kindId=dues-page&at=2026-11-28T08:00", admin.cookie);
  expect(text).toMatch(/모두 (?:<!-- -->)?1(?:<!-- -->)?명/);
  expect(text).toMatch(/>면제<\/td>/);
});
