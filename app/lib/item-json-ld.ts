import type { MetaDescriptor } from "react-router";
import { findRootData, type Matches, sharePictureOf, siteIconOf } from "#app/lib/page-meta.ts";
import type { EventView, ItemView } from "#worker/contract/board/view.ts";

export function articleJsonLd(
  matches: Matches,
  item: Pick<ItemView, "title" | "createdDate" | "modifiedDate" | "createdUserName" | "thumbnailUrl">,
  path: string,
): MetaDescriptor[] {
  const root = findRootData(matches);
  if (!root) return [];
  return [
    {
      "script:ld+json": {
        "@context": "https://schema.org",
        "@type": "Article",
        headline: item.title.slice(0, 110),
        datePublished: item.createdDate,
        dateModified: item.modifiedDate,
        author: { "@type": "Person", name: item.createdUserName },
        publisher: {
          "@type": "Organization",
          name: root.site.siteName,
          logo: root.origin + siteIconOf(root),
        },
        image: item.thumbnailUrl
          ? root.origin + item.thumbnailUrl
          : (sharePictureOf(root) ?? root.origin + siteIconOf(root)),
        mainEntityOfPage: root.origin + path,
        inLanguage: "ko",
      },
    },
  ];
}

export function eventJsonLd(
  matches: Matches,
  { title, event }: { title: string; event: EventView | null },
  path: string,
): MetaDescriptor[] {
  const root = findRootData(matches);
  if (!root || !event) return [];
  const { isAllDay, startDate, endDate, firstDay, lastDay, place, isCancelled } = event;
  return [
    {
      "script:ld+json": {
        "@context": "https://schema.org",
        "@type": "Event",
        name: title,
        startDate: isAllDay ? firstDay : startDate,
        endDate: isAllDay ? lastDay : endDate,
        eventStatus: `https://schema.org/${isCancelled ? "EventCancelled" : "EventScheduled"}`,
        ...(place ? { location: { "@type": "Place", name: place, address: place } } : {}),
        organizer: { "@type": "Organization", name: root.site.siteName, url: `${root.origin}/` },
        url: root.origin + path,
        inLanguage: "ko",
      },
    },
  ];
}
