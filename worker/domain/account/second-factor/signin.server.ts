import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import { eq, sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { secondFactor, user } from "#db/schema/account.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { AssertionResponse } from "#worker/contract/account/second-factor-input.ts";
import type { TokenPair } from "#worker/contract/account/view.ts";
import { permissionsAt } from "../../access/grant.server.ts";
import { audit } from "../../kernel/audit-entry.server.ts";
import { abortBatchUnless, isBatchAborted } from "../../kernel/guard.server.ts";
import { pendingAgreementsStatement } from "../consent.server.ts";
import { newSession, withPendingAgreements } from "../session.server.ts";
import { passkeyError } from "./challenge.server.ts";
import { passkeyRequestOptions, verifyAssertion } from "./passkey.server.ts";
import { countFailures, passkeyUsedStatement } from "./verify.server.ts";

const SIGNIN_USE = { purpose: "signin", subject: "" } as const;

export const getSigninOptions = (ctx: AppContext): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  passkeyRequestOptions(ctx, SIGNIN_USE, []);

/**
 * A passkey with user verification counts as both factors. @throws AppError INVALID_CREDENTIAL, NOT_ACCEPTABLE,
 * TOO_MANY_REQUESTS
 */
export async function signinByPasskey(ctx: AppContext, response: AssertionResponse): Promise<TokenPair> {
  const [found] = await ctx.db
    .select({
      factor: secondFactor,
      owner: {
        id: user.id,
        userName: user.userName,
        userType: user.userType,
        status: user.status,
        roleCode: role.roleCode,
        roleName: role.roleName,
      },
      permissions: permissionsAt(ctx.now()),
    })
    .from(secondFactor)
    .innerJoin(user, eq(user.id, secondFactor.userId))
    .innerJoin(role, eq(role.roleCode, user.roleCode))
    .where(eq(secondFactor.credentialId, response.id));
  if (!found) throw passkeyError();
  const { factor, owner } = found;
  const { statements, tokens } = await newSession(ctx, { ...owner, permissions: found.permissions }, ctx.now());
  return countFailures(ctx, owner.id, "passkey", async () => {
    const { counter } = await verifyAssertion(ctx, SIGNIN_USE, factor, response);
    if (owner.status !== "active") throw new AppError("NOT_ACCEPTABLE");
    const unchanged = sql`EXISTS (SELECT 1 FROM user JOIN second_factor ON second_factor.user_id = user.id
      WHERE user.id = ${owner.id} AND user.status = 'active' AND second_factor.id = ${factor.id} AND second_factor.counter = ${factor.counter})`;
    const work = ctx.db.batch([
      abortBatchUnless(ctx, unchanged),
      pendingAgreementsStatement(ctx.db, owner.id),
      passkeyUsedStatement(ctx, factor, counter),
      ...statements,
      ctx.db.update(user).set({ lastSigninDate: ctx.now() }).where(eq(user.id, owner.id)),
      audit(ctx, {
        action: "signin",
        actorUserId: owner.id,
        targetType: "user",
        targetId: owner.id,
        detail: { kind: "passkey" },
      }),
    ]);
    const [, pending] = await work.catch((cause: unknown) => {
      throw isBatchAborted(cause) ? passkeyError(cause) : cause;
    });
    return withPendingAgreements(tokens, pending);
  });
}
