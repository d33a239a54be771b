import { can } from "../kernel/authorize.server.ts";
import type { Actor, AppContext, RequestScope } from "../kernel/context.ts";
import { type InfoPage, infoPath } from "#worker/contract/content/info-pages.ts";
import { ALUMNI_MENU_TARGET } from "#worker/contract/site/rules.ts";
import type { MenuItem, MenuSettingView } from "#worker/contract/site/view.ts";
import {
  DEFAULT_MENU,
  type MenuEntry,
  type MenuLink,
  menuSettings,
  type UpdateMenuInput,
} from "#worker/contract/site/input.ts";
import { englishPath, isInBothLanguages } from "#worker/contract/kernel/language.ts";
import type { EnglishTitles } from "../content/page.server.ts";
import { fillWords, type OwnWords } from "#worker/contract/kernel/wording.ts";
import type { BoardLink } from "#worker/contract/board/view.ts";
import { board } from "#db/schema/board.ts";
import { caseReportSettings, type UpdateCaseReportInput } from "#worker/contract/case-report/case-report.ts";
import type { NewVersion } from "#worker/contract/kernel/envelope.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { infoPagesOf, shownPagesOf } from "../content/info-page.server.ts";
import { inOwnWords } from "../kernel/identity.server.ts";
import { linkProblem, pageExists } from "./link.server.ts";
import { authorizeConsole } from "../kernel/guarded-batch.server.ts";
import { readSetting, settingStatement, storeSetting } from "../kernel/setting.server.ts";

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

const namedEntry = (ctx: AppContext, entry: MenuEntry): MenuEntry => ({
  ...entry,
  label: inOwnWords(ctx, entry.label),
  ...(entry.kind === "group"
    ? { children: entry.children.map((link) => ({ ...link, label: inOwnWords(ctx, link.label) })) }
    : {}),
});

export async function getMenuSetting(scope: RequestScope): Promise<MenuSettingView> {
  const { ctx, rows } = await scope.readFor(authorizeConsole, [
    settingStatement(scope.db, "menu"),
    scope.db.select({ boardCode: board.boardCode, boardName: board.boardName }).from(board).orderBy(board.sortOrder),
  ]);
  const [[row], boards] = rows;
  const { entries } = menuSettings.parse(row?.value ?? { entries: DEFAULT_MENU });
  return {
    value: { entries: entries.map((entry) => namedEntry(ctx, entry)) },
    version: row?.version ?? 0,
    targets: [
      ...shownPagesOf(ctx).map(({ code, label }) => ({ target: code, label })),
      { target: ALUMNI_MENU_TARGET, label: inOwnWords(ctx, "{동문주소록}") },
      ...boards.map(({ boardCode, boardName }) => ({ target: `/board/${boardCode}/List/`, label: boardName })),
    ],
  };
}

/** @throws AppError INVALID_INPUT for a page that does not exist, CONFLICT */
export async function updateMenuSetting(ctx: AppContext, input: UpdateMenuInput): Promise<NewVersion> {
  authorizeConsole(ctx);
  const { version, entries } = input;
  const problems: Record<string, string> = {};
  const check = async ({ target }: MenuLink, field: string) => {
    if (target === ALUMNI_MENU_TARGET || infoPagesOf(ctx).some(({ code }) => code === target)) return;
    if (target.startsWith("https://") && (await linkProblem(ctx, target)) === null) return;
    if (!target.startsWith("/") || target.startsWith("//") || !(await pageExists(ctx, target)))
      problems[field] = "이 사이트에 없는 주소입니다.";
  };
  for (const [at, entry] of entries.entries()) {
    if (entry.kind === "link") await check(entry, `entries.${at}.target`);
    if (entry.kind !== "group") continue;
    for (const [inner, link] of entry.children.entries()) await check(link, `entries.${at}.children.${inner}.target`);
  }
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
  return storeSetting(ctx, "menu", version, { entries });
}

export const getCaseReportSetting = (scope: RequestScope) => readSetting(scope, "case-report", caseReportSettings);

/** Minimum count to show for a region. @throws AppError CONFLICT */
export async function updateCaseReportSetting(ctx: AppContext, input: UpdateCaseReportInput): Promise<NewVersion> {
  authorizeConsole(ctx);
  const { version, maskBelow } = input;
  return storeSetting(ctx, "case-report", version, { maskBelow });
}
