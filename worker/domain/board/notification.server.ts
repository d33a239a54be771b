import { and, eq, lte, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { role } from "#db/schema/access.ts";
import { user, userKey } from "#db/schema/account.ts";
import { board, boardItem, boardItemComment } from "#db/schema/board.ts";
import { noticeChoice, noticePending } from "#db/schema/mail.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { can } from "../kernel/authorize.server.ts";
import { permissionsAt } from "../access/grant.server.ts";
import { absentActor } from "../access/actor.server.ts";
import { type BulkLetter, queueBulk } from "../mail/message.server.ts";
import { notSuspended } from "../mail/suspended.server.ts";
import { offToken, type OffTarget } from "../mail/unsubscribe.server.ts";
import { type Wording, wording } from "../mail/render-template.server.ts";

type Teller = Pick<AppContext, "db" | "now" | "messages" | "tokens" | "config">;

/** Followers a batch: their letters are one parameter, which may hold two megabytes. */
const FOLLOWERS = 500;
const ITEMS = 50;
const COMMENTS = 100;
const COMMENT_BATCHES = 10;
const EXCERPT_LENGTH = 300;

/** The scheduled job: what was written since is told to whom it concerns, once each. */
export async function sendNotices(ctx: Teller): Promise<void> {
  await ctx.db
    .delete(noticePending)
    .where(sql`NOT EXISTS (SELECT 1 FROM board_item WHERE board_item.id = ${noticePending.itemId})`);
  const write = await wording(ctx);
  await tellItems(ctx, write);
  for (let at = 0; at < COMMENT_BATCHES; at += 1) if (!(await tellComments(ctx, write))) return;
}

/** No two columns are called alike: a batch would give back one of them for both. */
const ITEM = {
  itemId: boardItem.id,
  boardCode: boardItem.boardCode,
  itemNo: boardItem.itemNo,
  title: boardItem.title,
  createdUserId: boardItem.createdUserId,
  createdUserName: boardItem.createdUserName,
  isSecret: boardItem.isSecret,
  createdDate: boardItem.createdDate,
  deletedDate: boardItem.deletedDate,
  boardName: board.boardName,
  isClosed: board.isClosed,
};
type Item = Pick<
  typeof boardItem.$inferSelect,
  "boardCode" | "itemNo" | "title" | "createdUserId" | "createdUserName" | "isSecret" | "createdDate" | "deletedDate"
> & { itemId: number; boardName: string; isClosed: boolean };

const personColumns = (now: Date) => ({
  id: user.id,
  userName: user.userName,
  userType: user.userType,
  roleCode: user.roleCode,
  roleName: role.roleName,
  permissions: permissionsAt(now),
  email: userKey.userKeyCode,
});

/** Those among `ids` who can be written to: neither blocked, retired nor suspended, with a verified address. */
const peopleStatement = (ctx: Teller, ids: ReturnType<typeof sql>) =>
  ctx.db
    .select(personColumns(ctx.now()))
    .from(user)
    .innerJoin(role, eq(role.roleCode, user.roleCode))
    .innerJoin(userKey, and(eq(userKey.userId, user.id), eq(userKey.userKeyType, "Email")))
    .where(
      sql`${user.id} IN ${ids} AND ${user.status} = 'active' AND ${userKey.verifiedDate} IS NOT NULL AND ${notSuspended(sql`${user.id}`)}`,
    );
type Person = Awaited<ReturnType<typeof peopleStatement>>[number];

/** Asked now, whatever was allowed when the person asked to be told. */
const mayRead = (ctx: Teller, person: Person, item: Item) =>
  can(absentActor(person), { action: "Item.Read", item: { ...item, board: item }, now: ctx.now() });

const linkOf = (ctx: Teller, item: Item) => `${ctx.config.SITE_ORIGIN}/board/${item.boardCode}/View/${item.itemNo}`;

function off(ctx: Teller, target: OffTarget) {
  const token = offToken(ctx, target);
  return { offToken: token, "알림 끄기": `${ctx.config.SITE_ORIGIN}/mail/off/${token}` };
}

/** Items that have appeared, a scheduled one at its own time. */
async function tellItems(ctx: Teller, write: Wording): Promise<void> {
  const due = await ctx.db
    .select({ ...ITEM, doneUserId: noticePending.doneUserId })
    .from(noticePending)
    .innerJoin(boardItem, eq(boardItem.id, noticePending.itemId))
    .innerJoin(board, eq(board.boardCode, boardItem.boardCode))
    .where(and(eq(noticePending.kind, "item"), lte(boardItem.createdDate, ctx.now())))
    .limit(ITEMS);
  for (const { doneUserId, ...item } of due) await tellFollowers(ctx, write, item, doneUserId);
}

/** Letters and the mark of how far they got are one batch: killed between two, the next run goes on behind the mark. */
async function tellFollowers(ctx: Teller, write: Wording, item: Item, from: string): Promise<void> {
  const pending = sql`${noticePending.kind} = 'item' AND ${noticePending.sourceId} = ${String(item.itemId)}`;
  for (let done = item.deletedDate ? null : from; ;) {
    const { last, count, letters } = done === null ? NOBODY : await lettersBehind(ctx, write, item, done);
    const more = count === FOLLOWERS && last !== null;
    await ctx.db.batch([
      more
        ? ctx.db.update(noticePending).set({ doneUserId: last }).where(pending)
        : ctx.db.delete(noticePending).where(pending),
      ...queueBulk(ctx, letters),
    ]);
    if (!more) return;
    done = last;
  }
}

const NOBODY = { last: null, count: 0, letters: [] };

async function lettersBehind(ctx: Teller, write: Wording, item: Item, done: string) {
  // Who asked to be told after the item had appeared has seen it.
  const chosen = sql`(SELECT user_id FROM notice_choice WHERE kind = 'item' AND target = ${item.boardCode} AND user_id > ${done} AND is_on = 1 AND created_date <= ${item.createdDate.getTime()} ORDER BY user_id LIMIT ${FOLLOWERS})`;
  const [[reach], people] = await ctx.db.batch([
    ctx.db.select({ last: sql<string | null>`max(user_id)`, count: sql<number>`count(*)` }).from(chosen),
    peopleStatement(ctx, chosen),
  ]);
  const letters = people
    .filter((person) => person.id !== item.createdUserId && mayRead(ctx, person, item))
    .map((person): BulkLetter => {
      const { offToken: token, ...link } = off(ctx, { kind: "item", target: item.boardCode, userId: person.id });
      const text = write("newItem", {
        이름: person.userName,
        게시판: item.boardName,
        제목: item.title,
        글쓴이: item.createdUserName,
        주소: linkOf(ctx, item),
        ...link,
      });
      const onceKey = `item:${item.itemId}:${person.id}`;
      return { userId: person.id, recipient: person.email, ...text, onceKey, offToken: token };
    });
  return { last: reach?.last ?? null, count: reach?.count ?? 0, letters };
}

/** @returns whether there may be more */
async function tellComments(ctx: Teller, write: Wording): Promise<boolean> {
  const due = await ctx.db
    .select({
      ...ITEM,
      commentId: sql<string>`${boardItemComment.id}`.as("comment_id"),
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
    .where(eq(noticePending.kind, "comment"))
    .limit(COMMENTS);
  if (due.length === 0) return false;
  const concerned = due.filter((each) => !each.isDeleted).map((each) => ({ each, ids: concernedBy(each) }));
  const ids = JSON.stringify([...new Set(concerned.flatMap((entry) => entry.ids))]);
  const [people, refused] = await ctx.db.batch([
    peopleStatement(ctx, sql`(SELECT value FROM json_each(${ids}))`),
    ctx.db
      .select({ userId: noticeChoice.userId })
      .from(noticeChoice)
      .where(sql`kind = 'comment' AND target = '' AND is_on = 0 AND user_id IN (SELECT value FROM json_each(${ids}))`),
  ]);
  const silent = new Set(refused.map(({ userId }) => userId));
  const letters = concerned.flatMap(({ each, ids: own }) =>
    people
      .filter((person) => own.includes(person.id) && !silent.has(person.id) && mayRead(ctx, person, each))
      .map((person) => commentLetter(ctx, write, each, person)),
  );
  const told = JSON.stringify(due.map(({ commentId }) => commentId));
  const statements: [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]] = [
    ctx.db.delete(noticePending).where(sql`kind = 'comment' AND source_id IN (SELECT value FROM json_each(${told}))`),
    ...queueBulk(ctx, letters),
  ];
  await ctx.db.batch(statements);
  return due.length === COMMENTS;
}

interface Comment extends Item {
  commentId: string;
  content: string;
  writerId: string;
  writerName: string;
  parentWriterId: string | null;
}

/** The author of the item and of the comment that is answered, but for the writer himself. */
function concernedBy({ createdUserId, parentWriterId, writerId }: Comment): string[] {
  return [...new Set([createdUserId, parentWriterId])].filter((id): id is string => id !== null && id !== writerId);
}

function commentLetter(ctx: Teller, write: Wording, comment: Comment, person: Person): BulkLetter {
  const { offToken: token, ...link } = off(ctx, { kind: "comment", target: "", userId: person.id });
  const { content } = comment;
  const text = write("newComment", {
    이름: person.userName,
    게시판: comment.boardName,
    제목: comment.title,
    글쓴이: comment.writerName,
    댓글: content.length > EXCERPT_LENGTH ? `${content.slice(0, EXCERPT_LENGTH)}…` : content,
    주소: linkOf(ctx, comment),
    ...link,
  });
  const onceKey = `comment:${comment.commentId}:${person.id}`;
  return { userId: person.id, recipient: person.email, ...text, onceKey, offToken: token };
}
