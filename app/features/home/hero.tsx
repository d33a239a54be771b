import { GUEST_MENU } from "#app/features/shell/menu.ts";
import { NetworkArt } from "#app/features/home/network-art.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import type { Frame } from "#worker/contract/site.ts";

/** The first screen: who we are, in one sentence. */
export function Hero({ frame }: { frame: Frame }) {
  const { siteName, productName, description } = frame.site;
  return (
    <section className="on-dark relative isolate overflow-hidden bg-linear-to-br from-primary-90 via-primary-80 to-primary-60 text-white">
      <NetworkArt className="absolute top-1/2 -right-40 -z-10 h-[150%] -translate-y-1/2 opacity-35 md:-right-16 md:opacity-80 xl:right-[max(0px,calc(50%-44rem))]" />
      <div className="container-page pt-14 pb-28 md:pt-24 md:pb-36 lg:pt-28 lg:pb-40">
        {productName && <p className="font-semibold text-primary-20 md:text-lg">{productName}</p>}
        <h1 className="mt-3 text-3xl text-white lg:text-[3.25rem]/[1.2]">{siteName}</h1>
        {description && (
          <p className="mt-5 max-w-xl text-lg text-primary-10 md:mt-6 md:text-xl/relaxed">{description}</p>
        )}
        {frame.user === null && (
          <p className="mt-9 flex flex-wrap gap-3">
            <ButtonLink to={GUEST_MENU.signup.href} size="lg" className="bg-white text-primary-70 hover:bg-primary-10">
              {GUEST_MENU.signup.label}
            </ButtonLink>
            <ButtonLink
              to={GUEST_MENU.signin.href}
              size="lg"
              className="border-white/70 bg-transparent text-white hover:border-white hover:bg-white/15 hover:text-white"
            >
              {GUEST_MENU.signin.label}
            </ButtonLink>
          </p>
        )}
      </div>
    </section>
  );
}
