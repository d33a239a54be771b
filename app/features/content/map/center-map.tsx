import { useWords } from "#app/lib/use-words.ts";
import { telephoneHref } from "#app/lib/telephone.ts";
import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { markPointedRegions } from "#app/features/content/map/mark-region.ts";
import { PROVINCE_SHAPES } from "#app/features/content/map/provinces.ts";
import { MapCreditLine, RegionMap } from "#app/features/content/map/region-map.tsx";
import { centerPath } from "#worker/contract/content/center-paths.ts";
import type { CenterLink } from "#worker/contract/content/view.ts";

const NO_CENTER_TEXT = "지정된 {센터:이/가} 없습니다";

/** The regions of the list: those with a centre, in their order, then provinces without one. */
function listedRegions(centers: readonly CenterLink[]) {
  const without = PROVINCE_SHAPES.filter(({ code }) => !centers.some((center) => center.regionCode === code));
  return [
    ...centers.map((center) => ({ code: center.regionCode, name: center.regionName, center })),
    ...without.map(({ code, name }) => ({ code, name, center: null })),
  ];
}

/** The map and the list say the same; what is pointed at in one is marked in the other. */
export function CenterMap({ centers, productCode }: { centers: readonly CenterLink[]; productCode: string }) {
  const say = useWords();
  const without = say(NO_CENTER_TEXT);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => (ref.current ? markPointedRegions(ref.current) : undefined), []);
  return (
    <div ref={ref} id="center-map" className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] lg:gap-14">
      <section aria-labelledby="center-list">
        <h2 id="center-list" className="text-xl">
          {say("지역별 {센터}")}
        </h2>
        <ul className="mt-4 divide-y divide-gray-20 border-y border-gray-20">
          {listedRegions(centers).map((region) => (
            <li
              key={region.code}
              data-region={region.code}
              className="relative grid grid-cols-[3.5rem_minmax(0,1fr)] items-baseline gap-x-3 px-2 py-3 transition-colors data-pointed:bg-primary-5 md:grid-cols-[3.5rem_minmax(0,1fr)_auto]"
            >
              <span className="font-bold text-primary-70">{region.name}</span>
              {region.center ? (
                <>
                  <Link
                    to={centerPath(productCode, region.code)}
                    className="font-medium text-gray-90 underline-offset-4 hover:text-primary-60 hover:underline"
                  >
                    {region.center.centerName}
                  </Link>
                  <PhoneLink number={region.center.phone} />
                </>
              ) : (
                <span className="text-gray-60">{without}.</span>
              )}
            </li>
          ))}
        </ul>
      </section>
      <section aria-label="지도에서 찾기" className="lg:sticky lg:top-28 lg:self-start print:hidden">
        <RegionMap
          label={say("{권역센터} 지도")}
          isPointedAt
          className="mx-auto w-full max-w-md"
          regionOf={(code, name) => {
            const has = centers.some(({ regionCode }) => regionCode === code);
            if (!has) return { fill: "fill-gray-20", text: "fill-gray-60 stroke-white", title: `${name}: ${without}` };
            return {
              fill: "fill-primary-20 hover:fill-primary-30 in-data-pointed:fill-primary-30",
              link: { href: centerPath(productCode, code), label: say(`${name} {센터} 보기`) },
            };
          }}
        />
        <p aria-hidden="true" className="mt-4 min-h-14 rounded-lg bg-gray-5 px-4 py-3 text-sm">
          <span data-note hidden className="peer">
            <strong className="font-bold text-primary-70" /> <span />
          </span>
          <span className="hidden text-gray-60 peer-[[hidden]]:inline">
            {say("지역을 선택하시면 {센터} 안내로 이동합니다.")}
          </span>
        </p>
        <MapCreditLine />
      </section>
    </div>
  );
}

export function PhoneLink({ number }: { number: string }) {
  if (!number) return null;
  return (
    <a
      href={telephoneHref(number)}
      className="tabular col-start-2 inline-flex min-h-6 items-center text-sm text-gray-60 underline-offset-4 hover:underline md:col-start-auto"
    >
      {number}
    </a>
  );
}
