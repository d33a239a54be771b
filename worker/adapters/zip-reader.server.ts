import { isPlainPath } from "#worker/contract/kernel/text.ts";
import { crc32 } from "node:zlib";
import { Inflate } from "fflate";

export interface ByteSource {
  size: number;
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
  stream(offset: number, length: number): Promise<ReadableStream<Uint8Array>>;
}

type ZipProblemCode = "not-zip" | "cut" | "split" | "locked" | "method" | "name" | "too-many" | "bomb" | "broken";

export class ZipProblem extends Error {
  readonly code: ZipProblemCode;
  readonly entryName: string;
  constructor(code: ZipProblemCode, entryName = "") {
    super(`zip: ${code} ${entryName}`);
    this.code = code;
    this.entryName = entryName;
  }
}

export interface StoredEntry {
  name: string;
  /** The offset of the local header. */
  offset: number;
  compressedSize: number;
  size: number;
  /** 0 stored, 8 deflated. */
  method: number;
  crc: number;
}

export interface ListedEntry extends StoredEntry {
  problem: ZipProblemCode | null;
}

interface DirectoryPlace {
  offset: number;
  size: number;
  count: number;
}

const ZIP_LIMITS = {
  entries: 500_000,
  nameBytes: 1024,
  /** Deflate reaches at most 1,032; human text about 20. */
  ratio: 400,
  harmlessBytes: 4 * 1024 * 1024,
} as const;

const END_SIGNATURE = 0x06054b50;

const END64_LOCATOR_SIGNATURE = 0x07064b50;

const END64_SIGNATURE = 0x06064b50;

const CENTRAL_SIGNATURE = 0x02014b50;

const END_BYTES = 22;

const CENTRAL_BYTES = 46;

const COMMENT_MAX = 65_535;

const readUint64 = (view: DataView, at: number) => view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;

/** @throws ZipProblem */
export async function findDirectory(source: ByteSource): Promise<DirectoryPlace> {
  if (source.size < END_BYTES) throw new ZipProblem("not-zip");
  const start = Math.max(0, source.size - END_BYTES - COMMENT_MAX);
  const tail = await source.read(start, source.size - start);
  const view = dataViewOf(tail);
  for (let at = tail.byteLength - END_BYTES; at >= 0; at--) {
    if (view.getUint32(at, true) !== END_SIGNATURE) continue;
    if (at + END_BYTES + view.getUint16(at + 20, true) > tail.byteLength) continue;
    return checkPlace(source, await readEnd(source, view, at, start + at), start + at);
  }
  const head = dataViewOf(await source.read(0, 4));
  throw new ZipProblem(head.getUint32(0, true) === LOCAL_SIGNATURE ? "cut" : "not-zip");
}

async function readEnd(source: ByteSource, view: DataView, at: number, endOffset: number): Promise<DirectoryPlace> {
  const place = {
    count: view.getUint16(at + 10, true),
    size: view.getUint32(at + 12, true),
    offset: view.getUint32(at + 16, true),
  };
  if (view.getUint16(at + 4, true) !== view.getUint16(at + 6, true)) throw new ZipProblem("split");
  const isLarge = place.count === 0xffff || place.size === 0xffffffff || place.offset === 0xffffffff;
  if (!isLarge || endOffset < 20) return place;
  const locator = dataViewOf(await source.read(endOffset - 20, 20));
  if (locator.getUint32(0, true) !== END64_LOCATOR_SIGNATURE) return place;
  const offset64 = readUint64(locator, 8);
  if (offset64 + 56 > source.size) throw new ZipProblem("cut");
  const end64 = dataViewOf(await source.read(offset64, 56));
  if (end64.getUint32(0, true) !== END64_SIGNATURE) throw new ZipProblem("broken");
  return { count: readUint64(end64, 32), size: readUint64(end64, 40), offset: readUint64(end64, 48) };
}

function checkPlace(source: ByteSource, place: DirectoryPlace, endOffset: number): DirectoryPlace {
  if (place.count > ZIP_LIMITS.entries) throw new ZipProblem("too-many");
  if (place.offset + place.size > endOffset || place.size < place.count * CENTRAL_BYTES) throw new ZipProblem("cut");
  return place;
}

/**
 * Reads the next part of the directory. @param after bytes that were read before @throws ZipProblem for an unreadable
 * directory
 */
export async function readDirectory(source: ByteSource, place: DirectoryPlace, after: number, maxBytes = 1024 * 1024) {
  const length = Math.min(place.size - after, Math.max(maxBytes, CENTRAL_BYTES + 3 * COMMENT_MAX));
  const bytes = length > 0 ? await source.read(place.offset + after, length) : new Uint8Array();
  const view = dataViewOf(bytes);
  const entries: ListedEntry[] = [];
  let at = 0;
  while (at + CENTRAL_BYTES <= bytes.byteLength) {
    if (view.getUint32(at, true) !== CENTRAL_SIGNATURE) throw new ZipProblem("broken");
    const nameLength = view.getUint16(at + 28, true);
    const extraLength = view.getUint16(at + 30, true);
    const next = at + CENTRAL_BYTES + nameLength + extraLength + view.getUint16(at + 32, true);
    if (next > bytes.byteLength) break;
    entries.push(listedEntry(bytes, view, at, nameLength, extraLength));
    at = next;
  }
  const read = after + at;
  // The directory is shorter than its declared size.
  if (at === 0 && read < place.size) throw new ZipProblem("broken");
  return { entries, after: read, isEnd: read >= place.size };
}

