import { and, eq, sql } from "drizzle-orm";
import { contentVersion } from "#db/schema/content.ts";
import { contentValue } from "#worker/contract/content/input.ts";
import type { LegalPageCode } from "#worker/contract/content/info-pages.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import type { RequestScope, View } from "#worker/domain/kernel/context.ts";
import { authorize, can } from "../kernel/authorize.server.ts";
import { requireLanguage } from "../kernel/site-identity.server.ts";
import { compareHtmlTexts } from "./html-text.server.ts";
import { followSettings } from "./legal-draft.server.ts";
import { contentPageView, contentStatements } from "./page.server.ts";

interface LegalPageQuery {
  code: LegalPageCode;
  versionNo?: number | undefined;
  compareWith?: number | undefined;
  preview?: boolean;
  language?: Language;
}

/** Public; the version in force or the requested one, with the list of all versions. */
export async function getLegalPage(scope: RequestScope, question: LegalPageQuery) {
  const { code, versionNo, compareWith, preview = false, language = "ko" } = question;
  const one = (number: number | undefined) =>
    scope.db
      .select()
      .from(contentVersion)
      .where(and(eq(contentVersion.code, code), eq(contentVersion.versionNo, number ?? 0)));
  const { ctx, rows } = await scope.read([
    ...contentStatements(scope.db, code, scope.now()),
    scope.db
      .select({ versionNo: contentVersion.versionNo, effectiveDate: contentVersion.effectiveDate })
      .from(contentVersion)
      .where(eq(contentVersion.code, code))
      .orderBy(sql`${contentVersion.effectiveDate} DESC`, sql`${contentVersion.versionNo} DESC`),
    one(versionNo),
    one(compareWith),
  ]);
  requireLanguage(ctx, language);
  if (preview) authorize(ctx, { action: "ADMIN_Access" });
  const [[row], [inForce], files, all, [asked], [other]] = rows;
  const isPublic = row?.status === "published";
  if ((versionNo !== undefined && !(isPublic && asked)) || (compareWith !== undefined && !(isPublic && other))) {
    throw new AppError("NOT_FOUND", { message: "그 버전을 찾을 수 없습니다." });
  }
  const shown = asked ?? inForce;
  const now = ctx.now();
  if (row?.draft && preview && can(ctx.actor, { action: "ADMIN_Access" }))
    row.draft = await followSettings(ctx, code, row.draft);
  const view = contentPageView(ctx, code, { row, version: shown, files, wantsPreview: preview }, language);
  const valueOf = (version: typeof contentVersion.$inferSelect | undefined) =>
    contentValue.safeParse(version?.value).data?.content ?? "";
  return {
    ...view,
    code,
    versionNo: isPublic ? (shown?.versionNo ?? null) : null,
    effectiveDate: isPublic ? (shown?.effectiveDate.toISOString() ?? null) : null,
    versions: isPublic
      ? all.map((version) => ({
          versionNo: version.versionNo,
          effectiveDate: version.effectiveDate.toISOString(),
          isUpcoming: version.effectiveDate > now,
          isCurrent: version.versionNo === inForce?.versionNo,
        }))
      : [],
    comparison: other
      ? {
          versionNo: other.versionNo,
          effectiveDate: other.effectiveDate.toISOString(),
          lines: compareHtmlTexts(valueOf(other), valueOf(shown)),
        }
      : null,
  };
}

export type LegalPage = View<typeof getLegalPage>;
