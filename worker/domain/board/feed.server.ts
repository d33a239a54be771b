import { desc } from "drizzle-orm";
import { boardItem } from "#db/schema/board.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import { englishPath, isKorean, type Language } from "#worker/contract/kernel/language.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { excerptAroundHit } from "#worker/contract/board/search-terms.ts";
import { can, itemResource } from "../kernel/authorize.server.ts";
import { requireLanguage } from "../kernel/site-identity.server.ts";
import { htmlToText } from "../kernel/html-text.server.ts";
import { boardStatement, boardView, hasFeed } from "./board.server.ts";
import { isPublishedItem } from "./list.server.ts";

const SIZE = 20;
const SIGNS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };
// Removes characters that XML 1.0 forbids, because readers reject the whole feed.
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const escapeXml = (text: string) => text.replace(FORBIDDEN, "").replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign);

export interface Feed {
  text: string;
  /** Null for a feed without entries. */
  changedDate: Date | null;
}

export const newestChange = (rows: readonly { modifiedDate: Date }[]): Date | null =>
  rows.reduce<Date | null>(
    (newest, { modifiedDate }) => (newest && newest > modifiedDate ? newest : modifiedDate),
    null,
  );

/**
 * RSS 2.0 with the guest's view for every caller, because feeds are passed on. @throws AppError NOT_FOUND for a board
 * without guest access
 */
export async function renderBoardFeed(
  scope: RequestScope,
  boardCode: string,
  language: Language = "ko",
): Promise<Feed> {
  const { ctx, rows } = await scope.read([
    boardStatement(scope.db, boardCode),
    scope.db
      .select()
      .from(boardItem)
      .where(isPublishedItem(boardCode, scope.now()))
      .orderBy(desc(boardItem.createdDate), desc(boardItem.itemNo))
      .limit(SIZE),
  ]);
  const [[row], items] = rows;
  if (!row || !hasFeed(ctx, row)) throw new AppError("NOT_FOUND", { message: "게시판을 찾을 수 없습니다." });
  requireLanguage(ctx, language);
  const now = ctx.now();
  const address = (path: string) =>
    escapeXml(ctx.origin + (language === "en" ? englishPath(ctx.config.PRODUCT_CODE, path) : path));
  const readable = items.filter((item) => can(ctx.guest, { action: "Item.Read", item: itemResource(row, item), now }));
  const entries = readable.map((item) => {
    const link = address(`/board/${row.boardCode}/View/${item.itemNo}`);
    return [
      "<item>",
      `<title>${escapeXml(item.title)}</title>`,
      `<link>${link}</link>`,
      `<guid isPermaLink="true">${link}</guid>`,
      ...(item.category ? [`<category>${escapeXml(item.category)}</category>`] : []),
      `<pubDate>${item.createdDate.toUTCString()}</pubDate>`,
      `<description>${escapeXml(excerptAroundHit(htmlToText(item.content), [], 300))}</description>`,
      "</item>",
    ].join("");
  });
  const { boardName: name, description } = boardView(ctx, row, language);
  // The feed declares the language of its items.
  const isInEnglish = language === "en" && !readable.some((item) => isKorean(item.title));
  const text = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>',
    `<title>${escapeXml(name)}</title>`,
    `<link>${address(`/board/${row.boardCode}/List/`)}</link>`,
    `<atom:link href="${address(`/board/${row.boardCode}/rss.xml`)}" rel="self" type="application/rss+xml"/>`,
    `<description>${escapeXml(description || name)}</description>`,
    `<language>${isInEnglish ? "en" : "ko"}</language>`,
    ...entries,
    "</channel></rss>",
  ].join("\n");
  return { text, changedDate: newestChange(readable) };
}
