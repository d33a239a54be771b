import { getTableName } from "drizzle-orm";
import { expect, test } from "vitest";
import { PROFILE_CHOICE_HOLDERS } from "#worker/domain/account/profile-field.server.ts";
import { CHOICE_HOLDERS } from "#worker/domain/alumni/choice-holders.server.ts";
import { columnOf, STAGED_ROW_COLUMNS } from "#worker/domain/alumni/own-value.server.ts";
import { callAs } from "../../support/api-client.ts";
import { expectLog } from "../../support/expected-log.ts";
import { createTestMailing } from "../../support/factories.ts";
import { createAdministratorSession, createSession, type TestSession } from "../../support/people.ts";
import { readRows, runSql, testDatabase } from "../../support/test-database.ts";
import { mailingCall } from "../mailing/people.ts";
import { makeDueKind } from "./dues.ts";
import { add, make, PATH } from "./own-fields.ts";
import { SAMPLE_NOTE, sample } from "../../support/sample.ts";

const FIELD = { old: "옛이름", new: "새이름" };
const WORD = { old: "옛말", new: "새말" };
const RENAMES = [{ from: WORD.old, to: WORD.new }];

/** Columns that keep an old word, because they tell what was, or that its own call writes. */
const KEPT = [
  "alumni_field.choices",
  "alumni_field.name",
  "alumni_value.value",
  "audit_log.detail",
  "kept_answer.answer",
  "profile_field.detail",
  "profile_field.name",
];

const columnsOf = (holders: typeof CHOICE_HOLDERS | typeof PROFILE_CHOICE_HOLDERS) =>
  [...new Set(holders.map(({ table, column }) => `${getTableName(table)}.${columnOf(column.name)}`))].toSorted();

/** Columns of the whole database with one of the words. */
async function columnsWith(...words: string[]): Promise<string[]> {
  const tables = await readRows<{ table: string; columns: string }>(
    `SELECT t.name AS "table", json_group_array(c.name) AS columns FROM sqlite_master t, pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.sql NOT LIKE '%VIRTUAL%' AND t.name NOT GLOB '_cf*' AND t.name NOT GLOB 'sqlite_*'
        AND t.name NOT GLOB '*_data' AND t.name NOT GLOB '*_idx' AND t.name NOT GLOB '*_docsize' AND t.name NOT GLOB '*_config'
        AND t.name <> 'd1_migrations' GROUP BY t.name`,
  );
  const found: string[] = [];
  for (const { table, columns } of tables) {
    const names = JSON.parse(columns) as string[];
    const holds = (name: string) => words.map((word) => `instr(CAST("${name}" AS TEXT), '${word}') > 0`).join(" OR ");
    const [row] = await readRows<Record<string, number>>(
      `SELECT ${names.map((name) => `max(${holds(name)}) AS "${name}"`).join(", ")} FROM "${table}"`,
    );
    found.push(...names.filter((name) => row?.[name] === 1).map((name) => `${table}.${name}`));
  }
  return found.toSorted();
}

async function succeed(answer: ReturnType<typeof callAs>) {
  const { code, fields, data } = await answer;
  expect([code, fields]).toEqual(["SUCCESS", {}]);
  return data;
}

