import ChevronDown from "lucide-react/icons/chevron-down";
import { Link, Outlet, useLocation } from "react-router";
import { CONSOLE_MENU, isCurrentConsoleLink } from "#app/features/site/console-menu.ts";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { useSiteFrame } from "#app/features/site/shell/use-site-frame.ts";
import { cx } from "#app/ui/cx.ts";

/** The frame of the console. Each page's own loader asks for the right to see it. */
export default function ConsoleLayout() {
  const { pathname, key } = useLocation();
  const user = useSiteFrame()?.user;
  // A centre manager comes here for one page, and has no menu.
  if (user && !user.isAdministrator) {
    return (
      <SigninGate className="container-page max-w-5xl pt-6 pb-20 lg:pt-10">
        <Outlet />
      </SigninGate>
    );
  }
  const current = CONSOLE_MENU.flatMap(({ links }) => links).find((link) => isCurrentConsoleLink(link, pathname));
  return (
    <div className="container-page grid items-start gap-x-10 pt-6 pb-20 lg:grid-cols-[12rem_minmax(0,1fr)] lg:pt-10">
      <details key={key} className="group mb-6 rounded-lg border border-gray-20 lg:hidden">
        <summary className="flex min-h-12 items-center justify-between px-4 font-semibold">
          <span>관리 메뉴: {current?.label ?? "관리"}</span>
          <ChevronDown aria-hidden="true" className="size-5 transition-transform group-open:rotate-180" />
        </summary>
        <ConsoleMenu pathname={pathname} label="관리 메뉴" className="border-t border-gray-20 p-3" />
      </details>
      <ConsoleMenu
        pathname={pathname}
        label="관리 메뉴"
        className="sticky top-[calc(var(--header-height)+1.5rem)] hidden lg:block"
      />
      <SigninGate className="min-w-0">
        <Outlet />
      </SigninGate>
    </div>
  );
}

function ConsoleMenu({ pathname, label, className }: { pathname: string; label: string; className: string }) {
  return (
    <nav aria-label={label} className={className}>
      {CONSOLE_MENU.map((group) => (
        <div key={group.label} className="mb-4 last:mb-0">
          <p className="px-3 py-1 text-sm font-semibold text-gray-60">{group.label}</p>
          <ul>
            {group.links.map((link) => (
              <li key={link.href}>
                <Link
                  to={link.href}
                  aria-current={isCurrentConsoleLink(link, pathname) ? "page" : undefined}
                  className={cx(
                    "flex min-h-11 items-center rounded-md px-3",
                    isCurrentConsoleLink(link, pathname)
                      ? "bg-primary-5 font-semibold text-primary-70"
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
