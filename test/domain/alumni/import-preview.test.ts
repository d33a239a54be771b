import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { DUPLICATE_REASONS } from "#worker/contract/alumni/duplicate.ts";
import { listAlumniQuery, duplicatesQuery } from "#worker/contract/alumni/input.ts";
import { getAlumniListPage } from "#worker/domain/alumni/list.server.ts";
import { listDuplicates } from "#worker/domain/alumni/duplicate.server.ts";
import { createAdministratorSession } from "../../support/people.ts";
import { expectIndexed, explainRead } from "../../support/query-plans.ts";

test("possible duplicates are found by an index for each reason", async () => {
  const { accessToken } = await createAdministratorSession();
  await env.DB.exec(
    `INSERT INTO alumni (id, name, cohort, graduation_year, affiliation, email, mobile, created_date, modified_date)
      VALUES ('a', '홍길동', 1, 2001, '한빛', 'a@b.kr', '010-0000-0001', 1, 1), ('b', '홍길동', 1, 2001, '한빛', 'a@b.kr', '010-0000-0001', 1, 1)`.replaceAll(
      "\n",
      " ",
    ),
  );
  for (const reason of DUPLICATE_REASONS) {
    const plans = await explainRead(accessToken, async (scope) =>
      listDuplicates(await scope.context(), duplicatesQuery.parse({ reason, after: '["가","나"]' })),
    );
    expectIndexed(plans);
    const sorted = plans.filter((detail) => /TEMP B-TREE FOR (ORDER|GROUP) BY/.test(detail));
    expect([reason, sorted]).toEqual([reason, []]);
  }
});

const withOwnFields = () =>
  env.DB.exec(
    "INSERT INTO alumni_field (code, name, kind, choices, access) VALUES ('own1', '회비', 'number', '[]', 'members'), ('own2', '구분', 'text', '[]', 'members')",
  );

test("sorting by an own field uses its value index", async () => {
  const { accessToken } = await createAdministratorSession();
  await withOwnFields();
  const query = listAlumniQuery.parse({ sort: "own1,DESC", keyword: "한빛", page: "2" });
  const plans = await explainRead(accessToken, (scope) => getAlumniListPage(scope, query));
  expectIndexed(plans);
  expect(plans.some((detail) => detail.startsWith("SEARCH v USING PRIMARY KEY (field=?)"))).toBe(true);
  // The page, its two parts and the saved views; no complete part is sorted.
  expect(plans.filter((detail) => detail.includes("USE TEMP B-TREE FOR ORDER BY")).length).toBeLessThanOrEqual(3);
});

test.each([
  ["", true],
  ["sort=cohort,DESC&page=900", true],
  ["sort=graduationYear,ASC", true],
  ["sort=affiliation,DESC", true],
  ["keyword=ㅎㄱㄷ", false],
  ["keyword=한", false],
  ["affiliation=한빛", true],
  ["cohort=3", true],
  ["cohort=3&graduationYear=2004&keyword=내과&sort=position,ASC", false],
  ["sort=position,DESC", false],
  ["sort=modifiedDate,DESC", false],
  ["keyword=한빛&sort=major,ASC", false],
  ["f_own1=between:5,9", true],
  ["f_own1=in:정회원&f_own2=has:면", true],
  ["f_own1=empty", true],
])("the list (%s) reads whole rows only for the people it shows", async (search, isInOrder) => {
  const { accessToken } = await createAdministratorSession();
  await withOwnFields();
  const query = listAlumniQuery.parse(Object.fromEntries(new URLSearchParams(search)));
  const plans = await explainRead(accessToken, (scope) => getAlumniListPage(scope, query));
  expectIndexed(plans);
  // The index condition excludes deleted rows, so the scan reads no table row.
  const scans = plans.filter((detail) => /^SCAN alumni\b/.test(detail));
  expect(
    scans.filter((detail) => !/USING (COVERING )?INDEX alumni_(name|cohort|year|affiliation|search)/.test(detail)),
  ).toEqual([]);
  // Outer sorts cover only the page; the inner one needs an order without index. Saved views add one.
  const sorts = plans.filter((detail) => detail.includes("USE TEMP B-TREE FOR ORDER BY"));
  expect(sorts.length).toBeLessThanOrEqual(isInOrder ? 2 : 3);
});
