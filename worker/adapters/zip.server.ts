import { crc32 } from "node:zlib";
import { Zip, type ZipInputFile } from "fflate";
import { yieldToEventLoop } from "./invocation.server.ts";

type ZipBytes = Uint8Array<ArrayBuffer>;
export interface ZipEntry {
  name: string;
  lastModified: Date;
  contents: AsyncIterable<Uint8Array>;
  deflate: boolean;
}

/** The dates that a zip can store, less a day for time zones; imported files may have invalid dates. */
const ZIP_DATES = { first: Date.UTC(1980, 0, 2), last: Date.UTC(2099, 11, 30) };
const NOTHING = new Uint8Array();
/** Some milliseconds of work on plain bytes. */
const PAUSE_BYTES = 256 * 1024;
/** Zip overhead besides twice the name: headers of 30 and 46 bytes, a data descriptor of 16. */
const AROUND_FILE = 92;
const AT_END = 22;

/** Streams a zip with data descriptors, so that sizes need not be known first. At most 4 GB. */
export async function* zipPieces(entries: Iterable<ZipEntry>): AsyncGenerator<ZipBytes, void, undefined> {
  let failure: unknown = null;
  const pause = pauseEvery(PAUSE_BYTES);
  let ready: ZipBytes[] = [];
  const zip = new Zip((error, piece) => {
    failure ??= error;
    ready.push(piece as ZipBytes);
  });
  const taken = () => {
    if (failure !== null) throw failure;
    const pieces = ready;
    ready = [];
    return pieces;
  };
  for (const { name, lastModified, contents, deflate } of entries) {
    const mtime = Math.min(Math.max(lastModified.getTime(), ZIP_DATES.first), ZIP_DATES.last);
    const file: ZipInputFile = { filename: name, mtime, compression: deflate ? 8 : 0, size: 0, crc: 0 };
    zip.add(file);
    const plain = counted(contents, file, pause);
    for await (const piece of deflate ? deflateTexts(plain) : plain) {
      file.ondata?.(null, piece as ZipBytes, false);
      yield* taken();
    }
    file.ondata?.(null, NOTHING, true);
    yield* taken();
  }
  zip.end();
  yield* taken();
}

export function zipSize(entries: Iterable<{ name: string; size: number }>): number {
  const encoder = new TextEncoder();
  let bytes = AT_END;
  for (const { name, size } of entries) bytes += AROUND_FILE + 2 * encoder.encode(name).byteLength + size;
  return bytes;
}

async function* counted(
  contents: ZipEntry["contents"],
  file: ZipInputFile,
  pause: (bytes: number) => Promise<void> | void,
): AsyncGenerator<Uint8Array> {
  for await (const bytes of contents) {
    file.crc = crc32(bytes, file.crc);
    file.size += bytes.byteLength;
    yield bytes;
    await pause(bytes.byteLength);
  }
}

/** Counts over all files: many small ones block others as long as a large one. */
function pauseEvery(limitBytes: number): (bytes: number) => Promise<void> | void {
  let written = 0;
  return (bytes) => {
    written += bytes;
    if (written < limitBytes) return;
    written = 0;
    return yieldToEventLoop();
  };
}

const streams = ReadableStream as unknown as { from(pieces: AsyncIterable<Uint8Array>): ReadableStream<ZipBytes> };

export const streamOf = (pieces: AsyncIterable<Uint8Array>): ReadableStream<ZipBytes> => streams.from(pieces);

/** Throws the error of `plain` itself, which a CompressionStream replaces. */
async function* deflateTexts(plain: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const failures: unknown[] = [];
  const watched = async function* () {
    try {
      yield* plain;
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  try {
    yield* streamOf(watched()).pipeThrough(new CompressionStream("deflate-raw")) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw failures.length > 0 ? failures[0] : error;
  }
}
