import { ACCOUNT_RULE_MESSAGES } from "#worker/contract/account/rule-messages.ts";
import { and, eq, sql } from "drizzle-orm";
import { session, user, userKey, verification } from "#db/schema/account.ts";
import { hashPassword } from "#worker/adapters/password.server.ts";
import { sha256Base64Url } from "#worker/adapters/secrets.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { UI_MESSAGES, userKeyTakenMessage, USER_KEY_NAMES } from "#worker/contract/kernel/messages.ts";
import type { ChangePasswordInput, ChangeUserKeyInput, EndOtherSessionsInput } from "#worker/contract/account/input.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { isBatchAborted, isUniqueViolation, abortBatchUnless } from "../kernel/guard.server.ts";
import { deliverMessageSoon, queueMessage } from "../mail/message.server.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import { userKeysStatement, queueOwnerMessage } from "../mail/owner-message.server.ts";
import { confirmPassword } from "../access/password-attempt.server.ts";
import { passwordProblem } from "./password-rule.server.ts";
import { endSessions } from "./session.server.ts";
import {
  messageChannelOf,
  forgetVerificationTokens,
  readVerificationToken,
  retireAddressStatements,
  verificationTokensStatement,
} from "./verification.server.ts";
import { endUndoLinksTo, newUndoLink } from "./undo-key-change.server.ts";

export function authorizeOwnAccount(ctx: AppContext, userId: string): void {
  authorize(ctx, { action: "User.Self", userId }, ctx.actor.kind === "guest" ? "told" : "hidden");
}

/** Ends every other session. @throws AppError INVALID_CREDENTIAL, INVALID_INPUT, TOO_MANY_REQUESTS, CONFLICT */
export async function changePassword(
  ctx: AppContext,
  userId: string,
  input: ChangePasswordInput,
): Promise<Record<string, never>> {
  authorizeOwnAccount(ctx, userId);
  const me = requireSignedIn(ctx);
  const stored = await confirmPassword(ctx, input.password, "user.changePassword");
  const keys = await userKeysStatement(ctx, userId);
  const problem =
    input.newPassword === input.password
      ? ACCOUNT_RULE_MESSAGES.passwordSame
      : await passwordProblem(
          ctx.rules,
          input.newPassword,
          keys.map((key) => key.userKeyCode),
        );
  if (problem) throw invalidInput({ newPassword: problem });

  const passwordHash = hashPassword(input.newPassword, ctx.config.PASSWORD_PEPPER);
  const write = await loadTemplateRenderer(ctx);
  const queued = queueOwnerMessage(ctx, userId, keys, write("passwordChanged", {}));
  const work = ctx.db.batch([
    abortBatchUnless(ctx, isPasswordUnchanged(userId, stored)),
    ctx.db.update(user).set({ passwordHash, modifiedDate: ctx.now() }).where(eq(user.id, userId)),
    endSessions(ctx, userId, "password changed", me.sessionId),
    audit(ctx, { action: "user.changePassword", targetType: "user", targetId: userId }),
    ...(queued ? [queued.statement] : []),
  ]);
  await work.catch((cause: unknown) => {
    throw isBatchAborted(cause) ? new AppError("CONFLICT", { cause }) : cause;
  });
  if (queued) deliverMessageSoon(ctx, queued.id);
  return {};
}

/**
 * Ends every other session. The password keeps the finder of an open device from locking the owner out. @throws
 * AppError INVALID_CREDENTIAL, TOO_MANY_REQUESTS, CONFLICT
 */
export async function endOtherSessions(
  ctx: AppContext,
  userId: string,
  input: EndOtherSessionsInput,
): Promise<{ ended: number }> {
  authorizeOwnAccount(ctx, userId);
  const me = requireSignedIn(ctx);
  const stored = await confirmPassword(ctx, input.password, "session.endOthers");
  const work = ctx.db.batch([
    abortBatchUnless(ctx, isPasswordUnchanged(userId, stored)),
    endSessions(ctx, userId, "ended by hand", me.sessionId).returning({ id: session.id }),
    audit(ctx, { action: "session.endOthers", targetType: "user", targetId: userId }),
  ]);
  const [, ended] = await work.catch((cause: unknown) => {
    throw isBatchAborted(cause) ? new AppError("CONFLICT", { cause }) : cause;
  });
  return { ended: ended.length };
}

