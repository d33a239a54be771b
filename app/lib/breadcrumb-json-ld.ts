import { findRootData, type Matches, textsOf } from "#app/lib/page-meta.ts";

export function breadcrumbJsonLd(matches: Matches, crumbs: readonly { label: string; href?: string }[]) {
  const root = findRootData(matches);
  const { shell, pathOf } = textsOf(matches);
  const all = [{ label: shell.home, href: "/" }, ...crumbs];
  return {
    "script:ld+json": {
      "@context": "https://schema.org",
      "@type": "BreadcrumbList",
      itemListElement: all.map(({ label, href }, at) => ({
        "@type": "ListItem",
        position: at + 1,
        name: label,
        ...(href === undefined ? {} : { item: (root?.origin ?? "") + pathOf(root?.site.productCode ?? "", href) }),
      })),
    },
  };
}
