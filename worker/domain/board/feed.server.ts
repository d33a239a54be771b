import { desc } from "drizzle-orm";
import { boardItem } from "#db/schema/board.ts";
import type { AppContext, Door } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { excerptOf, plainText } from "#worker/contract/board/search-terms.ts";
import { type BoardResource, can } from "../kernel/authorize.server.ts";
import { boardStatement } from "./board.server.ts";
import { published } from "./list.server.ts";
import { itemResource } from "../kernel/resource.server.ts";

const SIZE = 20;
const SIGNS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };
// What XML 1.0 cannot hold is left out, or readers refuse the whole feed.
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const xml = (text: string) => text.replace(FORBIDDEN, "").replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign);

/** Guests may read it: it has a feed. */
export const hasFeed = (ctx: Pick<AppContext, "guest">, board: BoardResource): boolean =>
  can(ctx.guest, { action: "Board.List", board }) && can(ctx.guest, { action: "Board.View", board });

/**
 * The newest items of a board as RSS 2.0, as a guest would read them, whoever asks: feeds are passed on.
 * @throws AppError NOT_FOUND for a board that guests may not read
 */
export async function boardFeed(door: Door, boardCode: string): Promise<string> {
  const { ctx, rows } = await door.read([
    boardStatement(door.db, boardCode),
    door.db
      .select()
      .from(boardItem)
      .where(published(boardCode, door.now()))
      .orderBy(desc(boardItem.createdDate), desc(boardItem.itemNo))
      .limit(SIZE),
  ]);
  const [[row], items] = rows;
  if (!row || !hasFeed(ctx, row)) throw new AppError("NOT_FOUND", { message: "게시판을 찾을 수 없습니다." });
  const now = ctx.now();
  const entries = items
    .filter((item) => can(ctx.guest, { action: "Item.Read", item: itemResource(row, item), now }))
    .map((item) => {
      const link = xml(`${ctx.origin}/board/${row.boardCode}/View/${item.itemNo}`);
      return [
        "<item>",
        `<title>${xml(item.title)}</title>`,
        `<link>${link}</link>`,
        `<guid isPermaLink="true">${link}</guid>`,
        ...(item.category ? [`<category>${xml(item.category)}</category>`] : []),
        `<pubDate>${item.createdDate.toUTCString()}</pubDate>`,
        `<description>${xml(excerptOf(plainText(item.content), [], 300))}</description>`,
        "</item>",
      ].join("");
    });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>',
    `<title>${xml(row.boardName)}</title>`,
    `<link>${xml(`${ctx.origin}/board/${row.boardCode}/List/`)}</link>`,
    `<atom:link href="${xml(`${ctx.origin}/board/${row.boardCode}/rss.xml`)}" rel="self" type="application/rss+xml"/>`,
    `<description>${xml(row.description || row.boardName)}</description>`,
    "<language>ko</language>",
    ...entries,
    "</channel></rss>",
  ].join("\n");
}
