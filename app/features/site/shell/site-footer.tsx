import { telephoneHref } from "#app/lib/format.ts";
import { useTexts } from "#app/lib/page-language.ts";
import type { ReactNode } from "react";
import { Logo } from "#app/features/site/shell/logo.tsx";
import type { SiteFrame } from "#worker/contract/site/view.ts";
import { Link } from "react-router";
import { LEGAL_MENU } from "#app/features/site/shell/site-menu.ts";
import { cx } from "#app/ui/cx.ts";

const FACT_LINK = "inline-flex min-h-11 items-center underline-offset-4 hover:underline md:min-h-6";

export function SiteFooter({ frame }: { frame: SiteFrame }) {
  const { siteName, contact } = frame.site;
  return (
    <>
      <p className="container-page mt-8 hidden border-t border-gray-30 pt-3 text-sm print:block">
        <strong>{siteName}</strong> {[contact.organization, contact.address, contact.phone].filter(Boolean).join(" · ")}
      </p>
      <ScreenFooter frame={frame} />
    </>
  );
}

function ScreenFooter({ frame }: { frame: SiteFrame }) {
  const { siteName, contact, copyright } = frame.site;
  const { footer: texts, phone } = useTexts();
  return (
    <footer className="on-dark mt-auto bg-primary-90 text-primary-20 print:hidden">
      <FooterLinks frame={frame} />
      <div className="container-page grid gap-6 py-8 md:grid-cols-[auto_1fr] md:gap-10 md:py-10">
        <div className="flex items-start gap-3 text-white">
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
  );
}

function FooterFact({ name, children }: { name: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <span className="inline-flex items-center gap-2">
      <span className="shrink-0 text-primary-30">{name}</span>
      <span>{children}</span>
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
              .flatMap((item) => (item.href ? [item] : (item.children?.slice(0, 1) ?? [])))
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
