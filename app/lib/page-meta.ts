import type { MetaDescriptor } from "react-router";
import { menuParents, type RootLoaderData, type SectionTexts } from "./page-language.ts";
import { KOREAN_TEXTS, type SiteTexts } from "#app/lib/texts/korean.ts";
import { englishPath } from "#worker/contract/kernel/language.ts";
import { initialMarkAddress, NETWORK_MARK } from "#worker/contract/site/initial-mark.ts";
import { fillWords } from "#worker/contract/kernel/wording.ts";

export type Matches = readonly ({ id: string; loaderData?: unknown; handle?: unknown } | undefined)[];

interface LanguageHandle {
  texts?: SiteTexts;
  sections?: Partial<SectionTexts>;
}
const findLanguageMatch = (matches: Matches) =>
  matches.find((match) => match?.loaderData !== undefined && (match.handle as LanguageHandle | undefined)?.texts);

export const textsOf = (matches: Matches): SiteTexts =>
  (findLanguageMatch(matches)?.handle as LanguageHandle | undefined)?.texts ?? KOREAN_TEXTS;

export const sectionOf = <K extends keyof SectionTexts>(
  matches: Matches,
  name: K,
  korean: SectionTexts[K],
): SectionTexts[K] => (findLanguageMatch(matches) && sectionsOf(matches.map((match) => match?.handle))[name]) ?? korean;

/** @param handles outermost first */
const sectionsOf = (handles: readonly unknown[]): Partial<SectionTexts> =>
  Object.assign({}, ...handles.map((handle) => (handle as LanguageHandle | undefined)?.sections));

export function findRootData(matches: Matches): RootLoaderData | undefined {
  const own = findLanguageMatch(matches)?.loaderData as RootLoaderData | undefined;
  return own ?? (matches.find((match) => match?.id === "root")?.loaderData as RootLoaderData | undefined);
}

export function siteIconOf({ look, site }: RootLoaderData): string {
  if (look.logo === NETWORK_MARK) return "/network-icon.png";
  return look.logo ? `/api/site-setting/logo/icon?v=${look.logo}` : initialMarkAddress(site.siteName, look.themeColor);
}

/** Returns null for a site without a logo; its shared links show the name as text. */
export function sharePictureOf({ look, origin }: RootLoaderData): string | null {
  if (look.logo === NETWORK_MARK) return `${origin}/network-share.png`;
  return look.logo ? `${origin}/api/site-setting/logo/share?v=${look.logo}` : null;
}

function sharePicture(root: RootLoaderData | undefined, own: string | null): MetaDescriptor[] {
  if (root && own)
    return [
      { property: "og:image", content: root.origin + own },
      { name: "twitter:card", content: "summary_large_image" },
    ];
  const address = root && sharePictureOf(root);
  if (!address) return [];
  return [
    { property: "og:image", content: address },
    { property: "og:image:width", content: "1200" },
    { property: "og:image:height", content: "630" },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

/** "페이지 | 사이트명" */
function pageTitle(matches: Matches, ...parts: string[]): string {
  const siteName = findRootData(matches)?.site.siteName;
  return [...parts, siteName].filter(Boolean).join(" | ");
}

export function findProductCode(matches: Matches): string {
  return findRootData(matches)?.site.productCode ?? "";
}

export function readMenuParents(matches: Matches, href: string): { label: string }[] {
  return menuParents(findRootData(matches)?.menu, href);
}

export function feedLinks(matches: Matches, boardCode?: string): MetaDescriptor[] {
  const root = findRootData(matches);
  const { pathOf } = textsOf(matches);
  const boards = root?.boards.filter((board) => root.feeds.includes(board.boardCode)) ?? [];
  return boards
    .filter((board) => boardCode === undefined || board.boardCode === boardCode)
    .map((board) => ({
      tagName: "link",
      rel: "alternate",
      type: "application/rss+xml",
      title: board.boardName,
      href: pathOf("", `/board/${board.boardCode}/rss.xml`),
    }));
}

interface PageMetaOptions {
  matches: Matches;
  title: string | string[];
  description?: string | undefined;
  /** The Korean page's canonical path; without it the page is `noindex`. */
  path?: string | undefined;
  article?: { createdDate: string } | undefined;
  /** The page's own picture, which replaces the site's share picture. */
  picture?: string | null | undefined;
  /** As the site, if left out. */
  hasEnglish?: boolean | undefined;
}

/** Links both languages for search engines (`hreflang`). */
function alternates(root: RootLoaderData | undefined, path: string): MetaDescriptor[] {
  const [korean, english] = [path, englishPath(root?.site.productCode ?? "", path)].map(
    (each) => `${root?.origin ?? ""}${each}`,
  );
  return [
    ["ko", korean],
    ["en", english],
    ["x-default", korean],
  ].map(([hrefLang, href]) => ({ tagName: "link", rel: "alternate", hrefLang, href }));
}

export function pageMeta({
  matches,
  title,
  description,
  path,
  article,
  picture = null,
  hasEnglish = findRootData(matches)?.look.hasEnglish,
}: PageMetaOptions): MetaDescriptor[] {
  const root = findRootData(matches);
  const fullTitle = pageTitle(matches, ...[title].flat());
  const text = (description ?? root?.site.description ?? "").slice(0, 160);
  const texts = textsOf(matches);
  const address =
    path === undefined ? undefined : `${root?.origin ?? ""}${texts.pathOf(root?.site.productCode ?? "", path)}`;
  return [
    { title: fullTitle },
    ...(text ? [{ name: "description", content: text }] : []),
    ...(address
      ? [
          { tagName: "link", rel: "canonical", href: address },
          ...(hasEnglish && path !== undefined ? alternates(root, path) : []),
          { property: "og:type", content: article ? "article" : "website" },
          { property: "og:locale", content: texts.ogLocale },
          ...(root ? [{ property: "og:site_name", content: root.site.siteName }] : []),
          ...sharePicture(root, picture),
          ...(article ? [{ property: "article:published_time", content: article.createdDate }] : []),
          { property: "og:title", content: fullTitle },
          { property: "og:url", content: address },
          ...(text ? [{ property: "og:description", content: text }] : []),
        ]
      : [{ name: "robots", content: "noindex" }]),
  ];
}

/** @param titles the page's own, then its parents' */
export const titledMeta =
  (...titles: string[]) =>
  ({ matches }: { matches: Matches }): MetaDescriptor[] => {
    const words = findRootData(matches)?.look.words ?? {};
    return pageMeta({ matches, title: titles.map((title) => fillWords(words, title)) });
  };
