export interface CleanedPicture {
  bytes: Uint8Array<ArrayBuffer>;
  /** Width and height after the orientation is applied. */
  width: number;
  height: number;
}

/** Limits segments, chunks and frames: 10 MB could hold millions of the smallest. */
export const PICTURE_PARTS_MAX = 50_000;
/** The rewritten orientation may add this much. */
const ADDED_BYTES_MAX = 64;

export class PictureWriter {
  readonly #source: Uint8Array;
  readonly #kept: Uint8Array<ArrayBuffer>;
  #length = 0;
  #parts = 0;

  constructor(source: Uint8Array) {
    this.#source = source;
    this.#kept = new Uint8Array(source.length + ADDED_BYTES_MAX);
  }

  /** Must be called before each part is read. @returns false where there are too many */
  countPart(): boolean {
    this.#parts += 1;
    return this.#parts <= PICTURE_PARTS_MAX;
  }

  keep(from: number, to: number): void {
    this.add(this.#source.subarray(from, to));
  }

  add(bytes: Uint8Array): void {
    this.#kept.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#kept.subarray(0, this.#length);
  }
}

export const readLatin1 = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, to));
export const hasTextAt = (bytes: Uint8Array, at: number, text: string) =>
  readLatin1(bytes, at, at + text.length) === text;

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Orientations from 5 on are rotated by 90 degrees. */
export function orientedSize({ width, height }: { width: number; height: number }, orientation: number) {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

const ORIENTATION_TAG = 0x0112;

/** The orientation in a TIFF block (EXIF); 1, upright, if unreadable. */
export function readOrientation(tiff: Uint8Array): number {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  try {
    const little = view.getUint16(0) === 0x4949;
    const directory = view.getUint32(4, little);
    const entries = view.getUint16(directory, little);
    for (let at = directory + 2; at < directory + 2 + entries * 12; at += 12) {
      if (view.getUint16(at, little) !== ORIENTATION_TAG) continue;
      const value = view.getUint16(at + 8, little);
      return value >= 1 && value <= 8 ? value : 1;
    }
  } catch {
    // An offset beyond the block: the orientation is ignored.
  }
  return 1;
}

export function orientationBlock(orientation: number): Uint8Array {
  const block = new Uint8Array(26);
  const view = new DataView(block.buffer);
  view.setUint32(0, 0x4d4d002a);
  view.setUint32(4, 8);
  view.setUint16(8, 1);
  view.setUint16(10, ORIENTATION_TAG);
  view.setUint16(12, 3);
  view.setUint32(14, 1);
  view.setUint16(18, orientation);
  return block;
}
