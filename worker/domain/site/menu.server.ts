import { can } from "../kernel/authorize.server.ts";
import { type Actor } from "../kernel/actor.ts";
import { type InfoPage, infoPath } from "#worker/contract/content/info-pages.ts";
import { ALUMNI_MENU_TARGET } from "#worker/contract/site/rules.ts";
import type { MenuItem } from "#worker/contract/site/view.ts";
import { type MenuEntry, type MenuLink, menuSettings } from "#worker/contract/site/menu-input.ts";
import { fillWords, type OwnWords } from "#worker/contract/kernel/product-words.ts";
import type { BoardLink } from "#worker/contract/board/view.ts";

interface MenuReader {
  actor: Actor;
  productCode: string;
  /** Those that the reader may list. */
  boards: readonly BoardLink[];
  /** Does one of them have events? */
  hasEvents: boolean;
  /** All information pages, and those of them that visitors find. */
  pages: readonly InfoPage[];
  shownPages: readonly InfoPage[];
  words: OwnWords;
}

const boardListPath = (boardCode: string) => `/board/${boardCode}/List/`;
const boardCodeOf = (target: string) => /^\/board\/([a-z0-9-]+)\//i.exec(target)?.[1]?.toLowerCase();

/** The menu as one reader sees it: what they may not open, or what is hidden, is not in it. @param value of site_setting.menu */
export function visibleMenuFor(value: unknown, reader: MenuReader): MenuItem[] {
  return menuSettings
    .parse(value ?? {})
    .entries.flatMap((entry) => (entry.isHidden ? [] : menuItemsOf(entry, reader)))
    .map((item) => inWords(item, reader.words));
}

/** What the site began with is named in the society's words. */
const inWords = ({ label, children, ...item }: MenuItem, words: OwnWords): MenuItem => ({
  ...item,
  label: fillWords(words, label),
  ...(children ? { children: children.map((child) => inWords(child, words)) } : {}),
});

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

/** A page with others under it opens them; one that is not there is in no menu. */
function pageItemsOf(label: string, code: string, { productCode, shownPages }: MenuReader): MenuItem[] {
  if (!shownPages.some((page) => page.code === code)) return [];
  const under = shownPages.filter(({ parent }) => parent === code);
  const children = under.map((page) => ({ label: page.label, href: infoPath(productCode, page.code) }));
  return [{ label, href: infoPath(productCode, code), ...(children.length > 0 ? { children } : {}) }];
}

function menuLinksOf({ label, target }: MenuLink, reader: MenuReader): MenuItem[] {
  const { actor, boards } = reader;
  if (target === ALUMNI_MENU_TARGET) return can(actor, { action: "Alumni_Read" }) ? [{ label, href: "/Alumni" }] : [];
  if (reader.pages.some(({ code }) => code === target)) return pageItemsOf(label, target, reader);
  if (target.startsWith("https://")) return [{ label, href: target }];
  const boardCode = boardCodeOf(target);
  if (boardCode && !boards.some((board) => board.boardCode === boardCode)) return [];
  return target.startsWith("/") ? [{ label, href: target }] : [];
}
