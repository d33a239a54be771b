import { randomBytes } from "node:crypto";
import { secondFactorChallenge } from "#db/schema/account.ts";
import { isSameSecret, sha256Base64Url } from "#worker/adapters/secrets.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { SECOND_FACTOR_MESSAGES } from "#worker/contract/account/rule-messages.ts";
import { SECOND_FACTOR_LIMITS } from "#worker/contract/account/second-factor.ts";

export interface ChallengeUse {
  purpose: "register" | "verify" | "signin";
  subject: string;
}

export const passkeyError = (cause?: unknown) =>
  new AppError("INVALID_CREDENTIAL", { message: SECOND_FACTOR_MESSAGES.passkeyWrong, cause });

const RANDOM_BYTES = 16;
const EXPIRY_BYTES = 6;
const BODY_BYTES = RANDOM_BYTES + EXPIRY_BYTES;
const CHALLENGE_PATTERN = /^[A-Za-z0-9_-]{72}$/;

export function createChallenge(ctx: AppContext, use: ChallengeUse): Uint8Array<ArrayBuffer> {
  const body = Buffer.alloc(BODY_BYTES);
  randomBytes(RANDOM_BYTES).copy(body);
  body.writeUIntBE(ctx.now().getTime() + SECOND_FACTOR_LIMITS.challengeMs, RANDOM_BYTES, EXPIRY_BYTES);
  return Uint8Array.from(Buffer.concat([body, Buffer.from(signatureOf(ctx, use, body), "base64url")]));
}

/** Checks purpose, subject and age of a challenge. @param challenge base64url */
export function isOwnChallenge(ctx: AppContext, use: ChallengeUse, challenge: string): boolean {
  if (!CHALLENGE_PATTERN.test(challenge)) return false;
  const bytes = Buffer.from(challenge, "base64url");
  const body = bytes.subarray(0, BODY_BYTES);
  if (!isSameSecret(bytes.subarray(BODY_BYTES).toString("base64url"), signatureOf(ctx, use, body))) return false;
  return body.readUIntBE(RANDOM_BYTES, EXPIRY_BYTES) > ctx.now().getTime();
}

/**
 * Marks a challenge or set-up token as used, even when the request fails later. @returns false when it was used before
 */
export async function consumeOnce(ctx: AppContext, value: string, ttlMs: number): Promise<boolean> {
  const expiresDate = new Date(ctx.now().getTime() + ttlMs);
  const used = await ctx.db
    .insert(secondFactorChallenge)
    .values({ hash: sha256Base64Url(value), expiresDate })
    .onConflictDoNothing()
    .returning({ hash: secondFactorChallenge.hash });
  return used.length === 1;
}

const signatureOf = (ctx: AppContext, use: ChallengeUse, body: Buffer) =>
  ctx.tokens.hash("second-factor challenge", `${use.purpose}\n${use.subject}\n${body.toString("base64url")}`);
