import { asc, eq, sql } from "drizzle-orm";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "#db/client.ts";
import { file } from "#db/schema/file.ts";
import {
  proposal,
  proposalApplicant,
  proposalCall,
  proposalEvent,
  proposalFile,
  proposalReview,
} from "#db/schema/proposal.ts";
import { columnsOf } from "#db/sql.ts";
import {
  callPhaseAt,
  PROPOSAL_DESK,
  PROPOSAL_MESSAGES,
  type ProposalCommand,
  proposalField,
  type ProposalQuestion,
  type ProposalStatus,
  type REVIEW_DESK,
} from "#worker/contract/proposal/proposal.ts";
import type { OpenCall, ProposalEventRow, ProposalText } from "#worker/contract/proposal/view.ts";
import type { AuditAction } from "#worker/contract/kernel/audit-actions.ts";
import { hasCommand } from "#worker/contract/kernel/desk.ts";
import type { AppContext, BatchRows } from "#worker/domain/kernel/context.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";
import { type AccessQuestion, authorize, authorizeConsole, can, requireSignedIn } from "../kernel/authorize.server.ts";
import { type BatchGuard, conflict } from "../kernel/guarded-batch.server.ts";
import { auditCase, caseMissing, type Desk } from "../kernel/desk.server.ts";
import { closedProposalsSql, proposalFacts, proposalResource } from "../kernel/proposal-facts.server.ts";
import { requireProposals } from "../kernel/site-identity.server.ts";

export type CallRecord = typeof proposalCall.$inferSelect;
type ProposalRecord = typeof proposal.$inferSelect;

/** @throws AppError UNAUTHORIZED, NOT_FOUND where the site takes no proposals */
export function requireProposer(ctx: AppContext) {
  const actor = requireSignedIn(ctx);
  requireProposals(ctx);
  return actor;
}

const OFFICE_RIGHTS = { office: "Research_Manage", decider: "Research_Decide" } as const;

/** @throws AppError UNAUTHORIZED, FORBIDDEN without ADMIN_Access and the right, NOT_FOUND */
export function authorizeProposals(ctx: AppContext, by: "office" | "decider" = "office"): void {
  authorizeConsole(ctx);
  authorize(ctx, { action: OFFICE_RIGHTS[by] });
  requireProposals(ctx);
}

/** For the list, which the office and the deciders see. @throws AppError UNAUTHORIZED, FORBIDDEN, NOT_FOUND */
export function authorizeCases(ctx: AppContext): void {
  authorizeProposals(ctx, can(ctx.actor, { action: "Research_Decide" }) ? "decider" : "office");
}

export const DESK: Desk<typeof PROPOSAL_DESK, typeof proposal> = {
  rules: PROPOSAL_DESK,
  table: proposal,
  state: "status",
  target: "proposal",
  authorize: authorizeProposals,
  missing: PROPOSAL_MESSAGES.missing,
  ended: PROPOSAL_MESSAGES.ended,
};

const USER_NAME = (userId: AnySQLiteColumn) =>
  sql<string>`coalesce((SELECT user_name FROM user WHERE user.id = ${userId}), '')`;

/** All of one proposal with what concerns the viewer, in one round trip. */
export const proposalStatements = (db: Db, id: string, viewerId: string, now: Date) =>
  [
    db
      .select({
        row: proposal,
        userName: USER_NAME(proposal.userId).as("lead_name"),
        ...proposalFacts(viewerId, now, sql`p.id = ${id}`),
      })
      .from(proposal)
      .where(eq(proposal.id, id)),
    db
      .select()
      .from(proposalCall)
      .where(sql`${proposalCall.id} = (SELECT call_id FROM proposal WHERE id = ${id})`),
    db
      .select()
      .from(proposalApplicant)
      .where(eq(proposalApplicant.proposalId, id))
      .orderBy(asc(proposalApplicant.sortOrder)),
    db
      .select({ ...columnsOf(proposalFile, "fileId", "paper"), ...columnsOf(file, "fileName", "size", "contentType") })
      .from(proposalFile)
      .innerJoin(file, eq(file.id, proposalFile.fileId))
      .where(eq(proposalFile.proposalId, id))
      .orderBy(asc(proposalFile.sortOrder)),
    db
      .select({ review: proposalReview, userName: USER_NAME(proposalReview.userId).as("reviewer_name") })
      .from(proposalReview)
      .where(eq(proposalReview.proposalId, id))
      .orderBy(asc(proposalReview.round), asc(proposalReview.createdDate), asc(proposalReview.id)),
    db
      .select({ event: proposalEvent, userName: USER_NAME(proposalEvent.userId).as("actor_name") })
      .from(proposalEvent)
      .where(sql`${proposalEvent.proposalId} = ${id} AND ${proposalEvent.command} NOT IN ('save', 'review.score')`)
      .orderBy(asc(proposalEvent.createdDate), sql`${proposalEvent}.rowid`),
  ] as const;

