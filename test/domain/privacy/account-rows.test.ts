import { getTableName } from "drizzle-orm";
import { type AnySQLiteColumn, getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { alumni, alumniTablesWithoutRowid } from "#db/schema/alumni.ts";
import { dueTablesWithoutRowid, dueWork } from "#db/schema/alumni-dues.ts";
import { user } from "#db/schema/account.ts";
import { auditTablesWithoutRowid } from "#db/schema/audit.ts";
import { boardItemSearch } from "#db/schema/board.ts";
import { confirmationRound, mailing } from "#db/schema/mailing.ts";
import { userKeyHash } from "#worker/domain/account/verification.server.ts";
import { columnOf } from "#worker/domain/alumni/own-value.server.ts";
import { PERSON_TABLES } from "#worker/domain/alumni/person-tables.server.ts";
import { ACCOUNT_COLUMNS } from "#worker/domain/privacy/account-columns.server.ts";
import { destroyPeople } from "#worker/domain/privacy/destroy.server.ts";
import { exportOwnData } from "#worker/domain/privacy/own-data.server.ts";
import { createSignupSettings, createTestItem } from "../../support/factories.ts";
import { createAdministratorSession, createSession } from "../../support/people.ts";
import { SAMPLES } from "../../support/person-rows.ts";
import { contextFor } from "../../support/request-scope.ts";
import { readRows, readValue, runSql } from "../../support/test-database.ts";
import { addDuePerson } from "../../api/alumni/dues.ts";

const NAME = "카나리";
const OLD_ID = "canary";
const GONE = "탈퇴한 회원";
const NOT_SHOWN = ["copy", "office", "secret", "log", "undo", "others"];

const nameOf = ({ name, keyAsName }: Pick<AnySQLiteColumn, "name" | "keyAsName">) =>
  keyAsName ? columnOf(name) : name;

type Values = Record<string, SqlStorageValue>;

/** Rows that a sample refers to. */
const REFERENCES: Values = { board_code: "free", mailing_id: "r", round_id: "r", work_id: "r", code: "newsletter" };
const SPECIAL: Record<string, Values> = {
  moved_thing: { kind: "member", old_key: OLD_ID },
  board_item: { item_no: 99 },
  user_key: { user_key_type: "Mobile" },
  "alumni_certificate.alumni_id": { user_id: null },
};

/** A row with samples of the required values. */
async function addRow(table: SQLiteTable, column: string, value: SqlStorageValue, references: Values = {}) {
  const name = getTableName(table);
  const given = { ...REFERENCES, ...references, ...SPECIAL[name], ...SPECIAL[`${name}.${column}`], [column]: value };
  const values = getTableConfig(table).columns.flatMap((each): [string, SqlStorageValue][] => {
    const key = nameOf(each);
    if (key in given) return [[key, given[key] ?? null]];
    if (/^(expires|end)_date$/.test(key)) return [[key, Date.now() + 1e9]];
    if (!each.notNull || each.hasDefault) return [];
    return [[key, key.endsWith("_name") ? NAME : (SAMPLES[each.dataType]?.(`${name} ${column}`) ?? null)]];
  });
  const names = values.map(([key]) => `"${key}"`).join();
  const marks = values.map(() => "?").join();
  await runSql(`INSERT INTO "${name}" (${names}) VALUES (${marks})`, ...values.map(([, each]) => each));
}

/** Triggers write them, or they are the account and the entry themselves. */
const UNTOUCHED = new Set<SQLiteTable>([
  user,
  alumni,
  boardItemSearch,
  ...auditTablesWithoutRowid,
  ...alumniTablesWithoutRowid,
  ...dueTablesWithoutRowid,
]);

async function memberWithEntry() {
  await createSignupSettings();
  const [admin, member] = [await createAdministratorSession(), await createSession({ userName: NAME })];
  const { id, email } = member.user;
  const entry = await addDuePerson(admin, { name: NAME, email });
  await createTestItem(member, "free");
  for (const table of [mailing, confirmationRound, dueWork])
    await addRow(table, table === dueWork ? "user_id" : "created_user_id", admin.user.id, { id: "r" });
  const references = { user_id: admin.user.id, item_id: await readValue<number>("SELECT id FROM board_item") };
  const valueOf = {
    account: id,
    key: email,
    keyHash: userKeyHash(await contextFor(member), "Email", email),
    oldId: OLD_ID,
  };
  const accounts = ACCOUNT_COLUMNS.filter(({ column }) => !UNTOUCHED.has(column.table)).map((each) => {
    const [table, column] = [each.column.table, nameOf(each.column)];
    const held = valueOf[each.holds ?? "account"];
    const value =
      column === "ids" ? JSON.stringify([held]) : column === "about_people" ? `{"${held}":"${NAME}"}` : held;
    return { ...each, table, column, value, name: `${getTableName(table)}.${column}` };
  });
  const people = PERSON_TABLES.filter(({ table }) => !UNTOUCHED.has(table)).flatMap(({ table, columns, own }) =>
    columns.map((column) => ({ table, column, own, value: entry, name: `${getTableName(table)}.${column}` })),
  );
  return { member, id, accounts, people, references };
}

test("own data shows each declared column in its part alone", async () => {
  const { member, accounts, people, references } = await memberWithEntry();
  // A second factor limits later sessions.
  const columns = [...accounts, ...people].map((each) => ({ ...each, ctx: contextFor(member) }));
  const read = async (ctx: ReturnType<typeof contextFor>) => {
    await runSql("DELETE FROM rate_limit");
    const { exportedDate: _date, ...parts } = await exportOwnData(await ctx, member.user.id);
    return Object.fromEntries(Object.entries(parts).map(([part, value]) => [part, JSON.stringify(value)]));
  };
  const wrong: unknown[] = [];
  let before = await read(contextFor(member));
  for (const { table, column, value, own, name, ctx } of columns) {
    await ctx;
    await addRow(table, column, value, references);
    const after = await read(ctx);
    const changed = Object.keys(after).filter((part) => after[part] !== before[part]);
    const expected = NOT_SHOWN.includes(own) ? [] : [own];
    if (changed.join() !== expected.join()) wrong.push([name, { changed, expected }]);
    before = after;
  }
  expect(wrong).toEqual([]);
});

test("leaving treats the rows as declared", async () => {
  const { member, id, accounts, references } = await memberWithEntry();
  await runSql("DELETE FROM alumni");
  const rowsOf = ({ name, column, value }: (typeof accounts)[number]) =>
    readRows(`SELECT * FROM "${name.split(".")[0]}" WHERE ${column} = ?`, value);
  const ctx = await contextFor(member);
  for (const { table, column, value } of accounts) await addRow(table, column, value, references);
  const before = await Promise.all(accounts.map(rowsOf));
  const { statements } = await destroyPeople(ctx, [id]);
  const [first, ...rest] = statements;
  if (first) await ctx.db.batch([first, ...rest]);
  const wrong: unknown[] = [];
  for (const [at, each] of accounts.entries()) {
    const [was, is] = [before[at], await rowsOf(each)];
    const { name, left, column } = each;
    if (was?.length === 0) wrong.push([name, "no row"]);
    if (left === "delete" && is.length > 0) wrong.push([name, is]);
    if (left === "keep" && JSON.stringify(is) !== JSON.stringify(was)) wrong.push([name, was, is]);
    if (typeof left !== "object") continue;
    const renamed = nameOf(left.renames);
    if (renamed === column ? is.length > 0 : is.some((row) => row[renamed] !== GONE)) wrong.push([name, is]);
  }
  expect(wrong).toEqual([]);
});
