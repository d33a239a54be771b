import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { due, dueKind, dueSum } from "#db/schema/alumni-dues.ts";
import { columnsOf } from "#db/sql.ts";
import { DUE_FIELDS, NOT_IN_BOOK } from "#worker/contract/alumni/dues/charge.ts";
import type * as input from "#worker/contract/alumni/dues/due-input.ts";
import { DUE_STATE_LABELS, DUE_STATE_SQL, type DueState, payDigits } from "#worker/contract/alumni/dues/dues.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { pickFields } from "#worker/contract/kernel/row.ts";
import type { AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import { auditLook, auditPeople } from "../../kernel/audit-entry.server.ts";
import { requireSignedIn } from "../../kernel/authorize.server.ts";
import { auditDifference, conflict, runGuardedBatch } from "../../kernel/guarded-batch.server.ts";
import { countLimits } from "../../kernel/limit.server.ts";
import { unchangedRow } from "../../kernel/ordered-rows.server.ts";
import { sheetDownload } from "../../kernel/sheet-download.server.ts";
import { pastDueFields } from "./kind.server.ts";
import { authorizeDues, dueWorksStatement, dueWorkView } from "./work.server.ts";

const stateOf = (row: string) => sql<DueState>`${sql.raw(DUE_STATE_SQL(row))}`;
const NAME = sql<string>`iif(due.name = '', ${sql.raw(`'${NOT_IN_BOOK}'`)}, due.name)`;
const NEWEST_PERIOD = sql`(SELECT max(period) FROM due)`;

/** In won, of rows like those of `due_sum`; an exempt due counts as one exemption. */
const SUMS = {
  count: sql<number>`coalesce(sum(dues), 0)`.as("count"),
  owed: sql<number>`coalesce(sum(iif(state = 'exempt', 0, amount)), 0)`.as("owed"),
  paid: sql<number>`coalesce(sum(paid), 0)`.as("paid_sum"),
  open: sql<number>`coalesce(sum(iif(state IN ('unpaid', 'partial'), amount - paid, 0)), 0)`.as("open"),
  exempt: sql<number>`coalesce(sum(iif(state = 'exempt', dues, 0)), 0)`.as("exempt"),
};

const kindsStatement = (db: AppContext["db"]) =>
  db
    .select({ id: dueKind.id, name: dueKind.name, isClosed: dueKind.isClosed })
    .from(dueKind)
    .orderBy(asc(dueKind.sortOrder), asc(dueKind.id));

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
    keyword
      ? sql`alumni_id IN (SELECT id FROM alumni WHERE deleted_date IS NULL AND instr(replace(name, ' ', ''), ${keyword.replaceAll(" ", "")}))`
      : undefined,
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
          kindName: sql<string>`coalesce(due_kind.name, '')`.as("kind_name"),
          state: stateOf("due").as("due_state"),
        })
        .from(due)
        .leftJoin(dueKind, eq(dueKind.id, due.kindId))
        .where(where)
        .orderBy(desc(due.period), asc(due.name), asc(due.alumniId), asc(due.kindId)),
      query,
    ),
    db.select(SUMS).from(counted),
    dueWorksStatement(db),
    kindsStatement(db),
  ]);
  const [found, sums, works, kinds] = rows;
  const { keyword: _keyword, size: _size, ...detail } = query;
  const people = found.map((row) => row.alumniId);
  auditLook(ctx, { action: "due.list", targetType: "due", detail }, people);
  const content = found.map((row) => ({ ...row, digits: payDigits(row.alumniId) }));
  return {
    ...makeCountedPage(query, content, sums),
    sums: sums[0],
    kinds,
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

/** @throws AppError NOT_FOUND, CONFLICT for a stale version, INVALID_INPUT below what is paid */
export async function changeDue(ctx: AppContext, id: string, given: Parsed<typeof input.changeDueInput>) {
  authorizeDues(ctx);
  const before = await requireDue(ctx, id);
  const set = { ...pickFields(DUE_FIELDS, given), reason: given.isExempt ? given.reason : "" };
  const detail = { fields: Object.keys(auditDifference(before, set).after), exempt: set.isExempt || undefined };
  const version = given.version + 1;
  const below = () => invalidInput({ amount: "이미 낸 금액보다 적게 고칠 수 없습니다. 먼저 입금을 푸십시오." });
  await runGuardedBatch(
    ctx,
    [
      unchangedRow(due, id, given.version),
      { holds: sql`(SELECT paid FROM due WHERE id = ${id}) <= ${set.amount}`, error: below },
    ],
    [
      ctx.db
        .update(due)
        .set({ ...set, modifiedDate: ctx.now(), version })
        .where(eq(due.id, id)),
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
  const error = () => conflict("입금과 맞춘 회비는 삭제할 수 없습니다. 먼저 입금을 푸십시오.");
  await runGuardedBatch(
    ctx,
    [unchangedRow(due, id, version), { holds: isUnpaid, error }],
    [
      ctx.db.delete(due).where(eq(due.id, id)),
      ...auditPeople(ctx, { action: "due.delete", targetType: "due", targetId: id, detail: { period } }, [alumniId]),
    ],
  );
  return { id };
}

/** Sums of every year, and of each cohort in one of them, by default the newest. */
export async function getDueFigures(scope: RequestScope, query: Parsed<typeof input.dueFiguresQuery>) {
  const { db } = scope;
  const asked = sql`coalesce(${query.year ?? null}, substr(${NEWEST_PERIOD}, 1, 4))`;
  const { rows } = await scope.readFor(authorizeDues, [
    db
      .select({ label: sql<string>`substr(period, 1, 4)`.as("label"), ...SUMS })
      .from(dueSum)
      .groupBy(sql`1`)
      .orderBy(sql`1 DESC`),
    db
      .select({ label: sql<string>`iif(cohort = '', '기수 없음', cohort || '기')`.as("label"), ...SUMS })
      .from(dueSum)
      .where(sql`period >= ${asked} AND period < CAST(${asked} + 1 AS TEXT)`)
      .groupBy(dueSum.cohort)
      .orderBy(sql`cohort = ''`, sql`CAST(cohort AS INTEGER)`),
    kindsStatement(db),
  ]);
  const [years, cohorts, kinds] = rows;
  return { years, cohorts, kinds, year: query.year ?? years[0]?.label ?? "", date: scope.now().toISOString() };
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
      kindName: sql<string>`coalesce(due_kind.name, '')`.as("kind_name"),
      amount: sql<number>`ledger.amount`.as("owed"),
      paid: sql<number>`paid`,
      state: stateOf("ledger").as("due_state"),
      days: sql<string | null>`days`,
    })
    .from(
      sql`(SELECT ${NAME} AS shown_name, due.cohort, due.alumni_id, due.kind_id, due.amount, due.is_exempt, coalesce((SELECT sum(a.amount) ${payments}), 0) AS paid,
          (SELECT group_concat(day, ', ') FROM (SELECT DISTINCT date(d.paid_date / 1000 + 32400, 'unixepoch') AS day ${payments} ORDER BY 1)) AS days
        FROM due WHERE due.period = ${period}) ledger
        LEFT JOIN due_kind ON due_kind.id = ledger.kind_id`,
    )
    .where(kind && sql`ledger.kind_id = ${kind} AND ${stateOf("ledger")} IN ('paid', 'exempt')`)
    .orderBy(sql`due_kind.sort_order, kind_id, shown_name, alumni_id`);
}

/** People who had paid in full by a second, and those exempt: a fixed list for a general meeting. */
export async function listPaidBy(scope: RequestScope, { period, kindId, at }: Parsed<typeof input.paidByQuery>) {
  const kind = sql`coalesce(${kindId ?? null}, (SELECT id FROM due_kind ORDER BY sort_order, id LIMIT 1))`;
  const { ctx, rows } = await scope.readFor(authorizeDues, [
    ledgerStatement(scope, sql`coalesce(${period ?? null}, ${NEWEST_PERIOD})`, kind, at),
  ]);
  const detail = { period, kindId, at: at?.toISOString() };
  const people = rows[0].map(({ alumniId }) => alumniId);
  auditLook(ctx, { action: "due.list", targetType: "due", detail }, people);
  const those = (state: DueState) =>
    rows[0].filter((row) => row.state === state).map(({ alumniId: id, name, cohort }) => ({ id, name, cohort }));
  return { paid: those("paid"), exempt: those("exempt") };
}

export type PaidByList = View<typeof listPaidBy>;

const LEDGER_HEADS = ["이름", "기수", "종류", "연도", "청구액", "낸 금액", "상태", "낸 날"];

/** Dues of a period with the days on which they were paid. Needs Dues_Manage and a reason. */
export async function exportLedger(ctx: AppContext, asked: Parsed<typeof input.exportLedgerInput>) {
  authorizeDues(ctx);
  await countLimits(ctx, ["exportDay", requireSignedIn(ctx).userId]);
  const { reason, ...detail } = asked;
  const { period, kindId, at, format } = asked;
  const rows = await ledgerStatement(ctx, sql`${period}`, kindId ? sql`${kindId}` : undefined, at);
  const people = rows.map(({ alumniId }) => alumniId);
  await ctx.db.batch(auditPeople(ctx, { action: "due.export", targetType: "export", reason, detail }, people));
  const name = kindId ? "회비납부자" : "회비대장";
  return sheetDownload(ctx, format, name, LEDGER_HEADS, rows, (row) => {
    const state = DUE_STATE_LABELS[row.state];
    return [row.name, row.cohort ?? "", row.kindName, period, row.amount, row.paid, state, row.days ?? ""];
  });
}
