import { type SQL, sql } from "drizzle-orm";
import type { proposal } from "#db/schema/proposal.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import type { ProposalResource } from "./authorize.server.ts";

/** An affiliation counts three years after the address book changed it. */
const AFFILIATION_MS = 3 * 366 * DAY_MS;

const addressesOf = (userId: string | SQL) =>
  sql`SELECT user_key_code FROM user_key WHERE user_id = ${userId} AND user_key_type = 'Email' AND verified_date IS NOT NULL`;

const folded = (text: SQL) => sql`lower(replace(${text}, ' ', ''))`;

/** Affiliations of entries with these addresses, now and in the last years, as undo of imports and merges has them. */
const placesOf = (addresses: SQL, now: Date) => sql`SELECT ${folded(sql`e.affiliation`)} AS place FROM alumni AS e
    WHERE e.email <> '' AND e.email IN (${addresses}) AND e.deleted_date IS NULL AND e.affiliation <> ''
  UNION ALL SELECT ${folded(sql`b."values" ->> 'affiliation'`)} FROM alumni AS e JOIN alumni_before AS b ON b.alumni_id = e.id
    WHERE e.email <> '' AND e.email IN (${addresses}) AND e.deleted_date IS NULL AND coalesce(b."values" ->> 'affiliation', '') <> ''
      AND (EXISTS (SELECT 1 FROM alumni_import WHERE id = b.import_id AND created_date > ${now.getTime() - AFFILIATION_MS})
        OR EXISTS (SELECT 1 FROM alumni_merge WHERE id = b.import_id AND created_date > ${now.getTime() - AFFILIATION_MS}))`;

/**
 * The ids of the proposals that a conflict of interest closes to an account: named in them, recused, or with an
 * applicant of the same affiliation. Each list, page, file and log asks this. @param which only these, as `p`
 */
export const closedProposalsSql = (userId: string | SQL, now: Date, which: SQL = sql`1`): SQL => sql`(
  WITH own_address AS MATERIALIZED (${addressesOf(userId)}),
    own_place AS MATERIALIZED (${placesOf(sql`SELECT user_key_code FROM own_address`, now)})
  SELECT p.id FROM proposal AS p WHERE ${which} AND (p.user_id = ${userId} OR ${folded(sql`p.affiliation`)} IN (SELECT place FROM own_place)
    OR EXISTS (SELECT 1 FROM proposal_review AS r WHERE r.proposal_id = p.id AND r.user_id = ${userId} AND r.status = 'recused')
    OR EXISTS (SELECT 1 FROM proposal_applicant AS a WHERE a.proposal_id = p.id AND (${folded(sql`a.affiliation`)} IN (SELECT place FROM own_place)
      OR a.email <> '' AND a.email IN (SELECT user_key_code FROM own_address)))
    OR EXISTS (SELECT 1 FROM own_place) AND EXISTS (SELECT 1 FROM (${placesOf(
      sql`${addressesOf(sql`p.user_id`)} UNION ALL SELECT email FROM proposal_applicant WHERE proposal_id = p.id`,
      now,
    )}) WHERE place IN (SELECT place FROM own_place))))`;

/** Columns of a proposal for `proposalResource`. Qualified names, because a bare one would be the subquery's. */
export const proposalFacts = (userId: string, now: Date, which?: SQL) => ({
  isNamed:
    sql<number>`EXISTS (SELECT 1 FROM proposal_applicant WHERE proposal_id = "proposal"."id" AND email <> '' AND email IN (${addressesOf(userId)}))`.as(
      "is_named",
    ),
  hasConflict: sql<number>`("proposal"."id" IN ${closedProposalsSql(userId, now, which)})`.as("has_conflict"),
  review: sql<
    ProposalResource["review"]
  >`(SELECT status FROM proposal_review WHERE proposal_id = "proposal"."id" AND user_id = ${userId} ORDER BY round DESC LIMIT 1)`.as(
    "own_review",
  ),
});

type Facts = { [K in keyof ReturnType<typeof proposalFacts>]: ReturnType<typeof proposalFacts>[K]["_"]["type"] };

export const proposalResource = (
  { userId, status }: Pick<typeof proposal.$inferSelect, "userId" | "status">,
  { isNamed, hasConflict, review }: Facts,
): ProposalResource => ({
  userId,
  status,
  isNamed: Boolean(isNamed),
  hasConflict: Boolean(hasConflict),
  review,
});
