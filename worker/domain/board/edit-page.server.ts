import { and, asc, eq, sql } from "drizzle-orm";
import { boardItem } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import type { BoardWritePage } from "#worker/contract/board/view.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { can, authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { getItemWriter } from "./item-writer.server.ts";
import { boardStatement, boardView, authorizeBoard } from "./board.server.ts";
import { type ItemDraftPath, readItemDraft } from "./draft.server.ts";
import { eventView } from "./event.server.ts";
import { itemResource } from "../kernel/resource.server.ts";
import { itemWhere } from "./view.server.ts";

export async function getBoardWritePage(scope: RequestScope, path: ItemDraftPath): Promise<BoardWritePage> {
  const { boardCode, itemNo } = path;
  const where = itemNo === undefined ? sql`0` : itemWhere({ boardCode, itemNo });
  const { ctx, rows } = await scope.read([
    boardStatement(scope.db, boardCode),
    scope.db.select().from(boardItem).where(where),
    scope.db
      .select()
      .from(file)
      .where(
        and(
          sql`${file.itemId} = (SELECT id FROM ${boardItem} WHERE ${where})`,
          eq(file.purpose, "board"),
          eq(file.status, "attached"),
        ),
      )
      .orderBy(asc(file.sortOrder)),
  ] as const);
  const [boards, items, files] = rows;
  const board = authorizeBoard(ctx, boards, "Write");
  const me = requireSignedIn(ctx);
  const now = ctx.now();
  const row = items[0];
  if (itemNo !== undefined) {
    const missing = new AppError("NOT_FOUND", { message: "글을 찾을 수 없습니다." });
    if (!row || row.deletedDate) throw missing;
    const item = itemResource(board, row);
    if (!can(ctx.actor, { action: "Item.Know", item, now })) throw missing;
    authorize(ctx, { action: "Item.Change", item, now });
  }
  return {
    board: boardView(ctx, board),
    item: row
      ? {
          itemNo: row.itemNo,
          title: row.title,
          content: row.content,
          category: row.category,
          isPinned: row.isPinned,
          pinnedUntil: row.pinnedUntil?.toISOString() ?? null,
          isSecret: row.isSecret,
          showItemToMain: row.showItemToMain,
          publishDate: row.createdDate > now ? row.createdDate.toISOString() : null,
          event: eventView(board, row, now),
          version: row.version,
          files: files.map(({ id, fileName, size }) => ({ fileId: id, fileName, size })),
        }
      : null,
    draft: await readItemDraft(ctx, me.userId, path),
    writer: await getItemWriter(ctx),
  };
}
