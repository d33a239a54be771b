import { Link } from "react-router";
import { type ConsoleMenuArea, isCurrentConsoleLink } from "#app/features/site/console/console-menu.ts";
import { cx } from "#app/ui/cx.ts";

interface ConsoleNavigationProps {
  menu: ConsoleMenuArea[];
  pathname: string;
  className: string;
}

export function ConsoleNavigation({ menu, pathname, className }: ConsoleNavigationProps) {
  return (
    <nav aria-label="관리 메뉴" className={className}>
      {menu.map((area) => (
        <div key={area.label} className="mb-2 last:mb-0">
          <p className="px-2 pt-1 text-xs font-semibold text-gray-60">{area.label}</p>
          <ul>
            {area.links.map((link) => (
              <li key={link.href}>
                <Link
                  to={link.href}
                  aria-current={isCurrentConsoleLink(link, pathname) ? "page" : undefined}
                  className={cx(
                    "flex min-h-11 items-center rounded-md px-2 lg:min-h-7 lg:text-sm",
                    isCurrentConsoleLink(link, pathname)
                      ? "bg-primary-10 font-semibold text-primary-80"
                      : "text-gray-80 hover:bg-gray-10",
                  )}
                >
                  {link.label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
