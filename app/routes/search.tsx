import { useSiteFrame, useWords } from "#app/lib/page-language.ts";
import { boardOptions } from "#app/features/board/board-paths.ts";
import { BoardSearchForm } from "#app/features/board/search-form.tsx";
import { PageHits, SearchResults } from "#app/features/board/search-results.tsx";
import { boardTextsOf } from "#app/features/board/board-texts.ts";
import { searchTextsOf, useSearchTexts } from "#app/features/board/search-texts.ts";
import { useBoardHrefs } from "#app/features/board/post-texts.ts";
import { languageOf } from "#worker/contract/kernel/language.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Field, Input, Select } from "#app/ui/field.tsx";
import { searchPageQuery } from "#worker/contract/board/input.ts";
import { getSearchPage } from "#worker/domain/site/search-page.server.ts";
import type { Route } from "./+types/search";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const { pathname, searchParams } = new URL(request.url);
  const address = searchPageQuery.parse(Object.fromEntries(searchParams));
  const asked = { ...address, target: searchParams.has("target") ? address.target : ("all" as const) };
  return getSearchPage(scope, asked, undefined, languageOf(pathname));
});

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const keyword = loaderData?.query.keyword;
  const title = keyword ? boardTextsOf(matches).search.resultsOf(keyword) : searchTextsOf(matches).title;
  return pageMeta({ matches, title });
}

export const handle = { isForReaders: true };

export default function SearchRoute({ loaderData }: Route.ComponentProps) {
  const say = useWords();
  const texts = useSearchTexts();
  const { to } = useBoardHrefs();
  const hasCenters = !useSiteFrame()?.look.hasNoCenters;
  const { query, boards, result, error, pages } = loaderData;
  const href = (number: number, order = query.order) => {
    const given = { ...query, order: order === "match" ? "" : order, page: number === 1 ? "" : String(number) };
    return to(`/search?${new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ""))}`);
  };
  return (
    <>
      <PageHeader title={texts.title} description={say(texts.places(hasCenters))} />
      <div className="container-page container-reading pt-8 pb-16 md:pt-10 md:pb-24">
        <BoardSearchForm
          action={to("/search")}
          keyword={query.keyword}
          target={query.target}
          autoFocus={!query.keyword}
        >
          <div className="mt-4 grid grid-cols-2 gap-3 md:grid-cols-3 md:gap-4">
            <Field label={texts.board} className="max-md:col-span-2">
              <Select
                key={query.boardCode}
                name="boardCode"
                defaultValue={query.boardCode}
                placeholder={texts.allBoards}
                options={boardOptions(boards)}
              />
            </Field>
            <Field label={texts.from}>
              <Input key={query.from} type="date" name="from" defaultValue={query.from} />
            </Field>
            <Field label={texts.to}>
              <Input key={query.to} type="date" name="to" defaultValue={query.to} />
            </Field>
          </div>
        </BoardSearchForm>
        <PageHits pages={pages.filter(({ itemsBefore }) => itemsBefore === 0)} words={result?.highlight ?? []} />
        <SearchResults
          keyword={query.keyword}
          result={result}
          error={error}
          href={(number) => href(number)}
          showBoard
          pages={pages}
          orders={[
            { label: texts.best, href: href(1, "match"), current: query.order === "match" },
            { label: texts.newest, href: href(1, "date"), current: query.order === "date" },
          ]}
        />
      </div>
    </>
  );
}
