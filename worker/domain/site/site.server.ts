import { asc, inArray } from "drizzle-orm";
import { deriveOnce, prepareSiteRead } from "#db/site-reads.ts";
import { board } from "#db/schema/board.ts";
import { center } from "#db/schema/content.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import { columnsOf } from "#db/sql.ts";
import type { Actor, RequestScope } from "#worker/domain/kernel/context.ts";
import { hasPermission, regionOfPermission } from "#worker/contract/kernel/permissions.ts";
import { OTHER_REGION, provinceOf } from "#worker/contract/kernel/provinces.ts";
import { authenticationSettings } from "#worker/contract/account/setting-input.ts";
import type { BoardLink } from "#worker/contract/board/view.ts";
import type { MenuItem, SiteFrame, SiteLook } from "#worker/contract/site/view.ts";
import { englishPath, isInBothLanguages } from "#worker/contract/kernel/language.ts";
import { type IdentitySettings, publicSite } from "#worker/contract/kernel/setting/site-setting.ts";
import {
  announcedAgreementsOf,
  announcedAgreementsRow,
  CENTER_LINK_COLUMNS,
  centerLinkView,
  type EnglishTitles,
  englishTitlesStatement,
} from "../content/frame.server.ts";
import { can } from "../kernel/authorize.server.ts";
import { identityOf, requireLanguage } from "../kernel/site-identity.server.ts";
import { bellOf } from "#worker/contract/mail/mail.ts";
import { unreadStatement } from "../mail/activity.server.ts";
import { hasFeed } from "../board/board.server.ts";
import { paletteStyle, shadeOf } from "#worker/contract/kernel/setting/palette.ts";
import { CONSOLE_RIGHTS } from "#worker/contract/kernel/console/console-page.ts";
import { infoPagesOf, isLinkShown, shownPagesOf } from "../content/info-page.server.ts";
import { type InfoPage, infoPath } from "#worker/contract/content/info-pages.ts";
import { ALUMNI_MENU_TARGET } from "#worker/contract/site/rules.ts";
import { type MenuEntry, type MenuLink, menuSettings } from "#worker/contract/site/input.ts";
import { fillWords, type SiteWords } from "#worker/contract/kernel/wording.ts";

const settingsStatement = prepareSiteRead((db) =>
  db
    .select({ key: siteSetting.key, value: siteSetting.value })
    .from(siteSetting)
    .where(inArray(siteSetting.key, ["site", "menu", "authentication"]))
    .unionAll(announcedAgreementsRow(db)),
);
const boardsStatement = prepareSiteRead((db) =>
  db
    .select({
      ...columnsOf(board, "boardCode", "boardName", "isClosed", "useEvents", "englishName"),
    })
    .from(board)
    .orderBy(asc(board.sortOrder)),
);
const frameStatements = (db: RequestScope["db"]) => [settingsStatement(db), boardsStatement(db)] as const;

const readableBoardLinks = (actor: Actor, rows: (BoardLink & { isClosed: boolean })[]): BoardLink[] =>
  rows
    .filter((row) => !row.isClosed && can(actor, { action: "Board.List", board: row }))
    .map(({ boardCode, boardName }) => ({ boardCode, boardName }));

type SettingRows = readonly { key: string; value: unknown }[];

const valueOf = (rows: SettingRows, key: "site" | "menu" | "authentication" | "announced") =>
  rows.find((row) => row.key === key)?.value;

const publicSiteOf = deriveOnce((rows: SettingRows) => publicSite(valueOf(rows, "site")));
const menuOf = deriveOnce((rows: SettingRows) => menuSettings.parse(valueOf(rows, "menu") ?? {}));
const guestRoleCodeOf = deriveOnce(
  (rows: SettingRows) => authenticationSettings.parse(valueOf(rows, "authentication") ?? {}).roleCodeForGuest,
);

