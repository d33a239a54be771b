import { asc, eq, like, sql } from "drizzle-orm";
import { center, content } from "#db/schema/content.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import type { CenterEdit, CenterHistory } from "#worker/contract/content/view.ts";
import { type CenterValue, centerValue, type saveCenterInput } from "#worker/contract/content/center-input.ts";
import type { publishContentInput, RestoreContentInput } from "#worker/contract/content/input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { authorize, authorizeSetting, can } from "../kernel/authorize.server.ts";
import { orderRows } from "../kernel/ordered-rows.server.ts";
import { checkContentPicture, keepContentFiles, publishContentFiles } from "./content-file.server.ts";
import * as drafts from "./draft-version.server.ts";

const centerSubject = (regionCode: string) => ({ code: `center.${regionCode}`, type: "center" }) as const;
const authorizeCenters = (ctx: AppContext) => authorizeSetting(ctx, "centers");
const authorizeCenter = (ctx: AppContext, regionCode: string) =>
  authorize(ctx, { action: "Center.Manage", regionCode });
const EMPTY_CENTER: CenterValue = centerValue.parse({ regionName: "-", centerName: "-" });
const pictureIdsOf = (value: CenterValue) => (value.imageFileId ? [value.imageFileId] : []);
const centerNotFound = () => new AppError("NOT_FOUND", { message: "지정된 센터가 없습니다." });

type ContentRow = typeof content.$inferSelect;
type CenterRow = typeof center.$inferSelect;

function centerEditView(regionCode: string, row: ContentRow | undefined, published: CenterRow | undefined): CenterEdit {
  const { version: _version, sortOrder: _order, ...shown } = { version: 0, sortOrder: 0, ...published };
  return {
    ...EMPTY_CENTER,
    ...shown,
    ...centerValue.safeParse(row?.draft).data,
    regionCode,
    status: published ? "published" : "draft",
    versionNo: null,
    ...drafts.editStateOf(row),
  };
}

export async function listCenters(ctx: AppContext): Promise<CenterEdit[]> {
  authorizeCenters(ctx);
  const [rows, centers] = await ctx.db.batch([
    ctx.db.select().from(content).where(like(content.code, "center.%")),
    ctx.db.select().from(center).orderBy(asc(center.sortOrder), asc(center.regionCode)),
  ]);
  const begun = rows.filter((row) => row.draft !== null).map((row) => row.code.slice(7));
  const codes = new Set([...centers.map((row) => row.regionCode), ...begun]);
  return [...codes].map((regionCode) =>
    centerEditView(
      regionCode,
      rows.find((row) => row.code === `center.${regionCode}`),
      centers.find((row) => row.regionCode === regionCode),
    ),
  );
}

/** Needs the region's permission, as do the functions below. @throws AppError NOT_FOUND for an unknown region */
export async function getCenterToEdit(ctx: AppContext, regionCode: string): Promise<CenterEdit> {
  authorizeCenter(ctx, regionCode);
  const [[row], [published], [newest]] = await ctx.db.batch([
    drafts.contentRowStatement(ctx.db, centerSubject(regionCode).code),
    ctx.db.select().from(center).where(eq(center.regionCode, regionCode)),
    drafts.versionRowsStatement(ctx.db, centerSubject(regionCode).code).limit(1),
  ]);
  if (!row && !published) throw centerNotFound();
  return { ...centerEditView(regionCode, row, published), versionNo: newest?.versionNo ?? null };
}

/** Drafts a center; a new region or a renamed one needs ADMIN_Access. @throws AppError CONFLICT */
export async function saveCenter(ctx: AppContext, regionCode: string, input: Parsed<typeof saveCenterInput>) {
  authorizeCenter(ctx, regionCode);
  const { version, ...given } = input;
  const { code } = centerSubject(regionCode);
  const value = can(ctx.actor, { action: "ADMIN_Access" }) ? given : await withRegionName(ctx, regionCode, given);
  const pictures = pictureIdsOf(value);
  await checkContentPicture(ctx, code, pictures);
  const also = pictures.length > 0 ? keepContentFiles(ctx, code, pictures, drafts.isDraftSaved(code, version)) : [];
  return drafts.saveSubjectDraft(ctx, centerSubject(regionCode), value, version, also);
}

