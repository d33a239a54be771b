import { asc, eq, like, sql } from "drizzle-orm";
import { center, content } from "#db/schema.ts";
import type { AppContext } from "#worker/context.server.ts";
import {
  type CenterEdit,
  type CenterHistory,
  type CenterValue,
  centerValue,
  type SaveCenterInput,
} from "#worker/contract/center.ts";
import type { PublishInput, RestoreInput } from "#worker/contract/content.ts";
import { AppError } from "#worker/contract/errors.ts";
import { permit } from "../access.server.ts";
import { keepPictures, publishPictures } from "../content/pictures.server.ts";
import {
  contentRow,
  draftToPublish,
  dropDraft,
  isPublished,
  publishDraft,
  restoreVersion,
  saveDraft,
  versionInfo,
  versionRows,
  withdraw,
} from "../content/store.server.ts";

const subject = (regionCode: string) => ({ code: `center.${regionCode}`, type: "center" }) as const;
const administer = (ctx: AppContext) => permit(ctx, { action: "ADMIN_Access" });
const EMPTY: CenterValue = centerValue.parse({ regionName: "-", centerName: "-" });
const pictureOf = (value: CenterValue) => (value.imageFileId ? [value.imageFileId] : []);

type Row = typeof content.$inferSelect;
type Center = typeof center.$inferSelect;

function editView(regionCode: string, row: Row | undefined, published: Center | undefined): CenterEdit {
  const { version: _version, ...shown } = { version: 0, ...published };
  return {
    ...EMPTY,
    ...shown,
    ...centerValue.safeParse(row?.draft).data,
    regionCode,
    status: published ? "published" : "draft",
    hasDraft: row?.draft != null,
    versionNo: null,
    modifiedDate: row?.modifiedDate.toISOString() ?? null,
    version: row?.version ?? 0,
  };
}

/** Every region, also one that is only a draft. Needs ADMIN_Access, like all below. */
export async function listCenters(ctx: AppContext): Promise<CenterEdit[]> {
  administer(ctx);
  const [rows, centers] = await ctx.db.batch([
    ctx.db.select().from(content).where(like(content.code, "center.%")),
    ctx.db.select().from(center).orderBy(asc(center.sortOrder), asc(center.regionCode)),
  ]);
  const codes = new Set([...centers.map((row) => row.regionCode), ...rows.map((row) => row.code.slice(7))]);
  return [...codes].map((regionCode) =>
    editView(
      regionCode,
      rows.find((row) => row.code === `center.${regionCode}`),
      centers.find((row) => row.regionCode === regionCode),
    ),
  );
}

/** @throws AppError NOT_FOUND for a region that nobody has begun */
export async function centerToEdit(ctx: AppContext, regionCode: string): Promise<CenterEdit> {
  administer(ctx);
  const [[row], [published], [newest]] = await ctx.db.batch([
    contentRow(ctx.db, subject(regionCode).code),
    ctx.db.select().from(center).where(eq(center.regionCode, regionCode)),
    versionRows(ctx.db, subject(regionCode).code).limit(1),
  ]);
  if (!row && !published) throw new AppError("NOT_FOUND", { message: "지정된 센터가 없습니다." });
  return { ...editView(regionCode, row, published), versionNo: newest?.versionNo ?? null };
}

/** A draft of a centre, or of a new region's. @throws AppError CONFLICT */
export async function saveCenter(ctx: AppContext, regionCode: string, input: SaveCenterInput) {
  administer(ctx);
  const { version, ...value } = input;
  const saved = await saveDraft(ctx, subject(regionCode), value, version);
  if (value.imageFileId) await keepPictures(ctx, pictureOf(value));
  return saved;
}

export async function dropCenterDraft(ctx: AppContext, regionCode: string, version: number) {
  administer(ctx);
  return dropDraft(ctx, subject(regionCode), version);
}

/** The draft is shown at once: overview, map, region page and site information. */
export async function publishCenter(ctx: AppContext, regionCode: string, input: PublishInput) {
  administer(ctx);
  const { code } = subject(regionCode);
  const value = centerValue.parse(await draftToPublish(ctx, subject(regionCode), input.version));
  const when = isPublished(code, input.version);
  const { effectiveDate: _now, ...rest } = input;
  return publishDraft(ctx, subject(regionCode), value, rest, [
    // In the order of the table's columns, as drizzle writes them.
    ctx.db
      .insert(center)
      .select(
        sql`SELECT ${regionCode}, ${value.regionName}, ${value.centerName}, ${value.director}, ${value.address},
          ${value.phone}, ${value.fax}, ${value.url}, ${value.directions}, ${value.introduction}, ${value.imageFileId},
          ${value.sortOrder}, ${input.version + 1} WHERE ${when}`,
      )
      .onConflictDoUpdate({ target: center.regionCode, set: { ...value, version: input.version + 1 } }),
    publishPictures(ctx, pictureOf(value), when),
  ]);
}

/** The region has no centre any more; its history stays. */
export async function withdrawCenter(ctx: AppContext, regionCode: string, version: number) {
  administer(ctx);
  const { code } = subject(regionCode);
  const gone = sql`EXISTS (SELECT 1 FROM content WHERE code = ${code} AND version = ${version + 1} AND status = 'draft')`;
  return withdraw(ctx, subject(regionCode), version, [
    ctx.db.delete(center).where(sql`${center.regionCode} = ${regionCode} AND ${gone}`),
  ]);
}

export async function centerHistory(ctx: AppContext, regionCode: string): Promise<CenterHistory> {
  administer(ctx);
  const rows = await versionRows(ctx.db, subject(regionCode).code);
  return rows.map((row) => ({ ...versionInfo(row), value: centerValue.parse(row.value) }));
}

export async function restoreCenter(ctx: AppContext, regionCode: string, input: RestoreInput) {
  administer(ctx);
  return restoreVersion(ctx, subject(regionCode), input);
}
