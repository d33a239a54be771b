import { useSearchParams } from "react-router";
import { withArticle } from "#app/features/file/article.server.ts";
import { ArticleBody } from "#app/features/file/article.tsx";
import { PreviewAlert } from "#app/features/content/content-body.tsx";
import { VersionComparison } from "#app/features/content/version-comparison.tsx";
import { VersionBar } from "#app/features/content/version-bar.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { useTexts } from "#app/lib/page-language.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { breadcrumbJsonLd } from "#app/lib/breadcrumb-json-ld.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Empty } from "#app/ui/empty.tsx";
import { WithContentsList } from "#app/features/content/contents-list.tsx";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { koreanPath, languageOf } from "#worker/contract/kernel/language.ts";
import { LEGAL_PAGES, type LegalPageCode } from "#worker/contract/content/info-pages.ts";
import { getLegalPage } from "#worker/domain/content/page.server.ts";
import type { Route } from "./+types/document";

const versionNumber = (value: string | null) => {
  if (value === null || value === "") return undefined;
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new AppError("NOT_FOUND", { message: "그 버전을 찾을 수 없습니다." });
  return Number(value);
};

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const { pathname, searchParams } = new URL(request.url);
  const language = languageOf(pathname);
  const code: LegalPageCode = /^\/terms/i.test(koreanPath(pathname)) ? "terms" : "privacy";
  const page = await getLegalPage(scope, {
    code,
    ...(language === "ko"
      ? {
          versionNo: versionNumber(searchParams.get("version")),
          compareWith: versionNumber(searchParams.get("compare")),
        }
      : {}),
    language,
    preview: searchParams.has("preview"),
  });
  return withArticle(page, { language });
});

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { code, title, versions, versionNo, comparison, isPreview, hasEnglish } = loaderData;
  if (title === "") return pageMeta({ matches, title });
  const current = versions.find((version) => version.isCurrent)?.versionNo ?? null;
  const isMain = !isPreview && !comparison && (versionNo === null || versionNo === current);
  const { path } = LEGAL_PAGES[code];
  return [
    ...pageMeta({ matches, title, path: isMain ? path : undefined, hasEnglish }),
    ...(isMain ? [breadcrumbJsonLd(matches, [{ label: title, href: path }])] : []),
  ];
}

export const handle = { isForReaders: true };

export default function LegalDocument({ loaderData }: Route.ComponentProps) {
  const { title, content, sections, comparison, isPreview } = loaderData;
  const [search] = useSearchParams();
  const { language, preparing } = useTexts();
  return (
    <>
      <PageHeader title={title} />
      <div className="container-page pt-6 pb-16 md:pb-24">
        <PreviewAlert isPreview={isPreview} />
        {language === "ko" && <VersionBar key={search.toString()} page={loaderData} />}
        {content === "" && <Empty>{preparing}</Empty>}
        <WithContentsList sections={comparison ? null : sections}>
          {comparison ? (
            <VersionComparison page={loaderData} comparison={comparison} />
          ) : (
            content && <ArticleBody html={content} />
          )}
        </WithContentsList>
      </div>
    </>
  );
}
