import { Fragment } from "react";
import { HomeBoardPanel } from "#app/features/site/home/board-panel.tsx";
import { CenterTeaser } from "#app/features/site/home/center-teaser.tsx";
import type { comingEventTexts } from "#app/features/site/home/coming-event-texts.ts";
import { HomeComingEvents } from "#app/features/site/home/coming-events.tsx";
import { HomeHero } from "#app/features/site/home/home-hero.tsx";
import { HomePopups } from "#app/features/site/home/home-popups.tsx";
import { HomeQuickLinks } from "#app/features/site/home/quick-links.tsx";
import { useSiteFrame } from "#app/features/site/shell/use-site-frame.ts";
import type { ShownHomePart } from "#worker/contract/kernel/identity-setting.ts";
import type { HomePage } from "#worker/contract/board/view.ts";
import type { HomeExtras } from "#worker/contract/site/view.ts";

export interface HomeData extends HomePage {
  /** Formatted in the loader so that the browser needs no code for it. */
  events: ReturnType<typeof comingEventTexts>[];
  extras: HomeExtras;
}

export function HomeBody({ data }: { data: HomeData }) {
  const { boards, extras } = data;
  const frame = useSiteFrame();
  return (
    <>
      {frame && (
        <HomeHero
          frame={frame}
          extras={extras}
          papers={boards.find(({ boardCode }) => boardCode === "reference")?.total ?? null}
        />
      )}
      {extras.parts.map(({ part, isHidden }, at) => (
        <Fragment key={part}>{!isHidden && <HomePart part={part} isFirst={at === 0} data={data} />}</Fragment>
      ))}
      <HomePopups popups={extras.popups} />
    </>
  );
}

interface HomePartProps {
  part: ShownHomePart["part"];
  /** True directly below the hero, which the quick links overlap. */
  isFirst: boolean;
  data: HomeData;
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
