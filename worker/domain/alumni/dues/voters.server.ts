import { isNull, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import type { ListedState } from "#worker/contract/alumni/dues/dues.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { leftOutCause } from "../segment.server.ts";
import { listOf } from "./book.server.ts";
import { fieldText, requireGradedDueKind } from "./kind.server.ts";

interface VotersAsked {
  period: string;
  kindId: string;
  lifeKindId?: string | undefined;
  at: Date;
}

/**
 * People who had paid a period's dues by a second, are exempt or are life members, without those who had left or died.
 * @throws AppError NOT_FOUND, CONFLICT for a kind whose field of grades is gone
 */
export async function findVoters(ctx: AppContext, { period, kindId, lifeKindId = "", at }: VotersAsked) {
  const { gradeField, amountOf } = await requireGradedDueKind(ctx, kindId);
  const grade = fieldText(gradeField);
  const grades = gradeField ? await ctx.db.selectDistinct({ grade }).from(alumni) : [];
  const exemptGrades = grades.flatMap((row) => (amountOf(String(row.grade)) === 0 ? [String(row.grade)] : []));
  const paid = sql`coalesce((SELECT sum(a.amount) FROM due_allocation a CROSS JOIN deposit d ON d.id = a.deposit_id
    WHERE a.due_id = due.id AND d.paid_date <= ${at.getTime()}), 0)`;
  const isPaid = sql`${paid} >= due.amount`;
  const ofPerson = sql`due.alumni_id = "alumni"."id"`;
  const state = sql<ListedState | null>`CASE
    WHEN ${grade} IN (${listOf(exemptGrades)}) THEN 'life'
    WHEN EXISTS (SELECT 1 FROM due WHERE ${ofPerson} AND kind_id = ${lifeKindId} AND (is_exempt OR ${isPaid})) THEN 'life'
    ELSE (SELECT CASE WHEN is_exempt THEN 'exempt' WHEN ${isPaid} THEN 'paid' END FROM due
      WHERE ${ofPerson} AND period = ${period} AND kind_id = ${kindId}) END`;
  const people = ctx.db
    .select({
      alumniId: sql<string>`${alumni.id}`.as("alumni_id"),
      name: sql<string>`${alumni.name}`.as("shown_name"),
      cohort: sql<number | null>`${alumni.cohort}`.as("shown_cohort"),
      state: state.as("due_state"),
    })
    .from(alumni)
    .where(
      sql`${isNull(alumni.deletedDate)} AND (${leftOutCause("paper")} = '' OR ${alumni.stateDate} > ${koreanDay(at)})`,
    )
    .as("people");
  const statement = ctx.db
    .select({
      alumniId: people.alumniId,
      name: people.name,
      cohort: people.cohort,
      state: sql<ListedState>`${people.state}`.as("due_state"),
    })
    .from(people)
    .where(sql`${people.state} IS NOT NULL`)
    .orderBy(sql`${people.name}`, sql`${people.alumniId}`);
  // In an object, because a returned statement would be run.
  return { statement };
}
