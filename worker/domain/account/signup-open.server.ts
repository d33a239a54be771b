import { and, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { content, contentVersion } from "#db/schema/content.ts";
import { SIGNUP_TEXTS, signupClosedMessage, type SignupText } from "#worker/contract/account/signup-texts.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";

const CODES = Object.keys(SIGNUP_TEXTS) as SignupText[];

export const signupTextsStatement = (db: Db, now: Date) =>
  db
    .select({ code: content.code })
    .from(content)
    .where(
      and(
        inArray(content.code, CODES),
        eq(content.status, "published"),
        sql`EXISTS (SELECT 1 FROM ${contentVersion} WHERE ${contentVersion.code} = ${content.code} AND ${contentVersion.effectiveDate} <= ${now.getTime()})`,
      ),
    );

export const missingSignupTexts = (inForce: readonly { code: string }[]): SignupText[] =>
  CODES.filter((code) => !inForce.some((row) => row.code === code));

/** Closes sign-up until the required legal texts are in force. @throws AppError FORBIDDEN */
export function requireSignupTexts(inForce: readonly { code: string }[]): void {
  const message = signupClosedMessage(missingSignupTexts(inForce));
  if (message) throw new AppError("FORBIDDEN", { message });
}
