import { and, asc, eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { type Place, prepareOnce } from "#db/prepared.ts";
import { board } from "#db/schema/board.ts";
import { noticeChoice } from "#db/schema/mail.ts";
import type { AppContext, View } from "#worker/domain/kernel/context.ts";
import type { NotificationsInput } from "#worker/contract/mail/input.ts";
import { ACTIVITY_KINDS } from "#worker/contract/mail/mail.ts";
import { authorize, can, requireSignedIn } from "../kernel/authorize.server.ts";
import {
  isOfficeMailOn,
  ownMailAddressStatement,
  setCommentNotifications,
  setOfficeMail,
  standardChoiceStatement,
} from "../mail/unsubscribe.server.ts";
import { authorizeBoard, boardStatement } from "./board.server.ts";

const followWhere = (userId: Place<string>, boardCode: Place<string>) =>
  and(eq(noticeChoice.kind, "item"), eq(noticeChoice.target, boardCode), eq(noticeChoice.userId, userId));

export async function followBoard(ctx: AppContext, boardCode: string): Promise<{ following: boolean }> {
  const { userId } = requireSignedIn(ctx);
  const row = authorizeBoard(ctx, await boardStatement(ctx.db, boardCode).all(), "List");
  authorize(ctx, { action: "Board.View", board: row });
  await ctx.db
    .insert(noticeChoice)
    .values({ kind: "item", target: boardCode, userId, isOn: true, createdDate: ctx.now() })
    .onConflictDoNothing();
  return { following: true };
}

/** Works after the loss of the right, too. */
export async function unfollowBoard(ctx: AppContext, boardCode: string): Promise<{ following: boolean }> {
  const { userId } = requireSignedIn(ctx);
  await ctx.db.delete(noticeChoice).where(followWhere(userId, boardCode));
  return { following: false };
}

export const followStatement = (db: Db, userId: string, boardCode: string) => preparedFollow(db, { userId, boardCode });

const preparedFollow = prepareOnce((db) =>
  db
    .select({ isOn: noticeChoice.isOn })
    .from(noticeChoice)
    .where(followWhere(sql.placeholder("userId"), sql.placeholder("boardCode"))),
);

const refusalKind = (ctx: AppContext) => (ctx.actor.kind === "guest" ? ("told" as const) : ("hidden" as const));

export async function listNotifications(ctx: AppContext, userId: string) {
  authorize(ctx, { action: "User.Self", userId }, refusalKind(ctx));
  const [boards, choices, addresses] = await ctx.db.batch([
    ctx.db
      .select({ boardCode: board.boardCode, boardName: board.boardName, isClosed: board.isClosed })
      .from(board)
      .orderBy(asc(board.sortOrder)),
    ctx.db
      .select()
      .from(noticeChoice)
      .where(sql`${noticeChoice.userId} = ${userId}`),
    ownMailAddressStatement(ctx, userId),
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
    office: isOfficeMailOn(addresses),
    bell: ACTIVITY_KINDS.filter((kind) => kind !== "import" || can(ctx.actor, { action: "Alumni_Import" })).map(
      (kind) => ({
        kind,
        isOn: choices.find((choice) => choice.kind === "bell" && choice.target === kind)?.isOn ?? true,
      }),
    ),
  };
}

export type NotificationsView = View<typeof listNotifications>;

export async function changeNotifications(
  ctx: AppContext,
  userId: string,
  { comments, office, bell = {} }: NotificationsInput,
): Promise<NotificationsView> {
  authorize(ctx, { action: "User.Self", userId }, refusalKind(ctx));
  if (office !== undefined) await setOfficeMail(ctx, userId, office);
  if (comments !== undefined) await setCommentNotifications(ctx, userId, comments);
  const kinds = ACTIVITY_KINDS.flatMap((kind) => {
    const isOn = bell[kind];
    return isOn === undefined ? [] : [standardChoiceStatement(ctx, { kind: "bell", target: kind, userId }, isOn)];
  });
  const [first, ...rest] = kinds;
  if (first) await ctx.db.batch([first, ...rest]);
  return listNotifications(ctx, userId);
}
