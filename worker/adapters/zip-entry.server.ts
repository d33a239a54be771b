import { crc32 } from "node:zlib";
import { Inflate } from "fflate";
import { type ByteSource, type StoredEntry, ZipProblem } from "./zip-reader.server.ts";
import { LOCAL_SIGNATURE, dataViewOf } from "./zip-format.server.ts";

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
