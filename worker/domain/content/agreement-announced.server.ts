import { and, eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { agreement, contentVersion } from "#db/schema/content.ts";
import { message } from "#db/schema/mail.ts";
import type { AgreementChange, AnnouncedAgreement } from "#worker/contract/content/view.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { picturePlacesIn, picturePlacesOf, picturesOfKindStatement } from "../file/picture-place.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { authorizeConsole, conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { agreementMailKey } from "./agreement-mail.server.ts";
import { agreementNotFound, NEWEST_FIRST } from "./agreement.server.ts";
import { compareHtmlTexts } from "./html-text.server.ts";

export const announcedAgreementsRow = (db: Db) =>
  db
    .select({
      key: sql<string>`'announced'`,
      value: sql<unknown>`json_group_array(json_object('code', ${agreement.code}, 'title', ${agreement.title}, 'effectiveDate', ${agreement.effectiveDate}))`,
    })
    .from(agreement)
    .where(sql`${agreement.isAnnounced} = 1`);

export const announcedAgreementsOf = (value: unknown): AnnouncedAgreement[] =>
  ((value ?? []) as { code: string; title: string; effectiveDate: number }[])
    .toSorted((one, other) => one.effectiveDate - other.effectiveDate)
    .map(({ effectiveDate, ...rest }) => ({ ...rest, effectiveDate: new Date(effectiveDate).toISOString() }));

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
  await runGuardedBatch(
    ctx,
    [
      {
        holds: sql`EXISTS (SELECT 1 FROM agreement WHERE code = ${code} AND version = ${version} AND is_announced = 1 AND effective_date > ${now})`,
        error: () => conflict("예고한 버전이 아닙니다. 이미 시행되었으면 새 버전을 공포해 주십시오."),
      },
    ],
    [
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
        targetType: "agreement",
        targetId: code,
        detail: { before: { version, title, textHash, effectiveDate: effectiveDate.toISOString() } },
      }),
    ],
  );
  return { code, version };
}

/** Difference of the announced or current version to the previous one; public. @throws AppError NOT_FOUND */
export async function getAgreementChange(scope: RequestScope, code: string): Promise<AgreementChange> {
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
