import { and, eq, gt, isNull, lte, sql } from "drizzle-orm";
import { recoveryCode, secondFactor, secondFactorRecovery, user } from "#db/schema/account.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { koreanDateTime, longDayTexts } from "#worker/contract/kernel/korea.ts";
import { SECOND_FACTOR_LIMITS } from "#worker/contract/account/second-factor.ts";
import type { startRecoveryInput } from "#worker/contract/account/second-factor-input.ts";
import { authorizeAccounts } from "../../access/account-authority.server.ts";
import { audit } from "../../kernel/audit-entry.server.ts";
import { authorizeConsole, requireSignedIn } from "../../kernel/authorize.server.ts";
import { conflict, runGuardedBatch } from "../../kernel/guarded-batch.server.ts";
import { contactOf, queueMessage, userKeysStatement } from "../../mail/message.server.ts";
import { loadLetterRenderers } from "../../mail/render-template.server.ts";
import { endSessions } from "../session.server.ts";
import { requireSession, secondFactorMessage } from "./factor.server.ts";

const isOpen = (ctx: AppContext, userId: string) =>
  and(
    eq(secondFactorRecovery.userId, userId),
    isNull(secondFactorRecovery.closedDate),
    gt(secondFactorRecovery.expiresDate, ctx.now()),
  );

/**
 * Allows removing a lost second factor one day later. Both people get a message, so that either can cancel. @throws
 * AppError UNAUTHORIZED, FORBIDDEN, NOT_FOUND, CONFLICT
 */
export async function startRecovery(
  ctx: AppContext,
  userId: string,
  input: Parsed<typeof startRecoveryInput>,
): Promise<{ usableDate: string }> {
  authorizeConsole(ctx);
  const me = requireSignedIn(ctx);
  const [[target], keys, ownKeys] = await ctx.db.batch([
    ctx.db.select().from(user).where(eq(user.id, userId)),
    userKeysStatement(ctx, userId),
    userKeysStatement(ctx, me.userId),
  ]);
  if (!target || target.status === "retired") throw new AppError("NOT_FOUND");
  const authority = await authorizeAccounts(ctx, [userId]);
  if (userId === me.userId) {
    throw conflict("본인의 2단계 인증은 본인이 풀 수 없습니다. 다른 관리자에게 요청해 주십시오.");
  }
  const now = ctx.now();
  const usableDate = new Date(now.getTime() + SECOND_FACTOR_LIMITS.recoveryDelayMs);
  const expiresDate = new Date(usableDate.getTime() + SECOND_FACTOR_LIMITS.recoveryTtlMs);
  const writeTo = await loadLetterRenderers(ctx, [userId, me.userId]);
  const usable = longDayTexts(usableDate);
  const hour = koreanDateTime(usableDate).slice(11, 16);
  const textFor = (to: string) =>
    writeTo(to)("secondFactorRecovery", {
      이름: target.userName,
      관리자: me.userName,
      시각: { ko: `${usable.ko} ${hour}`, en: `${hour} on ${usable.en}` },
    });
  const messages = [
    { userId, contact: contactOf(keys) },
    { userId: me.userId, contact: contactOf(ownKeys) },
  ].flatMap(({ userId: about, contact }) =>
    contact ? [queueMessage(ctx, { ...contact, ...textFor(about), userId: about })] : [],
  );
  const guards = [
    authority,
    {
      holds: sql`EXISTS (SELECT 1 FROM second_factor WHERE user_id = ${userId})`,
      error: () => conflict("2단계 인증을 등록하지 않은 회원입니다."),
    },
    {
      holds: sql`NOT EXISTS (SELECT 1 FROM second_factor_recovery WHERE user_id = ${userId} AND closed_date IS NULL AND expires_date > ${now.getTime()})`,
      error: () => conflict("이미 복구가 시작된 회원입니다."),
    },
  ];
  await runGuardedBatch(ctx, guards, [
    // An expired, unused recovery makes room for a new one.
    ctx.db
      .update(secondFactorRecovery)
      .set({ closedDate: now })
      .where(
        and(
          eq(secondFactorRecovery.userId, userId),
          isNull(secondFactorRecovery.closedDate),
          lte(secondFactorRecovery.expiresDate, now),
        ),
      ),
    ctx.db.insert(secondFactorRecovery).values({
      id: crypto.randomUUID(),
      userId,
      requestedByUserId: me.userId,
      reason: input.reason,
      createdDate: now,
      usableDate,
      expiresDate,
    }),
    audit(ctx, {
      action: "second-factor.recovery-start",
      targetType: "user",
      targetId: userId,
      subjectCount: 1,
      reason: input.reason,
    }),
    ...messages,
  ]);
  return { usableDate: usableDate.toISOString() };
}

/**
 * Allowed for any administrator and the owner. @throws AppError UNAUTHORIZED, FORBIDDEN, NOT_FOUND without an open one
 */
export async function cancelRecovery(ctx: AppContext, userId: string): Promise<Record<string, never>> {
  if (requireSignedIn(ctx).userId !== userId) authorizeConsole(ctx);
  const authority = await authorizeAccounts(ctx, [userId]);
  const queued = await secondFactorMessage(ctx, userId, { ko: "복구 취소", en: "The recovery has been cancelled." });
  const guards = [
    authority,
    {
      holds: sql`EXISTS (SELECT 1 FROM second_factor_recovery WHERE ${isOpen(ctx, userId)})`,
      error: () => new AppError("NOT_FOUND"),
    },
  ];
  await runGuardedBatch(ctx, guards, [
    ctx.db.update(secondFactorRecovery).set({ closedDate: ctx.now() }).where(isOpen(ctx, userId)),
    audit(ctx, { action: "second-factor.recovery-cancel", targetType: "user", targetId: userId }),
    queued,
  ]);
  return {};
}

/**
 * Removes the lost factor. The owner must know the password, so two people are involved. @throws AppError UNAUTHORIZED,
 * CONFLICT before the day is over or without an open one
 */
export async function useRecovery(ctx: AppContext): Promise<Record<string, never>> {
  const { userId, sessionId } = requireSession(ctx);
  const usable = and(isOpen(ctx, userId), lte(secondFactorRecovery.usableDate, ctx.now()));
  const queued = await secondFactorMessage(ctx, userId, {
    ko: "복구로 2단계 인증이 모두 해제됨. 다시 등록해 주십시오.",
    en: "The recovery has removed two-step verification. Please register it again.",
  });
  const guard = {
    holds: sql`EXISTS (SELECT 1 FROM second_factor_recovery WHERE ${usable})`,
    error: () => conflict("아직 복구하실 수 없습니다. 관리자가 복구를 시작하고 24시간이 지나야 합니다."),
  };
  await runGuardedBatch(ctx, guard, [
    ctx.db.update(secondFactorRecovery).set({ closedDate: ctx.now() }).where(isOpen(ctx, userId)),
    ctx.db.delete(secondFactor).where(eq(secondFactor.userId, userId)),
    ctx.db.delete(recoveryCode).where(eq(recoveryCode.userId, userId)),
    endSessions(ctx, userId, "second factor recovered", sessionId),
    audit(ctx, {
      action: "second-factor.recovery-use",
      actorUserId: userId,
      targetType: "user",
      targetId: userId,
    }),
    queued,
  ]);
  return {};
}
