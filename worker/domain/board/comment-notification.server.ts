import { and, asc, eq, lte, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { board, boardItem, boardItemComment } from "#db/schema/board.ts";
import { message, notificationChoice, pendingNotification } from "#db/schema/mail.ts";
import { HOUR_MS, RATE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { activityStatements, type NewActivity } from "../mail/activity.server.ts";
import { type NewBulkMessage, queueBulkMessages } from "../mail/message.server.ts";
import { type TemplateRenderer } from "../mail/render-template.server.ts";
import {
  type NotificationContext,
  ITEM_COLUMNS,
  type NotifiedItem,
  recipientsStatement,
  type AddressedPerson,
  hasAddress,
  canReadItem,
  itemLink,
  unsubscribeLink,
} from "./notified-item.server.ts";

const COMMENTS_PER_BATCH = 100;
const EXCERPT_LENGTH = 300;
const JOINED_COMMENTS = 10;
const JOINED_NAMES = 5;

/** @returns whether more may be due */
export async function notifyAboutComments(ctx: NotificationContext, write: TemplateRenderer): Promise<boolean> {
  const due = await ctx.db
    .select({
      ...ITEM_COLUMNS,
      commentId: sql<string>`${boardItemComment.id}`.as("comment_id"),
      dueDate: pendingNotification.dueDate,
      content: boardItemComment.content,
      writerId: sql<string>`${boardItemComment.createdUserId}`.as("writer_id"),
      writerName: sql<string>`${boardItemComment.createdUserName}`.as("writer_name"),
      isDeleted: sql<number>`${boardItemComment.deletedDate} IS NOT NULL`.as("is_deleted"),
      parentWriterId: sql<
        string | null
      >`(SELECT created_user_id FROM board_item_comment AS parent WHERE parent.id = ${boardItemComment.parentCommentId} AND parent.deleted_date IS NULL)`.as(
        "parent_writer_id",
      ),
    })
    .from(pendingNotification)
    .innerJoin(boardItemComment, eq(boardItemComment.id, pendingNotification.sourceId))
    .innerJoin(boardItem, eq(boardItem.id, boardItemComment.itemId))
    .innerJoin(board, eq(board.boardCode, boardItem.boardCode))
    .where(and(eq(pendingNotification.kind, "comment"), lte(pendingNotification.dueDate, ctx.now().getTime())))
    .orderBy(asc(boardItemComment.createdDate))
    .limit(COMMENTS_PER_BATCH);
  if (due.length === 0) return false;
  const concerned = due.filter((each) => !each.isDeleted).map((each) => ({ each, ids: concernedBy(each) }));
  const ids = JSON.stringify([...new Set(concerned.flatMap((entry) => entry.ids))]);
  const keys = concerned.flatMap(({ each, ids: own }) => own.map((id) => commentKey(each, id)));
  const [people, refused, recent, written] = await ctx.db.batch([
    recipientsStatement(ctx, sql`(SELECT value FROM json_each(${ids}))`),
    ctx.db
      .select({ userId: notificationChoice.userId })
      .from(notificationChoice)
      .where(sql`kind = 'comment' AND target = '' AND is_on = 0 AND user_id IN (SELECT value FROM json_each(${ids}))`),
    ctx.db
      .select({ userId: message.userId, onceKey: message.onceKey, createdDate: message.createdDate })
      .from(message)
      .where(
        sql`${message.userId} IN (SELECT value FROM json_each(${ids})) AND ${message.createdDate} > ${ctx.now().getTime() - HOUR_MS} AND ${message.onceKey} LIKE 'comment%'`,
      ),
    ctx.db
      .select({ onceKey: message.onceKey })
      .from(message)
      .where(sql`${message.onceKey} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`),
  ]);
  const silent = new Set(refused.map(({ userId }) => userId));
  const told = new Set(written.map(({ onceKey }) => onceKey));
  const messages: NewBulkMessage[] = [];
  const activities: NewActivity[] = [];
  const postponed = new Map<string, number>();
  for (const person of people) {
    const own = concerned
      .filter(({ each, ids: readers }) => readers.includes(person.id) && !told.has(commentKey(each, person.id)))
      .map(({ each }) => each)
      .filter((each) => canReadItem(ctx, person, each));
    activities.push(...own.map((each) => commentActivity(each, person.id)));
    if (!hasAddress(person) || silent.has(person.id)) continue;
    for (const id of new Set(own.map((each) => each.itemId))) {
      const thread = own.filter((each) => each.itemId === id);
      const itemId = String(id);
      const sent = recent.filter(({ userId, onceKey }) => userId === person.id && onceKey?.split(":")[1] === itemId);
      const plan = planMessages(thread, sent, RATE_LIMITS.commentMailHour.max, ctx.now());
      messages.push(...plan.messages.map((comments) => commentMessage(ctx, write, comments, person)));
      for (const { commentId } of plan.later)
        postponed.set(commentId, Math.max(plan.dueDate, postponed.get(commentId) ?? 0));
    }
  }
  const done = JSON.stringify(due.map(({ commentId }) => commentId).filter((id) => !postponed.has(id)));
  const later = JSON.stringify([...postponed].map(([id, dueDate]) => ({ id, dueDate })));
  const statements: [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]] = [
    ctx.db
      .delete(pendingNotification)
      .where(sql`kind = 'comment' AND source_id IN (SELECT value FROM json_each(${done}))`),
    ctx.db
      .update(pendingNotification)
      .set({
        dueDate: sql`(SELECT value ->> 'dueDate' FROM json_each(${later}) WHERE value ->> 'id' = ${pendingNotification.sourceId})`,
      })
      .where(sql`kind = 'comment' AND source_id IN (SELECT value ->> 'id' FROM json_each(${later}))`),
    ...queueBulkMessages(ctx, messages),
    ...activityStatements(ctx, activities),
  ];
  await ctx.db.batch(statements);
  return due.length === COMMENTS_PER_BATCH;
}

interface NotifiedComment extends NotifiedItem {
  commentId: string;
  dueDate: number;
  content: string;
  writerId: string;
  writerName: string;
  parentWriterId: string | null;
}

function concernedBy({ createdUserId, parentWriterId, writerId }: NotifiedComment): string[] {
  return [...new Set([createdUserId, parentWriterId])].filter((id): id is string => id !== null && id !== writerId);
}

const commentKey = ({ itemId, commentId }: NotifiedComment, userId: string) =>
  `comment:${itemId}:${commentId}:${userId}`;

/** The bell shows it at once, even while its mail is postponed. */
const commentActivity = (comment: NotifiedComment, userId: string): NewActivity => ({
  userId,
  kind: comment.parentWriterId === userId ? "answer" : "comment",
  itemId: comment.itemId,
  commentId: comment.commentId,
  onceKey: commentKey(comment, userId),
});

function planMessages(thread: NotifiedComment[], sent: readonly { createdDate: Date }[], most: number, now: Date) {
  if (thread.some(({ dueDate }) => dueDate > 0)) return { messages: [thread], later: [], dueDate: 0 };
  const places = Math.max(0, most - sent.length);
  const first = Math.min(now.getTime(), ...sent.map(({ createdDate }) => createdDate.getTime()));
  return {
    messages: thread.slice(0, places).map((comment) => [comment]),
    later: thread.slice(places),
    dueDate: first + HOUR_MS,
  };
}

const excerptOf = (content: string) =>
  content.length > EXCERPT_LENGTH ? `${content.slice(0, EXCERPT_LENGTH)}…` : content;

function joinedText(comments: readonly NotifiedComment[]): string {
  const [only, ...others] = comments;
  if (only && others.length === 0) return excerptOf(only.content);
  const shown = comments.slice(0, JOINED_COMMENTS).map((each) => `${each.writerName}: ${excerptOf(each.content)}`);
  const rest = comments.length - shown.length;
  return [...shown, ...(rest > 0 ? [`그 밖에 댓글 ${rest}개가 더 있습니다.`] : [])].join("\n\n");
}

function commentMessage(
  ctx: NotificationContext,
  write: TemplateRenderer,
  comments: readonly NotifiedComment[],
  person: AddressedPerson,
): NewBulkMessage {
  const { offToken: token, ...link } = unsubscribeLink(ctx, { kind: "comment", target: "", userId: person.id });
  const [comment] = comments as [NotifiedComment];
  const text = write("newComment", {
    이름: person.userName,
    게시판: comment.boardName,
    제목: comment.title,
    작성자: [...new Set(comments.map(({ writerName }) => writerName))].slice(0, JOINED_NAMES).join(", "),
    댓글: joinedText(comments),
    주소: `${itemLink(ctx, comment)}#comment-${comment.commentId}`,
    ...link,
  });
  const single = commentKey(comment, person.id);
  const onceKey = comments.length === 1 ? single : single.replace("comment:", "comments:");
  const about = comments.map(({ writerId, writerName }) => ({ id: writerId, userName: writerName }));
  return { userId: person.id, recipient: person.email, ...text, onceKey, offToken: token, about };
}
