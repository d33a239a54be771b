import { and, eq, lte, sql } from "drizzle-orm";
import { board, boardItem } from "#db/schema/board.ts";
import { pendingNotification } from "#db/schema/mail.ts";
import { activityStatements } from "../mail/activity.server.ts";
import { type NewBulkMessage, queueBulkMessages } from "../mail/message.server.ts";
import { type TemplateRenderer } from "../mail/render-template.server.ts";
import {
  type NotificationContext,
  ITEM_COLUMNS,
  type NotifiedItem,
  recipientsStatement,
  hasAddress,
  canReadItem,
  itemLink,
  unsubscribeLink,
} from "./notified-item.server.ts";

const FOLLOWERS_PER_BATCH = 500;
const ITEMS_PER_RUN = 50;
/** Limit for all items, so that a run stays within the subrequest limit. */
const FOLLOWER_BATCHES = 60;

export async function notifyAboutItems(ctx: NotificationContext, write: TemplateRenderer): Promise<void> {
  const due = await ctx.db
    .select({ ...ITEM_COLUMNS, doneUserId: pendingNotification.doneUserId })
    .from(pendingNotification)
    .innerJoin(boardItem, eq(boardItem.id, pendingNotification.itemId))
    .innerJoin(board, eq(board.boardCode, boardItem.boardCode))
    .where(and(eq(pendingNotification.kind, "item"), lte(boardItem.createdDate, ctx.now())))
    .limit(ITEMS_PER_RUN);
  let left = FOLLOWER_BATCHES;
  for (const { doneUserId, ...item } of due) {
    if (left <= 0) return;
    left -= await notifyFollowers(ctx, write, item, doneUserId, left);
  }
}

/**
 * Writes messages and progress in one batch, so that an interrupted run resumes without duplicates. @returns the number
 * of batches
 */
async function notifyFollowers(
  ctx: NotificationContext,
  write: TemplateRenderer,
  item: NotifiedItem,
  from: string,
  batches: number,
): Promise<number> {
  const pending = sql`${pendingNotification.kind} = 'item' AND ${pendingNotification.sourceId} = ${String(item.itemId)}`;
  let done = item.deletedDate ? null : from;
  for (let used = 1; ; used += 1) {
    const { last, count, messages, activities } =
      done === null ? NO_FOLLOWERS : await followerMessages(ctx, write, item, done);
    const more = count === FOLLOWERS_PER_BATCH && last !== null;
    await ctx.db.batch([
      more
        ? ctx.db.update(pendingNotification).set({ doneUserId: last }).where(pending)
        : ctx.db.delete(pendingNotification).where(pending),
      ...queueBulkMessages(ctx, messages),
      ...activityStatements(ctx, activities),
    ]);
    if (!more || used >= batches) return used;
    done = last;
  }
}

const NO_FOLLOWERS = { last: null, count: 0, messages: [], activities: [] };

async function followerMessages(ctx: NotificationContext, write: TemplateRenderer, item: NotifiedItem, done: string) {
  // Excludes people who followed after the item appeared.
  const chosen = sql`(SELECT user_id FROM notice_choice WHERE kind = 'item' AND target = ${item.boardCode} AND user_id > ${done} AND is_on = 1 AND created_date <= ${item.createdDate.getTime()} ORDER BY user_id LIMIT ${FOLLOWERS_PER_BATCH})`;
  const [[reach], people] = await ctx.db.batch([
    ctx.db.select({ last: sql<string | null>`max(user_id)`, count: sql<number>`count(*)` }).from(chosen),
    recipientsStatement(ctx, chosen),
  ]);
  const about = [{ id: item.createdUserId, userName: item.createdUserName }];
  const told = people.filter((person) => person.id !== item.createdUserId && canReadItem(ctx, person, item));
  const activities = told.map(({ id: userId }) => ({
    userId,
    kind: "item" as const,
    itemId: item.itemId,
    onceKey: `item:${item.itemId}:${userId}`,
  }));
  const messages = told.filter(hasAddress).map((person): NewBulkMessage => {
    const { offToken: token, ...link } = unsubscribeLink(ctx, {
      kind: "item",
      target: item.boardCode,
      userId: person.id,
    });
    const text = write("newItem", {
      이름: person.userName,
      게시판: item.boardName,
      제목: item.title,
      작성자: item.createdUserName,
      주소: itemLink(ctx, item),
      ...link,
    });
    const onceKey = `item:${item.itemId}:${person.id}`;
    return { userId: person.id, recipient: person.email, ...text, onceKey, offToken: token, about };
  });
  return { last: reach?.last ?? null, count: reach?.count ?? 0, messages, activities };
}
