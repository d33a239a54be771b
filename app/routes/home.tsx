import { BoardPanel } from "#app/features/site/home/board-panel.tsx";
import { CenterTeaser } from "#app/features/site/home/center-teaser.tsx";
import { Hero } from "#app/features/site/home/hero.tsx";
import { Popups } from "#app/features/site/home/popups.tsx";
import { QuickLinks } from "#app/features/site/home/quick-links.tsx";
import { useFrame } from "#app/features/site/shell/frame.ts";
import { feedLinks, organizationLd, pageMeta } from "#app/lib/meta.ts";
import { page, shareBriefly } from "#app/lib/page.server.ts";
import { homePage } from "#worker/domain/site/home-boards.server.ts";
import { homeExtras } from "#worker/domain/site/home.server.ts";
import type { Route } from "./+types/home";

/** Both ask in the same turn, so that their reads are one round trip. */
export const loader = page(async (door, args: Route.LoaderArgs) => {
  const [{ boards }, extras] = await Promise.all([homePage(door), homeExtras(door)]);
  if (!extras.subjects || boards.some(({ items }) => items === null)) shareBriefly(args);
  return { boards, extras };
});

export function meta({ matches }: Route.MetaArgs) {
  return [...pageMeta({ matches, title: "홈", path: "/" }), ...organizationLd(matches), ...feedLinks(matches)];
}

export default function Home({ loaderData }: Route.ComponentProps) {
  const frame = useFrame();
  return (
    <>
      {frame && <Hero site={frame.site} banner={loaderData.extras.banner} />}
      {frame && <QuickLinks frame={frame} chosen={loaderData.extras.quickLinks} />}
      {loaderData.boards.length > 0 && (
        <div className="container-page grid gap-12 py-14 md:py-20 lg:grid-cols-2 lg:gap-14">
          {loaderData.boards.map((panel) => (
            <BoardPanel key={panel.boardCode} panel={panel} />
          ))}
        </div>
      )}
      {frame && <CenterTeaser extras={loaderData.extras} productCode={frame.site.productCode} />}
      <Popups popups={loaderData.extras.popups} />
    </>
  );
}
