import { Link } from "react-router";
import { cx } from "#app/ui/cx.ts";

export interface Tab {
  label: string;
  href: string;
  current: boolean;
}

/** Sibling pages with the look of tabs; they are links, as each has its own address. */
export function Tabs({ tabs, label }: { tabs: readonly Tab[]; label: string }) {
  return (
    <nav aria-label={label} className="border-b border-gray-20 print:hidden">
      <ul className="-mb-px flex gap-1 overflow-x-auto">
        {tabs.map((tab) => (
          <li key={tab.href} className="shrink-0">
            <Link
              to={tab.href}
              aria-current={tab.current ? "page" : undefined}
              className={cx(
                "inline-flex min-h-12 items-center border-b-3 px-4 font-semibold transition-colors -outline-offset-3",
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
