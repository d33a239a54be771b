import { and, asc, eq } from "drizzle-orm";
import { makeZip, predictLength } from "client-zip";
import { boardItem } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import type { Door } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { cleanFileName } from "#worker/contract/file/rules.ts";
import { inKorea } from "#worker/contract/kernel/korea.ts";
import { permit } from "../kernel/authorize.server.ts";
import { boardStatement } from "./board.server.ts";
import { type ItemPath, itemWhere, openItem } from "./view.server.ts";
import { fetchStored, unavailable } from "../file/read.server.ts";

export interface Archive {
  fileName: string;
  entries: { name: string; size: number; lastModified: Date; storageKey: string }[];
}

/** The attachments of an item as one archive, for those who may download each of them. */
export async function itemArchive(door: Door, path: ItemPath): Promise<Archive> {
  const id = door.db.select({ id: boardItem.id }).from(boardItem).where(itemWhere(path));
  const { ctx, rows } = await door.read([
    boardStatement(door.db, path.boardCode),
    door.db.select().from(boardItem).where(itemWhere(path)),
    door.db
      .select()
      .from(file)
      .where(and(eq(file.itemId, id), eq(file.purpose, "board"), eq(file.status, "attached")))
      .orderBy(asc(file.sortOrder)),
  ]);
  const [boards, items, files] = rows;
  const { item, resource } = openItem(ctx, boards, items);
  permit(ctx, { action: "Item.Download", item: resource, now: ctx.now() });
  if (files.length === 0) throw new AppError("NOT_FOUND", { message: "첨부파일이 없는 글입니다." });
  const names = distinct(files.map(({ fileName }) => fileName));
  return {
    fileName: cleanFileName(`${item.title}.zip`),
    entries: files.map(({ size, createdDate, storageKey }, at) => ({
      name: names[at] ?? storageKey,
      size,
      lastModified: inKorea(createdDate),
      storageKey,
    })),
  };
}

/** 안내.hwp, 안내 (2).hwp: on a disk that does not tell large letters from small ones nothing is overwritten. */
export function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const dot = name.lastIndexOf(".");
    const [stem, extension] = dot < 1 ? [name, ""] : [name.slice(0, dot), name.slice(dot)];
    let free = name;
    for (let count = 2; taken.has(free.toLowerCase()); count++) free = `${stem} (${count})${extension}`;
    taken.add(free.toLowerCase());
    return free;
  });
}

export const archiveSize = ({ entries }: Archive): number => Number(predictLength(entries));

/**
 * The archive's bytes; each file is fetched when its turn comes and passes through, none is held.
 * @throws AppError UPSTREAM_UNAVAILABLE before the first byte where the storage lacks one of the files
 */
export async function streamArchive(files: R2Bucket, archive: Archive): Promise<ReadableStream<Uint8Array>> {
  const found = await Promise.all(archive.entries.map(({ storageKey }) => files.head(storageKey))).catch(
    (cause: unknown) => {
      throw unavailable(cause);
    },
  );
  const lost = archive.entries.find((_, at) => !found[at]);
  if (lost) throw unavailable(new Error(`no object ${lost.storageKey}`));
  return makeZip(contents(files, archive), { buffersAreUTF8: true });
}

async function* contents(files: R2Bucket, { entries }: Archive) {
  for (const { storageKey, ...entry } of entries) {
    const input = await fetchStored(files, storageKey, null);
    try {
      yield { ...entry, input };
    } catch {
      // client-zip throws in here when its reader has gone.
      return;
    }
  }
}
