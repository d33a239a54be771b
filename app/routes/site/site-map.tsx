import { Link } from "react-router";
import { GUEST_MENU, LEGAL_MENU, memberMenu, type MenuItem } from "#app/features/site/shell/site-menu.ts";
import { useSiteFrame, useTexts } from "#app/lib/page-language.ts";
import { pageMeta, textsOf } from "#app/lib/page-meta.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import type { Route } from "./+types/site-map";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({ matches, title: textsOf(matches).footer.sitemap, path: "/sitemap" });

export const handle = { isForReaders: true };

export default function SiteMapRoute() {
  const frame = useSiteFrame();
  const { sitemap: texts, footer, shell, language, pathOf } = useTexts();
  if (!frame) return <PageHeader title={footer.sitemap} />;
  const single = frame.menu.filter((item) => item.href !== undefined && !item.children);
  const legal = (["terms", "privacy"] as const).map((code) => ({
    label: footer[code],
    href: pathOf(frame.site.productCode, LEGAL_MENU[code].href),
  }));
  const groups: { label: string; links: readonly MenuItem[] }[] = [
    ...frame.menu.flatMap(({ label, children }) => (children ? [{ label, links: children }] : [])),
    ...(language === "ko"
      ? [
          { label: texts.pages, links: [...single, { label: shell.search, href: "/search" }] },
          { label: "회원", links: frame.user ? memberMenu(frame) : Object.values(GUEST_MENU) },
        ]
      : [{ label: texts.pages, links: [...single, { label: shell.search, href: pathOf("", "/search") }] }]),
    { label: texts.legal, links: legal },
  ];
  return (
    <>
      <PageHeader title={footer.sitemap} />
      <div className="container-page grid gap-x-10 gap-y-10 pt-8 pb-16 md:grid-cols-2 md:pt-10 md:pb-24 lg:grid-cols-4">
        {groups.map(({ label, links }) => (
          <section key={label} aria-label={label}>
            <h2 className="border-b-2 border-primary-80 pb-2 text-lg">{label}</h2>
            <ul className="mt-2">
              {links.map((link) => (
                <li key={link.label}>
                  <Link
                    to={link.href ?? "/"}
                    className="flex min-h-11 items-center text-gray-80 underline-offset-4 hover:text-primary-60 hover:underline"
                  >
                    {link.label}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}
