import { PreviewAlert } from "#app/features/content/content-body.tsx";
import { ArticleBody } from "#app/features/file/article.tsx";
import { CenterMap } from "#app/features/content/map/center-map.tsx";
import { useSiteFrame } from "#app/features/site/shell/use-site-frame.ts";
import { infoMeta } from "#app/features/content/info-meta.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Empty } from "#app/ui/empty.tsx";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import { getCenterOverview } from "#worker/domain/content/center.server.ts";
import type { Route } from "./+types/centers";
import { summaryOf } from "#worker/domain/kernel/html-text.server.ts";

export const loader = pageLoader(async (scope, { params, request }: Route.LoaderArgs) => {
  const found = await getCenterOverview(scope, params.product, new URL(request.url).searchParams.has("preview"));
  return { ...found, summary: summaryOf(found.page.content) };
});

export const meta = (args: Route.MetaArgs) => infoMeta(args, "center", false);

export const handle = { isForReaders: true };

export default function CenterOverview({ loaderData }: Route.ComponentProps) {
  const { page: content, centers } = loaderData;
  const frame = useSiteFrame();
  return (
    <>
      <PageHeader title={content.title} />
      <div className="container-page pt-2 pb-16 md:pb-24">
        <PreviewAlert isPreview={content.isPreview} />
        {content.content && <ArticleBody html={content.content} pictures={content.pictures} />}
        {centers.length === 0 ? (
          <Empty>{UI_MESSAGES.preparing}</Empty>
        ) : (
          frame && <CenterMap centers={centers} productCode={frame.site.productCode} />
        )}
      </div>
    </>
  );
}
