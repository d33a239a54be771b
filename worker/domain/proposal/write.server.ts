import { eq, sql } from "drizzle-orm";
import { file } from "#db/schema/file.ts";
import { proposal, proposalApplicant, proposalCall, proposalFile, proposalReview } from "#db/schema/proposal.ts";
import {
  callClosesAt,
  callPhaseAt,
  PROPOSAL_LIMITS,
  PROPOSAL_MESSAGES,
  workingDay,
} from "#worker/contract/proposal/proposal.ts";
import type * as input from "#worker/contract/proposal/input.ts";
import type { SavedProposal } from "#worker/contract/proposal/view.ts";
import { HOUR_MS } from "#worker/contract/kernel/limits.ts";
import { AppError, invalidInput, type NewVersion } from "#worker/contract/kernel/errors.ts";
import { koreanDateTime, koreanDay } from "#worker/contract/kernel/korea.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import { unusableFiles } from "../file/upload.server.ts";
import { runCommand } from "../kernel/desk.server.ts";
import { type BatchGuard, conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { checkedProposal, missingParts } from "./missing.ts";
import {
  type CallRecord,
  DESK,
  type FoundProposal,
  recordCommand,
  requireCommand,
  requireProposer,
} from "./proposal-row.server.ts";

/** The reason that a call takes nothing, from the call as it was read. */
function notOpen(ctx: AppContext, call: CallRecord): AppError {
  if (callPhaseAt(call, ctx.now()) === "before") return conflict(PROPOSAL_MESSAGES.before);
  const end = koreanDateTime(new Date(callClosesAt(call) - 60_000)).slice(0, 16);
  return conflict(PROPOSAL_MESSAGES.submittedLate(end));
}

/** Still open inside the batch. */
const openGuard = (ctx: AppContext, call: CallRecord): BatchGuard => {
  const now = ctx.now().getTime();
  return {
    holds: sql`EXISTS (SELECT 1 FROM proposal_call WHERE id = ${call.id} AND open_date <= ${now}
      AND (close_date IS NULL OR close_date + 60000 > ${now}))`,
    error: () => notOpen(ctx, call),
  };
};

/** An empty draft. @throws AppError NOT_FOUND, CONFLICT outside the call's time */
export async function startProposal(
  ctx: AppContext,
  { callId }: Parsed<typeof input.startProposalInput>,
): Promise<{ id: string }> {
  const { userId } = requireProposer(ctx);
  const [call] = await ctx.db.select().from(proposalCall).where(eq(proposalCall.id, callId));
  if (!call) throw new AppError("NOT_FOUND", { message: PROPOSAL_MESSAGES.callMissing });
  const id = crypto.randomUUID();
  const fewEnough = {
    holds: sql`(SELECT count(*) FROM proposal WHERE user_id = ${userId} AND status = 'draft') < ${PROPOSAL_LIMITS.open}`,
    error: () => conflict(PROPOSAL_MESSAGES.tooMany),
  };
  const dates = { createdDate: ctx.now(), modifiedDate: ctx.now() };
  await runGuardedBatch(
    ctx,
    [openGuard(ctx, call), fewEnough],
    [
      ctx.db.insert(proposal).values({ id, callId, userId, status: "draft", ...dates }),
      ...recordCommand(ctx, { id, userId }, "start"),
      ...storeIdempotentAnswer(ctx, { id }),
    ],
  );
  return { id };
}

type Saved = Parsed<typeof input.saveProposalInput>;

const TEXTS = ["title", "englishTitle", "affiliation", "hasStatement"] as const;

const areSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Fields that differ from the stored ones, as errors name them. */
function changedFields({ row, applicants, files }: FoundProposal, sent: Saved): string[] {
  const codes = [...new Set([...Object.keys(row.answers), ...Object.keys(sent.answers)])];
  const papers = [...new Set([...files, ...sent.files].map(({ paper }) => paper))];
  const filesOf = (all: readonly { paper: string; fileId: string }[], code: string) =>
    all.filter(({ paper }) => paper === code).map(({ fileId }) => fileId);
  const before = applicants.map(({ name, email, affiliation }) => ({ name, email, affiliation }));
  return [
    ...TEXTS.filter((field) => row[field] !== sent[field]),
    ...codes.filter((code) => !areSame(row.answers[code], sent.answers[code])).map((code) => `profile.${code}`),
    ...papers
      .filter((code) => !areSame(filesOf(files, code), filesOf(sent.files, code)))
      .map((code) => `papers.${code}`),
    ...(areSame(before, sent.applicants) ? [] : ["applicants"]),
  ];
}

/** The caller uploaded the new files, and none is attached elsewhere. */
const usableFiles = (userId: string, added: readonly string[]): BatchGuard => ({
  holds: sql`(SELECT count(*) FROM file WHERE id IN (SELECT value FROM json_each(${JSON.stringify(added)}))
    AND purpose = 'general' AND status = 'ready' AND owner_user_id = ${userId}
    AND NOT EXISTS (SELECT 1 FROM content_file WHERE content_file.file_id = file.id)) = ${added.length}`,
  error: unusableFiles,
});

/** Whatever is missing or wrong; only the form's fields. @throws AppError NOT_FOUND, CONFLICT, INVALID_INPUT */
export async function saveProposal(ctx: AppContext, id: string, given: Saved): Promise<SavedProposal> {
  const found = await requireCommand(ctx, "save", id);
  const { row, call, files } = found;
  const answers = Object.fromEntries(
    Object.entries(given.answers).filter(([code]) => call.questions.some((question) => question.code === code)),
  );
  const applicants = given.applicants.map((each) => ({ ...each, email: each.email.toLowerCase() }));
  const sent = { ...given, answers, applicants };
  const unknown = sent.files.findIndex(({ paper }) => !call.papers.some(({ code }) => code === paper));
  if (unknown >= 0) throw invalidInput({ [`files.${unknown}.paper`]: "이 공모에서 받지 않는 서류입니다." });
  const { title, englishTitle, affiliation, hasStatement, version } = sent;
  const added = sent.files.map(({ fileId }) => fileId).filter((each) => !files.some(({ fileId }) => fileId === each));
  const dropped = files.map(({ fileId }) => fileId).filter((each) => !sent.files.some(({ fileId }) => fileId === each));
  const isIn = (ids: readonly string[]) => sql`${file.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const changed = row.status === "draft" ? [] : [...new Set([...row.changed, ...changedFields(found, sent)])];
  // A form that saves itself every few seconds is noted once an hour.
  const isNoted = row.version === 1 || ctx.now().getTime() - row.modifiedDate.getTime() > HOUR_MS;
  await runCommand(ctx, DESK, "save", row, {
    version,
    set: { title, englishTitle, affiliation, hasStatement, answers, changed, modifiedDate: ctx.now() },
    guards: [usableFiles(row.userId, added)],
    parts: [
      ctx.db.update(file).set({ status: "ready", purpose: "general", createdDate: ctx.now() }).where(isIn(dropped)),
      ctx.db.update(file).set({ status: "attached", purpose: "proposal" }).where(isIn(added)),
      ctx.db.delete(proposalFile).where(eq(proposalFile.proposalId, id)),
      ctx.db.insert(proposalFile).select(sql`SELECT value ->> 'fileId', ${id}, value ->> 'paper', key
        FROM json_each(${JSON.stringify(sent.files)}) WHERE 1`),
      ctx.db.delete(proposalApplicant).where(eq(proposalApplicant.proposalId, id)),
      ctx.db.insert(proposalApplicant)
        .select(sql`SELECT ${id}, key, value ->> 'name', value ->> 'email', value ->> 'affiliation'
        FROM json_each(${JSON.stringify(applicants)}) WHERE 1`),
      ...(isNoted ? recordCommand(ctx, row, "save") : []),
    ],
  });
  const saved = { ...found, applicants: applicants as FoundProposal["applicants"], files: sent.files as never };
  return {
    version: version + 1,
    modifiedDate: ctx.now().toISOString(),
    missing: missingParts({ ...saved, row: { ...row, ...sent } }),
  };
}

/** The next of its year, once; a later submission keeps it. */
const nextNumber = (now: Date) => {
  const year = koreanDay(now).slice(0, 4);
  return sql`CASE WHEN number <> '' THEN number ELSE (SELECT printf('%s-%03d', ${year}, 1 + coalesce(max(CAST(substr(p.number, 6) AS INTEGER)), 0))
    FROM proposal AS p WHERE p.number LIKE ${`${year}-%`}) END` as unknown as string;
};

/** A draft until the close; after a return at any time. @throws AppError NOT_FOUND, CONFLICT, INVALID_INPUT by field */
export async function submitProposal(
  ctx: AppContext,
  id: string,
  { version, callVersion }: Parsed<typeof input.submitProposalInput>,
): Promise<NewVersion> {
  const found = await requireCommand(ctx, "submit", id);
  const { row, call, reviews } = found;
  if (row.status === "draft" && callPhaseAt(call, ctx.now()) !== "open") throw notOpen(ctx, call);
  if (row.version !== version) throw conflict();
  const { answers, missing } = checkedProposal(found);
  if (Object.keys(missing).length > 0) throw invalidInput(missing);
  const isAgain = row.status === "second";
  const round = row.round + (isAgain ? 1 : 0);
  const now = ctx.now();
  const asked = isAgain
    ? reviews.filter(({ review }) => review.round === row.round && review.status !== "recused")
    : [];
  await runCommand(ctx, DESK, "submit", row, {
    version,
    set: {
      answers,
      round,
      number: nextNumber(now),
      submittedDate: now,
      modifiedDate: now,
      dueDay: workingDay(koreanDay(now), call.checkDays),
    },
    guards: [
      ...(row.status === "draft" ? [openGuard(ctx, call)] : []),
      {
        holds: sql`EXISTS (SELECT 1 FROM proposal_call WHERE id = ${call.id} AND version = ${callVersion})`,
        error: () => conflict(PROPOSAL_MESSAGES.callChanged),
      },
    ],
    parts: [
      ...asked.map(({ review: { userId } }) =>
        ctx.db.insert(proposalReview).values({
          id: crypto.randomUUID(),
          proposalId: id,
          userId,
          round,
          status: "asked",
          createdDate: now,
          modifiedDate: now,
        }),
      ),
      ...recordCommand(ctx, row, "submit"),
    ],
  });
  return { version: version + 1 };
}

/** Until the decision. @throws AppError NOT_FOUND, CONFLICT */
export async function withdrawProposal(
  ctx: AppContext,
  id: string,
  { version }: Parsed<typeof input.withdrawProposalInput>,
): Promise<NewVersion> {
  const { row } = await requireCommand(ctx, "withdraw", id);
  await runCommand(ctx, DESK, "withdraw", row, {
    version,
    set: { dueDay: "", modifiedDate: ctx.now() },
    parts: recordCommand(ctx, row, "withdraw"),
  });
  return { version: version + 1 };
}
