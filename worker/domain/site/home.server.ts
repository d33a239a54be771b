import { DEFAULT_HOME_PARTS } from "#worker/contract/kernel/setting/site-setting.ts";
import { and, asc, desc, eq, gt, lte, sql } from "drizzle-orm";
import { prepareOnce } from "#db/prepared.ts";
import { popup, quickLink } from "#db/schema/site.ts";
import type { AppContext, RequestScope, View } from "#worker/domain/kernel/context.ts";
import type { HomeExtras, PopupView } from "#worker/contract/site/view.ts";
import { BRIEF_MS, HOME_BOARDS } from "#worker/contract/kernel/limits.ts";
import { QUICK_LINKS_MAX } from "#worker/contract/site/rows.ts";
import { HOME_BOARDS_MAX, POPUPS_SHOWN_MAX } from "#worker/contract/site/rules.ts";
import { FRESH_MS, readStoredTotal, refreshSubjectCounts } from "../case-report/case-report.server.ts";
import { comingEventStatements, comingEventViews } from "../board/calendar.server.ts";
import {
  centerLinksStatement,
  centerLinkView,
  type EnglishTitles,
  englishTitlesStatement,
} from "../content/frame.server.ts";
import { contentPageView, contentStatements } from "../content/page.server.ts";
import { picturePlacesIn, picturePlacesOf, picturesOfKindStatement } from "../file/picture.server.ts";
import { englishPath, type Language } from "#worker/contract/kernel/language.ts";
import { infoPath } from "#worker/contract/content/info-pages.ts";
import { isLinkShown, shownPage } from "../content/info-page.server.ts";
import { htmlToText } from "../kernel/html-text.server.ts";
import { board, boardItem } from "#db/schema/board.ts";
import { boardNameIn } from "../board/board.server.ts";
import { can } from "../kernel/authorize.server.ts";
import { identityOf, inSiteWords, requireLanguage } from "../kernel/site-identity.server.ts";
import { isPublishedItem } from "../board/list.server.ts";
import { ITEM_ROW_COLUMNS, itemRowView } from "../board/row.server.ts";

const firstActions = (ctx: AppContext): HomeExtras["actions"] =>
  [
    { code: "registration", label: inSiteWords(ctx, "{환자} 등록 안내") },
    { code: "center", label: inSiteWords(ctx, "{권역센터} 찾기") },
  ].flatMap(({ code, label }) =>
    shownPage(ctx, code) ? [{ label, href: infoPath(ctx.config.PRODUCT_CODE, code) }] : [],
  );

const FIRST_ENGLISH_ACTIONS = [
  { code: "registration", label: "How to register a patient" },
  { code: "center", label: "Find a regional centre" },
];

function englishActions(ctx: AppContext, titles: EnglishTitles): HomeExtras["actions"] {
  const product = ctx.config.PRODUCT_CODE;
  const { actions } = identityOf(ctx);
  if (actions)
    return actions.flatMap(({ english, href }) =>
      english === "" || !isLinkShown(ctx, href) ? [] : [{ label: english, href: englishPath(product, href) }],
    );
  return FIRST_ENGLISH_ACTIONS.flatMap(({ code, label }) =>
    shownPage(ctx, code) && titles.some((page) => page.code === code)
      ? [{ label, href: englishPath(product, infoPath(product, code)) }]
      : [],
  );
}

/** Cache lifetime of the home page; short for missing parts and external figures. */
export function homeLastsMs(ctx: AppContext, { boards }: HomePage, { isBare, subjects }: HomeExtras): number {
  if (isBare || boards.some(({ items }) => items === null)) return BRIEF_MS;
  if (!showsSubjects(ctx)) return Infinity;
  return subjects ? FRESH_MS : BRIEF_MS;
}

async function bareHome(scope: RequestScope): Promise<HomeExtras> {
  const ctx = await scope.context().catch(() => null);
  const nothing = { actions: [], quickLinks: [], popups: [], centers: [], events: [], banner: null, subjects: null };
  return { ...nothing, isBare: true, parts: ctx ? identityOf(ctx).home : DEFAULT_HOME_PARTS };
}

const showsSubjects = (ctx: AppContext) => identityOf(ctx).hasCaseReport && ctx.config.CASE_REPORT_URL !== "";

async function readSubjects(ctx: AppContext): Promise<HomeExtras["subjects"]> {
  if (!showsSubjects(ctx)) return null;
  const subjects = await readStoredTotal(ctx.kv);
  if (!subjects) ctx.defer(refreshSubjectCounts(ctx).catch(() => undefined));
  return subjects;
}

const preparedQuickLinks = prepareOnce((db) =>
  db.select().from(quickLink).orderBy(asc(quickLink.sortOrder), asc(quickLink.id)).limit(QUICK_LINKS_MAX),
);
const preparedPopups = prepareOnce((db) => {
  const now = sql.placeholder("now");
  return db
    .select()
    .from(popup)
    .where(and(eq(popup.isClosed, false), lte(popup.startDate, now), gt(popup.endDate, now)))
    .orderBy(asc(popup.sortOrder), asc(popup.id))
    .limit(POPUPS_SHOWN_MAX);
});

const withShownLink = (ctx: AppContext, row: typeof popup.$inferSelect) => ({
  ...row,
  linkUrl: isLinkShown(ctx, row.linkUrl) ? row.linkUrl : "",
});

const popupView = (
  { id, linkUrl, position, size }: typeof popup.$inferSelect,
  { title, content }: Pick<PopupView, "title" | "content">,
  pictures: Parameters<typeof picturePlacesOf>[0],
): PopupView => ({
  id,
  title,
  content,
  pictures: picturePlacesIn(content, picturePlacesOf(pictures)),
  linkUrl,
  position,
  size,
});

