import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { board, boardItem, boardItemComment, itemReport } from "#db/schema.ts";
import type { AppContext, Door } from "#worker/context.server.ts";
import { type Page, pageOf } from "#worker/contract/envelope.ts";
import { AppError } from "#worker/contract/errors.ts";
import type { DecideReportInput, ListReportsQuery, ReportedThing, ReportInput } from "#worker/contract/report.ts";
import { plainText } from "#worker/contract/search.ts";
import { can } from "../access.server.ts";
import { administrating, change } from "../admin/change.server.ts";
import { audit } from "../audit.server.ts";
import { isTaken } from "../guard.server.ts";
import { countLimits } from "../limit.server.ts";
import { openBoard } from "./board.server.ts";
import { countComments, itemStatements, openWithComment } from "./comment.server.ts";
import type { ItemPath } from "./view.server.ts";

const CONTENT_LENGTH = 500;
/** Open things are looked through for those of the caller's boards; more than anybody should leave undone. */
const THINGS_MAX = 1000;

/** PUT board-item-report: whoever may read it and did not write it; once a person and thing. */
export async function createReport(
  ctx: AppContext,
  path: ItemPath,
  input: ReportInput,
): Promise<Record<string, never>> {
  const { item, comment, me } = await openWithComment(ctx, path, input.commentId ?? undefined);
  if (input.commentId && (!comment || comment.deletedDate))
    throw new AppError("NOT_FOUND", { message: "댓글을 찾을 수 없습니다." });
  const { createdUserId } = comment ?? item;
  if (createdUserId === me.userId) throw new AppError("FORBIDDEN", { message: "자신이 쓴 글은 신고할 수 없습니다." });
  await countLimits(ctx, ["report", me.userId]);
  try {
    await ctx.db.insert(itemReport).values({
      id: crypto.randomUUID(),
      itemId: item.id,
      commentId: comment?.id ?? "",
      reporterUserId: me.userId,
      reason: input.reason,
      text: input.text,
      createdDate: ctx.now(),
    });
  } catch (error) {
    if (!isTaken(error, "item_report")) throw error;
    throw new AppError("ALREADY_EXISTS", { message: "이미 신고하셨습니다. 관리자가 확인하고 있습니다." });
  }
  return {};
}

/** GET admin/report: what was reported in the boards that the caller manages, the newest report first. */
export async function listReports(door: Door, query: ListReportsQuery): Promise<Page<ReportedThing>> {
  const isOpen = query.status === "open" ? sql`status = 'open'` : sql`status <> 'open'`;
  const { ctx, rows } = await door.read([
    door.db.select().from(board),
    door.db
      .select({
        itemId: itemReport.itemId,
        commentId: itemReport.commentId,
        boardCode: boardItem.boardCode,
        last: sql<number>`max(${itemReport.createdDate})`,
      })
      .from(itemReport)
      .innerJoin(boardItem, eq(boardItem.id, itemReport.itemId))
      .where(isOpen)
      .groupBy(itemReport.itemId, itemReport.commentId)
      .orderBy(desc(sql`max(${itemReport.createdDate})`))
      .limit(THINGS_MAX),
  ]);
  administrating(ctx);
  const boards = rows[0].filter((row) => can(ctx.actor, { action: "Board.Manage", board: row }));
  const nameOf = (boardCode: string) => boards.find((row) => row.boardCode === boardCode)?.boardName;
  const things = rows[1].filter((thing) => nameOf(thing.boardCode) !== undefined);
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
      .where(sql`${itemReport.itemId} ${wanted} AND ${isOpen}`)
      .orderBy(desc(itemReport.createdDate)),
  ]);
  const content = shown.flatMap((thing): ReportedThing[] => {
    const item = items.find((row) => row.id === thing.itemId);
    const own = reports.filter((row) => row.itemId === thing.itemId && row.commentId === thing.commentId);
    const [first] = own;
    if (!item || !first) return [];
    const comment = comments.find((row) => row.id === thing.commentId);
    return [
      {
        boardCode: item.boardCode,
        boardName: nameOf(item.boardCode) ?? item.boardCode,
        itemNo: item.itemNo,
        commentId: thing.commentId || null,
        title: item.title,
        content: (comment?.content ?? plainText(item.content)).slice(0, CONTENT_LENGTH),
        createdUserName: (comment ?? item).createdUserName,
        isGone: item.deletedDate !== null || (thing.commentId !== "" && !comment) || Boolean(comment?.deletedDate),
        status: first.status,
        decidedDate: first.decidedDate?.toISOString() ?? null,
        reports: own.map(({ reason, text, createdDate }) => ({ reason, text, createdDate: createdDate.toISOString() })),
      },
    ];
  });
  return pageOf(content, { page: query.page, size: query.size, totalElements: things.length });
}

/** POST admin/report: needs ADMIN_Access and Manage of the board. Hiding sends an item to the bin and deletes a comment. */
export async function decideReport(
  ctx: AppContext,
  path: ItemPath,
  input: DecideReportInput,
): Promise<Record<string, never>> {
  administrating(ctx);
  const commentId = input.commentId ?? "";
  const [boards, items] = await ctx.db.batch([...itemStatements(ctx.db, path)]);
  openBoard(ctx, boards, "Manage");
  const missing = () => new AppError("NOT_FOUND", { message: "처리할 신고가 없습니다." });
  const [item] = items;
  if (!item) throw missing();
  const now = ctx.now();
  const open = and(eq(itemReport.itemId, item.id), eq(itemReport.commentId, commentId), eq(itemReport.status, "open"));
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
            countComments(ctx, item.id),
          ]
        : [
            ctx.db
              .update(boardItem)
              .set({ deletedDate: now, version: sql`${boardItem.version} + 1` })
              .where(and(eq(boardItem.id, item.id), isNull(boardItem.deletedDate))),
          ];
  await change(
    ctx,
    [{ holds: sql`EXISTS (SELECT 1 FROM ${itemReport} WHERE ${open})`, error: missing }],
    [
      ...hide,
      ctx.db
        .update(itemReport)
        .set({ status: input.decision === "hide" ? "hidden" : "dismissed", decidedDate: now })
        .where(open),
      audit(ctx, {
        action: `report.${input.decision}`,
        targetType: "boardItem",
        targetId: `${path.boardCode}/${path.itemNo}`,
        detail: commentId ? { commentId } : {},
      }),
    ],
  );
  return {};
}
