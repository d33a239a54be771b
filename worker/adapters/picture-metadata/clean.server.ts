import { ownValue } from "#worker/contract/kernel/labels.ts";
import { extensionOf } from "#worker/contract/file/rules.ts";
import { cleanGif } from "./gif.server.ts";
import { cleanJpeg } from "./jpeg.server.ts";
import type { CleanedPicture } from "./bytes.server.ts";
import { cleanPng } from "./png.server.ts";
import { cleanWebp } from "./webp.server.ts";

/**
 * A picture without what it tells of its maker: place, camera, time, comments, an older version of itself. It is read by
 * its frame and never decoded, so that its pixels stay as they were and a huge one costs nothing.
 * @returns null where the file is broken or cut off
 */
export function cleanPicture(fileName: string, bytes: Uint8Array<ArrayBuffer>): CleanedPicture | null {
  const read = ownValue(PICTURE_CLEANERS, extensionOf(fileName));
  const picture = read?.(bytes) ?? null;
  return picture && picture.width > 0 && picture.height > 0 ? picture : null;
}

const PICTURE_CLEANERS: Record<string, (bytes: Uint8Array<ArrayBuffer>) => CleanedPicture | null> = {
  jpg: cleanJpeg,
  jpeg: cleanJpeg,
  png: cleanPng,
  webp: cleanWebp,
  gif: cleanGif,
};
