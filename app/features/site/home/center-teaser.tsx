import { useSiteFrame } from "#app/features/site/shell/use-site-frame.ts";
import { useWords } from "#app/lib/use-words.ts";
import { Link } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";
import type { HomeExtras } from "#worker/contract/site/view.ts";
import { centerPath, centersPath, residencePath } from "#worker/contract/content/center-paths.ts";

/** The way to the nearest centre. */
export function CenterTeaser({ extras, productCode }: { extras: HomeExtras; productCode: string }) {
  const say = useWords();
  const hasResidence = !useSiteFrame()?.look.hasNoCaseReport;
  const { centers } = extras;
  if (centers.length === 0) return null;
  return (
    <section aria-labelledby="home-centers" className="bg-primary-5">
      <div className="container-page grid items-center gap-10 py-14 md:py-20 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-20">
        <div>
          <h2 id="home-centers" className="text-2xl">
            {say("가까운 {권역센터:을/를} 찾아 보세요")}
          </h2>
          <p className="mt-3 text-gray-70">{say("지역을 선택하시면 {센터}의 연락처와 오시는 길을 안내해 드립니다.")}</p>
          <ul className="mt-6 grid grid-cols-4 gap-2 md:grid-cols-6 lg:max-w-xl">
            {centers.map(({ regionCode, regionName }) => (
              <li key={regionCode}>
                <Link to={centerPath(productCode, regionCode)} className="center-chip">
                  {regionName}
                  <span className="sr-only"> {say("{센터}")}</span>
                </Link>
              </li>
            ))}
          </ul>
          <p className="mt-6 flex flex-wrap gap-2">
            <ButtonLink to={centersPath(productCode)}>{say("{권역센터} 안내")}</ButtonLink>
            {hasResidence && <ButtonLink to={residencePath(productCode)}>거주지별 등록 현황</ButtonLink>}
          </p>
        </div>
        <div className="print:hidden">
          {/* A picture here, because its shapes as code would be a tenth of the page's script; the list says the same. */}
          <Link to={centersPath(productCode)} className="mx-auto block w-full max-w-sm rounded-lg">
            <img
              src="/korea.svg"
              alt={say("지도에서 {권역센터} 찾기")}
              width={476}
              height={631}
              loading="lazy"
              className="w-full"
            />
          </Link>
          <p className="mt-2 text-center text-xs text-gray-60">지도: @svg-maps/south-korea 2.0 (CC BY 4.0)</p>
        </div>
      </div>
    </section>
  );
}
