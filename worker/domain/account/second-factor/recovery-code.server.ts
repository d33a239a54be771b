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

/** Some 49 random bits under a key that the database does not hold: a slow hash would add nothing. */
const recoveryCodeHash = (pepper: string, userId: string, code: string) =>
  keyedHash(pepper, "recovery code", `${userId}\n${code}`);

/** What a code may stand as: codes that were printed before the pepper changed are good until new ones are made. */
export const recoveryCodeHashes = (ctx: AppContext, userId: string, code: string) =>
  peppersOf(ctx.config).map((pepper) => recoveryCodeHash(pepper, userId, code));

/** Ten new codes to show once, and the statements that put them in the place of the old ones. */
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
