import { homeData } from "#app/features/site/home/home-data.ts";
import { HomeBody, organizationJsonLd } from "#app/features/site/home/home-page.tsx";
import { feedLinks, pageMeta } from "#app/lib/page-meta.ts";
import { KOREAN_TEXTS } from "#app/lib/texts/korean.ts";
import { keepFor, pageLoader } from "#app/lib/page-loader.server.ts";
import { getHomeExtras, getHomePage, homeLastsMs } from "#worker/domain/site/home.server.ts";
import type { Route } from "./+types/home";

/** Starts both in the same turn, so that their reads share one round trip. */
export const loader = pageLoader(async (scope, args: Route.LoaderArgs) => {
  const [page, extras] = await Promise.all([getHomePage(scope), getHomeExtras(scope)]);
  keepFor(args, homeLastsMs(await scope.context(), page, extras));
  return homeData(page, extras);
});

export function meta({ matches }: Route.MetaArgs) {
  return [
    ...pageMeta({
      matches,
      title: KOREAN_TEXTS.shell.home,
      path: "/",
    }),
    ...organizationJsonLd(matches),
    ...feedLinks(matches),
  ];
}

export const handle = { isForReaders: true };

export default function HomeRoute({ loaderData }: Route.ComponentProps) {
  return <HomeBody data={loaderData} />;
}
