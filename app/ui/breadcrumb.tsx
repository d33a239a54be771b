import ChevronRight from "lucide-react/icons/chevron-right";
import { Link, useLocation } from "react-router";
import { menuParents, useSiteFrame, useTexts } from "#app/lib/page-language.ts";

export interface BreadcrumbEntry {
  label: string;
  href?: string | undefined;
}

/** Begins with the menu group of the page, or of its first parent. */
export function Breadcrumb({ crumbs }: { crumbs: readonly BreadcrumbEntry[] }) {
  const { shell, pathOf, langOf } = useTexts();
  const { pathname } = useLocation();
  const group = menuParents(useSiteFrame()?.menu, pathname, crumbs[0]?.href);
  const all: BreadcrumbEntry[] = [{ label: shell.home, href: pathOf("", "/") }, ...group, ...crumbs];
  return (
    <nav aria-label={shell.position} className="print:hidden">
      <ol className="breadcrumb">
        {all.map((crumb, index) => (
          <li key={`${index}-${crumb.label}`} lang={langOf(crumb.label)}>
            {index > 0 && <ChevronRight aria-hidden="true" />}
            {index === all.length - 1 || crumb.href === undefined ? (
              <span aria-current={index === all.length - 1 ? "page" : undefined}>{crumb.label}</span>
            ) : (
              <Link to={crumb.href}>{crumb.label}</Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
