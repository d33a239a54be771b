import { and, eq, sql } from "drizzle-orm";
import { agreement, contentVersion } from "#db/schema/content.ts";
import { message } from "#db/schema/mail.ts";
import type { AppContext, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { picturePlacesIn, picturePlacesOf, picturesOfKindStatement } from "../file/picture.server.ts";
import { audit, auditPeople } from "../kernel/audit-entry.server.ts";
import { abortBatchUnless, conflict, isBatchAborted, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { authorizeConsole } from "#worker/domain/kernel/authorize.server.ts";
import { agreementNotFound, NEWEST_FIRST } from "./agreement.server.ts";
import { compareHtmlTexts } from "./html-text.server.ts";
import { user } from "#db/schema/account.ts";
import { columnsOf } from "#db/sql.ts";
import { longDayTexts } from "#worker/contract/kernel/korea.ts";
import { isConsentGiven } from "../mail/advertising.server.ts";
import { isNotifiable, type NewBulkMessage, queueBulkMessages } from "../mail/message.server.ts";
import { loadLetterRenderers } from "../mail/render-template.server.ts";
import { signUnsubscribeToken } from "../mail/unsubscribe.server.ts";

/**
 * Withdraws an announced version, its unsent mails and the page version of the terms. @throws AppError NOT_FOUND,
 * CONFLICT once it is in force
 */
export async function withdrawAnnouncedAgreement(
  ctx: AppContext,
  at: { code: string; version: string },
): Promise<{ code: string; version: string }> {
  authorizeConsole(ctx);
  const { code, version } = at;
  const [row] = await ctx.db
    .select({ textHash: agreement.textHash, effectiveDate: agreement.effectiveDate, title: agreement.title })
    .from(agreement)
    .where(and(eq(agreement.code, code), eq(agreement.version, version)));
  if (!row) throw agreementNotFound();
  const { textHash, effectiveDate, title } = row;
  const now = ctx.now().getTime();
  const key = agreementMailKey({ code, version, textHash });
  const versionNo = code === "terms" ? Number(/\.(\d+)$/.exec(version)?.[1] ?? 0) : 0;
  const guard = {
    holds: sql`EXISTS (SELECT 1 FROM agreement WHERE code = ${code} AND version = ${version} AND is_announced = 1 AND effective_date > ${now})`,
    error: () => conflict("예고한 버전이 아닙니다. 이미 시행되었으면 새 버전을 공포해 주십시오."),
  };
  await runGuardedBatch(ctx, guard, [
    ctx.db.delete(agreement).where(and(eq(agreement.code, code), eq(agreement.version, version))),
    ctx.db
      .delete(contentVersion)
      .where(sql`code = 'terms' AND version_no = ${versionNo} AND effective_date = ${effectiveDate.getTime()}`),
    // Prefix range on the key's index; mails already passed to the provider are kept.
    ctx.db
      .delete(message)
      .where(sql`status = 'queued' AND batch_id IS NULL AND once_key >= ${`${key}:`} AND once_key < ${`${key};`}`),
    audit(ctx, {
      action: "agreement.withdraw",
      targetId: code,
      detail: { before: { version, title, textHash, effectiveDate: effectiveDate.toISOString() } },
    }),
  ]);
  return { code, version };
}

/** Difference of the announced or current version to the previous one; public. @throws AppError NOT_FOUND */
export async function getAgreementChange(scope: RequestScope, code: string) {
  const { rows } = await scope.read([
    scope.db
      .select()
      .from(agreement)
      .where(eq(agreement.code, code))
      .orderBy(...NEWEST_FIRST),
    picturesOfKindStatement(scope.db, "agreement", "terms"),
  ]);
  const [versions, pictures] = rows;
  const shown = versions.findLast(({ isAnnounced }) => isAnnounced) ?? versions.find(({ isCurrent }) => isCurrent);
  if (!shown) throw agreementNotFound();
  const older = versions.slice(versions.indexOf(shown) + 1)[0];
  const { version, title, required, content, effectiveDate, isAnnounced } = shown;
  return {
    code,
    version,
    title,
    required,
    content,
    effectiveDate: effectiveDate.toISOString(),
    isUpcoming: isAnnounced,
    pictures: picturePlacesIn(content, picturePlacesOf(pictures)),
    before: older ? { version: older.version, effectiveDate: older.effectiveDate.toISOString() } : null,
    lines: older ? compareHtmlTexts(older.content, content) : [],
  };
}

export type AgreementChange = View<typeof getAgreementChange>;

const MAILS_PER_BATCH = 500;
const BATCHES_A_RUN = 20;

const ASKED_AGAIN = {
  ko: "시행일 뒤에 처음 로그인하실 때 새 내용에 동의하시는지 여쭙습니다. 동의하지 않으시면 그 전에 언제든지 탈퇴하실 수 있습니다.",
  en: "When you first sign in after that day, we will ask whether you agree. If you do not agree, you can leave at any time before.",
};
const CHOSEN_FREELY = {
  ko: "이 동의는 선택 사항이며, 마이페이지의 회원정보에서 언제든지 거두실 수 있습니다.",
  en: "This consent is optional, and you can withdraw it at any time on the page of your account.",
};

type Announced = Pick<
  typeof agreement.$inferSelect,
  "code" | "version" | "title" | "englishTitle" | "required" | "textHash" | "effectiveDate" | "mailedThrough"
>;

/** Idempotency key prefix, so that withdrawing and announcing the same text again sends one mail. */
const agreementMailKey = ({ code, version, textHash }: Pick<Announced, "code" | "version" | "textHash">) =>
  `agreement:${code}:${version}:${textHash.slice(0, 16)}`;

export async function mailAnnouncedAgreements(ctx: AppContext): Promise<void> {
  for (let batch = 0; batch < BATCHES_A_RUN; batch += 1) {
    const [announced] = await ctx.db
      .select({
        ...columnsOf(agreement, "code", "version", "title", "englishTitle"),
        ...columnsOf(agreement, "required", "textHash", "effectiveDate", "mailedThrough"),
      })
      .from(agreement)
      .where(sql`is_announced = 1 AND mailed_through IS NOT NULL AND effective_date > ${ctx.now().getTime()}`)
      .orderBy(agreement.effectiveDate, agreement.code)
      .limit(1);
    if (!announced) return;
    await mailNextMembers(ctx, announced);
  }
}

/** All members for a required agreement, else those who agreed; never people who refuse bulk mail. */
const nextMembers = (ctx: AppContext, { code, required, mailedThrough }: Announced) =>
  ctx.db
    .select({ userId: user.id, userName: user.userName, address: sql<string>`address.user_key_code`.as("address") })
    .from(user)
    .innerJoin(
      sql`user_key AS address`,
      sql`address.user_id = ${user.id} AND address.user_key_type = 'Email' AND address.verified_date IS NOT NULL`,
    )
    .where(
      and(
        sql`${user.id} > ${mailedThrough ?? ""}`,
        eq(user.status, "active"),
        isNotifiable(sql`"user"."id"`),
        sql`NOT EXISTS (SELECT 1 FROM mail_address WHERE mail_address.address = address.user_key_code
          AND (refused_date IS NOT NULL OR complained_date IS NOT NULL OR bounced_date IS NOT NULL))`,
        required ? undefined : isConsentGiven(code),
      ),
    )
    .orderBy(user.id)
    .limit(MAILS_PER_BATCH);

/** Writes mails and progress in one batch, so that each member gets exactly one. */
async function mailNextMembers(ctx: AppContext, announced: Announced): Promise<void> {
  const { code, version, title, englishTitle, required, effectiveDate, mailedThrough } = announced;
  const members = await nextMembers(ctx, announced);
  const writeTo = await loadLetterRenderers(
    ctx,
    members.map(({ userId }) => userId),
  );
  const messages = members.map(({ userId, userName, address }): NewBulkMessage => {
    const token = signUnsubscribeToken(ctx, { kind: "office", target: "", userId });
    const text = writeTo(userId)("agreementChange", {
      이름: userName,
      문서: { ko: title, en: englishTitle || title },
      시행일: longDayTexts(effectiveDate),
      주소: `${ctx.config.SITE_ORIGIN}/Account/Agreements/${code}`,
      "동의 안내": required ? ASKED_AGAIN : CHOSEN_FREELY,
      "알림 끄기": `${ctx.config.SITE_ORIGIN}/mail/off/${token}`,
    });
    return {
      userId,
      recipient: address,
      ...text,
      onceKey: `${agreementMailKey(announced)}:${userId}`,
      offToken: token,
    };
  });
  const isLast = members.length < MAILS_PER_BATCH;
  const isThisOne = sql`code = ${code} AND version = ${version}`;
  try {
    await ctx.db.batch([
      abortBatchUnless(
        ctx,
        sql`EXISTS (SELECT 1 FROM agreement WHERE ${isThisOne} AND is_announced = 1 AND mailed_through = ${mailedThrough})`,
      ),
      ctx.db
        .update(agreement)
        .set({
          mailedThrough: isLast ? null : (members.at(-1)?.userId ?? null),
          mailedCount: sql`mailed_count + ${members.length}`,
        })
        .where(isThisOne),
      ...auditPeople(
        ctx,
        { action: "agreement.notify", targetId: code, detail: { version } },
        members.map(({ userId }) => userId),
      ),
      ...queueBulkMessages(ctx, messages),
    ]);
  } catch (cause) {
    if (!isBatchAborted(cause)) throw cause;
  }
}
