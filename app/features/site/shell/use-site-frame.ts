import { useRootData } from "#app/lib/root-data.ts";
import type { SiteFrame } from "#worker/contract/site/view.ts";

/** What the root loads; `origin` makes canonical addresses whole. */
export type RootLoaderData = SiteFrame & { origin: string };

/** The frame of the page; undefined only where the root itself could not be loaded. */
export const useSiteFrame = (): RootLoaderData | undefined => useRootData<RootLoaderData>();
