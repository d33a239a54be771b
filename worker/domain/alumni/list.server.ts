import { alumniSettings, ownFields } from "./setting.server.ts";
import { and, asc, gt, isNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { alumni } from "#db/schema/alumni.ts";
import { rateLimit } from "#db/schema/kernel.ts";
import { alumniCount } from "#db/schema/alumni-index.ts";
import { makeCountedPage } from "#worker/domain/kernel/page.server.ts";
import type { AppContext, RequestScope, View } from "#worker/domain/kernel/context.ts";
import type { AlumniRow } from "#worker/contract/alumni/view.ts";
import type { ListAlumniQuery } from "#worker/contract/alumni/input.ts";
import {
  alumniSettingsView,
  type AlumniSortChoice,
  type AlumniSortField,
} from "#worker/contract/alumni/alumni-settings.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { Page } from "#worker/contract/kernel/page.ts";
import { ALUMNI_LIMITS, RATE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { alumniBinDays } from "#worker/contract/audit/retention-input.ts";
import { authorize, can, requireSignedIn } from "../kernel/authorize.server.ts";
import { auditLook } from "../kernel/audit-entry.server.ts";
import { countLimitOnce, countLimits, limitsWhere } from "../kernel/limit.server.ts";
import { privacySettingStatement, privacySettingView } from "../audit/retention-setting.server.ts";
import {
  alumniOrder,
  alumniWhere,
  type BookForCaller,
  bookForCaller,
  countByIndex,
  keywordStatement,
  narrowedRows,
  searchesEverything,
  unusableFor,
  usableSort,
} from "./filter.server.ts";
import { type AlumniFilter, setConditions } from "#worker/contract/alumni/conditions.ts";
import { isOwnFieldCode } from "#worker/contract/alumni/own-fields.ts";
import { countByDues } from "./dues/person.server.ts";
import { alumniViewsStatement, seenViews } from "./list-view.server.ts";
import { idsInOwnOrder } from "./own-value.server.ts";
import { CONFIRMATION_COLUMN } from "./confirmation.server.ts";
import { ownEntryStatement } from "./own-entry.server.ts";
import { ALUMNI_PERSON_COLUMNS, alumniRowView } from "./row.server.ts";

const SORT_INDEXES: Partial<Record<AlumniSortField, string>> = {
  name: "alumni_name",
  cohort: "alumni_cohort",
  graduationYear: "alumni_year",
  affiliation: "alumni_affiliation",
};

/** Forces an index, so that only shown rows are read in full; a few known rows need none. */
function indexFor(filter: AlumniFilter, inOrder: string | undefined, few: SQL | null): SQL {
  if (few) return sql` NOT INDEXED`;
  // One cohort or year is small, so the query planner chooses.
  if (filter.cohort !== undefined || filter.graduationYear !== undefined) return sql``;
  const searched = Boolean(filter.keyword || filter.affiliation);
  return sql.raw(` INDEXED BY ${searched ? "alumni_search" : (inOrder ?? "alumni_search")}`);
}

type AlumniQuery = AlumniFilter & { page: number; size: number; sort: AlumniSortChoice };

/** Counts rows only where neither a counter nor an index has the number. */
function countOf(book: BookForCaller, filter: AlumniFilter, where: SQL | undefined, few: SQL | null): SQL {
  const isNarrowed = setConditions(filter).some(({ key }) => key !== "keyword" && key !== "dues");
  if (!filter.keyword && !isNarrowed && filter.dues) return countByDues(filter.dues);
  if (!filter.keyword && !isNarrowed)
    return sql`SELECT coalesce((SELECT ${alumniCount.people} FROM ${alumniCount} WHERE ${alumniCount.id} = 1), 0)`;
  const byRows = sql`SELECT count(*) FROM ${alumni}${indexFor(filter, SORT_INDEXES.name, few)} WHERE ${where}`;
  const isOfIndex = filter.keyword && !isNarrowed && !filter.dues && !few && searchesEverything(book);
  return (isOfIndex && countByIndex(filter.keyword ?? "", byRows)) || byRows;
}

/** @param narrowed condition for a keyword with few matches */
function listStatements({ db }: AppContext, book: BookForCaller, query: AlumniQuery, narrowed: SQL | null) {
  const isUsable = unusableFor(book, query).length === 0;
  const few = isUsable ? narrowed : sql`0`;
  const where = and(few ?? undefined, alumniWhere(book, query));
  const order = alumniOrder(query.sort);
  const { field, descending } = query.sort;
  const ids =
    isOwnFieldCode(field) && !few
      ? idsInOwnOrder({ field, descending }, where, query)
      : sql`SELECT ${alumni.id} FROM ${alumni}${indexFor(query, isOwnFieldCode(field) ? undefined : SORT_INDEXES[field], few)} WHERE ${where}
          ORDER BY ${sql.join(order, sql`, `)} LIMIT ${query.size} OFFSET ${(query.page - 1) * query.size}`;
  return [
    db
      .select({ ...ALUMNI_PERSON_COLUMNS, confirmation: CONFIRMATION_COLUMN })
      .from(alumni)
      .where(sql`${alumni.id} IN (${ids})`)
      .orderBy(...order),
    db
      .select({
        count: sql<number>`(${isUsable ? countOf(book, query, where, few) : sql`0`})`,
      })
      .from(sql`(SELECT 1)`),
  ] as const;
}

function allowedQuery(book: BookForCaller, query: ListAlumniQuery): AlumniQuery {
  const size = book.office ? query.size : Math.min(query.size, ALUMNI_LIMITS.memberPageSize);
  return { ...query, size, sort: usableSort(book, query.sort) };
}

async function listedPage(
  ctx: AppContext,
  query: AlumniQuery,
  people: Awaited<ReturnType<typeof listStatements>[0]>,
  counts: Awaited<ReturnType<typeof listStatements>[1]>,
  surface: "call" | "page",
): Promise<Page<AlumniRow>> {
  const { page, size } = query;
  const isFiltered = setConditions(query).length > 0;
  await recordListing(ctx, people, { page, isFiltered, isByName: Boolean(query.keyword) && page === 1 }, surface);
  const views = people.map((person) => alumniRowView(ctx, person));
  return makeCountedPage({ page, size }, views, counts);
}

const NEAR = 5 / 6;

const isLimitReached = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === "TOO_MANY_REQUESTS";

const hasTaken = (counting: Promise<unknown>): Promise<boolean> =>
  counting.then(
    () => true,
    (error: unknown) => {
      if (isLimitReached(error)) return false;
      throw error;
    },
  );

function readLimitError(ctx: AppContext, { retryAfterSeconds = 0 }: AppError): AppError {
  const { max } = RATE_LIMITS.alumniRows;
  const message = `주소록은 명단이 통째로 옮겨지지 않도록 한 시간에 ${max}명까지 보여 드립니다. ${Math.ceil(retryAfterSeconds / 60)}분 뒤에 다시 보실 수 있습니다. 그동안에도 내 정보와 이름 검색은 쓰실 수 있습니다.`;
  return new AppError("TOO_MANY_REQUESTS", { message, retryAfterSeconds });
}

const readLimitEntry = (ctx: AppContext) => ["alumniRows", requireSignedIn(ctx).userId] as const;

const readLimitStatement = (ctx: AppContext) =>
  ctx.db
    .select()
    .from(rateLimit)
    .where(limitsWhere(ctx, [readLimitEntry(ctx)]));

/** @param error of the refused listing */
function readLimitView(
  ctx: AppContext,
  row: typeof rateLimit.$inferSelect | undefined,
  shown: number,
  error: AppError | null,
) {
  if (can(ctx.actor, { action: "Alumni_Write" })) return null;
  const max = RATE_LIMITS.alumniRows.max;
  const now = ctx.now().getTime();
  const retry = now + (error?.retryAfterSeconds ?? 0) * 1000;
  const reset = row && row.resetDate.getTime() > now ? row : null;
  const until = (reset?.resetDate ?? new Date(retry)).toISOString();
  if (error) return { isUsedUp: true, max, until };
  const count = (reset?.count ?? 0) + shown;
  return reset && count >= max * NEAR ? { isUsedUp: reset.count >= max, max, until } : null;
}

/** The rest of the hourly limit of people shown to a member, once it is low. */
export type AlumniReadLimit = NonNullable<View<typeof readLimitView>>;

/** Limits the rows that a member reads, which prevents copying the book; the office's reads are audited. */
export async function recordListing(
  ctx: AppContext,
  people: readonly { id: string }[],
  { page, isFiltered, isByName = false }: { page: number; isFiltered: boolean; isByName?: boolean },
  surface: "call" | "page",
): Promise<void> {
  const subjectCount = people.length;
  if (subjectCount === 0) return;
  if (!can(ctx.actor, { action: "Alumni_Write" })) {
    const { userId } = requireSignedIn(ctx);
    const counted = ["alumniRows", userId, subjectCount] as const;
    // Opening a panel reloads the same rows, which are counted once.
    const rows = people.map(({ id }) => id).join();
    try {
      if (surface === "page") await countLimitOnce(ctx, ["alumniSameRows", `${userId}\n${rows}`], counted);
      else await countLimits(ctx, counted);
    } catch (error) {
      if (!isLimitReached(error)) throw error;
      const byName = ["alumniNameRows", userId, subjectCount] as const;
      if (!isByName || !(await hasTaken(countLimits(ctx, byName)))) throw readLimitError(ctx, error);
    }
    return;
  }
  const detail = { page, filtered: isFiltered };
  auditLook(ctx, { action: "alumni.list", detail }, people);
}

const authorizeReading = (ctx: AppContext) => authorize(ctx, { action: "Alumni_Read" });

async function openList(scope: RequestScope, { keyword }: ListAlumniQuery) {
  if (!keyword) {
    const ctx = await scope.context();
    authorizeReading(ctx);
    return { ctx, few: null };
  }
  const { ctx, rows } = await scope.readFor(authorizeReading, [keywordStatement(scope.db, keyword)]);
  return { ctx, few: narrowedRows(keyword, rows[0]) };
}

export async function listAlumni(scope: RequestScope, query: ListAlumniQuery): Promise<Page<AlumniRow>> {
  const { ctx, few } = await openList(scope, query);
  const book = bookForCaller(ctx);
  const wanted = allowedQuery(book, query);
  const [people, counts] = await ctx.db.batch([...listStatements(ctx, book, wanted, few)]);
  return listedPage(ctx, wanted, people, counts, "call");
}

const OPTIONS_MAX = 300;
function indexValues(db: Db, index: string, column: "cohort" | "graduation_year" | "affiliation", descending = false) {
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
    indexValues(db, "alumni_cohort", "cohort"),
    indexValues(db, "alumni_year", "graduation_year", true),
    indexValues(db, "alumni_affiliation", "affiliation"),
  ] as const;

/** Data of the list page. Listed fields depend on the settings. */
export async function getAlumniListPage(scope: RequestScope, query: ListAlumniQuery) {
  const { ctx, few } = await openList(scope, query);
  const book = bookForCaller(ctx);
  const { office } = book;
  const wanted = allowedQuery(book, query);
  const [people, counts, cohorts, years, affiliations, own, retention, views, counted] = await ctx.db.batch([
    ...listStatements(ctx, book, wanted, few),
    ...optionStatements(ctx.db),
    ownEntryStatement(ctx),
    privacySettingStatement(ctx.db),
    alumniViewsStatement(ctx.db, requireSignedIn(ctx).userId),
    readLimitStatement(ctx),
  ]);
  const me = own[0] && alumniRowView(ctx, own[0]);
  let refused: AppError | null = null;
  const listed = await listedPage(ctx, wanted, people, counts, "page").catch((error: unknown) => {
    if (!isLimitReached(error)) throw error;
    refused = error;
    return makeCountedPage<AlumniRow>(wanted, [], counts);
  });
  return {
    people: listed,
    readLimit: readLimitView(ctx, counted[0], listed.content.length, refused),
    options: {
      cohorts: cohorts.map((row) => Number(row.value)),
      graduationYears: years.map((row) => Number(row.value)),
      affiliations: affiliations.map((row) => String(row.value)),
    },
    mine: me?.mine ? me : null,
    can: {
      write: office,
      correct: alumniSettings(ctx).ownEntry === "correct",
      remove: can(ctx.actor, { action: "Alumni_Delete" }),
      export: can(ctx.actor, { action: "Alumni_Export" }),
      import: can(ctx.actor, { action: "Alumni_Import" }),
      dues: book.dues,
      mail: office && can(ctx.actor, { action: "ADMIN_Access" }),
      charge: can(ctx.actor, { action: "ADMIN_Access" }) && can(ctx.actor, { action: "Dues_Manage" }),
      certify: office && can(ctx.actor, { action: "ADMIN_Access" }) && ctx.storedSettings.certificateIssuers !== "none",
    },
    alumniSettings: alumniSettingsView(alumniSettings(ctx), ownFields(ctx), office),
    binDays: alumniBinDays(privacySettingView(retention[0]).value),
    views: seenViews(ctx, views),
    /** Conditions of the query that apply to nobody. */
    unusable: unusableFor(book, query),
  };
}

export type AlumniListPage = View<typeof getAlumniListPage>;

/** People per call, about 200 kB. */
const PAGE = 2000;

/**
 * Addresses for the check in the browser against the office's road-name file; fixes return as an import. Needs
 * Alumni_Import and Alumni_Write.
 */
export async function listAddresses(ctx: AppContext, { after }: { after?: string | undefined }) {
  authorize(ctx, { action: "Alumni_Import" });
  authorize(ctx, { action: "Alumni_Write" });
  const people = await ctx.db
    .select({ id: alumni.id, name: alumni.name, zipCode: alumni.zipCode, address: alumni.address })
    .from(alumni)
    .where(
      and(
        isNull(alumni.deletedDate),
        after === undefined ? undefined : gt(alumni.id, after),
        sql`(${alumni.address} <> '' OR ${alumni.zipCode} <> '')`,
      ),
    )
    .orderBy(asc(alumni.id))
    .limit(PAGE);
  auditLook(ctx, { action: "alumni.list", detail: { page: 1, filtered: true } }, people);
  return { people, next: people.length === PAGE ? (people.at(-1)?.id ?? null) : null };
}
