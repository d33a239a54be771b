import { and, desc, eq, sql } from "drizzle-orm";
import { boardItem, boardItemRevision } from "#db/schema/board.ts";
import type { AppContext, Door } from "#worker/domain/kernel/context.ts";
import type { HistoryPageData, RevisionRow, RevisionView } from "#worker/contract/board/view.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { permit } from "../kernel/authorize.server.ts";
import { boardStatement, boardView, openBoard } from "./board.server.ts";
import { difference, textLines } from "./difference.ts";
import { ROW_COLUMNS } from "./row.server.ts";
import { itemResource } from "../kernel/resource.server.ts";
import { type ItemPath, itemWhere } from "./view.server.ts";
import { updateItem } from "./write.server.ts";

type Stored = typeof boardItemRevision.$inferSelect;

const rowOf = ({ version, title, modifiedUserName, modifiedDate }: Omit<Stored, "content">): RevisionRow => ({
  version,
  title,
  modifiedUserName,
  modifiedDate: modifiedDate.toISOString(),
});

const ofItem = (path: ItemPath) =>
  sql`${boardItemRevision.itemId} = (SELECT id FROM ${boardItem} WHERE ${itemWhere(path)})`;

const openStatements = (db: Door["db"], path: ItemPath) =>
  [boardStatement(db, path.boardCode), db.select(ROW_COLUMNS).from(boardItem).where(itemWhere(path))] as const;

type Opened = Awaited<ReturnType<typeof open>>;

/** The item of somebody who may change it; for others neither it nor its past is there. */
function open(
  ctx: AppContext,
  boards: Parameters<typeof openBoard>[1],
  items: Omit<typeof boardItem.$inferSelect, "content">[],
) {
  const row = openBoard(ctx, boards, "List");
  const item = items[0];
  if (!item) throw new AppError("NOT_FOUND", { message: "글을 찾을 수 없습니다." });
  permit(ctx, { action: "Item.Change", item: itemResource(row, item), now: ctx.now() }, "hidden");
  return { row, item };
}

const list = (db: Door["db"], path: ItemPath) =>
  db
    .select({
      itemId: boardItemRevision.itemId,
      version: boardItemRevision.version,
      title: boardItemRevision.title,
      category: boardItemRevision.category,
      modifiedUserId: boardItemRevision.modifiedUserId,
      modifiedUserName: boardItemRevision.modifiedUserName,
      modifiedDate: boardItemRevision.modifiedDate,
    })
    .from(boardItemRevision)
    .where(ofItem(path))
    .orderBy(desc(boardItemRevision.version))
    .limit(200);

/** GET …/revision: the author or a manager; empty until somebody edits. */
export async function listRevisions(door: Door, path: ItemPath): Promise<RevisionRow[]> {
  const { ctx, rows } = await door.read([...openStatements(door.db, path), list(door.db, path)]);
  open(ctx, rows[0], rows[1]);
  return rows[2].map(rowOf);
}

/** GET …/revision/{version} */
export async function getRevision(door: Door, path: ItemPath, revision: number): Promise<RevisionView> {
  const { ctx, rows } = await door.read([
    ...openStatements(door.db, path),
    door.db
      .select()
      .from(boardItemRevision)
      .where(and(ofItem(path), eq(boardItemRevision.version, revision))),
  ]);
  open(ctx, rows[0], rows[1]);
  const found = rows[2][0];
  if (!found) throw new AppError("NOT_FOUND", { message: "그 판을 찾을 수 없습니다." });
  return { ...rowOf(found), content: found.content, category: found.category };
}

/** POST …/revision/{version}/restore: as an edit of the current version, which stays in the history. */
export async function restoreRevision(
  ctx: AppContext,
  path: ItemPath,
  revision: number,
  version: number,
): Promise<{ itemNo: number; version: number }> {
  const [boards, items, revisions] = await ctx.db.batch([
    ...openStatements(ctx.db, path),
    ctx.db
      .select()
      .from(boardItemRevision)
      .where(and(ofItem(path), eq(boardItemRevision.version, revision))),
  ]);
  const { row }: Opened = open(ctx, boards, items);
  const found = revisions[0];
  if (!found) throw new AppError("NOT_FOUND", { message: "그 판을 찾을 수 없습니다." });
  const { title, content, category } = found;
  const known = category === "" || row.categories.includes(category);
  return updateItem(ctx, path, { title, content, ...(known ? { category } : {}), version });
}

/** The page: every version, and what one of them changed. */
export async function historyPage(door: Door, path: ItemPath, revision: number | null): Promise<HistoryPageData> {
  const chosen =
    revision === null ? sql`(SELECT max(version) FROM board_item_revision WHERE ${ofItem(path)})` : sql`${revision}`;
  const { ctx, rows } = await door.read([
    ...openStatements(door.db, path),
    list(door.db, path),
    door.db
      .select()
      .from(boardItemRevision)
      .where(and(ofItem(path), sql`${boardItemRevision.version} <= ${chosen}`))
      .orderBy(desc(boardItemRevision.version))
      .limit(2),
  ]);
  const { row, item } = open(ctx, rows[0], rows[1]);
  const [current, before] = rows[3];
  const lines = (stored: Stored | undefined) =>
    stored ? [`제목: ${stored.title}`, `분류: ${stored.category || "없음"}`, ...textLines(stored.content)] : [];
  return {
    board: boardView(ctx, row),
    item: { itemNo: item.itemNo, title: item.title, version: item.version },
    revisions: rows[2].map(rowOf),
    chosen:
      current && (revision === null || current.version === revision)
        ? {
            ...rowOf(current),
            before: before?.version ?? null,
            isCurrent: current.version === rows[2][0]?.version,
            lines: difference(before ? lines(before) : lines(current), lines(current)),
          }
        : null,
  };
}
