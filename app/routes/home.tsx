import { Fragment } from "react";
import { HomeBoardPanel } from "#app/features/site/home/board-panel.tsx";
import { CenterTeaser } from "#app/features/site/home/center-teaser.tsx";
import { decorateArticle } from "#app/features/file/article-html.ts";
import { reservePicturePlaces } from "#app/features/file/picture-places.ts";
import { comingEventTexts } from "#app/features/site/home/coming-event-texts.ts";
import { HomeComingEvents } from "#app/features/site/home/coming-events.tsx";
import { HomeHero } from "#app/features/site/home/home-hero.tsx";
import { HomePopups } from "#app/features/site/home/home-popups.tsx";
import { HomeQuickLinks } from "#app/features/site/home/quick-links.tsx";
import { useSiteFrame } from "#app/features/site/shell/use-site-frame.ts";
import { feedLinks, findRootData, pageMeta } from "#app/lib/page-meta.ts";
import { KOREAN_TEXTS } from "#app/lib/texts/korean.ts";
import { organizationJsonLd } from "#app/lib/organization-json-ld.ts";
import { pageLoader, shareBriefly } from "#app/lib/page-loader.server.ts";
import { getHomePage } from "#worker/domain/site/home-boards.server.ts";
import { getHomeExtras } from "#worker/domain/site/home.server.ts";
import type { ShownHomePart } from "#worker/contract/kernel/identity-setting.ts";
import type { Route } from "./+types/home";

/** Both ask in the same turn, so that their reads are one round trip. */
export const loader = pageLoader(async (scope, args: Route.LoaderArgs) => {
  const [{ boards }, extras] = await Promise.all([getHomePage(scope), getHomeExtras(scope)]);
  if (!extras.subjects || boards.some(({ items }) => items === null)) shareBriefly(args);
  return {
    boards,
    events: extras.events.map(comingEventTexts),
    extras: {
      ...extras,
      events: [],
      popups: extras.popups.map((popup) => ({
        ...popup,
        content: decorateArticle(reservePicturePlaces(popup.content, popup.pictures)),
      })),
    },
  };
});

export function meta({ matches }: Route.MetaArgs) {
  return [
    ...pageMeta({
      matches,
      title: KOREAN_TEXTS.home.title,
      path: "/",
      hasEnglish: findRootData(matches)?.look.hasEnglish,
    }),
    ...organizationJsonLd(matches),
    ...feedLinks(matches),
  ];
}

export const handle = { isForReaders: true };

export default function HomeRoute({ loaderData }: Route.ComponentProps) {
  const frame = useSiteFrame();
  return (
    <>
      {frame && (
        <HomeHero
          frame={frame}
          extras={loaderData.extras}
          papers={loaderData.boards.find(({ boardCode }) => boardCode === "reference")?.total ?? null}
        />
      )}
      {loaderData.extras.parts.map(({ part, isHidden }, at) => (
        <Fragment key={part}>{!isHidden && <HomePart part={part} isFirst={at === 0} data={loaderData} />}</Fragment>
      ))}
      <HomePopups popups={loaderData.extras.popups} />
    </>
  );
}

interface HomePartProps {
  part: ShownHomePart["part"];
  /** Right below the first picture, over whose foot the ways on are laid. */
  isFirst: boolean;
  data: Route.ComponentProps["loaderData"];
}

function HomePart({ part, isFirst, data: { boards, events, extras } }: HomePartProps) {
  const frame = useSiteFrame();
  if (!frame) return null;
  if (part === "quickLinks") return <HomeQuickLinks frame={frame} chosen={extras.quickLinks} isOverHero={isFirst} />;
  if (part === "events") return <HomeComingEvents events={events} />;
  if (part === "centers") return <CenterTeaser extras={extras} productCode={frame.site.productCode} />;
  if (boards.length === 0) return null;
  return (
    <div className="container-page grid gap-12 py-14 md:py-20 lg:grid-cols-2 lg:gap-14">
      {boards.map((panel) => (
        <HomeBoardPanel key={panel.boardCode} panel={panel} />
      ))}
    </div>
  );
}
