import type { SQL } from "drizzle-orm";
import type { z } from "zod";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import { type searchPageQuery, searchInput } from "#worker/contract/board/search-input.ts";
import type { SearchHit, SearchPageData } from "#worker/contract/board/search-view.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import type { SearchTarget } from "#worker/contract/board/search-terms.ts";
import type { BoardRow } from "../kernel/resource.server.ts";
import { foundPages, searchedPagesStatements } from "./page-search.server.ts";
import { requireLanguage } from "../kernel/identity.server.ts";
import { boardNameIn, boardView, categoryNameIn } from "../board/board.server.ts";
import { searchableBoards, searchAmong, searchedBoardsStatement } from "../board/search.server.ts";

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
): Promise<SearchPageData> {
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
