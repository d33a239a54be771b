import { ContentBody } from "#app/features/content/content-body.tsx";
import { withSections } from "#app/features/file/article.server.ts";
import { MenuGroupTabs } from "#app/features/site/shell/group-tabs.tsx";
import { ResidenceFigures, useResidenceTexts } from "#app/features/case-report/residence-figures.tsx";
import { ServiceLink } from "#app/features/case-report/service-link.tsx";
import { useSiteFrame, useTexts } from "#app/lib/page-language.ts";
import { infoMeta } from "#app/features/content/info-meta.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { keepFor, pageLoader } from "#app/lib/page-loader.server.ts";
import { Alert } from "#app/ui/alert.tsx";
import { BRIEF_MS } from "#worker/contract/kernel/limits.ts";
import { languageOf } from "#worker/contract/kernel/language.ts";
import { infoPath } from "#worker/contract/content/info-pages.ts";
import { FRESH_MS, getResidencePage } from "#worker/domain/case-report/case-report.server.ts";
import { summaryOf } from "#worker/domain/kernel/html-text.server.ts";
import type { Route } from "./+types/residence";

export const loader = pageLoader(async (scope, args: Route.LoaderArgs) => {
  const { pathname, searchParams } = new URL(args.request.url);
  const language = languageOf(pathname);
  const found = await getResidencePage(scope, {
    product: args.params.product,
    preview: searchParams.has("preview"),
    language,
  });
  keepFor(args, found.counts && !found.counts.stale ? FRESH_MS : BRIEF_MS);
  return { ...found, page: withSections(found.page, { language }), summary: summaryOf(found.page.content) };
});

export const meta = (args: Route.MetaArgs) => infoMeta(args, "residence");

export const handle = { isForReaders: true };

export default function ResidencePage({ loaderData }: Route.ComponentProps) {
  const { page: content, counts, problem } = loaderData;
  const frame = useSiteFrame();
  const { pathOf } = useTexts();
  const residence = useResidenceTexts();
  const product = frame?.site.productCode ?? "";
  const href = pathOf(product, infoPath(product, "residence"));
  return (
    <>
      <PageHeader title={content.title} />
      <MenuGroupTabs href={href} />
      <div className="container-page">
        {counts ? (
          <ResidenceFigures counts={counts} />
        ) : (
          <Alert tone="warning" className="mt-8">
            {problem !== null && residence.problem(problem)}
          </Alert>
        )}
        <div className="mt-8 print:hidden">
          <ServiceLink />
        </div>
      </div>
      {content.content && <ContentBody page={content} />}
    </>
  );
}
