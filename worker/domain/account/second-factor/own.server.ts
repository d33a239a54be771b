import { and, asc, eq, gt, isNull } from "drizzle-orm";
import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import { secondFactor, secondFactorRecovery } from "#db/schema/account.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { OwnSecondFactor, RecoveryView, VerifyMethods } from "#worker/contract/account/second-factor-view.ts";
import type { PendingPerson } from "../../kernel/actor.ts";
import { requireSignedIn } from "../../kernel/authorize.server.ts";
import { passkeyRequestOptions } from "./passkey.server.ts";
import { recoveryCodesLeftStatement } from "./recovery-code.server.ts";

export type FactorRow = typeof secondFactor.$inferSelect;

export const factorsStatement = (ctx: Pick<AppContext, "db">, userId: string) =>
  ctx.db.select().from(secondFactor).where(eq(secondFactor.userId, userId)).orderBy(asc(secondFactor.createdDate));

export const openRecoveryStatement = (ctx: Pick<AppContext, "db" | "now">, userId: string) =>
  ctx.db
    .select()
    .from(secondFactorRecovery)
    .where(
      and(
        eq(secondFactorRecovery.userId, userId),
        isNull(secondFactorRecovery.closedDate),
        gt(secondFactorRecovery.expiresDate, ctx.now()),
      ),
    );

/** Allows sessions without a proven second factor. @throws AppError UNAUTHORIZED for a guest */
export function requireSession(ctx: Pick<AppContext, "actor">): PendingPerson & { isPending: boolean } {
  const { actor } = ctx;
  if (actor.kind === "guest" && actor.pending) return { ...actor.pending, isPending: true };
  const { userId, userName, sessionId } = requireSignedIn(ctx);
  return { userId, userName, sessionId, isPending: false };
}

/** Own factors; an unproven session gets only the data it needs for the proof. */
export async function getOwnSecondFactor(ctx: AppContext): Promise<OwnSecondFactor> {
  const person = requireSession(ctx);
  const { factors, recoveryCodesLeft, recovery } = await readOwn(ctx, person.userId);
  return {
    userName: person.userName,
    isPending: person.isPending,
    isRequired: ctx.actor.kind !== "guest" && !!ctx.actor.secondFactor?.isRequired,
    methods: methodsOf(factors, recoveryCodesLeft),
    factors: person.isPending ? [] : factors.map(factorView),
    recoveryCodesLeft: person.isPending ? 0 : recoveryCodesLeft,
    recovery,
  };
}

export interface VerifyOptions {
  methods: VerifyMethods;
  passkey: PublicKeyCredentialRequestOptionsJSON | null;
}

export async function getVerifyOptions(ctx: AppContext): Promise<VerifyOptions> {
  const person = requireSession(ctx);
  const { factors, recoveryCodesLeft } = await readOwn(ctx, person.userId);
  const methods = methodsOf(factors, recoveryCodesLeft);
  const use = { purpose: "verify" as const, subject: person.sessionId };
  return { methods, passkey: methods.passkey ? await passkeyRequestOptions(ctx, use, factors) : null };
}

async function readOwn(ctx: AppContext, userId: string) {
  const [factors, left, recoveries] = await ctx.db.batch([
    factorsStatement(ctx, userId),
    recoveryCodesLeftStatement(ctx, userId),
    openRecoveryStatement(ctx, userId),
  ]);
  return { factors, recoveryCodesLeft: left[0]?.count ?? 0, recovery: recoveryView(ctx, recoveries[0]) };
}

export function recoveryView(
  ctx: Pick<AppContext, "now">,
  row: Pick<typeof secondFactorRecovery.$inferSelect, "createdDate" | "usableDate" | "expiresDate"> | undefined,
): RecoveryView | null {
  if (!row) return null;
  return {
    createdDate: row.createdDate.toISOString(),
    usableDate: row.usableDate.toISOString(),
    expiresDate: row.expiresDate.toISOString(),
    isUsable: row.usableDate <= ctx.now(),
  };
}

const methodsOf = (factors: readonly FactorRow[], recoveryCodesLeft: number): VerifyMethods => ({
  passkey: factors.some(({ kind }) => kind === "passkey"),
  totp: factors.some(({ kind }) => kind === "totp"),
  recoveryCode: factors.length > 0 && recoveryCodesLeft > 0,
  password: factors.length === 0,
});

const factorView = ({ id, kind, name, createdDate, lastUsedDate }: FactorRow) => ({
  id,
  kind,
  name,
  createdDate: createdDate.toISOString(),
  lastUsedDate: lastUsedDate?.toISOString() ?? null,
});
