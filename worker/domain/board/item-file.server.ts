import { getTableColumns, inArray, sql } from "drizzle-orm";
import { file } from "#db/schema/file.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { imageFileIds } from "#worker/contract/kernel/rich-text.ts";
import { unusableFiles } from "../file/upload.server.ts";
import { requireSignedIn } from "../kernel/authorize.server.ts";
import { isBatchAborted } from "../kernel/guard.server.ts";
import { type IndexedItemText } from "./search-index.server.ts";

type IndexedFiles = Pick<IndexedItemText, "fileNames" | "fileTexts">;

export const FILE_TEXT = sql<string | null>`(SELECT text FROM file_text WHERE file_id = ${file.id})`;

export const indexedFiles = (rows: { fileName: string; text: string | null }[]): IndexedFiles => ({
  fileNames: rows.map(({ fileName }) => fileName),
  fileTexts: rows.flatMap(({ text }) => text ?? []),
});

/**
 * Accepts the caller's uploads for this board and files of the item. @returns their indexed names and texts @throws
 * AppError INVALID_INPUT
 */
export async function checkItemFiles(
  ctx: AppContext,
  boardCode: string,
  fileIds: string[],
  itemId: number | null,
): Promise<IndexedFiles> {
  if (fileIds.length === 0) return { fileNames: [], fileTexts: [] };
  const me = requireSignedIn(ctx).userId;
  const rows = await ctx.db
    .select({ ...getTableColumns(file), text: FILE_TEXT })
    .from(file)
    .where(inArray(file.id, fileIds));
  const usable = rows.filter((row) =>
    row.status === "attached"
      ? row.itemId === itemId
      : row.status === "ready" && row.ownerUserId === me && row.boardCode === boardCode,
  );
  if (usable.length < new Set(fileIds).size) throw unusableFiles();
  return indexedFiles(usable);
}

/** Guard in the batch against a clean-up or other use of the files since their check. */
export function areFilesUsable(ctx: AppContext, itemId: number | null, fileIds: string[]) {
  const wanted = [...new Set(fileIds)];
  return sql`(SELECT count(*) FROM file WHERE id IN (SELECT value FROM json_each(${JSON.stringify(wanted)}))
    AND ((item_id = ${itemId} AND status = 'attached') OR (status = 'ready' AND owner_user_id = ${requireSignedIn(ctx).userId}))) = ${wanted.length}`;
}

export const rethrowUnusableFiles = (error: unknown): never => {
  throw isBatchAborted(error) ? unusableFiles() : error;
};

export function attachFilesStatements(
  ctx: AppContext,
  itemId: ReturnType<typeof sql>,
  content: string,
  fileIds: string[],
) {
  const me = requireSignedIn(ctx).userId;
  const wanted = JSON.stringify([...new Set(fileIds)]);
  return [
    ctx.db
      .update(file)
      .set({
        status: "attached",
        itemId,
        sortOrder: sql`(SELECT key FROM json_each(${wanted}) WHERE value = ${file.id})`,
      })
      .where(
        sql`${file.id} IN (SELECT value FROM json_each(${wanted})) AND ${itemId} IS NOT NULL AND (${file.itemId} = ${itemId} OR (${file.status} = 'ready' AND ${file.ownerUserId} = ${me}))`,
      ),
    ctx.db
      .update(file)
      .set({ status: "attached", itemId })
      .where(
        sql`${file.id} IN (SELECT value FROM json_each(${JSON.stringify(imageFileIds(content))})) AND ${itemId} IS NOT NULL AND ${file.purpose} = 'image' AND ${file.status} = 'ready' AND ${file.ownerUserId} = ${me}`,
      ),
  ] as const;
}
