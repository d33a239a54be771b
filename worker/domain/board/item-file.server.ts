import type { UploadTicket } from "#worker/contract/file/view.ts";
import { eq, getTableColumns, inArray, sql } from "drizzle-orm";
import { file, fileText } from "#db/schema/file.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import { imageFileIds } from "#worker/contract/kernel/rich-text.ts";
import { type AnnouncedFile, checkAnnouncedFile, issueUploadUrl, unusableFiles } from "../file/upload.server.ts";
import { can, requireSignedIn } from "../kernel/authorize.server.ts";
import { isBatchAborted } from "../kernel/guarded-batch.server.ts";
import { reindexItems } from "./search-index.server.ts";
import { authorizeBoard, boardStatement } from "./board.server.ts";
import { board, boardItem } from "#db/schema/board.ts";
import { FILE_TEXT_LETTERS } from "#worker/contract/file/rules.ts";
import type { fileTextInput } from "#worker/contract/board/input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { cleanText } from "#worker/contract/kernel/text.ts";
import { replaceResidentNumbers } from "#worker/contract/kernel/resident-number.ts";
import { countLimits } from "../kernel/limit.server.ts";

export const FILE_TEXT = sql<string | null>`(SELECT text FROM file_text WHERE file_id = ${file.id})`;

export const indexedFiles = (rows: { fileName: string; text: string | null }[]) => ({
  fileNames: rows.map(({ fileName }) => fileName),
  fileTexts: rows.flatMap(({ text }) => text ?? []),
});

/**
 * Accepts the caller's uploads for this board and files of the item. @returns their indexed names and texts @throws
 * AppError INVALID_INPUT
 */
export async function checkItemFiles(ctx: AppContext, boardCode: string, fileIds: string[], itemId: number | null) {
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

export async function issueBoardUploadUrl(
  ctx: AppContext,
  input: AnnouncedFile & { boardCode: string },
): Promise<UploadTicket> {
  const rows = await boardStatement(ctx.db, input.boardCode).all();
  const boardRow = authorizeBoard(ctx, rows, "Write");
  checkAnnouncedFile(input, { maxSize: boardRow.fileMaxSize, extensions: boardRow.fileExtensions });
  return issueUploadUrl(ctx, input, "board", boardRow.boardCode);
}

/** Files of items and of pages. */
const SEARCHED_PURPOSES = new Set<string>(["board", "general", "content"]);

/**
 * Stores a file's text for the search, extracted by the browser and used for nothing else. For the owner or a manager.
 * @throws AppError UNAUTHORIZED, NOT_FOUND, TOO_MANY_REQUESTS
 */
export async function saveFileText(
  ctx: AppContext,
  fileId: string,
  input: Parsed<typeof fileTextInput>,
): Promise<Record<string, never>> {
  const { userId } = requireSignedIn(ctx);
  const boardCode = sql`(SELECT board_code FROM ${file} WHERE ${file.id} = ${fileId})`;
  const [[found], [parent]] = await ctx.db.batch([
    ctx.db.select().from(file).where(eq(file.id, fileId)),
    ctx.db
      .select()
      .from(board)
      .where(sql`${board.boardCode} = ${boardCode}`),
  ]);
  const isStored =
    found && SEARCHED_PURPOSES.has(found.purpose) && (found.status === "ready" || found.status === "attached");
  const isTheirs =
    found?.ownerUserId === userId || (parent && can(ctx.actor, { action: "Board.Manage", board: parent }));
  if (!isStored || !isTheirs) throw new AppError("NOT_FOUND", { message: "파일을 찾을 수 없습니다." });
  await countLimits(ctx, ["fileTextHour", userId]);
  // Removes resident numbers silently, because the text of a file cannot be corrected.
  const line = cleanText(input.text).replace(/\s+/g, " ").trim();
  const text = replaceResidentNumbers(line, () => "").slice(0, FILE_TEXT_LETTERS);
  const row = { text, createdDate: ctx.now() };
  await ctx.db
    .insert(fileText)
    .values({ fileId, ...row })
    .onConflictDoUpdate({ target: fileText.fileId, set: row });
  // The file may have been attached before its text arrived.
  const [attached] = await ctx.db
    .select({ id: boardItem.id })
    .from(boardItem)
    .where(
      sql`${boardItem.id} = (SELECT item_id FROM ${file} WHERE ${file.id} = ${fileId} AND ${file.status} = 'attached')`,
    );
  if (attached) await reindexItems(ctx.db, [attached.id]);
  return {};
}
