import { SECOND_FACTOR_MESSAGES } from "#worker/contract/account/rule-messages.ts";
import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import { and, eq, sql } from "drizzle-orm";
import { recoveryCode, secondFactor, session } from "#db/schema/account.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import type { AppContext, Parsed, SignedInActor } from "#worker/domain/kernel/context.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { siteSettings } from "#worker/contract/kernel/setting/site-setting.ts";
import { type AddedFactor, SECOND_FACTOR_LIMITS, type TotpSetup } from "#worker/contract/account/second-factor.ts";
import type { addPasskeyInput, addTotpInput } from "#worker/contract/account/second-factor-input.ts";
import { audit, auditIfChanged } from "../../kernel/audit-entry.server.ts";
import { conflict, isUniqueViolation, runGuardedBatch } from "../../kernel/guarded-batch.server.ts";
import { requireRecentIdentity } from "../../kernel/recent-proof.server.ts";
import { userKeysStatement } from "../../mail/message.server.ts";
import { deviceName } from "../user-session.server.ts";
import { type FactorRow, factorsStatement, factorTexts, secondFactorMessage } from "./factor.server.ts";
import { passkeyCreationOptions, readNewPasskey } from "./passkey.server.ts";
import { createTotpSetup, newRecoveryCodes, readNewTotp, sealSecret } from "./code.server.ts";

/**
 * Options for navigator.credentials.create(). @throws AppError FORBIDDEN with a reason, CONFLICT for an eleventh factor
 */
export async function startPasskey(ctx: AppContext): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const me = requireRecentIdentity(ctx);
  const { factors, ...names } = await readNames(ctx, me);
  if (factors.length >= SECOND_FACTOR_LIMITS.factorsMax) throw conflict(SECOND_FACTOR_MESSAGES.tooMany);
  return passkeyCreationOptions(ctx, { ...me, ...names }, factors);
}

/** @throws AppError FORBIDDEN with a reason, INVALID_INPUT, ALREADY_EXISTS, CONFLICT */
export async function addPasskey(ctx: AppContext, input: Parsed<typeof addPasskeyInput>): Promise<AddedFactor> {
  const me = requireRecentIdentity(ctx);
  const key = await readNewPasskey(ctx, me.sessionId, input.response);
  return addFactor(ctx, me, { ...key, kind: "passkey", name: input.name || deviceName(ctx.client.userAgent) });
}

/** @throws AppError FORBIDDEN with a reason, ALREADY_EXISTS for a second app */
export async function startTotp(ctx: AppContext): Promise<TotpSetup> {
  const me = requireRecentIdentity(ctx);
  const { factors, ...names } = await readNames(ctx, me);
  if (factors.some(({ kind }) => kind === "totp")) throw totpTaken();
  return createTotpSetup(ctx, { ...me, ...names });
}

/** @throws AppError FORBIDDEN with a reason, PINCODE_MISMATCH, PINCODE_EXPIRED, ALREADY_EXISTS */
export async function addTotp(ctx: AppContext, input: Parsed<typeof addTotpInput>): Promise<AddedFactor> {
  const me = requireRecentIdentity(ctx);
  const { secret, step } = await readNewTotp(ctx, me.sessionId, input);
  const sealedSecret = sealSecret(ctx, me.userId, secret);
  return addFactor(ctx, me, { kind: "totp", name: input.name || "휴대전화", sealedSecret, lastStep: step });
}

type NewFactor = Pick<FactorRow, "kind" | "name"> & Partial<FactorRow>;

/** The first factor comes with recovery codes and makes other sessions prove it. */
async function addFactor(ctx: AppContext, me: SignedInActor, factor: NewFactor): Promise<AddedFactor> {
  const { userId, sessionId } = me;
  const id = crypto.randomUUID();
  const isFirst = !me.secondFactor?.hasFactor;
  const codes = isFirst ? newRecoveryCodes(ctx, userId) : null;
  const queued = await secondFactorMessage(ctx, userId, factorTexts(factor, { ko: "등록", en: "registered" }));
  const count = sql`(SELECT count(*) FROM second_factor WHERE user_id = ${userId})`;
  const guards = [
    // A password alone is enough only for the first second factor.
    { holds: isFirst ? sql`${count} = 0` : sql`${count} > 0`, error: () => conflict() },
    {
      holds: sql`${count} < ${SECOND_FACTOR_LIMITS.factorsMax}`,
      error: () => conflict(SECOND_FACTOR_MESSAGES.tooMany),
    },
  ];
  try {
    await runGuardedBatch(ctx, guards, [
      ctx.db.insert(secondFactor).values({ ...factor, id, userId, createdDate: ctx.now(), lastUsedDate: ctx.now() }),
      ...(codes?.statements ?? []),
      ctx.db.update(session).set({ secondFactorDate: ctx.now() }).where(eq(session.id, sessionId)),
      audit(ctx, {
        action: "second-factor.add",
        targetType: "user",
        targetId: userId,
        detail: { kind: factor.kind, name: factor.name },
      }),
      queued,
    ]);
  } catch (cause) {
    if (!isUniqueViolation(cause, "second_factor.")) throw cause;
    throw factor.kind === "totp"
      ? totpTaken()
      : new AppError("ALREADY_EXISTS", { message: SECOND_FACTOR_MESSAGES.passkeyTaken, cause });
  }
  return codes ? { id, recoveryCodes: codes.printed } : { id };
}

