import { eq, isNull, type SQL, sql } from "drizzle-orm";
import { board, boardItem } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import type { bulkItemsInput } from "#worker/contract/board/input.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { isDeletedItem, destroyAndRegisterStatements } from "./deleted.server.ts";
import { boardStatement, authorizeBoard } from "./board.server.ts";
import { reindexItems } from "./search-index.server.ts";
import type { ItemPath } from "./view.server.ts";

async function authorizeBoardManager(ctx: AppContext, boardCode: string) {
  return authorizeBoard(ctx, await boardStatement(ctx.db, boardCode).all(), "Manage");
}

function namedItemsWhere(boardCode: string, itemNos: number[], where: SQL): SQL {
  return sql`${boardItem.boardCode} = ${boardCode} AND ${boardItem.itemNo} IN (SELECT value FROM json_each(${JSON.stringify(itemNos)})) AND ${where}`;
}
const isNotDeleted = isNull(boardItem.deletedDate);

type ItemAct = "delete" | "restore" | "move" | "destroy";
const auditItems = (ctx: AppContext, action: ItemAct, boardCode: string, itemNos: number[], more: object = {}) =>
  audit(ctx, {
    action: `boardItem.${action}`,
    targetType: "boardItem",
    targetId: itemNos.length === 1 ? `${boardCode}/${itemNos[0]}` : boardCode,
    detail: { itemNos, ...more },
  });

/** Needs Manage. @returns the number of changed items, without those changed meanwhile */
export async function bulkItems(
  ctx: AppContext,
  boardCode: string,
  input: Parsed<typeof bulkItemsInput>,
): Promise<{ changed: number }> {
  await authorizeBoardManager(ctx, boardCode);
  const itemNos = [...new Set(input.itemNos)].toSorted((a, b) => a - b);
  switch (input.action) {
    case "delete":
      return { changed: await deleteItems(ctx, boardCode, itemNos) };
    case "restore":
      return { changed: await restoreItems(ctx, boardCode, itemNos) };
    case "destroy":
      return { changed: await destroyItems(ctx, boardCode, itemNos) };
    case "move":
      return { changed: await moveItems(ctx, boardCode, itemNos, input.toBoardCode) };
  }
}

async function deleteItems(ctx: AppContext, boardCode: string, itemNos: number[]): Promise<number> {
  const [rows] = await ctx.db.batch([
    ctx.db
      .update(boardItem)
      .set({ deletedDate: ctx.now(), version: sql`${boardItem.version} + 1` })
      .where(namedItemsWhere(boardCode, itemNos, sql`${isNotDeleted}`))
      .returning({ itemNo: boardItem.itemNo }),
    auditItems(ctx, "delete", boardCode, itemNos),
  ]);
  return rows.length;
}

export async function restoreItem(ctx: AppContext, path: ItemPath): Promise<{ itemNo: number }> {
  await authorizeBoardManager(ctx, path.boardCode);
  const changed = await restoreItems(ctx, path.boardCode, [path.itemNo]);
  if (changed === 0) throw new AppError("NOT_FOUND", { message: "휴지통에 없는 글입니다." });
  return { itemNo: path.itemNo };
}

async function restoreItems(ctx: AppContext, boardCode: string, itemNos: number[]): Promise<number> {
  const [rows] = await ctx.db.batch([
    ctx.db
      .update(boardItem)
      .set({ deletedDate: null, version: sql`${boardItem.version} + 1` })
      .where(namedItemsWhere(boardCode, itemNos, sql`${isDeletedItem}`))
      .returning({ id: boardItem.id }),
    auditItems(ctx, "restore", boardCode, itemNos),
  ]);
  await reindexItems(
    ctx.db,
    rows.map(({ id }) => id),
  );
  return rows.length;
}

async function moveItems(ctx: AppContext, from: string, itemNos: number[], to: string): Promise<number> {
  if (from === to) throw invalidInput({ toBoardCode: "같은 게시판으로는 옮길 수 없습니다." });
  await authorizeBoardManager(ctx, to);
  const list = JSON.stringify(itemNos);
  const where = namedItemsWhere(from, itemNos, sql`${isNotDeleted}`);
  const [, rows] = await ctx.db.batch([
    ctx.db
      .update(file)
      .set({ boardCode: to })
      .where(sql`${file.itemId} IN (SELECT id FROM ${boardItem} WHERE ${where}) AND ${file.purpose} = 'board'`),
    ctx.db
      .update(boardItem)
      .set({
        boardCode: to,
        // Keeps the order and continues after the last number of the target board.
        itemNo: sql`(SELECT last_item_no FROM board WHERE board_code = ${to}) + 1 + (SELECT key FROM json_each(${list}) WHERE value = ${boardItem.itemNo})`,
        category: sql`CASE WHEN ${boardItem.category} IN (SELECT value FROM json_each((SELECT categories FROM board WHERE board_code = ${to}))) THEN ${boardItem.category} ELSE '' END`,
        version: sql`${boardItem.version} + 1`,
      })
      .where(where)
      .returning({ id: boardItem.id }),
    ctx.db
      .update(board)
      .set({ lastItemNo: sql`${board.lastItemNo} + ${itemNos.length}` })
      .where(eq(board.boardCode, to)),
    auditItems(ctx, "move", from, itemNos, { toBoardCode: to }),
  ]);
  await reindexItems(
    ctx.db,
    rows.map(({ id }) => id),
  );
  return rows.length;
}

async function destroyItems(ctx: AppContext, boardCode: string, itemNos: number[]): Promise<number> {
  const where = namedItemsWhere(boardCode, itemNos, sql`${isDeletedItem}`);
  const { statements, destroyed } = destroyAndRegisterStatements(ctx, where);
  const results = await ctx.db.batch([...statements, auditItems(ctx, "destroy", boardCode, itemNos)]);
  return destroyed(results);
}
