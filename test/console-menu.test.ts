import { expect, test } from "vitest";
import { CONSOLE_AREAS } from "#worker/contract/kernel/console/console-pages.ts";
import { consoleMenuFor } from "#app/features/site/console/console-menu.ts";
import { CONSOLE_RIGHTS } from "#worker/contract/kernel/console/console-page.ts";

const GROUPS = ["회원", "동문주소록", "회비", "메일과 문의", "게시판과 내용", "연구", "사이트", "운영"];
const LOOK = { words: {} };

test("the console's menu is grouped by work", () => {
  const menu = consoleMenuFor(LOOK, { consoleRights: CONSOLE_RIGHTS });
  expect(menu.map(({ label }) => label)).toEqual(["", ...GROUPS]);
  expect(menu[0]?.links).toHaveLength(1);
  expect(menu.filter(({ links }) => links.length > 7)).toEqual([]);
  expect(menu.flatMap(({ links }) => links)).toHaveLength(CONSOLE_AREAS.flatMap(({ pages }) => pages).length);
});

test("a group without an allowed page is left out", () => {
  const labels = consoleMenuFor(LOOK, { consoleRights: [] }).map(({ label }) => label);
  expect(labels).not.toContain("회비");
});

test("the number of waiting work is next to its page", () => {
  const menu = consoleMenuFor(LOOK, { consoleRights: CONSOLE_RIGHTS }, { Members: 3 });
  const waiting = menu.flatMap(({ links }) => links.filter(({ count }) => count > 0));
  expect(waiting).toMatchObject([{ href: "/Admin/Members", count: 3, waits: "승인 대기" }]);
});
