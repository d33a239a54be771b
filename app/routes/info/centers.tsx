import { PreviewAlert } from "#app/features/content/content-body.tsx";
import { withSections } from "#app/features/file/article.server.ts";
import { ArticleBody } from "#app/ui/article.tsx";
import { useSection, useSiteFrame, useTexts, useWords } from "#app/lib/page-language.ts";
import { infoMeta } from "#app/features/content/info-meta.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Empty } from "#app/ui/empty.tsx";
import { languageOf } from "#worker/contract/kernel/language.ts";
import { getCenterOverview } from "#worker/domain/content/center.server.ts";
import type { Route } from "./+types/centers";
import { summaryOf } from "#worker/domain/kernel/html-text.server.ts";
import { telephoneHref } from "#app/lib/format.ts";
import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { markPointedRegions } from "#app/features/content/map/mark-region.ts";
import { PROVINCE_SHAPES } from "#app/features/content/map/provinces.ts";
import { MapCreditLine, RegionMap } from "#app/features/content/map/region-map.tsx";
import type { SiteTexts } from "#app/lib/texts/korean.ts";
import { KOREAN_CENTER_TEXTS } from "#app/lib/texts/korean-center.ts";
import { type CenterLink, centerPath } from "#worker/contract/content/view.ts";

export const loader = pageLoader(async (scope, { params, request }: Route.LoaderArgs) => {
  const { pathname, searchParams } = new URL(request.url);
  const language = languageOf(pathname);
  const found = await getCenterOverview(scope, {
    product: params.product,
    preview: searchParams.has("preview"),
    language,
  });
  return { ...found, page: withSections(found.page, { language }), summary: summaryOf(found.page.content) };
});

export const meta = (args: Route.MetaArgs) => infoMeta(args, "center", false);

export const handle = { isForReaders: true };

export default function CenterOverview({ loaderData }: Route.ComponentProps) {
  const { page: content, centers } = loaderData;
  const frame = useSiteFrame();
  const { preparing } = useTexts();
  return (
    <>
      <PageHeader title={content.title} />
      <div className="container-page pt-2 pb-16 md:pb-24">
        <PreviewAlert isPreview={content.isPreview} />
        {content.content && <ArticleBody html={content.content} />}
        {centers.length === 0 ? (
          <Empty>{preparing}</Empty>
        ) : (
          frame && <CenterMap centers={centers} productCode={frame.site.productCode} />
        )}
      </div>
    </>
  );
}

function listedRegions(centers: readonly CenterLink[], nameOf: SiteTexts["regionName"]) {
  const without = PROVINCE_SHAPES.filter(({ code }) => !centers.some((center) => center.regionCode === code));
  return [
    ...centers.map((center) => ({ code: center.regionCode, name: center.regionName, center })),
    ...without.map(({ code, name }) => ({ code, name: nameOf(code, name), center: null })),
  ];
}

const COLUMNS = "@min-[20rem]/page:grid-cols-[3.5rem_minmax(0,1fr)] md:grid-cols-[3.5rem_minmax(0,1fr)_auto]";
const WIDE_COLUMNS = "@min-[20rem]/page:grid-cols-[6.75rem_minmax(0,1fr)] md:grid-cols-[6.75rem_minmax(0,1fr)_auto]";

/** Pointing at a region highlights it in both the map and the list. */
function CenterMap({ centers, productCode }: { centers: readonly CenterLink[]; productCode: string }) {
  const say = useWords();
  const { marks, pathOf, regionName, hasWideNames } = useTexts();
  const texts = useSection("center", KOREAN_CENTER_TEXTS).overview;
  const columns = hasWideNames ? WIDE_COLUMNS : COLUMNS;
  const without = say(texts.none);
  const hrefOf = ({ regionCode, isKorean }: CenterLink) => {
    const path = centerPath(productCode, regionCode);
    return isKorean ? path : pathOf(productCode, path);
  };
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => (ref.current ? markPointedRegions(ref.current) : undefined), []);
  return (
    <div ref={ref} id="center-map" className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] lg:gap-14">
      <section aria-labelledby="center-list">
        <h2 id="center-list" className="text-xl">
          {say(texts.list)}
        </h2>
        <ul className="mt-4 divide-y divide-gray-20 border-y border-gray-20">
          {listedRegions(centers, regionName).map((region) => (
            <li
              key={region.code}
              data-region={region.code}
              className={`relative grid ${columns} items-baseline gap-x-3 px-2 py-3 transition-colors data-pointed:bg-primary-5`}
            >
              <span className="font-bold text-primary-70">{region.name}</span>
              {region.center ? (
                <>
                  <Link
                    to={hrefOf(region.center)}
                    lang={region.center.isKorean && "ko"}
                    className="font-medium text-gray-90 underline-offset-4 hover:text-primary-60 hover:underline"
                  >
                    {region.center.centerName}
                    {region.center.isKorean && <span lang="en"> ({marks.inKorean})</span>}
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
      <section aria-label={texts.onMap} className="lg:sticky lg:top-28 lg:self-start print:hidden">
        <RegionMap
          label={say(texts.map)}
          isPointedAt
          className="mx-auto w-full max-w-md"
          regionOf={(code, name) => {
            const center = centers.find(({ regionCode }) => regionCode === code);
            if (!center)
              return { fill: "fill-gray-20", text: "fill-gray-60 stroke-white", title: `${name}: ${without}` };
            return {
              fill: "fill-primary-20 hover:fill-primary-30 in-data-pointed:fill-primary-30",
              link: { href: hrefOf(center), label: say(texts.show(name)) },
            };
          }}
        />
        <p aria-hidden="true" className="mt-4 min-h-14 rounded-lg bg-gray-5 px-4 py-3 text-sm">
          <span data-note hidden className="peer">
            <strong className="font-bold text-primary-70" /> <span />
          </span>
          <span className="hidden text-gray-60 peer-[[hidden]]:inline">{say(texts.choose)}</span>
        </p>
        <MapCreditLine />
      </section>
    </div>
  );
}

function PhoneLink({ number }: { number: string }) {
  const { phone } = useTexts();
  if (!number) return null;
  return (
    <a
      href={telephoneHref(number)}
      className="tabular inline-flex @min-[20rem]/page:col-start-2 min-h-6 items-center text-sm text-gray-60 underline-offset-4 hover:underline md:col-start-auto"
    >
      {phone(number)}
    </a>
  );
}
