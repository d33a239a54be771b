import type { ArticleLook } from "#app/features/file/article.tsx";
import { ContentBody } from "#app/features/content/content-body.tsx";
import { GroupTabs } from "#app/features/site/shell/group-tabs.tsx";
import { summaryOf } from "#app/features/content/summary.ts";
import { ServiceLink } from "#app/features/case-report/service-link.tsx";
import { useFrame } from "#app/features/site/shell/frame.ts";
import { parentsOf } from "#app/features/site/shell/menu.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { breadcrumbLd, pageMeta, parentsIn, productCodeOf } from "#app/lib/meta.ts";
import { page } from "#app/lib/page.server.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { INFO_PAGES, type InfoPageCode, infoPath } from "#worker/contract/content/info-pages.ts";
import { infoPage } from "#worker/domain/content/page.server.ts";
import type { Route } from "./+types/page";

/** One screen for all information pages: the last segment of the address says which. */
export const loader = page(async (door, { params, request }: Route.LoaderArgs) => {
  const { pathname, searchParams } = new URL(request.url);
  const slug =
    pathname
      .replace(/\/+$/, "")
      .split("/")
      .pop()
      ?.toLowerCase()
      .replace(/\.data$/, "") ?? "";
  if (!(slug in INFO_PAGES)) throw new AppError("NOT_FOUND");
  const code = slug as InfoPageCode;
  const content = await infoPage(door, { code, product: params.product, preview: searchParams.has("preview") });
  return { code, content };
});

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { code, content } = loaderData;
  const path = infoPath(productCodeOf(matches), code);
  return [
    ...pageMeta({
      matches,
      title: content.title,
      description: summaryOf(content.content) || undefined,
      path: content.isPreview ? undefined : path,
    }),
    breadcrumbLd(matches, [...parentsIn(matches, path), { label: content.title, href: path }]),
  ];
}

/** How the lists under a heading look, where they are more than lists. */
const LOOKS: Partial<Record<InfoPageCode, ArticleLook>> = {
  organization: "chart",
  registration: "steps",
  proposal: "steps",
};

export default function InfoPage({ loaderData }: Route.ComponentProps) {
  const { code, content } = loaderData;
  const frame = useFrame();
  const href = infoPath(frame?.site.productCode ?? "", code);
  return (
    <>
      <PageHeader title={content.title} parents={parentsOf(frame?.menu, href)} />
      <GroupTabs href={href} />
      <ContentBody page={content} look={LOOKS[code]} />
      {code === "registry" && (
        <div className="container-page pb-16 print:hidden">
          <ServiceLink />
        </div>
      )}
    </>
  );
}
