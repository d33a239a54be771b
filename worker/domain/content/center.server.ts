import { asc, eq } from "drizzle-orm";
import { center } from "#db/schema/content.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import type { PicturePlace } from "#worker/contract/file/view.ts";
import type { CenterLink, CenterView, ContentPage } from "#worker/contract/content/view.ts";
import { centerValue } from "#worker/contract/content/center-input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { authorize } from "../kernel/authorize.server.ts";
import { contentFilesStatement } from "./content-file.server.ts";
import { requireProduct, contentStatements, contentPageView } from "./page.server.ts";
import { inOwnWords, requireCenters } from "../kernel/identity.server.ts";
import { infoPagesOf, requireShownPage } from "./info-page.server.ts";
import { contentRowStatement } from "./draft-version.server.ts";
import { picturePlacesOf } from "../file/picture-place.server.ts";

export const CENTER_LINK_COLUMNS = {
  regionCode: center.regionCode,
  regionName: center.regionName,
  centerName: center.centerName,
  address: center.address,
  phone: center.phone,
};

export const centerLinksStatement = (db: RequestScope["db"]) =>
  db.select(CENTER_LINK_COLUMNS).from(center).orderBy(asc(center.sortOrder), asc(center.regionCode));

/** The centres and the page that stands over them; public. */
export async function getCenterOverview(
  scope: RequestScope,
  product: string,
  preview: boolean,
): Promise<{ page: ContentPage; centers: CenterLink[] }> {
  const { ctx, rows } = await scope.read([
    ...contentStatements(scope.db, "center", scope.now()),
    centerLinksStatement(scope.db),
  ]);
  requireProduct(ctx, product);
  if (preview) authorize(ctx, { action: "ADMIN_Access" });
  requireShownPage(ctx, "center");
  return { page: contentPageView(ctx, "center", rows[0][0], rows[1][0], rows[2], preview), centers: rows[3] };
}

/** One region's centre, with the others to go on to; public. @throws AppError NOT_FOUND for a region without one */
export async function getCenterPage(
  scope: RequestScope,
  { product, regionCode, preview }: { product: string; regionCode: string; preview: boolean },
): Promise<{
  center: CenterView;
  picture: PicturePlace | null;
  centers: CenterLink[];
  isPreview: boolean;
  parentLabel: string;
}> {
  const { ctx, rows } = await scope.read([
    scope.db.select().from(center).where(eq(center.regionCode, regionCode)),
    centerLinksStatement(scope.db),
    contentRowStatement(scope.db, `center.${regionCode}`),
    contentFilesStatement(scope.db, `center.${regionCode}`),
  ]);
  requireProduct(ctx, product);
  requireCenters(ctx);
  if (preview) authorize(ctx, { action: "Center.Manage", regionCode });
  const [[published], centers, [row], files] = rows;
  const draft = preview ? centerValue.safeParse(row?.draft).data : null;
  if (!draft && !published)
    throw new AppError("NOT_FOUND", { message: inOwnWords(ctx, "지정된 {센터:이/가} 없습니다.") });
  const { version: _version, sortOrder: _order, ...view } = { version: 0, sortOrder: 0, ...published };
  const shown = { ...(view as CenterView), ...draft, regionCode };
  const picture = picturePlacesOf(files).find(({ fileId }) => fileId === shown.imageFileId) ?? null;
  const parentLabel = infoPagesOf(ctx).find(({ code }) => code === "center")?.label ?? "";
  return { center: shown, picture, centers, isPreview: draft != null, parentLabel };
}
