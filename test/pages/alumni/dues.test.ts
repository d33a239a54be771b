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
