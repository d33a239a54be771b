import { createHash } from "node:crypto";

/** The body was longer or shorter than announced. */
export class UploadCutOff extends Error {
  readonly kind: "long" | "short";
  constructor(kind: "long" | "short") {
    super(`upload is too ${kind}`);
    this.kind = kind;
  }
}

export interface StreamToStore {
  key: string;
  body: ReadableStream<Uint8Array> | null;
  /** Exactly as many bytes as the body must have. */
  size: number;
  contentType: string;
  headBytes: number;
  /** Throws to refuse the file by its first bytes, before anything is stored. */
  check(head: Uint8Array): void;
}

/**
 * Streams a body to R2 under a key that nothing holds yet.
 * @returns the SHA-256 in hex, or null when the key was taken
 * @throws UploadCutOff, and whatever `check` throws; then no object is left
 */
export async function storeStream(bucket: R2Bucket, upload: StreamToStore): Promise<{ hash: string } | null> {
  const reader = (upload.body ?? new Blob([]).stream()).getReader();
  const first = await readHead(reader, Math.min(upload.headBytes, upload.size), upload.size);
  upload.check(first.subarray(0, upload.headBytes));

  const digest = createHash("sha256");
  const fixed = new FixedLengthStream(upload.size);
  const writing = fixed.writable.getWriter();
  const put = bucket.put(upload.key, fixed.readable, {
    httpMetadata: { contentType: upload.contentType },
    onlyIf: { etagDoesNotMatch: "*" },
  });
  // R2 rejects when the stream does; the reason that a person reads is ours.
  const settled = put.then(
    (object) => ({ object }),
    (error: unknown) => ({ error }),
  );
  try {
    let sent = 0;
    for (let chunk: Uint8Array | undefined = first; chunk; chunk = (await reader.read()).value) {
      sent += chunk.byteLength;
      if (sent > upload.size) throw new UploadCutOff("long");
      digest.update(chunk);
      await writing.write(chunk);
    }
    if (sent < upload.size) throw new UploadCutOff("short");
    await writing.close();
  } catch (error) {
    await Promise.allSettled([writing.abort(error), reader.cancel()]);
    await settled;
    throw error instanceof UploadCutOff ? error : new UploadCutOff("short");
  }
  const outcome = await settled;
  if ("error" in outcome) throw outcome.error;
  if (!outcome.object) return null;
  return { hash: digest.digest("hex") };
}

async function readHead(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  wanted: number,
  size: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < wanted) {
    const { done, value } = await reader.read();
    if (done) throw new UploadCutOff("short");
    chunks.push(value);
    length += value.byteLength;
    if (length > size) {
      await reader.cancel();
      throw new UploadCutOff("long");
    }
  }
  const head = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    head.set(chunk, at);
    at += chunk.byteLength;
  }
  return head;
}
