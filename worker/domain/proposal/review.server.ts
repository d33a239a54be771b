import { sql } from "drizzle-orm";
import { proposalReview } from "#db/schema/proposal.ts";
import { PROPOSAL_MESSAGES, REVIEW_DESK, type ReviewCommand } from "#worker/contract/proposal/proposal.ts";
import type * as input from "#worker/contract/proposal/input.ts";
import type { ReviewPage } from "#worker/contract/proposal/view.ts";
import { hasCommand } from "#worker/contract/kernel/desk.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import { AppError, invalidInput, type NewVersion } from "#worker/contract/kernel/errors.ts";
import type { AppContext, Parsed, RequestScope } from "#worker/domain/kernel/context.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";
import { can } from "../kernel/authorize.server.ts";
import { type Desk, runCommand } from "../kernel/desk.server.ts";
import { type BatchGuard, conflict } from "../kernel/guarded-batch.server.ts";
import {
  authorizeProposal,
  type FoundProposal,
  noConflictGuard,
  proposalStatements,
  readProposal,
  recordCommand,
  requireProposer,
  textView,
} from "./proposal-row.server.ts";

const DESK: Desk<typeof REVIEW_DESK, typeof proposalReview> = {
  rules: REVIEW_DESK,
  table: proposalReview,
  state: "status",
  target: "proposal",
  authorize: requireProposer,
  missing: PROPOSAL_MESSAGES.reviewMissing,
  ended: PROPOSAL_MESSAGES.reviewEnded,
};

type Review = FoundProposal["reviews"][number]["review"];

/** The states of the proposal in which a reviewer acts. */
const OPEN_FOR: Record<ReviewCommand, readonly string[]> = {
  accept: ["submitted", "review"],
  recuse: ["submitted", "returned", "review"],
  score: ["review"],
  submit: ["review"],
};

/** The own review of the last round, which the caller was authorized for. */
function ownReview(ctx: AppContext, { reviews }: FoundProposal): Review {
  const { userId } = requireProposer(ctx);
  const own = reviews.map(({ review }) => review).filter((review) => review.userId === userId);
  const last = own.at(-1);
  if (!last) throw new AppError("NOT_FOUND", { message: PROPOSAL_MESSAGES.reviewMissing });
  return last;
}

const commandsOf = ({ row }: FoundProposal, review: Review): ReviewCommand[] =>
  (Object.keys(REVIEW_DESK.commands) as ReviewCommand[]).filter(
    (command) =>
      review.round === row.round &&
      hasCommand(REVIEW_DESK, command, review.status) &&
      OPEN_FOR[command].includes(row.status),
  );

/** Before the answer about a conflict only what is needed to know one. @throws AppError NOT_FOUND */
export async function getReviewPage(scope: RequestScope, id: string): Promise<ReviewPage> {
  const { ctx, rows } = await scope.readFor(requireProposer, (viewerId) =>
    proposalStatements(scope.db, id, viewerId, scope.now()),
  );
  const found = authorizeProposal(ctx, "Proposal.Answer", rows);
  const review = ownReview(ctx, found);
  const { row, call, userName, applicants } = found;
  return {
    ...fieldsOf(row, "id", "number", "title", "dueDay"),
    ...fieldsOf(review, "status", "scores", "opinion", "version"),
    reviewId: review.id,
    callTitle: call.title,
    applicants: [{ name: userName, affiliation: row.affiliation }, ...applicants].map((each) =>
      fieldsOf(each, "name", "affiliation"),
    ),
    criteria: call.criteria,
    proposal: can(ctx.actor, { action: "Proposal.Score", proposal: found.resource })
      ? textView(found, ({ hidden }) => !hidden)
      : null,
    commands: commandsOf(found, review),
  };
}

/** @throws AppError NOT_FOUND, CONFLICT in another state of the review or the proposal */
async function requireReview(ctx: AppContext, command: ReviewCommand, id: string) {
  requireProposer(ctx);
  const found = await readProposal(ctx, "Proposal.Answer", id);
  const review = ownReview(ctx, found);
  if (!commandsOf(found, review).includes(command))
    throw conflict(OPEN_FOR[command].includes(found.row.status) ? undefined : PROPOSAL_MESSAGES.notInReview);
  return { found, review };
}

