import { homeData } from "#app/features/site/home/home-data.ts";
import { HomeBody, organizationJsonLd } from "#app/features/site/home/home-page.tsx";
import { feedLinks, pageMeta, textsOf } from "#app/lib/page-meta.ts";
import { keepFor, pageLoader } from "#app/lib/page-loader.server.ts";
import { ENGLISH_EVENT_TEXTS } from "#app/lib/texts/english-board.ts";
import { getEnglishHome, getHomePage, homeLastsMs } from "#worker/domain/site/home.server.ts";
import type { Route } from "./+types/home";

export const loader = pageLoader(async (scope, args: Route.LoaderArgs) => {
  const [page, extras] = await Promise.all([getHomePage(scope, "en"), getEnglishHome(scope)]);
  keepFor(args, homeLastsMs(await scope.context(), page, extras));
  return homeData(page, extras, { language: "en", events: ENGLISH_EVENT_TEXTS });
});

export function meta({ matches }: Route.MetaArgs) {
  const { home: title } = textsOf(matches).shell;
  return [
    ...pageMeta({ matches, title, path: "/", hasEnglish: true }),
    ...organizationJsonLd(matches),
    ...feedLinks(matches),
  ];
}

export const handle = { isForReaders: true };

export default function EnglishHomeRoute({ loaderData }: Route.ComponentProps) {
  return <HomeBody data={loaderData} />;
}
