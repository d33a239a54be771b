import { board, boardItem } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import { movedThing } from "#db/schema/moving.ts";
import { sql } from "drizzle-orm";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import type { OldAddress } from "#worker/contract/moving/old-address.ts";
import { can, itemResource } from "../kernel/authorize.server.ts";

/** Paths of this site, never a board of an old one. */
const OWN_NAMES =
  /^(?:account|admin|alumni|api|assets|board|dev|health|mail|mypage|pid|privacy|registry|research|search|terms|tos)$/i;

/**
 * Returns the item's new page, or null if unknown. Items the viewer may not read lead to the board's list, like missing
 * ones.
 */
export async function findOldAddress(scope: RequestScope, address: OldAddress) {
  if (address.kind === "board" && OWN_NAMES.test(address.key)) return null;
  const boardKey = "board" in address ? address.board : address.kind === "board" ? address.key : "";
  const moved = movedStatementFor(address);
  const itemId = sql`(CASE moved_thing.kind WHEN 'item' THEN CAST(moved_thing.target_id AS INTEGER)
    WHEN 'comment' THEN (SELECT item_id FROM board_item_comment WHERE id = moved_thing.target_id)
    ELSE (SELECT item_id FROM file WHERE id = moved_thing.target_id) END)`;
  const { ctx, rows } = await scope.read([
    scope.db
      .select({ id: movedThing.targetId })
      .from(movedThing)
      .where(sql`${movedThing.kind} = 'board' AND ${movedThing.oldKey} = ${boardKey}`)
      .limit(1),
    scope.db
      .select({ kind: movedThing.kind, id: movedThing.targetId, itemId: sql<number | null>`${itemId}` })
      .from(movedThing)
      .where(moved)
      .limit(5),
    scope.db
      .select()
      .from(boardItem)
      .where(sql`${boardItem.id} IN (SELECT ${itemId} FROM moved_thing WHERE ${moved} LIMIT 5)`),
    scope.db
      .select()
      .from(board)
      .where(
        sql`${board.boardCode} IN (SELECT board_code FROM board_item WHERE id IN (SELECT ${itemId} FROM moved_thing WHERE ${moved} LIMIT 5))`,
      ),
    scope.db
      .select({ id: file.id, purpose: file.purpose })
      .from(file)
      .where(sql`${file.id} IN (SELECT target_id FROM moved_thing WHERE ${moved} LIMIT 5)`),
  ]);
  const [[home], found, items, boards, files] = rows;
  for (const thing of found) {
    const item = items.find(({ id }) => id === thing.itemId);
    const parent = boards.find(({ boardCode }) => boardCode === item?.boardCode);
    if (!item || !parent) continue;
    const stored = thing.kind === "file" ? files.find(({ id }) => id === thing.id) : undefined;
    if (!mayKnow(ctx, item, parent, stored)) continue;
    if (stored) return { path: `/api/file/${stored.id}`, isLasting: true };
    const anchor = thing.kind === "comment" ? `#comment-${thing.id}` : "";
    return { path: `/board/${item.boardCode}/View/${item.itemNo}${anchor}`, isLasting: true };
  }
  return home ? { path: `/board/${home.id}/List/`, isLasting: address.kind === "board" } : null;
}

type ItemDbRow = typeof boardItem.$inferSelect;
type BoardDbRow = typeof board.$inferSelect;

function mayKnow(ctx: AppContext, item: ItemDbRow, parent: BoardDbRow, stored?: { purpose: string }): boolean {
  const question = { item: itemResource(parent, item), now: ctx.now() };
  if (!stored) return can(ctx.actor, { action: "Item.Know", ...question });
  return can(ctx.actor, { action: stored.purpose === "image" ? "Item.Read" : "Item.Download", ...question });
}

function movedStatementFor(address: OldAddress) {
  switch (address.kind) {
    case "board":
      return sql`0`;
    case "item":
      return address.board === ""
        ? sql`moved_thing.kind IN ('item', 'comment') AND moved_thing.old_number = ${address.number}`
        : sql`moved_thing.kind IN ('item', 'comment') AND moved_thing.old_number = ${address.number} AND moved_thing.old_key = ${`${address.board}/${address.number}`}`;
    case "file":
      return sql`moved_thing.kind = 'file' AND moved_thing.old_number = ${address.index + 1} AND moved_thing.old_key = ${`${address.board}/${address.item}/${address.index + 1}`}`;
    case "file-number":
      return sql`moved_thing.kind = 'file' AND moved_thing.old_number = ${address.number}`;
    case "path":
      return sql`moved_thing.old_path = ${address.path}`;
  }
}
