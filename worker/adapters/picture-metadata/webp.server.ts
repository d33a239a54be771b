import { orientationBlock, readOrientation } from "./orientation.server.ts";
import { type CleanedPicture, concatBytes, readLatin1, hasTextAt, orientedSize } from "./bytes.server.ts";

const DRAWING_CHUNKS = new Set(["VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP"]);
const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;

/** Without EXIF and XMP; null where it is broken or cut off. */
export function cleanWebp(bytes: Uint8Array): CleanedPicture | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 30) return null;
  const end = 8 + view.getUint32(4, true);
  if (end > bytes.length) return null;
  const chunks: Uint8Array[] = [];
  let size: { width: number; height: number } | null = null;
  let orientation = 1;
  for (let at = 12; at + 8 <= end;) {
    const type = readLatin1(bytes, at, at + 4);
    const length = view.getUint32(at + 4, true);
    if (at + 8 + length > end) return null;
    const body = bytes.subarray(at + 8, at + 8 + length);
    const next = Math.min(at + 8 + length + (length % 2), end);
    size ??= readCanvasSize(type, body);
    // Some writers put the mark of JPEG's EXIF before it.
    if (type === "EXIF") orientation = readOrientation(body.subarray(hasTextAt(body, 0, "Exif\0\0") ? 6 : 0));
    else if (DRAWING_CHUNKS.has(type)) chunks.push(bytes.subarray(at, next));
    at = next;
  }
  const head = chunks[0];
  if (!size || !head) return null;
  const extended = readLatin1(head, 0, 4) === "VP8X";
  // Only the extended form can say which way up.
  if (extended) chunks[0] = setFlags(head, orientation > 1);
  if (extended && orientation > 1) chunks.push(exifChunk(orientation));
  const body = concatBytes(chunks);
  const riff = bytes.slice(0, 12);
  new DataView(riff.buffer).setUint32(4, body.length + 4, true);
  return { ...orientedSize(size, extended ? orientation : 1), bytes: concatBytes([riff, body]) };
}

function setFlags(head: Uint8Array, exif: boolean): Uint8Array {
  const copy = head.slice();
  copy[8] = ((copy[8] ?? 0) & ~(HAS_EXIF | HAS_XMP)) | (exif ? HAS_EXIF : 0);
  return copy;
}

function exifChunk(orientation: number): Uint8Array {
  const block = orientationBlock(orientation);
  const head = new Uint8Array(8);
  head.set(new TextEncoder().encode("EXIF"));
  new DataView(head.buffer).setUint32(4, block.length, true);
  return concatBytes([head, block]);
}

function readCanvasSize(type: string, body: Uint8Array): { width: number; height: number } | null {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  if (type === "VP8X" && body.length >= 10) {
    const edge = (at: number) => 1 + view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
    return { width: edge(4), height: edge(7) };
  }
  if (type === "VP8 " && body.length >= 10) {
    return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff };
  }
  if (type === "VP8L" && body.length >= 5) {
    const bits = view.getUint32(1, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  return null;
}
