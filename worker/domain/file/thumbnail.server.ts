import { and, eq, ne } from "drizzle-orm";
import { file } from "#db/schema/file.ts";
import { SHRUNK_IMAGE_TYPE } from "#worker/adapters/images.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { extensionOf, IMAGE_EXTENSIONS } from "#worker/contract/file/rules.ts";
import { THUMBNAIL_WIDTHS, type ThumbnailWidth } from "#worker/contract/file/thumbnail.ts";
import { logError } from "#worker/log.ts";
import { fetchStoredFile, type FileToServe } from "./read.server.ts";

/** So small that a small version saves nothing. */
const SMALL_BYTES = 64 * 1024;
/** Still bearable where a list wanted a small version that cannot be made. */
const BEARABLE_BYTES = 1024 * 1024;

export const isPictureFileName = (fileName: string): boolean => IMAGE_EXTENSIONS.includes(extensionOf(fileName));

/** Beside the original, under a prefix of its own: all of them can be thrown away and are made again. */
const thumbnailKey = (storageKey: string, width: number) => `thumbnail/${width}/${storageKey}`;

/** Everything that R2 holds of a file. */
export const storageKeysOf = ({ storageKey, fileName }: { storageKey: string; fileName: string }): string[] =>
  isPictureFileName(fileName)
    ? [storageKey, ...THUMBNAIL_WIDTHS.map((width) => thumbnailKey(storageKey, width))]
    : [storageKey];

/** The smallest size that fills the box asked for; null where the original is right as it is. */
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

/** The same file in that size: what is told about it before its bytes are there. */
export function thumbnailFile(original: FileToServe, width: ThumbnailWidth): FileToServe {
  return {
    ...original,
    fileName: original.fileName.replace(/\.[^.]*$/, ".webp"),
    contentType: SHRUNK_IMAGE_TYPE,
    etag: original.etag.replace(/"$/, () => `-${width}"`),
  };
}

/**
 * The small version from R2, or made now and kept there. For callers that `fileToServe` let through.
 * @returns null where it cannot be made and the original will do
 * @throws AppError UPSTREAM_UNAVAILABLE where it cannot be made and the original is too big for its place
 */
export async function fetchThumbnail(
  ctx: AppContext,
  original: FileToServe,
  width: ThumbnailWidth,
  isHead: boolean,
): Promise<{ body: ReadableStream | Uint8Array<ArrayBuffer> | null; size: number } | null> {
  const key = thumbnailKey(original.storageKey, width);
  // For the head alone no body is opened that nobody would read.
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

/** Not for a file that the clean-up took meanwhile: nothing would know of the object. */
async function storeThumbnail(
  ctx: AppContext,
  { id }: FileToServe,
  key: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  await ctx.files.put(key, bytes, { httpMetadata: { contentType: SHRUNK_IMAGE_TYPE } });
  const rows = await ctx.db
    .select({ id: file.id })
    .from(file)
    .where(and(eq(file.id, id), ne(file.status, "swept")));
  if (rows.length === 0) await ctx.files.delete(key);
}
