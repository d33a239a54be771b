import { crc32 } from "node:zlib";
import { orientationBlock, readOrientation } from "./orientation.server.ts";
import { type CleanedPicture, concatBytes, readLatin1, orientedSize } from "./bytes.server.ts";

/** The chunks that draw or animate; texts, times, EXIF and what nobody knows stay behind. */
const DRAWING_CHUNKS = new Set(
  "IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT pHYs bKGD hIST acTL fcTL fdAT".split(" "),
);

/** Without text, time and EXIF; null where it is broken or cut off. */
export function cleanPng(bytes: Uint8Array): CleanedPicture | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [bytes.subarray(0, 8)];
  let orientation = 1;
  let drawn = false;
  if (bytes.length < 33 || readLatin1(bytes, 12, 16) !== "IHDR") return null;
  const size = { width: view.getUint32(16), height: view.getUint32(20) };
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = view.getUint32(at);
    const type = readLatin1(bytes, at + 4, at + 8);
    const end = at + 12 + length;
    if (end > bytes.length) return null;
    if (type === "eXIf") {
      orientation = readOrientation(bytes.subarray(at + 8, end - 4));
      if (orientation > 1) parts.push(exifChunk(orientation));
    } else if (DRAWING_CHUNKS.has(type)) parts.push(bytes.subarray(at, end));
    drawn ||= type === "IDAT";
    if (type === "IEND") return drawn ? { ...orientedSize(size, orientation), bytes: concatBytes(parts) } : null;
    at = end;
  }
  return null;
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
