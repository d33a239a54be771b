import { and, eq } from "drizzle-orm";
import { backupRun } from "#db/schema/operation.ts";
import { streamOf, zipPieces } from "#worker/adapters/zip.server.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { toKoreanClock } from "#worker/contract/kernel/korea.ts";
import { BACKUP_DOWNLOAD_PARTS } from "#worker/contract/operation/operation.ts";
import { keepBackupTraces } from "../audit/destruction.server.ts";
import { everybodyAt } from "../audit/audit-log.server.ts";
import { fetchStoredFile, fileUnavailable } from "../file/read.server.ts";
import { auditPeople } from "../kernel/audit-entry.server.ts";
import { authorize } from "../kernel/authorize.server.ts";
import { countExport } from "../kernel/sheet-download.server.ts";
import type { AppContext } from "../kernel/context.ts";
import { DUMP_PREFIX, listStored, manifestKey } from "./backup-manifest.server.ts";

/**
 * Streams an encrypted backup part by part; `npm run restore` reads the unpacked folder. @throws AppError NOT_FOUND,
 * PAYLOAD_TOO_LARGE, TOO_MANY_REQUESTS, UPSTREAM_UNAVAILABLE before the first byte when a part is missing
 */
export async function downloadBackup(ctx: AppContext, name: string, { reason }: { reason: string }) {
  authorize(ctx, { action: "Site.Export" });
  const [run] = await ctx.db
    .select({ state: backupRun.state, startedDate: backupRun.startedDate })
    .from(backupRun)
    .where(and(eq(backupRun.name, name), eq(backupRun.status, "ok")))
    .limit(1);
  if (!run)
    throw new AppError("NOT_FOUND", {
      message: "내려받을 수 있는 백업이 아닙니다. 끝나지 않았거나 지워진 백업입니다.",
    });
  const keys = [manifestKey(name), ...run.state.parts.map(({ key }) => key)];
  if (keys.length > BACKUP_DOWNLOAD_PARTS)
    throw new AppError("PAYLOAD_TOO_LARGE", {
      message:
        "너무 커서 화면에서 내려받을 수 없습니다. 사이트를 설치한 컴퓨터에서 npm run restore로 바로 되살려 주십시오.",
    });
  const stored = await listStored(ctx.backups, `${DUMP_PREFIX}${name}/`);
  const lost = keys.find((key) => !stored.has(key));
  if (lost) throw fileUnavailable(new Error(`no object ${lost}`));
  await countExport(ctx);
  const bytes = keys.reduce((sum, key) => sum + (stored.get(key) ?? 0), 0);
  // Records everyone in the backup, so that a leak can be reported to them.
  const everybody = await everybodyAt(ctx, run.startedDate);
  const detail = { backup: name, parts: keys.length, bytes };
  await ctx.db.batch([
    ...auditPeople(ctx, { action: "backup.export", targetType: "export", reason, detail }, everybody),
    keepBackupTraces(ctx, run.startedDate),
  ]);
  const lastModified = toKoreanClock(run.startedDate);
  return {
    fileName: `백업_${name}.zip`,
    contentType: "application/zip",
    body: streamOf(
      zipPieces(
        keys.map((key) => ({ name: key, lastModified, contents: contentsOf(ctx.backups, key), deflate: false })),
      ),
    ),
  };
}

async function* contentsOf(backups: R2Bucket, key: string): AsyncGenerator<Uint8Array> {
  yield* await fetchStoredFile(backups, key, null);
}
