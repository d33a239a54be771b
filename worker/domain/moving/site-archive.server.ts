import type { ZipEntry } from "#worker/adapters/zip.server.ts";
import { toKoreanClock } from "#worker/contract/kernel/korea.ts";
import type { AppContext } from "../kernel/context.ts";
import { exportedPath } from "./rdx-write.server.ts";
import type { ExportedFile } from "./site-rows.server.ts";

const encoder = new TextEncoder();
export const encodeText = (text: string) => encoder.encode(text);

export async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield encodeText(text);
}

export const textEntry = (ctx: AppContext, name: string, contents: ZipEntry["contents"]): ZipEntry => ({
  name,
  lastModified: toKoreanClock(ctx.now()),
  contents,
  deflate: true,
});

/** Missing files become empty and are listed in a file at the end. */
export function* storedEntries(ctx: AppContext, rows: readonly ExportedFile[]): Generator<ZipEntry> {
  const missing: string[] = [];
  for (const row of rows) {
    const name = exportedPath(row);
    const lose = () => void missing.push(`${name}\t${row.fileName}`);
    yield {
      name,
      lastModified: toKoreanClock(new Date(row.createdDate)),
      contents: storedBytes(ctx.files, row.storageKey, lose),
      deflate: false,
    };
  }
  if (missing.length > 0) yield textEntry(ctx, "저장소에 없는 파일.txt", bytesOf(`${missing.join("\n")}\n`));
}

async function* storedBytes(files: R2Bucket, storageKey: string, lose: () => void): AsyncGenerator<Uint8Array> {
  const object = await files.get(storageKey);
  if (object) yield* object.body as unknown as AsyncIterable<Uint8Array>;
  else lose();
}
