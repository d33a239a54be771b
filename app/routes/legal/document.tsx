import { useSearchParams } from "react-router";
import { Article } from "#app/features/file/article.tsx";
import { PreviewNotice } from "#app/features/content/content-body.tsx";
import { ContentsList, needsContents } from "#app/features/content/contents-list.tsx";
import { Comparison } from "#app/features/content/comparison.tsx";
import { VersionBar } from "#app/features/content/version-bar.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { breadcrumbLd, pageMeta } from "#app/lib/meta.ts";
import { page } from "#app/lib/page.server.ts";
import { Empty } from "#app/ui/empty.tsx";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { LEGAL_PAGES, type LegalPageCode } from "#worker/contract/content/info-pages.ts";
import { MESSAGES } from "#worker/contract/kernel/messages.ts";
import { legalPage } from "#worker/domain/content/page.server.ts";
import type { Route } from "./+types/document";

const numberOf = (value: string | null) => {
  if (value === null || value === "") return undefined;
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new AppError("NOT_FOUND", { message: "그 판을 찾을 수 없습니다." });
  return Number(value);
};

/** /terms and /privacy. */
export const loader = page(async (door, { request }: Route.LoaderArgs) => {
  const { pathname, searchParams } = new URL(request.url);
  const code: LegalPageCode = /^\/terms/i.test(pathname) ? "terms" : "privacy";
  return legalPage(door, {
    code,
    versionNo: numberOf(searchParams.get("version")),
    compareWith: numberOf(searchParams.get("compare")),
    preview: searchParams.has("preview"),
  });
});

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { code, title, versions, versionNo, comparison, isPreview } = loaderData;
  const current = versions.find((version) => version.isCurrent)?.versionNo ?? null;
  const isMain = !isPreview && !comparison && (versionNo === null || versionNo === current);
  const { path } = LEGAL_PAGES[code];
  return [
    ...pageMeta({ matches, title, path: isMain ? path : undefined }),
    ...(isMain ? [breadcrumbLd(matches, [{ label: title, href: path }])] : []),
  ];
}

export default function LegalDocument({ loaderData }: Route.ComponentProps) {
  const { title, content, pictures, sections, comparison, isPreview } = loaderData;
  const [search] = useSearchParams();
  const listed = !comparison && needsContents(sections);
  return (
    <>
      <PageHeader title={title} />
      <div className="container-page pt-6 pb-16 md:pb-24">
        <PreviewNotice isPreview={isPreview} />
        <VersionBar key={search.toString()} page={loaderData} />
        {content === "" && <Empty>{MESSAGES.preparing}</Empty>}
        <div className={listed ? "lg:grid lg:grid-cols-[minmax(0,1fr)_15rem] lg:gap-12" : "mx-auto max-w-4xl"}>
          {listed && (
            <div className="mt-4 lg:order-2 lg:mt-10">
              <ContentsList sections={sections} />
            </div>
          )}
          <div className="min-w-0">
            {comparison ? (
              <Comparison page={loaderData} comparison={comparison} />
            ) : (
              content && <Article html={content} pictures={pictures} />
            )}
          </div>
        </div>
      </div>
    </>
  );
}