/** A rename of a field and of its choice, with a row in each place that holds one of the two. */
async function fillHolders(admin: TestSession) {
  const code = await make(admin, {
    name: FIELD.old,
    kind: "choice",
    choices: [WORD.old, "준회원"],
    access: "office",
  });
  const own = { [code]: WORD.old };
  const person = await add(admin, "가", own, { email: "ga@pid.example.kr" });
  const changed = { segment: { ids: [person] }, set: { major: "의학" }, count: 1 };
  await succeed(callAs(admin, "POST", "/api/alumni/bulk", changed));
  const staged = STAGED_ROW_COLUMNS.map((column) => (column === "own" ? JSON.stringify(own) : ""));
  await runSql(
    `INSERT INTO alumni_staging (id, user_id, file_name, head, parts, committed_date, created_date, touched_date)
      VALUES ('i', 'u', '명부.xlsx', '{}', 1, 1, 1, 1)`,
  );
  await runSql(
    "INSERT INTO alumni_staged (import_id, kind, plan_no, part_no, rows) VALUES ('i', 'insert', 1, 1, ?)",
    JSON.stringify([staged]),
  );
  await makeDueKind(admin, { gradeField: FIELD.old, grades: [`${WORD.old} 50000`] });
  const filter = { [`f_${code}`]: `in:${WORD.old}` };
  const content = { filter, sort: "", columns: [], isDense: false, size: 20 };
  await succeed(callAs(admin, "PUT", "/api/alumni/view", { name: "보기", isShared: true, content }));
  const text = { subject: `{{${FIELD.old}}} 님`, text: `{{ ${FIELD.old} }}께` };
  await createTestMailing(admin, { source: "alumni", target: { filter } }, text);
  const sent = await createTestMailing(admin, { source: "alumni", target: { filter } });
  await succeed(mailingCall(admin, sent, "send", { version: 2, count: 1, reason: "안내" }));
  const talk = await createTestMailing(admin, { source: "alumni", target: { ids: [person] } });
  await runSql(
    "UPDATE mailing SET channel = 'alimtalk', template_values = json_object('등급', ?) WHERE id = ?",
    `{{${FIELD.old}}}`,
    talk,
  );
  await succeed(callAs(admin, "PUT", "/api/admin/round", { target: { filter } }));
  const certificate = { name: "회원 증명서", body: `{{${FIELD.old}}}`, numberPattern: "{{번호}}" };
  await succeed(callAs(admin, "PUT", "/api/admin/certificate-kind", certificate));
  const renamed = { name: FIELD.new, access: "office", choices: [WORD.new, "준회원"], renames: RENAMES, version: 1 };
  return { code, rename: () => callAs(admin, "PATCH", `${PATH}/${code}`, renamed) };
}

async function fillProfileHolders(admin: TestSession) {
  const field = { name: FIELD.old, inputType: "select", detail: [WORD.old, "간호사"], required: false };
  const path = "/api/admin/setting/profile-field";
  await succeed(callAs(admin, "PUT", path, { ...field, code: "grade" }));
  const member = await createSession();
  await runSql("UPDATE user SET profile = ? WHERE id = ?", JSON.stringify({ grade: WORD.old }), member.user.id);
  const target = { filter: { profileCode: "grade", profileValue: WORD.old } };
  await createTestMailing(admin, { source: "member", target });
  const renamed = { ...field, name: FIELD.new, detail: [WORD.new, "간호사"], renames: RENAMES, version: 1 };
  return { code: "grade", rename: () => callAs(admin, "PATCH", `${path}/grade`, renamed) };
}

const SIDES = [
  { side: "the address book", holders: CHOICE_HOLDERS, fill: fillHolders },
  { side: "sign-up", holders: PROFILE_CHOICE_HOLDERS, fill: fillProfileHolders },
];

test.each(SIDES)("a rename of $side reaches every column with the old word", async ({ holders, fill }) => {
  const { rename, code } = await fill(await createAdministratorSession());
  const change = { code: code as never, names: [FIELD.old, FIELD.new], renames: RENAMES } as const;
  for (const { table, column, holds } of holders) {
    const rows = await testDatabase().$count(table, holds(change));
    expect.soft([getTableName(table), column.name, rows > 0]).toEqual([getTableName(table), column.name, true]);
  }
  const before = await columnsWith(FIELD.old, WORD.old);
  expect(before.filter((column) => !KEPT.includes(column))).toEqual(columnsOf(holders));
  await succeed(rename());
  expect((await columnsWith(FIELD.old, WORD.old)).filter((column) => !KEPT.includes(column))).toEqual([]);
  expect(await columnsWith(FIELD.new, WORD.new)).toEqual(expect.arrayContaining(columnsOf(holders)));
});

test.each(SIDES)(
  `a rename of $side that fails at one column changes nothing (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async ({ holders, fill }) => {
    const { rename } = await fill(await createAdministratorSession());
    const before = await columnsWith(FIELD.old, WORD.old);
    expectLog(/SQLITE_CONSTRAINT_TRIGGER/);
    for (const at of sample(columnsOf(holders), String)) {
      const [table, column] = at.split(".");
      await runSql(
        `CREATE TRIGGER broken BEFORE UPDATE OF "${column}" ON "${table}" BEGIN SELECT RAISE(ABORT, 'full'); END`,
      );
      expect.soft([at, (await rename()).code]).toEqual([at, "INTERNAL_ERROR"]);
      await runSql("DROP TRIGGER broken");
      expect.soft([at, await columnsWith(FIELD.new, WORD.new)]).toEqual([at, []]);
    }
    expect(await columnsWith(FIELD.old, WORD.old)).toEqual(before);
  },
);
