import { and, desc, sql } from "drizzle-orm";
import { board, boardItem } from "#db/schema/board.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import type { HomePage } from "#worker/contract/board/view.ts";
import { HOME_BOARDS } from "#worker/contract/kernel/limits.ts";
import { can } from "../kernel/authorize.server.ts";
import { isPublishedItem } from "../board/list.server.ts";
import { ITEM_ROW_COLUMNS, itemRowView } from "../board/row.server.ts";

/** The newest items of notice and reference that are marked for the home page; a board without List is left out. */
export async function getHomePage(scope: RequestScope): Promise<HomePage> {
  const newest = (boardCode: string) =>
    scope.db
      .select(ITEM_ROW_COLUMNS)
      .from(boardItem)
      .where(and(isPublishedItem(boardCode, scope.now()), sql`${boardItem.showItemToMain} = 1`))
      .orderBy(desc(boardItem.createdDate), desc(boardItem.itemNo))
      .limit(HOME_BOARDS.size);
  const [first, second] = HOME_BOARDS.boardCodes;
  // Asked for one by one, in the same round trip: a list that cannot be read leaves the other standing.
  const [{ ctx, rows }, ...lists] = await Promise.all([
    scope.read([
      scope.db
        .select()
        .from(board)
        .where(sql`${board.boardCode} IN (${first}, ${second})`),
    ]),
    ...HOME_BOARDS.boardCodes.map((boardCode) =>
      scope.read([newest(boardCode)]).then(
        (read) => read.rows[0],
        () => null,
      ),
    ),
  ]);
  return {
    boards: HOME_BOARDS.boardCodes.flatMap((boardCode, at) => {
      const row = rows[0].find((candidate) => candidate.boardCode === boardCode);
      if (!row || row.isClosed || !can(ctx.actor, { action: "Board.List", board: row })) return [];
      const items = lists[at]?.map((item) => itemRowView(ctx, row, item)) ?? null;
      return [{ boardCode, boardName: row.boardName, total: row.itemCount, items }];
    }),
  };
}
