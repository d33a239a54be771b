import { and, eq, isNull, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import { alumniCorrection } from "#db/schema/alumni-correction.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { CORRECTION_EMPTY, CORRECTION_OWN_EMAIL } from "#worker/contract/alumni/representative.ts";
import type { ProposeCorrectionInput } from "#worker/contract/alumni/representative-input.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { authorize, can, requireSignedIn } from "../kernel/authorize.server.ts";
import { conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { proposedFields } from "./cohort.server.ts";

const personNotFound = () => new AppError("NOT_FOUND", { message: "맡으신 기수에 없는 사람입니다." });

/**
 * Proposes values for the office without comparing them, so that the answer reveals no hidden value. @throws AppError
 * NOT_FOUND, INVALID_INPUT, CONFLICT
 */
export async function proposeCorrection(
  ctx: AppContext,
  personId: string,
  { note, ...given }: ProposeCorrectionInput,
): Promise<{ id: string }> {
  authorize(ctx, { action: "Alumni.Represent", cohort: "any" });
  const { userId } = requireSignedIn(ctx);
  const [person] = await ctx.db
    .select({ cohort: alumni.cohort })
    .from(alumni)
    .where(and(eq(alumni.id, personId), isNull(alumni.deletedDate)));
  const cohort = person?.cohort ?? null;
  if (cohort === null || !can(ctx.actor, { action: "Alumni.Represent", cohort })) throw personNotFound();
  const fields = proposedFields(ctx).filter((field) => (given[field] ?? "") !== "");
  const values = Object.fromEntries(fields.map((field) => [field, given[field] ?? ""]));
  if (fields.length === 0) throw invalidInput({ affiliation: CORRECTION_EMPTY });
  const id = crypto.randomUUID();
  const isOwnAddress = sql`SELECT 1 FROM user_key WHERE user_id = ${userId} AND user_key_code = ${(given.email ?? "").toLowerCase()}`;
  await runGuardedBatch(
    ctx,
    [
      {
        holds: sql`EXISTS (SELECT 1 FROM alumni WHERE id = ${personId} AND cohort = ${cohort} AND deleted_date IS NULL)`,
        error: personNotFound,
      },
      // The caller's own address would make the entry theirs, with every hidden field.
      { holds: sql`NOT EXISTS (${isOwnAddress})`, error: () => invalidInput({ email: CORRECTION_OWN_EMAIL }) },
      {
        holds: sql`NOT EXISTS (SELECT 1 FROM alumni_correction WHERE alumni_id = ${personId} AND user_id = ${userId} AND state = 'waiting')`,
        error: () => conflict("이미 보내신 수정 요청이 승인을 기다리고 있습니다. 거둔 뒤에 다시 보내 주십시오."),
      },
    ],
    [
      ctx.db.insert(alumniCorrection).values({
        id,
        alumniId: personId,
        userId,
        cohort,
        fields,
        values,
        note,
        state: "waiting",
        createdDate: ctx.now(),
      }),
      audit(ctx, {
        action: "alumni.propose",
        targetType: "alumni",
        targetId: personId,
        subjectCount: 1,
        detail: { proposal: id, fields },
      }),
      ...storeIdempotentAnswer(ctx, { id }),
    ],
  );
  return { id };
}

/** Withdraws the caller's undecided proposal. @throws AppError NOT_FOUND, CONFLICT */
export async function withdrawCorrection(ctx: AppContext, id: string): Promise<Record<string, never>> {
  const { userId } = requireSignedIn(ctx);
  authorize(ctx, { action: "User.Self", userId });
  const [row] = await ctx.db
    .select({ userId: alumniCorrection.userId, alumniId: alumniCorrection.alumniId })
    .from(alumniCorrection)
    .where(eq(alumniCorrection.id, id));
  if (row?.userId !== userId) throw new AppError("NOT_FOUND", { message: "수정 요청을 찾을 수 없습니다." });
  await runGuardedBatch(
    ctx,
    [isWaiting(id)],
    [
      decideStatement(ctx, id, { state: "withdrawn" }),
      audit(ctx, {
        action: "alumni.proposal-withdraw",
        targetType: "alumni",
        targetId: row.alumniId,
        detail: { proposal: id },
      }),
    ],
  );
  return {};
}

/** Guard for a decision; the first of two parallel ones wins. */
export const isWaiting = (id: string) => ({
  holds: sql`EXISTS (SELECT 1 FROM alumni_correction WHERE id = ${id} AND state = 'waiting')`,
  error: () => conflict("이미 처리하였거나 거둔 수정 요청입니다."),
});

/** Erases the proposed values after the decision; the names of the fields stay. */
export const decideStatement = (
  ctx: Pick<AppContext, "db" | "now">,
  id: string,
  decision: Pick<typeof alumniCorrection.$inferInsert, "state" | "answer">,
) =>
  ctx.db
    .update(alumniCorrection)
    .set({ ...decision, values: {}, note: "", decidedDate: ctx.now() })
    .where(eq(alumniCorrection.id, id));
