import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { board, boardItem, boardItemRevision } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import type { AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import type { createItemInput, updateItemInput } from "#worker/contract/board/input.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { imageFileIds } from "#worker/contract/kernel/rich-text.ts";
import { authorize, type BoardRow, can, itemResource, requireSignedIn } from "../kernel/authorize.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { abortBatchUnless } from "../kernel/guarded-batch.server.ts";
import { authorizeBoard, boardStatement, boardView, writeWithinBudget } from "./board.server.ts";
import { queueItemNotification } from "./notification.server.ts";
import { deleteDraftStatement, type ItemDraftPath, readItemDraft } from "./draft.server.ts";
import { eventColumns, eventView } from "./row.server.ts";
import { indexItemStatements, readCommentTexts } from "./search-index.server.ts";
import { type ItemPath, itemWhere } from "./view.server.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import {
  areFilesUsable,
  attachFilesStatements,
  checkItemFiles,
  FILE_TEXT,
  indexedFiles,
  rethrowUnusableFiles,
} from "./item-file.server.ts";
import { cleanHtml } from "#worker/adapters/clean-html.server.ts";
import { EVENT_MESSAGES } from "#worker/contract/board/event-rules.ts";
import { containsResidentNumber, residentNumberMessage } from "#worker/contract/kernel/resident-number.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { htmlToText, isBlankHtml } from "../kernel/html-text.server.ts";
import { userKey } from "#db/schema/account.ts";
import { USER_KEY_TYPES } from "#worker/contract/account/rules.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";

/** Needs Write; pinning, main display and dates need Manage. */
export async function createItem(
  ctx: AppContext,
  boardCode: string,
  input: Parsed<typeof createItemInput>,
): Promise<{ itemNo: number }> {
  const [row] = await ctx.db.batch([boardStatement(ctx.db, boardCode)]);
  const target = authorizeBoard(ctx, row, "Write");
  requireSignedIn(ctx);
  checkItemFields(ctx, target, input);
  return writeWithinBudget(ctx, "itemHour", target, () => insertCheckedItem(ctx, boardCode, input));
}

async function insertCheckedItem(ctx: AppContext, boardCode: string, input: Parsed<typeof createItemInput>) {
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
      comments: [],
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
  const itemId = sql`(SELECT id FROM ${boardItem} WHERE ${itemWhere(path)})`;
  const [boards, items, files, comments] = await ctx.db.batch([
    boardStatement(ctx.db, path.boardCode),
    ctx.db.select().from(boardItem).where(itemWhere(path)),
    ctx.db
      .select({ fileName: file.fileName, text: FILE_TEXT })
      .from(file)
      .where(sql`${file.itemId} = ${itemId} AND ${file.purpose} = 'board' AND ${file.status} = 'attached'`),
    readCommentTexts(ctx.db, itemId),
  ]);
  requireSignedIn(ctx);
  const row = authorizeBoard(ctx, boards, "List");
  const item = items[0];
  if (!item) throw new AppError("NOT_FOUND", { message: "글을 찾을 수 없습니다." });
  authorize(ctx, { action: "Item.Change", item: itemResource(row, item), now: ctx.now() }, "hidden");
  return { row, item, currentFiles: indexedFiles(files), comments: comments.map((each) => each.content) };
}

/** @throws AppError CONFLICT if `version` is not the stored one */
export async function updateItem(
  ctx: AppContext,
  path: ItemPath,
  input: Parsed<typeof updateItemInput>,
): Promise<{ itemNo: number; version: number }> {
  const { row, item, currentFiles, comments } = await authorizeItemChange(ctx, path);
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
        comments,
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
    audit(ctx, { action: "boardItem.delete", targetId: `${path.boardCode}/${path.itemNo}` }),
  ]);
  return {};
}

/** Saves the original before its first edit; must precede the update of this version. */
function keepOriginalRevision(ctx: AppContext, itemId: number, version: number) {
  return ctx.db
    .insert(boardItemRevision)
    .select(
      sql`SELECT id, version, title, content, category, created_user_id, created_user_name, modified_date FROM ${boardItem} WHERE ${boardItem.id} = ${itemId} AND ${boardItem.version} = ${version} AND NOT EXISTS (SELECT 1 FROM ${boardItemRevision} WHERE ${boardItemRevision.itemId} = ${itemId})`,
    );
}

