import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { user } from "#db/schema/account.ts";
import { proposal, proposalReview } from "#db/schema/proposal.ts";
import {
  DECISION_LABELS,
  PROPOSAL_LIMITS,
  PROPOSAL_MESSAGES,
  proposalHref,
  reviewHref,
  ruledDecision,
  workingDay,
} from "#worker/contract/proposal/proposal.ts";
import type * as input from "#worker/contract/proposal/input.ts";
import type { ProposalCase, ProposalRow } from "#worker/contract/proposal/view.ts";
import { invalidInput, type NewVersion } from "#worker/contract/kernel/errors.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import type { Page } from "#worker/contract/kernel/page.ts";
import type { AppContext, Parsed, RequestScope } from "#worker/domain/kernel/context.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";
import { auditLook } from "../kernel/audit-entry.server.ts";
import { runCommand } from "../kernel/desk.server.ts";
import { conflict, refuseExisting } from "../kernel/guarded-batch.server.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { countRows, makeCountedPage, rowsOfPage } from "../kernel/page.server.ts";
import { closedProposalsSql } from "../kernel/proposal-facts.server.ts";
import { letters } from "./letter.server.ts";
import {
  authorizeCases,
  authorizeProposal,
  callView,
  DESK,
  type FoundProposal,
  historyView,
  noConflictGuard,
  proposalStatements,
  readyCommands,
  recordCommand,
  requireCommand,
  submittedOf,
  textView,
  totalOf,
} from "./proposal-row.server.ts";

const LEAD = sql<string>`coalesce((SELECT user_name FROM user WHERE user.id = ${proposal.userId}), '')`;

const reviewers = (which: SQL) =>
  sql<number>`(SELECT count(*) FROM proposal_review AS r WHERE r.proposal_id = "proposal"."id" AND r.round = "proposal"."round" AND ${which})`;

const LIST_COLUMNS = {
  row: proposal,
  userName: LEAD.as("lead_name"),
  callTitle: sql<string>`coalesce((SELECT title FROM proposal_call WHERE id = ${proposal.callId}), '')`.as(
    "call_title",
  ),
  reviewers: reviewers(sql`r.status <> 'recused'`).as("reviewers"),
  reviewed: reviewers(sql`r.status = 'submitted'`).as("reviewed"),
};

const isOverdueSql = (today: string) =>
  sql`${proposal.dueDay} <> '' AND ${proposal.dueDay} < ${today} AND ${proposal.status} IN ('submitted', 'review')`;

const isOverdue = ({ dueDay, status }: Pick<FoundProposal["row"], "dueDay" | "status">, now: Date) =>
  dueDay !== "" && dueDay < koreanDay(now) && (status === "submitted" || status === "review");

const matching = (
  { keyword, status, callId, overdue }: Parsed<typeof input.listProposalsQuery>,
  viewerId: string,
  now: Date,
) =>
  and(
    sql`${proposal.number} <> '' AND ${proposal.id} NOT IN ${closedProposalsSql(viewerId, now)}`,
    status && eq(proposal.status, status),
    callId ? eq(proposal.callId, callId) : undefined,
    overdue && isOverdueSql(koreanDay(now)),
    keyword
      ? sql`(instr(${proposal.number}, ${keyword}) OR instr(lower(${proposal.title}), ${keyword.toLowerCase()}) OR instr(${LEAD}, ${keyword}))`
      : undefined,
  );

/** The newest first, without those that a conflict of interest closes. The view is audited. */
export async function listProposals(
  scope: RequestScope,
  query: Parsed<typeof input.listProposalsQuery>,
): Promise<Page<ProposalRow>> {
  const now = scope.now();
  const { ctx, rows } = await scope.readFor(authorizeCases, (viewerId) => {
    const where = matching(query, viewerId, now);
    return [
      rowsOfPage(
        scope.db
          .select(LIST_COLUMNS)
          .from(proposal)
          .where(where)
          .orderBy(desc(proposal.submittedDate), desc(proposal.id)),
        query,
      ),
      countRows(scope.db, proposal, where),
    ];
  });
  auditLook(
    ctx,
    { action: "proposal.list", detail: { page: query.page } },
    rows[0].map(({ row }) => row.userId),
  );
  const content = rows[0].map(({ row, ...more }) => ({
    ...fieldsOf(row, "id", "number", "title", "affiliation", "status", "submittedDate", "dueDay"),
    ...more,
    isOverdue: isOverdue(row, now),
  }));
  return makeCountedPage(query, content, rows[1]);
}

