import { and, asc, desc, eq, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { alumni } from "#db/schema.ts";
import type { AppContext, Door } from "#worker/context.server.ts";
import type { AlumniListPage, AlumniRow, AlumniSort, ListAlumniQuery } from "#worker/contract/alumni.ts";
import { searchWords } from "#worker/contract/alumni-search.ts";
import { type Page, pageOf } from "#worker/contract/envelope.ts";
import { ALUMNI } from "#worker/contract/limits.ts";
import { can, permit, signedIn } from "../access.server.ts";
import { audit } from "../audit.server.ts";
import { countLimits } from "../limit.server.ts";
import { PERSON_COLUMNS, personView } from "./row.server.ts";

export type Filter = Pick<ListAlumniQuery, "keyword" | "cohort" | "graduationYear" | "affiliation">;

/** People not in the bin. Closed contact fields are no place to search in for those who may not see them. */
export function peopleWhere(filter: Filter, office: boolean): SQL | undefined {
  const text = office ? alumni.searchAll : alumni.searchOpen;
  return and(
    isNull(alumni.deletedDate),
    filter.cohort === undefined ? undefined : eq(alumni.cohort, filter.cohort),
    filter.graduationYear === undefined ? undefined : eq(alumni.graduationYear, filter.graduationYear),
    filter.affiliation ? sql`instr(${alumni.affiliation}, ${filter.affiliation}) > 0` : undefined,
    ...searchWords(filter.keyword ?? "").map((word) =>
      word.isInitials
        ? sql`(instr(${alumni.initials}, ${word.text}) > 0 OR instr(${text}, ${word.text}) > 0)`
        : sql`instr(${text}, ${word.text}) > 0`,
    ),
  );
}

export function peopleOrder({ field, descending }: AlumniSort): SQL[] {
  const direction = descending ? desc : asc;
  const first = direction(alumni[field]);
  return field === "name" ? [first, direction(alumni.id)] : [first, direction(alumni.name), direction(alumni.id)];
}

const IN_ORDER: Partial<Record<AlumniSort["field"], string>> = {
  name: "alumni_name",
  cohort: "alumni_cohort",
  graduationYear: "alumni_year",
  affiliation: "alumni_affiliation",
};

/** The index to go down, so that no whole row is read before it is known to be shown. */
function indexFor(filter: Filter, inOrder: string | undefined): SQL {
  // One cohort or year is few people, and which of the two is fewer the planner knows.
  if (filter.cohort !== undefined || filter.graduationYear !== undefined) return sql``;
  const searched = Boolean(filter.keyword || filter.affiliation);
  return sql.raw(` INDEXED BY ${searched ? "alumni_search" : (inOrder ?? "alumni_search")}`);
}

function listStatements(db: Db, query: ListAlumniQuery, office: boolean, size: number) {
  const where = peopleWhere(query, office);
  const order = peopleOrder(query.sort);
  const index = indexFor(query, IN_ORDER[query.sort.field]);
  return [
    db
      .select(PERSON_COLUMNS)
      .from(alumni)
      .where(
        sql`${alumni.id} IN (SELECT ${alumni.id} FROM ${alumni}${index} WHERE ${where}
          ORDER BY ${sql.join(order, sql`, `)} LIMIT ${size} OFFSET ${(query.page - 1) * size})`,
      )
      .orderBy(...order),
    db
      .select({ count: sql<number>`(SELECT count(*) FROM ${alumni}${indexFor(query, IN_ORDER.name)} WHERE ${where})` })
      .from(sql`(SELECT 1)`),
  ] as const;
}

/** Without a keyword the statements are the same for everybody, and one trip does. */
async function readList<T extends readonly never[] | ReturnType<typeof optionStatements>>(
  door: Door,
  query: ListAlumniQuery,
  more: T,
) {
  const early = query.keyword || query.size > ALUMNI.memberPageSize ? await door.context() : null;
  const office = early ? can(early.actor, { action: "Alumni_Write" }) : false;
  const size = office ? query.size : Math.min(query.size, ALUMNI.memberPageSize);
  const { ctx, rows } = await door.read([...listStatements(door.db, query, office, size), ...more]);
  permit(ctx, { action: "Alumni_Read" });
  return { ctx, rows: rows as readonly unknown[], size };
}

type People = Awaited<ReturnType<typeof listStatements>[0]>;
type Counts = Awaited<ReturnType<typeof listStatements>[1]>;

async function shown(ctx: AppContext, query: ListAlumniQuery, read: Awaited<ReturnType<typeof readList>>) {
  const people = read.rows[0] as People;
  const totalElements = (read.rows[1] as Counts)[0]?.count ?? 0;
  await tell(ctx, people.length, query);
  return pageOf(
    people.map((person) => personView(ctx, person)),
    { page: query.page, size: read.size, totalElements },
  );
}

/** A member's rows are counted, so that the book cannot be copied page by page; the office's look is on record. */
async function tell(ctx: AppContext, subjectCount: number, query: ListAlumniQuery): Promise<void> {
  if (subjectCount === 0) return;
  if (!can(ctx.actor, { action: "Alumni_Write" })) {
    await countLimits(ctx, ["alumniRows", signedIn(ctx).userId, subjectCount]);
    return;
  }
  const detail = { page: query.page, filtered: Boolean(query.keyword || query.cohort || query.graduationYear) };
  ctx.defer(audit(ctx, { action: "alumni.list", targetType: "alumni", subjectCount, detail }).run());
}

/** GET alumni: needs Alumni_Read. */
export async function listAlumni(door: Door, query: ListAlumniQuery): Promise<Page<AlumniRow>> {
  const read = await readList(door, query, []);
  return shown(read.ctx, query, read);
}

const OPTIONS_MAX = 300;
/** Each value that an index holds, by one step of it a value, in place of reading the index through. */
function valuesOf(db: Db, index: string, column: "cohort" | "graduation_year" | "affiliation", descending = false) {
  const [end, beyond] = descending ? ["max", "<"] : ["min", ">"];
  const none = column === "affiliation" ? "''" : descending ? "9999" : "-1";
  const next = (from: string) =>
    `(SELECT ${end}(a.${column}) FROM alumni a INDEXED BY ${index} WHERE a.deleted_date IS NULL AND a.${column} ${beyond} ${from})`;
  return db.all<{ value: string | number }>(
    sql.raw(
      `WITH RECURSIVE step (value) AS (SELECT ${next(none)} UNION ALL SELECT ${next("step.value")} FROM step WHERE step.value IS NOT NULL LIMIT ${OPTIONS_MAX + 1}) SELECT value FROM step WHERE value IS NOT NULL`,
    ),
  );
}
const optionStatements = (db: Db) =>
  [
    valuesOf(db, "alumni_cohort", "cohort"),
    valuesOf(db, "alumni_year", "graduation_year", true),
    valuesOf(db, "alumni_affiliation", "affiliation"),
  ] as const;

/** The list with its filters' choices and the caller's rights, for the page. */
export async function alumniListPage(door: Door, query: ListAlumniQuery): Promise<AlumniListPage> {
  const read = await readList(door, query, optionStatements(door.db));
  const { ctx } = read;
  const people = await shown(ctx, query, read);
  const [cohorts, years, affiliations] = read.rows.slice(2) as [
    { value: number }[],
    { value: number }[],
    { value: string }[],
  ];
  return {
    people,
    query: {
      keyword: query.keyword ?? "",
      cohort: String(query.cohort ?? ""),
      graduationYear: String(query.graduationYear ?? ""),
      affiliation: query.affiliation ?? "",
      sort: `${query.sort.field},${query.sort.descending ? "DESC" : "ASC"}`,
    },
    options: {
      cohorts: cohorts.map((row) => row.value),
      graduationYears: years.map((row) => row.value),
      affiliations: affiliations.map((row) => row.value),
    },
    mine: await ownEntry(ctx),
    can: {
      write: can(ctx.actor, { action: "Alumni_Write" }),
      remove: can(ctx.actor, { action: "Alumni_Delete" }),
      export: can(ctx.actor, { action: "Alumni_Export" }),
      import: can(ctx.actor, { action: "Alumni_Import" }),
    },
  };
}

/** The entry that carries the caller's verified e-mail address. */
async function ownEntry(ctx: AppContext): Promise<AlumniRow | null> {
  const [person] = await ctx.db
    .select(PERSON_COLUMNS)
    .from(alumni)
    .where(
      and(
        isNull(alumni.deletedDate),
        ne(alumni.email, ""),
        sql`${alumni.email} = (SELECT user_key_code FROM user_key WHERE user_id = ${signedIn(ctx).userId} AND user_key_type = 'Email' AND verified_date IS NOT NULL)`,
      ),
    )
    .limit(1);
  return person ? personView(ctx, person) : null;
}
