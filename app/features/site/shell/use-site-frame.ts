import { useRootData } from "#app/lib/root-data.ts";
import type { SiteFrame } from "#worker/contract/site/view.ts";

/** `origin` makes canonical URLs absolute. */
export type RootLoaderData = SiteFrame & { origin: string };

/** Is undefined only if the root loader failed. */
export const useSiteFrame = (): RootLoaderData | undefined => useRootData<RootLoaderData>();
