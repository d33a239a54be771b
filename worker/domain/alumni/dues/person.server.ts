import { asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import { due } from "#db/schema/alumni-dues.ts";
import type { Db } from "#db/client.ts";
import { columnsOf, idsIn } from "#db/sql.ts";
import type { PaidYear } from "#worker/contract/alumni/certificate.ts";
import {
  DUE_STATE_LABELS,
  DUE_STATE_SQL,
  isFeePeriod,
  type DuesColumn,
  dueState,
  openAmount,
  payDigits,
} from "#worker/contract/alumni/dues/dues.ts";
import type { DuesFilter } from "#worker/contract/alumni/list.ts";
import { koreanLongDay } from "#worker/contract/kernel/korea.ts";
import { siteSettings } from "#worker/contract/kernel/setting/site-setting.ts";
import type { AppContext, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { auditLook } from "../../kernel/audit-entry.server.ts";
import { authorize, can, requireSignedIn } from "../../kernel/authorize.server.ts";
import { settingStatement } from "../../kernel/setting.server.ts";
import { ownEntriesSql } from "../own-entry.server.ts";
import { authorizeDues, isFeeSql, kindNameSql, PAID_DAY } from "./work.server.ts";

/** Amounts are seen by the person and by the office's holders of the right. */
export const seesDues = ({ actor }: Pick<AppContext, "actor">): boolean =>
  can(actor, { action: "ADMIN_Access" }) && can(actor, { action: "Dues_Manage" });

export const IS_OPEN_DUE = sql`(NOT due.is_exempt AND due.paid < due.amount)`;
const YEAR = sql`substr(due.period, 1, 4)`;

const IS_DUE = sql`NOT ${isFeeSql("due")}`;

/** A year holds its parts: 2026-1, 2026-상반기. */
const isOfPeriod = (period: string | null): SQL =>
  period === null
    ? IS_DUE
    : /^\d{4}$/.test(period)
      ? sql`due.period >= ${period} AND due.period < ${String(Number(period) + 1)} AND ${IS_DUE}`
      : sql`due.period = ${period}`;

const standsAs = (filter: DuesFilter): SQL =>
  "years" in filter
    ? sql`s.period = '' AND CAST(s.state AS INTEGER) >= ${filter.years}`
    : sql`s.period = ${filter.period} AND ${idsIn(sql`s.state`, filter.states)}`;

/** The dues of one period have one state together. @param person its `alumni.id` */
export const matchesDues = (filter: DuesFilter, person: SQL = sql`alumni.id`): SQL =>
  sql`EXISTS (SELECT 1 FROM due_standing s WHERE s.alumni_id = ${person} AND ${standsAs(filter)})`;

export const countByDues = (filter: DuesFilter): SQL =>
  sql`SELECT coalesce(sum(people), 0) FROM due_people s WHERE ${standsAs(filter)}`;

const isOwnedBy = (userId: string | SQL) => sql`due.alumni_id IN ${ownEntriesSql(userId)}`;

const duesStatement = (db: Db, whose: SQL) =>
  db
    .select({
      ...columnsOf(due, "id", "alumniId", "period", "amount", "paid", "isExempt", "dueDay"),
      name: alumni.name,
      kindName: kindNameSql("due").as("kind_name"),
      payments: sql<string>`(SELECT json_group_array(json_object('day', day, 'amount', part)) FROM
        (SELECT ${PAID_DAY} AS day, a.amount AS part FROM due_allocation a JOIN deposit d ON d.id = a.deposit_id
          WHERE a.due_id = due.id ORDER BY d.paid_date, a.id))`.as("payments"),
    })
    .from(due)
    .innerJoin(alumni, eq(alumni.id, due.alumniId))
    .where(whose)
    .orderBy(desc(due.period), asc(due.kindId), asc(due.id))
    .limit(300);

type DueRow = Awaited<ReturnType<typeof duesStatement>>[number];

const dueView = ({ alumniId, name, payments, paid, isExempt, ...row }: DueRow) => ({
  ...row,
  state: dueState({ ...row, paid, isExempt }),
  open: openAmount({ ...row, paid, isExempt }),
  /** The payer writes it, so that the bank's row names the person. */
  payName: `${name}${payDigits(isFeePeriod(row.period) ? row.id : alumniId)}`,
  payments: JSON.parse(payments) as { day: string; amount: number }[],
});

export type PersonDue = ReturnType<typeof dueView>;

/** The sum of the dues that the person has not paid. */
export const openDuesSql = (userId: string): SQL<number> =>
  sql<number>`(SELECT coalesce(sum(due.amount - due.paid), 0) FROM due WHERE ${isOwnedBy(userId)} AND ${IS_OPEN_DUE})`;

/** @param site the stored setting of the site */
export const payAccountOf = (site: { value: unknown } | undefined) => {
  const { duesAccount, duesHolder, duesGuide, duesLink } = siteSettings.parse(site?.value ?? {});
  return { account: duesAccount, holder: duesHolder, guide: duesGuide, link: duesLink };
};

/** The caller's dues, and where to pay them, which only people with dues see. */
export async function listOwnDues(ctx: AppContext) {
  const { userId } = requireSignedIn(ctx);
  authorize(ctx, { action: "User.Self", userId });
  const [rows, [site]] = await ctx.db.batch([
    duesStatement(ctx.db, isOwnedBy(userId)),
    settingStatement(ctx.db, "site"),
  ]);
  return { dues: rows.map(dueView), pay: rows.length > 0 ? payAccountOf(site) : null };
}

export type OwnDues = View<typeof listOwnDues>;

/** For the menu of /Mypage; false for a guest. */
export async function hasOwnDues(scope: RequestScope): Promise<boolean> {
  const { ctx, rows } = await scope.read((viewerId) => [
    scope.db
      .select({ found: sql<number>`EXISTS (SELECT 1 FROM due WHERE ${isOwnedBy(viewerId)})`.as("has_dues") })
      .from(sql`(SELECT 1)`),
  ]);
  return ctx.actor.kind !== "guest" && rows[0][0]?.found === 1;
}

/** The dues of a person of the address book. Needs Dues_Manage. */
export async function listPersonDues(ctx: AppContext, alumniId: string): Promise<PersonDue[]> {
  authorizeDues(ctx);
  const rows = await duesStatement(ctx.db, sql`${due.alumniId} = ${alumniId} AND ${alumni.deletedDate} IS NULL`);
  auditLook(
    ctx,
    { action: "due.list", targetType: "alumni", targetId: alumniId },
    rows.slice(0, 1).map((row) => row.alumniId),
  );
  return rows.map(dueView);
}

const SITE_VALUE = (name: string) =>
  sql`(SELECT value ->> ${sql.raw(`'$.${name}'`)} FROM site_setting WHERE key = 'site')`;

/** A placeholder's value for a row of `alumni`: of the filter's period, or of all open dues. */
export function duesPlaceholder(column: DuesColumn, filter: DuesFilter | undefined): SQL {
  const period = filter && "period" in filter ? filter.period : null;
  const ofOpen = (value: SQL) =>
    sql`(SELECT ${value} FROM due WHERE due.alumni_id = alumni.id AND ${IS_OPEN_DUE} AND ${isOfPeriod(period)})`;
  const day = sql`min(nullif(due.due_day, ''))`;
  const columns: Record<DuesColumn, () => SQL> = {
    dueYear: () => (period === null ? ofOpen(sql`replace(group_concat(DISTINCT ${YEAR}), ',', ', ')`) : sql`${period}`),
    dueAmount: () => ofOpen(sql`iif(count(*) > 0, printf('%,d원', sum(due.amount - due.paid)), '')`),
    // The digits are filled in when the text is: SQL has the length alone.
    duePayer: () => sql`alumni.name || '0000'`,
    dueAccount: () => SITE_VALUE("duesAccount"),
    dueHolder: () => SITE_VALUE("duesHolder"),
    dueDay: () =>
      ofOpen(
        sql`substr(${day}, 1, 4) || '년 ' || CAST(substr(${day}, 6, 2) AS INTEGER) || '월 ' || CAST(substr(${day}, 9, 2) AS INTEGER) || '일'`,
      ),
  };
  return columns[column]();
}

/** The last fully paid year of each person, for a certificate. The caller authorizes. */
export async function lastPaidYears(ctx: AppContext, ids: readonly string[]): Promise<Map<string, PaidYear>> {
  const rows = await ctx.db.all<{ id: string; year: string; amount: number; paidDate: number | null }>(sql`
    SELECT due.alumni_id AS id, ${YEAR} AS year, sum(due.paid) AS amount,
      (SELECT max(d.paid_date) FROM due other JOIN due_allocation a ON a.due_id = other.id JOIN deposit d ON d.id = a.deposit_id
        WHERE other.alumni_id = due.alumni_id AND substr(other.period, 1, 4) = substr(due.period, 1, 4)) AS paidDate
    FROM due WHERE ${idsIn(sql`due.alumni_id`, ids)} AND ${IS_DUE} GROUP BY 1, 2
    HAVING NOT max(${IS_OPEN_DUE}) AND sum(due.paid) > 0 ORDER BY 2`);
  const dayOf = (paidDate: number | null) => (paidDate === null ? "" : koreanLongDay(new Date(paidDate)));
  return new Map(rows.map(({ id, paidDate, ...paid }) => [id, { ...paid, day: dayOf(paidDate) }]));
}

/** A line a due of an account: `2026 연회비 50,000원 완납 (2026-03-02)`. */
export const duesText = (userId: SQL): SQL => sql`(SELECT group_concat(line, char(10)) FROM (
  SELECT concat_ws(' ', due.period, ${kindNameSql("due")}, printf('%,d원', due.amount),
    ${sql.raw(DUE_STATE_SQL("due", DUE_STATE_LABELS))},
    (SELECT '(' || group_concat(DISTINCT ${PAID_DAY}) || ')' FROM due_allocation a JOIN deposit d ON d.id = a.deposit_id
      WHERE a.due_id = due.id)) AS line
  FROM due WHERE ${isOwnedBy(userId)} ORDER BY due.period, due.kind_id))`;

/** Of the caller's entries, with every payment, for the download of their data. The caller authorizes. */
export async function exportOwnDues(ctx: AppContext, userId: string): Promise<PersonDue[]> {
  return (await duesStatement(ctx.db, isOwnedBy(userId))).map(dueView);
}
