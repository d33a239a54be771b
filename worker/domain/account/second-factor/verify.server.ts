import { SECOND_FACTOR_MESSAGES } from "#worker/contract/account/rule-messages.ts";
import { and, eq, inArray, isNull, lt, or, sql } from "drizzle-orm";
import { recoveryCode, secondFactor, session, user } from "#db/schema/account.ts";
import type { AppContext, BatchStatement, Parsed } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { RATE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { SECOND_FACTOR_LIMITS } from "#worker/contract/account/second-factor.ts";
import type { AssertionResponse, verifyInput } from "#worker/contract/account/second-factor-input.ts";
import { audit, auditIf } from "../../kernel/audit-entry.server.ts";
import { requireSignedIn } from "../../kernel/authorize.server.ts";
import {
  failAttemptStatement,
  type LimitEntry,
  limitKey,
  releaseAttemptStatement,
  reserveAttempt,
} from "../../kernel/limit.server.ts";
import { confirmPassword } from "../../access/password-attempt.server.ts";
import { type FactorRow, factorsStatement, requireSession, secondFactorMessage } from "./factor.server.ts";
import { passkeyError } from "./challenge.server.ts";
import { passkeyRequestOptions, verifyAssertion } from "./passkey.server.ts";
import { recoveryCodeHashes, recoveryCodesLeftStatement, storedTotpStepOf, totpError } from "./code.server.ts";
import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import { role } from "#db/schema/access.ts";
import { columnsOf } from "#db/sql.ts";
import type { TokenPair } from "#worker/contract/account/view.ts";
import { permissionsAt } from "../../access/actor.server.ts";
import { abortBatchUnless, isBatchAborted, runGuardedBatch } from "../../kernel/guarded-batch.server.ts";
import { pendingAgreementsStatement } from "../consent.server.ts";
import { newSession, withPendingAgreements } from "../session.server.ts";

/**
 * Verifies the second factor of a session, and of sensitive actions for five minutes. @throws AppError UNAUTHORIZED,
 * INVALID_CREDENTIAL, PINCODE_MISMATCH, TOO_MANY_REQUESTS
 */
export async function verifySecondFactor(
  ctx: AppContext,
  input: Parsed<typeof verifyInput>,
): Promise<Record<string, never>> {
  const { userId, sessionId } = requireSession(ctx);
  if (input.kind === "password") return verifyByPassword(ctx, input.password);
  const factors = await factorsStatement(ctx, userId);
  await countFailures(ctx, userId, input.kind, async () => {
    const { statement, error } = await claimProof(ctx, { userId, sessionId }, factors, input);
    // Uses up the proof and opens the session in one batch, so only one of two parallel requests succeeds.
    const [claimed] = await ctx.db.batch([
      statement,
      ctx.db
        .update(session)
        .set({ secondFactorDate: ctx.now() })
        .where(sql`${session.id} = ${sessionId} AND changes() > 0`),
      auditIf(ctx, { ...auditEntry(userId, input.kind), action: "second-factor.verify" }, sql`changes() > 0`),
    ]);
    if ((claimed as unknown[]).length === 0) throw error();
  });
  if (input.kind === "recoveryCode") await reportRecoveryCode(ctx, userId);
  return {};
}

const auditEntry = (userId: string, kind: string) => ({
  actorUserId: userId,
  targetType: "user",
  targetId: userId,
  detail: { kind },
});

interface Claim {
  statement: BatchStatement;
  error: () => AppError;
}

async function claimProof(
  ctx: AppContext,
  { userId, sessionId }: { userId: string; sessionId: string },
  factors: readonly FactorRow[],
  input: Exclude<Parsed<typeof verifyInput>, { kind: "password" }>,
): Promise<Claim> {
  if (input.kind === "passkey") return claimPasskey(ctx, sessionId, factors, input.response);
  return input.kind === "totp" ? claimTotp(ctx, factors, input.code) : claimRecoveryCode(ctx, userId, input.code);
}

/** Counts a failed try, except for passkeys: they cannot be guessed, so failures never lock the owner out. */
async function countFailures<T>(
  ctx: AppContext,
  userId: string,
  kind: "passkey" | "totp" | "recoveryCode",
  attempt: () => Promise<T>,
): Promise<T> {
  const short: LimitEntry = ["secondFactorFailure", `${userId}@${ctx.client.address}`];
  const limits: [LimitEntry, ...LimitEntry[]] =
    kind === "passkey" ? [short] : [short, ["secondFactorFailureDay", userId]];
  await reserveAttempt(ctx, ...limits);
  let result: T;
  try {
    result = await attempt();
  } catch (thrown) {
    if (thrown instanceof AppError) await recordFailure(ctx, userId, kind, limits);
    else await releaseAttemptStatement(ctx, limits);
    throw thrown;
  }
  await releaseAttemptStatement(ctx, limits);
  return result;
}

/** Notifies the owner at the failure limit of a session, because the caller knows the password. */
async function recordFailure(ctx: AppContext, userId: string, kind: string, limits: [LimitEntry, ...LimitEntry[]]) {
  const [rows] = await ctx.db.batch([
    failAttemptStatement(ctx, limits),
    audit(ctx, { ...auditEntry(userId, kind), action: "second-factor.failed" }),
  ]);
  const count = rows.find((row) => row.key === limitKey(ctx, limits[0]))?.count ?? 0;
  if (count !== RATE_LIMITS.secondFactorFailure.max) return;
  const message = await secondFactorMessage(ctx, userId, {
    ko: "2단계 인증에 여러 번 실패하여 잠시 제한됨",
    en: "Several attempts have failed; signing in is limited for a while.",
  });
  await runGuardedBatch(ctx, [], [message]);
}

async function verifyByPassword(ctx: AppContext, password: string): Promise<Record<string, never>> {
  const { sessionId, secondFactor: proof } = requireSignedIn(ctx);
  // The password is not accepted for an account with a second factor.
  if (proof?.hasFactor) throw new AppError("INVALID_CREDENTIAL", { message: SECOND_FACTOR_MESSAGES.passkeyWrong });
  await confirmPassword(ctx, password, "second-factor.password");
  await ctx.db.update(session).set({ passwordDate: ctx.now() }).where(eq(session.id, sessionId));
  return {};
}

async function claimPasskey(
  ctx: AppContext,
  sessionId: string,
  factors: readonly FactorRow[],
  response: AssertionResponse,
): Promise<Claim> {
  const factor = factors.find(({ credentialId }) => credentialId === response.id);
  if (!factor) throw passkeyError();
  const { counter } = await verifyAssertion(ctx, { purpose: "verify", subject: sessionId }, factor, response);
  return { statement: passkeyUsedStatement(ctx, factor, counter), error: passkeyError };
}

/** Requires a higher signature counter than before the check, which detects parallel use. */
const passkeyUsedStatement = (ctx: AppContext, factor: FactorRow, counter: number) =>
  ctx.db
    .update(secondFactor)
    .set({ counter, lastUsedDate: ctx.now() })
    .where(and(eq(secondFactor.id, factor.id), eq(secondFactor.counter, factor.counter)))
    .returning({ id: secondFactor.id });

function claimTotp(ctx: AppContext, factors: readonly FactorRow[], code: string): Claim {
  const factor = factors.find(({ kind }) => kind === "totp");
  const right = factor?.sealedSecret ? storedTotpStepOf(ctx, factor.userId, factor.sealedSecret, code) : null;
  if (!factor || !right) throw totpError();
  const { step, sealedSecret } = right;
  return {
    statement: ctx.db
      .update(secondFactor)
      .set({ lastStep: step, sealedSecret, lastUsedDate: ctx.now() })
      .where(and(eq(secondFactor.id, factor.id), or(isNull(secondFactor.lastStep), lt(secondFactor.lastStep, step))))
      .returning({ id: secondFactor.id }),
    error: totpError,
  };
}

function claimRecoveryCode(ctx: AppContext, userId: string, code: string): Claim {
  return {
    statement: ctx.db
      .update(recoveryCode)
      .set({ usedDate: ctx.now() })
      .where(
        and(
          inArray(recoveryCode.hash, recoveryCodeHashes(ctx, userId, code)),
          eq(recoveryCode.userId, userId),
          isNull(recoveryCode.usedDate),
        ),
      )
      .returning({ hash: recoveryCode.hash }),
    error: () => new AppError("PINCODE_MISMATCH", { message: SECOND_FACTOR_MESSAGES.recoveryWrong }),
  };
}

async function reportRecoveryCode(ctx: AppContext, userId: string): Promise<void> {
  const [left] = await recoveryCodesLeftStatement(ctx, userId);
  const count = left?.count ?? 0;
  const isLow = count <= SECOND_FACTOR_LIMITS.fewRecoveryCodes;
  const message = await secondFactorMessage(ctx, userId, {
    ko: `복구 코드 사용(남은 코드 ${count}개).${isLow ? " 마이페이지에서 새 복구 코드를 받아 두십시오." : ""}`,
    en: `A recovery code has been used (${count} left).${isLow ? " Please make new ones on the page of your account." : ""}`,
  });
  await runGuardedBatch(ctx, [], [message]);
}

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
        ...columnsOf(user, "id", "userName", "userType", "status"),
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
