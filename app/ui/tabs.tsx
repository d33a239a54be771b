import { useLayoutEffect, useRef } from "react";
import { Link } from "react-router";
import { cx } from "#app/ui/cx.ts";
import { showCurrentTab } from "#app/ui/show-current-tab.ts";

interface Tab {
  label: string;
  href: string;
  current: boolean;
}

/** Links styled as tabs. An overflowing strip starts at the current tab: by CSS in Chromium, else by the effect. */
export function Tabs({ tabs, label, beside = false }: { tabs: readonly Tab[]; label: string; beside?: boolean }) {
  const strip = useRef<HTMLUListElement>(null);
  const current = tabs.find((tab) => tab.current)?.href;
  useLayoutEffect(() => {
    if (strip.current) showCurrentTab(strip.current);
  }, [current]);
  return (
    <nav aria-label={label} className={cx("border-b border-gray-20 print:hidden", beside && "lg:border-b-0")}>
      <ul
        ref={strip}
        data-tabs
        className={cx("-mb-px flex gap-1 overflow-x-auto", beside && "lg:flex-col lg:gap-0.5 lg:overflow-visible")}
      >
        {tabs.map((tab) => (
          <li
            key={tab.href}
            // Set only where the strip scrolls; otherwise the page itself would scroll.
            className={cx(
              "shrink-0",
              tab.current && (beside ? "max-lg:[scroll-initial-target:nearest]" : "[scroll-initial-target:nearest]"),
            )}
          >
            <Link
              to={tab.href}
              aria-current={tab.current ? "page" : undefined}
              className={cx(
                "inline-flex min-h-12 items-center border-b-3 px-4 font-semibold transition-colors -outline-offset-3",
                beside && "lg:flex lg:min-h-11 lg:rounded-md lg:border-b-0",
                beside && (tab.current ? "lg:bg-primary-5" : "lg:hover:bg-gray-10"),
                tab.current
                  ? "border-primary-60 text-primary-70"
                  : "border-transparent text-gray-60 hover:border-gray-30 hover:text-gray-90",
              )}
            >
              {tab.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