type Rows = BatchRows<ReturnType<typeof proposalStatements>>;

export interface FoundProposal {
  row: ProposalRecord;
  userName: string;
  resource: ReturnType<typeof proposalResource>;
  call: CallRecord;
  applicants: Rows[2];
  files: Rows[3];
  reviews: Rows[4];
  events: Rows[5];
}

type ProposalAction = Extract<AccessQuestion, { proposal: unknown }>["action"];

/** The proposal for somebody who may do it; to others it does not exist. @throws AppError NOT_FOUND */
export function authorizeProposal(ctx: AppContext, action: ProposalAction, rows: Rows): FoundProposal {
  const [[first], [call], applicants, files, reviews, events] = rows;
  if (!first || !call) throw caseMissing(DESK);
  const { row, userName, ...facts } = first;
  const resource = proposalResource(row, facts);
  if (!can(ctx.actor, { action, proposal: resource })) throw caseMissing(DESK);
  return { row, userName, resource, call, applicants, files, reviews, events };
}

export const readProposal = async (ctx: AppContext, action: ProposalAction, id: string): Promise<FoundProposal> =>
  authorizeProposal(
    ctx,
    action,
    await ctx.db.batch(proposalStatements(ctx.db, id, requireSignedIn(ctx).userId, ctx.now())),
  );

const ACTIONS = { person: "Proposal.Change", office: "Proposal.Manage", decider: "Proposal.Decide" } as const;

/** @throws AppError UNAUTHORIZED, FORBIDDEN, NOT_FOUND, CONFLICT in another state */
export async function requireCommand(ctx: AppContext, command: ProposalCommand, id: string): Promise<FoundProposal> {
  requireSignedIn(ctx);
  const { by } = PROPOSAL_DESK.commands[command];
  if (by === "person") requireProposals(ctx);
  else authorizeProposals(ctx, by);
  const found = await readProposal(ctx, ACTIONS[by], id);
  if (!hasCommand(PROPOSAL_DESK, command, found.row.status)) {
    const isOver = !PROPOSAL_DESK.names.some((name) => name === found.row.status && !isEndedStatus(name));
    throw conflict(isOver ? PROPOSAL_MESSAGES.ended : undefined);
  }
  return found;
}

const isEndedStatus = (status: ProposalStatus) => ["approved", "refused", "withdrawn"].includes(status);

/** Still without a conflict inside the batch. */
export const noConflictGuard = (ctx: AppContext, id: string, userId = requireSignedIn(ctx).userId): BatchGuard => ({
  holds: sql`${id} NOT IN ${closedProposalsSql(userId, ctx.now(), sql`p.id = ${id}`)}`,
  error: () => caseMissing(DESK),
});

type Recorded = typeof proposalEvent.$inferInsert.command;

/** In the history and in the audit log. */
const RECORDED: Record<Recorded, readonly [label: string, action: AuditAction]> = {
  start: ["작성 시작", "proposal.start"],
  save: ["저장", "proposal.save"],
  submit: ["제출", "proposal.submit"],
  withdraw: ["철회", "proposal.withdraw"],
  check: ["형식 검토", "proposal.check"],
  return: ["보완 요청", "proposal.return"],
  nameReviewer: ["심의위원 지정", "proposal.nameReviewer"],
  dropReviewer: ["심의위원 지정 취소", "proposal.dropReviewer"],
  startReview: ["심의 시작", "proposal.startReview"],
  approve: ["승인", "proposal.approve"],
  second: ["재심의", "proposal.second"],
  refuse: ["불승인", "proposal.refuse"],
  "review.accept": ["심의 수락", "proposal.accept"],
  "review.recuse": ["심의 회피", "proposal.recuse"],
  "review.score": ["심의 저장", "proposal.score"],
  "review.submit": ["심의 제출", "proposal.review"],
};

