import { ownValue } from "#worker/contract/kernel/labels.ts";
import { eq, sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { board } from "#db/schema/board.ts";
import { idsIn } from "#db/sql.ts";
import type { AppContext, BatchStatement } from "#worker/domain/kernel/context.ts";
import { BOARD_LIMITS, FILE_EXTENSIONS } from "#worker/contract/board/rules.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import {
  BOARD_ACTIONS,
  boardPermission,
  type BoardAction,
  DEFAULT_BOARD_GRANT,
  SIGNUP_ROLE_CODE,
} from "#worker/contract/kernel/permissions.ts";
import { BOARD_ACCESS, type BoardAccess } from "#worker/contract/moving/rules.ts";
import type { MovingBoard } from "#worker/contract/moving/state.ts";
import { conflict } from "../kernel/guarded-batch.server.ts";
import { lastPlace } from "../kernel/ordered-rows.server.ts";
import type { NewBoard } from "./check-mapping.server.ts";

const MEMBER_ACTIONS: Record<"write" | "read" | "none", readonly BoardAction[]> = {
  write: DEFAULT_BOARD_GRANT.member,
  read: ["List", "View", "Download"],
  none: [],
};

export function newBoardGrantOf(
  target: NewBoard,
  roleCodes: readonly string[],
): Record<string, ReturnType<typeof boardPermission>[]> {
  const { guest, member } = BOARD_ACCESS[target.access satisfies BoardAccess];
  const actions: Record<string, readonly BoardAction[]> = {
    guest,
    [SIGNUP_ROLE_CODE]: MEMBER_ACTIONS[member],
    administrator: BOARD_ACTIONS,
  };
  const granted = Object.entries(actions).filter(([roleCode, own]) => roleCodes.includes(roleCode) && own.length > 0);
  return Object.fromEntries(
    granted.map(([roleCode, own]) => [roleCode, own.map((action) => boardPermission(target.boardCode, action))]),
  );
}

export const newBoardGuards = (made: { target: NewBoard }[]) => [
  {
    holds: sql`NOT EXISTS (SELECT 1 FROM board WHERE ${idsIn(
      board.boardCode,
      made.map(({ target }) => target.boardCode),
    )})`,
    error: () => conflict("같은 코드의 게시판이 그사이 생겼습니다. 다른 코드로 바꾸어 주십시오."),
  },
];

export const foundCategoriesOf = (found: MovingBoard[], key: string): string[] =>
  (found.find((each) => each.key === key)?.categories ?? [])
    .filter(({ name }) => name.length <= BOARD_LIMITS.category)
    .toSorted((a, b) => b.count - a.count)
    .map(({ name }) => name);

export function newBoardStatement(
  ctx: AppContext,
  key: string,
  { boardCode, boardName, boardType }: NewBoard,
  found: MovingBoard[],
): BatchStatement {
  return ctx.db.insert(board).values({
    boardCode,
    boardName,
    boardType,
    categories: foundCategoriesOf(found, key).slice(0, BOARD_LIMITS.categoriesMax),
    useSecret: (found.find((each) => each.key === key)?.secrets ?? 0) > 0,
    fileMaxSize: SIZE_LIMITS.documentBytes,
    fileExtensions: FILE_EXTENSIONS,
    sortOrder: lastPlace(board),
  });
}

export function newBoardGrantStatements(ctx: AppContext, grants: Record<string, string[]>[]): BatchStatement[] {
  const roleCodes = [...new Set(grants.flatMap((grant) => Object.keys(grant)))];
  return roleCodes.map((roleCode) => {
    const codes = JSON.stringify(grants.flatMap((grant) => ownValue(grant, roleCode) ?? []));
    return ctx.db
      .update(role)
      .set({
        permissions: sql`(SELECT json_group_array(value) FROM (SELECT value FROM json_each(permissions) UNION ALL SELECT value FROM json_each(${codes})))`,
        version: sql`version + 1`,
      })
      .where(eq(role.roleCode, roleCode));
  });
}
