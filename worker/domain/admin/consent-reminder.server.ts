import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import { agreement, userConsent } from "#db/schema.ts";
import type { AppContext, Door } from "#worker/context.server.ts";
import { consentSettings, type DueConsents, type UpdateConsentInput } from "#worker/contract/admin-letter.ts";
import type { BulkResult } from "#worker/contract/admin-member.ts";
import { ADVERTISING_AGREEMENT, CONSENT_YEARS, maskAddress } from "#worker/contract/mail.ts";
import { conditionFailed, onlyIf } from "../guard.server.ts";
import { isNight } from "../mail/night.ts";
import { offToken } from "../mail/off.server.ts";
import { wording } from "../mail/wording.server.ts";
import { type BulkLetter, queueBulk } from "../message.server.ts";
import { notSuspended } from "../privacy/suspended.server.ts";
import { administrating, auditEach } from "./change.server.ts";
import { settingStatement, storeSetting } from "./stored-setting.server.ts";

const SHOWN = 50;
const SENT_SHOWN = 5;
const REMINDED = 500;
const BATCHES_A_RUN = 20;
const AUTOMATIC = "동의한 지 2년이 되어 자동으로 보냄";

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
    .innerJoin(
      sql`user AS person`,
      sql`person.id = ${userConsent.userId} AND person.status = 'active' AND ${notSuspended(sql`person.id`)}`,
    )
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

/** GET consent/due: whom the law wants reminded now, and when it was done last. */
export async function listDueConsents(door: Door): Promise<DueConsents> {
  const { ctx, rows } = await door.read([
    dueStatement(door.db, door.now(), SHOWN),
    door.db.select({ count: sql<number>`count(*)` }).from(sql`(${dueStatement(door.db, door.now(), 100_000)})`),
    settingStatement(door.db, "consent"),
    door.db
      .select({ sentDate: userConsent.confirmedDate, count: sql<number>`count(*)`.as("reminded") })
      .from(userConsent)
      .where(and(eq(userConsent.code, ADVERTISING_AGREEMENT), isNotNull(userConsent.confirmedDate)))
      .groupBy(userConsent.confirmedDate)
      .orderBy(desc(userConsent.confirmedDate))
      .limit(SENT_SHOWN),
  ]);
  administrating(ctx);
  const [due, counts, [setting], sent] = rows;
  return {
    count: counts[0]?.count ?? 0,
    people: due.map(({ userName, email, consentDate, confirmedDate }) => ({
      userName,
      email: maskAddress(email),
      consentDate: consentDate.toISOString(),
      confirmedDate: confirmedDate?.toISOString() ?? null,
    })),
    ...consentSettings.parse(setting?.value ?? {}),
    version: setting?.version ?? 0,
    sent: sent.flatMap(({ sentDate, count }) => (sentDate === null ? [] : { sentDate: sentDate.toISOString(), count })),
  };
}

/** PATCH consent/setting: whether the job reminds by itself. @throws AppError CONFLICT */
export async function updateConsentSetting(ctx: AppContext, input: UpdateConsentInput): Promise<{ version: number }> {
  administrating(ctx);
  const { version, ...value } = input;
  return storeSetting(ctx, "consent", version, value);
}

/** POST consent/remind: those who are due now, five hundred at a time. */
export async function remindConsents(ctx: AppContext): Promise<BulkResult> {
  administrating(ctx);
  return { changed: await remind(ctx, "") };
}

/** The scheduled job, by day alone: everybody who is due, unless the office keeps it to itself. */
export async function remindDueConsents(ctx: AppContext): Promise<void> {
  if (isNight(ctx.now())) return;
  const [setting] = await settingStatement(ctx.db, "consent");
  if (!consentSettings.parse(setting?.value ?? {}).automatic) return;
  for (let batch = 0; batch < BATCHES_A_RUN; batch += 1) if ((await remind(ctx, AUTOMATIC)) < REMINDED) return;
}

/** The letters and the date of them in one batch: nobody is reminded twice, whoever else does it and wherever it breaks. */
async function remind(ctx: AppContext, reason: string): Promise<number> {
  const [due, titles] = await ctx.db.batch([
    dueStatement(ctx.db, ctx.now(), REMINDED),
    ctx.db
      .select({ title: agreement.title })
      .from(agreement)
      .where(sql`${agreement.code} = ${ADVERTISING_AGREEMENT} AND ${agreement.isCurrent} = 1`),
  ]);
  if (due.length === 0) return 0;
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
  const listed = JSON.stringify(
    due.map(({ userId, consentDate, confirmedDate }) => [userId, consentDate.getTime(), confirmedDate?.getTime() ?? 0]),
  );
  const these = sql`code = ${ADVERTISING_AGREEMENT} AND (user_id, created_date, coalesce(confirmed_date, 0)) IN (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${listed}))`;
  try {
    await ctx.db.batch([
      onlyIf(ctx, sql`(SELECT count(*) FROM user_consent WHERE ${these}) = ${due.length}`),
      ctx.db.update(userConsent).set({ confirmedDate: ctx.now() }).where(these),
      auditEach(
        ctx,
        due.map(({ userId }) => userId),
        { action: "consent.remind", targetType: "user", reason },
      ),
      ...queueBulk(ctx, letters),
    ]);
  } catch (cause) {
    // Somebody else did it meanwhile, or one of them is gone: the next run looks again.
    if (!conditionFailed(cause)) throw cause;
    return 0;
  }
  return due.length;
}
