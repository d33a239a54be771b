import MapPin from "lucide-react/icons/map-pin";
import Phone from "lucide-react/icons/phone";
import { useSection, useSiteFrame, useTexts, useWords } from "#app/lib/page-language.ts";
import { telephoneHref } from "#app/lib/format.ts";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { PreviewAlert } from "#app/features/content/content-body.tsx";
import { RegionMap } from "#app/features/content/map/region-map.tsx";
import { LinkedText } from "#app/ui/linked-text.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { KOREAN_CENTER_TEXTS } from "#app/lib/texts/korean-center.ts";
import { pageMeta, findProductCode, sectionOf } from "#app/lib/page-meta.ts";
import { breadcrumbJsonLd } from "#app/lib/breadcrumb-json-ld.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { regionCode } from "#worker/contract/content/center-input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { centerPath } from "#worker/contract/content/view.ts";
import { languageOf } from "#worker/contract/kernel/language.ts";
import { infoPath } from "#worker/contract/content/info-pages.ts";
import { thumbnailSourceSet, thumbnailUrl } from "#worker/contract/file/view.ts";
import { getCenterPage } from "#worker/domain/content/center.server.ts";
import type { Route } from "./+types/center";

export const loader = pageLoader(async (scope, { params, request }: Route.LoaderArgs) => {
  const code = regionCode.safeParse(params.region.toLowerCase());
  if (!code.success)
    throw new AppError("NOT_FOUND", { message: "주소가 바뀌었거나 삭제된 페이지입니다. 주소를 다시 확인해 주십시오." });
  const { pathname, searchParams } = new URL(request.url);
  return getCenterPage(scope, {
    product: params.product,
    regionCode: code.data,
    preview: searchParams.has("preview"),
    language: languageOf(pathname),
  });
});

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { center, isPreview, hasEnglish } = loaderData;
  if (center.centerName === "") return pageMeta({ matches, title: "" });
  const texts = sectionOf(matches, "center", KOREAN_CENTER_TEXTS);
  const product = findProductCode(matches);
  const path = centerPath(product, center.regionCode);
  const { centerName, regionName, address, phone, url } = center;
  return [
    ...pageMeta({
      matches,
      title: centerName,
      description: texts.metaDescription(regionName, [centerName, address, phone].filter(Boolean).join(", ")),
      path: isPreview ? undefined : path,
      picture: center.imageFileId && thumbnailUrl(center.imageFileId, 1280),
      hasEnglish,
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

const mapAddress = (address: string) => `https://map.kakao.com/link/search/${encodeURIComponent(address)}`;
const OUTSIDE = { target: "_blank", rel: "noopener noreferrer" };
const LINK = "inline-flex min-h-6 items-center text-primary-60 underline underline-offset-4 hover:text-primary-80";

export const handle = { isForReaders: true };

export default function CenterRegion({ loaderData }: Route.ComponentProps) {
  const { center, picture, centers, isPreview } = loaderData;
  const say = useWords();
  const texts = useSection("center", KOREAN_CENTER_TEXTS);
  const { pathOf, newWindow, newWindowShort, hasWideNames, phone: phoneText } = useTexts();
  const outside = { ...OUTSIDE, title: newWindow };
  const productCode = useSiteFrame()?.site.productCode ?? "";
  const { regionName, centerName, director, address, phone, fax, url, directions, introduction, imageFileId } = center;
  return (
    <>
      <PageHeader
        title={centerName}
        description={say(texts.description(regionName))}
        parents={[{ label: loaderData.parentLabel, href: pathOf(productCode, infoPath(productCode, "center")) }]}
      />
      <div className="container-page pt-8 pb-16 md:pt-12 md:pb-24">
        <PreviewAlert isPreview={isPreview} />
        <div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_18rem] lg:gap-16">
          <div className="min-w-0">
            {(phone || address) && (
              <p className="mb-8 flex flex-wrap gap-3 print:hidden">
                {phone && (
                  <a
                    href={telephoneHref(phone)}
                    className="button button-lg button-primary @max-[20rem]/page:flex-wrap"
                  >
                    <Phone aria-hidden="true" className="size-5" />
                    {texts.call} <span className="tabular">{phoneText(phone)}</span>
                  </a>
                )}
                {address && (
                  <a href={mapAddress(address)} {...outside} className="button button-lg button-secondary">
                    <MapPin aria-hidden="true" className="size-5" />
                    {texts.directionsLink}
                    <span className="sr-only">{newWindowShort}</span>
                  </a>
                )}
              </p>
            )}
            <dl className="border-t-2 border-primary-80">
              <CenterFact name={texts.name}>{centerName}</CenterFact>
              {director && <CenterFact name={texts.director}>{director}</CenterFact>}
              {address && <CenterFact name={texts.address}>{address}</CenterFact>}
              {phone && (
                <CenterFact name={texts.phone}>
                  <a href={telephoneHref(phone)} className={`${LINK} tabular`}>
                    {phoneText(phone)}
                  </a>
                </CenterFact>
              )}
              {fax && (
                <CenterFact name={texts.fax}>
                  <span className="tabular">{phoneText(fax)}</span>
                </CenterFact>
              )}
              {url && (
                <CenterFact name={texts.url}>
                  <a href={url} {...outside} className={`${LINK} [overflow-wrap:anywhere]`}>
                    {url.replace(/^https?:\/\//, "")}
                    <span className="ml-1 text-sm">{newWindowShort}</span>
                  </a>
                </CenterFact>
              )}
            </dl>
            {imageFileId && (
              <img
                src={`/api/file/${imageFileId}`}
                alt={center.imageAlt || texts.picture(centerName)}
                srcSet={picture ? thumbnailSourceSet(imageFileId, picture) : undefined}
                sizes="(min-width: 672px) 640px, 100vw"
                width={1280}
                height={720}
                className="mt-8 aspect-video w-full max-w-160 rounded-xl object-cover"
              />
            )}
            {directions && <CenterProse title={texts.directions} text={directions} />}
            {introduction && <CenterProse title={say(texts.introduction)} text={introduction} />}
          </div>
          <aside className="print:hidden">
            <RegionMap
              label={texts.location(regionName)}
              hideNames
              className="mx-auto w-48 lg:w-full"
              regionOf={(code) => ({ fill: code === center.regionCode ? "fill-primary-60" : "fill-primary-10" })}
            />
            <nav aria-label={say(texts.othersLabel)} className="mt-6">
              <p className="font-bold text-gray-90">{texts.others}</p>
              <ul className={`mt-3 grid gap-2 ${hasWideNames ? "grid-cols-3" : "grid-cols-4"}`}>
                {centers.map((other) => (
                  <li key={other.regionCode}>
                    <Link
                      to={
                        other.isKorean
                          ? centerPath(productCode, other.regionCode)
                          : pathOf(productCode, centerPath(productCode, other.regionCode))
                      }
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
    <div className="grid grid-cols-[5.75rem_minmax(0,1fr)] border-b border-gray-20 @max-[20rem]/page:block md:grid-cols-[8rem_minmax(0,1fr)]">
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
