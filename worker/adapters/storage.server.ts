import { createHash } from "node:crypto";

export class UploadCutOff extends Error {
  readonly kind: "long" | "short";
  constructor(kind: "long" | "short", cause?: unknown) {
    super(`upload is too ${kind}`, { cause });
    this.kind = kind;
  }
}

export class StorageFailed extends Error {
  constructor(cause: unknown) {
    super("storage failed", { cause });
  }
}

type UploadBody = ReadableStream<Uint8Array> | null;

interface ObjectToStore {
  key: string;
  contentType: string;
}
interface StreamToStore extends ObjectToStore {
  body: UploadBody;
  size: number;
  firstByteCount: number;
  check(head: Uint8Array): void;
}

const putOptions = ({ contentType }: ObjectToStore) => ({
  httpMetadata: { contentType },
  onlyIf: { etagDoesNotMatch: "*" },
});

/** @returns the SHA-256 in hex, or null for a taken key @throws UploadCutOff, StorageFailed, errors of `check`; no object remains */
export async function storeStream(bucket: R2Bucket, upload: StreamToStore): Promise<{ hash: string } | null> {
  const chunks = chunksOf(upload.body, upload.size);
  const first = await readFirstBytes(chunks, Math.min(upload.firstByteCount, upload.size));
  try {
    upload.check(first.subarray(0, upload.firstByteCount));
  } catch (error) {
    await chunks.return(undefined);
    throw error;
  }
  const digest = createHash("sha256");
  const fixed = new FixedLengthStream(upload.size);
  const writing = fixed.writable.getWriter();
  // R2 rejects with the stream's error, but the user gets our own.
  const settled = bucket.put(upload.key, fixed.readable, putOptions(upload)).then(
    (object) => ({ object }),
    (error: unknown) => ({ error }),
  );
  // A put that ended early stops reading: a pending write would never settle.
  const write = async (chunk: Uint8Array) => {
    digest.update(chunk);
    const early = await Promise.race([writing.write(chunk), settled]);
    if (early) throw new Error("put ended early");
  };
  try {
    await write(first);
    for await (const chunk of chunks) await write(chunk);
    await writing.close();
  } catch (error) {
    await Promise.race([writing.abort(error).catch(() => undefined), settled]);
    const outcome = await settled;
    if (error instanceof UploadCutOff) throw error;
    if ("object" in outcome && !outcome.object) return null;
    throw new StorageFailed("error" in outcome ? outcome.error : error);
  }
  const outcome = await settled;
  if ("error" in outcome) throw new StorageFailed(outcome.error);
  return outcome.object ? { hash: digest.digest("hex") } : null;
}

/** @returns null for a taken key @throws StorageFailed */
export async function storeBytes(
  bucket: R2Bucket,
  { bytes, ...to }: ObjectToStore & { bytes: Uint8Array<ArrayBuffer> },
): Promise<{ hash: string } | null> {
  const object = await bucket.put(to.key, bytes, putOptions(to)).catch((cause: unknown) => {
    throw new StorageFailed(cause);
  });
  return object ? { hash: createHash("sha256").update(bytes).digest("hex") } : null;
}

/** For small bodies only. @throws UploadCutOff */
export async function readWholeBody(body: UploadBody, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(size);
  let at = 0;
  for await (const chunk of chunksOf(body, size)) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

/** @throws UploadCutOff if the body's length differs from `size` */
async function* chunksOf(body: UploadBody, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = (body ?? new Blob([]).stream()).getReader();
  let read = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new UploadCutOff("short", cause);
      });
      if (done) break;
      read += value.byteLength;
      if (read > size) throw new UploadCutOff("long");
      yield value;
    }
    if (read < size) throw new UploadCutOff("short");
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function readFirstBytes(chunks: AsyncGenerator<Uint8Array, void, undefined>, wanted: number) {
  const parts: Uint8Array[] = [];
  let length = 0;
  while (length < wanted) {
    const { done, value } = await chunks.next();
    if (done) break;
    parts.push(value);
    length += value.byteLength;
  }
  const head = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    head.set(part, at);
    at += part.byteLength;
  }
  return head;
}

/** R2's minimum for a part of a multipart upload. */
const PART_BYTES = 5 * 1024 * 1024;

/**
 * Stores a body of unknown length with one part in memory; an aborted upload leaves no object. @returns the number of
 * bytes
 */
export async function storeChunks(
  bucket: R2Bucket,
  key: string,
  pieces: AsyncIterable<Uint8Array>,
  contentType: string,
): Promise<number> {
  const metadata = { httpMetadata: { contentType } };
  let upload: R2MultipartUpload | undefined;
  const parts: R2UploadedPart[] = [];
  let part = new Uint8Array(64 * 1024);
  let filled = 0;
  let size = 0;
  try {
    for await (const piece of pieces) {
      size += piece.byteLength;
      for (let at = 0; at < piece.byteLength;) {
        const taken = piece.subarray(at, at + PART_BYTES - filled);
        if (filled + taken.byteLength > part.byteLength) part = wholePart(part);
        part.set(taken, filled);
        filled += taken.byteLength;
        at += taken.byteLength;
        if (filled < PART_BYTES) continue;
        upload ??= await bucket.createMultipartUpload(key, metadata);
        parts.push(await upload.uploadPart(parts.length + 1, part));
        filled = 0;
      }
    }
    const rest = part.subarray(0, filled);
    if (!upload) await bucket.put(key, rest, metadata);
    else {
      if (filled > 0) parts.push(await upload.uploadPart(parts.length + 1, rest));
      await upload.complete(parts);
    }
    return size;
  } catch (error) {
    await upload?.abort().catch(() => undefined);
    throw error;
  }
}

/** Allocates a whole part at once: growing step by step would hold several buffers until they are collected. */
function wholePart(begun: Uint8Array): Uint8Array<ArrayBuffer> {
  const part = new Uint8Array(PART_BYTES);
  part.set(begun);
  return part;
}
