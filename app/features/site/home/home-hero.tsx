import { useTexts, useWords } from "#app/lib/page-language.ts";
import { formatCount } from "#app/lib/format.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Time } from "#app/ui/inline.tsx";
import { NETWORK_MARK } from "#worker/contract/site/initial-mark.ts";
import type { HomeExtras, SiteFrame } from "#worker/contract/site/view.ts";

interface HomeHeroProps {
  frame: SiteFrame;
  extras: HomeExtras;
  /** The item count of the forms board; null if the visitor may not read it. */
  papers: number | null;
}

export function HomeHero({ frame, extras, papers }: HomeHeroProps) {
  const say = useWords();
  const { home } = useTexts();
  const { site, look } = frame;
  const { siteName, productName } = site;
  const { banner, centers, subjects } = extras;
  const description = banner?.text || site.description;
  return (
    <section className="on-dark relative isolate overflow-hidden bg-linear-to-br from-primary-90 via-primary-80 to-primary-70 text-white">
      <div className="hero container-page">
        <div>
          {(banner ? siteName : productName) && (
            <p className="font-semibold text-primary-20 md:text-lg">{banner ? siteName : productName}</p>
          )}
          <h1 className="mt-3 text-3xl text-white lg:text-[3.25rem]/[1.2]">{banner?.title || siteName}</h1>
          {description && (
            <p
              // Reserves the lines of a long text so that loading the web font does not shift the layout.
              className={`mt-4 max-w-xl md:max-lg:max-w-100 text-lg/relaxed text-primary-10 md:mt-5 md:text-xl/relaxed ${description.length > 60 ? "min-h-[4lh] lg:min-h-[3lh]" : ""}`}
            >
              {description}
            </p>
          )}
          <p className="hero-actions">
            {extras.actions.map(({ label, href }) => (
              <ButtonLink key={href} to={href}>
                {label}
              </ButtonLink>
            ))}
          </p>
          <dl className="mt-8 flex flex-wrap gap-x-10 gap-y-4">
            {subjects && (
              <HeroFigure name={say(home.patients)} value={home.patientCount(formatCount(subjects.total))}>
                {home.asOf.before}
                <Time date={subjects.asOfDate} />
                {home.asOf.after}
              </HeroFigure>
            )}
            {centers.length > 0 && (
              <HeroFigure name={say(home.centers)} value={home.centerCount(formatCount(centers.length))} />
            )}
            {papers !== null && papers > 0 && (
              <HeroFigure name={home.papers} value={home.paperCount(formatCount(papers))} />
            )}
          </dl>
        </div>
        {/* The demonstration's map is decorative; the list of centres says the same. */}
        {look.logo === NETWORK_MARK && !look.hasNoCenters && (
          <img src="/network.svg" alt="" width={592} height={636} className="hero-map" />
        )}
      </div>
    </section>
  );
}

function HeroFigure({ name, value, children }: { name: string; value: string; children?: React.ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-primary-20">{name}</dt>
      <dd className="tabular text-2xl font-extrabold text-white">{value}</dd>
      {children && <dd className="text-xs text-primary-20">{children}</dd>}
    </div>
  );
}
