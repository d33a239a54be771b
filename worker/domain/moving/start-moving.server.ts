import { eq, sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { profileField } from "#db/schema/account.ts";
import { board } from "#db/schema/board.ts";
import { movedThing, moving, movingIssue } from "#db/schema/moving.ts";
import { idsIn, unchanged } from "#db/sql.ts";
import type { AppContext, BatchStatement } from "#worker/domain/kernel/context.ts";
import { BOARD_LIMITS, FILE_EXTENSIONS } from "#worker/contract/board/rules.ts";
import type { BoardTarget, MappingInput, MovingMapping } from "#worker/contract/moving/input.ts";
import { BOARD_ACCESS, type BoardAccess, MOVING_LIMITS } from "#worker/contract/moving/rules.ts";
import type { BoardBefore, MovingBoard, MovingState } from "#worker/contract/moving/moving.ts";
import { authorize, authorizeConsole } from "../kernel/authorize.server.ts";
import { auditPeople } from "../kernel/audit-entry.server.ts";
import { conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { lastPlace } from "../kernel/ordered-rows.server.ts";
import { beginMovingSteps, grantedCodes, hasStatus, readMoving } from "./moving.server.ts";
import { movedRowsStatement } from "./moved-key.server.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import {
  BOARD_ACTIONS,
  type BoardAction,
  boardPermission,
  DEFAULT_BOARD_GRANT,
  SIGNUP_ROLE_CODE,
} from "#worker/contract/kernel/permissions.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { withParticle } from "#worker/contract/kernel/wording.ts";

const ARCHIVE_ISSUES = ["entry-bad", "entry-unlisted"] as const;

/**
 * Creates boards, rights and fields in one batch; content follows in steps. @throws AppError FORBIDDEN for rights the
 * caller lacks, INVALID_INPUT, CONFLICT
 */
export async function startMoving(ctx: AppContext, id: string, input: MappingInput): Promise<Record<string, never>> {
  authorizeConsole(ctx);
  const row = await readMoving(ctx, id);
  const { version, ...asked } = input;
  const [boards, roles, fields, moved] = await ctx.db.batch([
    ctx.db.select().from(board),
    ctx.db.select().from(role),
    ctx.db.select({ code: profileField.code, name: profileField.name }).from(profileField),
    ctx.db
      .select({ oldKey: movedThing.oldKey, targetId: movedThing.targetId })
      .from(movedThing)
      .where(sql`${movedThing.site} = ${row.site} AND ${movedThing.kind} = 'board'`),
  ]);
  const mapping = withMovedBoards(asked, moved);
  checkMapping(row.state.preview.boards, mapping, { boards, fields, roles });
  checkDoubtful(row.state, mapping);
  const usedRoles = roles.filter(({ roleCode }) => Object.values(mapping.groups).includes(roleCode));
  authorize(ctx, { action: "Permission.Grant", codes: grantedCodes(usedRoles) });
  const targets = Object.entries(mapping.boards);
  const known = targets.flatMap(([key, target]) => {
    const found = target.to === "board" && boards.find(({ boardCode }) => boardCode === target.boardCode);
    return found ? [{ key, found }] : [];
  });
  for (const { found } of known) authorize(ctx, { action: "Board.Manage", board: found });
  const made = targets.flatMap(([key, target]) => (target.to === "new" ? [{ key, target }] : []));
  const grants = made.map(({ target }) =>
    newBoardGrantOf(
      target,
      roles.map(({ roleCode }) => roleCode),
    ),
  );
  const newFields = Object.entries(mapping.fields).flatMap(([name, target], index) =>
    target.to === "new" ? [{ oldName: name, code: newFieldCode(id, index), name: target.name }] : [],
  );
  const fieldCodes = Object.fromEntries(
    newFields.map(({ oldName, code }) => [oldName, { to: "field" as const, code }]),
  );
  const before = boardsBefore(known, row.state.preview.boards);
  const state = {
    ...row.state,
    phase: "records" as const,
    entryIndex: 0,
    position: 0,
    issues: Object.fromEntries(ARCHIVE_ISSUES.map((code) => [code, row.state.issues[code] ?? 0])),
    committed: { ...row.state.committed, boards: made.length },
    before: { boards: Object.fromEntries(before.map(({ boardCode, was }) => [boardCode, was])) },
  };
  const guards = [hasStatus(id, "checked"), unchanged(moving, id, version), ...newBoardGuards(made)];
  await runGuardedBatch(ctx, guards, [
    ctx.db
      .delete(movingIssue)
      .where(
        sql`${movingIssue.movingId} = ${id} AND ${movingIssue.code} NOT IN (SELECT value FROM json_each(${JSON.stringify(ARCHIVE_ISSUES)}))`,
      ),
    ...made.map(({ key, target }) => newBoardStatement(ctx, key, target, row.state.preview.boards)),
    ...newBoardGrantStatements(ctx, grants),
    movedRowsStatement(ctx, row, "board", [
      ...made.map(({ key, target }) => ({ oldKey: key, targetId: target.boardCode })),
      ...known.map(({ key, found }) => ({ oldKey: key, targetId: found.boardCode, wasHere: true })),
    ]),
    movedRowsStatement(
      ctx,
      row,
      "field",
      newFields.map(({ code }) => ({ oldKey: code, targetId: code })),
    ),
    ...before
      .filter(({ was }) => was.isChanged)
      .map(({ boardCode, categories, useSecret, was }) =>
        ctx.db
          .update(board)
          .set({ categories, useSecret, version: was.version + 1 })
          .where(sql`${board.boardCode} = ${boardCode} AND ${board.version} = ${was.version}`),
      ),
    ...newFields.map(({ code, name }) =>
      ctx.db
        .insert(profileField)
        .values({ code, name, inputType: "text", detail: [], sortOrder: lastPlace(profileField) }),
    ),
    ctx.db
      .update(moving)
      .set({
        status: "committing",
        state,
        mapping: { ...mapping, fields: { ...mapping.fields, ...fieldCodes } },
        version: version + 1,
      })
      .where(eq(moving.id, id)),
    // Each step adds its members: `movedPeopleStatement`.
    ...auditPeople(
      ctx,
      {
        action: "moving.start",
        targetId: id,
        detail: { site: row.site, boards: mapping.boards, groups: mapping.groups },
      },
      { ids: sql`SELECT NULL AS id`, count: row.state.preview.counts.members },
    ),
  ]);
  beginMovingSteps(ctx);
  return {};
}

/** @throws AppError INVALID_INPUT unless each member whose state is open is decided */
function checkDoubtful({ preview, issues }: MovingState, { doubtful, doubtfulOthers }: MovingMapping): void {
  const named = preview.doubtful ?? [];
  const isOpen = named.some(({ userId }) => !Object.hasOwn(doubtful, userId));
  if (doubtfulOthers === undefined && (isOpen || (issues["member-doubt"] ?? 0) > named.length))
    throw invalidInput({ doubtfulOthers: "메모를 보고 이 회원들을 어떻게 옮길지 골라 주십시오." });
}

const newFieldCode = (movingId: string, index: number) => `old-${movingId.slice(0, 8)}-${index + 1}`;

function boardsBefore(known: { key: string; found: BoardDbRow }[], previews: MovingBoard[]) {
  const firsts = known.filter(({ found }, index) => known.findIndex((each) => each.found === found) === index);
  return firsts.map(({ found }) => {
    const sources = known.filter((each) => each.found === found);
    const wanted = sources.flatMap(({ key }) => foundCategoriesOf(previews, key));
    const categories = [...new Set([...found.categories, ...wanted])].slice(
      0,
      Math.max(found.categories.length, BOARD_LIMITS.categoriesMax),
    );
    const hasSecrets = sources.some(({ key }) => (previews.find((each) => each.key === key)?.secrets ?? 0) > 0);
    const useSecret = found.useSecret || hasSecrets;
    const isSame = categories.length === found.categories.length && useSecret === found.useSecret;
    const { lastItemNo, version } = found;
    const was: BoardBefore = {
      categories: found.categories,
      useSecret: found.useSecret,
      lastItemNo,
      version,
      isChanged: !isSame,
    };
    return { boardCode: found.boardCode, categories, useSecret, was };
  });
}

const MEMBER_ACTIONS: Record<"write" | "read" | "none", readonly BoardAction[]> = {
  write: DEFAULT_BOARD_GRANT.member,
  read: ["List", "View", "Download"],
  none: [],
};

function newBoardGrantOf(target: NewBoard, roleCodes: readonly string[]) {
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

const newBoardGuards = (made: { target: NewBoard }[]) => [
  {
    holds: sql`NOT EXISTS (SELECT 1 FROM board WHERE ${idsIn(
      board.boardCode,
      made.map(({ target }) => target.boardCode),
    )})`,
    error: () => conflict("같은 코드의 게시판이 그사이 생겼습니다. 다른 코드로 바꾸어 주십시오."),
  },
];

const foundCategoriesOf = (found: MovingBoard[], key: string): string[] =>
  (found.find((each) => each.key === key)?.categories ?? [])
    .filter(({ name }) => name.length <= BOARD_LIMITS.category)
    .toSorted((a, b) => b.count - a.count)
    .map(({ name }) => name);

function newBoardStatement(
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

function newBoardGrantStatements(ctx: AppContext, grants: Record<string, string[]>[]): BatchStatement[] {
  const roleCodes = [...new Set(grants.flatMap((grant) => Object.keys(grant)))];
  return roleCodes.map((roleCode) => {
    const codes = JSON.stringify(grants.flatMap((grant) => lookUp(grant, roleCode) ?? []));
    return ctx.db
      .update(role)
      .set({
        permissions: sql`(SELECT json_group_array(value) FROM (SELECT value FROM json_each(permissions) UNION ALL SELECT value FROM json_each(${codes})))`,
        version: sql`version + 1`,
      })
      .where(eq(role.roleCode, roleCode));
  });
}

type BoardDbRow = typeof board.$inferSelect;

type NewBoard = Extract<BoardTarget, { to: "new" }>;

/** Boards of an earlier move keep their target, because their items are there. */
function withMovedBoards(mapping: MovingMapping, moved: { oldKey: string; targetId: string }[]): MovingMapping {
  const boards = Object.entries(mapping.boards).map(([key, target]): [string, BoardTarget] => {
    const earlier = moved.find(({ oldKey }) => oldKey === key);
    return [key, earlier && target.to !== "skip" ? { to: "board", boardCode: earlier.targetId } : target];
  });
  return { ...mapping, boards: Object.fromEntries(boards) };
}

interface Known {
  boards: BoardDbRow[];
  fields: { code: string; name: string }[];
  roles: { roleCode: string }[];
}

function checkMapping(found: MovingBoard[], mapping: MovingMapping, { boards, fields, roles }: Known): void {
  const errors: Record<string, string> = {};
  const taken = new Set(boards.map(({ boardCode }) => boardCode));
  for (const { key, title } of found) {
    const target = lookUp(mapping.boards, key);
    if (!target) errors[`boards.${key}`] = `'${title}' 게시판을 어디로 옮길지 정해 주십시오.`;
    else if (target.to === "board" && !boards.some(({ boardCode }) => boardCode === target.boardCode))
      errors[`boards.${key}`] = "그사이 없어진 게시판입니다. 다시 골라 주십시오.";
    else if (target.to === "new") {
      if (taken.has(target.boardCode))
        errors[`boards.${key}`] = `${withParticle(`'${target.boardCode}'`, "은/는")} 이미 쓰는 게시판 코드입니다.`;
      taken.add(target.boardCode);
    }
  }
  for (const [name, target] of Object.entries(mapping.fields))
    if (target.to === "field" && !fields.some(({ code }) => code === target.code))
      errors[`fields.${name}`] = "그사이 없어진 가입 항목입니다. 다시 골라 주십시오.";
  if (found.length > MOVING_LIMITS.boards)
    errors.boards = `게시판은 한 번에 ${MOVING_LIMITS.boards}개까지 옮길 수 있습니다. 나누어 내보내 주십시오.`;
  if (Object.values(mapping.fields).filter(({ to }) => to === "new").length > MOVING_LIMITS.newFields)
    errors.fields = `새 가입 항목은 한 번에 ${MOVING_LIMITS.newFields}개까지 만들 수 있습니다.`;
  for (const [name, code] of Object.entries(mapping.groups))
    if (!roles.some(({ roleCode }) => roleCode === code))
      errors[`groups.${name}`] = "그사이 없어진 역할입니다. 다시 골라 주십시오.";
  if (Object.keys(errors).length > 0) throw invalidInput(errors);
}
