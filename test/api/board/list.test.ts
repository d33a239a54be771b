import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { UNCOUNTED_MESSAGE } from "#worker/contract/kernel/limits.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { createTestItem } from "../../support/factories.ts";
import { createAdministratorSession, type TestSession } from "../../support/people.ts";
import { callApiWith } from "../../support/faulty-database.ts";
import { countRowsReadDatabase } from "../../support/rows-read.ts";
import { requirePresent } from "../../support/require-present.ts";
import { runSql } from "../../support/test-database.ts";

const HOUR_MS = 3_600_000;

/** Inserts rows directly, `apartMs` from each other, the newest an hour ago; triggers count them. */
async function fill(count: number, apartMs: number, boardCode = "notice"): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO board_item (board_code, item_no, title, content, category, created_user_id, created_user_name, created_date, modified_date, show_item_to_main)
       SELECT ?1, value, '글 ' || value, '<p>본문</p>', CASE value % 5 WHEN 0 THEN '행사' ELSE '공지' END, 'x', '편집부', ?2 - (?3 - value) * ?4, ?2, value % 10 = 0
       FROM json_each(?5)`,
    ).bind(
      boardCode,
      Date.now() - HOUR_MS,
      count,
      apartMs,
      JSON.stringify(Array.from({ length: count }, (_, at) => at + 1)),
    ),
    env.DB.prepare("UPDATE board SET last_item_no = ?1 WHERE board_code = ?2").bind(count, boardCode),
  ]);
}

const list = async (query: string, session?: TestSession) =>
  (await callAs(session, "GET", `/api/board-item?boardCode=notice&${query}`)).data;
const numbers = async (query: string) => (await list(query)).content.map((row: { itemNo: number }) => row.itemNo);
const range = (from: number, to: number) =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => from + at * Math.sign(to - from));

async function rowsRead(path: string): Promise<number> {
  const { DB, rows } = countRowsReadDatabase(env.DB);
  await callApiWith({ DB }, "GET", path);
  return rows();
}

test("the pages of a long board are contiguous in both directions", async () => {
  await fill(1500, 40 * 60_000);
  for (const field of ["createdDate", "itemNo"]) {
    expect(await numbers(`size=100&page=1&sort=${field},DESC`), JSON.stringify(field)).toEqual(range(1500, 1401));
    expect(await numbers(`size=100&page=9&sort=${field},DESC`), JSON.stringify(field)).toEqual(range(700, 601));
    expect(await numbers(`size=100&page=15&sort=${field},DESC`), JSON.stringify(field)).toEqual(range(100, 1));
    expect(await numbers(`size=100&page=8&sort=${field},ASC`), JSON.stringify(field)).toEqual(range(701, 800));
    expect(await numbers(`size=10&page=77&sort=${field},ASC`), JSON.stringify(field)).toEqual(range(761, 770));
    expect(await numbers(`size=100&page=16&sort=${field},DESC`), JSON.stringify(field)).toEqual([]);
  }
  expect(await numbers("size=10&page=90&sort=viewCount,DESC")).toHaveLength(10);
  expect(await numbers("size=10&page=90&sort=title,ASC")).toHaveLength(10);
});

test("pinned, scheduled or deleted items do not shift deep pages", async () => {
  await fill(1000, 20_000);
  const admin = await createAdministratorSession();
  const pin = (itemNo: number) => runSql("UPDATE board_item SET is_pinned = 1 WHERE item_no = ?", itemNo);
  await pin(900);
  await pin(300);
  await createTestItem(admin, "notice", { title: "예약", publishDate: new Date(Date.now() + HOUR_MS).toISOString() });
  await callAs(admin, "DELETE", "/api/board-item/notice/950");
  const expected = range(1000, 1).filter((itemNo) => ![950, 900, 300].includes(itemNo));
  const first = await list("size=10&page=1");
  expect(first.totalElements).toBe(997);
  expect(first.pinned.map((row: { itemNo: number }) => row.itemNo)).toEqual([900, 300]);
  for (const page of [1, 30, 31, 32, 33, 50, 70, 71, 100]) {
    expect(await numbers(`size=10&page=${page}`), `page ${page}`).toEqual(expected.slice((page - 1) * 10, page * 10));
  }
});

test("every kind of list uses counters for totals", async () => {
  await fill(4000, 60_000);
  const category = encodeURIComponent("행사");
  expect(await list(`category=${category}&size=10`)).toMatchObject({ totalElements: 800, totalPages: 80 });
  expect(await numbers(`category=${category}&size=10&page=60`)).toEqual(
    range(1, 800)
      .map((at) => at * 5)
      .toReversed()
      .slice(590, 600),
  );
  expect((await list("showItemToMain=true&size=10")).totalElements).toBe(400);
  expect(await numbers("showItemToMain=true&size=10&page=40")).toEqual([100, 90, 80, 70, 60, 50, 40, 30, 20, 10]);
});

test("a deep page of 20,000 items reads a few hundred rows", { tags: "full" }, async () => {
  for (const [boardCode, apartMs] of [
    ["notice", 4 * HOUR_MS],
    ["reference", 50],
  ] as const) {
    await fill(20_000, apartMs, boardCode);
    for (const sort of ["createdDate,DESC", "createdDate,ASC", "itemNo,DESC"]) {
      const path = `/api/board-item?boardCode=${boardCode}&size=10&sort=${sort}`;
      expect(await rowsRead(`${path}&page=1000`), `${boardCode} ${sort}`).toBeLessThan(1000);
      expect(await rowsRead(`${path}&page=1`), `${boardCode} ${sort}`).toBeLessThan(100);
    }
  }
});

test("a first page reads few of 20,000 rows in every order", { tags: "full" }, async () => {
  await fill(20_000, 60_000);
  for (const field of ["createdDate", "viewCount", "title", "itemNo"]) {
    for (const direction of ["ASC", "DESC"]) {
      const path = `/api/board-item?boardCode=notice&size=20&sort=${field},${direction}`;
      expect(await rowsRead(path), `${field},${direction}`).toBeLessThan(120);
    }
  }
  expect(await rowsRead("/api/board-item?boardCode=notice&size=6&showItemToMain=true")).toBeLessThan(120);
  expect(await rowsRead(`/api/board-item?boardCode=notice&category=${encodeURIComponent("행사")}`)).toBeLessThan(120);
  expect(await rowsRead("/api/board-item/notice/12345")).toBeLessThan(60);
});

test("a rare category reads only its own rows, in every order", { tags: "full" }, async () => {
  await fill(5000, 60_000);
  await runSql("UPDATE board_item SET category = '모집' WHERE item_no IN (7, 70, 700)");
  for (const field of ["createdDate", "viewCount", "title", "itemNo"]) {
    for (const direction of ["ASC", "DESC"]) {
      const path = `/api/board-item?boardCode=notice&category=${encodeURIComponent("모집")}&sort=${field},${direction}`;
      expect(await rowsRead(path), `${field},${direction}`).toBeLessThan(60);
    }
  }
  await runSql("UPDATE board_item SET show_item_to_main = item_no < 5");
  for (const sort of ["viewCount,DESC", "title,ASC", "itemNo,ASC"])
    expect(await rowsRead(`/api/board-item?boardCode=notice&showItemToMain=true&sort=${sort}`), sort).toBeLessThan(60);
});

test("a list by views or title has 1,000 numbered rows", async () => {
  await fill(5000, 60_000);
  for (const sort of ["viewCount,DESC", "title,ASC"]) {
    const query = `boardCode=notice&size=20&sort=${sort}`;
    expect(await list(`size=20&sort=${sort}`), sort).toMatchObject({ totalElements: 5000, totalPages: 250 });
    expect(await numbers(`size=20&sort=${sort}&page=50`), sort).toHaveLength(20);
    expect(await rowsRead(`/api/board-item?${query}&page=50`), sort).toBeLessThan(1100);
    for (const beyond of [`${query}&page=51`, `boardCode=notice&sort=${sort}&page=200`]) {
      const refused = await callJson("GET", `/api/board-item?${beyond}`);
      expect([refused.status, refused.fields.page], JSON.stringify(beyond)).toEqual([400, UNCOUNTED_MESSAGE]);
      expect(await rowsRead(`/api/board-item?${beyond}`), beyond).toBeLessThan(60);
    }
  }
  expect((await list("size=20&sort=itemNo,DESC")).totalPages).toBe(250);
});

interface Listed {
  itemNo: number;
  viewCount: number;
}
const placeOf = (row: Listed | undefined, side = "after") => `${side}-${row?.itemNo}-${row?.viewCount}`;

/** Reads an order from its first page to its end, from each last row on. */
async function walk(query: string, between?: (rows: Listed[]) => Promise<void>): Promise<Listed[][]> {
  const pages = [(await list(query)).content as Listed[]];
  while (pages.at(-1)?.length && pages.length < 100) {
    await between?.(requirePresent(pages.at(-1)));
    pages.push((await list(`${query}&page=${pages.length + 1}&seek=${placeOf(pages.at(-1)?.at(-1))}`)).content);
  }
  return pages.slice(0, -1);
}

test("every order with ties shows each item once", { tags: "full" }, async () => {
  await fill(2500, 60_000);
  await runSql("UPDATE board_item SET view_count = item_no % 7, title = '글 ' || (item_no % 3)");
  await runSql("UPDATE board_item SET is_pinned = 1 WHERE item_no = 901");
  await runSql("UPDATE board_item SET deleted_date = 1 WHERE item_no = 950");
  await runSql("UPDATE board_item SET created_date = ? WHERE item_no = 960", Date.now() + HOUR_MS);
  const shown = range(1, 2500).filter((itemNo) => ![901, 950, 960].includes(itemNo));
  for (const sort of ["viewCount,DESC", "viewCount,ASC", "title,DESC", "title,ASC", "itemNo,ASC", "createdDate,DESC"]) {
    const [field, direction] = sort.split(",");
    const keyOf = (itemNo: number) => ({ viewCount: itemNo % 7, title: itemNo % 3 })[field ?? ""] ?? 0;
    const expected = shown.toSorted((a, b) => (keyOf(a) - keyOf(b) || a - b) * (direction === "DESC" ? -1 : 1));
    const pages = await walk(`size=100&sort=${sort}`);
    expect(
      pages.flat().map((row) => row.itemNo),
      sort,
    ).toEqual(expected);
    const before = `size=100&sort=${sort}&page=24&seek=${placeOf(pages[24]?.[0], "before")}`;
    expect(await numbers(before), sort).toEqual(pages[23]?.map((row) => row.itemNo));
    const category = `category=${encodeURIComponent("행사")}&size=100&sort=${sort}`;
    expect(
      (await walk(category)).flat().map((row) => row.itemNo),
      sort,
    ).toEqual(expected.filter((itemNo) => itemNo % 5 === 0));
    expect(
      (await walk(`showItemToMain=true&${category}`)).flat().map((row) => row.itemNo),
      sort,
    ).toEqual(expected.filter((itemNo) => itemNo % 10 === 0));
  }
});

test("a walk by views ends though each item is viewed meanwhile", async () => {
  await fill(1500, 60_000);
  await runSql("UPDATE board_item SET view_count = item_no % 50");
  const pages = await walk("size=100&sort=viewCount,DESC", async (rows) => {
    await runSql(
      "UPDATE board_item SET view_count = view_count + 30 WHERE item_no IN (SELECT value FROM json_each(?))",
      JSON.stringify(rows.map((row) => row.itemNo)),
    );
    await runSql("DELETE FROM board_item WHERE item_no = ?", rows.at(-1)?.itemNo ?? 0);
  });
  expect(
    pages
      .flat()
      .map((row) => row.itemNo)
      .toSorted((a, b) => a - b),
  ).toEqual(range(1, 1500));
});

test("a later page by views reads as few rows as the first", { tags: "full" }, async () => {
  await fill(20_000, 60_000);
  await runSql("UPDATE board_item SET view_count = item_no % 70");
  for (const sort of ["viewCount,DESC", "viewCount,ASC", "title,ASC"])
    for (const category of ["", `&category=${encodeURIComponent("행사")}`])
      for (const side of ["after", "before"]) {
        const path = `/api/board-item?boardCode=notice&sort=${sort}${category}&page=400&seek=${side}-10000-35`;
        expect(await rowsRead(`${path}&size=20`), path).toBeLessThan(120);
      }
});

test("a place names a listed row only", async () => {
  await fill(100, 60_000);
  await runSql("UPDATE board_item SET deleted_date = 1 WHERE item_no = 50");
  expect(await numbers("sort=title,ASC&page=2&seek=after-50-0")).toEqual([]);
  expect(await numbers("sort=title,ASC&page=2&size=1&seek=after-51-0")).toEqual([52]);
  const refused = await callJson("GET", "/api/board-item?boardCode=notice&seek=after-1");
  expect([refused.status, Object.keys(refused.fields)]).toEqual([400, ["seek"]]);
});

test("the counters follow every change of an item", async () => {
  await fill(50, 1000);
  const total = async () => (await list("")).totalElements;
  await runSql("UPDATE board_item SET deleted_date = 1 WHERE item_no <= 20");
  expect(await total()).toBe(30);
  await runSql("UPDATE board_item SET deleted_date = NULL WHERE item_no <= 5");
  expect(await total()).toBe(35);
  await runSql("UPDATE board_item SET board_code = 'reference' WHERE item_no > 40");
  expect(await total()).toBe(25);
  await runSql("DELETE FROM board_item WHERE board_code = 'notice'");
  expect(await total()).toBe(0);
  const { results } = await env.DB.prepare(
    "SELECT scope, level, sum(count) AS count FROM board_item_count WHERE board_code = 'reference' GROUP BY scope, level",
  ).all<{ scope: string; count: number }>();
  const sums = (scope: string) => results.filter((row) => row.scope === scope).map((row) => row.count);
  expect(sums("")).toEqual([10, 10, 10, 10]);
  expect(sums("no")).toEqual([10, 10]);
  expect(sums("c:행사")).toEqual([2, 2, 2, 2]);
});
