import type { boardItemComment } from "#db/schema/board.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { CommentView } from "#worker/contract/board/view.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";

type CommentRow = typeof boardItemComment.$inferSelect;

/** Sorted as a conversation; a deleted comment with answers stays as a tombstone. */
export function commentViews(ctx: AppContext, rows: CommentRow[]): CommentView[] {
  const answered = new Set(rows.filter((row) => !row.deletedDate).map((row) => row.parentCommentId));
  const shown = rows.filter((row) => !row.deletedDate || answered.has(row.id));
  const top = shown.filter((row) => row.parentCommentId === null);
  return top
    .flatMap((row) => [row, ...shown.filter((reply) => reply.parentCommentId === row.id)])
    .map((row) => commentView(ctx, row));
}

function commentView(ctx: AppContext, row: CommentRow): CommentView {
  const isDeleted = row.deletedDate !== null;
  return {
    commentId: row.id,
    parentCommentId: row.parentCommentId,
    content: isDeleted ? UI_MESSAGES.deletedComment : row.content,
    createdUserName: isDeleted ? "" : row.createdUserName,
    createdDate: row.createdDate.toISOString(),
    isDeleted,
    mine: !isDeleted && ctx.actor.kind !== "guest" && ctx.actor.userId === row.createdUserId,
    version: row.version,
  };
}
