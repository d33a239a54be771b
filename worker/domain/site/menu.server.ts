import { can } from "../kernel/authorize.server.ts";
import type { Actor } from "../kernel/context.ts";
import { type InfoPage, infoPath } from "#worker/contract/content/info-pages.ts";
import { ALUMNI_MENU_TARGET } from "#worker/contract/site/rules.ts";
import type { MenuItem } from "#worker/contract/site/view.ts";
import { type MenuEntry, type MenuLink, menuSettings } from "#worker/contract/site/input.ts";
import { englishPath, isInBothLanguages } from "#worker/contract/kernel/language.ts";
import type { EnglishTitles } from "../content/frame.server.ts";
import { fillWords, type OwnWords } from "#worker/contract/kernel/wording.ts";
import type { BoardLink } from "#worker/contract/board/view.ts";

interface MenuReader {
  actor: Actor;
  productCode: string;
  boards: readonly BoardLink[];
  hasEvents: boolean;
  pages: readonly InfoPage[];
  shownPages: readonly InfoPage[];
  isLinkShown: (href: string) => boolean;
  words: OwnWords;
}

const boardListPath = (boardCode: string) => `/board/${boardCode}/List/`;
const boardCodeOf = (target: string) => /^\/board\/([a-z0-9-]+)\//i.exec(target)?.[1]?.toLowerCase();

/** Omits hidden entries and pages without access. @param value value of site_setting.menu */
export function visibleMenuFor(value: unknown, reader: MenuReader): MenuItem[] {
  return menuSettings
    .parse(value ?? {})
    .entries.flatMap((entry) => (entry.isHidden ? [] : menuItemsOf(entry, reader)))
    .map((item) => inWords(item, reader.words));
}

interface EnglishMenuReader extends Pick<
  MenuReader,
  "productCode" | "shownPages" | "isLinkShown" | "boards" | "hasEvents"
> {
  titles: EnglishTitles;
}

export const englishMenu = (value: unknown, reader: EnglishMenuReader): MenuItem[] =>
  menuSettings.parse(value ?? {}).entries.flatMap((entry): MenuItem[] => {
    if (entry.isHidden) return [];
    if (entry.kind === "link") return englishLinksOf(entry, reader);
    const children =
      entry.kind === "boards"
        ? boardItemsOf(reader, "Calendar").map(({ label, href }) => ({
            label,
            href: englishPath(reader.productCode, href),
          }))
        : entry.children.flatMap((link) => (link.isHidden ? [] : englishLinksOf(link, reader)));
    // A group without an English name is replaced by its pages.
    return entry.english === "" ? children : children.length > 0 ? [{ label: entry.english, children }] : [];
  });

function englishLinksOf(
  { english, target }: MenuLink,
  { productCode, shownPages, isLinkShown, titles, boards }: EnglishMenuReader,
): MenuItem[] {
  const shown = (code: string) => shownPages.some((page) => page.code === code);
  const titleOf = (code: string) => (shown(code) ? titles.find((page) => page.code === code)?.title : undefined);
  const hrefOf = (code: string) => englishPath(productCode, infoPath(productCode, code));
  const title = titleOf(target);
  if (title !== undefined) {
    const children = shownPages.flatMap(({ code, parent }) => {
      const label = parent === target ? titleOf(code) : undefined;
      return label === undefined ? [] : [{ label, href: hrefOf(code) }];
    });
    return [{ label: english || title, href: hrefOf(target), ...(children.length > 0 ? { children } : {}) }];
  }
  if (english === "") return [];
  if (target.startsWith("https://")) return [{ label: english, href: target }];
  const isThere =
    target.startsWith("/") && isInBothLanguages(productCode, target) && mayList(boards, target) && isLinkShown(target);
  return isThere ? [{ label: english, href: englishPath(productCode, target) }] : [];
}

const mayList = (boards: readonly BoardLink[], target: string) => {
  const boardCode = boardCodeOf(target);
  return boardCode === undefined || boards.some((boardRow) => boardRow.boardCode === boardCode);
};

const boardItemsOf = ({ boards, hasEvents }: Pick<MenuReader, "boards" | "hasEvents">, calendar: string) => [
  ...boards.map(({ boardCode, boardName }) => ({ label: boardName, href: boardListPath(boardCode) })),
  ...(hasEvents ? [{ label: calendar, href: "/calendar" }] : []),
];

const inWords = ({ label, children, ...item }: MenuItem, words: OwnWords): MenuItem => ({
  ...item,
  label: fillWords(words, label),
  ...(children ? { children: children.map((child) => inWords(child, words)) } : {}),
});

function menuItemsOf(entry: MenuEntry, reader: MenuReader): MenuItem[] {
  if (entry.kind === "link") return menuLinksOf(entry, reader);
  const children =
    entry.kind === "boards"
      ? boardItemsOf(reader, "일정")
      : entry.children.flatMap((link) => (link.isHidden ? [] : menuLinksOf(link, reader)));
  return children.length > 0 ? [{ label: entry.label, children }] : [];
}

/** Empty for a page that is not shown. */
function pageItemsOf(label: string, code: string, { productCode, shownPages }: MenuReader): MenuItem[] {
  if (!shownPages.some((page) => page.code === code)) return [];
  const under = shownPages.filter(({ parent }) => parent === code);
  const children = under.map((page) => ({ label: page.label, href: infoPath(productCode, page.code) }));
  return [{ label, href: infoPath(productCode, code), ...(children.length > 0 ? { children } : {}) }];
}

function menuLinksOf({ label, target }: MenuLink, reader: MenuReader): MenuItem[] {
  const { actor } = reader;
  if (target === ALUMNI_MENU_TARGET) return can(actor, { action: "Alumni_Read" }) ? [{ label, href: "/Alumni" }] : [];
  if (reader.pages.some(({ code }) => code === target)) return pageItemsOf(label, target, reader);
  if (target.startsWith("https://")) return [{ label, href: target }];
  const isThere = target.startsWith("/") && mayList(reader.boards, target) && reader.isLinkShown(target);
  return isThere ? [{ label, href: target }] : [];
}
