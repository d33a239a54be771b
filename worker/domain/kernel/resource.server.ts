import { type ItemResource } from "./authorize.server.ts";
import type { boardItem, board } from "#db/schema/board.ts";

export type BoardRow = typeof board.$inferSelect;

export type ListedItem = Omit<typeof boardItem.$inferSelect, "content"> & {
  attachedPictureId?: string | null;
};

export function itemResource(board: Pick<BoardRow, "boardCode" | "isClosed">, item: ListedItem): ItemResource {
  const { createdUserId, isSecret, createdDate, deletedDate } = item;
  return { board, createdUserId, isSecret, createdDate, deletedDate };
}
