import ChevronDown from "lucide-react/icons/chevron-down";
import { useEffect, useRef } from "react";
import { Link, useLocation } from "react-router";
import { isCurrentMenuItem, type MenuItem } from "#app/features/site/shell/site-menu.ts";
import { listenToMenuGroup } from "#app/features/site/shell/menu-listeners.ts";
import { cx } from "#app/ui/cx.ts";

const ITEM = "menu-item";
const MARKED_ITEM = "menu-item-marked";

/** The menu of wide screens. Groups are disclosures of the browser, so they open without JavaScript too. */
export function MainMenu({ items }: { items: readonly MenuItem[] }) {
  const { pathname } = useLocation();
  return (
    <nav aria-label="주 메뉴" className="hidden xl:block">
      <ul className="flex items-center gap-0.5 min-[90rem]:gap-1">
        {items.map((item) => {
          const current = isCurrentMenuItem(item, pathname);
          return (
            <li key={item.label}>
              {item.children ? (
                <MenuGroup item={item} current={current} />
              ) : (
                <Link
                  to={item.href ?? "/"}
                  aria-current={current ? (pathname === item.href ? "page" : "true") : undefined}
                  className={cx(ITEM, current && MARKED_ITEM)}
                >
                  {item.label}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function MenuGroup({ item, current }: { item: MenuItem; current: boolean }) {
  const ref = useRef<HTMLDetailsElement>(null);
  const { pathname } = useLocation();
  useEffect(() => (ref.current ? listenToMenuGroup(ref.current) : undefined), []);
  const pages = [...(item.href ? [{ label: `${item.label} 홈`, href: item.href }] : []), ...(item.children ?? [])];
  return (
    <details ref={ref} name="main-menu" className="group relative">
      <summary className={cx(ITEM, current && MARKED_ITEM)}>
        {item.label}
        <ChevronDown aria-hidden="true" className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      <div className="absolute top-full left-0 z-10 pt-3">
        <ul className="menu-pages">
          {pages.map((page) => (
            <li key={page.label}>
              <Link to={page.href ?? "/"} aria-current={pathname === page.href ? "page" : undefined}>
                {page.label}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}
