import ChevronRight from "lucide-react/icons/chevron-right";
import { Link } from "react-router";
import { cx } from "#app/ui/cx.ts";

export interface BreadcrumbEntry {
  label: string;
  href?: string | undefined;
}

/** Where a page stands; the last crumb is the page itself. */
export function Breadcrumb({ crumbs }: { crumbs: readonly BreadcrumbEntry[] }) {
  const all: BreadcrumbEntry[] = [{ label: "홈", href: "/" }, ...crumbs];
  return (
    <nav aria-label="현재 위치" className="print:hidden">
      <ol className="flex items-center gap-x-1 text-sm text-gray-60">
        {all.map((crumb, index) => (
          <li key={`${index}-${crumb.label}`} className="flex shrink-0 items-center gap-1 last:min-w-0 last:shrink">
            {index > 0 && <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-gray-40" />}
            {index === all.length - 1 || crumb.href === undefined ? (
              <span
                aria-current={index === all.length - 1 ? "page" : undefined}
                className="truncate py-1 font-medium text-gray-80"
              >
                {crumb.label}
              </span>
            ) : (
              <Link
                to={crumb.href}
                className={cx(
                  "inline-flex min-h-11 min-w-6 items-center underline-offset-4 md:min-h-8 hover:text-primary-70 hover:underline",
                  // Of two narrow letters: as wide as a target has to be, and no farther from the next.
                  index === 0 && "-mr-2",
                )}
              >
                {crumb.label}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
