import { asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { confirmationRound, mailing } from "#db/schema/mailing.ts";
import { columnsOf } from "#db/sql.ts";
import type { AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { countRows, makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import { maskRecipient } from "#worker/contract/mail/mail.ts";
import type { ParsedAlumniSelection } from "#worker/contract/alumni/input.ts";
import type { listRoundPeopleQuery, listRoundsQuery } from "#worker/contract/mailing/input.ts";
import { isBounced, type MailingCause, type RecipientState } from "#worker/contract/mailing/mailing.ts";
import type { OutcomeCounts, RoundOutcome } from "#worker/contract/mailing/round.ts";
import { segmentWords } from "../alumni/segment.server.ts";
import { auditLook } from "../kernel/audit-entry.server.ts";
import { authorizeMailing, listedByDues, readListed } from "./mailing.server.ts";
import { roundNotFound } from "./round.server.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";

/**
 * Each person once, with their newest mail and answer. Deleted entries, refusals, complaints and suspensions count as
 * excluded.
 */
const roundPeople = (roundId: string): SQL => sql`
  SELECT latest.person_id, latest.address, latest.state, latest.cause, alumni.name, alumni.cohort, CASE
    WHEN answer.kind IS NOT NULL THEN answer.kind
    WHEN alumni.id IS NULL OR latest.cause IN ('refused', 'suspended', 'inactive') THEN 'excluded'
    WHEN latest.state IN ('bounced', 'failed') OR latest.cause = 'bounced' THEN 'bounced'
    WHEN latest.state = 'complained' THEN 'excluded'
    WHEN latest.cause IN ('no-address', 'changed') THEN 'unreached'
    ELSE 'waiting' END AS outcome
  FROM (
    SELECT r.person_id, r.address, r.state, r.cause, max(m.wave)
    FROM mailing m JOIN mailing_recipient r ON r.mailing_id = m.id WHERE m.round_id = ${roundId} GROUP BY r.person_id
  ) latest
  LEFT JOIN alumni ON alumni.id = latest.person_id AND alumni.deleted_date IS NULL
  LEFT JOIN confirmation_answer answer ON answer.round_id = ${roundId} AND answer.person_id = latest.person_id`;

const mayMail = (ctx: AppContext) => authorizeMailing(ctx, "alumni");

const ROUND_COLUMNS = {
  ...columnsOf(confirmationRound, "id", "status", "startDate", "endDate", "repeatDate", "createdDate"),
  createdUserName: sql<string>`coalesce((SELECT user_name FROM user WHERE user.id = ${confirmationRound.createdUserId}), '')`,
};

const listedRounds = (ctx: AppContext) => listedByDues(ctx, confirmationRound.target);

export async function listRounds(scope: RequestScope, query: Parsed<typeof listRoundsQuery>) {
  const { rows } = await readListed(scope, mayMail, listedRounds, (where) => [
    rowsOfPage(
      scope.db
        .select({
          ...ROUND_COLUMNS,
          people: sql<number>`coalesce((SELECT people FROM mailing WHERE round_id = ${confirmationRound.id} AND wave = 0), 0)`,
          answered: sql<number>`(SELECT count(*) FROM confirmation_answer WHERE round_id = ${confirmationRound.id})`,
        })
        .from(confirmationRound)
        .where(where)
        .orderBy(desc(confirmationRound.createdDate), desc(confirmationRound.id)),
      query,
    ),
    countRows(scope.db, confirmationRound, where),
  ]);
  const content = rows[0].map((row) => ({
    ...fieldsOf(row, "id", "status", "startDate", "endDate", "repeatDate", "createdDate", "createdUserName", "people"),
    answered: row.answered,
  }));
  return makeCountedPage(query, content, rows[1]);
}

export type RoundRow = View<typeof listRounds>["content"][number];

export async function getRound(scope: RequestScope, id: string) {
  const { ctx, rows } = await scope.readFor(mayMail, [
    scope.db
      .select({ round: confirmationRound, createdUserName: ROUND_COLUMNS.createdUserName.as("author_name") })
      .from(confirmationRound)
      .where(eq(confirmationRound.id, id)),
    scope.db
      .select({ id: mailing.id, wave: mailing.wave })
      .from(mailing)
      .where(eq(mailing.roundId, id))
      .orderBy(asc(mailing.wave)),
    scope.db
      .select({
        cohort: sql<number | null>`cohort`.as("round_cohort"),
        outcome: sql<RoundOutcome>`outcome`.as("round_outcome"),
        count: sql<number>`count(*)`.as("round_people"),
      })
      .from(sql`(${roundPeople(id)})`)
      .groupBy(sql`cohort`, sql`outcome`)
      .orderBy(sql`cohort IS NULL`, sql`cohort`),
  ]);
  const [[found], mailings, counts] = rows;
  if (!found) throw roundNotFound();
  const { round, createdUserName } = found;
  const cohorts = new Map<number | null, { cohort: number | null; counts: OutcomeCounts }>();
  for (const { cohort, outcome, count } of counts) {
    const row = cohorts.get(cohort) ?? { cohort, counts: {} };
    row.counts[outcome] = count;
    cohorts.set(cohort, row);
  }
  return {
    ...fieldsOf(round, "id", "status", "reason", "version", "reminderDays", "waves", "startDate", "nextDate"),
    ...fieldsOf(round, "endDate", "repeatDate", "createdDate"),
    createdUserName,
    chosen: "ids" in round.target ? round.target.ids.length : null,
    segment: segmentWords(ctx, round.target as ParsedAlumniSelection),
    cohorts: [...cohorts.values()],
    mailings,
    can: {
      start: round.status === "draft",
      close: round.status === "open",
      repeat: round.status !== "draft" && !("ids" in round.target),
    },
  };
}

export type RoundView = View<typeof getRound>;

export async function listRoundPeople(scope: RequestScope, id: string, query: Parsed<typeof listRoundPeopleQuery>) {
  const wanted = sql`(${query.outcome ?? null} IS NULL OR outcome = ${query.outcome ?? null})
    AND (${query.cohort ?? null} IS NULL OR cohort = ${query.cohort ?? null})`;
  const { ctx, rows } = await scope.readFor(mayMail, [
    scope.db.select({ id: confirmationRound.id }).from(confirmationRound).where(eq(confirmationRound.id, id)),
    rowsOfPage(
      scope.db
        .select({
          personId: sql<string>`person_id`.as("asked_id"),
          name: sql<string | null>`name`.as("asked_name"),
          cohort: sql<number | null>`cohort`.as("asked_cohort"),
          address: sql<string>`address`.as("asked_address"),
          outcome: sql<RoundOutcome>`outcome`.as("asked_outcome"),
          state: sql<RecipientState>`state`.as("asked_state"),
          cause: sql<MailingCause>`cause`.as("asked_cause"),
        })
        .from(sql`(${roundPeople(id)})`)
        .where(wanted)
        .orderBy(sql`cohort IS NULL`, sql`cohort`, sql`name`, sql`person_id`),
      query,
    ),
    scope.db
      .select({ count: sql<number>`count(*)`.as("asked_count") })
      .from(sql`(${roundPeople(id)})`)
      .where(wanted),
  ]);
  const [[found], people, counts] = rows;
  if (!found) throw roundNotFound();
  const detail = { page: query.page, outcome: query.outcome, cohort: query.cohort };
  auditLook(
    ctx,
    { action: "round.view", targetId: id, detail },
    people.map(({ personId }) => personId),
  );
  const content = people.map((row) => ({
    personId: row.personId,
    name: row.name ?? "",
    cohort: row.cohort,
    canMend: isBounced(row) && row.name !== null,
    address: isBounced(row) && row.name !== null ? row.address : maskRecipient(row.address),
    ...fieldsOf(row, "outcome", "state", "cause"),
  }));
  return makeCountedPage(query, content, counts);
}

export type RoundPersonRow = View<typeof listRoundPeople>["content"][number];
