import { randomInt } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { recoveryCode } from "#db/schema/account.ts";
import { peppersOf } from "#worker/adapters/password.server.ts";
import { keyedHash } from "#worker/adapters/secrets.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { countRows } from "#worker/domain/kernel/page.server.ts";
import {
  printRecoveryCode,
  RECOVERY_CODE_ALPHABET,
  RECOVERY_CODE_LENGTH,
  SECOND_FACTOR_LIMITS,
} from "#worker/contract/account/second-factor-rules.ts";

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
