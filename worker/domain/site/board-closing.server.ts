import { and, count, eq, isNull, sql } from "drizzle-orm";
import { board, boardItem } from "#db/schema/board.ts";
import { noticeChoice } from "#db/schema/mail.ts";
import { popup, quickLink } from "#db/schema/site.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { DEFAULT_MENU, type MenuEntry, menuSettings } from "#worker/contract/site/input.ts";
import type { BoardClosing } from "#worker/contract/site/view.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import { authorize, authorizeConsole } from "../kernel/authorize.server.ts";
import { identityOf, inSiteWords } from "../kernel/site-identity.server.ts";
import { settingStatement } from "../kernel/setting.server.ts";

/** Shows the effects of closing a board; its items stay. @throws AppError NOT_FOUND, FORBIDDEN */
export async function getBoardClosing(scope: RequestScope, boardCode: string): Promise<BoardClosing> {
  const path = `/board/${boardCode}/`;
  const { ctx, rows } = await scope.readFor(authorizeConsole, [
    scope.db.select().from(board).where(eq(board.boardCode, boardCode)),
    scope.db
      .select({ comments: sql<number>`coalesce(sum(comment_count), 0)` })
      .from(boardItem)
      .where(and(eq(boardItem.boardCode, boardCode), isNull(boardItem.deletedDate))),
    scope.db
      .select({ count: count() })
      .from(noticeChoice)
      .where(and(eq(noticeChoice.kind, "item"), eq(noticeChoice.target, boardCode), eq(noticeChoice.isOn, true))),
    settingStatement(scope.db, "menu"),
    scope.db.select({ label: quickLink.label, href: quickLink.href }).from(quickLink).orderBy(quickLink.sortOrder),
    scope.db.select({ label: popup.title, href: popup.linkUrl }).from(popup).where(eq(popup.isClosed, false)),
  ]);
  const [[row], [items], [followers], [menu], quickLinks, popups] = rows;
  if (!row) throw new AppError("NOT_FOUND", { message: "게시판을 찾을 수 없습니다." });
  authorize(ctx, { action: "Board.Manage", board: row });
  const leadsHere = ({ href }: { href: string }) => href.toLowerCase().startsWith(path);
  const identity = identityOf(ctx);
  const { entries } = menuSettings.parse(menu?.value ?? { entries: DEFAULT_MENU });
  const named = (place: string, links: readonly { label: string; href: string }[]) =>
    links.filter(leadsHere).map(({ label }) => `${place} ‘${label}’`);
  return {
    items: row.itemCount,
    comments: items?.comments ?? 0,
    followers: followers?.count ?? 0,
    places: [
      ...menuLabels(entries, path).map((label) => `메뉴 ‘${inSiteWords(ctx, label)}’`),
      ...(identity.homeBoards.includes(boardCode) ? ["첫 화면의 새 글"] : []),
      ...named("첫 화면 버튼", identity.actions ?? []),
      ...named("첫 화면 바로가기", quickLinks),
      ...named("팝업", popups),
      ...named("바닥글", identity.footerLinks),
    ],
  };
}

const menuLabels = (entries: readonly MenuEntry[], path: string): string[] =>
  entries.flatMap((entry) => {
    if (entry.isHidden) return [];
    if (entry.kind === "boards") return [entry.label];
    const links = entry.kind === "group" ? entry.children : [entry];
    return links
      .filter(({ target, isHidden }) => !isHidden && target.toLowerCase().startsWith(path))
      .map(({ label }) => label);
  });
