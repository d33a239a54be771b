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

const DRAWING_CHUNKS = new Set(["VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP"]);
const FRAME_CHUNKS = new Set(["VP8X", "VP8 ", "VP8L", "ANMF"]);
const FRAME_PARTS_MAX = 16;
const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;

type Size = { width: number; height: number };

export function cleanWebp(bytes: Uint8Array): CleanedPicture | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 30) return null;
  const end = 8 + view.getUint32(4, true);
  if (end > bytes.length) return null;
  const written = new PictureWriter(bytes);
  written.keep(0, 12);
  let size: Size | null = null;
  let orientation = 1;
  let extended = false;
  const seen = new Set<string>();
  for (let at = 12; at + 8 <= end;) {
    if (!written.countPart()) return null;
    const type = readLatin1(bytes, at, at + 4);
    const length = view.getUint32(at + 4, true);
    if (at + 8 + length > end) return null;
    const body = bytes.subarray(at + 8, at + 8 + length);
    const next = Math.min(at + 8 + length + (length % 2), end);
    if (FRAME_CHUNKS.has(type)) {
      const frame = readFrameSize(type, body);
      // A second header or a frame beyond the picture would have an unchecked size.
      if (!frame || seen.has(type) || (size && (frame.width > size.width || frame.height > size.height))) return null;
      extended ||= seen.size === 0 && type === "VP8X";
      size ??= frame;
      if (type !== "ANMF") seen.add(type);
    }
    if (type === "EXIF") orientation = readOrientation(body.subarray(hasTextAt(body, 0, "Exif\0\0") ? 6 : 0));
    else if (DRAWING_CHUNKS.has(type)) written.keep(at, next);
    at = next;
  }
  if (!size) return null;
  // Only the extended form can hold an orientation.
  if (extended && orientation > 1) written.add(exifChunk(orientation));
  const cleaned = written.bytes;
  if (extended) {
    if (readLatin1(cleaned, 12, 16) !== "VP8X") return null;
    cleaned[20] = ((cleaned[20] ?? 0) & ~(HAS_EXIF | HAS_XMP)) | (orientation > 1 ? HAS_EXIF : 0);
  }
  new DataView(cleaned.buffer).setUint32(4, cleaned.length - 8, true);
  return { ...orientedSize(size, extended ? orientation : 1), bytes: cleaned };
}

function exifChunk(orientation: number): Uint8Array {
  const block = orientationBlock(orientation);
  const head = new Uint8Array(8);
  head.set(new TextEncoder().encode("EXIF"));
  new DataView(head.buffer).setUint32(4, block.length, true);
  return concatBytes([head, block]);
}

function readFrameSize(type: string, body: Uint8Array): Size | null {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const read24 = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  if (type === "VP8X" && body.length >= 10) return { width: 1 + read24(4), height: 1 + read24(7) };
  if (type === "VP8 " && body.length >= 10) {
    return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff };
  }
  if (type === "VP8L" && body.length >= 5) {
    const bits = view.getUint32(1, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  if (type === "ANMF" && body.length >= 24) {
    const frame = { width: 1 + read24(6), height: 1 + read24(9) };
    const isWithin = areChunksWithin(body.subarray(16), frame);
    return isWithin ? { width: frame.width + 2 * read24(0), height: frame.height + 2 * read24(3) } : null;
  }
  return null;
}

function areChunksWithin(chunks: Uint8Array, frame: Size): boolean {
  const view = new DataView(chunks.buffer, chunks.byteOffset, chunks.byteLength);
  for (let at = 0, index = 0; at + 8 <= chunks.length; index += 1) {
    const type = readLatin1(chunks, at, at + 4);
    const length = view.getUint32(at + 4, true);
    if (index >= FRAME_PARTS_MAX || at + 8 + length > chunks.length) return false;
    if (type === "VP8 " || type === "VP8L") {
      const size = readFrameSize(type, chunks.subarray(at + 8, at + 8 + length));
      if (!size || size.width > frame.width || size.height > frame.height) return false;
    }
    at += 8 + length + (length % 2);
  }
  return true;
}
