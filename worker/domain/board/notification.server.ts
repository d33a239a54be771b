import { and, asc, eq, gt, isNotNull, lte, or, sql, type SQL } from "drizzle-orm";
import { message, noticeChoice, noticePending } from "#db/schema/mail.ts";
import { loadLetterRenderers, type TemplateRenderer } from "../mail/render-template.server.ts";
import type { Db } from "#db/client.ts";
import { board, boardItem, boardItemComment } from "#db/schema/board.ts";
import { activityStatements, type NewActivity } from "../mail/activity.server.ts";
import { isNotifiable, type NewBulkMessage, queueBulkMessages } from "../mail/message.server.ts";
import type { BatchItem } from "drizzle-orm/batch";
import { HOUR_MS, RATE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { role } from "#db/schema/access.ts";
import { user, userKey } from "#db/schema/account.ts";
import { columnsOf } from "#db/sql.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { boardNameIn } from "./board.server.ts";
import { englishPath, type Language } from "#worker/contract/kernel/language.ts";
import { writerIn } from "#worker/contract/kernel/messages.ts";
import { can } from "../kernel/authorize.server.ts";
import { absentActor, permissionsAt } from "../access/actor.server.ts";
import { signUnsubscribeToken, type UnsubscribeTarget } from "../mail/unsubscribe.server.ts";

const COMMENT_BATCHES = 10;

export async function sendNotifications(ctx: NotificationContext): Promise<void> {
  await ctx.db
    .delete(noticePending)
    .where(sql`NOT EXISTS (SELECT 1 FROM board_item WHERE board_item.id = ${noticePending.itemId})`);
  await notifyAboutItems(ctx);
  for (let at = 0; at < COMMENT_BATCHES; at += 1) if (!(await notifyAboutComments(ctx))) return;
}

/** Must follow the item's insert in its batch; the job notifies followers when it appears. */
export function queueItemNotification(db: Db, { boardCode, itemNo }: { boardCode: string; itemNo: SQL<number> }) {
  return db
    .insert(noticePending)
    .select(
      sql`SELECT 'item', CAST(id AS TEXT), id, '', 0 FROM board_item WHERE board_code = ${boardCode} AND item_no = ${itemNo}`,
    );
}

export function queueCommentNotification(db: Db, commentId: string, itemId: number) {
  return db.insert(noticePending).values({ kind: "comment", sourceId: commentId, itemId });
}

const FOLLOWERS_PER_BATCH = 500;
const ITEMS_PER_RUN = 50;
/** Limit for all items, so that a run stays within the subrequest limit. */
const FOLLOWER_BATCHES = 60;

async function notifyAboutItems(ctx: NotificationContext): Promise<void> {
  const due = await ctx.db
    .select({ ...ITEM_COLUMNS, doneUserId: noticePending.doneUserId })
    .from(noticePending)
    .innerJoin(boardItem, eq(boardItem.id, noticePending.itemId))
    .innerJoin(board, eq(board.boardCode, boardItem.boardCode))
    .where(and(eq(noticePending.kind, "item"), lte(boardItem.createdDate, ctx.now())))
    .limit(ITEMS_PER_RUN);
  let left = FOLLOWER_BATCHES;
  for (const { doneUserId, ...item } of due) {
    if (left <= 0) return;
    left -= await notifyFollowers(ctx, item, doneUserId, left);
  }
}

/**
 * Writes messages and progress in one batch, so that an interrupted run resumes without duplicates. @returns the number
 * of batches
 */
async function notifyFollowers(
  ctx: NotificationContext,
  item: NotifiedItem,
  from: string,
  batches: number,
): Promise<number> {
  const pending = sql`${noticePending.kind} = 'item' AND ${noticePending.sourceId} = ${String(item.itemId)}`;
  let done = item.deletedDate ? null : from;
  for (let used = 1; ; used += 1) {
    const { last, count, messages, activities } =
      done === null ? NO_FOLLOWERS : await followerMessages(ctx, item, done);
    const more = count === FOLLOWERS_PER_BATCH && last !== null;
    await ctx.db.batch([
      more
        ? ctx.db.update(noticePending).set({ doneUserId: last }).where(pending)
        : ctx.db.delete(noticePending).where(pending),
      ...queueBulkMessages(ctx, messages),
      ...activityStatements(ctx, activities),
    ]);
    if (!more || used >= batches) return used;
    done = last;
  }
}

const NO_FOLLOWERS = { last: null, count: 0, messages: [], activities: [] };

async function followerMessages(ctx: NotificationContext, item: NotifiedItem, done: string) {
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
  const writeTo = await loadLetterRenderers(ctx, idsOf(told));
  const messages = told.filter(hasAddress).map((person): NewBulkMessage => {
    const { offToken: token, ...link } = unsubscribeLink(ctx, {
      kind: "item",
      target: item.boardCode,
      userId: person.id,
    });
    const text = writeTo(person.id)("newItem", {
      이름: person.userName,
      게시판: boardNames(item),
      제목: item.title,
      작성자: writerTexts([item.createdUserName]),
      주소: itemLink(ctx, item),
      ...link,
    });
    const onceKey = `item:${item.itemId}:${person.id}`;
    return { userId: person.id, recipient: person.email, ...text, onceKey, offToken: token, about };
  });
  return { last: reach?.last ?? null, count: reach?.count ?? 0, messages, activities };
}

const COMMENTS_PER_BATCH = 100;
const EXCERPT_LENGTH = 300;
const JOINED_COMMENTS = 10;
const JOINED_NAMES = 5;

/** A notification that is postponed by more than an hour was written by a fast clock. */
const isDue = (now: number) => or(lte(noticePending.dueDate, now), gt(noticePending.dueDate, now + HOUR_MS));

/** @returns whether more may be due */
async function notifyAboutComments(ctx: NotificationContext): Promise<boolean> {
  const due = await ctx.db
    .select({
      ...ITEM_COLUMNS,
      commentId: sql<string>`${boardItemComment.id}`.as("comment_id"),
      dueDate: noticePending.dueDate,
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
    .from(noticePending)
    .innerJoin(boardItemComment, eq(boardItemComment.id, noticePending.sourceId))
    .innerJoin(boardItem, eq(boardItem.id, boardItemComment.itemId))
    .innerJoin(board, eq(board.boardCode, boardItem.boardCode))
    .where(and(eq(noticePending.kind, "comment"), isDue(ctx.now().getTime())))
    .orderBy(asc(boardItemComment.createdDate))
    .limit(COMMENTS_PER_BATCH);
  if (due.length === 0) return false;
  const concerned = due.filter((each) => !each.isDeleted).map((each) => ({ each, ids: concernedBy(each) }));
  const ids = JSON.stringify([...new Set(concerned.flatMap((entry) => entry.ids))]);
  const keys = concerned.flatMap(({ each, ids: own }) => own.map((id) => commentKey(each, id)));
  const [people, refused, recent, written] = await ctx.db.batch([
    recipientsStatement(ctx, sql`(SELECT value FROM json_each(${ids}))`),
    ctx.db
      .select({ userId: noticeChoice.userId })
      .from(noticeChoice)
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
  const writeTo = await loadLetterRenderers(ctx, idsOf(people));
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
      messages.push(...plan.messages.map((comments) => commentMessage(ctx, writeTo(person.id), comments, person)));
      for (const { commentId } of plan.later)
        postponed.set(commentId, Math.max(plan.dueDate, postponed.get(commentId) ?? 0));
    }
  }
  const done = JSON.stringify(due.map(({ commentId }) => commentId).filter((id) => !postponed.has(id)));
  const later = JSON.stringify([...postponed].map(([id, dueDate]) => ({ id, dueDate })));
  const statements: [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]] = [
    ctx.db.delete(noticePending).where(sql`kind = 'comment' AND source_id IN (SELECT value FROM json_each(${done}))`),
    ctx.db
      .update(noticePending)
      .set({
        dueDate: sql`(SELECT value ->> 'dueDate' FROM json_each(${later}) WHERE value ->> 'id' = ${noticePending.sourceId})`,
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

const MORE_COMMENTS = {
  ko: (rest: number) => `그 밖에 댓글 ${rest}개가 더 있습니다.`,
  en: (rest: number) => `And ${rest} more.`,
};

const excerptOf = (content: string) =>
  content.length > EXCERPT_LENGTH ? `${content.slice(0, EXCERPT_LENGTH)}…` : content;

function joinedText(comments: readonly NotifiedComment[], language: Language): string {
  const [only, ...others] = comments;
  if (only && others.length === 0) return excerptOf(only.content);
  const shown = comments
    .slice(0, JOINED_COMMENTS)
    .map((each) => `${writerIn(language, each.writerName)}: ${excerptOf(each.content)}`);
  const rest = comments.length - shown.length;
  return [...shown, ...(rest > 0 ? [MORE_COMMENTS[language](rest)] : [])].join("\n\n");
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
    게시판: boardNames(comment),
    제목: comment.title,
    작성자: writerTexts([...new Set(comments.map(({ writerName }) => writerName))].slice(0, JOINED_NAMES)),
    댓글: { ko: joinedText(comments, "ko"), en: joinedText(comments, "en") },
    주소: itemLink(ctx, comment, `#comment-${comment.commentId}`),
    ...link,
  });
  const single = commentKey(comment, person.id);
  const onceKey = comments.length === 1 ? single : single.replace("comment:", "comments:");
  const about = comments.map(({ writerId, writerName }) => ({ id: writerId, userName: writerName }));
  return { userId: person.id, recipient: person.email, ...text, onceKey, offToken: token, about };
}

type NotificationContext = Pick<
  AppContext,
  "db" | "now" | "messages" | "tokens" | "config" | "origin" | "storedSettings"
>;

/** Column names are unique, because a D1 batch merges columns of the same name. */
const ITEM_COLUMNS = {
  itemId: boardItem.id,
  ...columnsOf(boardItem, "boardCode", "itemNo", "title", "createdUserId", "createdUserName", "isSecret"),
  ...columnsOf(boardItem, "createdDate", "deletedDate"),
  ...columnsOf(board, "boardName", "englishName"),
  isClosed: board.isClosed,
};
type NotifiedItem = Pick<
  typeof boardItem.$inferSelect,
  "boardCode" | "itemNo" | "title" | "createdUserId" | "createdUserName" | "isSecret" | "createdDate" | "deletedDate"
> & { itemId: number; boardName: string; englishName: string; isClosed: boolean };

const recipientColumns = (now: Date) => ({
  ...columnsOf(user, "id", "userName", "userType", "roleCode"),
  roleName: role.roleName,
  permissions: permissionsAt(now),
  email: userKey.userKeyCode,
});

/** Excludes blocked, retired and suspended people; without a verified address, only the bell is used. */
const recipientsStatement = (ctx: NotificationContext, ids: ReturnType<typeof sql>) =>
  ctx.db
    .select(recipientColumns(ctx.now()))
    .from(user)
    .innerJoin(role, eq(role.roleCode, user.roleCode))
    .leftJoin(
      userKey,
      and(eq(userKey.userId, user.id), eq(userKey.userKeyType, "Email"), isNotNull(userKey.verifiedDate)),
    )
    .where(sql`${user.id} IN ${ids} AND ${user.status} = 'active' AND ${isNotifiable(sql`${user.id}`)}`);
type NotifiedPerson = Awaited<ReturnType<typeof recipientsStatement>>[number];
type AddressedPerson = NotifiedPerson & { email: string };
const hasAddress = (person: NotifiedPerson): person is AddressedPerson => person.email !== null;

/** Checks the current rights, which may have changed since the person followed. */
const canReadItem = (ctx: NotificationContext, person: NotifiedPerson, item: NotifiedItem) =>
  can(absentActor(person), { action: "Item.Read", item: { ...item, board: item }, now: ctx.now() });

function itemLink({ config }: NotificationContext, item: NotifiedItem, anchor = "") {
  const path = `/board/${item.boardCode}/View/${item.itemNo}`;
  const linkTo = (to: string) => config.SITE_ORIGIN + to + anchor;
  return { ko: linkTo(path), en: linkTo(englishPath(config.PRODUCT_CODE, path)) };
}

const boardNames = (item: NotifiedItem) => ({ ko: item.boardName, en: boardNameIn("en", item) });

const writerTexts = (names: readonly string[]) => ({
  ko: names.join(", "),
  en: names.map((name) => writerIn("en", name)).join(", "),
});

const idsOf = (people: readonly NotifiedPerson[]) => people.map(({ id }) => id);

function unsubscribeLink(ctx: NotificationContext, target: UnsubscribeTarget) {
  const token = signUnsubscribeToken(ctx, target);
  return { offToken: token, "알림 끄기": `${ctx.config.SITE_ORIGIN}/mail/off/${token}` };
}
