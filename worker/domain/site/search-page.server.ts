import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { z } from "zod";
import type { AppContext, BatchRows, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { searchInput, type searchPageQuery } from "#worker/contract/board/input.ts";
import type { PageHit, SearchHit } from "#worker/contract/board/view.ts";
import { englishPath, type Language, languageOf } from "#worker/contract/kernel/language.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import { excerptAroundHit, foldSearchText, type SearchTarget } from "#worker/contract/board/search-terms.ts";
import { type BoardRow, hasEnglishSite, identityOf, requireLanguage } from "../kernel/authorize.server.ts";
import { boardNameIn, boardView, categoryNameIn } from "../board/board.server.ts";
import { askedParts, searchableBoards, searchAmong, searchedBoardsStatement } from "../board/search.server.ts";
import { ownValue } from "#worker/contract/kernel/labels.ts";
import { center, content, contentVersion } from "#db/schema/content.ts";
import { bareWords, partWords, type SearchPart } from "#worker/contract/board/search-parts.ts";
import { centerPath } from "#worker/contract/content/view.ts";
import { infoPath, isLegalPage, LEGAL_PAGES } from "#worker/contract/content/info-pages.ts";
import { contentValue } from "#worker/contract/content/input.ts";
import { shownPage } from "../content/info-page.server.ts";
import { hasEnglishText } from "../content/page.server.ts";
import { htmlToText } from "../kernel/html-text.server.ts";

const PAGE_SIZE = 20;
/** Filters by writer or file exclude pages. */
const WITH_PAGES = new Set<SearchTarget>(["all", "title", "content", "titleContent"]);

const namedIn = (language: Language, row: BoardRow | undefined, hit: SearchHit): SearchHit =>
  row ? { ...hit, boardName: boardNameIn(language, row), category: categoryNameIn(language, row, hit.category) } : hit;

export async function getSearchPage(
  scope: RequestScope,
  address: z.output<typeof searchPageQuery>,
  within?: string,
  language: Language = "ko",
) {
  const { ctx, rows } = await scope.read([searchedBoardsStatement(scope.db, within)]);
  requireLanguage(ctx, language);
  const boards = searchableBoards(ctx, rows[0], within);
  const rowOf = new Map(boards.map((row) => [row.boardCode, row]));
  const { keyword, target, order, from = "", to = "" } = address;
  const boardCode = within ?? address.boardCode ?? "";
  const asked = {
    query: { keyword: keyword.trim(), target, boardCode, from, to, order },
    boards: boards.map((row) => ({ boardCode: row.boardCode, boardName: boardNameIn(language, row) })),
    board: within && boards[0] ? boardView(ctx, boards[0], language) : null,
    pages: [],
  };
  if (keyword.trim() === "") return { ...asked, result: null, error: null };
  try {
    const input = parseInput(searchInput, { keyword, target, from, to, boardCode, order });
    const everything = !boardCode && !from && !to && address.page === 1 && WITH_PAGES.has(target);
    const searched = within || !boardCode ? boards : searchableBoards(ctx, rows[0], boardCode);
    const beside = (isFree: SQL) => (everything ? searchedPagesStatements(ctx, isFree) : []);
    const found = await searchAmong(ctx, searched, { ...input, page: address.page, size: PAGE_SIZE }, beside);
    const pages = found.rows as unknown as Parameters<typeof foundPages>[1];
    return {
      ...asked,
      result: {
        ...found.page,
        content: found.page.content.map((hit) => namedIn(language, rowOf.get(hit.boardCode), hit)),
      },
      pages: everything ? foundPages(ctx, pages, input.keyword, language) : [],
      error: null,
    };
  } catch (error) {
    if (!(error instanceof AppError) || !["INVALID_INPUT", "TOO_MANY_REQUESTS"].includes(error.code)) throw error;
    return { ...asked, result: null, error: error.message };
  }
}

export type SearchPageData = View<typeof getSearchPage>;

interface SearchedPage extends Omit<PageHit, "excerpt"> {
  text: string;
  /** Words of buttons and the map, searchable but not in excerpts. */
  labels?: string;
}

const CENTER_LABELS = { ko: "길찾기 찾아오시는 길", en: "Directions" };
const ISLANDS: Record<string, Record<Language, string>> = {
  gyungbuk: { ko: "울릉도 독도", en: "Ulleungdo Dokdo" },
};
const labelsOf = (regionCode: string, language: Language) =>
  `${CENTER_LABELS[language]} ${ownValue(ISLANDS, regionCode)?.[language] ?? ""}`;

const PAGES_SHOWN = 6;

const joined = (...columns: SQLiteColumn[]) =>
  sql<string>`concat_ws(' ', ${sql.join(
    columns.map((each) => sql`nullif(${each}, '')`),
    sql`, `,
  )})`;

/** Selects published pages and centres; these are public. @param when SQL condition for reading anything */
export function searchedPagesStatements({ db, now }: Pick<AppContext, "db" | "now">, when: SQL) {
  const newest = sql`(SELECT version_no FROM content_version AS v WHERE v.code = ${content.code} AND v.effective_date <= ${now().getTime()} ORDER BY v.effective_date DESC, v.version_no DESC LIMIT 1)`;
  return [
    db
      .select({ code: content.code, value: contentVersion.value })
      .from(content)
      .innerJoin(
        contentVersion,
        and(eq(contentVersion.code, content.code), sql`${contentVersion.versionNo} = ${newest}`),
      )
      .where(and(eq(content.status, "published"), when)),
    db
      .select({
        regionCode: center.regionCode,
        title: center.centerName,
        text: joined(
          center.regionName,
          center.director,
          center.address,
          center.phone,
          center.introduction,
          center.directions,
        ),
        englishTitle: center.englishName,
        englishText: joined(
          center.englishDirector,
          center.englishAddress,
          center.phone,
          center.englishIntroduction,
          center.englishDirections,
        ),
      })
      .from(center)
      .where(when)
      .orderBy(asc(center.sortOrder), asc(center.regionCode)),
  ] as const;
}

type SearchedRows = BatchRows<ReturnType<typeof searchedPagesStatements>>;

/** Matches every word as typed, else the bare words. Korean searches also find English pages. */
export function foundPages(ctx: AppContext, rows: SearchedRows, keyword: string, language: Language = "ko"): PageHit[] {
  const pages = searchedPages(ctx, rows)
    .filter(({ path }) => language === "ko" || languageOf(path) === "en")
    .map((page) => ({
      page,
      folded: foldOnce(page.title),
      all: foldOnce(`${page.title} ${page.text} ${page.labels ?? ""}`),
    }));
  const pagesWith = (parts: readonly SearchPart[]): PageHit[] => {
    const holdsAll = (text: string) =>
      parts.every((wordings) => wordings.some(({ words }) => words.every((word) => text.includes(word))));
    const found = parts.length === 0 ? [] : pages.filter(({ all }) => holdsAll(all));
    return found
      .toSorted((a, b) => Number(holdsAll(b.folded)) - Number(holdsAll(a.folded)))
      .slice(0, PAGES_SHOWN)
      .map(({ page: { kind, title, path, text } }) => ({
        kind,
        title,
        path,
        excerpt: excerptAroundHit(text, partWords(parts)),
      }));
  };
  const typed = pagesWith(askedParts(ctx, keyword));
  return typed.length > 0 ? typed : pagesWith(askedParts(ctx, bareWords(keyword).join(" ")));
}

function searchedPages(ctx: AppContext, [pages, centers]: SearchedRows): SearchedPage[] {
  const product = ctx.config.PRODUCT_CODE;
  return [
    ...pages.flatMap(({ code, value }) => pageOf(ctx, code, value)),
    ...(identityOf(ctx).hasCenters ? centers : []).flatMap((row): SearchedPage[] => {
      const { regionCode, title, text, englishTitle, englishText } = row;
      const path = centerPath(product, regionCode);
      const korean: SearchedPage = { kind: "center", title, path, text, labels: labelsOf(regionCode, "ko") };
      if (!hasEnglishSite(ctx) || englishTitle === "") return [korean];
      const labels = labelsOf(regionCode, "en");
      return [
        korean,
        { kind: "center", title: englishTitle, path: englishPath(product, path), text: englishText, labels },
      ];
    }),
  ];
}

const TEXTS_KEPT = 200;
const readTexts = new Map<string, string>();
const foldedTexts = new Map<string, string>();

/** Computes each text once per isolate: the text of the same HTML, folded or not, never changes. */
function computeOnce(known: Map<string, string>, given: string, compute: (given: string) => string): string {
  const text = known.get(given) ?? compute(given);
  if (known.size >= TEXTS_KEPT) known.clear();
  known.set(given, text);
  return text;
}
const textOf = (html: string) => computeOnce(readTexts, html, htmlToText);
const foldOnce = (text: string) => computeOnce(foldedTexts, text, foldSearchText);

function pageOf(ctx: AppContext, code: string, value: unknown): SearchedPage[] {
  const shown = shownPage(ctx, code);
  const path = shown ? infoPath(ctx.config.PRODUCT_CODE, code) : isLegalPage(code) ? LEGAL_PAGES[code].path : null;
  const page = contentValue.safeParse(value).data;
  if (path === null || !page) return [];
  const korean: SearchedPage = { kind: "page", title: page.title, path, text: textOf(page.content) };
  if (!hasEnglishSite(ctx) || !hasEnglishText(code, page)) return [korean];
  const english = { title: page.englishTitle, text: textOf(page.englishContent) };
  return [korean, { ...english, kind: "page", path: englishPath(ctx.config.PRODUCT_CODE, path) }];
}
