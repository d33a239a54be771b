import { telephoneHref } from "#app/lib/telephone.ts";
import { useTexts } from "#app/lib/page-language.ts";
import type { ReactNode } from "react";
import { FooterLinks } from "#app/features/site/shell/footer-links.tsx";
import { Logo } from "#app/features/site/shell/logo.tsx";
import type { SiteFrame } from "#worker/contract/site/view.ts";

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
