import { and, eq, sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { user, userKey } from "#db/schema/account.ts";
import { hashPassword, needsRehash } from "#worker/adapters/password.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import type { SigninInput } from "#worker/contract/account/input.ts";
import type { TokenPair } from "#worker/contract/account/view.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { isBatchAborted, abortBatchUnless } from "../kernel/guard.server.ts";
import { pendingAgreementsStatement } from "./consent.server.ts";
import { hasSecondFactor } from "../access/actor.server.ts";
import { tryPassword, tryUnknownKey, wrongPasswordError } from "../access/password-attempt.server.ts";
import { permissionsAt } from "../access/grant.server.ts";
import { newSession, withPendingAgreements } from "./session.server.ts";

/** @throws AppError INVALID_CREDENTIAL, NOT_FOUND, NOT_ACCEPTABLE, TOO_MANY_REQUESTS */
export async function signin(ctx: AppContext, input: SigninInput): Promise<TokenPair> {
  const [owner] = await ctx.db
    .select({
      id: user.id,
      userName: user.userName,
      userType: user.userType,
      status: user.status,
      passwordHash: user.passwordHash,
      roleCode: role.roleCode,
      roleName: role.roleName,
      permissions: permissionsAt(ctx.now()),
      hasSecondFactor: hasSecondFactor.as("has_second_factor"),
    })
    .from(userKey)
    .innerJoin(user, eq(user.id, userKey.userId))
    .innerJoin(role, eq(role.roleCode, user.roleCode))
    .where(and(eq(userKey.userKeyType, input.userKeyType), eq(userKey.userKeyCode, input.userKeyCode)));

  if (!owner) {
    await tryUnknownKey(ctx, input.password, "signin");
    throw new AppError("NOT_FOUND", { message: UI_MESSAGES.userNotFound });
  }
  const wrong = await tryPassword(ctx, { owner, password: input.password, action: "signin" });
  if (wrong) throw wrongPasswordError(wrong.remaining);
  if (owner.status !== "active") throw new AppError("NOT_ACCEPTABLE");

  const { statements, tokens } = await newSession(ctx, owner);
  const raised = needsRehash(owner.passwordHash, ctx.config.PASSWORD_PEPPER)
    ? { passwordHash: hashPassword(input.password, ctx.config.PASSWORD_PEPPER) }
    : null;
  // Guards against a password change or closed account during the comparison.
  const unchanged = sql`EXISTS (SELECT 1 FROM user WHERE id = ${owner.id} AND status = 'active' AND (password_hash = ${owner.passwordHash} OR ${raised ? 1 : 0}))`;
  const work = ctx.db.batch([
    abortBatchUnless(ctx, unchanged),
    pendingAgreementsStatement(ctx.db, owner.id),
    ...statements,
    ctx.db
      .update(user)
      .set({ lastSigninDate: ctx.now(), ...raised })
      .where(and(eq(user.id, owner.id), eq(user.passwordHash, owner.passwordHash))),
    audit(ctx, { action: "signin", actorUserId: owner.id, targetType: "user", targetId: owner.id }),
  ]);
  const [, pending] = await work.catch((cause: unknown) => {
    throw isBatchAborted(cause) ? new AppError("INVALID_CREDENTIAL") : cause;
  });
  const known = withPendingAgreements(tokens, pending);
  return owner.hasSecondFactor === 1 ? { ...known, secondFactor: "pending" } : known;
}
