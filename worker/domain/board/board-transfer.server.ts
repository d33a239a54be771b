import { board } from "#db/schema/board.ts";
import { type BoardDocument, boardDocument } from "#worker/contract/board/board-setting-input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { boardPermission, DEFAULT_BOARD_GRANT } from "#worker/contract/kernel/permissions.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { authorize, can } from "../kernel/authorize.server.ts";
import { type RowTransfer, transferOf } from "../kernel/row-transfer.server.ts";
import { grantStatements } from "./board-setting.server.ts";
import { formatCount } from "#worker/contract/kernel/wording.ts";

type BoardRow = typeof board.$inferSelect;

/** Rights on a board are part of the roles' transfer. */
export const boardTransfer: RowTransfer<BoardRow, BoardDocument> = {
  ...transferOf<BoardDocument>()(board, "boardCode", "boardName", Object.keys(boardDocument.shape)),
  judge: ({ isClosed }, here) => ({
    follows:
      here && isClosed && !here.isClosed
        ? [`게시판이 닫혀 글 ${formatCount(here.itemCount)}개가 보이지 않게 됩니다. 다시 열 수 있습니다.`]
        : [],
  }),
  authorize(ctx, document, here) {
    if (here) authorize(ctx, { action: "Board.Manage", board: here });
    else if (document && !document.isClosed && !can(ctx.actor, { action: "Board.Manage", board: document }))
      throw new AppError("FORBIDDEN", {
        message: `새 게시판 '${document.boardName}'은 닫힌 채로만 불러올 수 있습니다. 파일에서 닫은 뒤 다시 불러와 주십시오.`,
      });
  },
};

export const newBoardCodes = (boardCode: string, roleCode: string): string[] =>
  (DEFAULT_BOARD_GRANT[roleCode as keyof typeof DEFAULT_BOARD_GRANT] ?? []).map((action) =>
    boardPermission(boardCode, action),
  );

/** Default rights, for a file whose roles have none for the board. */
export const grantNewBoard = (ctx: AppContext, boardCode: string) =>
  grantStatements(
    ctx,
    boardCode,
    Object.fromEntries(Object.entries(DEFAULT_BOARD_GRANT).map(([code, actions]) => [code, [...actions]])),
  );
