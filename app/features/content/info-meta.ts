import type { MetaDescriptor } from "react-router";
import { findProductCode, pageMeta, readMenuParents } from "#app/lib/page-meta.ts";
import { breadcrumbJsonLd } from "#app/lib/breadcrumb-json-ld.ts";
import { type InfoPageCode, infoPath } from "#worker/contract/content/info-pages.ts";

interface InfoMetaArgs {
  matches: Parameters<typeof findProductCode>[0];
  loaderData: { page: { title: string; isPreview: boolean; hasEnglish: boolean }; summary: string } | undefined;
}

/** Previews have no canonical URL. */
export function infoMeta({ matches, loaderData }: InfoMetaArgs, code: InfoPageCode, isInMenu = true): MetaDescriptor[] {
  if (!loaderData) return [];
  const { title, isPreview, hasEnglish } = loaderData.page;
  const path = infoPath(findProductCode(matches), code);
  const parents = isInMenu ? readMenuParents(matches, path) : [];
  // An unwritten English page has no title and no canonical URL.
  if (title === "") return pageMeta({ matches, title });
  return [
    ...pageMeta({
      matches,
      title,
      description: loaderData.summary || undefined,
      path: isPreview ? undefined : path,
      hasEnglish,
    }),
    breadcrumbJsonLd(matches, [...parents, { label: title, href: path }]),
  ];
}
