import { and, asc, eq } from "drizzle-orm";
import { boardItem } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { cleanFileName } from "#worker/contract/file/rules.ts";
import { toKoreanClock } from "#worker/contract/kernel/korea.ts";
import { ARCHIVES_IN_FLIGHT } from "#worker/contract/kernel/limits.ts";
import { retryAfterMessage } from "#worker/contract/kernel/messages.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { authorize } from "../kernel/authorize.server.ts";
import { boardStatement } from "./board.server.ts";
import { type ItemPath, itemWhere, authorizeItem } from "./view.server.ts";
import { fetchStoredFile, fileUnavailable } from "../file/read.server.ts";
import { streamOf, zipPieces, zipSize } from "#worker/adapters/zip.server.ts";

interface ItemArchive {
  fileName: string;
  entries: { name: string; size: number; lastModified: Date; storageKey: string }[];
}

export async function getItemArchive(scope: RequestScope, path: ItemPath): Promise<ItemArchive> {
  const id = scope.db.select({ id: boardItem.id }).from(boardItem).where(itemWhere(path));
  const { ctx, rows } = await scope.read([
    boardStatement(scope.db, path.boardCode),
    scope.db.select().from(boardItem).where(itemWhere(path)),
    scope.db
      .select()
      .from(file)
      .where(and(eq(file.itemId, id), eq(file.purpose, "board"), eq(file.status, "attached")))
      .orderBy(asc(file.sortOrder)),
  ]);
  const [boards, items, files] = rows;
  const { item, resource } = authorizeItem(ctx, boards, items);
  authorize(ctx, { action: "Item.Download", item: resource, now: ctx.now() });
  if (files.length === 0) throw new AppError("NOT_FOUND", { message: "첨부파일이 없는 글입니다." });
  const names = uniqueFileNames(files.map(({ fileName }) => fileName));
  return {
    fileName: cleanFileName(`${item.title}.zip`),
    entries: files.map(({ size, createdDate, storageKey }, at) => ({
      name: names[at] ?? storageKey,
      size,
      lastModified: toKoreanClock(createdDate),
      storageKey,
    })),
  };
}

/** Adds numbers such as 안내 (2).hwp, so that case-insensitive disks overwrite nothing. */
export function uniqueFileNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return names.map((name) => {
    const dot = name.lastIndexOf(".");
    const [stem, extension] = dot < 1 ? [name, ""] : [name.slice(0, dot), name.slice(dot)];
    const own = name.toLowerCase();
    let free = name;
    let count = counts.get(own) ?? 1;
    while (taken.has(free.toLowerCase())) free = `${stem} (${(count += 1)})${extension}`;
    counts.set(own, count);
    taken.add(free.toLowerCase());
    return free;
  });
}

const inFlight = new Map<string, number>();

/**
 * Counts an archive for the hourly limit and the transfers to the same address. @returns a callback for its end @throws
 * AppError TOO_MANY_REQUESTS
 */
export async function holdArchiveBytes(ctx: AppContext, size: number): Promise<() => void> {
  const { address } = ctx.client;
  const before = inFlight.get(address) ?? 0;
  if (before > 0 && before + size > ARCHIVES_IN_FLIGHT.bytes) {
    const retryAfterSeconds = ARCHIVES_IN_FLIGHT.retrySeconds;
    throw new AppError("TOO_MANY_REQUESTS", { message: retryAfterMessage(retryAfterSeconds), retryAfterSeconds });
  }
  inFlight.set(address, before + size);
  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    const left = (inFlight.get(address) ?? 0) - size;
    if (left > 0) inFlight.set(address, left);
    else inFlight.delete(address);
  };
  try {
    await countLimits(ctx, ["archiveBytesHour", ctx.actor.kind === "guest" ? address : ctx.actor.userId, size]);
  } catch (cause) {
    close();
    throw cause;
  }
  return close;
}

export const archiveSize = ({ entries }: ItemArchive): number => zipSize(entries);

/**
 * Streams each file in turn without buffering. @throws AppError UPSTREAM_UNAVAILABLE before the first byte for a
 * missing file
 */
export async function streamArchive(files: R2Bucket, archive: ItemArchive): Promise<ReadableStream<Uint8Array>> {
  const found = await Promise.all(archive.entries.map(({ storageKey }) => files.head(storageKey))).catch(
    (cause: unknown) => {
      throw fileUnavailable(cause);
    },
  );
  const lost = archive.entries.find((_, at) => !found[at]);
  if (lost) throw fileUnavailable(new Error(`no object ${lost.storageKey}`));
  return streamOf(
    zipPieces(
      archive.entries.map(({ name, lastModified, storageKey }) => ({
        name,
        lastModified,
        contents: contentsOf(files, storageKey),
        deflate: false,
      })),
    ),
  );
}

async function* contentsOf(files: R2Bucket, storageKey: string): AsyncGenerator<Uint8Array> {
  yield* await fetchStoredFile(files, storageKey, null);
}