/** True while the account still has the password that was just compared. */
export const isPasswordUnchanged = (userId: string, passwordHash: string) =>
  sql`EXISTS (SELECT 1 FROM user WHERE id = ${userId} AND status = 'active' AND password_hash = ${passwordHash})`;

/**
 * Sets a verified e-mail or mobile and notifies the old address. @throws AppError INVALID_CREDENTIAL, INVALID_INPUT,
 * ALREADY_EXISTS, TOO_MANY_REQUESTS, CONFLICT
 */
export async function changeUserKey(
  ctx: AppContext,
  userId: string,
  input: ChangeUserKeyInput,
): Promise<Record<string, never>> {
  authorizeOwnAccount(ctx, userId);
  const stored = await confirmPassword(ctx, input.password, "user.changeUserKey");
  const sealed = await readVerificationToken(ctx, input.userKeyToken, "verified");
  const unverified = invalidInput({
    userKeyToken: input.userKeyType === "Email" ? UI_MESSAGES.emailUnverified : UI_MESSAGES.mobileUnverified,
  });
  // Refuses a token that another signed-in person requested.
  if (!sealed || sealed.userKeyType !== input.userKeyType || (sealed.userId ?? userId) !== userId) throw unverified;

  const now = ctx.now();
  const { userKeyType, userKeyCode } = sealed;
  const tokenHash = sha256Base64Url(input.userKeyToken);
  const keys = await userKeysStatement(ctx, userId);
  const old = keys.find((key) => key.userKeyType === userKeyType);
  const sealedForOld = old ? await verificationTokensStatement(ctx, [old]) : [];
  const write = await loadTemplateRenderer(ctx);
  const undo = old ? await newUndoLink(ctx, { userId, userKeyType, userKeyCode: old.userKeyCode }) : null;
  const queued = old
    ? queueMessage(ctx, {
        channel: messageChannelOf(userKeyType),
        recipient: old.userKeyCode,
        userId,
        ...write("userKeyChanged", { 항목: USER_KEY_NAMES[userKeyType], 되돌리기: undo?.link ?? "" }),
      })
    : null;
  const usable = sql`EXISTS (SELECT 1 FROM verification WHERE token_hash = ${tokenHash} AND purpose = 'verified' AND used_date IS NULL AND expires_date > ${now.getTime()})`;
  const work = ctx.db.batch([
    abortBatchUnless(ctx, sql`${isPasswordUnchanged(userId, stored)} AND ${usable}`),
    ctx.db
      .update(verification)
      .set({ usedDate: now, usedByUserId: userId })
      .where(eq(verification.tokenHash, tokenHash)),
    old
      ? ctx.db
          .update(userKey)
          .set({ userKeyCode, verifiedDate: now })
          .where(and(eq(userKey.userId, userId), eq(userKey.userKeyType, userKeyType)))
      : ctx.db.insert(userKey).values({ userId, userKeyType, userKeyCode, verifiedDate: now }),
    ...(old ? retireAddressStatements(ctx, userId, userKeyType, old.userKeyCode) : []),
    endUndoLinksTo(ctx, { userId, userKeyType, userKeyCode }),
    ...(undo?.statements ?? []),
    ctx.db.update(user).set({ modifiedDate: now }).where(eq(user.id, userId)),
    audit(ctx, { action: "user.changeUserKey", targetType: "user", targetId: userId, detail: { userKeyType } }),
    ...(queued ? [queued.statement] : []),
  ]);
  await work.catch((cause: unknown) => {
    if (isUniqueViolation(cause, "user_key."))
      throw new AppError("ALREADY_EXISTS", { message: userKeyTakenMessage(userKeyType), cause });
    throw isBatchAborted(cause) ? unverified : cause;
  });
  ctx.defer(forgetVerificationTokens(ctx, sealedForOld));
  if (queued) deliverMessageSoon(ctx, queued.id);
  return {};
}
