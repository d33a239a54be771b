import { type CleanedPicture, PictureWriter, readLatin1 } from "./bytes.server.ts";

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const END = 0x3b;
const CONTROL = 0xf9;
const APPLICATION = 0xff;
const REPEAT_EXTENSION = /^(?:NETSCAPE2\.0|ANIMEXTS1\.0)$/;

export function cleanGif(bytes: Uint8Array): CleanedPicture | null {
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
