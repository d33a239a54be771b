import type { ConsoleArea, ConsolePage, ConsoleRowKind } from "./console-page.ts";
import { CONTENT_AREA } from "./content-pages.ts";
import { OVERVIEW_AREA } from "./overview-pages.ts";
import { PEOPLE_AREA } from "./people-pages.ts";
import { RECORD_AREA } from "./record-pages.ts";
import { SITE_AREA } from "./site-pages.ts";

const AREAS = [OVERVIEW_AREA, PEOPLE_AREA, SITE_AREA, CONTENT_AREA, RECORD_AREA] as const;

/** The one list of screens: routes, menu, search, help and permission checks use it. */
export const CONSOLE_AREAS: readonly ConsoleArea[] = AREAS;

type Page = (typeof AREAS)[number]["pages"][number];
export type ConsoleRow = Extract<Page, { row: ConsoleRowKind }>["row"];

const pages: readonly ConsolePage[] = CONSOLE_AREAS.flatMap((area) => area.pages);

export const CONSOLE_ROWS = pages.flatMap(({ row }) => row ?? []) as ConsoleRow[];

/** The address below /admin in lower case, and the file below `app/routes/console`. */
export const CONSOLE_SCREENS: readonly { path: string; screen: string }[] = pages.flatMap((page) => {
  const path = page.path.toLowerCase();
  const below = Object.entries(page.below ?? {}).map(([rest, screen]) => ({ path: `${path}/${rest}`, screen }));
  return [{ path, screen: page.screen }, ...below];
});
