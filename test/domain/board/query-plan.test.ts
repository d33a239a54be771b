import { test } from "vitest";
import { listItemsQuery } from "#worker/contract/board/input.ts";
import { homePage } from "#worker/domain/site/home-boards.server.ts";
import { boardListPage } from "#worker/domain/board/list.server.ts";
import { boardViewPage } from "#worker/domain/board/view.server.ts";
import { siteFrame } from "#worker/domain/site/site.server.ts";
import { administrator, createItem, member } from "../../factories.ts";
import { expectIndexed, plansOf } from "../../plans.ts";

test("every statement of the home page finds its rows by an index", async () => {
  const { accessToken } = await member();
  expectIndexed(await plansOf(accessToken, (door) => Promise.all([siteFrame(door), homePage(door)])));
});

test.each([
  "",
  "&sort=viewCount,ASC",
  "&sort=title,DESC",
  "&sort=itemNo,ASC",
  "&category=공지",
  "&showItemToMain=true",
])("every statement of a list (%s) finds its rows by an index", async (choice) => {
  const query = listItemsQuery.parse(Object.fromEntries(new URLSearchParams(`boardCode=notice${choice}`)));
  expectIndexed(await plansOf(null, (door) => Promise.all([siteFrame(door), boardListPage(door, query)])));
});

test("every statement of a view finds its rows by an index", async () => {
  const itemNo = await createItem(await administrator(), "notice");
  expectIndexed(await plansOf(null, (door) => boardViewPage(door, { boardCode: "notice", itemNo })));
});
