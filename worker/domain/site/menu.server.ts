import { type Actor, can } from "../kernel/authorize.server.ts";
import { INFO_PAGES, type InfoPageCode, infoPath } from "#worker/contract/content/info-pages.ts";
import { ALUMNI_TARGET } from "#worker/contract/site/rules.ts";
import type { MenuEntry, MenuItem } from "#worker/contract/site/view.ts";
import { type MenuLink, menuSettings } from "#worker/contract/site/menu-input.ts";
import type { BoardLink } from "#worker/contract/board/view.ts";

interface Reader {
  actor: Actor;
  productCode: string;
  /** Those that the reader may list. */
  boards: readonly BoardLink[];
}

const boardPath = (boardCode: string) => `/board/${boardCode}/List/`;
const boardOf = (target: string) => /^\/board\/([a-z0-9-]+)\//i.exec(target)?.[1]?.toLowerCase();

/** The menu as one reader sees it: what he may not open, or what is hidden, is not in it. @param value of site_setting.menu */
export function menuFor(value: unknown, reader: Reader): MenuItem[] {
  return menuSettings.parse(value ?? {}).entries.flatMap((entry) => (entry.isHidden ? [] : itemOf(entry, reader)));
}

function itemOf(entry: MenuEntry, reader: Reader): MenuItem[] {
  if (entry.kind === "link") return linkOf(entry, reader);
  const children =
    entry.kind === "boards"
      ? reader.boards.map(({ boardCode, boardName }) => ({ label: boardName, href: boardPath(boardCode) }))
      : entry.children.flatMap((link) => (link.isHidden ? [] : linkOf(link, reader)));
  return children.length > 0 ? [{ label: entry.label, children }] : [];
}

function linkOf({ label, target }: MenuLink, { actor, productCode, boards }: Reader): MenuItem[] {
  if (target === ALUMNI_TARGET) return can(actor, { action: "Alumni_Read" }) ? [{ label, href: "/Alumni" }] : [];
  if (target in INFO_PAGES) return [{ label, href: infoPath(productCode, target as InfoPageCode) }];
  const boardCode = boardOf(target);
  if (boardCode && !boards.some((board) => board.boardCode === boardCode)) return [];
  return target.startsWith("/") ? [{ label, href: target }] : [];
}
