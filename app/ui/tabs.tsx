import { Link } from "react-router";
import { cx } from "#app/ui/cx.ts";

interface Tab {
  label: string;
  href: string;
  current: boolean;
}

/** Links styled as tabs, in a wrapping row. */
export function Tabs({ tabs, label }: { tabs: readonly Tab[]; label: string }) {
  return (
    <nav aria-label={label} className="border-b border-gray-20 print:hidden">
      <ul className="-mb-px flex flex-wrap gap-x-1">
        {tabs.map((tab) => (
          <li key={tab.href}>
            <Link
              to={tab.href}
              aria-current={tab.current ? "page" : undefined}
              className={cx(
                "flex min-h-12 items-center border-b-3 px-4 font-semibold transition-colors -outline-offset-3",
                tab.current
                  ? "border-primary-60! text-primary-70"
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
