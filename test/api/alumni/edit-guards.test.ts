import { beforeEach, expect, test } from "vitest";
import { callAs } from "../../support/api-client.ts";
import { callApiWith, faultyDatabase } from "../../support/faulty-database.ts";
import { sentMessages } from "../../support/factories.ts";
import { createAdministratorSession, createSession, type TestSession } from "../../support/people.ts";
import { requirePresent } from "../../support/require-present.ts";
import { readRow, runSql } from "../../support/test-database.ts";

let admin: TestSession;
let id: string;
beforeEach(async () => {
  admin = await createAdministratorSession();
  id = (await callAs(admin, "PUT", "/api/alumni", { name: "김하늘", affiliation: "가람의원" })).data.id;
});

const stored = () => readRow("SELECT name, affiliation, deleted_date AS deleted FROM alumni WHERE id = ?", id);

/** Acts on the person between the reading and the batch. */
const EDITS: Record<string, string> = {
  "an edit": "UPDATE alumni SET affiliation = '나루의원', version = version + 1 WHERE id = ?",
  "a move to the bin": "UPDATE alumni SET deleted_date = 5, version = version + 1 WHERE id = ?",
};

test.for(Object.entries(EDITS))("a bulk change is refused whole after %s of the same moment", async ([, sql]) => {
  let after: unknown;
  const { DB, broke } = faultyDatabase({
    sql: /INSERT INTO alumni_before/,
    when: async () => {
      await runSql(sql, id);
      after = await stored();
    },
    times: 1,
  });
  const answer = await callApiWith({ DB }, "POST", "/api/alumni/bulk", {
    token: admin.accessToken,
    body: { segment: { ids: [id] }, set: { affiliation: "다솜의원" }, count: 1 },
  });
  expect([answer.status, broke(), await stored()]).toEqual([409, 1, after]);
});

test("a bulk change empties no required column", async () => {
  const path = "/api/admin/setting/alumni";
  const { value, version } = (await callAs(admin, "GET", path)).data;
  const required = { ...value, required: ["affiliation"], version };
  expect((await callAs(admin, "PATCH", path, required)).code).toBe("SUCCESS");
  const body = { segment: { ids: [id] }, set: { affiliation: "" }, count: 1 };
  const answer = await callAs(admin, "POST", "/api/alumni/bulk", body);
  expect([answer.code, Object.keys(answer.fields ?? {})]).toEqual(["INVALID_INPUT", ["affiliation"]]);
  expect(await stored()).toMatchObject({ affiliation: "가람의원" });
});

test.for(Object.entries(EDITS))("a join writes nothing over %s of the same moment", async ([, sql]) => {
  const { user } = await createSession({ roleCode: "member" });
  await callAs(admin, "PATCH", `/api/alumni/${id}`, { email: "old@pid.example.kr", version: 1 });
  await callAs(admin, "POST", `/api/admin/member/${user.id}/join`, { alumniId: id });
  const [mail] = await sentMessages("old@pid.example.kr");
  const token = requirePresent(/\/mail\/join\/([\w-]+)/.exec(mail?.body ?? "")?.[1]);
  let after: unknown;
  const { DB, broke } = faultyDatabase({
    sql: /alumni\.join|UPDATE "alumni"|update "alumni"/,
    when: async () => {
      await runSql(sql, id);
      after = await stored();
    },
    times: 1,
  });
  const answer = await callApiWith({ DB }, "POST", `/api/confirmation/join/${token}`, { body: {} });
  expect([answer.status, broke(), await stored()]).toEqual([404, 1, after]);
});
