import { createHash } from "node:crypto";
import { ne } from "drizzle-orm";
import { file } from "#db/schema/file.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { nightlyBackupDay, storeGzipLines } from "./backup.server.ts";
import { BACKUP_PREFIX } from "./job-record.server.ts";

type BackupContext = Pick<AppContext, "db" | "files" | "now">;
const NAMED = 5;

/** Beside the night's dump: every object with its size and digest, because the files themselves are not in the dump. */
export async function storeFileListNightly(ctx: BackupContext): Promise<void> {
  const day = nightlyBackupDay(ctx.now());
  if (!day) return;
  const key = `${BACKUP_PREFIX}${day}.files.ndjson.gz`;
  if (await ctx.files.head(key)) return;
  await storeFileList(ctx, key);
}

/** @throws Error naming files of the database that are not in the storage; the list is written all the same */
export async function storeFileList(ctx: BackupContext, key: string): Promise<void> {
  const there = new Set<string>();
  await storeGzipLines(ctx, key, fileLines(ctx, there));
  const rows = await ctx.db.select({ storageKey: file.storageKey }).from(file).where(ne(file.status, "pending"));
  const missing = rows.filter(({ storageKey }) => !there.has(storageKey));
  if (missing.length > 0) {
    const names = missing.slice(0, NAMED).map(({ storageKey }) => storageKey);
    throw new Error(`저장소에 없는 파일 ${missing.length}개: ${names.join(", ")}`);
  }
}

async function* fileLines(ctx: BackupContext, there: Set<string>): AsyncGenerator<string> {
  yield JSON.stringify({ hoewonFiles: 1, createdDate: ctx.now().toISOString() });
  const digest = createHash("sha256");
  let bytes = 0;
  let cursor: string | undefined;
  do {
    const page: R2Objects = await ctx.files.list(cursor ? { cursor } : {});
    for (const { key, size, etag } of page.objects) {
      if (key.startsWith(BACKUP_PREFIX)) continue;
      there.add(key);
      bytes += size;
      const line = JSON.stringify([key, size, etag]);
      digest.update(`${line}\n`);
      yield line;
    }
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor);
  yield JSON.stringify({ files: there.size, bytes, sha256: digest.digest("hex") });
}
