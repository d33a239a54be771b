import { can } from "../kernel/authorize.server.ts";
import { type Actor } from "../kernel/actor.ts";
import { INFO_PAGES, type InfoPageCode, infoPath } from "#worker/contract/content/info-pages.ts";
import { ALUMNI_MENU_TARGET } from "#worker/contract/site/rules.ts";
import type { MenuItem } from "#worker/contract/site/view.ts";
import { type MenuEntry, type MenuLink, menuSettings } from "#worker/contract/site/menu-input.ts";
import type { BoardLink } from "#worker/contract/board/view.ts";

interface MenuReader {
  actor: Actor;
  productCode: string;
  /** Those that the reader may list. */
  boards: readonly BoardLink[];
  /** Does one of them have events? */
  hasEvents: boolean;
}

const boardListPath = (boardCode: string) => `/board/${boardCode}/List/`;
const boardCodeOf = (target: string) => /^\/board\/([a-z0-9-]+)\//i.exec(target)?.[1]?.toLowerCase();

/** The menu as one reader sees it: what they may not open, or what is hidden, is not in it. @param value of site_setting.menu */
export function visibleMenuFor(value: unknown, reader: MenuReader): MenuItem[] {
  return menuSettings.parse(value ?? {}).entries.flatMap((entry) => (entry.isHidden ? [] : menuItemsOf(entry, reader)));
}

function menuItemsOf(entry: MenuEntry, reader: MenuReader): MenuItem[] {
  if (entry.kind === "link") return menuLinksOf(entry, reader);
  const children =
    entry.kind === "boards"
      ? [
          ...reader.boards.map(({ boardCode, boardName }) => ({ label: boardName, href: boardListPath(boardCode) })),
          ...(reader.hasEvents ? [{ label: "일정", href: "/calendar" }] : []),
        ]
      : entry.children.flatMap((link) => (link.isHidden ? [] : menuLinksOf(link, reader)));
  return children.length > 0 ? [{ label: entry.label, children }] : [];
}

function menuLinksOf({ label, target }: MenuLink, { actor, productCode, boards }: MenuReader): MenuItem[] {
  if (target === ALUMNI_MENU_TARGET) return can(actor, { action: "Alumni_Read" }) ? [{ label, href: "/Alumni" }] : [];
  if (target in INFO_PAGES) return [{ label, href: infoPath(productCode, target as InfoPageCode) }];
  const boardCode = boardCodeOf(target);
  if (boardCode && !boards.some((board) => board.boardCode === boardCode)) return [];
  return target.startsWith("/") ? [{ label, href: target }] : [];
}
