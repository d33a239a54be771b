import { crc32 } from "node:zlib";
import { orientationBlock, readOrientation } from "./orientation.server.ts";
import { type CleanedPicture, concatBytes, orientedSize, PictureWriter, readLatin1 } from "./bytes.server.ts";

const DRAWING_CHUNKS = new Set(
  "IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT pHYs bKGD hIST acTL fcTL fdAT".split(" "),
);

export function cleanPng(bytes: Uint8Array): CleanedPicture | null {
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
