import { and, eq, ne, sql } from "drizzle-orm";
import { file } from "#db/schema/file.ts";
import { SHRUNK_IMAGE_TYPE } from "#worker/adapters/images.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { extensionOf, IMAGE_EXTENSIONS } from "#worker/contract/file/rules.ts";
import { type PicturePlace, THUMBNAIL_WIDTHS, type ThumbnailWidth } from "#worker/contract/file/view.ts";
import { logError } from "#worker/log.ts";
import { fetchStoredFile, type FileToServe } from "./read.server.ts";
import type { Db } from "#db/client.ts";
import { prepareOnce } from "#db/prepared.ts";
import { contentFile } from "#db/schema/content.ts";
import { columnsOf } from "#db/sql.ts";

/** Below this size, a thumbnail saves nothing. */
const SMALL_BYTES = 64 * 1024;
/** Largest original that replaces a thumbnail which cannot be created. */
const BEARABLE_BYTES = 1024 * 1024;

export const isPictureFileName = (fileName: string): boolean => IMAGE_EXTENSIONS.includes(extensionOf(fileName));

/** Stored under a separate prefix, so that all thumbnails can be deleted and recreated. */
const thumbnailKey = (storageKey: string, width: number) => `thumbnail/${width}/${storageKey}`;

export const storageKeysOf = ({ storageKey, fileName }: { storageKey: string; fileName: string }): string[] =>
  isPictureFileName(fileName)
    ? [storageKey, ...THUMBNAIL_WIDTHS.map((width) => thumbnailKey(storageKey, width))]
    : [storageKey];

/** Returns the smallest width that fills the box, or null for the original. */
export function chooseThumbnailWidth(
  { fileName, size, pixelWidth, pixelHeight }: FileToServe,
  box: { width?: number | undefined; height?: number | undefined },
): ThumbnailWidth | null {
  if (!isPictureFileName(fileName)) return null;
  const ratio = pixelWidth && pixelHeight ? pixelWidth / pixelHeight : 1;
  const wanted = Math.max(box.width ?? 0, (box.height ?? 0) * ratio) || 320;
  const width = THUMBNAIL_WIDTHS.find((each) => each >= wanted) ?? 1280;
  return pixelWidth && pixelWidth <= width && size <= SMALL_BYTES ? null : width;
}

export function thumbnailFile(original: FileToServe, width: ThumbnailWidth): FileToServe {
  return {
    ...original,
    fileName: original.fileName.replace(/\.[^.]*$/, ".webp"),
    contentType: SHRUNK_IMAGE_TYPE,
    etag: original.etag.replace(/"$/, () => `-${width}"`),
  };
}

/**
 * Reads the thumbnail from R2 or creates it, for callers that `fileToServe` allowed. @returns null when the original
 * must be used @throws AppError UPSTREAM_UNAVAILABLE when the original is too large for that
 */
export async function fetchThumbnail(ctx: AppContext, original: FileToServe, width: ThumbnailWidth, isHead: boolean) {
  const key = thumbnailKey(original.storageKey, width);
  // HEAD must not open a body that no one reads.
  const stored = isHead
    ? ctx.files.head(key).then((head) => head && { body: null, size: head.size })
    : ctx.files.get(key);
  const kept = await stored.catch(() => null);
  if (kept) return { body: kept.body, size: kept.size };
  const source = await fetchStoredFile(ctx.files, original.storageKey, null);
  try {
    const bytes = await ctx.images.shrink(source, width);
    ctx.defer(storeThumbnail(ctx, original, key, bytes));
    return { body: isHead ? null : bytes, size: bytes.byteLength };
  } catch (cause) {
    if (original.size <= BEARABLE_BYTES) {
      logError({ requestId: ctx.requestId, path: `thumbnail:${original.storageKey}`, code: "THUMBNAIL", cause });
      return null;
    }
    throw new AppError("UPSTREAM_UNAVAILABLE", {
      message: "그림을 지금 줄여서 보여 드릴 수 없습니다. 잠시 후 다시 시도해 주십시오.",
      cause,
    });
  }
}

/** Deletes the thumbnail again when the file was cleaned up meanwhile, which would orphan it. */
async function storeThumbnail(ctx: AppContext, { id }: FileToServe, key: string, bytes: Uint8Array<ArrayBuffer>) {
  await ctx.files.put(key, bytes, { httpMetadata: { contentType: SHRUNK_IMAGE_TYPE } });
  const rows = await ctx.db
    .select({ id: file.id })
    .from(file)
    .where(and(eq(file.id, id), ne(file.status, "swept")));
  if (rows.length === 0) await ctx.files.delete(key);
}

export type FileRow = typeof file.$inferSelect;
type MeasuredFile = Pick<FileRow, "id" | "pixelWidth" | "pixelHeight" | "contentType">;

export function picturePlacesOf(files: readonly MeasuredFile[]): PicturePlace[] {
  return files.flatMap(({ id, pixelWidth: width, pixelHeight: height, contentType }) =>
    width && height ? [{ fileId: id, width, height, isAnimated: contentType === "image/gif" }] : [],
  );
}

export const PICTURE_PLACE_COLUMNS = {
  ...columnsOf(file, "id", "pixelWidth", "pixelHeight", "contentType"),
};

/** Pictures of a kind, such as `popup` or `agreement`, and of one page. */
export const picturesOfKindStatement = (db: Db, kind: string, page = "") =>
  // Prefix range on the primary key: "/" follows "." in ASCII.
  preparedPictures(db, { first: `${kind}.`, end: `${kind}/`, page });

const preparedPictures = prepareOnce((db) =>
  db
    .select(PICTURE_PLACE_COLUMNS)
    .from(file)
    .where(
      sql`${file.id} IN (SELECT file_id FROM ${contentFile} WHERE code > ${sql.placeholder("first")} AND code < ${sql.placeholder("end")}
        UNION SELECT file_id FROM ${contentFile} WHERE code = ${sql.placeholder("page")})`,
    ),
);

export const picturePlacesIn = (html: string, places: readonly PicturePlace[]): PicturePlace[] =>
  html.includes("<img") ? places.filter(({ fileId }) => html.includes(fileId)) : [];