export async function getHomeExtras(scope: RequestScope): Promise<HomeExtras> {
  const now = scope.now();
  const read = await scope
    .read([
      ...contentStatements(scope.db, "banner", now),
      preparedQuickLinks(scope.db, {}),
      preparedPopups(scope.db, { now: now.getTime() }),
      centerLinksStatement(scope.db),
      picturesOfKindStatement(scope.db, "popup"),
      ...comingEventStatements(scope.db, now),
    ])
    .catch(() => null);
  // A failing read of the surroundings must not hide the boards.
  if (!read) return bareHome(scope);
  const { ctx, rows } = read;
  const [[row], [version], files, links, popups, centers, pictures, eventBoards, events] = rows;
  const banner = contentPageView(ctx, "banner", { row, version, files, wantsPreview: false });
  const { home, actions, hasCenters } = identityOf(ctx);
  const subjects = await readSubjects(ctx);
  return {
    parts: home,
    actions: (actions ?? firstActions(ctx)).filter(({ href }) => isLinkShown(ctx, href)),
    banner: banner.title && version ? { title: banner.title, text: htmlToText(banner.content) } : null,
    quickLinks: links.flatMap(({ label, note, href }) => (isLinkShown(ctx, href) ? [{ label, note, href }] : [])),
    popups: popups.map((each) => popupView(withShownLink(ctx, each), each, pictures)),
    centers: hasCenters ? centers.map((each) => centerLinkView(each, "ko")) : [],
    events: comingEventViews(ctx, eventBoards, events, "ko"),
    subjects,
  };
}

export async function getEnglishHome(scope: RequestScope): Promise<HomeExtras> {
  const now = scope.now();
  const { ctx, rows } = await scope.read([
    ...contentStatements(scope.db, "banner", now),
    preparedQuickLinks(scope.db, {}),
    centerLinksStatement(scope.db),
    englishTitlesStatement(scope.db, now),
    preparedPopups(scope.db, { now: now.getTime() }),
    picturesOfKindStatement(scope.db, "popup"),
    ...comingEventStatements(scope.db, now),
  ]);
  requireLanguage(ctx, "en");
  const [[row], [version], files, links, centers, titles, popups, pictures, eventBoards, events] = rows;
  const banner = contentPageView(ctx, "banner", { row, version, files, wantsPreview: false }, "en");
  const { home, hasCenters } = identityOf(ctx);
  const product = ctx.config.PRODUCT_CODE;
  return {
    parts: home,
    actions: englishActions(ctx, titles),
    banner: banner.title ? { title: banner.title, text: htmlToText(banner.content) } : null,
    quickLinks: links.flatMap(({ englishLabel, englishNote, href }) =>
      englishLabel === "" || !isLinkShown(ctx, href)
        ? []
        : [{ label: englishLabel, note: englishNote, href: englishPath(product, href) }],
    ),
    popups: popups.flatMap((each) => {
      const english = { title: each.englishTitle, content: each.englishContent };
      const { linkUrl, ...shown } = withShownLink(ctx, each);
      const there = { ...shown, linkUrl: englishPath(product, linkUrl) };
      return english.title === "" ? [] : [popupView(there, english, pictures)];
    }),
    centers: hasCenters ? centers.map((each) => centerLinkView(each, "en")) : [],
    events: comingEventViews(ctx, eventBoards, events, "en"),
    subjects: await readSubjects(ctx),
  };
}

/** The board code as SQL, so that items load in the same round trip as the setting. */
const homeBoardCode = (at: number) =>
  sql<string>`(SELECT coalesce(json_extract(value, ${`$.homeBoards[${at}]`}), CASE WHEN json_type(value, '$.homeBoards') IS NULL
    THEN ${HOME_BOARDS.boardCodes[at]} END) FROM (SELECT coalesce((SELECT value FROM site_setting WHERE key = 'identity'), '{}') AS value))`;

const PLACES = Array.from({ length: HOME_BOARDS_MAX }, (_, at) => at);

const preparedHomeBoards = prepareOnce((db) =>
  db
    .select()
    .from(board)
    .where(sql`${board.boardCode} IN (${sql.join(PLACES.map(homeBoardCode), sql`, `)})`),
);
const preparedNewest = PLACES.map((at) =>
  prepareOnce((db) =>
    db
      .select(ITEM_ROW_COLUMNS)
      .from(boardItem)
      .where(and(isPublishedItem(homeBoardCode(at), sql.placeholder("now")), sql`${boardItem.showItemToMain} = 1`))
      .orderBy(desc(boardItem.createdDate), desc(boardItem.itemNo))
      .limit(HOME_BOARDS.size),
  ),
);

/** Leaves out boards without the List right. */
export async function getHomePage(scope: RequestScope, language: Language = "ko") {
  const now = scope.now().getTime();
  // Parallel reads, so that one failing list does not hide the other.
  const [{ ctx, rows }, ...lists] = await Promise.all([
    scope.read([preparedHomeBoards(scope.db, {})]),
    ...preparedNewest.map((newest) =>
      scope.read([newest(scope.db, { now })]).then(
        (read) => read.rows[0],
        () => null,
      ),
    ),
  ]);
  return {
    boards: identityOf(ctx).homeBoards.flatMap((boardCode, at) => {
      const row = rows[0].find((candidate) => candidate.boardCode === boardCode);
      if (!row || row.isClosed || !can(ctx.actor, { action: "Board.List", board: row })) return [];
      const items = lists[at]?.map((item) => itemRowView(ctx, row, item)) ?? null;
      return [{ boardCode, boardName: boardNameIn(language, row), total: row.itemCount, items }];
    }),
  };
}

export type HomePage = View<typeof getHomePage>;
