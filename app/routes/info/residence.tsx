import { ContentBody } from "#app/features/content/content-body.tsx";
import { GroupTabs } from "#app/features/site/shell/group-tabs.tsx";
import { summaryOf } from "#app/features/content/summary.ts";
import { ResidenceFigures } from "#app/features/case-report/residence-figures.tsx";
import { ServiceLink } from "#app/features/case-report/service-link.tsx";
import { useFrame } from "#app/features/site/shell/frame.ts";
import { parentsOf } from "#app/features/site/shell/menu.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { breadcrumbLd, pageMeta, parentsIn, productCodeOf } from "#app/lib/meta.ts";
import { page, shareBriefly } from "#app/lib/page.server.ts";
import { Notice } from "#app/ui/notice.tsx";
import { infoPath } from "#worker/contract/content/info-pages.ts";
import { residencePage } from "#worker/domain/case-report/counts.server.ts";
import type { Route } from "./+types/residence";

export const loader = page(async (door, args: Route.LoaderArgs) => {
  const preview = new URL(args.request.url).searchParams.has("preview");
  const found = await residencePage(door, { product: args.params.product, preview });
  if (!found.counts || found.counts.stale) shareBriefly(args);
  return found;
});

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { title, content, isPreview } = loaderData.page;
  const path = infoPath(productCodeOf(matches), "residence");
  return [
    ...pageMeta({ matches, title, description: summaryOf(content) || undefined, path: isPreview ? undefined : path }),
    breadcrumbLd(matches, [...parentsIn(matches, path), { label: title, href: path }]),
  ];
}

export default function Residence({ loaderData }: Route.ComponentProps) {
  const { page: content, counts, problem } = loaderData;
  const frame = useFrame();
  const href = infoPath(frame?.site.productCode ?? "", "residence");
  return (
    <>
      <PageHeader title={content.title} parents={parentsOf(frame?.menu, href)} />
      <GroupTabs href={href} />
      <div className="container-page">
        {counts ? (
          <ResidenceFigures counts={counts} />
        ) : (
          <Notice tone="warning" className="mt-8">
            {problem}
          </Notice>
        )}
        <div className="mt-8 print:hidden">
          <ServiceLink />
        </div>
      </div>
      {content.content && <ContentBody page={content} />}
    </>
  );
}
