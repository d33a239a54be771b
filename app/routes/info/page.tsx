import { ContentBody, PageFoot } from "#app/features/content/content-body.tsx";
import { withSections } from "#app/features/file/article.server.ts";
import { MenuGroupTabs } from "#app/features/site/shell/group-tabs.tsx";
import { ServiceLink } from "#app/features/case-report/service-link.tsx";
import { ProposalLinks } from "#app/features/proposal/proposal-links.tsx";
import { useSiteFrame, useTexts } from "#app/lib/page-language.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { pageMeta, readMenuParents, findProductCode } from "#app/lib/page-meta.ts";
import { breadcrumbJsonLd } from "#app/lib/breadcrumb-json-ld.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { thumbnailUrl } from "#worker/contract/file/view.ts";
import { languageOf } from "#worker/contract/kernel/language.ts";
import { imageFileIds } from "#worker/contract/kernel/rich-text.ts";
import { infoPath } from "#worker/contract/content/info-pages.ts";
import { getInfoPage } from "#worker/domain/content/page.server.ts";
import { summaryOf } from "#worker/domain/kernel/html-text.server.ts";
import type { Route } from "./+types/page";

/** Serves every information page; the last path segment selects it. */
export const loader = pageLoader(async (scope, { params, request }: Route.LoaderArgs) => {
  const { pathname, searchParams } = new URL(request.url);
  const code =
    pathname
      .replace(/(?<!\/)\/+$/, "")
      .split("/")
      .pop()
      ?.toLowerCase()
      .replace(/\.data$/, "") ?? "";
  const language = languageOf(pathname);
  const content = await getInfoPage(scope, {
    code,
    product: params.product,
    preview: searchParams.has("preview"),
    language,
  });
  const [fileId] = imageFileIds(content.content);
  return {
    code,
    content: withSections(content, { language, look: content.look || undefined }),
    summary: summaryOf(content.content),
    picture: fileId && thumbnailUrl(fileId, 1280),
  };
});

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { code, content, summary, picture } = loaderData;
  const path = infoPath(findProductCode(matches), code);
  if (content.title === "") return pageMeta({ matches, title: "" });
  return [
    ...pageMeta({
      matches,
      title: content.title,
      description: summary || undefined,
      path: content.isPreview ? undefined : path,
      picture,
      hasEnglish: content.hasEnglish,
    }),
    breadcrumbJsonLd(matches, [
      ...readMenuParents(matches, path),
      ...content.parents,
      { label: content.title, href: path },
    ]),
  ];
}

export const handle = { isForReaders: true };

export default function InfoPage({ loaderData }: Route.ComponentProps) {
  const { code, content } = loaderData;
  const frame = useSiteFrame();
  const product = frame?.site.productCode ?? "";
  const href = useTexts().pathOf(product, infoPath(product, code));
  return (
    <>
      <PageHeader title={content.title} parents={content.parents} />
      <MenuGroupTabs href={href} />
      {code === "registry" && (
        <div className="container-page pt-6 print:hidden">
          <ServiceLink />
        </div>
      )}
      {code === "proposal" && <ProposalLinks />}
      <ContentBody
        page={content}
        look={content.look || undefined}
        foot={frame && <PageFoot contact={frame.site.contact} modifiedDate={content.modifiedDate} />}
      />
    </>
  );
}