const hasEventsIn = (rows: readonly { boardCode: string; useEvents: boolean }[], boards: readonly BoardLink[]) =>
  rows.some((row) => row.useEvents && boards.some(({ boardCode }) => boardCode === row.boardCode));

/** @param asGuest shows the visitor's shell around a preview */
export async function getSiteFrame(scope: RequestScope, asGuest = false): Promise<SiteFrame> {
  const { ctx, rows } = await scope.read((viewerId) => [
    ...frameStatements(scope.db),
    unreadStatement(scope.db, viewerId),
  ]);
  const [settings, allBoards, [unread]] = rows;
  const actor = asGuest ? ctx.guest : ctx.actor;
  const boards = readableBoardLinks(actor, allBoards);
  const productCode = ctx.config.PRODUCT_CODE;
  const identity = identityOf(ctx);
  const { certificateIssuers: certificates } = ctx.storedSettings;
  const announced = announcedAgreementsOf(valueOf(settings, "announced"));
  return {
    ...(announced.length > 0 ? { announced } : {}),
    site: { ...publicSiteOf(settings), productCode },
    look: {
      ...siteLookOf({ ...identity, footerLinks: identity.footerLinks.filter(({ href }) => isLinkShown(ctx, href)) }),
      ...(certificates === "own" ? {} : { certificates }),
    },
    boards,
    feeds: allBoards.filter((row) => hasFeed(ctx, row)).map((row) => row.boardCode),
    menu: visibleMenuFor(menuOf(settings), {
      actor,
      productCode,
      boards,
      words: identity.words,
      pages: infoPagesOf(ctx),
      shownPages: shownPagesOf(ctx),
      mayShow: (href) => isLinkShown(ctx, href),
      hasEvents: hasEventsIn(allBoards, boards),
    }),
    user:
      actor.kind === "guest"
        ? null
        : {
            id: actor.userId,
            userName: actor.userName,
            isAdministrator: hasPermission(actor.permissions, "ADMIN_Access"),
            consoleRights: CONSOLE_RIGHTS.filter(
              (code) =>
                hasPermission(actor.permissions, code) && (!code.startsWith("Research_") || identity.hasProposals),
            ),
            centers: identity.hasCenters ? ownCentersOf(actor) : [],
            bell: ctx.standIn?.bell ?? bellOf(unread?.count ?? 0),
          },
    roleCodeForGuest: guestRoleCodeOf(settings),
    rules: ctx.rules,
  };
}

/** English only. @throws AppError NOT_FOUND without an English site name */
export async function getEnglishFrame(scope: RequestScope): Promise<SiteFrame> {
  // Announcements concern the Korean text, so English pages omit them.
  const [{ announced: _announced, ...frame }, { ctx, rows }] = await Promise.all([
    getSiteFrame(scope),
    scope.read([...frameStatements(scope.db), englishTitlesStatement(scope.db, scope.now())]),
  ]);
  requireLanguage(ctx, "en");
  const [settings, allBoards, titles] = rows;
  const boards = frame.boards.map(({ boardCode, boardName }) => ({
    boardCode,
    boardName: allBoards.find((row) => row.boardCode === boardCode)?.englishName || boardName,
  }));
  const { english, footerLinks } = identityOf(ctx);
  const { productCode, contact } = frame.site;
  const { siteName, productName, description, organization, address, copyright, footerText } = english;
  const links = footerLinks.flatMap((link) =>
    link.english && isLinkShown(ctx, link.href)
      ? [{ label: link.english, href: englishPath(productCode, link.href) }]
      : [],
  );
  return {
    ...frame,
    look: { ...frame.look, footerLinks: links, footerText },
    site: {
      siteName,
      productName,
      description,
      contact: { ...contact, organization, address },
      copyright,
      productCode,
    },
    boards,
    menu: englishMenu(menuOf(settings), {
      productCode,
      shownPages: shownPagesOf(ctx),
      mayShow: (href) => isLinkShown(ctx, href),
      titles,
      boards,
      hasEvents: hasEventsIn(allBoards, boards),
    }),
  };
}

