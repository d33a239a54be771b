import { useSiteFrame } from "#app/features/site/shell/use-site-frame.ts";
import { useWords } from "#app/lib/use-words.ts";
import { BoardSearchForm } from "#app/features/board/search-form.tsx";
import { PageHits, SearchResults } from "#app/features/board/search-results.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { Select } from "#app/ui/select.tsx";
import { searchPageQuery } from "#worker/contract/board/search-input.ts";
import { getSearchPage } from "#worker/domain/site/search-page.server.ts";
import type { Route } from "./+types/search";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const address = searchPageQuery.parse(Object.fromEntries(new URL(request.url).searchParams));
  return getSearchPage(scope, {
    ...address,
    target: new URL(request.url).searchParams.has("target") ? address.target : "all",
  });
});

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const keyword = loaderData?.query.keyword;
  return pageMeta({ matches, title: keyword ? `${keyword} 검색 결과` : "통합검색" });
}

export const handle = { isForReaders: true };

export default function SearchRoute({ loaderData }: Route.ComponentProps) {
  const say = useWords();
  const places = useSiteFrame()?.look.hasNoCenters
    ? "글과 첨부파일, 안내 화면에서"
    : say("글과 첨부파일, 안내 화면과 {권역센터}에서");
  const { query, boards, result, error, pages } = loaderData;
  const href = (number: number, order = query.order) => {
    const given = { ...query, order: order === "date" ? "" : order, page: number === 1 ? "" : String(number) };
    return `/search?${new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ""))}`;
  };
  return (
    <>
      <PageHeader title="통합검색" description={`${places} 찾습니다.`} />
      <div className="container-page container-reading pt-8 pb-16 md:pt-10 md:pb-24">
        <BoardSearchForm action="/search" keyword={query.keyword} target={query.target} autoFocus={!query.keyword}>
          <div className="mt-4 grid grid-cols-2 gap-3 md:grid-cols-3 md:gap-4">
            <Field label="게시판" className="max-md:col-span-2">
              <Select
                key={query.boardCode}
                name="boardCode"
                defaultValue={query.boardCode}
                placeholder="전체 게시판"
                options={boards.map((board) => ({ value: board.boardCode, label: board.boardName }))}
              />
            </Field>
            <Field label="등록일 시작">
              <Input key={query.from} type="date" name="from" defaultValue={query.from} />
            </Field>
            <Field label="등록일 끝">
              <Input key={query.to} type="date" name="to" defaultValue={query.to} />
            </Field>
          </div>
        </BoardSearchForm>
        <PageHits pages={pages} words={result?.highlight ?? []} />
        <SearchResults
          keyword={query.keyword}
          result={result}
          error={error}
          href={(number) => href(number)}
          showBoard
          orders={[
            { label: "최신순", href: href(1, "date"), current: query.order === "date" },
            { label: "정확도순", href: href(1, "match"), current: query.order === "match" },
          ]}
        />
      </div>
    </>
  );
}
