import { eq, sql } from "drizzle-orm";
import { center } from "#db/schema/content.ts";
import type { Parsed, RequestScope } from "#worker/domain/kernel/context.ts";
import type { PicturePlace } from "#worker/contract/file/view.ts";
import type { CenterLink, CenterView, ContentPage } from "#worker/contract/content/view.ts";
import { contentValue } from "#worker/contract/content/input.ts";
import { centerDocument, centerValue } from "#worker/contract/content/center-input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { authorize } from "../kernel/authorize.server.ts";
import { hasEnglishSite, inSiteWords, requireCenters, requireLanguage } from "../kernel/site-identity.server.ts";
import { contentFilesStatement } from "./content-file.server.ts";
import { centerLinksStatement, centerLinkView } from "./frame.server.ts";
import { contentPageView, contentStatements, requireProduct } from "./page.server.ts";
import { infoPagesOf, requireShownPage } from "./info-page.server.ts";
import {
  contentRowStatement,
  IMPORT_NOTE,
  publishAtOnceStatements,
  versionInForceStatement,
} from "./draft-version.server.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import { englishRegionName } from "#worker/contract/kernel/provinces.ts";
import { picturePlacesOf } from "../file/picture.server.ts";
import { type RowTransfer, transferOf, writeOrderedRow } from "../kernel/row-transfer.server.ts";

export async function getCenterOverview(
  scope: RequestScope,
  { product, preview, language = "ko" }: { product: string; preview: boolean; language?: Language },
): Promise<{ page: ContentPage; centers: CenterLink[] }> {
  const { ctx, rows } = await scope.read([
    ...contentStatements(scope.db, "center", scope.now()),
    centerLinksStatement(scope.db),
  ]);
  requireProduct(ctx, product);
  requireLanguage(ctx, language);
  if (preview) authorize(ctx, { action: "ADMIN_Access" });
  requireShownPage(ctx, "center");
  const stored = { row: rows[0][0], version: rows[1][0], files: rows[2], wantsPreview: preview };
  const page = contentPageView(ctx, "center", stored, language);
  return { page, centers: rows[3].map((row) => centerLinkView(row, language)) };
}

interface CenterPageQuery {
  product: string;
  regionCode: string;
  preview: boolean;
  language?: Language;
}

/** Public. @throws AppError NOT_FOUND for a region without a center */
export async function getCenterPage(
  scope: RequestScope,
  { product, regionCode, preview, language = "ko" }: CenterPageQuery,
): Promise<{
  center: CenterView;
  picture: PicturePlace | null;
  centers: CenterLink[];
  isPreview: boolean;
  hasEnglish: boolean;
  parentLabel: string;
}> {
  const { ctx, rows } = await scope.read([
    scope.db.select().from(center).where(eq(center.regionCode, regionCode)),
    centerLinksStatement(scope.db),
    contentRowStatement(scope.db, `center.${regionCode}`),
    contentFilesStatement(scope.db, `center.${regionCode}`),
    versionInForceStatement(scope.db, "center", scope.now()),
  ]);
  requireProduct(ctx, product);
  requireLanguage(ctx, language);
  requireCenters(ctx);
  if (preview) authorize(ctx, { action: "Center.Manage", regionCode });
  const [[published], centers, [row], files, [overview]] = rows;
  const draft = preview ? centerValue.safeParse(row?.draft).data : null;
  if (!draft && !published)
    throw new AppError("NOT_FOUND", { message: inSiteWords(ctx, "지정된 {센터:이/가} 없습니다.") });
  const { version: _version, sortOrder: _order, ...view } = { version: 0, sortOrder: 0, ...published };
  const written = { ...(view as CenterView), ...draft, regionCode };
  const shown = language === "ko" ? written : englishCenter(written);
  const picture = picturePlacesOf(files).find(({ fileId }) => fileId === shown.imageFileId) ?? null;
  const parentLabel = infoPagesOf(ctx).find(({ code }) => code === "center")?.label ?? "";
  return {
    center: shown,
    picture,
    centers: centers.map((each) => centerLinkView(each, language)),
    isPreview: draft != null,
    hasEnglish: hasEnglishSite(ctx) && written.englishName !== "",
    parentLabel: language === "ko" ? parentLabel : (contentValue.safeParse(overview?.value).data?.englishTitle ?? ""),
  };
}

/** English texts only, without Korean ones for gaps; NOT_FOUND without a name. */
function englishCenter(written: CenterView): CenterView {
  const { englishName, englishDirector, englishAddress, englishDirections, englishIntroduction, englishImageAlt } =
    written;
  return {
    ...written,
    regionName: englishRegionName(written.regionCode),
    centerName: englishName,
    director: englishDirector,
    address: englishAddress,
    directions: englishDirections,
    introduction: englishIntroduction,
    imageAlt: englishImageAlt,
  };
}

type CenterRow = typeof center.$inferSelect;

/** Publishes imported centers at once, with a version; the site's picture and drafts stay. */
export const centerTransfer: RowTransfer<CenterRow, Parsed<typeof centerDocument>> = {
  ...transferOf<Parsed<typeof centerDocument>>()(center, "regionCode", "centerName", Object.keys(centerDocument.shape)),
  write(ctx, { regionCode, ...document }, here) {
    const code = `center.${regionCode}`;
    const { imageFileId = "", imageAlt = "", englishImageAlt = "" } = here ?? {};
    const value = { ...document, imageFileId, imageAlt, englishImageAlt };
    const version = sql<number>`(SELECT version FROM content WHERE code = ${code})`;
    return [
      ...publishAtOnceStatements(ctx, code, value, IMPORT_NOTE),
      writeOrderedRow(ctx, center, center.regionCode, { regionCode, ...value, version }),
    ];
  },
  judge: (_document, here) => ({ follows: here ? ["지금 내용은 이력에 남아 되돌릴 수 있습니다."] : [] }),
};
