import ChevronRight from "lucide-react/icons/chevron-right";
import { Link } from "react-router";
import { useTexts } from "#app/lib/page-language.ts";

export interface BreadcrumbEntry {
  label: string;
  href?: string | undefined;
}

export function Breadcrumb({ crumbs }: { crumbs: readonly BreadcrumbEntry[] }) {
  const { shell, pathOf, langOf } = useTexts();
  const all: BreadcrumbEntry[] = [{ label: shell.home, href: pathOf("", "/") }, ...crumbs];
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
