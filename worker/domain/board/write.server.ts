import { and, eq, getTableColumns, inArray, isNull, sql } from "drizzle-orm";
import { board, boardItem } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import { cleanHtml } from "#worker/adapters/clean-html.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { CreateItemInput, UpdateItemInput } from "#worker/contract/board/input.ts";
import { EVENT_MESSAGES } from "#worker/contract/board/event-rules.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { RESIDENT_NUMBER_MESSAGE, hasNoResidentNumber } from "#worker/contract/kernel/fields.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { imageFileIds } from "#worker/contract/kernel/rich-text.ts";
import { can, authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { isBatchAborted, abortBatchUnless } from "../kernel/guard.server.ts";
import { boardStatement, authorizeBoard } from "./board.server.ts";
import { type BoardRow, itemResource } from "../kernel/resource.server.ts";
import { queueItemNotification } from "./notification-queue.server.ts";
import { htmlToText, isBlankHtml } from "../kernel/html-text.server.ts";
import { keepOriginalRevision, keepRevision } from "./revision.server.ts";
import { deleteDraftStatement } from "./draft.server.ts";
import { eventColumns } from "./event.server.ts";
import { type IndexedItemText, indexItemStatements } from "./search-index.server.ts";
import { type ItemPath, itemWhere } from "./view.server.ts";
import { writeWithinBudget } from "./write-budget.server.ts";
import { keepAnswer } from "../kernel/idempotency.server.ts";

type ItemFields = Omit<Partial<CreateItemInput>, "content">;

/** What a board, and not the shape of the input, allows. @throws AppError FORBIDDEN, INVALID_INPUT */
function checkItemFields(ctx: AppContext, row: BoardRow, input: ItemFields): void {
  const manages = can(ctx.actor, { action: "Board.Manage", board: row });
  if (!manages && (input.isPinned || input.showItemToMain || input.publishDate || input.pinnedUntil))
    throw new AppError("FORBIDDEN");
  const errors: Record<string, string> = {};
  if (input.category && !row.categories.includes(input.category)) errors.category = "선택할 수 없는 분류입니다.";
  if (input.isSecret && !row.useSecret) errors.isSecret = "이 게시판에서는 비밀글을 쓸 수 없습니다.";
  if (input.event && !row.useEvents) errors.event = EVENT_MESSAGES.unused;
  if (input.fileIds && new Set(input.fileIds).size > row.fileMaxCount) {
    errors.fileIds = `파일은 ${row.fileMaxCount}개까지 첨부할 수 있습니다.`;
  }
  if (Object.keys(errors).length > 0) throw invalidInput(errors);
}

function cleanItemContent(content: string): string {
  const cleaned = cleanHtml(content);
  if (isBlankHtml(cleaned)) throw invalidInput({ content: "내용을 입력해 주십시오." });
  if (!hasNoResidentNumber(htmlToText(cleaned))) throw invalidInput({ content: RESIDENT_NUMBER_MESSAGE });
  if (new TextEncoder().encode(cleaned).length > SIZE_LIMITS.contentBytes) {
    throw new AppError("PAYLOAD_TOO_LARGE", {
      message: "본문이 너무 깁니다. 그림은 파일로 올리고 글을 나누어 주십시오.",
    });
  }
  return cleaned;
}

type IndexedFiles = Pick<IndexedItemText, "fileNames" | "fileTexts">;
const FILE_TEXT = sql<string | null>`(SELECT text FROM file_text WHERE file_id = ${file.id})`;
const indexedFiles = (rows: { fileName: string; text: string | null }[]): IndexedFiles => ({
  fileNames: rows.map(({ fileName }) => fileName),
  fileTexts: rows.flatMap(({ text }) => text ?? []),
});

/** Files that the caller uploaded for this board, or that hang on the item already. @returns what of them is indexed @throws AppError INVALID_INPUT */
async function checkItemFiles(
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

const unusableFiles = () => invalidInput({ fileIds: "첨부할 수 없는 파일이 있습니다. 파일을 다시 올려 주십시오." });

/** Inside the batch: still all of them are there to be taken, neither cleaned up nor hung on another item since they were checked. */
function areFilesUsable(ctx: AppContext, itemId: number | null, fileIds: string[]) {
  const wanted = [...new Set(fileIds)];
  return sql`(SELECT count(*) FROM file WHERE id IN (SELECT value FROM json_each(${JSON.stringify(wanted)}))
    AND ((item_id = ${itemId} AND status = 'attached') OR (status = 'ready' AND owner_user_id = ${requireSignedIn(ctx).userId}))) = ${wanted.length}`;
}

/** A batch whose first statement is the guard above. */
const rethrowUnusableFiles = (error: unknown): never => {
  throw isBatchAborted(error) ? unusableFiles() : error;
};

/** Statements that hang files and the pictures of the text on an item, in the order given. */
function attachFilesStatements(ctx: AppContext, itemId: ReturnType<typeof sql>, content: string, fileIds: string[]) {
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

/** Needs Write; pinning, main display and dates need Manage. One batch: number, counter, item and files, or nothing. */
export async function createItem(
  ctx: AppContext,
  boardCode: string,
  input: CreateItemInput,
): Promise<{ itemNo: number }> {
  const [row] = await ctx.db.batch([boardStatement(ctx.db, boardCode)]);
  const target = authorizeBoard(ctx, row, "Write");
  requireSignedIn(ctx);
  checkItemFields(ctx, target, input);
  return writeWithinBudget(ctx, "itemHour", target, () => insertCheckedItem(ctx, boardCode, input));
}

async function insertCheckedItem(
  ctx: AppContext,
  boardCode: string,
  input: CreateItemInput,
): Promise<{ itemNo: number }> {
  const me = requireSignedIn(ctx);
  const content = cleanItemContent(input.content);
  const indexed = await checkItemFiles(ctx, boardCode, input.fileIds, null);

  const now = ctx.now();
  const publishDate = input.publishDate && input.publishDate > now ? input.publishDate : now;
  const lastItemNo = sql<number>`(SELECT last_item_no FROM board WHERE board_code = ${boardCode})`;
  const itemId = sql<number>`(SELECT id FROM board_item WHERE board_code = ${boardCode} AND item_no = ${lastItemNo})`;
  const writing = ctx.db.batch([
    abortBatchUnless(ctx, areFilesUsable(ctx, null, input.fileIds)),
    ctx.db
      .update(board)
      .set({ lastItemNo: sql`${board.lastItemNo} + 1` })
      .where(eq(board.boardCode, boardCode))
      .returning({ itemNo: board.lastItemNo }),
    ctx.db.insert(boardItem).values({
      boardCode,
      itemNo: lastItemNo,
      title: input.title,
      content,
      category: input.category ?? "",
      isPinned: input.isPinned ?? false,
      pinnedUntil: input.pinnedUntil ?? null,
      isSecret: input.isSecret ?? false,
      showItemToMain: input.showItemToMain ?? false,
      createdUserId: me.userId,
      createdUserName: me.userName,
      createdDate: publishDate,
      modifiedDate: now,
      fileCount: new Set(input.fileIds).size,
      thumbnailFileId: imageFileIds(content)[0] ?? null,
      ...eventColumns(input.event),
    }),
    ...attachFilesStatements(ctx, itemId, content, input.fileIds),
    ...indexItemStatements(ctx.db, itemId, {
      boardCode,
      isSecret: input.isSecret ?? false,
      createdUserId: me.userId,
      createdUserName: me.userName,
      createdDate: publishDate,
      title: input.title,
      content,
      ...indexed,
    }),
    deleteDraftStatement(ctx.db, me.userId, { boardCode }),
    queueItemNotification(ctx.db, { boardCode, itemNo: lastItemNo }),
    ...keepAnswer(ctx, sql`json_object('itemNo', ${lastItemNo})`),
  ]);
  const [, numbers] = await writing.catch(rethrowUnusableFiles);
  const itemNo = numbers[0]?.itemNo;
  if (itemNo === undefined) throw new AppError("INTERNAL_ERROR", { cause: new Error("no item number") });
  return { itemNo };
}

/** The item for the author or a manager; for everybody else it is not there (security.md, PATCH and DELETE). */
async function authorizeItemChange(ctx: AppContext, path: ItemPath) {
  const [boards, items, files] = await ctx.db.batch([
    boardStatement(ctx.db, path.boardCode),
    ctx.db.select().from(boardItem).where(itemWhere(path)),
    ctx.db
      .select({ fileName: file.fileName, text: FILE_TEXT })
      .from(file)
      .where(
        sql`${file.itemId} = (SELECT id FROM ${boardItem} WHERE ${itemWhere(path)}) AND ${file.purpose} = 'board' AND ${file.status} = 'attached'`,
      ),
  ]);
  requireSignedIn(ctx);
  const row = authorizeBoard(ctx, boards, "List");
  const item = items[0];
  if (!item) throw new AppError("NOT_FOUND", { message: "글을 찾을 수 없습니다." });
  authorize(ctx, { action: "Item.Change", item: itemResource(row, item), now: ctx.now() }, "hidden");
  return { row, item, currentFiles: indexedFiles(files) };
}

/** What has appeared keeps its date; what is still to come may be moved, or with null appears at once. */
function publishDateOf(createdDate: Date, wanted: Date | null | undefined, now: Date): Date {
  if (wanted === undefined || createdDate <= now) return createdDate;
  return wanted && wanted > now ? wanted : now;
}

/** @throws AppError CONFLICT when `version` is not the stored one; nothing is overwritten */
export async function updateItem(
  ctx: AppContext,
  path: ItemPath,
  input: UpdateItemInput,
): Promise<{ itemNo: number; version: number }> {
  const { row, item, currentFiles } = await authorizeItemChange(ctx, path);
  if (item.deletedDate) throw new AppError("NOT_FOUND", { message: "휴지통에 있는 글입니다. 먼저 복원해 주십시오." });
  checkItemFields(ctx, row, input);
  const content = input.content === undefined ? item.content : cleanItemContent(input.content);
  const indexed = input.fileIds ? await checkItemFiles(ctx, path.boardCode, input.fileIds, item.id) : currentFiles;

  const now = ctx.now();
  const mine = and(eq(boardItem.id, item.id), eq(boardItem.version, input.version));
  const fileIds = input.fileIds ? [...new Set(input.fileIds)] : undefined;
  const createdDate = publishDateOf(item.createdDate, input.publishDate, now);
  const isCurrent = sql`(SELECT version FROM board_item WHERE id = ${item.id}) = ${input.version}`;
  const itemId = sql`(SELECT ${item.id} WHERE ${isCurrent})`;
  const writing = ctx.db.batch([
    abortBatchUnless(ctx, sql`NOT ${isCurrent} OR ${areFilesUsable(ctx, item.id, fileIds ?? [])}`),
    keepOriginalRevision(ctx, item.id, input.version),
    ...attachFilesStatements(ctx, itemId, content, fileIds ?? []),
    ctx.db
      .update(file)
      .set({ status: "ready", itemId: null, createdDate: now })
      .where(
        fileIds
          ? sql`${file.itemId} = ${itemId} AND ${file.purpose} = 'board' AND ${file.id} NOT IN (SELECT value FROM json_each(${JSON.stringify(fileIds)}))`
          : sql`0`,
      ),
    ctx.db
      .update(boardItem)
      .set({
        title: input.title ?? item.title,
        content,
        category: input.category ?? item.category,
        isPinned: input.isPinned ?? item.isPinned,
        pinnedUntil: input.pinnedUntil === undefined ? item.pinnedUntil : input.pinnedUntil,
        isSecret: input.isSecret ?? item.isSecret,
        showItemToMain: input.showItemToMain ?? item.showItemToMain,
        createdDate,
        fileCount: fileIds?.length ?? item.fileCount,
        thumbnailFileId: imageFileIds(content)[0] ?? null,
        ...eventColumns(input.event),
        modifiedDate: now,
        version: item.version + 1,
      })
      .where(mine)
      .returning({ version: boardItem.version }),
    keepRevision(ctx, item.id),
    ...indexItemStatements(
      ctx.db,
      item.id,
      {
        ...item,
        title: input.title ?? item.title,
        isSecret: input.isSecret ?? item.isSecret,
        createdDate,
        content,
        ...indexed,
      },
      sql`changes() > 0`,
    ),
  ]);
  const [, , , , , updated] = await writing.catch(rethrowUnusableFiles);
  const version = updated[0]?.version;
  if (version === undefined) throw new AppError("CONFLICT");
  ctx.defer(deleteDraftStatement(ctx.db, requireSignedIn(ctx).userId, path).run());
  return { itemNo: path.itemNo, version };
}

/** Into the bin. Twice is once. */
export async function deleteItem(ctx: AppContext, path: ItemPath): Promise<Record<string, never>> {
  const { item } = await authorizeItemChange(ctx, path);
  const now = ctx.now();
  await ctx.db.batch([
    ctx.db
      .update(boardItem)
      .set({ deletedDate: now, version: sql`${boardItem.version} + 1` })
      .where(and(eq(boardItem.id, item.id), isNull(boardItem.deletedDate))),
    audit(ctx, { action: "boardItem.delete", targetType: "boardItem", targetId: `${path.boardCode}/${path.itemNo}` }),
  ]);
  return {};
}
