import { test } from "vitest";
import { listItemsQuery } from "#worker/contract/board/input.ts";
import { getHomePage } from "#worker/domain/site/home.server.ts";
import { getBoardListPage } from "#worker/domain/board/list.server.ts";
import { readerStatement } from "#worker/domain/board/reader.server.ts";
import { getBoardViewPage } from "#worker/domain/board/view.server.ts";
import { getSiteFrame } from "#worker/domain/site/site.server.ts";
import { createTestItem } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession } from "../../support/people.ts";
import { expectIndexed, explainRead } from "../../support/query-plans.ts";

test("every statement of the home page uses an index", async () => {
  const { accessToken } = await createMemberSession();
  expectIndexed(await explainRead(accessToken, (scope) => Promise.all([getSiteFrame(scope), getHomePage(scope)])));
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
  expectIndexed(await explainRead(null, (scope) => Promise.all([getSiteFrame(scope), getBoardListPage(scope, query)])));
});

test("the reader lookup of a page uses an index", async () => {
  const { accessToken } = await createMemberSession();
  const place = { listedBoardCode: "notice", boardCode: "notice", itemNo: 1, scopes: ["site"] };
  expectIndexed(
    await explainRead(accessToken, (scope) =>
      scope.read((sub) => [readerStatement(scope.db, { sid: "", sub }, new Date(), place)]),
    ),
  );
});

test("every statement of a view page uses an index", async () => {
  const itemNo = await createTestItem(await createAdministratorSession(), "notice");
  expectIndexed(await explainRead(null, (scope) => getBoardViewPage(scope, { boardCode: "notice", itemNo })));
});
