import { lookUp } from "#worker/contract/kernel/labels.ts";
import { authorize, type BoardResource, type BoardRow, can, requireSignedIn } from "../kernel/authorize.server.ts";
import { eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { prepareOnce } from "#db/prepared.ts";
import { board } from "#db/schema/board.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import type { BoardInfo, BoardPermissions } from "#worker/contract/board/view.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import { BOARD_READER_FIELDS } from "#worker/contract/board/fields.ts";
import { pickFields } from "#worker/contract/kernel/row.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { BOARD_ACTIONS, type BoardAction } from "#worker/contract/kernel/permissions.ts";
import { actWithinLimit } from "../kernel/limit.server.ts";

export const boardStatement = (db: Db, boardCode: string) => preparedBoard(db, { boardCode });

const preparedBoard = prepareOnce((db) =>
  db
    .select()
    .from(board)
    .where(eq(board.boardCode, sql.placeholder("boardCode"))),
);

/** Checks the caller's permission; only managers find a closed board. */
export function authorizeBoard<Row extends BoardResource>(
  ctx: AppContext,
  rows: readonly Row[],
  action: BoardAction,
): Row {
  const row = rows[0];
  if (!row || (row.isClosed && !can(ctx.actor, { action: "Board.Manage", board: row }))) {
    throw new AppError("NOT_FOUND", { message: "게시판을 찾을 수 없습니다." });
  }
  authorize(ctx, { action: `Board.${action}`, board: row });
  return row;
}

/** Falls back to the Korean name. */
export const boardNameIn = (language: Language, row: Pick<BoardRow, "boardName" | "englishName">): string =>
  (language === "en" && row.englishName) || row.boardName;

export const categoryNameIn = (language: Language, row: BoardRow, category: string): string =>
  (language === "en" && lookUp(englishTextsOf(row).categoryNames, category)) || category;

/** English texts, without Korean ones for gaps. */
function englishTextsOf({ categories, englishCategories, englishDescription }: BoardRow) {
  const names = categories.flatMap((category, at) => {
    const name = englishCategories[at];
    return name ? [[category, name] as const] : [];
  });
  return { description: englishDescription, categoryNames: Object.fromEntries(names) };
}

export function boardView(ctx: AppContext, row: BoardRow, language: Language = "ko"): BoardInfo {
  const permissions = Object.fromEntries(
    BOARD_ACTIONS.map((action) => [action.toLowerCase(), can(ctx.actor, { action: `Board.${action}`, board: row })]),
  ) as BoardPermissions;
  return {
    boardCode: row.boardCode,
    ...pickFields(BOARD_READER_FIELDS, row),
    boardName: boardNameIn(language, row),
    ...(language === "en" && englishTextsOf(row)),
    file: { maxCount: row.fileMaxCount, maxSize: row.fileMaxSize, extensions: row.fileExtensions },
    permissions,
  };
}

export async function getBoard(scope: RequestScope, boardCode: string): Promise<BoardInfo> {
  const { ctx, rows } = await scope.read([boardStatement(scope.db, boardCode)]);
  return boardView(ctx, authorizeBoard(ctx, rows[0], "List"));
}

/** Limits a member's writes per hour; managers and failed writes are not counted. @throws AppError TOO_MANY_REQUESTS */
export async function writeWithinBudget<T>(
  ctx: AppContext,
  name: "itemHour" | "commentHour",
  boardRow: BoardResource,
  write: () => Promise<T>,
): Promise<T> {
  if (can(ctx.actor, { action: "Board.Manage", board: boardRow })) return write();
  return actWithinLimit(ctx, [name, requireSignedIn(ctx).userId], write);
}

export const hasFeed = (ctx: Pick<AppContext, "guest">, row: BoardResource): boolean =>
  can(ctx.guest, { action: "Board.List", board: row }) && can(ctx.guest, { action: "Board.View", board: row });