const totpTaken = () => new AppError("ALREADY_EXISTS", { message: SECOND_FACTOR_MESSAGES.totpTaken });

/** @throws AppError FORBIDDEN with a reason, NOT_FOUND */
export async function renameFactor(ctx: AppContext, id: string, name: string): Promise<Record<string, never>> {
  const { userId } = requireRecentIdentity(ctx);
  const [named] = await ctx.db.batch([
    ctx.db
      .update(secondFactor)
      .set({ name })
      .where(and(eq(secondFactor.id, id), eq(secondFactor.userId, userId)))
      .returning({ id: secondFactor.id }),
    auditIfChanged(ctx, { action: "second-factor.rename", targetType: "user", targetId: userId, detail: { name } }),
  ]);
  if (named.length === 0) throw new AppError("NOT_FOUND");
  return {};
}

/**
 * The last factor is removable only when none is required, together with the recovery codes. @throws AppError FORBIDDEN
 * with a reason, NOT_FOUND, CONFLICT
 */
export async function removeFactor(ctx: AppContext, id: string): Promise<Record<string, never>> {
  const me = requireRecentIdentity(ctx);
  const { userId } = me;
  const factor = (await factorsStatement(ctx, userId)).find((each) => each.id === id);
  if (!factor) throw new AppError("NOT_FOUND");
  const isOther = sql`EXISTS (SELECT 1 FROM second_factor WHERE user_id = ${userId} AND id <> ${id})`;
  const queued = await secondFactorMessage(ctx, userId, factorTexts(factor, { ko: "삭제", en: "removed" }));
  const guards = me.secondFactor?.isRequired
    ? [{ holds: isOther, error: () => conflict(SECOND_FACTOR_MESSAGES.lastFactor) }]
    : [];
  await runGuardedBatch(ctx, guards, [
    ctx.db.delete(secondFactor).where(and(eq(secondFactor.id, id), eq(secondFactor.userId, userId))),
    ctx.db.delete(recoveryCode).where(sql`${recoveryCode.userId} = ${userId} AND NOT ${isOther}`),
    audit(ctx, {
      action: "second-factor.remove",
      targetType: "user",
      targetId: userId,
      detail: { kind: factor.kind, name: factor.name },
    }),
    queued,
  ]);
  return {};
}

/** Replaces all recovery codes. @throws AppError FORBIDDEN with a reason, INVALID_INPUT without a factor */
export async function renewRecoveryCodes(ctx: AppContext): Promise<{ recoveryCodes: string[] }> {
  const me = requireRecentIdentity(ctx);
  const { userId } = me;
  const { printed, statements } = newRecoveryCodes(ctx, userId);
  const queued = await secondFactorMessage(ctx, userId, {
    ko: "복구 코드 다시 발급",
    en: "New recovery codes have been made.",
  });
  const hasFactor = {
    holds: sql`EXISTS (SELECT 1 FROM second_factor WHERE user_id = ${userId})`,
    error: () => invalidInput({ _: "패스키나 인증 앱을 먼저 등록해 주십시오." }),
  };
  await runGuardedBatch(ctx, hasFactor, [
    ...statements,
    audit(ctx, { action: "second-factor.recovery-codes", targetType: "user", targetId: userId }),
    queued,
  ]);
  return { recoveryCodes: printed };
}

async function readNames(ctx: AppContext, me: SignedInActor) {
  const [factors, keys, settings] = await ctx.db.batch([
    factorsStatement(ctx, me.userId),
    userKeysStatement(ctx, me.userId),
    ctx.db.select({ value: siteSetting.value }).from(siteSetting).where(eq(siteSetting.key, "site")),
  ]);
  const key = keys.find(({ userKeyType }) => userKeyType === "Id") ?? keys[0];
  const { siteName } = siteSettings.parse(settings[0]?.value ?? {});
  return { factors, signinKey: key?.userKeyCode ?? me.userName, siteName };
}
