import { and, asc, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { type Place, prepareOnce } from "#db/prepared.ts";
import { boardItem, boardItemComment } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import type { AppContext, BatchRows, RequestScope, View } from "#worker/domain/kernel/context.ts";
import type { CommentView } from "#worker/contract/board/view.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import { authorize, type BoardResource, can, itemResource, type ItemResource } from "../kernel/authorize.server.ts";
import { requireLanguage } from "../kernel/site-identity.server.ts";
import { picturePlacesOf } from "../file/picture.server.ts";
import { authorizeBoard, boardStatement, boardView } from "./board.server.ts";
import { countItemView } from "./reader.server.ts";
import { ITEM_ROW_COLUMNS, itemRowView } from "./row.server.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";

export interface ItemPath {
  boardCode: string;
  itemNo: number;
}

type ItemPlace = { [K in keyof ItemPath]: Place<ItemPath[K]> };

export const itemWhere = ({ boardCode, itemNo }: ItemPlace): SQL =>
  sql`${boardItem.boardCode} = ${boardCode} AND ${boardItem.itemNo} = ${itemNo}`;

const AT: ItemPlace = { boardCode: sql.placeholder("boardCode"), itemNo: sql.placeholder("itemNo") };
const ofItem = (column: SQL) => sql`(SELECT ${column} FROM ${boardItem} WHERE ${itemWhere(AT)})`;

const preparedItem = prepareOnce((db) => db.select().from(boardItem).where(itemWhere(AT)));
const preparedFiles = prepareOnce((db) =>
  db
    .select()
    .from(file)
    .where(
      and(eq(file.itemId, ofItem(sql`id`)), inArray(file.purpose, ["board", "image"]), eq(file.status, "attached")),
    )
    .orderBy(asc(file.sortOrder)),
);

// The date uses the index, the pair breaks ties; unary plus keeps `now` out of the index.
const neighbours = (db: Db, side: SQL) => {
  const date = ofItem(sql`created_date`);
  return db
    .select(ITEM_ROW_COLUMNS)
    .from(boardItem)
    .where(
      sql`${boardItem.boardCode} = ${AT.boardCode} AND ${boardItem.deletedDate} IS NULL AND +${boardItem.createdDate} <= ${sql.placeholder("now")} AND ${boardItem.createdDate} ${side}= ${date} AND (${boardItem.createdDate}, ${boardItem.itemNo}) ${side} (${date}, ${AT.itemNo})`,
    )
    .limit(1);
};
const preparedPrevious = prepareOnce((db) =>
  neighbours(db, sql`<`).orderBy(desc(boardItem.createdDate), desc(boardItem.itemNo)),
);
const preparedNext = prepareOnce((db) =>
  neighbours(db, sql`>`).orderBy(asc(boardItem.createdDate), asc(boardItem.itemNo)),
);
const preparedComments = prepareOnce((db) =>
  db
    .select()
    .from(boardItemComment)
    .where(eq(boardItemComment.itemId, ofItem(sql`id`)))
    .orderBy(asc(boardItemComment.createdDate), sql`board_item_comment.rowid`),
);

function viewStatements(db: Db, { boardCode, itemNo }: ItemPath, now: Date) {
  const at = { boardCode, itemNo };
  const beside = { ...at, now: now.getTime() };
  return [
    boardStatement(db, boardCode),
    preparedItem(db, at),
    preparedFiles(db, at),
    preparedPrevious(db, beside),
    preparedNext(db, beside),
    preparedComments(db, at),
  ] as const;
}

/** Returns the item for a permitted reader; others get NOT_FOUND for a hidden one. */
export function authorizeItem<Row extends BoardResource, T extends Omit<ItemResource, "board">>(
  ctx: AppContext,
  boards: readonly Row[],
  items: readonly T[],
) {
  const row = authorizeBoard(ctx, boards, "View");
  const item = items[0];
  const missing = new AppError("NOT_FOUND", { message: "글을 찾을 수 없습니다." });
  if (!item) throw missing;
  const now = ctx.now();
  const resource = itemResource(row, item);
  const author = ctx.actor.kind !== "guest" && ctx.actor.userId === item.createdUserId;
  // Deleted and scheduled items are hidden; secret ones are listed, so their refusal reveals nothing.
  if (
    (item.deletedDate || item.createdDate > now) &&
    !author &&
    !can(ctx.actor, { action: "Board.Manage", board: row })
  )
    throw missing;
  if (item.deletedDate && !can(ctx.actor, { action: "Board.Manage", board: row })) throw missing;
  authorize(ctx, { action: "Item.Read", item: resource, now });
  return { board: row, item, resource };
}

function itemView(ctx: AppContext, rows: BatchRows<ReturnType<typeof viewStatements>>) {
  const [boards, items, files, previous, next] = rows;
  const opened = authorizeItem(ctx, boards, items);
  const { board, item } = opened;
  const neighbour = (candidate: (typeof previous)[number] | undefined) =>
    candidate ? { itemNo: candidate.itemNo, title: itemRowView(ctx, board, candidate).title } : null;
  const view = {
    ...itemRowView(ctx, board, item),
    content: item.content,
    files: files
      .filter(({ purpose }) => purpose === "board")
      .map(({ id, fileName, size, contentType }) => ({
        fileId: id,
        fileName,
        size,
        contentType,
        url: `/api/file/${id}`,
      })),
    isCommentClosed: item.isCommentClosed,
    version: item.version,
    mine: ctx.actor.kind !== "guest" && ctx.actor.userId === item.createdUserId,
    modifiedDate: item.modifiedDate.toISOString(),
    pinnedUntil: item.pinnedUntil?.toISOString() ?? null,
    previous: neighbour(previous[0]),
    next: neighbour(next[0]),
  };
  return { view, opened };
}

export async function getItem(scope: RequestScope, path: ItemPath) {
  const { ctx, rows } = await scope.read(viewStatements(scope.db, path, scope.now()));
  const { view } = itemView(ctx, rows);
  countItemView(ctx, path, ctx.actor.kind === "guest" ? undefined : ctx.actor.userId);
  return view;
}

export type ItemView = View<typeof getItem>;

export async function getBoardViewPage(scope: RequestScope, path: ItemPath, language: Language = "ko") {
  const { ctx, rows } = await scope.read(viewStatements(scope.db, path, scope.now()));
  requireLanguage(ctx, language);
  const { view, opened } = itemView(ctx, rows);
  const { board, resource } = opened;
  countItemView(ctx, path, ctx.actor.kind === "guest" ? undefined : ctx.actor.userId);
  const now = ctx.now();
  return {
    board: boardView(ctx, board, language),
    item: view,
    pictures: picturePlacesOf(rows[2].filter(({ purpose }) => purpose === "image")),
    comments: board.useComment ? commentViews(ctx, resource, rows[5]) : [],
    can: {
      change: can(ctx.actor, { action: "Item.Change", item: resource, now }),
      comment:
        board.useComment && !view.isCommentClosed && can(ctx.actor, { action: "Item.Comment", item: resource, now }),
      download: can(ctx.actor, { action: "Item.Download", item: resource, now }),
      report: ctx.actor.kind !== "guest" && !can(ctx.actor, { action: "Board.Manage", board }),
    },
  };
}

export type BoardViewPage = View<typeof getBoardViewPage>;

type CommentRow = typeof boardItemComment.$inferSelect;

/** Sorted as a conversation; a deleted comment with answers stays as a tombstone. */
export function commentViews(ctx: AppContext, item: ItemResource, rows: CommentRow[]): CommentView[] {
  const answered = new Set(rows.filter((row) => !row.deletedDate).map((row) => row.parentCommentId));
  const shown = rows.filter((row) => !row.deletedDate || answered.has(row.id));
  const top = shown.filter((row) => row.parentCommentId === null);
  return top
    .flatMap((row) => [row, ...shown.filter((reply) => reply.parentCommentId === row.id)])
    .map((row) => commentView(ctx, item, row));
}

function commentView(ctx: AppContext, item: ItemResource, row: CommentRow): CommentView {
  const isDeleted = !can(ctx.actor, { action: "Comment.Read", comment: row, item, now: ctx.now() });
  return {
    commentId: row.id,
    parentCommentId: row.parentCommentId,
    content: isDeleted ? UI_MESSAGES.deletedComment : row.content,
    createdUserName: isDeleted ? "" : row.createdUserName,
    createdDate: row.createdDate.toISOString(),
    isDeleted,
    mine: !isDeleted && ctx.actor.kind !== "guest" && ctx.actor.userId === row.createdUserId,
    version: row.version,
  };
}
