import { SECOND_FACTOR_MESSAGES } from "#worker/contract/account/rule-messages.ts";
import { Secret, TOTP } from "otpauth";
import { peppersOf } from "#worker/adapters/password.server.ts";
import { keyedHash, sealText, unsealText } from "#worker/adapters/secrets.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import {
  printRecoveryCode,
  RECOVERY_CODE_ALPHABET,
  RECOVERY_CODE_LENGTH,
  SECOND_FACTOR_LIMITS,
  type TotpSetup,
} from "#worker/contract/account/second-factor.ts";
import { consumeOnce } from "./challenge.server.ts";
import { randomInt } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { recoveryCode } from "#db/schema/account.ts";
import { countRows } from "#worker/domain/kernel/page.server.ts";

/** RFC 6238 defaults, which every authenticator app supports. */
const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** Accepts codes of the previous and next 30 seconds. */
const WINDOW = 1;

/** A colon parts issuer and account, so strict apps refuse another one. */
const withoutColon = (text: string) => text.replaceAll(":", " ").replace(/ +/g, " ").trim();

const totpOf = (secret: string, label = "", issuer = "") =>
  new TOTP({
    secret: Secret.fromBase32(secret),
    label,
    issuer: withoutColon(issuer),
    period: PERIOD_SECONDS,
    digits: 6,
    algorithm: "SHA1",
  });

/** Uses the pepper, so that a database restored with its passwords keeps its second factors. */
export const sealSecret = (ctx: AppContext, userId: string, secret: string) =>
  sealText(ctx.config.PASSWORD_PEPPER, "totp", userId, secret);

export function createTotpSetup(
  ctx: AppContext,
  person: { userId: string; sessionId: string; signinKey: string; siteName: string },
): TotpSetup {
  const secret = new Secret({ size: SECRET_BYTES }).base32;
  const expires = ctx.now().getTime() + SECOND_FACTOR_LIMITS.setupMs;
  return {
    secret,
    uri: totpOf(secret, person.signinKey, person.siteName).toString(),
    setupToken: sealText(ctx.config.SIGNING_SECRET, "totp setup", person.sessionId, `${expires} ${secret}`),
  };
}

/** Returns the secret after a valid code. @throws AppError PINCODE_MISMATCH, PINCODE_EXPIRED */
export async function readNewTotp(ctx: AppContext, sessionId: string, input: { setupToken: string; code: string }) {
  const held = unsealText(ctx.config.SIGNING_SECRET, "totp setup", sessionId, input.setupToken);
  const [expires, secret] = (held ?? "").split(" ");
  const expired = new AppError("PINCODE_EXPIRED", { message: SECOND_FACTOR_MESSAGES.setupExpired });
  if (!secret || Number(expires) <= ctx.now().getTime()) throw expired;
  const step = totpStepOf(ctx, secret, input.code);
  if (step === null) throw totpError();
  if (!(await consumeOnce(ctx, input.setupToken, SECOND_FACTOR_LIMITS.setupMs))) throw expired;
  return { secret, step };
}

function totpStepOf(ctx: AppContext, secret: string, code: string): number | null {
  const timestamp = ctx.now().getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
}

export function storedTotpStepOf(ctx: AppContext, userId: string, sealedSecret: string, code: string) {
  for (const pepper of peppersOf(ctx.config)) {
    const secret = unsealText(pepper, "totp", userId, sealedSecret);
    if (secret === null) continue;
    const step = totpStepOf(ctx, secret, code);
    const isCurrent = pepper === ctx.config.PASSWORD_PEPPER;
    return step === null ? null : { step, sealedSecret: isCurrent ? sealedSecret : sealSecret(ctx, userId, secret) };
  }
  return null;
}

export const totpError = () => new AppError("PINCODE_MISMATCH", { message: SECOND_FACTOR_MESSAGES.totpWrong });

const newCode = () =>
  Array.from(
    { length: RECOVERY_CODE_LENGTH },
    () => RECOVERY_CODE_ALPHABET[randomInt(RECOVERY_CODE_ALPHABET.length)],
  ).join("");

/** 49 random bits under a key outside the database, so a slow hash adds nothing. */
const recoveryCodeHash = (pepper: string, userId: string, code: string) =>
  keyedHash(pepper, "recovery code", `${userId}\n${code}`);

/** Hashes under the current and earlier peppers, so that printed codes survive a pepper change. */
export const recoveryCodeHashes = (ctx: AppContext, userId: string, code: string) =>
  peppersOf(ctx.config).map((pepper) => recoveryCodeHash(pepper, userId, code));

export function newRecoveryCodes(ctx: AppContext, userId: string) {
  const codes = Array.from({ length: SECOND_FACTOR_LIMITS.recoveryCodes }, newCode);
  const createdDate = ctx.now();
  return {
    printed: codes.map(printRecoveryCode),
    statements: [
      ctx.db.delete(recoveryCode).where(eq(recoveryCode.userId, userId)),
      ctx.db.insert(recoveryCode).values(
        codes.map((code) => ({
          hash: recoveryCodeHash(ctx.config.PASSWORD_PEPPER, userId, code),
          userId,
          createdDate,
        })),
      ),
    ] as const,
  };
}

export const recoveryCodesLeftStatement = (ctx: Pick<AppContext, "db">, userId: string) =>
  countRows(ctx.db, recoveryCode, sql`${recoveryCode.userId} = ${userId} AND ${recoveryCode.usedDate} IS NULL`);
