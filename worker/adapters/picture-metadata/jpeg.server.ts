import { orientationBlock, readOrientation } from "./orientation.server.ts";
import { type CleanedPicture, concatBytes, hasTextAt, orientedSize, PictureWriter } from "./bytes.server.ts";

const EXIF = "Exif\0\0";
/** The DNL marker, which redefines the height. */
const LINES = 0xdc;

function isDrawingSegment(marker: number, body: Uint8Array): boolean {
  if (marker === 0xfe) return false;
  if (marker < 0xe0 || marker > 0xef) return true;
  if (marker === 0xe0) return hasTextAt(body, 0, "JFIF\0");
  if (marker === 0xe2) return hasTextAt(body, 0, "ICC_PROFILE\0");
  return marker === 0xee && hasTextAt(body, 0, "Adobe");
}

export function cleanJpeg(bytes: Uint8Array): CleanedPicture | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const written = new PictureWriter(bytes);
  written.keep(0, 2);
  let size: { width: number; height: number } | null = null;
  let orientation = 1;
  let drawn = false;
  for (let at = 2; at + 1 < bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xd9) {
      if (!size || !drawn) return null;
      written.keep(at, at + 2);
      return { ...orientedSize(size, orientation), bytes: written.bytes };
    }
    if (at + 4 > bytes.length || !written.countPart()) return null;
    const end = at + 2 + view.getUint16(at + 2);
    if (end < at + 4 || end > bytes.length) return null;
    const body = bytes.subarray(at + 4, end);
    if (marker === LINES) return null;
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      // A decoder may use the second frame header, whose size is unchecked.
      if (body.length < 5 || size) return null;
      size = { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    const next = marker === 0xda ? findScanEnd(bytes, end) : end;
    drawn ||= marker === 0xda;
    if (marker === 0xe1 && orientation === 1 && hasTextAt(body, 0, EXIF)) {
      orientation = readOrientation(body.subarray(EXIF.length));
      if (orientation > 1) written.add(exifSegment(orientation));
    } else if (isDrawingSegment(marker, body)) written.keep(at, next);
    at = next;
  }
  return null;
}

/** Finds the end of the compressed data: the next marker that is no escape and no restart. */
function findScanEnd(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue;
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}

function exifSegment(orientation: number): Uint8Array {
  const block = orientationBlock(orientation);
  const head = Uint8Array.from([0xff, 0xe1, 0, 2 + EXIF.length + block.length, ...new TextEncoder().encode(EXIF)]);
  return concatBytes([head, block]);
}
