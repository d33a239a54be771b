import { and, desc, inArray, isNotNull, sql } from "drizzle-orm";
import { userConsent } from "#db/schema/account.ts";
import { agreement } from "#db/schema/content.ts";
import { columnsOf } from "#db/sql.ts";
import type { AppContext, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { countRows } from "#worker/domain/kernel/page.server.ts";
import { consentReminderSettings, type UpdateConsentReminderInput } from "#worker/contract/member/input.ts";
import type { BulkResult, NewVersion } from "#worker/contract/kernel/errors.ts";
import {
  ADVERTISING_AGREEMENT,
  CONSENT_REMINDER_YEARS,
  maskRecipient,
  TEXT_ADVERTISING_AGREEMENT,
} from "#worker/contract/mail/mail.ts";
import { longDayTexts } from "#worker/contract/kernel/korea.ts";
import { abortBatchUnless, isBatchAborted } from "../kernel/guarded-batch.server.ts";
import { auditEach } from "../kernel/audit-entry.server.ts";
import { authorizeConsole, authorizeSetting } from "#worker/domain/kernel/authorize.server.ts";
import { isNightInKorea } from "../mail/advertising.server.ts";
import { signUnsubscribeToken } from "../mail/unsubscribe.server.ts";
import { loadLetterRenderers } from "../mail/render-template.server.ts";
import { isNotifiable, type NewBulkMessage, queueBulkMessages } from "../mail/message.server.ts";
import { settingStatement, storeSetting } from "../kernel/setting.server.ts";

/** E-mail and text messages need separate consents. */
const CODES = [ADVERTISING_AGREEMENT, TEXT_ADVERTISING_AGREEMENT];
const DUE_SHOWN = 50;
const SENT_SHOWN = 5;
const REMINDERS_PER_BATCH = 500;
const BATCHES_A_RUN = 20;
const AUTOMATIC_REASON = "동의한 지 2년이 되어 자동으로 보냄";

/** Latest consents still given, neither renewed nor reminded for two years. */
function dueConsentsStatement(db: RequestScope["db"], now: Date, limit: number) {
  const since = new Date(now);
  since.setUTCFullYear(since.getUTCFullYear() - CONSENT_REMINDER_YEARS);
  return db
    .select({
      userId: userConsent.userId,
      code: userConsent.code,
      version: userConsent.version,
      consentDate: userConsent.createdDate,
      confirmedDate: userConsent.confirmedDate,
      userName: sql<string>`person.user_name`.as("user_name"),
      email: sql<string>`address.user_key_code`.as("email"),
    })
    .from(userConsent)
    .innerJoin(
      sql`user AS person`,
      sql`person.id = ${userConsent.userId} AND person.status = 'active' AND ${isNotifiable(sql`person.id`)}`,
    )
    .innerJoin(
      sql`user_key AS address`,
      sql`address.user_id = person.id AND address.user_key_type = 'Email' AND address.verified_date IS NOT NULL`,
    )
    .where(
      sql`${inArray(userConsent.code, CODES)} AND ${userConsent.agreed} = 1 AND ${userConsent.createdDate} <= ${since.getTime()}
        AND coalesce(${userConsent.confirmedDate}, 0) <= ${since.getTime()}
        AND NOT EXISTS (SELECT 1 FROM user_consent AS newer WHERE newer.user_id = ${userConsent.userId} AND newer.code = ${userConsent.code} AND newer.created_date > ${userConsent.createdDate})`,
    )
    .orderBy(userConsent.createdDate)
    .limit(limit);
}

export async function listDueConsents(scope: RequestScope) {
  const { rows } = await scope.readFor(authorizeConsole, [
    dueConsentsStatement(scope.db, scope.now(), DUE_SHOWN),
    countRows(scope.db, sql`(${dueConsentsStatement(scope.db, scope.now(), 100_000)})`),
    settingStatement(scope.db, "consent"),
    scope.db
      .select({ sentDate: userConsent.confirmedDate, count: sql<number>`count(*)`.as("reminded") })
      .from(userConsent)
      .where(and(inArray(userConsent.code, CODES), isNotNull(userConsent.confirmedDate)))
      .groupBy(userConsent.confirmedDate)
      .orderBy(desc(userConsent.confirmedDate))
      .limit(SENT_SHOWN),
  ]);
  const [due, counts, [setting], sent] = rows;
  return {
    count: counts[0]?.count ?? 0,
    people: due.map(({ userName, email, consentDate, confirmedDate }) => ({
      userName,
      email: maskRecipient(email),
      consentDate: consentDate.toISOString(),
      confirmedDate: confirmedDate?.toISOString() ?? null,
    })),
    ...consentReminderSettings.parse(setting?.value ?? {}),
    version: setting?.version ?? 0,
    sent: sent.flatMap(({ sentDate, count }) => (sentDate === null ? [] : { sentDate: sentDate.toISOString(), count })),
  };
}

/** Members whose advertising consent is two years old and had no reminder since. */
export type DueConsents = View<typeof listDueConsents>;

/** PATCH consent/setting: toggles automatic reminders. @throws AppError CONFLICT */
export async function updateConsentSetting(ctx: AppContext, input: UpdateConsentReminderInput): Promise<NewVersion> {
  authorizeSetting(ctx, "consent");
  const { version, ...value } = input;
  return storeSetting(ctx, "consent", version, value);
}

/** POST consent/remind: at most 500 per call. */
export async function remindConsents(ctx: AppContext): Promise<BulkResult> {
  authorizeConsole(ctx);
  return { changed: await remindBatch(ctx, "") };
}

/** Scheduled job, by day only, unless the office sends by hand. */
export async function remindDueConsents(ctx: AppContext): Promise<void> {
  if (isNightInKorea(ctx.now())) return;
  const [setting] = await settingStatement(ctx.db, "consent");
  if (!consentReminderSettings.parse(setting?.value ?? {}).automatic) return;
  for (let batch = 0; batch < BATCHES_A_RUN; batch += 1)
    if ((await remindBatch(ctx, AUTOMATIC_REASON)) < REMINDERS_PER_BATCH) return;
}

/** Stores messages and their date in one batch, so that no one is reminded twice. */
async function remindBatch(ctx: AppContext, reason: string): Promise<number> {
  const [due, titles] = await ctx.db.batch([
    dueConsentsStatement(ctx.db, ctx.now(), REMINDERS_PER_BATCH),
    ctx.db
      .select(columnsOf(agreement, "code", "title", "englishTitle"))
      .from(agreement)
      .where(and(inArray(agreement.code, CODES), sql`${agreement.isCurrent} = 1`)),
  ]);
  if (due.length === 0) return 0;
  const writeTo = await loadLetterRenderers(
    ctx,
    due.map(({ userId }) => userId),
  );
  const titleOf = (code: string) => {
    const found = titles.find((each) => each.code === code);
    return {
      ko: found?.title ?? "광고성 정보 수신 동의",
      en: (found?.englishTitle || found?.title) ?? "consent to advertising messages",
    };
  };
  const messages = due.map((row): NewBulkMessage => {
    const token = signUnsubscribeToken(ctx, { kind: "advertising", target: row.code, userId: row.userId });
    const text = writeTo(row.userId)("consentReminder", {
      이름: row.userName,
      "동의 항목": titleOf(row.code),
      "동의한 날": longDayTexts(row.consentDate),
      "알림 끄기": `${ctx.config.SITE_ORIGIN}/mail/off/${token}`,
    });
    const onceKey = `consent:${row.code}:${row.consentDate.getTime()}:${row.confirmedDate?.getTime() ?? 0}:${row.userId}`;
    return { userId: row.userId, recipient: row.email, ...text, onceKey, offToken: token };
  });
  const listed = JSON.stringify(
    due.map(({ code, userId, consentDate, confirmedDate }) => [
      code,
      userId,
      consentDate.getTime(),
      confirmedDate?.getTime() ?? 0,
    ]),
  );
  const these = sql`(code, user_id, created_date, coalesce(confirmed_date, 0)) IN (SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(${listed}))`;
  try {
    await ctx.db.batch([
      abortBatchUnless(ctx, sql`(SELECT count(*) FROM user_consent WHERE ${these}) = ${due.length}`),
      ctx.db.update(userConsent).set({ confirmedDate: ctx.now() }).where(these),
      auditEach(
        ctx,
        due.map(({ userId }) => userId),
        { action: "consent.remind", targetType: "user", reason },
      ),
      ...queueBulkMessages(ctx, messages),
    ]);
  } catch (cause) {
    // A parallel run or a deletion aborted the batch: the next run retries.
    if (!isBatchAborted(cause)) throw cause;
    return 0;
  }
  return due.length;
}
