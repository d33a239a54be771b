import { use } from "react";
import { useRouteLoaderData } from "react-router";
import { PageLanguage } from "#app/lib/page-language.ts";
import type { MenuItem, SiteFrame } from "#worker/contract/site/view.ts";

/** Is undefined only if the root loader failed. */
export function useRootData<T extends object>(): T | undefined {
  const loaded = useRouteLoaderData("root") as T | undefined;
  return (use(PageLanguage).frame as T | undefined) ?? loaded;
}

/** `origin` makes canonical URLs absolute. */
export type RootLoaderData = SiteFrame & { origin: string };

/** Is undefined only if the root loader failed. */
export const useSiteFrame = (): RootLoaderData | undefined => useRootData<RootLoaderData>();

export function findMenuGroup(menu: readonly MenuItem[], href: string): MenuItem | undefined {
  return menu.find((item) => item.children?.some((child) => child.href?.toLowerCase() === href.toLowerCase()));
}

export function menuParents(menu: readonly MenuItem[] = [], ...hrefs: (string | undefined)[]): { label: string }[] {
  const group = hrefs.map((href = "") => findMenuGroup(menu, href.replace(/\?.*/, ""))).find(Boolean);
  return group ? [{ label: group.label }] : [];
}
