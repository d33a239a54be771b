import { eq, type SQL } from "drizzle-orm";
import { keptAnswer } from "#db/schema/kernel.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { AppContext, KeyedCall } from "#worker/domain/kernel/context.ts";

/**
 * Makes something once: what the same person sends again under the same key is answered like the first, also when both
 * come together or the first was killed behind its batch. `create` writes its answer in that batch by `keepAnswer`.
 * @param sent the call and everything it was sent @throws AppError CONFLICT where the key came with something else before
 */
export async function answerOnce<T>(
  ctx: AppContext,
  idempotencyKey: string | null,
  sent: unknown,
  create: (ctx: AppContext) => Promise<T>,
): Promise<T> {
  if (idempotencyKey === null) return create(ctx);
  const fingerprint = ctx.tokens.hash("idempotency-body", JSON.stringify(sent));
  // A guest is known by what they send: a sign-up says which verified address it is for.
  const sender = ctx.actor.kind === "guest" ? fingerprint : ctx.actor.userId;
  const call: KeyedCall = {
    key: ctx.tokens.hash("idempotency", `${sender}\n${idempotencyKey}`),
    fingerprint,
  };
  const before = await findKeptAnswer<T>(ctx, call);
  if (before) return before.answer;
  try {
    return await create({ ...ctx, keyedCall: call });
  } catch (error) {
    // The other sending was quicker: it took what this one wanted, or its kept answer undid this batch.
    const made = await findKeptAnswer<T>(ctx, call);
    if (!made) throw error;
    return made.answer;
  }
}

async function findKeptAnswer<T>(ctx: AppContext, { key, fingerprint }: KeyedCall): Promise<{ answer: T } | null> {
  const [kept] = await ctx.db.select().from(keptAnswer).where(eq(keptAnswer.key, key));
  if (!kept) return null;
  if (kept.fingerprint !== fingerprint)
    throw new AppError("CONFLICT", {
      message: "같은 요청 번호로 다른 내용을 보내셨습니다. 화면을 새로 불러온 뒤 다시 시도해 주십시오.",
    });
  return { answer: kept.answer as T };
}

/** What a quicker sending of the call that runs was answered, for one that finds its work done instead of failing at it. */
export const answerOfSameCall = async <T>(ctx: AppContext): Promise<T | null> =>
  ctx.keyedCall ? ((await findKeptAnswer<T>(ctx, ctx.keyedCall))?.answer ?? null) : null;

/** For the batch that makes what the call creates; nothing where the call came without a key. */
export function keepAnswer(ctx: Pick<AppContext, "db" | "now" | "keyedCall">, answer: object | SQL) {
  return ctx.keyedCall ? [ctx.db.insert(keptAnswer).values({ ...ctx.keyedCall, answer, createdDate: ctx.now() })] : [];
}
