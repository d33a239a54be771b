import { desc, isNotNull, type SQL, sql } from "drizzle-orm";
import { boardItem, boardItemComment, boardItemRevision, boardItemView, itemReport } from "#db/schema/board.ts";
import { event, eventRegistration } from "#db/schema/event.ts";
import { file } from "#db/schema/file.ts";
import { activity } from "#db/schema/mail.ts";
import type { AppContext, Parsed, RequestScope } from "#worker/domain/kernel/context.ts";
import { countRows, makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import type { deletedItemsQuery } from "#worker/contract/board/input.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { RETENTION_RULES } from "#worker/contract/audit/retention-rules.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { keepItemTraces, registerDestroyedItems } from "../audit/destruction.server.ts";
import { privacySettingStatement, privacySettingView } from "../audit/retention-setting.server.ts";
import { authorizeBoard, boardStatement, boardView } from "./board.server.ts";
import { ITEM_ROW_COLUMNS, itemRowView } from "./row.server.ts";

export const isDeletedItem = isNotNull(boardItem.deletedDate);

export async function listDeletedItems(
  scope: RequestScope,
  boardCode: string,
  query: Parsed<typeof deletedItemsQuery>,
) {
  const where = sql`${boardItem.boardCode} = ${boardCode} AND ${isDeletedItem}`;
  const { ctx, rows } = await scope.read([
    boardStatement(scope.db, boardCode),
    rowsOfPage(
      scope.db
        .select(ITEM_ROW_COLUMNS)
        .from(boardItem)
        .where(where)
        .orderBy(desc(boardItem.deletedDate), desc(boardItem.id)),
      query,
    ),
    countRows(scope.db, boardItem, where),
    privacySettingStatement(scope.db),
  ]);
  const row = authorizeBoard(ctx, rows[0], "Manage");
  const { on, days } = privacySettingView(rows[3][0]).value.rules["board-bin"];
  const content = rows[1].map((item) => {
    const deleted = item.deletedDate ?? ctx.now();
    return {
      ...itemRowView(ctx, row, item),
      deletedDate: deleted.toISOString(),
      purgeDate: on ? new Date(deleted.getTime() + days * DAY_MS).toISOString() : null,
    };
  });
  return {
    board: boardView(ctx, row),
    deletedItems: makeCountedPage(query, content, rows[2]),
    /** How long deleted items can be restored; null for ever. */
    keptDays: on ? days : null,
  };
}

export async function destroyDeletedItems(ctx: AppContext, boardCode: string): Promise<{ removed: number }> {
  authorizeBoard(ctx, await boardStatement(ctx.db, boardCode).all(), "Manage");
  const { statements, destroyed } = destroyAndRegisterStatements(
    ctx,
    sql`${boardItem.boardCode} = ${boardCode} AND ${isDeletedItem}`,
  );
  const results = await ctx.db.batch([
    ...statements,
    audit(ctx, { action: "boardItem.emptyBin", targetType: "board", targetId: boardCode }),
  ]);
  return { removed: destroyed(results) };
}

/** Destroys items of the bin early and adds them to the register. */
export function destroyAndRegisterStatements(ctx: AppContext, where: SQL) {
  const what = { kind: RETENTION_RULES["board-bin"].kind, rule: "board-bin", basis: "휴지통에서 바로 삭제" };
  const statements = [registerDestroyedItems(ctx, where, what), ...destroyItemStatements(ctx, where)] as const;
  return {
    statements,
    destroyed: (results: readonly unknown[]) => (results[statements.length - 1] as unknown[]).length,
  };
}

/** Destroys items; the clean-up deletes their detached files a day later. */
export function destroyItemStatements(ctx: Pick<AppContext, "db" | "now">, where: SQL) {
  const ids = sql`(SELECT id FROM ${boardItem} WHERE ${where})`;
  return [
    keepItemTraces(ctx, where),
    ctx.db
      .update(file)
      .set({ status: "ready", itemId: null, ownerUserId: "", createdDate: ctx.now() })
      .where(sql`${file.itemId} IN ${ids}`),
    ctx.db.delete(boardItemComment).where(sql`${boardItemComment.itemId} IN ${ids}`),
    ctx.db.delete(boardItemRevision).where(sql`${boardItemRevision.itemId} IN ${ids}`),
    ctx.db.delete(itemReport).where(sql`${itemReport.itemId} IN ${ids}`),
    ctx.db.delete(activity).where(sql`${activity.itemId} IN ${ids}`),
    ctx.db.delete(eventRegistration).where(sql`${eventRegistration.itemId} IN ${ids}`),
    ctx.db.delete(event).where(sql`${event.itemId} IN ${ids}`),
    ctx.db.delete(boardItemView).where(sql`${boardItemView.itemId} IN ${ids}`),
    ctx.db.delete(boardItem).where(where).returning({ itemNo: boardItem.itemNo }),
  ] as const;
}

const IS_ANSWERED = sql`EXISTS (SELECT 1 FROM board_item_comment AS answer
  WHERE answer.item_id = "board_item_comment"."item_id" AND answer.parent_comment_id = "board_item_comment"."id")`;

export const isDestroyableComment = (before: number) =>
  sql`"board_item_comment"."deleted_date" < ${before} AND ("board_item_comment"."content" <> '' OR NOT ${IS_ANSWERED})`;

/** Clears text and author of an answered comment and keeps its place for the answers. */
export function destroyCommentStatements(ctx: Pick<AppContext, "db">, where: SQL) {
  const ids = sql`(SELECT id FROM ${boardItemComment} WHERE ${where})`;
  return [
    ctx.db.delete(itemReport).where(sql`${itemReport.commentId} IN ${ids}`),
    ctx.db.update(boardItemComment).set({ content: "", createdUserId: "", createdUserName: "" }).where(where),
    ctx.db.delete(boardItemComment).where(sql`${where} AND NOT ${IS_ANSWERED}`),
  ] as const;
}
