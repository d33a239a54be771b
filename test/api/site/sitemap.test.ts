import { expect, test } from "vitest";
import { readSitemapPartName, sitemapPartName } from "#worker/contract/site/rules.ts";
import { listSitemapItems, listSitemapParts, SITEMAP_PART_NUMBERS } from "#worker/domain/site/sitemap.server.ts";
import { createTestItem } from "../../support/factories.ts";
import { createAdministratorSession } from "../../support/people.ts";
import { explainRead, findFullScans } from "../../support/query-plans.ts";
import { scopeFor } from "../../support/request-scope.ts";
import { measureRead } from "../../support/measured-read.ts";
import { runSql } from "../../support/test-database.ts";

async function createNumberedItems(numbers: readonly number[], more: number): Promise<void> {
  const session = await createAdministratorSession();
  for (const itemNo of numbers) {
    const made = await createTestItem(session, "notice");
    await runSql("UPDATE board_item SET item_no = ? WHERE board_code = 'notice' AND item_no = ?", itemNo, made);
  }
  await runSql(
    `INSERT INTO board_item (board_code, item_no, title, content, created_user_id, created_user_name, created_date, modified_date)
     SELECT 'notice', value, 'a', 'b', 'x', 'x', 0, 0 FROM json_each(?)`,
    JSON.stringify(Array.from({ length: more }, (_, at) => 2 * SITEMAP_PART_NUMBERS + 1 + at)),
  );
  await runSql("UPDATE board SET last_item_no = ? WHERE board_code = 'notice'", 2 * SITEMAP_PART_NUMBERS + more);
}

const pathsOf = async (part: number) =>
  (await listSitemapItems(scopeFor(null), { boardCode: "notice", part })).map(({ path }) => path);

test("the sitemap lists each item in the part of its number", async () => {
  const end = SITEMAP_PART_NUMBERS;
  await createNumberedItems([1, end, end + 1, 2 * end], 0);
  expect(await listSitemapParts(scopeFor(null))).toEqual(["pages.xml", "notice-2.xml", "notice-1.xml"]);
  expect(await pathsOf(1)).toEqual([`/board/notice/View/${end}`, "/board/notice/View/1"]);
  expect(await pathsOf(2)).toEqual([`/board/notice/View/${2 * end}`, `/board/notice/View/${end + 1}`]);
  await expect(pathsOf(3)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("the rows that a part reads do not grow with the board", async () => {
  await createNumberedItems([1], 1200);
  const rowsOf = async (part: number) =>
    (await measureRead(null, (scope) => listSitemapItems(scope, { boardCode: "notice", part }))).rows;
  expect(await rowsOf(1)).toBeLessThan(20);
  expect(await rowsOf(3)).toBeLessThan(SITEMAP_PART_NUMBERS + 20);
  const plans = await explainRead(null, (scope) => listSitemapItems(scope, { boardCode: "notice", part: 1 }));
  expect(findFullScans(plans)).toEqual([]);
  expect(plans.join("\n")).toContain("board_item USING INDEX board_item_no (board_code=? AND item_no>? AND item_no<?)");
});

test("a sitemap part with an invalid name is refused", () => {
  const part = { boardCode: "case-2", part: 12 };
  expect(readSitemapPartName(sitemapPartName(part))).toEqual(part);
  for (const name of ["pages.xml", "notice-0.xml", "notice-.xml", "-1.xml", "notice-1", "NOTICE-1.xml"])
    expect(readSitemapPartName(name), name).toBeNull();
});
