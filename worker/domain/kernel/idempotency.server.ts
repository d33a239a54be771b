import { eq, type SQL } from "drizzle-orm";
import { keptAnswer } from "#db/schema/kernel.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { AppContext, KeyedCall } from "#worker/domain/kernel/context.ts";

/**
 * Creates once per idempotency key, even for parallel calls; `create` must store its answer in its batch with
 * `storeIdempotentAnswer`. @param sent the call and its whole input @throws AppError CONFLICT when the key was used with other
 * input
 */
export async function answerOnce<T>(
  ctx: AppContext,
  idempotencyKey: string | null,
  sent: unknown,
  create: (ctx: AppContext) => Promise<T>,
): Promise<T> {
  if (idempotencyKey === null) return create(ctx);
  const fingerprint = ctx.tokens.hash("idempotency-body", JSON.stringify(sent));
  // Guests are identified by their input: a sign-up names its verified address.
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
    // A parallel call with the same key won: return its stored answer.
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

/** Returns the stored answer of a parallel call with the same idempotency key. */
export const findIdempotentAnswer = async <T>(ctx: AppContext): Promise<T | null> =>
  ctx.keyedCall ? ((await findKeptAnswer<T>(ctx, ctx.keyedCall))?.answer ?? null) : null;

export function storeIdempotentAnswer(ctx: Pick<AppContext, "db" | "now" | "keyedCall">, answer: object | SQL) {
  return ctx.keyedCall ? [ctx.db.insert(keptAnswer).values({ ...ctx.keyedCall, answer, createdDate: ctx.now() })] : [];
}
