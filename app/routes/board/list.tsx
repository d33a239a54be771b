import { lookUp } from "#worker/contract/kernel/labels.ts";
import PenLine from "lucide-react/icons/pen-line";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { BoardTable } from "#app/features/board/board-table.tsx";
import { BoardListBar, CategoryFilter } from "#app/features/board/list-bar.tsx";
import { decorateArticle } from "#app/features/file/article.server.ts";
import { FaqList } from "#app/features/board/faq-list.tsx";
import { GalleryList } from "#app/features/board/gallery-list.tsx";
import { BulkActionBar, type RowSelection } from "#app/features/board/bulk-action-bar.tsx";
import { BoardSearchForm } from "#app/features/board/search-form.tsx";
import { SearchResults } from "#app/features/board/search-results.tsx";
import {
  type BoardListChoice,
  boardListHref,
  boardWriteHref,
  readBoardChoice,
} from "#app/features/board/board-paths.ts";
import { boardTextsOf, useBoardTexts } from "#app/features/board/board-texts.ts";
import { useBoardHrefs, usePostTexts } from "#app/features/board/post-texts.ts";
import { KoreanOnly } from "#app/features/board/korean-only.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { feedLinks, pageMeta, textsOf } from "#app/lib/page-meta.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { breadcrumbJsonLd } from "#app/lib/breadcrumb-json-ld.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Pager } from "#app/ui/pager.tsx";
import type { BoardInfo } from "#worker/contract/board/view.ts";
import { boardCode, listItemsQuery, searchPageQuery } from "#worker/contract/board/input.ts";
import { languageOf } from "#worker/contract/kernel/language.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import { getBoardListPage, type BoardListPage } from "#worker/domain/board/list.server.ts";
import { getSearchPage, type SearchPageData } from "#worker/domain/site/search-page.server.ts";
import type { Route } from "./+types/list";

export const loader = pageLoader(async (scope, { params, request }: Route.LoaderArgs) => {
  const code = boardCode.safeParse(params.boardCode.toLowerCase());
  if (!code.success) throw new AppError("NOT_FOUND", { message: "게시판을 찾을 수 없습니다." });
  const { pathname, searchParams } = new URL(request.url);
  const language = languageOf(pathname);
  const search = Object.fromEntries(searchParams);
  if (search.keyword?.trim()) {
    const found = await getSearchPage(scope, searchPageQuery.parse(search), code.data, language);
    if (found.board) return { ...found, board: found.board };
  }
  const query = parseInput(listItemsQuery, { ...search, boardCode: code.data });
  const page = await getBoardListPage(scope, query, language);
  const shown = Object.entries(page.answers).map(([itemNo, html]) => [
    itemNo,
    decorateArticle(html, { pictures: page.pictures, language }),
  ]);
  return { ...page, answers: Object.fromEntries(shown) as BoardListPage["answers"], pictures: [] };
});

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const texts = boardTextsOf(matches);
  const { langOf } = textsOf(matches);
  if ("boards" in loaderData) return pageMeta({ matches, title: texts.search.resultsOf(loaderData.board.boardName) });
  const { board, items, query } = loaderData;
  const category = lookUp(board.categoryNames, query.category) ?? query.category;
  const title = [!langOf(category) && category, items.page > 1 && texts.list.pageTitle(items.page)]
    .filter(Boolean)
    .join(" · ");
  return [
    ...pageMeta({
      matches,
      title: title ? `${board.boardName} (${title})` : board.boardName,
      description: board.description || undefined,
      path: boardListHref(board.boardCode, { page: items.page, category: query.category }),
    }),
    breadcrumbJsonLd(matches, [{ label: board.boardName, href: boardListHref(board.boardCode) }]),
    ...feedLinks(matches, board.boardCode),
  ];
}

export const handle = { isForReaders: true };

export default function BoardList({ loaderData }: Route.ComponentProps) {
  return "boards" in loaderData ? <BoardSearch {...loaderData} /> : <BoardListBody {...loaderData} />;
}

function BoardSearch({ board, query, result, error }: SearchPageData & { board: BoardInfo }) {
  const choice = { keyword: query.keyword, target: query.target };
  const { list: texts } = useBoardTexts();
  const hrefs = useBoardHrefs();
  return (
    <>
      <PageHeader title={board.boardName} description={board.description} />
      <div className="container-page container-reading pt-8 pb-16 md:pt-10 md:pb-24">
        <BoardSearchForm action={hrefs.list(board.boardCode)} keyword={query.keyword} target={query.target} />
        <SearchResults
          keyword={query.keyword}
          result={result}
          error={error}
          href={(number) => hrefs.list(board.boardCode, { ...choice, page: number })}
          choice={{ ...choice, page: result?.page }}
        />
        <ButtonLink to={hrefs.list(board.boardCode)} size="sm" className="mt-6">
          {texts.all}
        </ButtonLink>
      </div>
    </>
  );
}

