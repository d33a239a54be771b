import { and, eq } from "drizzle-orm";
import { role, user, userKey } from "#db/schema.ts";
import { hashPassword, needsRehash, verifyPassword } from "#worker/adapters/password.server.ts";
import type { AppContext } from "#worker/context.server.ts";
import { AppError } from "#worker/contract/errors.ts";
import { MESSAGES } from "#worker/contract/messages.ts";
import { RULES, type SigninInput, type TokenPair } from "#worker/contract/user.ts";
import { audit } from "../audit.server.ts";
import { clearLimits, countLimits, giveBack, type LimitEntry } from "../limit.server.ts";
import { newSession } from "./session.server.ts";

/**
 * Failures alone are counted, but before the hash: parallel guesses cost no more than the limit allows.
 * @throws AppError INVALID_CREDENTIAL, NOT_FOUND, NOT_ACCEPTABLE, TOO_MANY_REQUESTS
 */
export async function signin(ctx: AppContext, input: SigninInput): Promise<TokenPair> {
  const subject = `${input.userKeyType}:${input.userKeyCode}`;
  const pair: LimitEntry = ["signinFailureKeyAddress", `${subject}@${ctx.client.address}`];
  const wide: [LimitEntry, LimitEntry] = [
    ["signinFailureKey", subject],
    ["signinFailureAddress", ctx.client.address],
  ];
  await countLimits(ctx, pair);
  await countLimits(ctx, ...wide);

  const [owner] = await ctx.db
    .select({
      id: user.id,
      userName: user.userName,
      userType: user.userType,
      status: user.status,
      passwordHash: user.passwordHash,
      roleCode: role.roleCode,
      roleName: role.roleName,
      permissions: role.permissions,
    })
    .from(userKey)
    .innerJoin(user, eq(user.id, userKey.userId))
    .innerJoin(role, eq(role.roleCode, user.roleCode))
    .where(and(eq(userKey.userKeyType, input.userKeyType), eq(userKey.userKeyCode, input.userKeyCode)));

  // A password longer than any we accept costs the same as a wrong one.
  const password = input.password.slice(0, RULES.password.max + 1);
  const matches = verifyPassword(password, owner?.passwordHash ?? "", ctx.config.PASSWORD_PEPPER);
  if (!owner) {
    await countLimits(ctx, ["lookupAddress", ctx.client.address]);
    ctx.defer(audit(ctx, { action: "signin.failed", targetType: "user", detail: { cause: "unknown" } }).run());
    throw new AppError("NOT_FOUND", { message: MESSAGES.userNotFound });
  }
  if (!matches) {
    ctx.defer(
      audit(ctx, {
        action: "signin.failed",
        targetType: "user",
        targetId: owner.id,
        detail: { cause: "password" },
      }).run(),
    );
    throw new AppError("INVALID_CREDENTIAL");
  }
  await Promise.all([clearLimits(ctx, pair), giveBack(ctx, ...wide)]);
  if (owner.status !== "active") throw new AppError("NOT_ACCEPTABLE");

  const { statements, tokens } = await newSession(ctx, owner);
  const passwordHash = needsRehash(owner.passwordHash) ? hashPassword(password, ctx.config.PASSWORD_PEPPER) : undefined;
  await ctx.db.batch([
    ...statements,
    ctx.db
      .update(user)
      .set({ lastSigninDate: ctx.now(), ...(passwordHash ? { passwordHash } : {}) })
      .where(eq(user.id, owner.id)),
    audit(ctx, { action: "signin", actorUserId: owner.id, targetType: "user", targetId: owner.id }),
  ]);
  return tokens;
}
