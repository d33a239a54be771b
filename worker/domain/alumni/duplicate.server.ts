import { alumniSettings } from "./setting.server.ts";
import { inArray, type SQL, sql } from "drizzle-orm";
import { runBatch } from "#db/batch.ts";
import { alumni } from "#db/schema/alumni.ts";
import type { AppContext, Parsed, View } from "#worker/domain/kernel/context.ts";
import type { duplicatesQuery, notDuplicateInput } from "#worker/contract/alumni/input.ts";
import { DUPLICATE_REASONS, type DuplicateReason, duplicateReasons } from "#worker/contract/alumni/duplicate.ts";
import { type AlumniSettings, isFieldUsed } from "#worker/contract/alumni/alumni-settings.ts";
import type { AlumniField } from "#worker/contract/alumni/columns.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { auditLook, auditPeople } from "../kernel/audit-entry.server.ts";
import { ALUMNI_PERSON_COLUMNS, alumniRowView } from "./row.server.ts";

interface DuplicateSearch {
  index: string;
  /** The field that the people share apart from the name; null when it varies. */
  field: AlumniField | null;
  keys: (row: string) => string[];
  where: (row: string) => string;
  pair?: (a: string, b: string, settings: AlumniSettings) => string;
}
const notDeletedSql = (row: string) => `${row}.deleted_date IS NULL`;
const squeezedSql = (text: string) => `lower(replace(${text}, ' ', ''))`;
const AGREEING_FIELDS: [field: AlumniField, agrees: (a: string, b: string) => string][] = [
  ["cohort", (a, b) => `${a}.cohort = ${b}.cohort`],
  ["graduationYear", (a, b) => `${a}.graduation_year = ${b}.graduation_year`],
  [
    "affiliation",
    (a, b) => `${a}.affiliation <> '' AND ${squeezedSql(`${a}.affiliation`)} = ${squeezedSql(`${b}.affiliation`)}`,
  ],
  ["mobile", (a, b) => `${a}.mobile <> '' AND substr(${a}.mobile, -4) = substr(${b}.mobile, -4)`],
];
const DUPLICATE_SEARCHES: Record<DuplicateReason, DuplicateSearch> = {
  mobile: {
    index: "alumni_mobile",
    field: "mobile",
    keys: (row) => [`${row}.mobile`],
    where: (row) => `${notDeletedSql(row)} AND ${row}.mobile <> ''`,
  },
  email: {
    index: "alumni_email",
    field: "email",
    keys: (row) => [`${row}.email`],
    where: (row) => `${row}.email <> ''`,
  },
  nameTail: {
    index: "alumni_name_tail",
    field: "mobile",
    keys: (row) => [`${row}.name`, `substr(${row}.mobile, -4)`],
    where: (row) => `${notDeletedSql(row)} AND ${row}.mobile <> ''`,
  },
  nameCohort: {
    index: "alumni_cohort",
    field: "cohort",
    keys: (row) => [`${row}.cohort`, `${row}.name`],
    where: (row) => `${notDeletedSql(row)} AND ${row}.cohort IS NOT NULL`,
  },
  nameYear: {
    index: "alumni_year",
    field: "graduationYear",
    keys: (row) => [`${row}.graduation_year`, `${row}.name`],
    where: (row) => `${notDeletedSql(row)} AND ${row}.graduation_year IS NOT NULL`,
  },
  nameAffiliation: {
    index: "alumni_affiliation",
    field: "affiliation",
    keys: (row) => [`${row}.affiliation`, `${row}.name`],
    where: (row) => `${notDeletedSql(row)} AND ${row}.affiliation <> ''`,
  },
  nameAlike: {
    index: "alumni_name_alike",
    field: null,
    keys: (row) => [squeezedSql(`${row}.name`)],
    where: notDeletedSql,
    pair: (a, b, settings) => {
      const agreed = AGREEING_FIELDS.filter(([field]) => isFieldUsed(settings, field)).map(
        ([, agrees]) => `(${agrees(a, b)})`,
      );
      return `${a}.name <> ${b}.name AND (${agreed.join(" OR ") || "0"})`;
    },
  },
};

