import { and, desc, sql } from "drizzle-orm";
import { prepareOnce } from "#db/prepared.ts";
import { board, boardItem } from "#db/schema/board.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import type { HomePage } from "#worker/contract/board/view.ts";
import { HOME_BOARDS } from "#worker/contract/kernel/limits.ts";
import { HOME_BOARDS_MAX } from "#worker/contract/site/rules.ts";
import { identityOf } from "../kernel/identity.server.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import { boardNameIn } from "../board/board.server.ts";
import { can } from "../kernel/authorize.server.ts";
import { isPublishedItem } from "../board/list-statements.server.ts";
import { ITEM_ROW_COLUMNS, itemRowView } from "../board/row.server.ts";

/** The board code as SQL, so that items load in the same round trip as the setting. */
const homeBoardCode = (at: number) =>
  sql<string>`(SELECT coalesce(json_extract(value, ${`$.homeBoards[${at}]`}), CASE WHEN json_type(value, '$.homeBoards') IS NULL
    THEN ${HOME_BOARDS.boardCodes[at]} END) FROM (SELECT coalesce((SELECT value FROM site_setting WHERE key = 'identity'), '{}') AS value))`;

const PLACES = Array.from({ length: HOME_BOARDS_MAX }, (_, at) => at);

const preparedHomeBoards = prepareOnce((db) =>
  db
    .select()
    .from(board)
    .where(sql`${board.boardCode} IN (${sql.join(PLACES.map(homeBoardCode), sql`, `)})`),
);
const preparedNewest = PLACES.map((at) =>
  prepareOnce((db) =>
    db
      .select(ITEM_ROW_COLUMNS)
      .from(boardItem)
      .where(and(isPublishedItem(homeBoardCode(at), sql.placeholder("now")), sql`${boardItem.showItemToMain} = 1`))
      .orderBy(desc(boardItem.createdDate), desc(boardItem.itemNo))
      .limit(HOME_BOARDS.size),
  ),
);

/** Leaves out boards without the List right. */
export async function getHomePage(scope: RequestScope, language: Language = "ko"): Promise<HomePage> {
  const now = scope.now().getTime();
  // Parallel reads, so that one failing list does not hide the other.
  const [{ ctx, rows }, ...lists] = await Promise.all([
    scope.read([preparedHomeBoards(scope.db, {})]),
    ...preparedNewest.map((newest) =>
      scope.read([newest(scope.db, { now })]).then(
        (read) => read.rows[0],
        () => null,
      ),
    ),
  ]);
  return {
    boards: identityOf(ctx).homeBoards.flatMap((boardCode, at) => {
      const row = rows[0].find((candidate) => candidate.boardCode === boardCode);
      if (!row || row.isClosed || !can(ctx.actor, { action: "Board.List", board: row })) return [];
      const items = lists[at]?.map((item) => itemRowView(ctx, row, item)) ?? null;
      return [{ boardCode, boardName: boardNameIn(language, row), total: row.itemCount, items }];
    }),
  };
}