/** Saves the new version and its editor; must directly follow the update, whose success it checks. */
function keepRevision(ctx: AppContext, itemId: number) {
  const me = requireSignedIn(ctx);
  return ctx.db
    .insert(boardItemRevision)
    .select(
      sql`SELECT id, version, title, content, category, ${me.userId}, ${me.userName}, modified_date FROM ${boardItem} WHERE ${boardItem.id} = ${itemId} AND changes() > 0`,
    );
}

type ItemFields = Omit<Partial<Parsed<typeof createItemInput>>, "content">;

/** Checks rules of the board beyond the input schema. @throws AppError FORBIDDEN, INVALID_INPUT */
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
  const text = htmlToText(cleaned);
  if (containsResidentNumber(text)) throw invalidInput({ content: residentNumberMessage(text) });
  if (new TextEncoder().encode(cleaned).length > SIZE_LIMITS.contentBytes) {
    throw new AppError("PAYLOAD_TOO_LARGE", {
      message: "본문이 너무 깁니다. 그림은 파일로 올리고 글을 나누어 주십시오.",
    });
  }
  return cleaned;
}

/** A published item keeps its date; a scheduled one can move, or appear now with null. */
function publishDateOf(createdDate: Date, wanted: Date | null | undefined, now: Date): Date {
  if (wanted === undefined || createdDate <= now) return createdDate;
  return wanted && wanted > now ? wanted : now;
}

export async function getBoardWritePage(scope: RequestScope, path: ItemDraftPath) {
  const { boardCode, itemNo } = path;
  const where = itemNo === undefined ? sql`0` : itemWhere({ boardCode, itemNo });
  const { ctx, rows } = await scope.read([
    boardStatement(scope.db, boardCode),
    scope.db.select().from(boardItem).where(where),
    scope.db
      .select()
      .from(file)
      .where(
        and(
          sql`${file.itemId} = (SELECT id FROM ${boardItem} WHERE ${where})`,
          eq(file.purpose, "board"),
          eq(file.status, "attached"),
        ),
      )
      .orderBy(asc(file.sortOrder)),
  ] as const);
  const [boards, items, files] = rows;
  const boardRow = authorizeBoard(ctx, boards, "Write");
  const me = requireSignedIn(ctx);
  const now = ctx.now();
  const row = items[0];
  if (itemNo !== undefined) {
    const missing = new AppError("NOT_FOUND", { message: "글을 찾을 수 없습니다." });
    if (!row || row.deletedDate) throw missing;
    const item = itemResource(boardRow, row);
    if (!can(ctx.actor, { action: "Item.Know", item, now })) throw missing;
    authorize(ctx, { action: "Item.Change", item, now });
  }
  return {
    board: boardView(ctx, boardRow),
    item: row
      ? {
          ...fieldsOf(row, "itemNo", "title", "content", "category", "isPinned", "pinnedUntil", "isSecret"),
          showItemToMain: row.showItemToMain,
          publishDate: row.createdDate > now ? row.createdDate.toISOString() : null,
          event: eventView(boardRow, row, now),
          version: row.version,
          files: files.map(({ id, fileName, size }) => ({ fileId: id, fileName, size })),
        }
      : null,
    draft: await readItemDraft(ctx, me.userId, path),
    writer: await getItemWriter(ctx),
  };
}

export type BoardWritePage = View<typeof getBoardWritePage>;

export async function getItemWriter(ctx: AppContext) {
  const { userId, userName } = requireSignedIn(ctx);
  const keys = await ctx.db.select().from(userKey).where(eq(userKey.userId, userId));
  const key = USER_KEY_TYPES.flatMap((type) => keys.filter((each) => each.userKeyType === type))[0];
  return { userId, userName, userKeyType: key?.userKeyType ?? "Id", userKeyCode: key?.userKeyCode ?? "" };
}
