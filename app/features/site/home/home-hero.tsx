import type { HomeExtras, SiteFrame } from "#worker/contract/site/view.ts";

/** The first screen: who we are, in one sentence. */
export function HomeHero({ site, banner }: Pick<SiteFrame, "site"> & Pick<HomeExtras, "banner">) {
  const { siteName, productName } = site;
  const description = banner?.text || site.description;
  return (
    <section className="on-dark relative isolate overflow-hidden bg-linear-to-br from-primary-90 via-primary-80 to-primary-60 text-white">
      {/* Sixteen centres and what runs between them: a picture, not a map. */}
      <img
        src="/network.svg"
        alt=""
        className="absolute top-1/2 -right-44 -z-10 h-[150%] max-w-none -translate-y-1/2 opacity-30 md:-right-16 md:opacity-80 xl:right-[max(0px,calc(50%-44rem))]"
      />
      {/* Tall enough for a line more: the web font, when it comes, then moves nothing below. */}
      <div className="container-page min-h-100 pt-14 pb-28 md:min-h-117 md:pt-24 md:pb-34 lg:min-h-126 lg:pt-28 lg:pb-36">
        {(banner ? siteName : productName) && (
          <p className="font-semibold text-primary-20 md:text-lg">{banner ? siteName : productName}</p>
        )}
        <h1 className="mt-3 text-3xl text-white lg:text-[3.25rem]/[1.2]">{banner?.title || siteName}</h1>
        {description && (
          <p className="mt-5 max-w-xl text-lg/relaxed text-primary-10 md:mt-6 md:text-xl/relaxed">{description}</p>
        )}
      </div>
    </section>
  );
}
