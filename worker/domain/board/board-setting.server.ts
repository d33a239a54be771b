import { lookUp } from "#worker/contract/kernel/labels.ts";
import { asc, eq, sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { board } from "#db/schema/board.ts";
import { noticeChoice } from "#db/schema/mail.ts";
import { columnsOf } from "#db/sql.ts";
import type { AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import type { AdminBoard } from "#worker/contract/board/view.ts";
import type {
  boardStateInput,
  copyBoardInput,
  CreateBoardInput,
  updateBoardInput,
} from "#worker/contract/board/board-setting-input.ts";
import { AppError, type NewVersion } from "#worker/contract/kernel/errors.ts";
import {
  BOARD_ACTIONS,
  type BoardAction,
  boardPermission,
  DEFAULT_BOARD_GRANT,
} from "#worker/contract/kernel/permissions.ts";
import { authorizeRoleChanges } from "../access/account-authority.server.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { authorize, authorizeConsole, authorizeSetting, can } from "../kernel/authorize.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { lastPlace, orderRows } from "../kernel/ordered-rows.server.ts";
import { conflict, refuseExisting, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { auditDifference } from "../kernel/audit-difference.ts";

type BoardGrant = AdminBoard["grant"];
type GivenGrant = Readonly<Record<string, readonly BoardAction[]>>;
type BoardRoleRow = { roleCode: string; roleName: string; permissions: string[] };
type BoardState = Parsed<typeof boardStateInput>;
const BOARD_ROLE = columnsOf(role, "roleCode", "roleName", "permissions");

function grantOf(boardCode: string, roles: readonly BoardRoleRow[]): BoardGrant {
  const held = (row: BoardRoleRow) =>
    BOARD_ACTIONS.filter((action) => row.permissions.includes(boardPermission(boardCode, action)));
  return Object.fromEntries(roles.map((row) => [row.roleCode, held(row)]));
}

function adminBoardView(stored: typeof board.$inferSelect, roles: readonly BoardRoleRow[]): AdminBoard {
  const { lastItemNo: _last, sortOrder: _order, ...row } = stored;
  return { ...row, grant: grantOf(row.boardCode, roles) };
}

/** Guards of a change of grants. @throws AppError FORBIDDEN beyond the caller's permissions */
function authorizeGrants(ctx: AppContext, boardCode: string, before: BoardGrant, after: BoardGrant) {
  const codes = (actions: BoardAction[]) => actions.map((action) => boardPermission(boardCode, action));
  const changes = Object.entries(after).map(([roleCode, actions]) => {
    const held = lookUp(before, roleCode) ?? [];
    const added = codes(actions.filter((action) => !held.includes(action)));
    return { roleCode, added, removed: codes(held.filter((action) => !actions.includes(action))) };
  });
  return authorizeRoleChanges(ctx, changes);
}

export async function listBoards(scope: RequestScope) {
  const { ctx, rows } = await scope.readFor(authorizeConsole, [
    scope.db.select().from(board).orderBy(asc(board.sortOrder), asc(board.boardCode)),
    scope.db
      .select(BOARD_ROLE)
      .from(role)
      .orderBy(sql`is_built_in DESC`, asc(role.roleCode)),
  ]);
  const [boards, roles] = rows;
  return {
    boards: boards.map((row) => ({
      ...adminBoardView(row, roles),
      isManaged: can(ctx.actor, { action: "Board.Manage", board: row }),
    })),
    roles: roles.map(({ roleCode, roleName }) => ({ roleCode, roleName })),
  };
}

export type BoardsPage = View<typeof listBoards>;

export function grantStatements(ctx: AppContext, boardCode: string, grant: GivenGrant) {
  const own = JSON.stringify(BOARD_ACTIONS.map((action) => boardPermission(boardCode, action)));
  return Object.entries(grant).map(([roleCode, actions]) => {
    const codes = JSON.stringify([...new Set(actions)].map((action) => boardPermission(boardCode, action)));
    return ctx.db
      .update(role)
      .set({
        permissions: sql`(SELECT json_group_array(code) FROM (
          SELECT value AS code FROM json_each(permissions) WHERE value NOT IN (SELECT value FROM json_each(${own}))
          UNION ALL SELECT value FROM json_each(${codes})))`,
        version: sql`version + 1`,
      })
      .where(eq(role.roleCode, roleCode));
  });
}

async function insertBoard(
  ctx: AppContext,
  values: Omit<CreateBoardInput, "grant">,
  grant: GivenGrant,
  action: "board.create" | "board.copy",
) {
  await refuseExisting("이미 사용 중인 게시판 코드입니다.", () =>
    ctx.db.batch([
      ctx.db.insert(board).values({ ...values, isClosed: true, sortOrder: lastPlace(board) }),
      ...grantStatements(ctx, values.boardCode, grant),
      audit(ctx, {
        action,
        targetType: "board",
        targetId: values.boardCode,
        detail: { after: { ...values, grant } },
      }),
      ...storeIdempotentAnswer(ctx, { boardCode: values.boardCode }),
    ]),
  );
  return { boardCode: values.boardCode };
}

/**
 * Creates a closed board; without `grant`, the built-in roles get the default. @throws AppError FORBIDDEN for a grant
 * beyond the caller's permissions
 */
export async function createBoard(ctx: AppContext, input: CreateBoardInput): Promise<{ boardCode: string }> {
  authorizeSetting(ctx, "boards");
  const { grant, ...values } = input;
  if (grant) await authorizeGrants(ctx, values.boardCode, {}, grant);
  return insertBoard(ctx, values, grant ?? DEFAULT_BOARD_GRANT, "board.create");
}

/** Copies settings and rights to a closed board without items. @throws AppError NOT_FOUND, FORBIDDEN */
export async function copyBoard(
  ctx: AppContext,
  from: string,
  input: Parsed<typeof copyBoardInput>,
): Promise<{ boardCode: string }> {
  authorizeSetting(ctx, "boards");
  const { row, roles } = await readManagedBoard(ctx, from);
  const { itemCount: _items, isClosed: _closed, version: _version, grant, ...values } = adminBoardView(row, roles);
  return insertBoard(ctx, { ...values, ...input }, grant, "board.copy");
}

/** @throws AppError NOT_FOUND, FORBIDDEN without Manage of the board */
async function readManagedBoard(ctx: AppContext, boardCode: string) {
  const [[row], roles] = await ctx.db.batch([
    ctx.db.select().from(board).where(eq(board.boardCode, boardCode)),
    ctx.db.select(BOARD_ROLE).from(role),
  ]);
  if (!row) throw new AppError("NOT_FOUND", { message: "게시판을 찾을 수 없습니다." });
  authorize(ctx, { action: "Board.Manage", board: row });
  return { row, roles };
}

/** @throws AppError NOT_FOUND, FORBIDDEN without Manage of the board, CONFLICT */
export async function updateBoard(
  ctx: AppContext,
  boardCode: string,
  input: Parsed<typeof updateBoardInput>,
): Promise<NewVersion> {
  authorizeSetting(ctx, "boards");
  const { row, roles } = await readManagedBoard(ctx, boardCode);
  const { version, grant, ...values } = input;
  const before = grantOf(boardCode, roles);
  const same = (code: string) =>
    lookUp(before, code)?.toString() === BOARD_ACTIONS.filter((a) => lookUp(grant, code)?.includes(a)).toString();
  const isChanged = (code: string) => Object.hasOwn(before, code) && !same(code);
  const changed = Object.fromEntries(Object.entries(grant).filter(([code]) => isChanged(code)));
  const stillTheirs = await authorizeGrants(ctx, boardCode, before, changed);
  const guards = [unchanged(boardCode, version), ...stillTheirs];
  await runGuardedBatch(ctx, guards, [
    ctx.db
      .update(board)
      .set({ ...values, version: version + 1 })
      .where(eq(board.boardCode, boardCode)),
    ...grantStatements(ctx, boardCode, changed),
    audit(ctx, {
      action: "board.change",
      targetId: boardCode,
      detail: auditDifference({ ...row, grant: before }, { ...values, grant: { ...before, ...changed } }),
    }),
  ]);
  return { version: version + 1 };
}

/** Only managers see a closed board; its items stay. @throws AppError FORBIDDEN without the right to manage */
export async function setBoardClosed(ctx: AppContext, boardCode: string, input: BoardState): Promise<NewVersion> {
  authorizeSetting(ctx, "boards");
  await readManagedBoard(ctx, boardCode);
  return storeClosed(ctx, boardCode, input);
}

async function storeClosed(ctx: AppContext, boardCode: string, { isClosed, version }: BoardState) {
  const next = { isClosed, version: version + 1 };
  await runGuardedBatch(ctx, unchanged(boardCode, version), [
    ctx.db.update(board).set(next).where(eq(board.boardCode, boardCode)),
    audit(ctx, { action: isClosed ? "board.close" : "board.open", targetId: boardCode }),
  ]);
  return { version: version + 1 };
}

/** Closes a board that ever had an item; deletes an unused one with its rights. @throws AppError FORBIDDEN */
export async function deleteBoard(
  ctx: AppContext,
  boardCode: string,
  version: number,
): Promise<{ deleted: boolean; closed: boolean }> {
  authorizeSetting(ctx, "boards");
  const { row, roles } = await readManagedBoard(ctx, boardCode);
  if (row.lastItemNo > 0) {
    await storeClosed(ctx, boardCode, { isClosed: true, version });
    return { deleted: false, closed: true };
  }
  const grant = grantOf(boardCode, roles);
  const taken: BoardGrant = Object.fromEntries(Object.keys(grant).map((code) => [code, []]));
  const stillTheirs = await authorizeGrants(ctx, boardCode, grant, taken);
  const stillEmpty = {
    holds: sql`NOT EXISTS (SELECT 1 FROM board_item WHERE board_code = ${boardCode})`,
    error: () => conflict(),
  };
  const guards = [unchanged(boardCode, version), stillEmpty, ...stillTheirs];
  await runGuardedBatch(ctx, guards, [
    ctx.db.delete(board).where(eq(board.boardCode, boardCode)),
    ctx.db.delete(noticeChoice).where(sql`kind = 'item' AND target = ${boardCode}`),
    ...grantStatements(ctx, boardCode, taken),
    audit(ctx, {
      action: "board.delete",
      targetId: boardCode,
      detail: { before: adminBoardView(row, roles) as unknown as Record<string, unknown> },
    }),
  ]);
  return { deleted: true, closed: false };
}

export async function orderBoards(ctx: AppContext, codes: string[]): Promise<{ codes: string[] }> {
  authorizeSetting(ctx, "boards");
  return orderRows(ctx, board, "board", codes);
}

const unchanged = (boardCode: string, version: number) => ({
  holds: sql`(SELECT version FROM board WHERE board_code = ${boardCode}) = ${version}`,
  error: () => conflict(),
});
