import { Link } from "react-router";
import { cx } from "#app/ui/cx.ts";

interface Tab {
  label: string;
  href: string;
  current: boolean;
}

/** Links styled as tabs: a wrapping row, or a column next to a wide page and a grid above a narrow one. */
export function Tabs({ tabs, label, beside = false }: { tabs: readonly Tab[]; label: string; beside?: boolean }) {
  return (
    <nav aria-label={label} className={cx("print:hidden", !beside && "border-b border-gray-20")}>
      <ul className={beside ? "grid grid-cols-3 gap-1 md:grid-cols-6 lg:grid-cols-1" : "-mb-px flex flex-wrap gap-x-1"}>
        {tabs.map((tab) => (
          <li key={tab.href}>
            <Link
              to={tab.href}
              aria-current={tab.current ? "page" : undefined}
              className={cx(
                "flex items-center font-semibold transition-colors -outline-offset-3",
                beside
                  ? "h-full min-h-11 justify-center rounded-md px-2 text-center text-sm max-lg:border max-lg:border-gray-20 lg:justify-start lg:px-4 lg:text-left lg:text-base"
                  : "min-h-12 border-b-3 px-4",
                tab.current
                  ? "border-primary-60! text-primary-70"
                  : "border-transparent text-gray-60 hover:border-gray-30 hover:text-gray-90",
                beside && (tab.current ? "bg-primary-5" : "hover:bg-gray-10"),
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
