import { and, desc, eq, sql } from "drizzle-orm";
import { boardItem, boardItemRevision } from "#db/schema/board.ts";
import { columnsOf } from "#db/sql.ts";
import type { AppContext, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { authorize, type BoardRow, itemResource } from "../kernel/authorize.server.ts";
import { authorizeBoard, boardStatement, boardView } from "./board.server.ts";
import { ITEM_ROW_COLUMNS } from "./row.server.ts";
import { htmlLines } from "../kernel/html-text.server.ts";
import { sentenceDifference } from "../kernel/sentence-difference.ts";
import { type ItemPath, itemWhere } from "./view.server.ts";
import { updateItem } from "./write.server.ts";

type StoredRevision = typeof boardItemRevision.$inferSelect;

const revisionRowView = ({ version, title, modifiedUserName, modifiedDate }: Omit<StoredRevision, "content">) => ({
  version,
  title,
  modifiedUserName,
  modifiedDate: modifiedDate.toISOString(),
});

const isOfItem = (path: ItemPath) =>
  sql`${boardItemRevision.itemId} = (SELECT id FROM ${boardItem} WHERE ${itemWhere(path)})`;

const historyStatements = (db: RequestScope["db"], path: ItemPath) =>
  [boardStatement(db, path.boardCode), db.select(ITEM_ROW_COLUMNS).from(boardItem).where(itemWhere(path))] as const;

/** Only people who can change the item see its history. */
function authorizeHistory(
  ctx: AppContext,
  boards: readonly BoardRow[],
  items: Omit<typeof boardItem.$inferSelect, "content">[],
) {
  const row = authorizeBoard(ctx, boards, "List");
  const item = items[0];
  if (!item) throw new AppError("NOT_FOUND", { message: "글을 찾을 수 없습니다." });
  authorize(ctx, { action: "Item.Change", item: itemResource(row, item), now: ctx.now() }, "hidden");
  return { row, item };
}

const revisionsStatement = (db: RequestScope["db"], path: ItemPath) =>
  db
    .select({
      ...columnsOf(boardItemRevision, "itemId", "version", "title", "category", "modifiedUserId", "modifiedUserName"),
      modifiedDate: boardItemRevision.modifiedDate,
    })
    .from(boardItemRevision)
    .where(isOfItem(path))
    .orderBy(desc(boardItemRevision.version))
    .limit(200);

export async function listRevisions(scope: RequestScope, path: ItemPath): Promise<View<typeof revisionRowView>[]> {
  const { ctx, rows } = await scope.read([...historyStatements(scope.db, path), revisionsStatement(scope.db, path)]);
  authorizeHistory(ctx, rows[0], rows[1]);
  return rows[2].map(revisionRowView);
}

export async function getRevision(scope: RequestScope, path: ItemPath, revision: number) {
  const { ctx, rows } = await scope.read([
    ...historyStatements(scope.db, path),
    scope.db
      .select()
      .from(boardItemRevision)
      .where(and(isOfItem(path), eq(boardItemRevision.version, revision))),
  ]);
  authorizeHistory(ctx, rows[0], rows[1]);
  const found = rows[2][0];
  if (!found) throw new AppError("NOT_FOUND", { message: "그 버전을 찾을 수 없습니다." });
  return { ...revisionRowView(found), content: found.content, category: found.category };
}

/** Restores a version as a new edit; the current version stays in the history. */
export async function restoreRevision(
  ctx: AppContext,
  path: ItemPath,
  revision: number,
  version: number,
): Promise<{ itemNo: number; version: number }> {
  const [boards, items, revisions] = await ctx.db.batch([
    ...historyStatements(ctx.db, path),
    ctx.db
      .select()
      .from(boardItemRevision)
      .where(and(isOfItem(path), eq(boardItemRevision.version, revision))),
  ]);
  const { row } = authorizeHistory(ctx, boards, items);
  const found = revisions[0];
  if (!found) throw new AppError("NOT_FOUND", { message: "그 버전을 찾을 수 없습니다." });
  const { title, content, category } = found;
  const known = category === "" || row.categories.includes(category);
  return updateItem(ctx, path, { title, content, ...(known ? { category } : {}), version });
}

export async function getHistoryPage(scope: RequestScope, path: ItemPath, revision: number | null) {
  const chosen =
    revision === null ? sql`(SELECT max(version) FROM board_item_revision WHERE ${isOfItem(path)})` : sql`${revision}`;
  const { ctx, rows } = await scope.read([
    ...historyStatements(scope.db, path),
    revisionsStatement(scope.db, path),
    scope.db
      .select()
      .from(boardItemRevision)
      .where(and(isOfItem(path), sql`${boardItemRevision.version} <= ${chosen}`))
      .orderBy(desc(boardItemRevision.version))
      .limit(2),
  ]);
  const { row, item } = authorizeHistory(ctx, rows[0], rows[1]);
  const [current, before] = rows[3];
  const lines = (stored: StoredRevision | undefined) =>
    stored
      ? [
          `제목: ${stored.title}`,
          `분류: ${stored.category || "없음"}`,
          ...htmlLines(stored.content, { pictures: true }),
        ]
      : [];
  return {
    board: boardView(ctx, row),
    item: { itemNo: item.itemNo, title: item.title, version: item.version },
    revisions: rows[2].map(revisionRowView),
    chosen:
      current && (revision === null || current.version === revision)
        ? {
            ...revisionRowView(current),
            before: before?.version ?? null,
            isCurrent: current.version === rows[2][0]?.version,
            lines: sentenceDifference(before ? lines(before) : lines(current), lines(current)),
          }
        : null,
  };
}

export type ItemHistoryPageData = View<typeof getHistoryPage>;
