import type { MetaDescriptor } from "react-router";
import type { RootLoaderData } from "#app/features/site/shell/use-site-frame.ts";
import type { EventView } from "#worker/contract/board/view.ts";
import { fillWords } from "#worker/contract/kernel/product-words.ts";
import { menuParents } from "#app/features/site/shell/site-menu.ts";

type Matches = readonly ({ id: string; loaderData?: unknown } | undefined)[];

function findRootData(matches: Matches): RootLoaderData | undefined {
  return matches.find((match) => match?.id === "root")?.loaderData as RootLoaderData | undefined;
}

/** What others show of the site: made of its logo, or what every site begins with. */
function pictureOf(root: RootLoaderData | undefined, name: "icon" | "share"): string {
  const stamp = root?.look.logo;
  if (stamp) return `/api/site-setting/logo/${name}?v=${stamp}`;
  return name === "icon" ? "/apple-touch-icon.png" : "/og.png";
}

/** "페이지 | 사이트명" */
export function pageTitle(matches: Matches, ...parts: string[]): string {
  const siteName = findRootData(matches)?.site.siteName;
  return [...parts, siteName].filter(Boolean).join(" | ");
}

/** The `{product}` of every path. */
export function findProductCode(matches: Matches): string {
  return findRootData(matches)?.site.productCode ?? "";
}

/** The group of the menu that a page stands in. */
export function readMenuParents(matches: Matches, href: string): { label: string }[] {
  return menuParents(findRootData(matches)?.menu, href);
}

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

/** A board item, for search engines. */
export function articleJsonLd(
  matches: Matches,
  item: { title: string; createdDate: string; modifiedDate: string; createdUserName: string },
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
        publisher: { "@type": "Organization", name: root.site.siteName, logo: root.origin + pictureOf(root, "icon") },
        image: root.origin + pictureOf(root, "share"),
        mainEntityOfPage: root.origin + path,
        inLanguage: "ko",
      },
    },
  ];
}

/** The event that an item is, for search engines; nothing for another. */
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

/** The feeds that a reader program finds on the page: of one board, or of all. */
export function feedLinks(matches: Matches, boardCode?: string): MetaDescriptor[] {
  const root = findRootData(matches);
  const boards = root?.boards.filter((board) => root.feeds.includes(board.boardCode)) ?? [];
  return boards
    .filter((board) => boardCode === undefined || board.boardCode === boardCode)
    .map((board) => ({
      tagName: "link",
      rel: "alternate",
      type: "application/rss+xml",
      title: board.boardName,
      href: `/board/${board.boardCode}/rss.xml`,
    }));
}

/** Who runs the site. */
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
        logo: root.origin + pictureOf(root, "icon"),
        ...(description ? { description } : {}),
        ...(contact.address ? { address: contact.address } : {}),
        ...(contact.phone ? { telephone: contact.phone } : {}),
        ...(contact.email ? { email: contact.email } : {}),
      },
    },
  ];
}

interface PageMetaOptions {
  matches: Matches;
  title: string | string[];
  description?: string | undefined;
  /** The page's one address, in the spec's case; without it the page asks not to be indexed. */
  path?: string | undefined;
  article?: { createdDate: string } | undefined;
}

export function pageMeta({ matches, title, description, path, article }: PageMetaOptions): MetaDescriptor[] {
  const root = findRootData(matches);
  const fullTitle = pageTitle(matches, ...[title].flat());
  const text = (description ?? root?.site.description ?? "").slice(0, 160);
  const address = path === undefined ? undefined : `${root?.origin ?? ""}${path}`;
  return [
    { title: fullTitle },
    ...(text ? [{ name: "description", content: text }] : []),
    ...(address
      ? [
          { tagName: "link", rel: "canonical", href: address },
          { property: "og:type", content: article ? "article" : "website" },
          { property: "og:locale", content: "ko_KR" },
          ...(root ? [{ property: "og:site_name", content: root.site.siteName }] : []),
          { property: "og:image", content: `${root?.origin ?? ""}${pictureOf(root, "share")}` },
          { property: "og:image:width", content: "1200" },
          { property: "og:image:height", content: "630" },
          { name: "twitter:card", content: "summary_large_image" },
          ...(article ? [{ property: "article:published_time", content: article.createdDate }] : []),
          { property: "og:title", content: fullTitle },
          { property: "og:url", content: address },
          ...(text ? [{ property: "og:description", content: text }] : []),
        ]
      : [{ name: "robots", content: "noindex" }]),
  ];
}

/** A page's `meta` that nothing loaded changes. @param titles the page's own and that of where it stands */
export const titledMeta =
  (...titles: string[]) =>
  ({ matches }: { matches: Matches }): MetaDescriptor[] => {
    const words = findRootData(matches)?.look.words ?? {};
    return pageMeta({ matches, title: titles.map((title) => fillWords(words, title)) });
  };

export const pageMetaOf =
  (options: Omit<PageMetaOptions, "matches">) =>
  ({ matches }: { matches: Matches }): MetaDescriptor[] =>
    pageMeta({ matches, ...options });
