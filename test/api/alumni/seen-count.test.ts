import { expect, test } from "vitest";
import { callAs } from "../../support/api-client.ts";
import { createAdministratorSession } from "../../support/people.ts";
import { countAllRows, runSql } from "../../support/test-database.ts";
import { makeConditionedBook } from "./conditioned-people.ts";
import { add } from "./own-fields.ts";
import { commits, SEGMENT_ACTS } from "./segment-acts.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";

const COUNTED = SEGMENT_ACTS.filter((act) => commits(act) || "count" in act.body({}, { due: "", certificate: "" }));
const found = { filter: { affiliation: "가온" } };

test("the acts that take the seen count are all but the previews", () => {
  expect(SEGMENT_ACTS.filter((act) => !COUNTED.includes(act)).map(({ name }) => name)).toEqual([
    "print count",
    "preview of certificates",
  ]);
});

test.each(sample(COUNTED, ({ name }) => name))(
  `$name of another number of people than seen is refused (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async ({ call, body }) => {
    const admin = await createAdministratorSession();
    const { kinds } = await makeConditionedBook(admin);
    const [method = "", path = ""] = call.split(" ");
    const act = async (more: object, segment: object = found) => {
      await runSql("DELETE FROM rate_limit");
      return callAs(admin, method, path, { ...body(segment, kinds), ...more });
    };
    for (const count of [2, 3]) expect([count, (await act({ count })).code]).toEqual([count, "CONFLICT"]);
    await add(admin, "새 사람", {}, { affiliation: "가온병원", address: "서울특별시 중구 1" });
    const after = await countAllRows();
    expect((await act({ count: 1 })).code).toBe("CONFLICT");
    expect(await countAllRows()).toEqual(after);
    expect((await act({ count: 2 })).code).toBe("SUCCESS");
  },
);

test("a segment by conditions is refused without a count", async () => {
  const admin = await createAdministratorSession();
  const { kinds } = await makeConditionedBook(admin);
  const one = await add(admin, "한 사람", {}, { address: "서울특별시 중구 1" });
  for (const { name, call, body } of COUNTED.filter((act) => !commits(act))) {
    const [method = "", path = ""] = call.split(" ");
    const act = async (segment: object) => {
      await runSql("DELETE FROM rate_limit");
      return callAs(admin, method, path, { ...body(segment, kinds), count: undefined });
    };
    const refused = await act(found);
    expect.soft([name, refused.code, Object.keys(refused.fields)]).toEqual([name, "INVALID_INPUT", ["count"]]);
    expect.soft([name, (await act({ ids: [one] })).code]).toEqual([name, "SUCCESS"]);
  }
});
