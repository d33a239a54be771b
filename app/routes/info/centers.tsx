import { PreviewAlert } from "#app/features/content/content-body.tsx";
import { withArticle } from "#app/features/file/article.server.ts";
import { ArticleBody } from "#app/features/file/article.tsx";
import { CenterMap } from "#app/features/content/map/center-map.tsx";
import { useSiteFrame } from "#app/features/site/shell/use-site-frame.ts";
import { infoMeta } from "#app/features/content/info-meta.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { useTexts } from "#app/lib/page-language.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Empty } from "#app/ui/empty.tsx";
import { languageOf } from "#worker/contract/kernel/language.ts";
import { getCenterOverview } from "#worker/domain/content/center.server.ts";
import type { Route } from "./+types/centers";
import { summaryOf } from "#worker/domain/kernel/html-text.server.ts";

export const loader = pageLoader(async (scope, { params, request }: Route.LoaderArgs) => {
  const { pathname, searchParams } = new URL(request.url);
  const language = languageOf(pathname);
  const found = await getCenterOverview(scope, {
    product: params.product,
    preview: searchParams.has("preview"),
    language,
  });
  return { ...found, page: withArticle(found.page, { language }), summary: summaryOf(found.page.content) };
});

export const meta = (args: Route.MetaArgs) => infoMeta(args, "center", false);

export const handle = { isForReaders: true };

export default function CenterOverview({ loaderData }: Route.ComponentProps) {
  const { page: content, centers } = loaderData;
  const frame = useSiteFrame();
  const { preparing } = useTexts();
  return (
    <>
      <PageHeader title={content.title} />
      <div className="container-page pt-2 pb-16 md:pb-24">
        <PreviewAlert isPreview={content.isPreview} />
        {content.content && <ArticleBody html={content.content} />}
        {centers.length === 0 ? (
          <Empty>{preparing}</Empty>
        ) : (
          frame && <CenterMap centers={centers} productCode={frame.site.productCode} />
        )}
      </div>
    </>
  );
}
