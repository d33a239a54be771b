import { eq, sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { profileField } from "#db/schema/account.ts";
import { board } from "#db/schema/board.ts";
import { movedThing, moving, movingIssue } from "#db/schema/moving.ts";
import { unchanged } from "#db/sql.ts";
import type { AppContext, BatchStatement } from "#worker/domain/kernel/context.ts";
import { BOARD_LIMITS } from "#worker/contract/board/rules.ts";
import type { MappingInput } from "#worker/contract/moving/input.ts";
import { type MovedKind } from "#worker/contract/moving/rules.ts";
import type { BoardBefore, MovingBoard } from "#worker/contract/moving/state.ts";
import { authorize } from "../kernel/authorize.server.ts";
import { auditPeople } from "../kernel/audit-entry.server.ts";
import { authorizeConsole, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { lastPlace } from "../kernel/ordered-rows.server.ts";
import { beginMovingSteps } from "./moving-run.server.ts";
import { grantedCodes, hasStatus, readMoving } from "./moving.server.ts";
import {
  newBoardGuards,
  foundCategoriesOf,
  newBoardGrantOf,
  newBoardGrantStatements,
  newBoardStatement,
} from "./moved-board.server.ts";
import { type BoardDbRow, checkMapping, withMovedBoards } from "./check-mapping.server.ts";

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
  await runGuardedBatch(
    ctx,
    [hasStatus(id, "checked"), unchanged(moving, id, version), ...newBoardGuards(made)],
    [
      ctx.db
        .delete(movingIssue)
        .where(
          sql`${movingIssue.movingId} = ${id} AND ${movingIssue.code} NOT IN (SELECT value FROM json_each(${JSON.stringify(ARCHIVE_ISSUES)}))`,
        ),
      ...made.map(({ key, target }) => newBoardStatement(ctx, key, target, row.state.preview.boards)),
      ...newBoardGrantStatements(ctx, grants),
      movedStatement(ctx, row, [
        ...made.map(({ key, target }) => ({
          kind: "board" as const,
          oldKey: key,
          targetId: target.boardCode,
          wasHere: 0,
        })),
        ...known.map(({ key, found }) => ({
          kind: "board" as const,
          oldKey: key,
          targetId: found.boardCode,
          wasHere: 1,
        })),
        ...newFields.map(({ code, oldName }) => ({
          kind: "field" as const,
          oldKey: oldName,
          targetId: code,
          wasHere: 0,
        })),
      ]),
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
          targetType: "moving",
          targetId: id,
          detail: { site: row.site, boards: mapping.boards, groups: mapping.groups },
        },
        { ids: sql`SELECT NULL AS id`, count: row.state.preview.counts.members },
      ),
    ],
  );
  beginMovingSteps(ctx);
  return {};
}

const newFieldCode = (movingId: string, index: number) => `old-${movingId.slice(0, 8)}-${index + 1}`;

interface MovedTarget {
  kind: MovedKind;
  oldKey: string;
  targetId: string;
  wasHere: number;
}

const movedStatement = (
  ctx: AppContext,
  { id, site }: { id: string; site: string },
  rows: MovedTarget[],
): BatchStatement =>
  ctx.db
    .insert(movedThing)
    .select(
      // Columns follow the table's order.
      sql`SELECT ${site}, value ->> 'kind', value ->> 'oldKey', NULL, NULL, value ->> 'targetId', value ->> 'wasHere', ${id} FROM json_each(${JSON.stringify(rows)}) WHERE true`,
    )
    .onConflictDoNothing();

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
