import { useSiteFrame } from "#app/features/site/shell/use-site-frame.ts";
import { useWords } from "#app/lib/use-words.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { Link } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";
import type { HomeExtras } from "#worker/contract/site/view.ts";
import { centerPath, centersPath, residencePath } from "#worker/contract/content/center-paths.ts";

export function CenterTeaser({ extras, productCode }: { extras: HomeExtras; productCode: string }) {
  const say = useWords();
  const { home, pathOf, hasWideNames } = useTexts();
  const centersHref = pathOf(productCode, centersPath(productCode));
  const hasResidence = !useSiteFrame()?.look.hasNoCaseReport;
  const { centers } = extras;
  if (centers.length === 0) return null;
  return (
    <section aria-labelledby="home-centers" className="bg-primary-5">
      <div className="container-page grid items-center gap-10 py-14 md:py-20 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-20">
        <div>
          <h2 id="home-centers" className="text-2xl">
            {say(home.findCenter)}
          </h2>
          <p className="mt-3 text-gray-70">{say(home.findCenterHow)}</p>
          <ul
            className={`mt-6 grid gap-2 lg:max-w-xl ${hasWideNames ? "grid-cols-3 md:grid-cols-5" : "grid-cols-4 md:grid-cols-6"}`}
          >
            {centers.map(({ regionCode, regionName, isKorean }) => (
              <li key={regionCode}>
                <Link
                  to={
                    isKorean
                      ? centerPath(productCode, regionCode)
                      : pathOf(productCode, centerPath(productCode, regionCode))
                  }
                  className="center-chip"
                >
                  {regionName}
                  <span className="sr-only"> {say(home.center)}</span>
                </Link>
              </li>
            ))}
          </ul>
          <p className="mt-6 flex flex-wrap gap-2">
            <ButtonLink to={centersHref}>{say(home.allCenters)}</ButtonLink>
            {hasResidence && (
              <ButtonLink to={pathOf(productCode, residencePath(productCode))}>{home.residence}</ButtonLink>
            )}
          </p>
        </div>
        <div className="print:hidden">
          {/* Is an image because inline shapes would be a tenth of the page's script. */}
          <Link to={centersHref} className="mx-auto block w-full max-w-sm rounded-lg">
            <img src="/korea.svg" alt={say(home.mapAlt)} width={476} height={631} loading="lazy" className="w-full" />
          </Link>
          <p className="mt-2 text-center text-xs text-gray-60">{home.mapCredit}</p>
        </div>
      </div>
    </section>
  );
}