/** All that the office sees. The view is audited. @throws AppError NOT_FOUND */
export async function getProposalCase(scope: RequestScope, id: string): Promise<ProposalCase> {
  const { ctx, rows } = await scope.readFor(authorizeCases, (viewerId) =>
    proposalStatements(scope.db, id, viewerId, scope.now()),
  );
  const found = authorizeProposal(ctx, "Proposal.Know", rows);
  const { row, call, reviews } = found;
  auditLook(ctx, { action: "proposal.view", targetId: id }, [row.userId]);
  const totals = submittedOf(found).map(({ review }) => totalOf(review.scores));
  const average = totals.length > 0 ? totals.reduce((sum, total) => sum + total, 0) / totals.length : null;
  return {
    ...textView(found),
    ...fieldsOf(row, "userId", "checked", "status", "round", "changed", "dueDay"),
    ...fieldsOf(row, "submittedDate", "decidedDate", "reason", "version"),
    call: callView(ctx, call),
    criteria: call.criteria,
    checks: call.checks,
    isOverdue: isOverdue(row, ctx.now()),
    reviews: reviews.map(({ review, userName }) => ({
      ...fieldsOf(review, "id", "userId", "round", "status", "reason", "scores", "opinion"),
      userName,
      total: review.status === "submitted" ? totalOf(review.scores) : null,
    })),
    average,
    spread: totals.length > 0 ? Math.max(...totals) - Math.min(...totals) : null,
    ruled: ruledDecision(call, average),
    history: historyView(found, true),
    commands: readyCommands(ctx, found),
  };
}

/** @throws AppError NOT_FOUND, CONFLICT */
export async function checkProposal(
  ctx: AppContext,
  id: string,
  { checked, version }: Parsed<typeof input.checkProposalInput>,
): Promise<NewVersion> {
  const { row, call } = await requireCommand(ctx, "check", id);
  const known = call.checks.map(({ code }) => code).filter((code) => checked.includes(code));
  await runCommand(ctx, DESK, "check", row, {
    version,
    set: { checked: known },
    guards: [noConflictGuard(ctx, id)],
    parts: recordCommand(ctx, row, "check"),
  });
  return { version: version + 1 };
}

const letterFields = (ctx: AppContext, { row, call }: FoundProposal, href: string) => ({
  번호: row.number,
  공모: call.title,
  주소: ctx.config.SITE_ORIGIN + href,
});

/** With a letter to the lead. @throws AppError NOT_FOUND, CONFLICT */
export async function returnProposal(
  ctx: AppContext,
  id: string,
  { reason, version }: Parsed<typeof input.returnProposalInput>,
): Promise<NewVersion> {
  const found = await requireCommand(ctx, "return", id);
  const { row } = found;
  await runCommand(ctx, DESK, "return", row, {
    version,
    set: { reason, changed: [], dueDay: "" },
    guards: [noConflictGuard(ctx, id)],
    parts: [
      ...(await letters(ctx, row, [row.userId], (render, 이름) =>
        render("proposalReturned", { 이름, 사유: reason, ...letterFields(ctx, found, proposalHref(id)) }),
      )),
      ...recordCommand(ctx, row, "return", reason),
    ],
  });
  return { version: version + 1 };
}

const accountOf = (db: Db, who: string) =>
  db
    .select({ id: user.id })
    .from(user)
    .where(
      sql`${user.status} = 'active' AND ${user.id} IN (SELECT user_id FROM user_key WHERE user_key_code = ${who.toLowerCase()})`,
    );

/** With a letter; nobody with a conflict of interest. @throws AppError NOT_FOUND, CONFLICT, ALREADY_EXISTS, INVALID_INPUT */
export async function nameReviewer(
  ctx: AppContext,
  id: string,
  { who }: Parsed<typeof input.nameReviewerInput>,
): Promise<{ id: string }> {
  const found = await requireCommand(ctx, "nameReviewer", id);
  const { row } = found;
  const [person] = await accountOf(ctx.db, who);
  if (!person) throw invalidInput({ who: PROPOSAL_MESSAGES.reviewerMissing });
  const reviewId = crypto.randomUUID();
  const now = ctx.now();
  const guards = [
    noConflictGuard(ctx, id),
    {
      ...noConflictGuard(ctx, id, person.id),
      error: () => invalidInput({ who: PROPOSAL_MESSAGES.reviewerConflict }),
    },
    {
      holds: sql`(SELECT count(*) FROM proposal_review WHERE proposal_id = ${id} AND round = ${row.round}) < ${PROPOSAL_LIMITS.reviewers}`,
      error: () => conflict(PROPOSAL_MESSAGES.reviewersFull),
    },
    { holds: sql`(SELECT round FROM proposal WHERE id = ${id}) = ${row.round}`, error: () => conflict() },
  ];
  const parts = [
    ctx.db.insert(proposalReview).values({
      id: reviewId,
      proposalId: id,
      userId: person.id,
      round: row.round,
      status: "asked",
      createdDate: now,
      modifiedDate: now,
    }),
    ...(await letters(ctx, row, [person.id], (render, 이름) =>
      render("proposalAsked", { 이름, ...letterFields(ctx, found, reviewHref(id)) }),
    )),
    ...recordCommand(ctx, row, "nameReviewer"),
    ...storeIdempotentAnswer(ctx, { id: reviewId }),
  ];
  await refuseExisting(PROPOSAL_MESSAGES.namedReviewer, () =>
    runCommand(ctx, DESK, "nameReviewer", row, { guards, parts }),
  );
  return { id: reviewId };
}