const siteLookOf = ({
  words,
  color,
  logo,
  hasCenters,
  hasCaseReport,
  hasProposals,
  footerLinks,
  footerText,
  english,
}: IdentitySettings): SiteLook => ({
  words: Object.fromEntries(Object.entries(words).filter(([name, word]) => word && word !== name)),
  ...(color === "teal" ? {} : { colors: paletteStyle(color), themeColor: shadeOf(color, 60) }),
  ...(logo ? { logo } : {}),
  ...(hasCenters ? {} : { hasNoCenters: true }),
  ...(hasCaseReport ? {} : { hasNoCaseReport: true }),
  ...(hasProposals ? { hasProposals } : {}),
  ...(footerLinks.length > 0 ? { footerLinks: footerLinks.map(({ label, href }) => ({ label, href })) } : {}),
  ...(english.siteName ? { hasEnglish: true } : {}),
  ...(footerText ? { footerText } : {}),
});

function ownCentersOf({ permissions }: Actor) {
  if (hasPermission(permissions, "ADMIN_Access")) return [];
  const codes = [...permissions.codes].flatMap((code) => regionOfPermission(code) ?? []);
  return codes.map((regionCode) => {
    const known = provinceOf(regionCode);
    return { regionCode, regionName: known === OTHER_REGION ? regionCode : known.regionName };
  });
}

/** GET site-setting/info; public. */
export async function getSiteInfo(scope: RequestScope) {
  const { ctx, rows } = await scope.read([
    ...frameStatements(scope.db),
    scope.db
      .select({ ...CENTER_LINK_COLUMNS, url: center.url })
      .from(center)
      .orderBy(asc(center.sortOrder)),
  ]);
  const [settings, boards, centers] = rows;
  return {
    ...publicSiteOf(settings),
    productCode: ctx.config.PRODUCT_CODE,
    boards: readableBoardLinks(ctx.actor, boards),
    centers: identityOf(ctx).hasCenters
      ? centers.map(({ url, ...row }) => ({ ...centerLinkView(row, "ko"), url }))
      : [],
    caseReport: { enabled: ctx.config.CASE_REPORT_URL !== "" && identityOf(ctx).hasCaseReport },
  };
}

interface MenuReader {
  actor: Actor;
  productCode: string;
  boards: readonly BoardLink[];
  hasEvents: boolean;
  pages: readonly InfoPage[];
  shownPages: readonly InfoPage[];
  mayShow: (href: string) => boolean;
  words: SiteWords;
}

const boardListPath = (boardCode: string) => `/board/${boardCode}/List/`;
const boardCodeOf = (target: string) => /^\/board\/([a-z0-9-]+)\//i.exec(target)?.[1]?.toLowerCase();

type Menu = ReturnType<typeof menuOf>;

/** Omits hidden entries and pages without access. */
function visibleMenuFor({ entries }: Menu, reader: MenuReader): MenuItem[] {
  return entries
    .flatMap((entry) => (entry.isHidden ? [] : menuItemsOf(entry, reader)))
    .map((item) => inWords(item, reader.words));
}

interface EnglishMenuReader extends Pick<
  MenuReader,
  "productCode" | "shownPages" | "mayShow" | "boards" | "hasEvents"
> {
  titles: EnglishTitles;
}

const englishMenu = ({ entries }: Menu, reader: EnglishMenuReader): MenuItem[] =>
  entries.flatMap((entry): MenuItem[] => {
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
  { productCode, shownPages, mayShow, titles, boards }: EnglishMenuReader,
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
    target.startsWith("/") && isInBothLanguages(productCode, target) && mayList(boards, target) && mayShow(target);
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

const inWords = ({ label, children, ...item }: MenuItem, words: SiteWords): MenuItem => ({
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
  const isThere = target.startsWith("/") && mayList(reader.boards, target) && reader.mayShow(target);
  return isThere ? [{ label, href: target }] : [];
}
