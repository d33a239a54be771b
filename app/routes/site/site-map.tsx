import { Link } from "react-router";
import { GUEST_MENU, LEGAL_MENU, memberMenu, type MenuItem } from "#app/features/site/shell/site-menu.ts";
import { useSiteFrame } from "#app/features/site/shell/use-site-frame.ts";
import { pageMetaOf } from "#app/lib/page-meta.ts";
import { PageHeader } from "#app/ui/page-header.tsx";

export const meta = pageMetaOf({ title: "사이트맵", path: "/sitemap" });

/** Everything that the menu leads to, at a glance; for each reader what they may open. */
export const handle = { isForReaders: true };

export default function SiteMapRoute() {
  const frame = useSiteFrame();
  if (!frame) return <PageHeader title="사이트맵" />;
  const single = frame.menu.filter((item) => item.href !== undefined && !item.children);
  const groups: { label: string; links: readonly MenuItem[] }[] = [
    ...frame.menu.flatMap(({ label, children }) => (children ? [{ label, links: children }] : [])),
    { label: "바로가기", links: [...single, { label: "통합검색", href: "/search" }] },
    { label: "회원", links: frame.user ? memberMenu(frame) : Object.values(GUEST_MENU) },
    { label: "이용 안내", links: Object.values(LEGAL_MENU) },
  ];
  return (
    <>
      <PageHeader title="사이트맵" />
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
