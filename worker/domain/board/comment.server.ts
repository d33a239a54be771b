import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { boardItem, boardItemComment } from "#db/schema/board.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import type { CommentView } from "#worker/contract/board/view.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { queueCommentNotification } from "./notification.server.ts";
import { boardStatement, writeWithinBudget } from "./board.server.ts";
import { authorizeItem, commentViews, type ItemPath, itemWhere } from "./view.server.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { reindexItems } from "./search-index.server.ts";

export const boardAndItemStatements = (db: RequestScope["db"], path: ItemPath) =>
  [boardStatement(db, path.boardCode), db.select().from(boardItem).where(itemWhere(path))] as const;

export async function listComments(scope: RequestScope, path: ItemPath): Promise<CommentView[]> {
  const { ctx, rows } = await scope.read([
    ...boardAndItemStatements(scope.db, path),
    scope.db
      .select()
      .from(boardItemComment)
      .where(sql`${boardItemComment.itemId} = (SELECT id FROM ${boardItem} WHERE ${itemWhere(path)})`)
      .orderBy(asc(boardItemComment.createdDate), sql`board_item_comment.rowid`),
  ]);
  const { board, resource } = authorizeItem(ctx, rows[0], rows[1]);
  return board.useComment ? commentViews(ctx, resource, rows[2]) : [];
}

export async function authorizeItemWithComment(ctx: AppContext, path: ItemPath, commentId?: string) {
  const [boards, items, comments] = await ctx.db.batch([
    ...boardAndItemStatements(ctx.db, path),
    ctx.db
      .select()
      .from(boardItemComment)
      .where(eq(boardItemComment.id, commentId ?? "")),
  ]);
  const me = requireSignedIn(ctx);
  const opened = authorizeItem(ctx, boards, items);
  const comment = comments[0]?.itemId === opened.item.id ? comments[0] : undefined;
  return { ...opened, comment, me };
}

export async function createComment(
  ctx: AppContext,
  path: ItemPath,
  input: { content: string; parentCommentId?: string | null | undefined },
): Promise<{ commentId: string }> {
  const parentId = input.parentCommentId ?? null;
  const opened = await authorizeItemWithComment(ctx, path, parentId ?? undefined);
  const { board, item, resource, comment: parent, me } = opened;
  authorize(ctx, { action: "Item.Comment", item: resource, now: ctx.now() });
  if (!board.useComment) throw invalidInput({ content: "이 게시판에서는 댓글을 쓸 수 없습니다." });
  if (item.isCommentClosed) throw invalidInput({ content: "댓글을 닫은 글입니다." });
  if (parentId && (!parent || parent.deletedDate || parent.parentCommentId)) {
    throw invalidInput({ parentCommentId: "답글을 달 댓글을 찾을 수 없습니다." });
  }
  const now = ctx.now();
  const commentId = crypto.randomUUID();
  const insert = async () => {
    await ctx.db.batch([
      ctx.db.insert(boardItemComment).values({
        id: commentId,
        itemId: item.id,
        parentCommentId: parentId,
        content: input.content,
        createdUserId: me.userId,
        createdUserName: me.userName,
        createdDate: now,
        modifiedDate: now,
      }),
      recountComments(ctx, item.id),
      queueCommentNotification(ctx.db, commentId, item.id),
      ...storeIdempotentAnswer(ctx, { commentId }),
    ]);
    ctx.defer(reindexItems(ctx.db, [item.id]));
    return { commentId };
  };
  return writeWithinBudget(ctx, "commentHour", board, insert);
}

/** The author or a manager. @throws AppError NOT_FOUND, CONFLICT */
export async function updateComment(
  ctx: AppContext,
  path: ItemPath & { commentId: string },
  input: { content: string; version: number },
): Promise<{ commentId: string; version: number }> {
  const { comment, item } = await authorizeCommentChange(ctx, path);
  const [row] = await ctx.db
    .update(boardItemComment)
    .set({ content: input.content, modifiedDate: ctx.now(), version: input.version + 1 })
    .where(
      and(
        eq(boardItemComment.id, comment.id),
        eq(boardItemComment.version, input.version),
        isNull(boardItemComment.deletedDate),
      ),
    )
    .returning({ version: boardItemComment.version });
  if (!row) throw new AppError("CONFLICT");
  await reindexItems(ctx.db, [item.id]);
  return { commentId: comment.id, version: row.version };
}

/** The author or a manager; a tombstone keeps the replies. */
export async function deleteComment(
  ctx: AppContext,
  path: ItemPath & { commentId: string },
): Promise<Record<string, never>> {
  const { comment, item } = await authorizeCommentChange(ctx, path);
  await ctx.db.batch([
    ctx.db
      .update(boardItemComment)
      .set({ deletedDate: ctx.now(), version: sql`${boardItemComment.version} + 1` })
      .where(and(eq(boardItemComment.id, comment.id), isNull(boardItemComment.deletedDate))),
    recountComments(ctx, item.id),
  ]);
  await reindexItems(ctx.db, [item.id]);
  return {};
}

async function authorizeCommentChange(ctx: AppContext, path: ItemPath & { commentId: string }) {
  const { item, resource, comment } = await authorizeItemWithComment(ctx, path, path.commentId);
  if (!comment) throw new AppError("NOT_FOUND", { message: "댓글을 찾을 수 없습니다." });
  authorize(ctx, { action: "Comment.Change", comment, item: resource, now: ctx.now() }, "hidden");
  return { item, comment };
}

/** Must follow the change of comments in its batch. */
export const recountComments = (ctx: AppContext, itemId: number) =>
  ctx.db
    .update(boardItem)
    .set({
      commentCount: sql`(SELECT count(*) FROM board_item_comment WHERE item_id = ${itemId} AND deleted_date IS NULL)`,
    })
    .where(eq(boardItem.id, itemId));