function listedEntry(bytes: Uint8Array, view: DataView, at: number, nameLength: number, extraLength: number) {
  const flags = view.getUint16(at + 8, true);
  const nameBytes = bytes.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameLength);
  const entry: StoredEntry = {
    name: decodeName(nameBytes, (flags & 0x800) !== 0),
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    compressedSize: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    offset: view.getUint32(at + 42, true),
  };
  readLargeSizes(entry, view, at + CENTRAL_BYTES + nameLength, extraLength);
  return { ...entry, problem: entryProblem(entry, flags, nameLength) };
}

/** Zip64: the extra field holds only the sizes and offsets that exceed 4 GB. */
function readLargeSizes(entry: StoredEntry, view: DataView, start: number, length: number): void {
  const end = Math.min(start + length, view.byteLength);
  for (let at = start; at + 4 <= end;) {
    const size = view.getUint16(at + 2, true);
    if (view.getUint16(at, true) === 0x0001) {
      let place = at + 4;
      for (const field of ["size", "compressedSize", "offset"] as const) {
        if (entry[field] !== 0xffffffff || place + 8 > Math.min(at + 4 + size, end)) continue;
        entry[field] = readUint64(view, place);
        place += 8;
      }
      return;
    }
    at += 4 + size;
  }
}

function entryProblem(entry: StoredEntry, flags: number, nameLength: number): ZipProblemCode | null {
  if (nameLength === 0 || nameLength > ZIP_LIMITS.nameBytes || !isPlainPath(entry.name)) return "name";
  if ((flags & 1) !== 0) return "locked";
  if (entry.method !== 0 && entry.method !== 8) return "method";
  if (entry.method === 0 && entry.size !== entry.compressedSize) return "broken";
  const isSwollen = entry.size > ZIP_LIMITS.harmlessBytes && entry.size > entry.compressedSize * ZIP_LIMITS.ratio;
  return isSwollen ? "bomb" : null;
}

/** Korean Windows writes names in CP949 without a flag. */
function decodeName(bytes: Uint8Array, isUtf8: boolean): string {
  if (isUtf8) return new TextDecoder().decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("euc-kr").decode(bytes);
  }
}

export function objectSource(bucket: R2Bucket, key: string, size: number): ByteSource {
  const open = async (offset: number, length: number) => {
    const object = await bucket.get(key, { range: { offset, length } });
    if (!object) throw new ZipProblem("cut");
    return object;
  };
  return {
    size,
    read: async (offset, length) => new Uint8Array(await (await open(offset, length)).arrayBuffer()),
    stream: async (offset, length) => (await open(offset, length)).body as ReadableStream<Uint8Array>,
  };
}

const LOCAL_SIGNATURE = 0x04034b50;

const dataViewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const LOCAL_BYTES = 30;

/** Deflate expands at most 1,032 times: the output of one push stays below 17 MB. */
const PUSH_BYTES = 16 * 1024;

/**
 * Inflates in small pieces and refuses more bytes than the directory says. @throws ZipProblem cut, broken, bomb;
 * possibly after the last pieces
 */
export async function* readEntry(source: ByteSource, entry: StoredEntry): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const header = entry.offset + LOCAL_BYTES > source.size ? null : await source.read(entry.offset, LOCAL_BYTES);
  if (!header || dataViewOf(header).getUint32(0, true) !== LOCAL_SIGNATURE) throw new ZipProblem("broken", entry.name);
  const start =
    entry.offset + LOCAL_BYTES + dataViewOf(header).getUint16(26, true) + dataViewOf(header).getUint16(28, true);
  if (start + entry.compressedSize > source.size) throw new ZipProblem("cut", entry.name);
  let size = 0;
  let crc = 0;
  const count = (piece: Uint8Array) => {
    size += piece.byteLength;
    crc = crc32(piece, crc);
    if (size > entry.size) throw new ZipProblem("bomb", entry.name);
  };
  const packed = entry.compressedSize > 0 ? packedPieces(source, start, entry) : [];
  for await (const piece of entry.method === 0 ? packed : inflatePieces(packed, entry.name)) {
    count(piece);
    yield piece;
  }
  if (size !== entry.size || crc !== entry.crc) throw new ZipProblem("broken", entry.name);
}

async function* packedPieces(source: ByteSource, start: number, entry: StoredEntry) {
  const reader = (await source.stream(start, entry.compressedSize)).getReader();
  let read = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      read += value.byteLength;
      yield value as Uint8Array<ArrayBuffer>;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  if (read !== entry.compressedSize) throw new ZipProblem("cut", entry.name);
}

async function* inflatePieces(
  packed: AsyncIterable<Uint8Array<ArrayBuffer>> | Iterable<Uint8Array<ArrayBuffer>>,
  name: string,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let ready: Uint8Array<ArrayBuffer>[] = [];
  const inflate = new Inflate((piece) => void ready.push(piece as Uint8Array<ArrayBuffer>));
  const push = (bytes: Uint8Array, isLast: boolean) => {
    try {
      inflate.push(bytes, isLast);
    } catch (cause) {
      throw Object.assign(new ZipProblem("broken", name), { cause });
    }
    const pieces = ready;
    ready = [];
    return pieces;
  };
  for await (const piece of packed)
    for (let at = 0; at < piece.byteLength; at += PUSH_BYTES) yield* push(piece.subarray(at, at + PUSH_BYTES), false);
  yield* push(new Uint8Array(), true);
}