/** Only a reviewer without a submitted review. @throws AppError NOT_FOUND, CONFLICT */
export async function dropReviewer(
  ctx: AppContext,
  { id, reviewId }: Parsed<typeof input.reviewerPath>,
): Promise<Record<string, never>> {
  const { row } = await requireCommand(ctx, "dropReviewer", id);
  const isOpen = sql`id = ${reviewId} AND proposal_id = ${id} AND round = ${row.round} AND status IN ('asked', 'accepted')`;
  const open = {
    holds: sql`EXISTS (SELECT 1 FROM proposal_review WHERE ${isOpen})`,
    error: () => conflict(PROPOSAL_MESSAGES.reviewerKept),
  };
  await runCommand(ctx, DESK, "dropReviewer", row, {
    guards: [noConflictGuard(ctx, id), open],
    parts: [ctx.db.delete(proposalReview).where(isOpen), ...recordCommand(ctx, row, "dropReviewer")],
  });
  return {};
}

/** With a letter to each reviewer. @throws AppError NOT_FOUND, CONFLICT without a reviewer */
export async function startReview(
  ctx: AppContext,
  id: string,
  { version }: Parsed<typeof input.startReviewInput>,
): Promise<NewVersion> {
  const found = await requireCommand(ctx, "startReview", id);
  const { row, call, reviews } = found;
  const asked = reviews.filter(({ review }) => review.round === row.round && review.status !== "recused");
  const hasReviewer = {
    holds: sql`EXISTS (SELECT 1 FROM proposal_review WHERE proposal_id = ${id} AND round = ${row.round} AND status <> 'recused')`,
    error: () => conflict(PROPOSAL_MESSAGES.noReviewer),
  };
  await runCommand(ctx, DESK, "startReview", row, {
    version,
    set: { dueDay: workingDay(koreanDay(ctx.now()), call.reviewDays) },
    guards: [noConflictGuard(ctx, id), hasReviewer],
    parts: [
      ...(await letters(
        ctx,
        row,
        asked.map(({ review }) => review.userId),
        (render, 이름) => render("proposalReview", { 이름, ...letterFields(ctx, found, reviewHref(id)) }),
      )),
      ...recordCommand(ctx, row, "startReview"),
    ],
  });
  return { version: version + 1 };
}

/** Once, with a letter to the lead. @throws AppError NOT_FOUND, CONFLICT */
export async function decideProposal(
  ctx: AppContext,
  id: string,
  { decision, reason, version }: Parsed<typeof input.decideProposalInput>,
): Promise<NewVersion> {
  const found = await requireCommand(ctx, decision, id);
  const { row } = found;
  const isReviewed = {
    holds: sql`EXISTS (SELECT 1 FROM proposal_review WHERE proposal_id = ${id} AND round = ${row.round} AND status = 'submitted')`,
    error: () => conflict(PROPOSAL_MESSAGES.noReview),
  };
  await runCommand(ctx, DESK, decision, row, {
    version,
    set: {
      reason,
      changed: [],
      dueDay: "",
      decidedDate: ctx.now(),
      deciderId: ctx.actor.kind === "guest" ? "" : ctx.actor.userId,
    },
    guards: [noConflictGuard(ctx, id), isReviewed],
    parts: [
      ...(await letters(ctx, row, [row.userId], (render, 이름) =>
        render("proposalDecided", {
          이름,
          결과: DECISION_LABELS[decision],
          사유: reason,
          ...letterFields(ctx, found, proposalHref(id)),
        }),
      )),
      ...recordCommand(ctx, row, decision, reason),
    ],
  });
  return { version: version + 1 };
}
