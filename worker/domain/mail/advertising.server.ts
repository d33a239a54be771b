import { type SQL, sql } from "drizzle-orm";
import { userConsent } from "#db/schema/account.ts";
import { agreement } from "#db/schema/content.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { toKoreanClock } from "#worker/contract/kernel/korea.ts";

/** True if the person's latest answer is yes; false without an account. */
export const isConsentGivenBy = (userId: SQL, code: string) =>
  sql`coalesce((SELECT agreed FROM user_consent WHERE user_consent.user_id = ${userId} AND code = ${code} ORDER BY created_date DESC LIMIT 1), 0) = 1`;

export const isConsentGiven = (code: string) => isConsentGivenBy(sql`"user"."id"`, code);

export async function hasConsented(ctx: Pick<AppContext, "db">, userId: string, code: string): Promise<boolean> {
  const [row] = await ctx.db
    .select({ agreed: userConsent.agreed })
    .from(userConsent)
    .where(sql`${userConsent.userId} = ${userId} AND ${userConsent.code} = ${code}`)
    .orderBy(sql`${userConsent.createdDate} DESC`)
    .limit(1);
  return row?.agreed ?? false;
}

export async function withdrawConsent(ctx: AppContext, userId: string, code: string): Promise<void> {
  if (!(await hasConsented(ctx, userId, code))) return;
  const [current] = await ctx.db
    .select({ version: agreement.version, textHash: agreement.textHash })
    .from(agreement)
    .where(sql`${agreement.code} = ${code} AND ${agreement.isCurrent} = 1`);
  const { version = "", textHash = "" } = current ?? {};
  await ctx.db.batch([
    ctx.db
      .insert(userConsent)
      .values({ userId, code, version, textHash, agreed: false, createdDate: ctx.now() })
      .onConflictDoUpdate({
        target: [userConsent.userId, userConsent.code, userConsent.version, userConsent.createdDate],
        set: { agreed: false },
      }),
    audit(ctx, {
      action: "user.consent",
      actorUserId: userId,
      targetType: "user",
      targetId: userId,
      subjectCount: 1,
      detail: { agreements: [{ code, version, agreed: false }], by: "mail" },
    }),
  ]);
}

const HOUR_MS = 3_600_000;
const EVENING = 21;
const MORNING = 8;

const koreanHour = (date: Date) => toKoreanClock(date).getUTCHours();

/** Advertising between 21:00 and 08:00 in Korea needs its own consent (망법 제50조). */
export function isNightInKorea(date: Date): boolean {
  return koreanHour(date) >= EVENING || koreanHour(date) < MORNING;
}

export function nextDaytime(date: Date): Date {
  if (!isNightInKorea(date)) return date;
  const hours = (MORNING - koreanHour(date) + 24) % 24;
  const onTheHour = Math.floor(date.getTime() / HOUR_MS) * HOUR_MS;
  return new Date(onTheHour + hours * HOUR_MS);
}
