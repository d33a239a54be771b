import { sql } from "drizzle-orm";
import { agreement, userConsent } from "#db/schema.ts";
import type { AppContext, Door } from "#worker/context.server.ts";
import type { DueConsents } from "#worker/contract/admin-letter.ts";
import type { BulkResult } from "#worker/contract/admin-member.ts";
import { ADVERTISING_AGREEMENT, CONSENT_YEARS, maskAddress } from "#worker/contract/mail.ts";
import { offToken } from "../mail/off.server.ts";
import { wording } from "../mail/wording.server.ts";
import { type BulkLetter, queueBulk } from "../message.server.ts";
import { administrating, auditEach } from "./change.server.ts";

const SHOWN = 50;
const REMINDED = 500;

const LONG_DATE = new Intl.DateTimeFormat("ko-KR", { timeZone: "Asia/Seoul", dateStyle: "long" });

/** The last consent of each who agrees still, and was neither asked nor reminded for two years. */
function dueStatement(db: Door["db"], now: Date, limit: number) {
  const since = new Date(now);
  since.setUTCFullYear(since.getUTCFullYear() - CONSENT_YEARS);
  return db
    .select({
      userId: userConsent.userId,
      version: userConsent.version,
      consentDate: userConsent.createdDate,
      confirmedDate: userConsent.confirmedDate,
      userName: sql<string>`person.user_name`.as("user_name"),
      email: sql<string>`address.user_key_code`.as("email"),
    })
    .from(userConsent)
    .innerJoin(sql`user AS person`, sql`person.id = ${userConsent.userId} AND person.status = 'active'`)
    .innerJoin(
      sql`user_key AS address`,
      sql`address.user_id = person.id AND address.user_key_type = 'Email' AND address.verified_date IS NOT NULL`,
    )
    .where(
      sql`${userConsent.code} = ${ADVERTISING_AGREEMENT} AND ${userConsent.agreed} = 1 AND ${userConsent.createdDate} <= ${since.getTime()}
        AND coalesce(${userConsent.confirmedDate}, 0) <= ${since.getTime()}
        AND NOT EXISTS (SELECT 1 FROM user_consent AS newer WHERE newer.user_id = ${userConsent.userId} AND newer.code = ${userConsent.code} AND newer.created_date > ${userConsent.createdDate})`,
    )
    .orderBy(userConsent.createdDate)
    .limit(limit);
}

/** GET consent/due: whom the law wants reminded now. */
export async function listDueConsents(door: Door): Promise<DueConsents> {
  const due = dueStatement(door.db, door.now(), SHOWN);
  const { ctx, rows } = await door.read([
    due,
    door.db.select({ count: sql<number>`count(*)` }).from(sql`(${dueStatement(door.db, door.now(), 100_000)})`),
  ]);
  administrating(ctx);
  return {
    count: rows[1][0]?.count ?? 0,
    people: rows[0].map(({ userName, email, consentDate, confirmedDate }) => ({
      userName,
      email: maskAddress(email),
      consentDate: consentDate.toISOString(),
      confirmedDate: confirmedDate?.toISOString() ?? null,
    })),
  };
}

/** POST consent/remind: the letter and the date of it in one batch, so that nobody is reminded twice. */
export async function remindConsents(ctx: AppContext): Promise<BulkResult> {
  administrating(ctx);
  const [due, titles] = await ctx.db.batch([
    dueStatement(ctx.db, ctx.now(), REMINDED),
    ctx.db
      .select({ title: agreement.title })
      .from(agreement)
      .where(sql`${agreement.code} = ${ADVERTISING_AGREEMENT} AND ${agreement.isCurrent} = 1`),
  ]);
  if (due.length === 0) return { changed: 0 };
  const write = await wording(ctx);
  const title = titles[0]?.title ?? "광고성 정보 수신 동의";
  const letters = due.map((row): BulkLetter => {
    const token = offToken(ctx, { kind: "advertising", target: ADVERTISING_AGREEMENT, userId: row.userId });
    const text = write("consentReminder", {
      이름: row.userName,
      "동의 항목": title,
      "동의한 날": LONG_DATE.format(row.consentDate),
      "알림 끄기": `${ctx.config.SITE_ORIGIN}/mail/off/${token}`,
    });
    const onceKey = `consent:${row.consentDate.getTime()}:${row.confirmedDate?.getTime() ?? 0}:${row.userId}`;
    return { userId: row.userId, recipient: row.email, ...text, onceKey, offToken: token };
  });
  const reminded = JSON.stringify(due.map(({ userId, consentDate }) => [userId, consentDate.getTime()]));
  await ctx.db.batch([
    ctx.db
      .update(userConsent)
      .set({ confirmedDate: ctx.now() })
      .where(
        sql`${userConsent.code} = ${ADVERTISING_AGREEMENT} AND (${userConsent.userId}, ${userConsent.createdDate}) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${reminded}))`,
      ),
    auditEach(
      ctx,
      due.map(({ userId }) => userId),
      { action: "consent.remind", targetType: "user" },
    ),
    ...queueBulk(ctx, letters),
  ]);
  return { changed: due.length };
}