const GROUPS = 20;
const GROUP_PEOPLE = 10;
const COUNT_MAX = 100;
/** Most people compared under one key, because the pairs grow quadratically. */
const CROWD_MAX = 200;

/** People under a key in index order, up to the limit; names with spaces come first. */
const crowdSql = ({ index }: DuplicateSearch, isUnder: string) =>
  `SELECT t.id, t.name, t.cohort, t.graduation_year, t.affiliation, t.mobile FROM alumni t INDEXED BY ${index} WHERE ${isUnder} LIMIT ${CROWD_MAX}`;

function groupsSql(
  settings: AlumniSettings,
  reason: DuplicateReason,
  { after, importId }: { after?: unknown[]; importId?: string | undefined },
  limit: number,
): SQL {
  const search = DUPLICATE_SEARCHES[reason];
  const columns = search.keys("t").map((_, at) => sql.raw(`g.${KEY_COLUMNS[at]}`));
  const keys = sql.join(columns, sql`, `);
  const from = after
    ? sql` AND (${keys}) > (${sql.join(
        after.map((key) => sql`${key}`),
        sql`, `,
      )})`
    : sql``;
  const under = search
    .keys("t")
    .map((key, at) => `${key} = g.${KEY_COLUMNS[at]}`)
    .join(" AND ");
  const crowd = sql.raw(crowdSql(search, `${under} AND ${search.where("t")} AND ${notDeletedSql("t")}`));
  // Starts from the few rows of the import; unary plus removes the type affinity, which would hide the key.
  const [first, second = "''"] = search.keys("i");
  const source = importId
    ? sql`(SELECT DISTINCT ${sql.raw(first ?? "")} AS first, ${sql.raw(second)} AS second FROM alumni i INDEXED BY alumni_import_rows
        WHERE i.import_id = ${importId} AND ${sql.raw(`${search.where("i")} AND ${notDeletedSql("i")}`)}) brought
        CROSS JOIN alumni_alike g ON g.first = +brought.first AND g.second = +brought.second`
    : sql`alumni_alike g`;
  return sql`SELECT ${sql.join(
    columns.map((column, at) => sql`${column} AS ${sql.raw(`k${at}`)}`),
    sql`, `,
  )} FROM ${source}
    WHERE g.reason = ${reason}${from} AND EXISTS (
      SELECT 1 FROM (${crowd}) one CROSS JOIN (${crowd}) other
      WHERE ${sql.raw(search.pair?.("one", "other", settings) ?? "1")} AND one.id < other.id
        AND NOT EXISTS (SELECT 1 FROM alumni_distinct d WHERE d.low_id = one.id AND d.high_id = other.id)
    )
    ORDER BY ${keys} LIMIT ${limit}`;
}
const KEY_COLUMNS = ["first", "second"] as const;

function groupPeopleSql(settings: AlumniSettings, search: DuplicateSearch, keys: unknown[][]): SQL {
  const wanted = search
    .keys("t")
    .map((key, at) => `${key} = k.value ->> ${at}`)
    .join(" AND ");
  const crowd = crowdSql(search, `${wanted} AND ${search.where("t")} AND ${notDeletedSql("t")}`);
  // Excludes namesakes without a matching pair, where the keys are not enough.
  const paired = search.pair
    ? `WHERE EXISTS (SELECT 1 FROM (${crowd}) other WHERE ${search.pair("one", "other", settings)})`
    : "";
  return sql`SELECT k.key AS at, (
      SELECT json_group_array(id) FROM (SELECT one.id FROM (${sql.raw(crowd)}) one ${sql.raw(paired)} LIMIT ${COUNT_MAX})
    ) AS ids FROM json_each(${JSON.stringify(keys)}) k`;
}

function parseCursor(search: DuplicateSearch, after: string | undefined): unknown[] | undefined {
  if (!after) return undefined;
  try {
    const keys: unknown = JSON.parse(after);
    const fits = Array.isArray(keys) && keys.length === search.keys("t").length;
    if (fits && keys.every((key) => ["string", "number"].includes(typeof key))) return keys as unknown[];
  } catch {}
  return undefined;
}

