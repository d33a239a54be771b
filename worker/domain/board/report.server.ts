import type { AppContext } from "#worker/domain/kernel/context.ts";
import { itemReport } from "#db/schema/board-report.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { ReportInput } from "#worker/contract/board/input.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { isUniqueViolation } from "../kernel/guard.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { authorizeItemWithComment } from "./comment.server.ts";
import type { ItemPath } from "./view.server.ts";

export async function createReport(
  ctx: AppContext,
  path: ItemPath,
  input: ReportInput,
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
