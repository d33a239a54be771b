import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import { session, user } from "#db/schema/account.ts";
import { board, boardItem, boardItemComment, itemDraft } from "#db/schema/board.ts";
import { noticeChoice } from "#db/schema/mail.ts";
import { columnsOf } from "#db/sql.ts";
import { isAskedLater } from "#worker/contract/account/own-field.ts";
import type { RequestScope, View } from "#worker/domain/kernel/context.ts";
import { openProfileFields, PROFILE, profileFieldView } from "../account/profile.server.ts";
import { openDuesSql } from "../alumni/dues/person.server.ts";
import { ITEM_ROW_COLUMNS } from "../board/row.server.ts";
import { can, itemResource, requireSignedIn } from "../kernel/authorize.server.ts";

const SHOWN = 5;
const EXCERPT_LETTERS = 80;

/** Counts only items that the member may read today. */
export async function getMypageOverview(scope: RequestScope) {
  const ctx = await scope.context();
  const { userId, userName } = requireSignedIn(ctx);
  const mine = and(eq(boardItem.createdUserId, userId), isNull(boardItem.deletedDate));
  const commented = and(eq(boardItemComment.createdUserId, userId), isNull(boardItemComment.deletedDate));
  const [boards, items, comments, drafts, choices, sessions, counts, fields, [own]] = await ctx.db.batch([
    ctx.db.select().from(board),
    ctx.db.select(ITEM_ROW_COLUMNS).from(boardItem).where(mine).orderBy(desc(boardItem.id)).limit(SHOWN),
    ctx.db
      .select({
        ...ITEM_ROW_COLUMNS,
        comment: sql<string>`substr(${boardItemComment.content}, 1, ${EXCERPT_LETTERS})`.as("comment"),
        commentedDate: sql<number>`${boardItemComment.createdDate}`.as("commented_date"),
      })
      .from(boardItemComment)
      .innerJoin(boardItem, eq(boardItem.id, boardItemComment.itemId))
      .where(and(commented, isNull(boardItem.deletedDate)))
      .orderBy(desc(boardItemComment.createdDate))
      .limit(SHOWN),
    ctx.db
      .select({
        ...columnsOf(itemDraft, "boardCode", "itemNo", "title", "modifiedDate"),
      })
      .from(itemDraft)
      .where(eq(itemDraft.userId, userId))
      .orderBy(desc(itemDraft.modifiedDate))
      .limit(SHOWN),
    ctx.db
      .select({ boardCode: noticeChoice.target })
      .from(noticeChoice)
      .where(sql`${noticeChoice.userId} = ${userId} AND ${noticeChoice.kind} = 'item' AND ${noticeChoice.isOn}`),
    ctx.db
      .select({ count: sql<number>`count(*)` })
      .from(session)
      .where(and(eq(session.userId, userId), isNull(session.revokedDate), gt(session.expiresDate, ctx.now()))),
    ctx.db
      .select({
        items: sql<number>`(SELECT count(*) FROM ${boardItem} WHERE ${mine})`,
        comments: sql<number>`(SELECT count(*) FROM ${boardItemComment} WHERE ${commented})`,
        openDues: openDuesSql(userId).as("open_dues"),
        inquiries: sql<number>`(SELECT count(*) FROM inquiry WHERE user_id = ${userId} AND status = 'waiting')`.as(
          "waiting_inquiries",
        ),
      })
      .from(sql`(SELECT 1)`),
    openProfileFields(ctx.db),
    ctx.db.select({ profile: PROFILE }).from(user).where(eq(user.id, userId)),
  ]);
  const profile = JSON.parse(own?.profile ?? "{}") as Record<string, unknown>;
  const boardOf = (boardCode: string) => boards.find((row) => row.boardCode === boardCode && !row.isClosed);
  const readable = (item: (typeof items)[number]) => {
    const parent = boardOf(item.boardCode);
    const isOpen = parent && can(ctx.actor, { action: "Item.Read", item: itemResource(parent, item), now: ctx.now() });
    return isOpen ? parent : undefined;
  };
  return {
    userName,
    /** Sign-up fields that the office made required later. */
    asked: fields
      .map(profileFieldView)
      .filter((field) => isAskedLater(field, profile))
      .map(({ code, name }) => ({ code, name })),
    waiting: { openDues: counts[0]?.openDues ?? 0, inquiries: counts[0]?.inquiries ?? 0 },
    counts: { items: counts[0]?.items ?? 0, comments: counts[0]?.comments ?? 0, devices: sessions[0]?.count ?? 0 },
    items: items.flatMap((item) => {
      const parent = readable(item);
      const { boardCode, itemNo, title, createdDate, commentCount } = item;
      if (!parent) return [];
      return [
        { boardCode, boardName: parent.boardName, itemNo, title, createdDate: createdDate.toISOString(), commentCount },
      ];
    }),
    comments: comments.flatMap((item) => {
      const parent = readable(item);
      const { boardCode, itemNo, title, comment, commentedDate } = item;
      if (!parent) return [];
      const createdDate = new Date(commentedDate).toISOString();
      return [{ boardCode, boardName: parent.boardName, itemNo, title, content: comment, createdDate }];
    }),
    drafts: drafts.flatMap(({ boardCode, itemNo, title, modifiedDate }) => {
      const parent = boardOf(boardCode);
      if (!parent || !can(ctx.actor, { action: "Board.Write", board: parent })) return [];
      const { boardName } = parent;
      return [{ boardCode, boardName, itemNo: itemNo || null, title, modifiedDate: modifiedDate.toISOString() }];
    }),
    following: choices.flatMap(({ boardCode }) => {
      const parent = boardOf(boardCode);
      if (!parent || !can(ctx.actor, { action: "Board.List", board: parent })) return [];
      return [{ boardCode, boardName: parent.boardName }];
    }),
  };
}

export type MypageOverview = View<typeof getMypageOverview>;
