import type { MetaDescriptor } from "react-router";
import type { RootData } from "#app/features/shell/frame.ts";

type Matches = readonly ({ id: string; loaderData?: unknown } | undefined)[];

function rootData(matches: Matches): RootData | undefined {
  return matches.find((match) => match?.id === "root")?.loaderData as RootData | undefined;
}

/** "페이지 | 사이트명" */
export function pageTitle(matches: Matches, ...parts: string[]): string {
  const siteName = rootData(matches)?.site.siteName;
  return [...parts, siteName].filter(Boolean).join(" | ");
}

interface PageMeta {
  matches: Matches;
  title: string | string[];
  description?: string | undefined;
  /** The page's one address, in the spec's case; without it the page asks not to be indexed. */
  path?: string | undefined;
}

export function pageMeta({ matches, title, description, path }: PageMeta): MetaDescriptor[] {
  const root = rootData(matches);
  const fullTitle = pageTitle(matches, ...[title].flat());
  const text = (description ?? root?.site.description ?? "").slice(0, 160);
  const address = path === undefined ? undefined : `${root?.origin ?? ""}${path}`;
  return [
    { title: fullTitle },
    ...(text ? [{ name: "description", content: text }] : []),
    ...(address
      ? [
          { tagName: "link", rel: "canonical", href: address },
          { property: "og:type", content: "website" },
          { property: "og:title", content: fullTitle },
          { property: "og:url", content: address },
          ...(text ? [{ property: "og:description", content: text }] : []),
        ]
      : [{ name: "robots", content: "noindex" }]),
  ];
}
