import { and, between, desc, eq, isNull, lte, sql } from "drizzle-orm";
import { board, boardItem } from "#db/schema/board.ts";
import { center, content } from "#db/schema/content.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { centerPath } from "#worker/contract/content/view.ts";
import { infoPath, LEGAL_PAGES } from "#worker/contract/content/info-pages.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { SITEMAP_PAGES, type SitemapPart, sitemapPartName } from "#worker/contract/site/rules.ts";
import { shownPagesOf } from "../content/info-page.server.ts";
import { englishTitlesStatement } from "../content/frame.server.ts";
import { englishPath } from "#worker/contract/kernel/language.ts";
import { boardStatement } from "../board/board.server.ts";
import { type BoardResource, type BoardRow, can } from "../kernel/authorize.server.ts";
import { hasEnglishSite, identityOf } from "../kernel/site-identity.server.ts";

/** Splits by item numbers, so that each part is one index range. */
export const SITEMAP_PART_NUMBERS = 500;

interface SitemapEntry {
  path: string;
  english?: string;
  modifiedDate?: string;
}

/** Same test as `isKorean`: items do not store their language. */
const isKoreanItem = sql<number>`(${boardItem.title} GLOB '*[ㄱ-ㆎ가-힣]*' OR ${boardItem.content} GLOB '*[ㄱ-ㆎ가-힣]*')`;

const isListed = (ctx: AppContext, row: BoardResource) => can(ctx.guest, { action: "Board.List", board: row });
const isOpenToGuests = (ctx: AppContext, row: BoardResource) => can(ctx.guest, { action: "Board.View", board: row });
const partCount = (row: BoardRow) => Math.ceil(row.lastItemNo / SITEMAP_PART_NUMBERS);

/** Newest parts of each board first. Identical for all callers, because it is cached. */
export async function listSitemapParts(scope: RequestScope): Promise<string[]> {
  const { ctx, rows } = await scope.read([scope.db.select().from(board)]);
  const open = rows[0].filter((row) => isOpenToGuests(ctx, row) && row.itemCount > 0);
  const boards = open.flatMap((row) =>
    Array.from({ length: partCount(row) }, (_, at) =>
      sitemapPartName({ boardCode: row.boardCode, part: partCount(row) - at }),
    ),
  );
  return [SITEMAP_PAGES, ...boards];
}

export async function listSitemapPages(scope: RequestScope): Promise<SitemapEntry[]> {
  const { ctx, rows } = await scope.read([
    scope.db.select().from(board),
    scope.db.select({ regionCode: center.regionCode, englishName: center.englishName }).from(center),
    scope.db
      .select({ code: content.code, modifiedDate: content.modifiedDate })
      .from(content)
      .where(eq(content.status, "published")),
    englishTitlesStatement(scope.db, scope.now()),
  ]);
  const [boards, centers, contents, titles] = rows;
  const listed = boards.filter((row) => isListed(ctx, row));
  const product = ctx.config.PRODUCT_CODE;
  const pages = {
    ...Object.fromEntries(shownPagesOf(ctx).map(({ code }) => [code, infoPath(product, code)])),
    terms: LEGAL_PAGES.terms.path,
    privacy: LEGAL_PAGES.privacy.path,
  } as Record<string, string>;
  const beside = (path: string, isWritten: boolean) =>
    isWritten && hasEnglishSite(ctx) ? { path, english: englishPath(product, path) } : { path };
  return [
    beside("/", true),
    ...contents.flatMap(({ code, modifiedDate }) =>
      pages[code]
        ? [
            {
              ...beside(
                pages[code],
                titles.some((page) => page.code === code),
              ),
              modifiedDate: modifiedDate.toISOString(),
            },
          ]
        : [],
    ),
    ...(identityOf(ctx).hasCenters ? centers : []).map(({ regionCode, englishName }) =>
      beside(centerPath(product, regionCode), englishName !== ""),
    ),
    ...listed.map(({ boardCode }) => beside(`/board/${boardCode}/List/`, true)),
    ...(listed.some((row) => row.useEvents && !row.isClosed) ? [beside("/calendar", true)] : []),
  ];
}

/** Newest first. @throws AppError NOT_FOUND for a board closed to guests, and for a missing part */
export async function listSitemapItems(scope: RequestScope, { boardCode, part }: SitemapPart): Promise<SitemapEntry[]> {
  const last = part * SITEMAP_PART_NUMBERS;
  const { ctx, rows } = await scope.read([
    boardStatement(scope.db, boardCode),
    scope.db
      .select({ itemNo: boardItem.itemNo, modifiedDate: boardItem.modifiedDate, isKorean: isKoreanItem })
      .from(boardItem)
      .where(
        and(
          eq(boardItem.boardCode, boardCode),
          between(boardItem.itemNo, last - SITEMAP_PART_NUMBERS + 1, last),
          isNull(boardItem.deletedDate),
          eq(boardItem.isSecret, false),
          lte(boardItem.createdDate, scope.now()),
        ),
      )
      .orderBy(desc(boardItem.itemNo)),
  ]);
  const [[row], items] = rows;
  if (!row || !isOpenToGuests(ctx, row) || part > partCount(row))
    throw new AppError("NOT_FOUND", { message: "사이트맵의 이 부분은 없습니다." });
  return items.map(({ itemNo, modifiedDate, ...item }) => {
    const path = `/board/${boardCode}/View/${itemNo}`;
    return {
      path,
      ...(item.isKorean || !hasEnglishSite(ctx) ? {} : { english: englishPath(ctx.config.PRODUCT_CODE, path) }),
      modifiedDate: modifiedDate.toISOString(),
    };
  });
}
