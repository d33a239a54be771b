import type { MetaDescriptor } from "react-router";
import { findRootData, type Matches } from "#app/lib/page-meta.ts";

/** Where the page stands, for search engines. */
export function breadcrumbJsonLd(
  matches: Matches,
  crumbs: readonly { label: string; href?: string }[],
): MetaDescriptor {
  const origin = findRootData(matches)?.origin ?? "";
  const all = [{ label: "홈", href: "/" }, ...crumbs];
  return {
    "script:ld+json": {
      "@context": "https://schema.org",
      "@type": "BreadcrumbList",
      itemListElement: all.map(({ label, href }, at) => ({
        "@type": "ListItem",
        position: at + 1,
        name: label,
        ...(href === undefined ? {} : { item: origin + href }),
      })),
    },
  };
}
