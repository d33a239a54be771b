import { and, eq, isNull, sql } from "drizzle-orm";
import { board, boardItem } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { CreateItemInput, UpdateItemInput } from "#worker/contract/board/input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { imageFileIds } from "#worker/contract/kernel/rich-text.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { abortBatchUnless } from "../kernel/guard.server.ts";
import { boardStatement, authorizeBoard } from "./board.server.ts";
import { itemResource } from "../kernel/resource.server.ts";
import { queueItemNotification } from "./notification-queue.server.ts";
import { keepOriginalRevision, keepRevision } from "./revision.server.ts";
import { deleteDraftStatement } from "./draft.server.ts";
import { eventColumns } from "./event.server.ts";
import { indexItemStatements } from "./search-index.server.ts";
import { type ItemPath, itemWhere } from "./view.server.ts";
import { writeWithinBudget } from "./write-budget.server.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { checkItemFields, cleanItemContent, publishDateOf } from "./item-field.server.ts";
import {
  FILE_TEXT,
  areFilesUsable,
  attachFilesStatements,
  checkItemFiles,
  indexedFiles,
  rethrowUnusableFiles,
} from "./item-file.server.ts";

/** Needs Write; pinning, main display and dates need Manage. */
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
    ...storeIdempotentAnswer(ctx, sql`json_object('itemNo', ${lastItemNo})`),
  ]);
  const [, numbers] = await writing.catch(rethrowUnusableFiles);
  const itemNo = numbers[0]?.itemNo;
  if (itemNo === undefined) throw new AppError("INTERNAL_ERROR", { cause: new Error("no item number") });
  return { itemNo };
}

/** The item for its author or a manager; others get NOT_FOUND (security.md, PATCH and DELETE). */
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

/** @throws AppError CONFLICT if `version` is not the stored one */
export async function updateItem(
  ctx: AppContext,
  path: ItemPath,
  input: UpdateItemInput,
): Promise<{ itemNo: number; version: number }> {
  const { row, item, currentFiles } = await authorizeItemChange(ctx, path);
  if (item.deletedDate) throw new AppError("NOT_FOUND", { message: "휴지통에 있는 글입니다. 먼저 되살려 주십시오." });
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

/** Soft delete; idempotent. */
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