async function withRegionName(ctx: AppContext, regionCode: string, value: CenterValue): Promise<CenterValue> {
  const [known] = await ctx.db
    .select({ regionName: center.regionName })
    .from(center)
    .where(eq(center.regionCode, regionCode));
  if (!known) throw centerNotFound();
  return { ...value, ...known };
}

export async function dropCenterDraft(ctx: AppContext, regionCode: string, version: number) {
  authorizeCenter(ctx, regionCode);
  return drafts.dropSubjectDraft(ctx, centerSubject(regionCode), version);
}

/** Publishes the draft on the overview, map, region page and site information. A new region comes last. */
export async function publishCenter(ctx: AppContext, regionCode: string, input: Parsed<typeof publishContentInput>) {
  authorizeCenter(ctx, regionCode);
  const { code } = centerSubject(regionCode);
  const value = centerValue.parse(await drafts.readDraftToPublish(ctx, centerSubject(regionCode), input.version));
  if (!can(ctx.actor, { action: "ADMIN_Access" })) await withRegionName(ctx, regionCode, value);
  const when = drafts.isDraftPublished(code, input.version);
  const { effectiveDate: _now, ...rest } = input;
  return drafts.publishSubjectDraft(ctx, centerSubject(regionCode), value, rest, [
    ctx.db
      .insert(center)
      .select(
        sql`SELECT ${regionCode}, ${value.regionName}, ${value.centerName}, ${value.director}, ${value.address},
          ${value.phone}, ${value.fax}, ${value.url}, ${value.directions}, ${value.introduction}, ${value.imageFileId},
          ${value.imageAlt}, ${value.englishName}, ${value.englishDirector}, ${value.englishAddress}, ${value.englishDirections},
          ${value.englishIntroduction}, ${value.englishImageAlt}, (SELECT coalesce(max(sort_order), 0) + 1 FROM center), ${input.version + 1} WHERE ${when}`,
      )
      .onConflictDoUpdate({ target: center.regionCode, set: { ...value, version: input.version + 1 } }),
    publishContentFiles(ctx, code, pictureIdsOf(value), when),
  ]);
}

/** Removes a region's center and keeps its history. Needs ADMIN_Access. */
export async function withdrawCenter(ctx: AppContext, regionCode: string, version: number) {
  authorizeCenters(ctx);
  const { code } = centerSubject(regionCode);
  const gone = sql`EXISTS (SELECT 1 FROM content WHERE code = ${code} AND version = ${version + 1} AND status = 'draft')`;
  const keep = ctx.db
    .update(content)
    .set({
      draft: sql`(SELECT value FROM content_version WHERE code = ${code} ORDER BY version_no DESC LIMIT 1)`,
    })
    .where(sql`${content.code} = ${code} AND ${content.draft} IS NULL AND ${gone}`);
  return drafts.withdrawSubject(ctx, centerSubject(regionCode), version, [
    ctx.db.delete(center).where(sql`${center.regionCode} = ${regionCode} AND ${gone}`),
    keep,
  ]);
}

export async function orderCenters(ctx: AppContext, codes: string[]): Promise<{ codes: string[] }> {
  authorizeCenters(ctx);
  return orderRows(ctx, center, "center", codes);
}

export async function listCenterHistory(ctx: AppContext, regionCode: string): Promise<CenterHistory> {
  authorizeCenter(ctx, regionCode);
  const rows = await drafts.versionRowsStatement(ctx.db, centerSubject(regionCode).code);
  return rows.map((row) => ({ ...drafts.versionInfoOf(row), value: centerValue.parse(row.value) }));
}

export async function restoreCenter(ctx: AppContext, regionCode: string, input: RestoreContentInput) {
  authorizeCenter(ctx, regionCode);
  return drafts.restoreSubjectVersion(ctx, centerSubject(regionCode), input);
}
