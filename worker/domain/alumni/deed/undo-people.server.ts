import { sql } from "drizzle-orm";
import { ALUMNI_FIELDS, type AlumniValues } from "#worker/contract/alumni/columns.ts";
import type { OpenField } from "#worker/contract/alumni/view.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { can } from "../../kernel/authorize.server.ts";
import { type BatchGuard, conflict } from "../../kernel/guarded-batch.server.ts";
import { jsonArrays } from "../../kernel/json-arrays.ts";
import { meansOf } from "../../mail/unsubscribe.server.ts";
import { columnOf, DEED_COLUMNS, ROW_BEFORE_JSON } from "../own-value.server.ts";
import { derivedColumns, emailHoldSql } from "../row.server.ts";
import type { KeptRow } from "./undo-rows.server.ts";
import { type RowValues, undoneValues, withoutKeys } from "./undone-values.ts";

/** Stores what the deed wrote, at its end. */
export const storePeopleAfter = (ctx: Pick<AppContext, "db">, deedId: string) =>
  ctx.db
    .run(sql`UPDATE alumni_before SET after = (SELECT ${sql.raw(ROW_BEFORE_JSON)} FROM alumni a WHERE a.id = alumni_before.alumni_id)
    WHERE import_id = ${deedId} AND after IS NULL`);

const OWN = "own.";
const NOT_COMPARED = ["initials", "search_all", "search_open", "modified_date"];

/** Each own field counts as a column. */
function flat({ own, ...values }: RowValues): RowValues {
  const fields = JSON.parse(String(own ?? "{}")) as Record<string, unknown>;
  const entries = Object.entries(fields).map(([code, value]) => [`${OWN}${code}`, JSON.stringify(value)]);
  return { ...values, ...Object.fromEntries(entries) };
}

const keysOf = (...rows: readonly RowValues[]) => [...new Set(rows.flatMap((row) => Object.keys(row)))];

const withKeys = (values: RowValues, keys: readonly string[]): RowValues =>
  Object.fromEntries(keys.map((key) => [key, values[key] ?? null]));

function joined(values: RowValues): RowValues {
  const own = Object.entries(values).flatMap(([key, value]) =>
    key.startsWith(OWN) && typeof value === "string" ? [[key.slice(OWN.length), JSON.parse(value) as unknown]] : [],
  );
  const columns = Object.entries(values).filter(([key]) => !key.startsWith(OWN));
  const person = { ...Object.fromEntries(columns), own: JSON.stringify(Object.fromEntries(own)) } as RowValues;
  const fields = Object.fromEntries(ALUMNI_FIELDS.map((field) => [field, person[columnOf(field)]]));
  const open = JSON.parse(String(person.open_fields ?? "[]")) as OpenField[];
  const { initials, searchAll, searchOpen } = derivedColumns(fields as unknown as AlumniValues, open);
  return { ...person, initials, search_all: searchAll, search_open: searchOpen };
}

/** The whole row as the undo writes it, or null if it was changed since. */
export function undonePerson(before: RowValues, after: RowValues, current: RowValues, now: number): RowValues | null {
  const [was, wrote, is] = [flat(before), flat(after), flat(current)];
  const keys = keysOf(was, wrote).filter(
    (key) => !NOT_COMPARED.includes(key) && (key.startsWith(OWN) || key in before),
  );
  const values = undoneValues(withKeys(was, keys), withKeys(wrote, keys), withKeys(is, keysOf(is, was, wrote)));
  if (values === null) return null;
  const modified = current.modified_date === after.modified_date ? before.modified_date : now;
  return { ...joined({ ...is, ...values }), modified_date: modified };
}

/** Whether the undo would end a refusal that the person gave by one click. @param refused addresses and numbers */
const endsOwnRefusal = (refused: readonly string[], current: RowValues, undone: RowValues) =>
  refused.map(meansOf).some((means) => isIn(current, means) && !isIn(undone, means));

const isIn = ({ refuses }: RowValues, means: string) => String(refuses ?? "").includes(means);

/** Columns that earlier code did not store at a merge. */
const NOT_BINNED = { deleted_date: null, merged_into: null };

export const MERGED_SINCE = "그 뒤에 다른 사람과 합쳐졌습니다.";
export const BINNED_SINCE = "그 뒤에 휴지통으로 옮겼습니다.";