export async function listDuplicates(ctx: AppContext, query: Parsed<typeof duplicatesQuery>) {
  authorize(ctx, { action: "Alumni_Write" });
  const { importId } = query;
  const settings = alumniSettings(ctx);
  const reasons = DUPLICATE_REASONS.filter((reason) => {
    const { field } = DUPLICATE_SEARCHES[reason];
    return field === null || isFieldUsed(settings, field);
  });
  const counting = reasons.map((reason) =>
    ctx.db.all(sql`SELECT count(*) AS n FROM (${groupsSql(settings, reason, { importId }, COUNT_MAX)})`),
  );
  const counted = await runBatch(ctx.db, counting);
  const counts = Object.fromEntries(
    DUPLICATE_REASONS.map((reason) => [reason, Number(counted[reasons.indexOf(reason)]?.[0]?.n ?? 0)]),
  ) as Record<DuplicateReason, number>;
  const asked = reasons.find((each) => each === query.reason);
  const reason = asked ?? reasons.find((each) => counts[each] > 0) ?? reasons[0] ?? "nameAlike";
  const search = DUPLICATE_SEARCHES[reason];
  const after = parseCursor(search, query.after);
  const found = await ctx.db.all<Record<string, unknown>>(
    groupsSql(settings, reason, { importId, ...(after ? { after } : {}) }, GROUPS + 1),
  );
  const keys = found.map((row) => search.keys("t").map((_, at) => row[`k${at}`]));
  const shown = keys.slice(0, GROUPS);
  const groups = await readGroupViews(ctx, search, shown);
  return { reason, counts, groups, next: keys.length > GROUPS ? JSON.stringify(shown.at(-1)) : null };
}

async function readGroupViews(ctx: AppContext, search: DuplicateSearch, keys: unknown[][]) {
  if (keys.length === 0) return [];
  const rows = await ctx.db.all<{ ids: string }>(groupPeopleSql(alumniSettings(ctx), search, keys));
  const members = rows.map((row) => JSON.parse(row.ids) as string[]);
  const wanted = members.flatMap((ids) => ids.slice(0, GROUP_PEOPLE));
  const people = await ctx.db
    .select(ALUMNI_PERSON_COLUMNS)
    .from(alumni)
    .where(inArray(alumni.id, sql`(SELECT value FROM json_each(${JSON.stringify(wanted)}))`));
  const byId = new Map(people.map((person) => [person.id, alumniRowView(ctx, person)]));
  auditLook(ctx, { action: "alumni.duplicates" }, people);
  return members.map((ids) => {
    const views = ids.flatMap((id) => byId.get(id) ?? []);
    return { people: views, count: ids.length, reasons: duplicateReasons(views) };
  });
}

export type DuplicatePage = View<typeof listDuplicates>;

/** Marks rows as different people, or removes the mark. Needs Alumni_Write. */
export async function setNotDuplicate(
  ctx: AppContext,
  { ids, distinct }: Parsed<typeof notDuplicateInput>,
): Promise<{ pairs: number }> {
  authorize(ctx, { action: "Alumni_Write" });
  const sorted = ids.toSorted();
  const pairs = JSON.stringify(sorted.flatMap((low, at) => sorted.slice(at + 1).map((high) => [low, high])));
  const change = distinct
    ? sql`INSERT INTO alumni_distinct (low_id, high_id, user_id, created_date)
        SELECT value ->> 0, value ->> 1, ${requireSignedIn(ctx).userId}, ${ctx.now().getTime()} FROM json_each(${pairs})
        WHERE (SELECT count(*) FROM alumni WHERE id IN (value ->> 0, value ->> 1)) = 2
        ON CONFLICT DO NOTHING RETURNING 1 AS one`
    : sql`DELETE FROM alumni_distinct
        WHERE (low_id, high_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${pairs})) RETURNING 1 AS one`;
  const action = distinct ? "alumni.not-duplicate" : "alumni.duplicate-again";
  const [rows = []] = await runBatch(ctx.db, [
    ctx.db.all(change),
    ...auditPeople(ctx, { action, targetType: "alumni", detail: { ids } }, ids),
  ]);
  return { pairs: rows.length };
}
