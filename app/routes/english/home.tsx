import { Fragment } from "react";
import { CenterTeaser } from "#app/features/site/home/center-teaser.tsx";
import { HomeHero } from "#app/features/site/home/home-hero.tsx";
import { HomeQuickLinks } from "#app/features/site/home/quick-links.tsx";
import { useSiteFrame } from "#app/features/site/shell/use-site-frame.ts";
import { organizationJsonLd } from "#app/lib/organization-json-ld.ts";
import { pageMeta, textsOf } from "#app/lib/page-meta.ts";
import { pageLoader, shareBriefly } from "#app/lib/page-loader.server.ts";
import { getEnglishHome } from "#worker/domain/site/home.server.ts";
import type { Route } from "./+types/home";

export const loader = pageLoader(async (scope, args: Route.LoaderArgs) => {
  const extras = await getEnglishHome(scope);
  if (!extras.subjects) shareBriefly(args);
  return extras;
});

export function meta({ matches }: Route.MetaArgs) {
  const { title } = textsOf(matches).home;
  return [...pageMeta({ matches, title, path: "/", hasEnglish: true }), ...organizationJsonLd(matches)];
}

export const handle = { isForReaders: true };

export default function EnglishHomeRoute({ loaderData: extras }: Route.ComponentProps) {
  const frame = useSiteFrame();
  if (!frame) return null;
  return (
    <>
      <HomeHero frame={frame} extras={extras} papers={null} />
      {extras.parts.map(({ part, isHidden }, at) => (
        <Fragment key={part}>
          {isHidden ? null : part === "quickLinks" ? (
            <HomeQuickLinks frame={frame} chosen={extras.quickLinks} isOverHero={at === 0} />
          ) : (
            <CenterTeaser extras={extras} productCode={frame.site.productCode} />
          )}
        </Fragment>
      ))}
    </>
  );
}