const reasonOf = (current: RowValues, after: RowValues) => {
  if (current.merged_into !== after.merged_into && current.merged_into !== null) return MERGED_SINCE;
  if (current.deleted_date !== after.deleted_date && current.deleted_date !== null) return BINNED_SINCE;
  return "바뀐 값이 그 뒤에 다시 달라졌습니다.";
};

interface StoredPerson {
  id: string;
  name: string;
  version: number;
  versionAfter: number;
  before: string;
  after: string | null;
  current: string;
  /** Addresses and numbers refused by one click since the deed, as JSON. */
  refused: string;
}

interface PeopleUndo {
  statements: ReturnType<AppContext["db"]["run"]>[];
  guards: BatchGuard[];
  kept: KeptRow[];
  /** Their ids. */
  restored: string[];
}

/** Puts back the entries of a deed that still have the values which it wrote. @param limit how many are looked at */
export async function undoPeople(
  ctx: AppContext,
  { id: deedId, createdDate }: { id: string; createdDate: Date },
  limit: number,
): Promise<PeopleUndo> {
  const found = await ctx.db.all<StoredPerson>(sql`SELECT a.id, a.name, a.version, b.version_after AS versionAfter,
      b."values" AS before, b.after, ${sql.raw(ROW_BEFORE_JSON)} AS current,
      (SELECT json_group_array(m.address) FROM mail_address m
        WHERE m.address IN (lower(coalesce(a.email_hold, a.email)), a.mobile) AND m.refused_date >= ${createdDate.getTime()}) AS refused
    FROM (SELECT * FROM alumni_before WHERE import_id = ${deedId} AND is_tried = 0 ORDER BY alumni_id LIMIT ${limit}) b
    CROSS JOIN alumni a ON a.id = b.alumni_id`);
  const kept: KeptRow[] = [];
  const restored: [id: string, version: number, values: RowValues][] = [];
  for (const { id, name, version, versionAfter, before, after, current, refused } of found) {
    const is = JSON.parse(current) as RowValues;
    const was = { ...(after === null ? NOT_BINNED : {}), ...(JSON.parse(before) as RowValues) };
    // Deeds of before this comparison stored no values: an entry of the same version has them.
    const wrote = after === null ? (version === versionAfter ? is : null) : (JSON.parse(after) as RowValues);
    const values = current === after ? { ...is, ...was } : wrote && undonePerson(was, wrote, is, ctx.now().getTime());
    const reason =
      values === null
        ? reasonOf(is, wrote ?? is)
        : endsOwnRefusal(JSON.parse(refused) as string[], is, values)
          ? "그 뒤에 본인이 수신을 거부하였습니다."
          : "";
    if (values && !reason) restored.push([id, version, withoutKeys(values, ["id"])]);
    else kept.push({ kind: is.deleted_date === null ? "person" : "deleted", id, name, reason });
  }
  const column = (name: string) => sql.raw(`g.value -> 2 ->> '${name}'`);
  // Only Alumni_Write may trust another address.
  const hold = can(ctx.actor, { action: "Alumni_Write" })
    ? column("email_hold")
    : emailHoldSql(ctx, sql`(${column("email")})`);
  const columns = [...DEED_COLUMNS, "modified_date"].filter((name) => name !== "email_hold");
  const set = sql.join(
    columns.map((name) => sql`${sql.raw(name)} = ${column(name)}`),
    sql`, `,
  );
  const chunks = jsonArrays(restored);
  return {
    statements: chunks.flatMap((chunk) => [
      ctx.db.run(sql`UPDATE alumni SET ${set}, email_hold = ${hold}, version = version + 1
          FROM json_each(${chunk}) g WHERE alumni.id = g.value ->> 0`),
      ctx.db.run(sql`DELETE FROM alumni_before WHERE import_id = ${deedId}
          AND alumni_id IN (SELECT value ->> 0 FROM json_each(${chunk}))`),
    ]),
    guards: chunks.map((chunk) => ({
      holds: sql`NOT EXISTS (SELECT 1 FROM json_each(${chunk}) g LEFT JOIN alumni a ON a.id = g.value ->> 0
        WHERE a.version IS NOT g.value ->> 1)`,
      error: () => conflict("그사이 사람의 정보가 바뀌었습니다. 다시 되돌려 주십시오."),
    })),
    kept,
    restored: restored.map(([id]) => id),
  };
}
