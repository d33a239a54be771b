import { and, asc, desc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import { due, dueKind, dueListPerson, dueSum, dueWork } from "#db/schema/alumni-dues.ts";
import { columnsOf } from "#db/sql.ts";
import type * as input from "#worker/contract/alumni/dues/due-input.ts";
import {
  DUE_FIELDS,
  DUE_STATE_SQL,
  DUE_WORK_LABELS,
  type DueState,
  isFeePeriod,
  LISTED_STATE_LABELS,
  type ListedState,
  payDigits,
} from "#worker/contract/alumni/dues/dues.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { koreanDateTime, koreanDay, koreanLongDay } from "#worker/contract/kernel/korea.ts";
import { pickFields } from "#worker/contract/kernel/row.ts";
import type { AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import { auditLook, auditPeople } from "../../kernel/audit-entry.server.ts";
import { requireSignedIn } from "../../kernel/authorize.server.ts";
import { type BatchGuard, conflict, runGuardedBatch } from "../../kernel/guarded-batch.server.ts";
import { auditDifference } from "../../kernel/audit-difference.ts";
import { storeIdempotentAnswer } from "../../kernel/idempotency.server.ts";
import { unchangedRow } from "../../kernel/ordered-rows.server.ts";
import { auditedSheet, countExport } from "../../kernel/sheet-download.server.ts";
import { namedLike } from "../filter.server.ts";
import { pastDueFields, requireDueKind } from "./kind.server.ts";
import { storeAddedRows } from "../deed/deed-tables.server.ts";
import { findVoters } from "./voters.server.ts";
import {
  authorizeDues,
  dueWorksStatement,
  dueWorkView,
  isFeeSql,
  kindNameSql,
  PAID_DAY,
  recountStatements,
} from "./work.server.ts";

const stateOf = (row: string) => sql<DueState>`${sql.raw(DUE_STATE_SQL(row))}`;
const NOT_IN_BOOK = "주소록에 없음";
const NAME = sql<string>`iif(due.name = '', ${sql.raw(`'${NOT_IN_BOOK}'`)}, due.name)`;
const FIXED_LISTS_SHOWN = 50;
/** Of dues; of fees where there are no others. */
const NEWEST_PERIOD = sql`coalesce((SELECT max(period) FROM due WHERE NOT ${isFeeSql("due")}), (SELECT max(period) FROM due))`;
const FIGURE_YEAR = sql<string>`substr(period, 1, 4) || iif(${isFeeSql("due_sum")}, ' 행사', '')`;

/** In won, of rows like those of `due_sum`; an exempt due counts as one exemption. */
const SUMS = {
  count: sql<number>`coalesce(sum(dues), 0)`.as("count"),
  owed: sql<number>`coalesce(sum(iif(state = 'exempt', 0, amount)), 0)`.as("owed"),
  paid: sql<number>`coalesce(sum(iif(state = 'exempt', 0, paid)), 0)`.as("paid_sum"),
  open: sql<number>`coalesce(sum(iif(state IN ('unpaid', 'partial'), amount - paid, 0)), 0)`.as("open"),
  exempt: sql<number>`coalesce(sum(iif(state = 'exempt', dues, 0)), 0)`.as("exempt"),
};

const kindsStatement = (db: AppContext["db"]) =>
  db
    .select({ id: dueKind.id, name: dueKind.name, isClosed: dueKind.isClosed })
    .from(dueKind)
    .orderBy(asc(dueKind.sortOrder), asc(dueKind.id));

/** Jumps from period to period of the index. */
const periodsStatement = (db: AppContext["db"]) =>
  db.select({ value: sql<string>`v` }).from(sql`(WITH RECURSIVE p(v) AS (SELECT max(period) FROM due_sum
      UNION ALL SELECT (SELECT max(period) FROM due_sum WHERE period < v) FROM p WHERE v IS NOT NULL) SELECT v FROM p WHERE v IS NOT NULL)`);

const LISTED = [
  "id",
  "alumniId",
  "cohort",
  "period",
  "amount",
  "paid",
  "isExempt",
  "reason",
  "dueDay",
  "version",
] as const;

/** The newest period, unless a name is searched for in all of them. */
const duesWhere = ({ keyword, period, kindId, state }: Parsed<typeof input.listDuesQuery>, stateSql: SQL) =>
  and(
    period ? sql`period = ${period}` : keyword ? undefined : sql`period = ${NEWEST_PERIOD}`,
    kindId ? sql`kind_id = ${kindId}` : undefined,
    state ? sql`${stateSql} = ${state}` : undefined,
    keyword ? sql`alumni_id IN (${namedLike(keyword)})` : undefined,
  );

/** The console's page of dues: list, totals of the filter, and the works that can be undone. */
export async function listDues(scope: RequestScope, query: Parsed<typeof input.listDuesQuery>) {
  const { db } = scope;
  const where = duesWhere(query, stateOf("due"));
  const counted = query.keyword
    ? sql`(SELECT 1 AS dues, amount, paid, ${stateOf("due")} AS state FROM due WHERE ${where})`
    : sql`${dueSum} WHERE ${duesWhere(query, sql`state`)}`;
  const { ctx, rows } = await scope.readFor(authorizeDues, [
    rowsOfPage(
      db
        .select({
          ...columnsOf(due, ...LISTED),
          name: NAME.as("shown_name"),
          kindName: kindNameSql("due").as("kind_name"),
          state: stateOf("due").as("due_state"),
        })
        .from(due)
        .where(where)
        .orderBy(desc(due.period), asc(due.name), asc(due.alumniId), asc(due.kindId)),
      query,
    ),
    db.select(SUMS).from(counted),
    dueWorksStatement(db),
    kindsStatement(db),
    periodsStatement(db),
  ]);
  const [found, sums, works, kinds, periods] = rows;
  const { keyword: _keyword, size: _size, ...detail } = query;
  const people = found.map((row) => row.alumniId);
  auditLook(ctx, { action: "due.list", targetType: "due", detail }, people);
  const content = found.map((row) => ({ ...row, digits: payDigits(isFeePeriod(row.period) ? row.id : row.alumniId) }));
  return {
    ...makeCountedPage(query, content, sums),
    sums: sums[0],
    kinds,
    periods: periods.map(({ value }) => value),
    works: works.map((row) => dueWorkView(ctx, row)),
    begins: pastDueFields(ctx).map(({ code, name }) => ({ value: code, label: name })),
    year: koreanDay(ctx.now()).slice(0, 4),
  };
}

export type DuesPage = View<typeof listDues>;
export type DueRow = DuesPage["content"][number];

async function requireDue(ctx: AppContext, id: string) {
  const [found] = await ctx.db.select().from(due).where(eq(due.id, id));
  if (!found) throw new AppError("NOT_FOUND", { message: "회비를 찾을 수 없습니다." });
  return found;
}

/** Opens the deposits that paid a due, as far as they paid it. */
function giveBackStatements(ctx: AppContext, id: string) {
  const isOfDue = sql`due_id = ${id}`;
  return [
    ctx.db.run(sql`UPDATE deposit SET is_closed = 0, version = version + 1
      WHERE id IN (SELECT deposit_id FROM due_allocation WHERE ${isOfDue})`),
    ...recountStatements(ctx, isOfDue, sql`NOT (${isOfDue})`),
    ctx.db.run(sql`DELETE FROM due_allocation WHERE ${isOfDue}`),
  ];
}

/** @param paid what the office saw as paid, and agreed to give back */
function exemptionGuard(id: string, paid: number | undefined): BatchGuard {
  const refusal = () =>
    paid === undefined
      ? invalidInput({ paid: "이미 낸 돈이 있습니다. 낸 돈을 입금으로 되돌린다고 표시해 주십시오." })
      : conflict("그사이 낸 금액이 바뀌었습니다. 다시 확인해 주십시오.");
  return { holds: sql`(SELECT paid FROM due WHERE id = ${id}) = ${paid ?? 0}`, error: refusal };
}

/**
 * An exemption gives what was paid back to its deposits, which are open again. @throws AppError NOT_FOUND, CONFLICT for a
 * stale version or another sum paid than the office saw, INVALID_INPUT below what is paid
 */
export async function changeDue(ctx: AppContext, id: string, given: Parsed<typeof input.changeDueInput>) {
  authorizeDues(ctx);
  const before = await requireDue(ctx, id);
  const set = { ...pickFields(DUE_FIELDS, given), reason: given.isExempt ? given.reason : "" };
  const detail = { fields: Object.keys(auditDifference(before, set).after), exempt: set.isExempt || undefined };
  const version = given.version + 1;
  const below = () =>
    invalidInput({ amount: "이미 낸 금액보다 적게 고칠 수 없습니다. 먼저 입금 연결을 해제해 주십시오." });
  const paidGuard = set.isExempt
    ? exemptionGuard(id, given.paid)
    : { holds: sql`(SELECT paid FROM due WHERE id = ${id}) <= ${set.amount}`, error: below };
  await runGuardedBatch(
    ctx,
    [unchangedRow(due, id, given.version), paidGuard],
    [
      ctx.db
        .update(due)
        .set({ ...set, modifiedDate: ctx.now(), version })
        .where(eq(due.id, id)),
      ...(set.isExempt ? giveBackStatements(ctx, id) : []),
      ...auditPeople(ctx, { action: "due.change", targetType: "due", targetId: id, detail }, [before.alumniId]),
    ],
  );
  return { version };
}

/** @throws AppError NOT_FOUND, CONFLICT once something was paid */
export async function deleteDue(ctx: AppContext, id: string, version: number) {
  authorizeDues(ctx);
  const { alumniId, period } = await requireDue(ctx, id);
  const isUnpaid = sql`NOT EXISTS (SELECT 1 FROM due_allocation WHERE due_id = ${id})`;
  const error = () => conflict("입금과 맞춘 회비는 삭제할 수 없습니다. 먼저 입금 연결을 해제해 주십시오.");
  const guards = [unchangedRow(due, id, version), { holds: isUnpaid, error }];
  await runGuardedBatch(ctx, guards, [
    ctx.db.delete(due).where(eq(due.id, id)),
    ...auditPeople(ctx, { action: "due.delete", targetType: "due", targetId: id, detail: { period } }, [alumniId]),
  ]);
  return { id };
}

/** Sums of every year, and of each cohort in one of them, by default the newest; and the fixed lists. */
export async function getDueFigures(scope: RequestScope, query: Parsed<typeof input.dueFiguresQuery>) {
  const { db } = scope;
  const asked = sql`coalesce(${query.year ?? null}, substr(${NEWEST_PERIOD}, 1, 4))`;
  const { rows } = await scope.readFor(authorizeDues, [
    db
      .select({ label: FIGURE_YEAR.as("label"), ...SUMS })
      .from(dueSum)
      .groupBy(sql`1`)
      .orderBy(sql`1 DESC`),
    db
      .select({ label: sql<string>`iif(cohort = '', '기수 없음', cohort || '기')`.as("label"), ...SUMS })
      .from(dueSum)
      .where(sql`period >= ${asked} AND period < CAST(${asked} + 1 AS TEXT) AND NOT ${isFeeSql("due_sum")}`)
      .groupBy(dueSum.cohort)
      .orderBy(sql`cohort = ''`, sql`CAST(cohort AS INTEGER)`),
    kindsStatement(db),
    db
      .select({
        id: dueWork.id,
        kind: dueWork.kind,
        name: dueWork.name,
        count: dueWork.added,
        createdDate: dueWork.createdDate,
      })
      .from(dueWork)
      .where(and(inArray(dueWork.kind, ["list", "voters"]), isNull(dueWork.undoneDate)))
      .orderBy(desc(dueWork.createdDate), dueWork.id)
      .limit(FIXED_LISTS_SHOWN),
  ]);
  const [years, cohorts, kinds, lists] = rows;
  return {
    years,
    cohorts,
    kinds,
    lists: lists.map((list) => ({ ...list, createdDate: list.createdDate.toISOString() })),
    year: query.year ?? years.find(({ label }) => /^\d{4}$/.test(label))?.label ?? "",
    date: scope.now().toISOString(),
  };
}

export type DueFigures = View<typeof getDueFigures>;

/** Dues of a period with what was paid by a second, by default now. @param kind limits them to who paid or is exempt */
function ledgerStatement({ db, now }: Pick<RequestScope, "db" | "now">, period: SQL, kind: SQL | undefined, at?: Date) {
  const payments = sql`FROM due_allocation a CROSS JOIN deposit d ON d.id = a.deposit_id
    WHERE a.due_id = due.id AND d.paid_date <= ${(at ?? now()).getTime()}`;
  return db
    .select({
      alumniId: sql<string>`alumni_id`,
      name: sql<string>`ledger.shown_name`.as("shown_name"),
      cohort: sql<number | null>`cohort`,
      kindName: kindNameSql("ledger").as("kind_name"),
      amount: sql<number>`ledger.amount`.as("owed"),
      paid: sql<number>`paid`,
      state: stateOf("ledger").as("due_state"),
      days: sql<string | null>`days`,
    })
    .from(
      sql`(SELECT ${NAME} AS shown_name, due.cohort, due.alumni_id, due.kind_id, due.period, due.amount, due.is_exempt, coalesce((SELECT sum(a.amount) ${payments}), 0) AS paid,
          (SELECT group_concat(day, ', ') FROM (SELECT DISTINCT ${PAID_DAY} AS day ${payments} ORDER BY 1)) AS days
        FROM due WHERE due.period = ${period}) ledger
        LEFT JOIN due_kind ON due_kind.id = ledger.kind_id`,
    )
    .where(kind && sql`ledger.kind_id = ${kind} AND ${stateOf("ledger")} IN ('paid', 'exempt')`)
    .orderBy(sql`due_kind.sort_order, kind_id, shown_name, alumni_id`);
}

/** Whom the office saw on a list that it fixed; those destroyed since have left it. */
const listedStatement = (db: AppContext["db"], listId: string) =>
  db
    .select({
      alumniId: dueListPerson.alumniId,
      name: sql<string>`coalesce(alumni.name, ${NOT_IN_BOOK})`.as("shown_name"),
      cohort: alumni.cohort,
      state: dueListPerson.state,
    })
    .from(dueListPerson)
    .leftJoin(alumni, and(eq(alumni.id, dueListPerson.alumniId), isNull(alumni.deletedDate)))
    .where(eq(dueListPerson.workId, listId))
    .orderBy(sql`shown_name`, asc(dueListPerson.alumniId));

function requireListed(people: readonly unknown[]) {
  if (people.length === 0) throw new AppError("NOT_FOUND", { message: "명단을 되돌렸거나 보존 기간이 지났습니다." });
}

/** People who had paid in full by a second, and those exempt; or a list that the office fixed. Needs Dues_Manage. @throws AppError NOT_FOUND for an undone list */
export async function listPaidBy(scope: RequestScope, asked: Parsed<typeof input.paidByQuery>) {
  const { db } = scope;
  const { period, kindId, at, listId } = asked;
  const kind = sql`coalesce(${kindId ?? null}, (SELECT id FROM due_kind ORDER BY sort_order, id LIMIT 1))`;
  const { ctx, rows } = await scope.readFor(authorizeDues, [
    listId
      ? listedStatement(db, listId)
      : ledgerStatement(scope, sql`coalesce(${period ?? null}, ${NEWEST_PERIOD})`, kind, at),
  ]);
  const [found] = rows;
  if (listId) requireListed(found);
  const detail = { period, kindId, at: at?.toISOString(), listId };
  const people = found.map(({ alumniId }) => alumniId);
  auditLook(ctx, { action: "due.list", targetType: "due", detail }, people);
  const those = (state: DueState) =>
    found.filter((row) => row.state === state).map(({ alumniId: id, name, cohort }) => ({ id, name, cohort }));
  return { paid: those("paid"), exempt: those("exempt") };
}

export type PaidByList = View<typeof listPaidBy>;

/**
 * Those who may vote at a second, or a list of them that the office fixed. Needs Dues_Manage. @throws AppError NOT_FOUND for
 * an undone list or an unknown kind
 */
export async function listVoters(ctx: AppContext, asked: Parsed<typeof input.votersQuery>) {
  authorizeDues(ctx);
  const { period = "", kindId = "", lifeKindId, listId, at = ctx.now() } = asked;
  const found = await (listId
    ? listedStatement(ctx.db, listId)
    : (await findVoters(ctx, { period, kindId, lifeKindId, at })).statement);
  if (listId) requireListed(found);
  const detail = { period, kindId, lifeKindId, at: at.toISOString(), listId, voters: true };
  auditLook(
    ctx,
    { action: "due.list", targetType: "due", detail },
    found.map(({ alumniId }) => alumniId),
  );
  return found;
}

export type Voter = View<typeof listVoters>[number];

/** Fixes the list as the office saw it, for a general meeting. Needs Dues_Manage. @throws AppError CONFLICT for another count */
export async function fixPaidBy(ctx: AppContext, asked: Parsed<typeof input.fixPaidByInput>) {
  authorizeDues(ctx);
  const { period, kindId, at, count, isVoters } = asked;
  const kind = await requireDueKind(ctx, kindId);
  const people = isVoters
    ? (await findVoters(ctx, asked)).statement
    : ledgerStatement(ctx, sql`${period}`, sql`${kindId}`, at);
  const id = crypto.randomUUID();
  const { userId } = requireSignedIn(ctx);
  const work = isVoters ? "voters" : "list";
  const name = `${isVoters ? `${DUE_WORK_LABELS.voters} ` : ""}${period} ${kind.name}, ${koreanLongDay(at)} ${koreanDateTime(at).slice(11, 16)} 기준`;
  const detail = { kind: kind.name, period, at: at.toISOString(), voters: isVoters || undefined };
  const listed = { ids: sql`SELECT alumni_id AS id FROM due_list_person WHERE work_id = ${id}`, count };
  const guard = {
    holds: sql`(SELECT count(*) FROM ${people}) = ${count}`,
    error: () => conflict("그사이 명단이 바뀌었습니다. 다시 확인해 주십시오."),
  };
  await runGuardedBatch(ctx, guard, [
    ctx.db.insert(dueWork).values({ id, kind: work, name, userId, added: count, createdDate: ctx.now() }),
    ctx.db.run(
      sql`INSERT INTO due_list_person (work_id, alumni_id, state) SELECT ${id}, alumni_id, due_state FROM ${people}`,
    ),
    ...storeAddedRows(ctx, id, { listed: sql`t.work_id = ${id}` }),
    ...auditPeople(ctx, { action: "due.fix", targetType: "dueWork", targetId: id, detail }, listed),
    ...storeIdempotentAnswer(ctx, { id }),
  ]);
  return { id };
}

/** Dues of a period with the days on which they were paid, or a fixed list. Needs Dues_Manage and a reason. */
export async function exportLedger(ctx: AppContext, asked: Parsed<typeof input.exportLedgerInput>) {
  authorizeDues(ctx);
  await countExport(ctx);
  const { reason: _reason, ...detail } = asked;
  const { period, kindId, at, listId, isVoters, lifeKindId } = asked;
  const entryOver = (rows: readonly { alumniId: string }[]) =>
    ({ action: "due.export", targetType: "export", detail, people: rows.map(({ alumniId }) => alumniId) }) as const;
  const name = { label: "이름", text: (row: { name: string }) => row.name };
  const cohort = { label: "기수", text: (row: { cohort: number | null }) => row.cohort ?? "" };
  const state = { label: "상태", text: (row: { state: ListedState }) => LISTED_STATE_LABELS[row.state] };
  if (listId || isVoters) {
    const rows = await (listId
      ? listedStatement(ctx.db, listId)
      : (await findVoters(ctx, { period, kindId: kindId ?? "", lifeKindId, at: at ?? ctx.now() })).statement);
    if (listId) requireListed(rows);
    return auditedSheet(ctx, asked, entryOver(rows), isVoters ? "선거인명부" : "회비납부자", rows, [
      name,
      cohort,
      state,
    ]);
  }
  const rows = await ledgerStatement(ctx, sql`${period}`, kindId ? sql`${kindId}` : undefined, at);
  return auditedSheet(ctx, asked, entryOver(rows), kindId ? "회비납부자" : "회비대장", rows, [
    name,
    cohort,
    { label: "종류", text: ({ kindName }) => kindName },
    { label: "연도", text: () => period },
    { label: "청구액", text: ({ amount }) => amount },
    { label: "낸 금액", text: ({ paid }) => paid },
    state,
    { label: "낸 날", text: ({ days }) => days ?? "" },
  ]);
}
