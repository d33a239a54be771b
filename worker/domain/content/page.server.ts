import type { content, contentVersion } from "#db/schema/content.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import type { ContentPage } from "#worker/contract/content/view.ts";
import { contentValue, type ContentValue } from "#worker/contract/content/input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import { type ContentCode, isLegalPage, LEGAL_PAGES } from "#worker/contract/content/info-pages.ts";
import { authorize, can } from "../kernel/authorize.server.ts";
import { hasEnglishSite, requireLanguage } from "../kernel/site-identity.server.ts";
import { isBlankHtml } from "../kernel/html-text.server.ts";
import { type FileRow, picturePlacesIn, picturePlacesOf } from "../file/picture.server.ts";
import { contentFilesStatement, contentFileViews } from "./content-file.server.ts";
import { infoPagesOf, parentsOf, requireShownPage } from "./info-page.server.ts";
import { contentRowStatement, versionInForceStatement } from "./draft-version.server.ts";

type ContentRow = typeof content.$inferSelect;
type ContentVersionRow = typeof contentVersion.$inferSelect;

export const contentStatements = (db: RequestScope["db"], code: string, now: Date) =>
  [contentRowStatement(db, code), versionInForceStatement(db, code, now), contentFilesStatement(db, code)] as const;

function labelOf(ctx: AppContext, code: ContentCode): string {
  if (isLegalPage(code)) return LEGAL_PAGES[code].label;
  return infoPagesOf(ctx).find((page) => page.code === code)?.label ?? "";
}

export const isMoreThanText = (code: ContentCode) => code === "center" || code === "residence";

export const hasEnglishText = (code: ContentCode, value: ContentValue): boolean =>
  value.englishTitle !== "" && (isMoreThanText(code) || !isBlankHtml(value.englishContent));

interface StoredPage {
  row: ContentRow | undefined;
  version: ContentVersionRow | undefined;
  files: FileRow[];
  wantsPreview: boolean;
}

/** The text in one language, without the other one for gaps. */
export function contentPageView(
  ctx: AppContext,
  code: ContentCode,
  { row, version, files, wantsPreview }: StoredPage,
  language: Language = "ko",
): ContentPage {
  const isPreview = wantsPreview && can(ctx.actor, { action: "ADMIN_Access" }) && row?.draft != null;
  const shown = row?.status === "published" ? version : undefined;
  const value = contentValue.safeParse(isPreview ? row?.draft : shown?.value);
  const hasEnglish = value.success && hasEnglishSite(ctx) && hasEnglishText(code, value.data);
  const [title, written] =
    language === "ko"
      ? [value.data?.title ?? labelOf(ctx, code), value.data?.content ?? ""]
      : hasEnglish
        ? [value.data.englishTitle, value.data.englishContent]
        : ["", ""];
  const text = isBlankHtml(written) ? "" : written;
  return {
    title,
    hasEnglish,
    content: text,
    files: contentFileViews(files, value.data?.fileIds ?? []),
    pictures: picturePlacesIn(text, picturePlacesOf(files)),
    modifiedDate: shown?.createdDate.toISOString() ?? null,
    isPreview,
  };
}

/** Accepts only the site's product code as the first path segment. @throws AppError NOT_FOUND */
export function requireProduct(ctx: AppContext, product: string | undefined): void {
  if (product !== undefined && product.toLowerCase() !== ctx.config.PRODUCT_CODE) {
    throw new AppError("NOT_FOUND", { message: "주소가 바뀌었거나 삭제된 페이지입니다. 주소를 다시 확인해 주십시오." });
  }
}

interface InfoPageQuery {
  code: ContentCode;
  product?: string | undefined;
  preview?: boolean;
  language?: Language;
}

export async function getInfoPage(
  scope: RequestScope,
  { code, product, preview = false, language = "ko" }: InfoPageQuery,
) {
  const { ctx, rows } = await scope.read([...contentStatements(scope.db, code, scope.now())]);
  requireProduct(ctx, product);
  requireLanguage(ctx, language);
  if (preview) authorize(ctx, { action: "ADMIN_Access" });
  // A preview includes pages that visitors cannot find yet.
  const page = preview ? infoPagesOf(ctx).find((each) => each.code === code) : undefined;
  const { look, ...place } = page ?? requireShownPage(ctx, code);
  const stored = { row: rows[0][0], version: rows[1][0], files: rows[2], wantsPreview: preview };
  const parents = language === "ko" ? parentsOf(ctx, { look, ...place }) : [];
  return { ...contentPageView(ctx, code, stored, language), look, parents };
}
