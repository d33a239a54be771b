import { and, asc, desc, eq, sql } from "drizzle-orm";
import { proposal, proposalCall, proposalReview } from "#db/schema/proposal.ts";
import { DECIDED, type ReviewStatus } from "#worker/contract/proposal/proposal.ts";
import type { OwnProposals, ProposalDraft, ProposalView, ReviewRow } from "#worker/contract/proposal/view.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";
import { closedProposalsSql, proposalFacts, proposalResource } from "../kernel/proposal-facts.server.ts";
import { missingParts } from "./missing.ts";
import {
  authorizeProposal,
  callView,
  commandsFor,
  historyView,
  proposalStatements,
  readyCommands,
  requireProposer,
  textView,
  totalOf,
} from "./proposal-row.server.ts";

const CALL_TITLE = sql<string>`coalesce((SELECT title FROM proposal_call WHERE id = ${proposal.callId}), '')`.as(
  "call_title",
);

/** The calls that are open or will be, the own proposals, and those to review. */
export async function getOwnProposals(scope: RequestScope): Promise<OwnProposals> {
  const now = scope.now();
  const { ctx, rows } = await scope.readFor(requireProposer, (viewerId) => {
    const facts = proposalFacts(viewerId, now);
    const isLast = sql`${proposalReview.round} = (SELECT max(round) FROM proposal_review AS later
      WHERE later.proposal_id = ${proposalReview.proposalId} AND later.user_id = ${viewerId})`;
    return [
      scope.db
        .select()
        .from(proposalCall)
        .where(sql`${proposalCall.closeDate} IS NULL OR ${proposalCall.closeDate} + 60000 > ${now.getTime()}`)
        .orderBy(asc(proposalCall.closeDate), asc(proposalCall.id)),
      scope.db
        .select({ row: proposal, callTitle: CALL_TITLE, ...facts })
        .from(proposal)
        .where(sql`${proposal.userId} = ${viewerId} OR ${proposal.id} IN (SELECT proposal_id FROM proposal_applicant
          WHERE email <> '' AND email IN (SELECT user_key_code FROM user_key WHERE user_id = ${viewerId} AND user_key_type = 'Email' AND verified_date IS NOT NULL))`)
        .orderBy(desc(proposal.modifiedDate), desc(proposal.id)),
      scope.db
        .select({
          ...fieldsOfReview,
          callTitle: CALL_TITLE,
        })
        .from(proposalReview)
        .innerJoin(proposal, eq(proposal.id, proposalReview.proposalId))
        .where(
          and(
            eq(proposalReview.userId, viewerId),
            isLast,
            sql`${proposal.status} NOT IN ('draft', 'withdrawn') AND ${proposal.id} NOT IN ${closedProposalsSql(viewerId, now)}`,
          ),
        )
        .orderBy(desc(proposal.submittedDate)),
    ];
  });
  return {
    calls: rows[0].map((call) => callView(ctx, call)),
    proposals: rows[1].map(({ row, callTitle, ...facts }) => {
      const resource = proposalResource(row, facts);
      return {
        ...fieldsOf(row, "id", "number", "title", "status", "modifiedDate"),
        callTitle,
        isLead: isLead(ctx, row),
        commands: commandsFor(ctx, { row, resource }),
      };
    }),
    reviews: rows[2] as ReviewRow[],
  };
}

const fieldsOfReview = {
  id: sql<string>`${proposal.id}`.as("proposal_id"),
  number: proposal.number,
  title: proposal.title,
  status: sql<ReviewStatus>`${proposalReview.status}`.as("review_status"),
  dueDay: proposal.dueDay,
};

const isLead = ({ actor }: AppContext, { userId }: { userId: string }) =>
  actor.kind !== "guest" && actor.userId === userId;

/** Of the lead, with what is missing. @throws AppError NOT_FOUND */
export async function getProposalDraft(scope: RequestScope, id: string): Promise<ProposalDraft> {
  const { ctx, rows } = await scope.readFor(requireProposer, (viewerId) =>
    proposalStatements(scope.db, id, viewerId, scope.now()),
  );
  const found = authorizeProposal(ctx, "Proposal.Change", rows);
  return {
    ...textView(found),
    ...fieldsOf(found.row, "status", "hasStatement", "reason", "version"),
    call: { ...callView(ctx, found.call), version: found.call.version },
    missing: missingParts(found),
    commands: readyCommands(ctx, found),
  };
}

/** For the applicants; opinions follow the decision. @throws AppError NOT_FOUND */
export async function getProposalView(scope: RequestScope, id: string): Promise<ProposalView> {
  const { ctx, rows } = await scope.readFor(requireProposer, (viewerId) =>
    proposalStatements(scope.db, id, viewerId, scope.now()),
  );
  const found = authorizeProposal(ctx, "Proposal.Read", rows);
  const { row, call, reviews } = found;
  const isDecided = DECIDED.some((status) => status === row.status);
  const told = reviews.filter(
    ({ review }) => review.status === "submitted" && (isDecided ? review.round <= row.round : review.round < row.round),
  );
  return {
    ...textView(found),
    ...fieldsOf(row, "status", "dueDay", "reason", "submittedDate", "decidedDate", "version"),
    call: callView(ctx, call),
    isLead: isLead(ctx, row),
    opinions: told.map(({ review, userName }) => ({
      reviewer: call.hidesReviewers ? "" : userName,
      round: review.round,
      total: totalOf(review.scores),
      opinion: review.opinion,
    })),
    history: historyView(found, false),
    commands: readyCommands(ctx, found),
  };
}
