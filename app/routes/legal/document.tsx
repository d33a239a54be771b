import { Form, Link, useSearchParams } from "react-router";
import { withSections } from "#app/features/file/article.server.ts";
import { ArticleBody } from "#app/ui/article.tsx";
import { PreviewAlert, WithContentsList } from "#app/features/content/content-body.tsx";
import { VersionComparison } from "#app/features/content/version-comparison.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { useTexts } from "#app/lib/page-language.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { breadcrumbJsonLd } from "#app/lib/breadcrumb-json-ld.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Empty } from "#app/ui/empty.tsx";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { koreanPath, languageOf } from "#worker/contract/kernel/language.ts";
import { LEGAL_PAGES, type LegalPageCode } from "#worker/contract/content/info-pages.ts";
import { getLegalPage, type LegalPage } from "#worker/domain/content/legal-page.server.ts";
import type { Route } from "./+types/document";
import { formatLongDate } from "#app/lib/format.ts";
import { Button } from "#app/ui/button.tsx";
import { Select } from "#app/ui/field.tsx";
import { Time } from "#app/ui/inline.tsx";

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
  return withSections(page, { language });
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

type LegalVersion = LegalPage["versions"][number];
const versionName = (version: LegalVersion) => {
  const mark = version.isCurrent ? " (현행)" : version.isUpcoming ? " (시행 예정)" : "";
  return `${formatLongDate(version.effectiveDate)} 시행${mark}`;
};
const versionOptions = (versions: readonly LegalVersion[]) =>
  versions.map((version) => ({ value: String(version.versionNo), label: versionName(version) }));

/** Works without JavaScript. */
function VersionBar({ page }: { page: LegalPage }) {
  const { code, versions, versionNo, effectiveDate, comparison } = page;
  if (effectiveDate === null) return null;
  const shown = versions.find((version) => version.versionNo === versionNo);
  const older = versions.filter((version) => version.versionNo !== versionNo);
  const { path } = LEGAL_PAGES[code];
  return (
    <div className="mt-2 rounded-lg border border-gray-20 bg-gray-5 p-4 md:p-5">
      <p>
        <strong className="font-bold text-gray-90">시행일</strong> <Time date={effectiveDate} format="long" />
        {shown?.isUpcoming && <span className="ml-2 font-semibold text-warning-60">시행 예정</span>}
        {shown && !shown.isCurrent && (
          <Link to={path} className="ml-3 font-semibold text-primary-60 underline underline-offset-4">
            현행 보기
          </Link>
        )}
      </p>
      {versions.length > 1 && (
        <div className="mt-3 grid gap-3 md:grid-cols-2 print:hidden">
          <Form method="get" action={path} className="flex items-end gap-2">
            <label htmlFor="legal-version" className="block min-w-0 flex-1 text-sm font-semibold">
              <span className="mb-1 block">다른 버전 보기</span>
              <Select
                id="legal-version"
                name="version"
                defaultValue={String(versionNo)}
                options={versionOptions(versions)}
              />
            </label>
            <Button type="submit">보기</Button>
          </Form>
          <Form method="get" action={path} className="flex items-end gap-2">
            <input type="hidden" name="version" value={String(versionNo)} />
            <label htmlFor="legal-compare" className="block min-w-0 flex-1 text-sm font-semibold">
              <span className="mb-1 block">이 버전과 비교할 버전</span>
              <Select
                id="legal-compare"
                name="compare"
                defaultValue={String(comparison?.versionNo ?? older[0]?.versionNo ?? "")}
                options={versionOptions(older)}
              />
            </label>
            <Button type="submit">비교</Button>
          </Form>
        </div>
      )}
    </div>
  );
}
