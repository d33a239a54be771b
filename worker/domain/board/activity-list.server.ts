import { desc, eq, sql } from "drizzle-orm";
import { board, boardItem, boardItemComment } from "#db/schema/board.ts";
import { inquiry } from "#db/schema/inquiry.ts";
import { activity } from "#db/schema/mail.ts";
import type { listActivityQuery } from "#worker/contract/mail/input.ts";
import { makePage } from "#worker/contract/kernel/page.ts";
import type { AppContext, Parsed, View } from "#worker/domain/kernel/context.ts";
import { authorize, can, itemResource } from "../kernel/authorize.server.ts";
import { countRows } from "../kernel/page.server.ts";
import { unreadStatement } from "../mail/activity.server.ts";
import { ITEM_ROW_COLUMNS } from "./row.server.ts";

const EXCERPT_LETTERS = 120;

/** An item is null without one or where the person may not read it any more, its comment also once deleted. */
export async function listActivity(ctx: AppContext, userId: string, query: Parsed<typeof listActivityQuery>) {
  authorize(ctx, { action: "User.Self", userId }, ctx.actor.kind === "guest" ? "told" : "hidden");
  const mine = eq(activity.userId, userId);
  const at = sql`(SELECT id FROM activity WHERE user_id = ${userId} ORDER BY id DESC LIMIT ${query.size} OFFSET ${(query.page - 1) * query.size})`;
  const [rows, items, comments, boards, inquiries, [total], [unread]] = await ctx.db.batch([
    ctx.db
      .select()
      .from(activity)
      .where(sql`${activity.id} IN ${at}`)
      .orderBy(desc(activity.id)),
    ctx.db
      .select(ITEM_ROW_COLUMNS)
      .from(boardItem)
      .where(sql`${boardItem.id} IN (SELECT item_id FROM activity WHERE id IN ${at})`),
    ctx.db
      .select({
        id: boardItemComment.id,
        createdUserName: boardItemComment.createdUserName,
        excerpt: sql<string>`substr(${boardItemComment.content}, 1, ${EXCERPT_LETTERS})`,
      })
      .from(boardItemComment)
      .where(
        sql`${boardItemComment.deletedDate} IS NULL AND ${boardItemComment.id} IN (SELECT comment_id FROM activity WHERE id IN ${at})`,
      ),
    ctx.db.select().from(board),
    ctx.db
      .select({ id: inquiry.id, subject: inquiry.subject })
      .from(inquiry)
      .where(
        sql`${inquiry.userId} = ${userId} AND ${inquiry.id} IN (SELECT detail ->> 'inquiryId' FROM activity WHERE id IN ${at})`,
      ),
    countRows(ctx.db, activity, mine),
    unreadStatement(ctx.db, userId),
  ]);
  const now = ctx.now();
  const itemOf = (itemId: number | null) => {
    const item = items.find((row) => row.id === itemId);
    const parent = boards.find((row) => row.boardCode === item?.boardCode);
    if (!item || !parent || !can(ctx.actor, { action: "Item.Read", item: itemResource(parent, item), now }))
      return null;
    const { boardCode, itemNo, title, createdUserName } = item;
    return { boardCode, boardName: parent.boardName, itemNo, title, createdUserName };
  };
  const content = rows.map((row) => {
    const item = itemOf(row.itemId);
    const comment = item && comments.find(({ id }) => id === row.commentId);
    return {
      id: row.id,
      kind: row.kind,
      createdDate: row.createdDate.toISOString(),
      isRead: row.readDate !== null,
      item,
      comment: comment
        ? { commentId: comment.id, createdUserName: comment.createdUserName, excerpt: comment.excerpt }
        : null,
      inquiry: inquiries.find(({ id }) => id === row.detail.inquiryId) ?? null,
      detail: row.detail,
    };
  });
  return { ...makePage(content, { ...query, totalElements: total?.count ?? 0 }), unread: unread?.count ?? 0 };
}

export type ActivityPage = View<typeof listActivity>;
