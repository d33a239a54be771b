import { lookUp } from "#worker/contract/kernel/labels.ts";
import { extensionOf } from "#worker/contract/file/rules.ts";
import {
  type CleanedPicture,
  concatBytes,
  hasTextAt,
  orientationBlock,
  orientedSize,
  PictureWriter,
  readLatin1,
  readOrientation,
} from "./bytes.server.ts";
import { cleanWebp } from "./webp.server.ts";
import { crc32 } from "node:zlib";

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

function cleanJpeg(bytes: Uint8Array): CleanedPicture | null {
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

const DRAWING_CHUNKS = new Set(
  "IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT pHYs bKGD hIST acTL fcTL fdAT".split(" "),
);

function cleanPng(bytes: Uint8Array): CleanedPicture | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const written = new PictureWriter(bytes);
  written.keep(0, 8);
  let orientation = 1;
  let drawn = false;
  if (bytes.length < 33 || readLatin1(bytes, 12, 16) !== "IHDR") return null;
  const size = { width: view.getUint32(16), height: view.getUint32(20) };
  for (let at = 8; at + 12 <= bytes.length && written.countPart();) {
    const length = view.getUint32(at);
    const type = readLatin1(bytes, at + 4, at + 8);
    const end = at + 12 + length;
    if (end > bytes.length || (type === "IHDR" && at > 8)) return null;
    if (type === "fcTL" && !fitsCanvas(view, at + 8, length, size)) return null;
    if (type === "eXIf" && orientation === 1) {
      orientation = readOrientation(bytes.subarray(at + 8, end - 4));
      if (orientation > 1) written.add(exifChunk(orientation));
    } else if (DRAWING_CHUNKS.has(type)) written.keep(at, end);
    drawn ||= type === "IDAT";
    if (type === "IEND") return drawn ? { ...orientedSize(size, orientation), bytes: written.bytes } : null;
    at = end;
  }
  return null;
}

function fitsCanvas(view: DataView, at: number, length: number, { width, height }: { width: number; height: number }) {
  if (length < 26) return false;
  const [frameWidth, frameHeight, left, top] = [4, 8, 12, 16].map((offset) => view.getUint32(at + offset)) as [
    number,
    number,
    number,
    number,
  ];
  return left + frameWidth <= width && top + frameHeight <= height;
}

function exifChunk(orientation: number): Uint8Array {
  const content = concatBytes([new TextEncoder().encode("eXIf"), orientationBlock(orientation)]);
  const chunk = new Uint8Array(content.length + 8);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, content.length - 4);
  chunk.set(content, 4);
  view.setUint32(content.length + 4, crc32(content));
  return chunk;
}

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const END = 0x3b;
const CONTROL = 0xf9;
const APPLICATION = 0xff;
const REPEAT_EXTENSION = /^(?:NETSCAPE2\.0|ANIMEXTS1\.0)$/;

function cleanGif(bytes: Uint8Array): CleanedPicture | null {
  if (bytes.length < 14) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 13 + paletteBytes(bytes[10] ?? 0);
  const written = new PictureWriter(bytes);
  written.keep(0, at);
  let width = view.getUint16(6, true);
  let height = view.getUint16(8, true);
  let drawn = false;
  while (at < bytes.length && written.countPart()) {
    const kind = bytes[at];
    if (kind === END) {
      written.keep(at, at + 1);
      return drawn ? { bytes: written.bytes, width, height } : null;
    }
    if (kind !== EXTENSION && kind !== IMAGE) return null;
    const end = skipBlocks(bytes, at + (kind === IMAGE ? 11 + paletteBytes(bytes[at + 9] ?? 0) : 2));
    if (end === null) return null;
    if (kind === IMAGE || isDrawnAfter(bytes, at)) written.keep(at, end);
    if (kind === IMAGE) {
      drawn = true;
      width = Math.max(width, view.getUint16(at + 1, true) + view.getUint16(at + 5, true));
      height = Math.max(height, view.getUint16(at + 3, true) + view.getUint16(at + 7, true));
    }
    at = end;
  }
  return null;
}

function isDrawnAfter(bytes: Uint8Array, at: number): boolean {
  const label = bytes[at + 1];
  return label === CONTROL || (label === APPLICATION && REPEAT_EXTENSION.test(readLatin1(bytes, at + 3, at + 14)));
}

const paletteBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

function skipBlocks(bytes: Uint8Array, from: number): number | null {
  for (let at = from; at < bytes.length;) {
    const length = bytes[at] ?? 0;
    at += length + 1;
    if (length === 0) return at;
  }
  return null;
}

/**
 * Removes place, camera, time, comments and embedded older versions without decoding, so pixels stay and size costs
 * nothing. @returns null for a broken file
 */
export function cleanPicture(fileName: string, bytes: Uint8Array<ArrayBuffer>): CleanedPicture | null {
  const read = lookUp(PICTURE_CLEANERS, extensionOf(fileName));
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