/** The rows that each command adds: the history, and the audit log without anything of the proposal. */
export function recordCommand(
  ctx: AppContext,
  { id, userId }: Pick<ProposalRecord, "id" | "userId">,
  command: Recorded,
  reason = "",
) {
  return [
    ctx.db.insert(proposalEvent).values({
      id: crypto.randomUUID(),
      proposalId: id,
      userId: requireSignedIn(ctx).userId,
      command,
      reason,
      createdDate: ctx.now(),
    }),
    ...auditCase(ctx, DESK, { id, userId }, { action: RECORDED[command][1] }),
  ];
}

/** The commands of the caller now, by the desk's table and the caller's rights. */
export function commandsFor(ctx: AppContext, { row, resource }: Pick<FoundProposal, "row" | "resource">) {
  const names = Object.keys(PROPOSAL_DESK.commands) as ProposalCommand[];
  const isConsole = can(ctx.actor, { action: "ADMIN_Access" });
  return names.filter((name) => {
    const { by } = PROPOSAL_DESK.commands[name];
    return (
      hasCommand(PROPOSAL_DESK, name, row.status) &&
      (by === "person" || isConsole) &&
      can(ctx.actor, { action: ACTIONS[by], proposal: resource })
    );
  });
}

/** Without those that this proposal would refuse now. */
export function readyCommands(ctx: AppContext, found: FoundProposal): ProposalCommand[] {
  const { row, call, reviews } = found;
  const isReviewed = submittedOf(found).length > 0;
  const lacks: Partial<Record<ProposalCommand, boolean>> = {
    submit: row.status === "draft" && callPhaseAt(call, ctx.now()) !== "open",
    startReview: !reviews.some(({ review }) => review.round === row.round && review.status !== "recused"),
    approve: !isReviewed,
    second: !isReviewed,
    refuse: !isReviewed,
  };
  return commandsFor(ctx, found).filter((name) => !lacks[name]);
}

export const callView = (ctx: Pick<AppContext, "now">, call: CallRecord): OpenCall => ({
  ...fieldsOf(call, "id", "title", "kind", "text", "openDate", "closeDate"),
  phase: callPhaseAt(call, ctx.now()),
});

/** @param sees the questions that the reader sees */
export function textView(
  { row, userName, call, applicants, files }: FoundProposal,
  sees: (question: ProposalQuestion) => boolean = () => true,
): ProposalText {
  const questions = call.questions.filter(sees);
  return {
    ...fieldsOf(row, "id", "number", "title", "englishTitle", "affiliation"),
    userName,
    answers: Object.fromEntries(
      questions.flatMap(({ code }) => {
        const answer = row.answers[code];
        return answer === undefined ? [] : [[code, answer]];
      }),
    ),
    questions: questions.map(proposalField),
    papers: call.papers,
    files: files.map((each) => ({
      ...fieldsOf(each, "fileId", "paper", "fileName", "size", "contentType"),
      url: `/api/file/${each.fileId}`,
    })),
    applicants: applicants.map((each) => fieldsOf(each, "name", "email", "affiliation")),
  };
}

/** For the office with names, for applicants without anything that tells a reviewer. */
export const historyView = ({ events }: FoundProposal, isOffice: boolean): ProposalEventRow[] =>
  events
    .filter(({ event: { command } }) => isOffice || !(command.startsWith("review.") || command.endsWith("Reviewer")))
    .map(({ event, userName }) => ({
      command: event.command,
      label: RECORDED[event.command][0],
      who: isOffice ? userName : "",
      date: event.createdDate.toISOString(),
      reason: isOffice || ["return", "approve", "second", "refuse"].includes(event.command) ? event.reason : "",
    }));

export const totalOf = (scores: Record<string, number>): number =>
  Object.values(scores).reduce((sum, points) => sum + points, 0);

export const submittedOf = ({ reviews, row }: Pick<FoundProposal, "reviews" | "row">) =>
  reviews.filter(({ review }) => review.round === row.round && review.status === REVIEW_DONE);

const REVIEW_DONE = "submitted" satisfies keyof typeof REVIEW_DESK.states;