const TYPES = { list: BoardTable, gallery: GalleryList, faq: FaqList };

function BoardRows(props: BoardListPage & { choice: BoardListChoice; selection: RowSelection | undefined }) {
  const Type = TYPES[props.board.boardType];
  return <Type {...props} />;
}

function BoardListBody(loaderData: BoardListPage) {
  const { board, items } = loaderData;
  const isEmpty = items.content.length === 0;
  const choice = readBoardChoice(useSearchParams()[0]);
  const [ticked, setTicked] = useState<readonly number[]>([]);
  const shown = [...items.pinned, ...items.content].map((row) => row.itemNo);
  const chosen = ticked.filter((itemNo) => shown.includes(itemNo));
  const toggle = (itemNo: number, on: boolean) =>
    setTicked(on ? [...chosen, itemNo] : chosen.filter((each) => each !== itemNo));
  const { list: texts, pager } = useBoardTexts();
  const { onlyInKorean, doInKorean } = usePostTexts();
  const { langOf } = useTexts();
  const hrefs = useBoardHrefs();
  // English pages only show items; editing exists on the Korean page.
  const isWhole = doInKorean === "";
  const selection = isWhole && board.permissions.manage ? { chosen, toggle } : undefined;
  const { query, numberedPages } = loaderData;
  const seekTo = (number: number) => {
    const isBack = number < items.page;
    const row = items.content.at(isBack ? 0 : -1);
    return row && number > numberedPages ? `${isBack ? "before" : "after"}-${row.itemNo}-${row.viewCount}` : undefined;
  };
  const isInKorean = [...items.pinned, ...items.content].some((row) => langOf(row.title));
  return (
    <>
      <PageHeader title={board.boardName} description={board.description} />
      <div className="container-page pt-8 pb-16 md:pt-10 md:pb-24">
        {isInKorean && <KoreanOnly className="mb-6">{onlyInKorean.list}</KoreanOnly>}
        <CategoryFilter board={board} current={query.category} choice={choice} />
        <BoardListBar board={board} items={items} choice={choice} following={isWhole ? loaderData.following : null} />
        <div className="mt-2">
          {(!isEmpty || items.pinned.length > 0) && <BoardRows {...loaderData} choice={choice} selection={selection} />}
          {isEmpty && (
            <Empty
              className="border-y border-gray-20"
              action={
                (items.page > 1 || query.category) && (
                  <ButtonLink to={hrefs.list(board.boardCode, items.page > 1 ? { ...choice, page: 1 } : {})} size="sm">
                    {items.page > 1 ? texts.firstPage : texts.all}
                  </ButtonLink>
                )
              }
            >
              {items.page > 1 ? texts.emptyPage : query.category ? texts.emptyCategory : texts.empty}
            </Empty>
          )}
        </div>
        {isWhole && board.permissions.manage && (
          <BulkActionBar
            boardCode={board.boardCode}
            openReports={loaderData.openReports ?? 0}
            chosen={chosen}
            onDone={() => setTicked([])}
          />
        )}
        <div className="mt-8 grid items-start gap-6 empty:hidden md:grid-cols-[1fr_auto_1fr]">
          <Pager
            list={items}
            numberedPages={numberedPages}
            href={(number) => hrefs.list(board.boardCode, { ...choice, page: number, seek: seekTo(number) })}
            label={texts.pager(board.boardName)}
            words={pager}
            className="md:col-start-2"
          />
          {isWhole && board.permissions.write && (
            <ButtonLink
              to={boardWriteHref(board.boardCode)}
              variant="primary"
              className="md:col-start-3 md:row-start-1 md:justify-self-end"
            >
              <PenLine aria-hidden="true" className="size-5" />
              {texts.write}
            </ButtonLink>
          )}
        </div>
        {loaderData.following !== null && <KoreanOnly className="mt-6">{doInKorean}</KoreanOnly>}
        {board.permissions.view && (
          <div className="mx-auto mt-8 max-w-2xl">
            <BoardSearchForm action={hrefs.list(board.boardCode)} keyword="" target="titleContent" />
          </div>
        )}
      </div>
    </>
  );
}
