import { PreviewNotice } from "#app/features/content/content-body.tsx";
import { summaryOf } from "#app/features/content/summary.ts";
import { Article } from "#app/features/file/article.tsx";
import { CenterMap } from "#app/features/content/map/center-map.tsx";
import { useFrame } from "#app/features/site/shell/frame.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { breadcrumbLd, pageMeta, productCodeOf } from "#app/lib/meta.ts";
import { page } from "#app/lib/page.server.ts";
import { Empty } from "#app/ui/empty.tsx";
import { infoPath } from "#worker/contract/content/info-pages.ts";
import { MESSAGES } from "#worker/contract/kernel/messages.ts";
import { centerOverview } from "#worker/domain/content/center.server.ts";
import type { Route } from "./+types/centers";

export const loader = page(async (door, { params, request }: Route.LoaderArgs) =>
  centerOverview(door, params.product, new URL(request.url).searchParams.has("preview")),
);

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { title, content, isPreview } = loaderData.page;
  const path = infoPath(productCodeOf(matches), "center");
  return [
    ...pageMeta({ matches, title, description: summaryOf(content) || undefined, path: isPreview ? undefined : path }),
    breadcrumbLd(matches, [{ label: title, href: path }]),
  ];
}

export default function CenterOverview({ loaderData }: Route.ComponentProps) {
  const { page: content, centers } = loaderData;
  const frame = useFrame();
  return (
    <>
      <PageHeader title={content.title} />
      <div className="container-page pt-2 pb-16 md:pb-24">
        <PreviewNotice isPreview={content.isPreview} />
        {content.content && <Article html={content.content} pictures={content.pictures} />}
        {centers.length === 0 ? (
          <Empty>{MESSAGES.preparing}</Empty>
        ) : (
          frame && <CenterMap centers={centers} productCode={frame.site.productCode} />
        )}
      </div>
    </>
  );
}
