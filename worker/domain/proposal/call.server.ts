import { desc, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { proposalCall } from "#db/schema/proposal.ts";
import { callPhaseAt, PROPOSAL_MESSAGES } from "#worker/contract/proposal/proposal.ts";
import type { createCallInput, updateCallInput } from "#worker/contract/proposal/input.ts";
import type { CallPage, CallRow, CallSetting } from "#worker/contract/proposal/view.ts";
import { AppError, invalidInput, type NewVersion } from "#worker/contract/kernel/errors.ts";
import type { AppContext, Parsed, RequestScope } from "#worker/domain/kernel/context.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";
import { auditDifference } from "../kernel/audit-difference.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { codedParts } from "../kernel/coded-parts.ts";
import { conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { closedProposalsSql } from "../kernel/proposal-facts.server.ts";
import { unchangedRow } from "../kernel/ordered-rows.server.ts";
import { authorizeCases, authorizeProposals, type CallRecord } from "./proposal-row.server.ts";

const callMissing = () => new AppError("NOT_FOUND", { message: PROPOSAL_MESSAGES.callMissing });

const callsStatement = (db: Db, viewerId: string, now: Date, where?: SQL) =>
  db
    .select({
      call: proposalCall,
      proposals: sql<number>`(SELECT count(*) FROM proposal WHERE call_id = "proposal_call"."id" AND number <> ''
        AND id NOT IN ${closedProposalsSql(viewerId, now)})`.as("call_proposals"),
      isUsed: sql<number>`EXISTS (SELECT 1 FROM proposal WHERE call_id = "proposal_call"."id")`.as("call_used"),
    })
    .from(proposalCall)
    .where(where)
    .orderBy(desc(proposalCall.openDate), desc(proposalCall.id));

type Row = Awaited<ReturnType<typeof callsStatement>>[number];

const rowView = (ctx: AppContext, { call, proposals }: Row): CallRow => ({
  ...fieldsOf(call, "id", "title", "kind", "openDate", "closeDate"),
  phase: callPhaseAt(call, ctx.now()),
  proposals,
});

const settingView = (call: CallRecord): CallSetting => ({
  ...fieldsOf(call, "title", "kind", "text", "openDate", "closeDate", "approveFrom", "secondFrom", "hidesReviewers"),
  ...fieldsOf(call, "checkDays", "reviewDays", "criteria", "papers", "checks", "questions"),
});

const CALLS_MAX = 200;

/** The newest first. */
export async function listProposalCalls(scope: RequestScope): Promise<CallRow[]> {
  const { ctx, rows } = await scope.readFor(authorizeCases, (viewerId) => [
    callsStatement(scope.db, viewerId, scope.now()).limit(CALLS_MAX),
  ]);
  return rows[0].map((row) => rowView(ctx, row));
}

/** @throws AppError NOT_FOUND */
export async function getProposalCall(scope: RequestScope, id: string): Promise<CallPage> {
  const { ctx, rows } = await scope.readFor(authorizeProposals, (viewerId) => [
    callsStatement(scope.db, viewerId, scope.now(), eq(proposalCall.id, id)),
  ]);
  const [row] = rows[0];
  if (!row) throw callMissing();
  const { call, isUsed } = row;
  return { ...rowView(ctx, row), setting: settingView(call), canDelete: !isUsed, version: call.version };
}

type Sent = Parsed<typeof createCallInput>;
type Parts = Pick<CallSetting, "criteria" | "papers" | "checks" | "questions">;

/** Each part with its code, a new one with the next. @throws AppError INVALID_INPUT */
const partsOf = (sent: Sent, before: Parts): Parts =>
  Object.fromEntries(
    (["criteria", "papers", "checks", "questions"] as const).map((part) => [
      part,
      codedParts(part, sent[part], before[part]),
    ]),
  ) as unknown as Parts;

const columnsOfCall = (sent: Sent, parts: Parts) => {
  const { title, kind, text, approveFrom, secondFrom, hidesReviewers, checkDays, reviewDays } = sent;
  const { openDate, closeDate } = sent;
  return {
    title,
    kind,
    text,
    approveFrom,
    secondFrom,
    hidesReviewers,
    checkDays,
    reviewDays,
    openDate,
    closeDate,
    ...parts,
  };
};

export async function createProposalCall(ctx: AppContext, sent: Sent): Promise<{ id: string }> {
  authorizeProposals(ctx);
  const id = crypto.randomUUID();
  const parts = partsOf(sent, { criteria: [], papers: [], checks: [], questions: [] });
  const dates = { createdDate: ctx.now(), modifiedDate: ctx.now() };
  await runGuardedBatch(
    ctx,
    [],
    [
      ctx.db.insert(proposalCall).values({ id, ...columnsOfCall(sent, parts), ...dates }),
      audit(ctx, { action: "proposal.callCreate", targetType: "proposalCall", targetId: id }),
      ...storeIdempotentAnswer(ctx, { id }),
    ],
  );
  return { id };
}

/** Criteria are fixed once a proposal was scored by them. @throws AppError NOT_FOUND, CONFLICT, INVALID_INPUT */
export async function updateProposalCall(
  ctx: AppContext,
  id: string,
  sent: Parsed<typeof updateCallInput>,
): Promise<NewVersion> {
  authorizeProposals(ctx);
  const [call] = await ctx.db.select().from(proposalCall).where(eq(proposalCall.id, id));
  if (!call) throw callMissing();
  const { version } = sent;
  const row = { ...call, ...columnsOfCall(sent, partsOf(sent, call)), modifiedDate: ctx.now(), version: version + 1 };
  const criteria = JSON.stringify(row.criteria);
  const guards = [
    unchangedRow(proposalCall, id, version),
    {
      holds: sql`${criteria} = ${JSON.stringify(call.criteria)} OR NOT EXISTS (SELECT 1 FROM proposal_review
        WHERE scores <> '{}' AND proposal_id IN (SELECT id FROM proposal WHERE call_id = ${id}))`,
      error: () => invalidInput({ criteria: PROPOSAL_MESSAGES.usedPart }),
    },
  ];
  const detail = auditDifference({ ...settingView(call) }, { ...settingView(row) });
  await runGuardedBatch(ctx, guards, [
    ctx.db.update(proposalCall).set(row).where(eq(proposalCall.id, id)),
    audit(ctx, { action: "proposal.callChange", targetType: "proposalCall", targetId: id, detail }),
  ]);
  return { version: version + 1 };
}

/** @throws AppError NOT_FOUND, CONFLICT once anybody began a proposal */
export async function deleteProposalCall(ctx: AppContext, id: string, version: number): Promise<Record<string, never>> {
  authorizeProposals(ctx);
  const [call] = await ctx.db.select({ id: proposalCall.id }).from(proposalCall).where(eq(proposalCall.id, id));
  if (!call) throw callMissing();
  const unused = {
    holds: sql`NOT EXISTS (SELECT 1 FROM proposal WHERE call_id = ${id})`,
    error: () => conflict(PROPOSAL_MESSAGES.hasProposals),
  };
  await runGuardedBatch(
    ctx,
    [unchangedRow(proposalCall, id, version), unused],
    [
      ctx.db.delete(proposalCall).where(eq(proposalCall.id, id)),
      audit(ctx, { action: "proposal.callDelete", targetType: "proposalCall", targetId: id }),
    ],
  );
  return {};
}