interface Change {
  version: number;
  set?: Partial<Review>;
  guards?: BatchGuard[];
  reason?: string;
}

async function changeReview(
  ctx: AppContext,
  command: ReviewCommand,
  { found, review }: { found: FoundProposal; review: Review },
  { version, set, guards = [], reason }: Change,
): Promise<NewVersion> {
  const { row } = found;
  const states = JSON.stringify(OPEN_FOR[command]);
  const isOpen = {
    holds: sql`EXISTS (SELECT 1 FROM proposal WHERE id = ${row.id} AND round = ${review.round}
      AND status IN (SELECT value FROM json_each(${states})))`,
    error: () => conflict(PROPOSAL_MESSAGES.notInReview),
  };
  await runCommand(ctx, DESK, command, review, {
    version,
    set: { ...set, modifiedDate: ctx.now() },
    guards: [noConflictGuard(ctx, row.id), isOpen, ...guards],
    parts: recordCommand(ctx, row, `review.${command}`, reason),
  });
  return { version: version + 1 };
}

/** Says that there is no conflict of interest, and opens the papers. @throws AppError NOT_FOUND, CONFLICT */
export async function acceptReview(
  ctx: AppContext,
  id: string,
  { version }: Parsed<typeof input.answerReviewInput>,
): Promise<NewVersion> {
  return changeReview(ctx, "accept", await requireReview(ctx, "accept", id), { version });
}

/** Closes the proposal to the reviewer for good. @throws AppError NOT_FOUND, CONFLICT */
export async function recuseReview(
  ctx: AppContext,
  id: string,
  { version, reason }: Parsed<typeof input.recuseReviewInput>,
): Promise<NewVersion> {
  const asked = await requireReview(ctx, "recuse", id);
  const set = { reason, scores: {}, opinion: "" };
  return changeReview(ctx, "recuse", asked, { version, set, reason });
}

/** The points of a criterion that are out of its bounds, by field. */
function scoreProblems({ call }: FoundProposal, scores: Record<string, number>, isWhole: boolean) {
  const unknown = Object.keys(scores).filter((code) => !call.criteria.some((each) => each.code === code));
  return Object.fromEntries([
    ...unknown.map((code) => [`scores.${code}`, "이 공모의 심의 기준이 아닙니다."]),
    ...call.criteria.flatMap(({ code, points }) => {
      const score = lookUp(scores, code);
      const isWrong = score === undefined ? isWhole : score > points;
      return isWrong ? [[`scores.${code}`, PROPOSAL_MESSAGES.score(points)]] : [];
    }),
  ]) as Record<string, string>;
}

function checkScores(found: FoundProposal, scores: Record<string, number>, opinion: string, isWhole: boolean): void {
  const problems = {
    ...scoreProblems(found, scores, isWhole),
    ...(isWhole && opinion.trim() === "" && { opinion: PROPOSAL_MESSAGES.opinion }),
  };
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
}

/** Of a submitted review too, until the decision. @throws AppError NOT_FOUND, CONFLICT, INVALID_INPUT */
export async function scoreReview(
  ctx: AppContext,
  id: string,
  { scores, opinion, version }: Parsed<typeof input.scoreReviewInput>,
): Promise<NewVersion> {
  const asked = await requireReview(ctx, "score", id);
  checkScores(asked.found, scores, opinion, asked.review.status === "submitted");
  return changeReview(ctx, "score", asked, { version, set: { scores, opinion } });
}

/** With all points and an opinion. @throws AppError NOT_FOUND, CONFLICT, INVALID_INPUT */
export async function submitReview(
  ctx: AppContext,
  id: string,
  { version }: Parsed<typeof input.answerReviewInput>,
): Promise<NewVersion> {
  const asked = await requireReview(ctx, "submit", id);
  if (asked.review.version !== version) throw conflict();
  checkScores(asked.found, asked.review.scores, asked.review.opinion, true);
  return changeReview(ctx, "submit", asked, { version });
}
