import { useWords } from "#app/lib/use-words.ts";
import { telephoneHref } from "#app/lib/telephone.ts";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { PreviewAlert } from "#app/features/content/content-body.tsx";
import { RegionMap } from "#app/features/content/map/region-map.tsx";
import { useSiteFrame } from "#app/features/site/shell/use-site-frame.ts";
import { LinkedText } from "#app/ui/linked-text.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { pageMeta, findProductCode } from "#app/lib/page-meta.ts";
import { breadcrumbJsonLd } from "#app/lib/breadcrumb-json-ld.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { regionCode } from "#worker/contract/content/center-input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { centerPath } from "#worker/contract/content/center-paths.ts";
import { infoPath } from "#worker/contract/content/info-pages.ts";
import { thumbnailSourceSet } from "#worker/contract/file/thumbnail.ts";
import { getCenterPage } from "#worker/domain/content/center.server.ts";
import type { Route } from "./+types/center";

export const loader = pageLoader(async (scope, { params, request }: Route.LoaderArgs) => {
  const code = regionCode.safeParse(params.region.toLowerCase());
  if (!code.success)
    throw new AppError("NOT_FOUND", { message: "주소가 바뀌었거나 삭제된 페이지입니다. 주소를 다시 확인해 주십시오." });
  const preview = new URL(request.url).searchParams.has("preview");
  return getCenterPage(scope, { product: params.product, regionCode: code.data, preview });
});

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { center, isPreview } = loaderData;
  const product = findProductCode(matches);
  const path = centerPath(product, center.regionCode);
  const { centerName, regionName, address, phone, url } = center;
  return [
    ...pageMeta({
      matches,
      title: centerName,
      description: `${regionName}: ${[centerName, address, phone].filter(Boolean).join(", ")}`,
      path: isPreview ? undefined : path,
    }),
    breadcrumbJsonLd(matches, [
      { label: loaderData.parentLabel, href: infoPath(product, "center") },
      { label: centerName, href: path },
    ]),
    {
      "script:ld+json": {
        "@context": "https://schema.org",
        "@type": "MedicalOrganization",
        name: centerName,
        ...(address ? { address } : {}),
        ...(phone ? { telephone: phone } : {}),
        ...(url ? { url } : {}),
      },
    },
  ];
}

const OUTSIDE = { target: "_blank", rel: "noopener noreferrer", title: "새 창 열림" };
const LINK = "inline-flex min-h-6 items-center text-primary-60 underline underline-offset-4 hover:text-primary-80";

export const handle = { isForReaders: true };

export default function CenterRegion({ loaderData }: Route.ComponentProps) {
  const { center, picture, centers, isPreview } = loaderData;
  const say = useWords();
  const productCode = useSiteFrame()?.site.productCode ?? "";
  const { regionName, centerName, director, address, phone, fax, url, directions, introduction, imageFileId } = center;
  return (
    <>
      <PageHeader
        title={centerName}
        description={say(`${regionName} 지역의 {센터}입니다.`)}
        parents={[{ label: loaderData.parentLabel, href: infoPath(productCode, "center") }]}
      />
      <div className="container-page pt-8 pb-16 md:pt-12 md:pb-24">
        <PreviewAlert isPreview={isPreview} />
        <div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_18rem] lg:gap-16">
          <div className="min-w-0">
            {imageFileId && (
              <img
                src={`/api/file/${imageFileId}`}
                alt={center.imageAlt || `${centerName} 사진`}
                srcSet={picture ? thumbnailSourceSet(imageFileId, picture) : undefined}
                sizes="(min-width: 1280px) 880px, (min-width: 1024px) calc(100vw - 25rem), 100vw"
                fetchPriority="high"
                width={1280}
                height={720}
                className="mb-8 aspect-video w-full rounded-xl object-cover"
              />
            )}
            <dl className="border-t-2 border-primary-80">
              <CenterFact name="기관명">{centerName}</CenterFact>
              {director && <CenterFact name="책임자">{director}</CenterFact>}
              {address && (
                <CenterFact name="주소">
                  {address}{" "}
                  <a
                    href={`https://map.kakao.com/link/search/${encodeURIComponent(address)}`}
                    {...OUTSIDE}
                    className={`${LINK} ml-1 print:hidden`}
                  >
                    길찾기<span className="sr-only">(새 창)</span>
                  </a>
                </CenterFact>
              )}
              {phone && (
                <CenterFact name="전화">
                  <a href={telephoneHref(phone)} className={`${LINK} tabular`}>
                    {phone}
                  </a>
                </CenterFact>
              )}
              {fax && (
                <CenterFact name="팩스">
                  <span className="tabular">{fax}</span>
                </CenterFact>
              )}
              {url && (
                <CenterFact name="홈페이지">
                  <a href={url} {...OUTSIDE} className={LINK}>
                    {url.replace(/^https?:\/\//, "")}
                    <span className="ml-1 text-sm">(새 창)</span>
                  </a>
                </CenterFact>
              )}
            </dl>
            {introduction && <CenterProse title={say("{센터} 소개")} text={introduction} />}
            {directions && <CenterProse title="오시는 길" text={directions} />}
          </div>
          <aside className="print:hidden">
            <RegionMap
              label={`대한민국 지도에서 ${regionName}의 위치`}
              hideNames
              className="mx-auto w-48 lg:w-full"
              regionOf={(code) => ({ fill: code === center.regionCode ? "fill-primary-60" : "fill-primary-10" })}
            />
            <nav aria-label={say("다른 지역 {센터}")} className="mt-6">
              <p className="font-bold text-gray-90">다른 지역</p>
              <ul className="mt-3 grid grid-cols-4 gap-2">
                {centers.map((other) => (
                  <li key={other.regionCode}>
                    <Link
                      to={centerPath(productCode, other.regionCode)}
                      aria-current={other.regionCode === center.regionCode ? "page" : undefined}
                      className="flex min-h-11 items-center justify-center rounded-md border border-gray-20 text-sm font-medium hover:border-primary-60 hover:bg-primary-5 aria-[current]:border-primary-60 aria-[current]:bg-primary-60 aria-[current]:text-white"
                    >
                      {other.regionName}
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
          </aside>
        </div>
      </div>
    </>
  );
}

function CenterFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[5.75rem_minmax(0,1fr)] border-b border-gray-20 md:grid-cols-[8rem_minmax(0,1fr)]">
      <dt className="bg-gray-5 px-3 py-3 font-semibold text-gray-90 md:px-5">{name}</dt>
      <dd className="px-3 py-3 md:px-5">{children}</dd>
    </div>
  );
}

function CenterProse({ title, text }: { title: string; text: string }) {
  return (
    <section className="mt-10">
      <h2 className="text-xl">{title}</h2>
      {text.split(/\n{2,}/).map((paragraph) => (
        <p key={paragraph} className="mt-3 leading-relaxed whitespace-pre-line">
          <LinkedText>{paragraph}</LinkedText>
        </p>
      ))}
    </section>
  );
}
