import type { MetaDescriptor } from "react-router";
import { findRootData, type Matches, siteIconOf } from "#app/lib/page-meta.ts";

export function organizationJsonLd(matches: Matches): MetaDescriptor[] {
  const root = findRootData(matches);
  if (!root) return [];
  const { siteName, description, contact } = root.site;
  return [
    {
      "script:ld+json": {
        "@context": "https://schema.org",
        "@type": "Organization",
        name: siteName,
        url: `${root.origin}/`,
        logo: root.origin + siteIconOf(root),
        ...(description ? { description } : {}),
        ...(contact.address ? { address: contact.address } : {}),
        ...(contact.phone ? { telephone: contact.phone } : {}),
        ...(contact.email ? { email: contact.email } : {}),
      },
    },
  ];
}
