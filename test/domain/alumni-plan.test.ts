import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { TWIN_REASONS } from "#worker/contract/alumni-merge.ts";
import { twinQuery } from "#worker/contract/alumni.ts";
import { listTwins } from "#worker/domain/alumni/duplicate.server.ts";
import { administrator } from "../factories.ts";
import { expectIndexed, plansOf } from "../plans.ts";

test("people who look the same are found by the index of each reason, in its order and without sorting", async () => {
  const { accessToken } = await administrator();
  await env.DB.exec(
    `INSERT INTO alumni (id, name, cohort, graduation_year, affiliation, email, mobile, created_date, modified_date)
      VALUES ('a', '홍길동', 1, 2001, '한빛', 'a@b.kr', '010-0000-0001', 1, 1), ('b', '홍길동', 1, 2001, '한빛', 'a@b.kr', '010-0000-0001', 1, 1)`.replaceAll(
      "\n",
      " ",
    ),
  );
  for (const reason of TWIN_REASONS) {
    const plans = await plansOf(accessToken, async (door) =>
      listTwins(await door.context(), twinQuery.parse({ reason, after: '["가","나"]' })),
    );
    expectIndexed(plans);
    const sorted = plans.filter((detail) => detail.includes("TEMP B-TREE"));
    expect([reason, sorted]).toEqual([reason, []]);
  }
});
