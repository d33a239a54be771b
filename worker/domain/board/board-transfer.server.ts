import { board } from "#db/schema/board.ts";
import { sql } from "drizzle-orm";
import type { BoardDocument } from "#worker/contract/board/board-setting-input.ts";
import { DEFAULT_BOARD_GRANT } from "#worker/contract/kernel/permissions.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { authorize } from "../kernel/authorize.server.ts";
import { lastPlace } from "../kernel/ordered-rows.server.ts";
import { grantStatements } from "./board-setting.server.ts";

type BoardRow = typeof board.$inferSelect;

export const boardDocumentOf = ({
  lastItemNo: _last,
  itemCount: _items,
  sortOrder: _order,
  version: _version,
  ...document
}: BoardRow) => document;

/** Closing one and opening it is for who manages it, as on its own page. @throws AppError FORBIDDEN */
export function authorizeImportedBoards(
  ctx: AppContext,
  documents: readonly BoardDocument[],
  stored: readonly BoardRow[],
): void {
  for (const { boardCode, isClosed } of documents) {
    const row = stored.find((each) => each.boardCode === boardCode);
    if (row && row.isClosed !== isClosed) authorize(ctx, { action: "Board.Manage", board: row });
  }
}

/** @param grantsByDefault for a file that says of no role what it may do on a board that is new here */
export const importBoardStatements = (ctx: AppContext, document: BoardDocument, grantsByDefault: boolean) => [
  ctx.db
    .insert(board)
    .values({ ...document, sortOrder: lastPlace(board) })
    .onConflictDoUpdate({ target: board.boardCode, set: { ...document, version: sql`${board.version} + 1` } }),
  ...(grantsByDefault
    ? grantStatements(
        ctx,
        document.boardCode,
        Object.fromEntries(Object.entries(DEFAULT_BOARD_GRANT).map(([code, actions]) => [code, [...actions]])),
      )
    : []),
];
