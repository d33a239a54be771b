import { type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation } from "react-router";
import { useSiteFrame, useTexts } from "#app/lib/page-language.ts";
import { SiteHeader } from "#app/features/site/shell/site-header.tsx";
import { ToastRegion } from "#app/ui/toast.tsx";
import { formatLongDate, telephoneHref } from "#app/lib/format.ts";
import type { AnnouncedAgreement } from "#worker/contract/content/view.ts";
import { Logo } from "#app/features/site/shell/logo.tsx";
import type { SiteFrame } from "#worker/contract/site/view.ts";
import { LEGAL_MENU } from "#app/features/site/shell/site-menu.ts";
import { cx } from "#app/ui/cx.ts";

/** Never moves the focus away from inputs and dialogs. */
const KEEPS_FOCUS = "input, textarea, select, [contenteditable], dialog[open] *";

/** Focuses the heading after navigation, and after paging or searching if the focused element is gone. */
export function useFocusOnHeading(): void {
  const { pathname, search, hash } = useLocation();
  const shown = useRef({ pathname, search });
  const steppedFrom = useRef<Element | null>(null);
  useEffect(() => {
    const onStep = ({ target }: Event) => {
      // A click on a menu opener is not navigation.
      if (!(target instanceof Element && target.closest("summary"))) steppedFrom.current = document.activeElement;
    };
    document.addEventListener("click", onStep, true);
    addEventListener("popstate", onStep);
    return () => {
      document.removeEventListener("click", onStep, true);
      removeEventListener("popstate", onStep);
    };
  }, []);
  useEffect(() => {
    const isSamePage = shown.current.pathname === pathname;
    if (isSamePage && shown.current.search === search) return;
    shown.current = { pathname, search };
    const focused = document.activeElement;
    if (isSamePage && focused !== document.body && isInView(focused)) return;
    // Keeps the focus if the user moved to another control while the page was loading.
    const hasGoneOn = focused !== document.body && focused !== steppedFrom.current;
    if (hash || hasGoneOn || focused?.matches(KEEPS_FOCUS)) return;
    const heading = document.querySelector<HTMLElement>("#main h1") ?? document.getElementById("main");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
  }, [pathname, search, hash]);
}

function isInView(element: Element | null): boolean {
  const { top = 0, bottom = 0 } = element?.getBoundingClientRect() ?? {};
  return bottom > 0 && top < innerHeight;
}

export function SkipLink() {
  const { shell } = useTexts();
  return (
    <a
      href="#main"
      className="fixed top-2 left-4 z-50 -translate-y-24 rounded-md bg-primary-80 px-5 py-3 font-semibold text-white focus:translate-y-0"
    >
      {shell.skip}
    </a>
  );
}

export function SiteShell({ children }: { children: ReactNode }) {
  const frame = useSiteFrame();
  useFocusOnHeading();
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      {frame?.announced && <AnnouncedAgreements announced={frame.announced} />}
      <SiteHeader frame={frame} />
      <main id="main" tabIndex={-1} className="page-part flex-1">
        {children}
      </main>
      {frame && <SiteFooter frame={frame} />}
      <ToastRegion />
    </div>
  );
}

/** Is shown on every public page until the agreement changes. */
const AnnouncedAgreements = ({ announced }: { announced: readonly AnnouncedAgreement[] }) => (
  <aside aria-label="약관 변경 예고" className="page-part print:hidden">
    {announced.map(({ code, title, effectiveDate }) => (
      <p key={code + effectiveDate} className="container-page py-2">
        {formatLongDate(effectiveDate)}부터 ‘{title}’ 내용이 바뀝니다.{" "}
        <a href={`/Account/Agreements/${code}`} className="font-semibold text-primary-70 underline">
          달라지는 점 보기<span className="sr-only">: {title}</span>
        </a>
      </p>
    ))}
  </aside>
);

const FACT_LINK = "inline-flex min-h-11 items-center underline-offset-4 hover:underline md:min-h-6";

function SiteFooter({ frame }: { frame: SiteFrame }) {
  const { siteName, contact, copyright } = frame.site;
  const { footer: texts, phone } = useTexts();
  return (
    <>
      <p className="container-page mt-8 hidden border-t border-gray-30 pt-3 text-sm print:block">
        <strong>{siteName}</strong> {[contact.organization, contact.address, contact.phone].filter(Boolean).join(" · ")}
      </p>
      <footer className="on-dark page-part mt-auto bg-primary-90 text-primary-20 print:hidden">
        <FooterLinks frame={frame} />
        <div className="container-page grid gap-6 py-8 md:grid-cols-[auto_1fr] md:gap-10 md:py-10">
          <div className="flex flex-wrap items-start gap-3 text-white">
            <Logo isOnDark className="size-9 shrink-0 text-primary-30" />
            <p className="pt-1 text-lg font-bold">{siteName}</p>
          </div>
          <div className="text-sm md:justify-self-end">
            <address className="flex flex-wrap gap-x-5 gap-y-1.5">
              <FooterFact name={texts.organization}>{contact.organization}</FooterFact>
              <FooterFact name={texts.address}>{contact.address}</FooterFact>
              <FooterFact name={texts.phone}>
                {contact.phone && (
                  <a href={telephoneHref(contact.phone)} className={FACT_LINK}>
                    {phone(contact.phone)}
                  </a>
                )}
              </FooterFact>
              {contact.fax && <FooterFact name={texts.fax}>{phone(contact.fax)}</FooterFact>}
              <FooterFact name={texts.email}>
                {contact.email && (
                  <a href={`mailto:${contact.email}`} className={FACT_LINK}>
                    {contact.email}
                  </a>
                )}
              </FooterFact>
            </address>
            {frame.look.footerText && <p className="mt-4">{frame.look.footerText}</p>}
            <p className="mt-4 text-primary-30">{copyright}</p>
          </div>
        </div>
      </footer>
    </>
  );
}

function FooterFact({ name, children }: { name: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <span className="shrink-0 text-primary-30">{name}</span>
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </span>
  );
}

function FooterLinks({ frame }: { frame: SiteFrame }) {
  const { footer: texts, pathOf } = useTexts();
  const to = (path: string) => pathOf(frame.site.productCode, path);
  return (
    <div className="border-b border-white/15">
      <div className="container-page flex flex-wrap items-center justify-between gap-x-10 gap-y-1 py-3">
        <ul className="flex flex-wrap gap-x-6">
          <FooterLink to={to(LEGAL_MENU.terms.href)}>{texts.terms}</FooterLink>
          <FooterLink to={to(LEGAL_MENU.privacy.href)} className="text-white">
            <strong className="font-bold">{texts.privacy}</strong>
          </FooterLink>
          {frame.look.footerLinks?.map(({ label, href }) => (
            <FooterLink key={href} to={href}>
              {label}
            </FooterLink>
          ))}
          <FooterLink to={to("/sitemap")}>{texts.sitemap}</FooterLink>
        </ul>
        <nav aria-label={texts.menu}>
          <ul className="flex flex-wrap gap-x-6 text-sm">
            {frame.menu
              .flatMap((item) => (item.href ? item : (item.children?.slice(0, 1) ?? [])))
              .map((item) => (
                <FooterLink key={item.label} to={item.href ?? "/"}>
                  {item.label}
                </FooterLink>
              ))}
          </ul>
        </nav>
      </div>
    </div>
  );
}

function FooterLink({ to, className, children }: { to: string; className?: string; children: ReactNode }) {
  return (
    <li>
      <Link to={to} className={cx("footer-link", className)}>
        {children}
      </Link>
    </li>
  );
}
