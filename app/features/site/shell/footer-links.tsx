import type { ReactNode } from "react";
import { Link } from "react-router";
import { LEGAL_MENU } from "#app/features/site/shell/site-menu.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { cx } from "#app/ui/cx.ts";
import type { SiteFrame } from "#worker/contract/site/view.ts";

export function FooterLinks({ frame }: { frame: SiteFrame }) {
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
