import type { AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { board, boardItem, boardItemComment, itemReport } from "#db/schema/board.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { makePage } from "#worker/contract/kernel/page.ts";
import type { decideReportInput, listReportsQuery, reportInput } from "#worker/contract/board/input.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { inStateFor } from "../kernel/desk.server.ts";
import { isUniqueViolation, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { reindexItems } from "./search-index.server.ts";
import { authorizeItemWithComment, boardAndItemStatements, recountComments } from "./comment.server.ts";
import type { ItemPath } from "./view.server.ts";
import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { activity } from "#db/schema/mail.ts";
import { REPORT_DESK } from "#worker/contract/board/rules.ts";
import { authorizeConsole, can } from "../kernel/authorize.server.ts";
import { isBellOn } from "../mail/activity.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { htmlToText } from "../kernel/html-text.server.ts";
import { authorizeBoard, boardStatement, boardView } from "./board.server.ts";

export async function createReport(
  ctx: AppContext,
  path: ItemPath,
  input: Parsed<typeof reportInput>,
): Promise<Record<string, never>> {
  const { item, comment, me } = await authorizeItemWithComment(ctx, path, input.commentId ?? undefined);
  if (input.commentId && (!comment || comment.deletedDate))
    throw new AppError("NOT_FOUND", { message: "댓글을 찾을 수 없습니다." });
  const { createdUserId } = comment ?? item;
  if (createdUserId === me.userId) throw new AppError("FORBIDDEN", { message: "자신이 쓴 글은 신고할 수 없습니다." });
  await countLimits(ctx, ["report", me.userId]);
  try {
    await ctx.db.batch([
      ctx.db.insert(itemReport).values({
        id: crypto.randomUUID(),
        itemId: item.id,
        commentId: comment?.id ?? "",
        reporterUserId: me.userId,
        reason: input.reason,
        text: input.text,
        createdDate: ctx.now(),
      }),
      ...storeIdempotentAnswer(ctx, {}),
    ]);
  } catch (error) {
    if (!isUniqueViolation(error, "item_report")) throw error;
    throw new AppError("ALREADY_EXISTS", { message: "이미 신고하셨습니다. 관리자가 확인하고 있습니다." });
  }
  return {};
}

const CONTENT_LENGTH = 500;
/** Most open reports read for the caller's boards. */
const THINGS_MAX = 1000;

const isReportOpen = (query: Parsed<typeof listReportsQuery>) =>
  query.status === "open" ? sql`status = 'open'` : sql`status <> 'open'`;

const reportedThingsStatement = (db: Db, where: SQL | undefined) =>
  db
    .select({
      itemId: itemReport.itemId,
      commentId: itemReport.commentId,
      boardCode: boardItem.boardCode,
      last: sql<number>`max(${itemReport.createdDate})`,
    })
    .from(itemReport)
    .innerJoin(boardItem, eq(boardItem.id, itemReport.itemId))
    .where(where)
    .groupBy(itemReport.itemId, itemReport.commentId)
    .orderBy(desc(sql`max(${itemReport.createdDate})`))
    .limit(THINGS_MAX);

/** The number of things with open reports in each board. */
export const openReportsStatement = (db: Db) =>
  db
    .select({ board, count: sql<number>`count(DISTINCT ${itemReport.itemId} || ' ' || ${itemReport.commentId})` })
    .from(itemReport)
    .innerJoin(boardItem, eq(boardItem.id, itemReport.itemId))
    .innerJoin(board, eq(board.boardCode, boardItem.boardCode))
    .where(eq(itemReport.status, "open"))
    .groupBy(board.boardCode);

type BoardReports = Awaited<ReturnType<typeof openReportsStatement>>[number];

/** Counts the reports that the caller may decide. */
export const managedReports = ({ actor }: AppContext, reports: readonly BoardReports[]) =>
  reports.reduce((sum, row) => sum + (can(actor, { action: "Board.Manage", board: row.board }) ? row.count : 0), 0);

export async function listReports(scope: RequestScope, query: Parsed<typeof listReportsQuery>) {
  const { ctx, rows } = await scope.readFor(authorizeConsole, [
    scope.db.select().from(board),
    reportedThingsStatement(scope.db, isReportOpen(query)),
  ]);
  const boards = rows[0].filter((row) => can(ctx.actor, { action: "Board.Manage", board: row }));
  const names = new Map(boards.map(({ boardCode, boardName }) => [boardCode, boardName]));
  return readReportedThings(
    ctx,
    rows[1].filter(({ boardCode }) => names.has(boardCode)),
    names,
    query,
  );
}

export async function listBoardReports(scope: RequestScope, boardCode: string, query: Parsed<typeof listReportsQuery>) {
  const { ctx, rows } = await scope.read([
    boardStatement(scope.db, boardCode),
    reportedThingsStatement(scope.db, and(isReportOpen(query), eq(boardItem.boardCode, boardCode))),
  ]);
  const row = authorizeBoard(ctx, rows[0], "Manage");
  const names = new Map([[row.boardCode, row.boardName]]);
  return { board: boardView(ctx, row), ...(await readReportedThings(ctx, rows[1], names, query)) };
}

export type ReportedContent = View<typeof listReports>["content"][number];

/** Items and comments with all their reports. Reporters are never revealed. */
async function readReportedThings(
  ctx: AppContext,
  things: readonly Awaited<ReturnType<typeof reportedThingsStatement>>[number][],
  names: ReadonlyMap<string, string>,
  query: Parsed<typeof listReportsQuery>,
) {
  const shown = things.slice((query.page - 1) * query.size, query.page * query.size);
  const ids = JSON.stringify(shown.map(({ itemId }) => itemId));
  const wanted = sql`IN (SELECT value FROM json_each(${ids}))`;
  const [items, comments, reports] = await ctx.db.batch([
    ctx.db
      .select()
      .from(boardItem)
      .where(sql`${boardItem.id} ${wanted}`),
    ctx.db
      .select()
      .from(boardItemComment)
      .where(sql`${boardItemComment.id} IN (SELECT comment_id FROM item_report WHERE item_id ${wanted})`),
    ctx.db
      .select()
      .from(itemReport)
      .where(sql`${itemReport.itemId} ${wanted} AND ${isReportOpen(query)}`)
      .orderBy(desc(itemReport.createdDate)),
  ]);
  const content = shown.flatMap((thing) => {
    const item = items.find((row) => row.id === thing.itemId);
    const own = reports.filter((row) => row.itemId === thing.itemId && row.commentId === thing.commentId);
    const [first] = own;
    if (!item || !first) return [];
    const comment = comments.find((row) => row.id === thing.commentId);
    return [
      {
        boardCode: item.boardCode,
        boardName: names.get(item.boardCode) ?? item.boardCode,
        itemNo: item.itemNo,
        commentId: thing.commentId || null,
        title: item.title,
        content: (comment?.content ?? htmlToText(item.content)).slice(0, CONTENT_LENGTH),
        createdUserName: (comment ?? item).createdUserName,
        isGone: item.deletedDate !== null || (thing.commentId !== "" && !comment) || Boolean(comment?.deletedDate),
        status: first.status,
        decidedDate: first.decidedDate?.toISOString() ?? null,
        reports: own.map(({ reason, text, createdDate }) => ({ reason, text, createdDate: createdDate.toISOString() })),
      },
    ];
  });
  return makePage(content, { page: query.page, size: query.size, totalElements: things.length });
}

export async function decideReport(
  ctx: AppContext,
  path: ItemPath,
  input: Parsed<typeof decideReportInput>,
): Promise<Record<string, never>> {
  authorizeConsole(ctx);
  return decideBoardReport(ctx, path, input);
}

export async function decideBoardReport(
  ctx: AppContext,
  path: ItemPath,
  input: Parsed<typeof decideReportInput>,
): Promise<Record<string, never>> {
  const commentId = input.commentId ?? "";
  const [boards, items] = await ctx.db.batch([...boardAndItemStatements(ctx.db, path)]);
  authorizeBoard(ctx, boards, "Manage");
  const missing = () => new AppError("NOT_FOUND", { message: "처리할 신고가 없습니다." });
  const [item] = items;
  if (!item) throw missing();
  const now = ctx.now();
  const open = and(
    eq(itemReport.itemId, item.id),
    eq(itemReport.commentId, commentId),
    inStateFor(REPORT_DESK, input.decision, itemReport.status),
  );
  const hide =
    input.decision === "dismiss"
      ? []
      : commentId
        ? [
            ctx.db
              .update(boardItemComment)
              .set({ deletedDate: now, version: sql`${boardItemComment.version} + 1` })
              .where(
                and(
                  eq(boardItemComment.id, commentId),
                  eq(boardItemComment.itemId, item.id),
                  isNull(boardItemComment.deletedDate),
                ),
              ),
            recountComments(ctx, item.id),
          ]
        : [
            ctx.db
              .update(boardItem)
              .set({ deletedDate: now, version: sql`${boardItem.version} + 1` })
              .where(and(eq(boardItem.id, item.id), isNull(boardItem.deletedDate))),
          ];
  await runGuardedBatch(ctx, { holds: sql`EXISTS (SELECT 1 FROM ${itemReport} WHERE ${open})`, error: missing }, [
    ...hide,
    // Notifies the reporters without naming each other.
    ctx.db
      .insert(activity)
      .select(
        sql`SELECT NULL, reporter_user_id, 'report', item_id, NULL, json_object('decision', ${input.decision}), ${now.getTime()}, NULL, 'report:' || id FROM item_report WHERE ${open} AND ${isBellOn(sql`'report'`, sql`reporter_user_id`)}`,
      )
      .onConflictDoNothing(),
    ctx.db.update(itemReport).set({ status: REPORT_DESK.commands[input.decision].to, decidedDate: now }).where(open),
    audit(ctx, {
      action: input.decision === "hide" ? "report.hide" : "report.dismiss",
      targetType: "boardItem",
      targetId: `${path.boardCode}/${path.itemNo}`,
      detail: commentId ? { commentId } : {},
    }),
  ]);
  if (commentId && input.decision === "hide") await reindexItems(ctx.db, [item.id]);
  return {};
}
