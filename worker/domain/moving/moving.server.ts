import { type IssueSample, movingRowView, type MovingView, movingView, undoUntil } from "./moving-view.server.ts";
import { and, asc, eq, sql, type SQL } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { profileField } from "#db/schema/account.ts";
import { board } from "#db/schema/board.ts";
import { moving, movingArchive, movingIssue, movingPart, movingSeen } from "#db/schema/moving.ts";
import { idsIn, unchanged } from "#db/sql.ts";
import type { AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { normaliseUserKey } from "#worker/contract/account/rules.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { SIGNUP_ROLE_CODE } from "#worker/contract/kernel/permissions.ts";
import type { blockedMembersInput, openMovingInput } from "#worker/contract/moving/input.ts";
import { MOVING_ISSUES, MOVING_LIMITS } from "#worker/contract/moving/rules.ts";
import { emptyMovingState } from "#worker/contract/moving/moving.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { authorize, authorizeConsole, can, requireSignedIn } from "../kernel/authorize.server.ts";
import { audit, auditPeople } from "../kernel/audit-entry.server.ts";
import { conflict, isUniqueViolation, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { claimWork } from "../kernel/stepped-work.server.ts";
import { type SheetDownload, sheetDownload } from "../kernel/sheet-download.server.ts";
import { archiveView, dropArchive } from "./archive.server.ts";
import { clearWorkStatements, commitArchives } from "./commit-archives.server.ts";
import { logError } from "#worker/log.ts";
import { checkArchives } from "./check.server.ts";
import { MOVING_STEP_BUDGET, MovingStep } from "./moving-step.server.ts";
import { undoMove } from "./undo.server.ts";

type MovingDbRow = typeof moving.$inferSelect;

const movingNotFound = () => new AppError("NOT_FOUND", { message: "이사 기록을 찾을 수 없습니다." });
const SAMPLES = 5;
const UNKNOWN_SHOWN = 20;
const isOpen = sql`status IN ('uploading', 'checking', 'checked', 'committing', 'undoing')`;
/** The open move, then the newest. */
const SHOWN_FIRST = sql`${isOpen} DESC, created_date DESC`;

const samplesStatement = (db: RequestScope["db"], movingId: ReturnType<typeof sql>) =>
  db
    .select({ code: movingIssue.code, subject: movingIssue.subject })
    .from(movingIssue)
    .where(
      sql`${movingIssue.movingId} = ${movingId} AND (SELECT count(*) FROM moving_issue AS b WHERE b.moving_id = ${movingIssue.movingId} AND b.code = ${movingIssue.code} AND b.subject < ${movingIssue.subject}) < ${SAMPLES}`,
    )
    .orderBy(asc(movingIssue.code), asc(movingIssue.subject))
    .limit(SAMPLES * Object.keys(MOVING_ISSUES).length);

const blockedStatement = (db: RequestScope["db"], movingId: SQL) => {
  const isFound = sql`EXISTS (SELECT 1 FROM moving_seen AS known WHERE known.moving_id = ${movingSeen.movingId} AND known.kind IN ('member', 'mail') AND known.key = ${movingSeen.key})`;
  return db
    .select({
      listed: sql<number>`count(*)`,
      found: sql<number>`coalesce(sum(${isFound}), 0)`,
      unknown: sql<string>`json_group_array(${movingSeen.key}) FILTER (WHERE NOT ${isFound})`,
    })
    .from(movingSeen)
    .where(sql`${movingSeen.movingId} = ${movingId} AND ${movingSeen.kind} = 'blocked'`);
};

export async function getMovingPage(scope: RequestScope, id: string | null) {
  const shown = id === null ? sql`(SELECT id FROM moving ORDER BY ${SHOWN_FIRST} LIMIT 1)` : sql`${id}`;
  const { ctx, rows } = await scope.readFor(authorizeConsole, [
    scope.db.select().from(moving).orderBy(SHOWN_FIRST).limit(50),
    scope.db
      .select()
      .from(movingArchive)
      .where(sql`${movingArchive.movingId} = ${shown}`)
      .orderBy(movingArchive.createdDate),
    scope.db
      .select()
      .from(movingPart)
      .where(
        sql`${movingPart.archiveId} IN (SELECT id FROM moving_archive WHERE moving_id = ${shown} AND status = 'uploading')`,
      )
      .orderBy(movingPart.partNo),
    samplesStatement(scope.db, shown),
    blockedStatement(scope.db, shown),
    scope.db
      .select({ boardCode: board.boardCode, boardName: board.boardName })
      .from(board)
      .orderBy(asc(board.sortOrder)),
    scope.db.select({ roleCode: role.roleCode, roleName: role.roleName }).from(role).orderBy(asc(role.roleCode)),
    scope.db
      .select({ code: profileField.code, name: profileField.name })
      .from(profileField)
      .orderBy(asc(profileField.sortOrder)),
  ]);
  const [movings, archives, parts, samples, [blocked], boards, roles, fields] = rows;
  const row = id === null ? movings[0] : movings.find((each) => each.id === id);
  if (id !== null && !row) throw movingNotFound();
  const views = archives.map((archive) =>
    archiveView(
      archive,
      parts.filter(({ archiveId }) => archiveId === archive.id).map(({ partNo }) => partNo),
    ),
  );
  const listed = blocked && { ...blocked, unknown: (JSON.parse(blocked.unknown) as string[]).slice(0, UNKNOWN_SHOWN) };
  return {
    movings: movings.map((each) => movingRowView(each, ctx.now())),
    open: row ? movingView(row, views, samples as IssueSample[], ctx.now(), listed) : null,
    canExport: can(ctx.actor, { action: "Site.Export" }),
    targets: { boards, roles, fields },
  };
}

export type MovingPageData = View<typeof getMovingPage>;

/** Only one move can be open at a time. @throws AppError CONFLICT */
export async function openMoving(ctx: AppContext, input: Parsed<typeof openMovingInput>): Promise<{ id: string }> {
  authorizeConsole(ctx);
  const me = requireSignedIn(ctx);
  const id = crypto.randomUUID();
  const row = {
    id,
    site: input.site,
    oldOrigin: input.oldOrigin,
    status: "uploading" as const,
    createdUserId: me.userId,
    createdUserName: me.userName,
    createdDate: ctx.now(),
    entries: [],
    state: emptyMovingState(),
  };
  try {
    await ctx.db.batch([
      ctx.db.insert(moving).values(row),
      audit(ctx, { action: "moving.open", targetId: id, detail: { site: input.site } }),
      ...storeIdempotentAnswer(ctx, { id }),
    ]);
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    const [open] = await ctx.db.select().from(moving).where(isOpen);
    throw new AppError("CONFLICT", {
      message: `${open?.createdUserName ?? "다른 관리자"}님이 시작한 이사가 아직 끝나지 않았습니다. 그 이사를 이어서 하거나 그만둔 뒤에 시작해 주십시오.`,
      cause,
    });
  }
  return { id };
}

export async function readMoving(ctx: AppContext, id: string): Promise<MovingDbRow> {
  const [row] = await ctx.db.select().from(moving).where(eq(moving.id, id));
  if (!row) throw movingNotFound();
  return row;
}

export const hasStatus = (id: string, ...statuses: MovingDbRow["status"][]) => ({
  holds: sql`EXISTS (SELECT 1 FROM moving WHERE id = ${id} AND status IN (SELECT value FROM json_each(${JSON.stringify(statuses)})))`,
  error: () => conflict("이사의 상태가 그사이 바뀌었습니다. 화면을 새로 불러와 주십시오."),
});

export async function checkMoving(ctx: AppContext, id: string): Promise<Record<string, never>> {
  authorizeConsole(ctx);
  await readMoving(ctx, id);
  const isComplete = {
    holds: sql`EXISTS (SELECT 1 FROM moving_archive WHERE moving_id = ${id} AND kind = 'rdx' AND status = 'ready')
      AND NOT EXISTS (SELECT 1 FROM moving_archive WHERE moving_id = ${id} AND status = 'uploading')`,
    error: () => conflict("파일이 아직 다 올라오지 않았습니다. RDX 파일을 끝까지 올린 뒤에 다시 눌러 주십시오."),
  };
  const guards = [hasStatus(id, "uploading"), isComplete];
  await runGuardedBatch(ctx, guards, [
    ctx.db
      .update(moving)
      .set({ status: "checking", state: emptyMovingState(), version: sql`${moving.version} + 1` })
      .where(eq(moving.id, id)),
  ]);
  beginMovingSteps(ctx);
  return {};
}

/** Runs a step while the page is open; otherwise the scheduled job does. */
export async function advanceMoving(
  ctx: AppContext,
  id: string,
): Promise<Pick<MovingView, "status" | "progress" | "progressText">> {
  authorizeConsole(ctx);
  await moveInSteps(ctx);
  const { status, progress, progressText } = movingView(await readMoving(ctx, id), [], [], ctx.now());
  return { status, progress, progressText };
}

/** Archives do not mark blocked members, so the office lists them. */
export async function setBlockedMembers(
  ctx: AppContext,
  id: string,
  input: Parsed<typeof blockedMembersInput>,
): Promise<Record<string, never>> {
  authorizeConsole(ctx);
  await readMoving(ctx, id);
  const keys = input.ids.map((key) => normaliseUserKey("Id", key.trim())).filter(Boolean);
  await runGuardedBatch(ctx, hasStatus(id, "checked"), [
    ctx.db.delete(movingSeen).where(and(eq(movingSeen.movingId, id), eq(movingSeen.kind, "blocked"))),
    ctx.db
      .insert(movingSeen)
      .select(sql`SELECT ${id}, 'blocked', value FROM json_each(${JSON.stringify(keys)}) WHERE true`)
      .onConflictDoNothing(),
  ]);
  return {};
}

export async function cancelMoving(ctx: AppContext, id: string): Promise<Record<string, never>> {
  authorizeConsole(ctx);
  await readMoving(ctx, id);
  const archives = await ctx.db.select().from(movingArchive).where(eq(movingArchive.movingId, id));
  await runGuardedBatch(ctx, hasStatus(id, "uploading", "checking", "checked", "failed"), [
    ctx.db
      .update(moving)
      .set({ status: "cancelled", endedDate: ctx.now(), leaseId: "", leaseDate: null })
      .where(eq(moving.id, id)),
    audit(ctx, { action: "moving.cancel", targetId: id }),
  ]);
  for (const archive of archives) await dropArchive(ctx, archive);
  await ctx.db.$client.batch(clearWorkStatements(ctx.db.$client, id));
  return {};
}

export async function retryMoving(ctx: AppContext, id: string): Promise<Record<string, never>> {
  authorizeConsole(ctx);
  await readMoving(ctx, id);
  await runGuardedBatch(ctx, hasStatus(id, "checking", "committing", "undoing"), [
    ctx.db.update(moving).set({ interruptions: 0, leaseId: "", leaseDate: null, error: "" }).where(eq(moving.id, id)),
  ]);
  return {};
}

/** Requires the rights needed to import the same content. @throws AppError FORBIDDEN */
async function authorizeUndo(ctx: AppContext, { mapping }: MovingDbRow): Promise<void> {
  const codes = Object.values(mapping?.boards ?? {}).flatMap((target) =>
    target.to === "skip" ? [] : [target.boardCode],
  );
  const [boards, roles] = await ctx.db.batch([
    ctx.db.select().from(board).where(idsIn(board.boardCode, codes)),
    ctx.db
      .select()
      .from(role)
      .where(idsIn(role.roleCode, Object.values(mapping?.groups ?? {}))),
  ]);
  for (const each of boards)
    if (!can(ctx.actor, { action: "Board.Manage", board: each }))
      throw new AppError("FORBIDDEN", {
        message: `‘${each.boardName}’ 게시판의 ‘관리’ 권한이 있는 관리자만 되돌릴 수 있습니다.`,
      });
  authorize(ctx, { action: "Permission.Grant", codes: grantedCodes(roles) });
}

export const grantedCodes = (roles: readonly { roleCode: string; permissions: string[] }[]) =>
  roles.filter(({ roleCode }) => roleCode !== SIGNUP_ROLE_CODE).flatMap(({ permissions }) => permissions);

/** Undoes a move in steps; later changes stay. @throws AppError CONFLICT after the undo period */
export async function undoMoving(
  ctx: AppContext,
  id: string,
  input: { reason: string; version: number },
): Promise<Record<string, never>> {
  authorizeConsole(ctx);
  const row = await readMoving(ctx, id);
  await authorizeUndo(ctx, row);
  if (!undoUntil(row, ctx.now())) throw conflict(`옮긴 지 ${MOVING_LIMITS.undoDays}일 안에만 되돌릴 수 있습니다.`);
  const state = { ...row.state, phase: "records" as const, position: 0, issues: {} };
  const guards = [
    hasStatus(id, "committed"),
    unchanged(moving, id, input.version),
    {
      holds: sql`NOT EXISTS (SELECT 1 FROM moving WHERE ${isOpen})`,
      error: () => conflict("끝나지 않은 이사가 있습니다. 그 이사를 마치거나 그만둔 뒤에 되돌려 주십시오."),
    },
  ];
  await runGuardedBatch(ctx, guards, [
    ctx.db.delete(movingIssue).where(eq(movingIssue.movingId, id)),
    ctx.db
      .update(moving)
      .set({ status: "undoing", state, version: sql`${moving.version} + 1` })
      .where(and(eq(moving.id, id))),
    ...auditPeople(
      ctx,
      { action: "moving.undo", targetId: id, reason: input.reason },
      {
        ids: sql`SELECT target_id AS id FROM moved_thing WHERE moving_id = ${id} AND kind = 'member'`,
        count: row.state.committed.members,
      },
    ),
  ]);
  beginMovingSteps(ctx);
  return {};
}

export async function exportMovingIssues(ctx: AppContext, id: string): Promise<SheetDownload> {
  authorizeConsole(ctx);
  const rows = await ctx.db
    .select()
    .from(movingIssue)
    .where(eq(movingIssue.movingId, id))
    .orderBy(asc(movingIssue.code), asc(movingIssue.id))
    .limit(MOVING_LIMITS.issuesKept);
  await audit(ctx, { action: "moving.issues", targetId: id, detail: { rows: rows.length } });
  return sheetDownload(ctx, "csv", "이사_살펴볼것", rows, [
    { label: "구분", text: ({ code }) => (MOVING_ISSUES[code].isLoss ? "옮기지 않음" : "바꾸어 옮김") },
    { label: "이유", text: ({ code }) => MOVING_ISSUES[code].label },
    { label: "이전 사이트의 자료", text: ({ subject }) => subject },
    { label: "자세히", text: ({ detail }) => detail },
  ]);
}

const WORK = { checking: checkArchives, committing: commitArchives, undoing: undoMove } as const;
const isWorking = sql`${moving.status} IN ('checking', 'committing', 'undoing')`;

/** Steps that may end without a result before the move stops. */
const INTERRUPTIONS_MAX = 30;

/** Runs the next step of a pending move; called by the job and the progress page. */
export async function moveInSteps(ctx: AppContext): Promise<void> {
  const row = await claimWork(ctx, moving, isWorking);
  if (!row) return;
  const step = new MovingStep(ctx, moving, row, MOVING_STEP_BUDGET);
  await step.run(
    async () => {
      if (row.interruptions > INTERRUPTIONS_MAX)
        return step.release("여러 번 중단되어 멈추었습니다. '다시 시도'를 눌러 주십시오.");
      await step.readArchives();
      await WORK[row.status as keyof typeof WORK](step);
    },
    () => step.release("잠시 멈추었습니다. 1분 안에 저절로 이어 갑니다."),
  );
}

/** Runs the first step after the response; the scheduled job retries a failure. */
export const beginMovingSteps = (ctx: AppContext): void =>
  ctx.defer(
    moveInSteps(ctx).catch((cause: unknown) =>
      logError({ requestId: ctx.requestId, path: "moving", code: "JOB", cause }),
    ),
  );
