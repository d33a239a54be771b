import { and, asc, eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { board } from "#db/schema/board.ts";
import { noticeChoice } from "#db/schema/mail.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { NoticesView } from "#worker/contract/mail/view.ts";
import { can, permit, signedIn } from "../kernel/authorize.server.ts";
import { setCommentNotices } from "../mail/unsubscribe.server.ts";
import { boardStatement, openBoard } from "./board.server.ts";

const followWhere = (userId: string, boardCode: string) =>
  and(eq(noticeChoice.kind, "item"), eq(noticeChoice.target, boardCode), eq(noticeChoice.userId, userId));

/** Needs List and View; what appears from now on is told by mail. Twice is once. */
export async function followBoard(ctx: AppContext, boardCode: string): Promise<{ following: boolean }> {
  const { userId } = signedIn(ctx);
  const row = openBoard(ctx, await boardStatement(ctx.db, boardCode), "List");
  permit(ctx, { action: "Board.View", board: row });
  await ctx.db
    .insert(noticeChoice)
    .values({ kind: "item", target: boardCode, userId, isOn: true, createdDate: ctx.now() })
    .onConflictDoNothing();
  return { following: true };
}

/** Also where the right was lost meanwhile. */
export async function unfollowBoard(ctx: AppContext, boardCode: string): Promise<{ following: boolean }> {
  const { userId } = signedIn(ctx);
  await ctx.db.delete(noticeChoice).where(followWhere(userId, boardCode));
  return { following: false };
}

/** Whether the person who looks at a board follows it. */
export const followStatement = (db: Db, userId: string, boardCode: string) =>
  db.select({ isOn: noticeChoice.isOn }).from(noticeChoice).where(followWhere(userId, boardCode));

const refusal = (ctx: AppContext) => (ctx.actor.kind === "guest" ? ("told" as const) : ("hidden" as const));

/** GET user/{id}/notices: for the person alone. */
export async function listNotices(ctx: AppContext, userId: string): Promise<NoticesView> {
  permit(ctx, { action: "User.Self", userId }, refusal(ctx));
  const [boards, choices] = await ctx.db.batch([
    ctx.db
      .select({ boardCode: board.boardCode, boardName: board.boardName, isClosed: board.isClosed })
      .from(board)
      .orderBy(asc(board.sortOrder)),
    ctx.db
      .select()
      .from(noticeChoice)
      .where(sql`${noticeChoice.userId} = ${userId}`),
  ]);
  const readable = boards.filter(
    (row) =>
      !row.isClosed &&
      can(ctx.actor, { action: "Board.List", board: row }) &&
      can(ctx.actor, { action: "Board.View", board: row }),
  );
  return {
    boards: readable.map(({ boardCode, boardName }) => ({
      boardCode,
      boardName,
      following: choices.some((choice) => choice.kind === "item" && choice.target === boardCode && choice.isOn),
    })),
    comments: choices.find((choice) => choice.kind === "comment")?.isOn ?? true,
  };
}

/** PATCH user/{id}/notices: whether comments on what the person wrote are told. */
export async function changeNotices(
  ctx: AppContext,
  userId: string,
  input: { comments: boolean },
): Promise<NoticesView> {
  permit(ctx, { action: "User.Self", userId }, refusal(ctx));
  await setCommentNotices(ctx, userId, input.comments);
  return listNotices(ctx, userId);
}
