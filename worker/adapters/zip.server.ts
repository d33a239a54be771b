import { crc32 } from "node:zlib";

type Bytes = Uint8Array<ArrayBuffer>;
export interface ZipPart {
  name: string;
  texts: AsyncIterable<string> | Iterable<string>;
}

const encoder = new TextEncoder();
/** Version 2.0; sizes follow the data (bit 3), names are UTF-8 (bit 11); deflated; 1 January 2025. */
const FACTS = [20, 0, 8, 8, 8, 0, 0, 0, 0x21, 0x5a] as const;

/** A zip as a stream: how large a part is stands behind it, so that nothing waits for its end. */
export async function* zipPieces(parts: readonly ZipPart[]): AsyncGenerator<Bytes, void, undefined> {
  const directory: Bytes[] = [];
  let offset = 0;
  for (const { name, texts } of parts) {
    const nameBytes = encoder.encode(name);
    const start = offset;
    const head = join([bytesOf(0x50, 0x4b, 3, 4, ...FACTS), record([0, 0, 0], [nameBytes.length, 0]), nameBytes]);
    yield head;
    const size = { crc: 0, plain: 0, packed: 0 };
    for await (const piece of deflated(texts, size)) {
      size.packed += piece.byteLength;
      yield piece;
    }
    const sizes = [size.crc, size.packed, size.plain];
    yield join([bytesOf(0x50, 0x4b, 7, 8), record(sizes)]);
    offset += head.byteLength + size.packed + 16;
    const place = record([], [nameBytes.length, 0, 0, 0, 0], [0, start]);
    directory.push(join([bytesOf(0x50, 0x4b, 1, 2, 20, 0, ...FACTS), record(sizes), place, nameBytes]));
  }
  yield* directory;
  const length = directory.reduce((sum, entry) => sum + entry.byteLength, 0);
  const counts = record([], [0, 0, parts.length, parts.length], [length, offset]);
  yield join([bytesOf(0x50, 0x4b, 5, 6), counts, bytesOf(0, 0)]);
}

async function* deflated(texts: ZipPart["texts"], size: { crc: number; plain: number }) {
  const deflate = new CompressionStream("deflate-raw");
  const writer = deflate.writable.getWriter();
  const written = (async () => {
    try {
      for await (const text of texts) {
        const bytes = encoder.encode(text);
        size.crc = crc32(bytes, size.crc);
        size.plain += bytes.byteLength;
        await writer.write(bytes);
      }
      await writer.close();
    } catch (error) {
      await writer.abort(error).catch(() => undefined);
      throw error;
    }
  })();
  // Its failure comes out of the reader as well, and of the last line for certain.
  written.catch(() => undefined);
  yield* deflate.readable as unknown as AsyncIterable<Bytes>;
  await written;
}

const bytesOf = (...bytes: number[]) => new Uint8Array(bytes);

/** Little-endian: 32-bit numbers, 16-bit numbers, 32-bit numbers. */
function record(longs: readonly number[], shorts: readonly number[] = [], more: readonly number[] = []): Bytes {
  const view = new DataView(new ArrayBuffer((longs.length + more.length) * 4 + shorts.length * 2));
  let at = 0;
  for (const value of longs) view.setUint32((at += 4) - 4, value, true);
  for (const value of shorts) view.setUint16((at += 2) - 2, value, true);
  for (const value of more) view.setUint32((at += 4) - 4, value, true);
  return new Uint8Array(view.buffer);
}

function join(parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
