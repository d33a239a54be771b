import { ownValue } from "#worker/contract/kernel/labels.ts";
import { extensionOf } from "#worker/contract/file/rules.ts";
import { cleanGif } from "./gif.server.ts";
import { cleanJpeg } from "./jpeg.server.ts";
import type { CleanedPicture } from "./bytes.server.ts";
import { cleanPng } from "./png.server.ts";
import { cleanWebp } from "./webp.server.ts";

/**
 * Removes place, camera, time, comments and embedded older versions without decoding, so pixels stay and size costs
 * nothing. @returns null for a broken file
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
