import { sql } from "drizzle-orm";
import { boardItem } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import type { BoardListPage, ItemPage } from "#worker/contract/board/view.ts";
import type { ListItemsQuery } from "#worker/contract/board/input.ts";
import { makePage } from "#worker/contract/kernel/envelope.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { UNCOUNTED_MESSAGE, UNCOUNTED_ROWS_MAX } from "#worker/contract/kernel/limits.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import { can } from "../kernel/authorize.server.ts";
import { requireLanguage } from "../kernel/identity.server.ts";
import { PICTURE_PLACE_COLUMNS, picturePlacesOf } from "../file/picture-place.server.ts";
import { boardView, authorizeBoard } from "./board.server.ts";
import { countedOrder } from "./position.server.ts";
import { listStatements } from "./list-statements.server.ts";
import { itemRowView } from "./row.server.ts";
import { itemResource } from "../kernel/resource.server.ts";

async function readList(scope: RequestScope, given: ListItemsQuery) {
  const now = scope.now();
  const { ctx, rows } = await scope.read((viewerId) => listStatements(scope.db, given, now, viewerId));
  const row = authorizeBoard(ctx, rows[0], "List");
  const query = { ...given, size: given.size || row.pageSize };
  if (!countedOrder(query) && (query.page - 1) * query.size >= UNCOUNTED_ROWS_MAX)
    throw invalidInput({ page: UNCOUNTED_MESSAGE });
  const [following] = rows[4];
  const openReports = rows[5][0]?.open ?? 0;
  return {
    ctx,
    board: row,
    query,
    items: rows[2],
    pinned: rows[1],
    total: rows[3][0]?.count ?? 0,
    following,
    openReports,
  };
}

type ListRead = Awaited<ReturnType<typeof readList>>;

function itemPageView({ ctx, board: row, query, items, pinned, total }: ListRead): ItemPage {
  const view = (item: ListRead["items"][number]) => itemRowView(ctx, row, item);
  const at = { page: query.page, size: query.size, totalElements: Math.max(0, total) };
  const all = makePage(items.map(view), at);
  const totalPages = countedOrder(query)
    ? all.totalPages
    : Math.min(all.totalPages, Math.ceil(UNCOUNTED_ROWS_MAX / query.size));
  return { ...all, totalPages, pinned: query.showItemToMain ? [] : pinned.map(view) };
}

export async function listItems(scope: RequestScope, query: ListItemsQuery): Promise<ItemPage> {
  return itemPageView(await readList(scope, query));
}

export async function getBoardListPage(
  scope: RequestScope,
  query: ListItemsQuery,
  language: Language = "ko",
): Promise<BoardListPage> {
  const read = await readList(scope, query);
  requireLanguage(read.ctx, language);
  const items = itemPageView(read);
  const { actor } = read.ctx;
  const mayFollow = actor.kind !== "guest" && can(actor, { action: "Board.View", board: read.board });
  const sort = `${query.sort.field},${query.sort.descending ? "DESC" : "ASC"}`;
  return {
    board: boardView(read.ctx, read.board, language),
    items,
    query: { page: items.page, size: items.size, sort, category: query.category ?? "" },
    ...(read.board.boardType === "faq" ? await readAnswers(read) : { answers: {}, pictures: [] }),
    following: mayFollow ? (read.ctx.standIn?.isFollowing ?? read.following?.isOn ?? false) : null,
    openReports: can(actor, { action: "Board.Manage", board: read.board }) ? read.openReports : null,
  };
}

async function readAnswers({
  ctx,
  board: row,
  pinned,
  items,
}: ListRead): Promise<Pick<BoardListPage, "answers" | "pictures">> {
  const now = ctx.now();
  const readable = [...pinned, ...items].filter((item) =>
    can(ctx.actor, { action: "Item.Read", item: itemResource(row, item), now }),
  );
  const ids = JSON.stringify(readable.map((item) => item.id));
  const [texts, pictures] = await ctx.db.batch([
    ctx.db
      .select({ itemNo: boardItem.itemNo, content: boardItem.content })
      .from(boardItem)
      .where(sql`${boardItem.id} IN (SELECT value FROM json_each(${ids}))`),
    ctx.db
      .select(PICTURE_PLACE_COLUMNS)
      .from(file)
      .where(
        sql`${file.itemId} IN (SELECT value FROM json_each(${ids})) AND ${file.purpose} = 'image' AND ${file.status} = 'attached'`,
      ),
  ]);
  return {
    answers: Object.fromEntries(texts.map(({ itemNo, content }) => [itemNo, content])),
    pictures: picturePlacesOf(pictures),
  };
}
