import { useWords } from "#app/lib/use-words.ts";
import ChevronDown from "lucide-react/icons/chevron-down";
import CircleHelp from "lucide-react/icons/circle-question-mark";
import ExternalLink from "lucide-react/icons/external-link";
import { type ReactNode, useState } from "react";
import { Link, useLocation } from "react-router";
import {
  type ConsoleMenuArea,
  consoleMenuFor,
  findConsolePage,
  isCurrentConsoleLink,
} from "#app/features/site/console/console-menu.ts";
import { ConsoleSearch } from "#app/features/site/console/console-search.tsx";
import { SignoutButton } from "#app/features/site/shell/account-links.tsx";
import { NavigationProgress } from "#app/features/site/shell/navigation.tsx";
import { memberMenu } from "#app/features/site/shell/site-menu.ts";
import { SkipLink, useFocusOnHeading } from "#app/features/site/shell/site-shell.tsx";
import { useSiteFrame } from "#app/lib/root-data.ts";
import { ToastRegion } from "#app/ui/toast.tsx";
import type { ConsolePage } from "#worker/contract/kernel/console/console-page.ts";
import { cx } from "#app/ui/cx.ts";
import { keptText } from "#app/lib/kept-text.ts";

const BAR_LINK =
  "inline-flex min-h-9 items-center gap-1.5 rounded-md px-2 text-sm whitespace-nowrap text-white hover:bg-white/15";

export function ConsoleShell({ children }: { children: ReactNode }) {
  const say = useWords();
  const frame = useSiteFrame();
  const { pathname, key } = useLocation();
  const [density, setDensity] = useConsoleDensity();
  useFocusOnHeading();
  const user = frame?.user;
  const menu =
    frame && user?.isAdministrator
      ? consoleMenuFor(frame.look, user)
      : // Editors of one centre get its page alone, without a menu.
        [{ label: say("{센터}"), links: frame ? centerLinks(frame) : [] }];
  const page = user?.isAdministrator ? findConsolePage(pathname) : undefined;
  return (
    <div className="console flex min-h-dvh flex-col" data-density={density}>
      <SkipLink />
      <header className="on-dark sticky top-0 z-30 bg-primary-90 text-white print:hidden">
        <div className="flex h-(--header-height) items-center gap-1 px-3 md:gap-2 md:px-4">
          <Link to="/" className={`${BAR_LINK} min-w-0`}>
            <span className="truncate font-semibold">{frame?.site.siteName ?? "홈"}</span>
            <ExternalLink aria-hidden="true" className="size-4 shrink-0" />
            <span className="sr-only">사이트 보기</span>
          </Link>
          <div className="ml-auto flex shrink-0 items-center gap-1 md:gap-2">
            {user && <ConsoleSearch menu={menu} findsPeople={user.isAdministrator} />}
            {page && <ConsoleHelp key={key} page={page} />}
            <button
              type="button"
              aria-pressed={density === "dense"}
              onClick={() => setDensity(density === "dense" ? "roomy" : "dense")}
              className={`${BAR_LINK} aria-pressed:bg-white/15 max-md:hidden`}
            >
              촘촘하게
            </button>
            {user && (
              <Link to="/Mypage" className={`${BAR_LINK} max-md:hidden`}>
                <span>
                  <strong className="font-semibold">{user.userName}</strong>님
                </span>
              </Link>
            )}
            <SignoutButton className="min-h-8! px-2.5!" />
          </div>
        </div>
        <NavigationProgress />
      </header>
      <div className="flex flex-1 flex-col lg:flex-row">
        {user?.isAdministrator && (
          <>
            <details key={key} className="group mx-4 mt-4 rounded-lg border border-gray-20 lg:hidden">
              <summary className="flex min-h-12 items-center justify-between px-4 font-semibold">
                <span>관리 메뉴: {say(page?.label ?? "관리")}</span>
                <ChevronDown aria-hidden="true" className="size-5 transition-transform group-open:rotate-180" />
              </summary>
              <ConsoleNavigation menu={menu} pathname={pathname} className="border-t border-gray-20 p-3" />
            </details>
            <div className="hidden w-48 shrink-0 border-r border-gray-20 bg-gray-5 lg:block print:hidden">
              <ConsoleNavigation
                menu={menu}
                pathname={pathname}
                className="sticky top-(--header-height) max-h-[calc(100dvh-var(--header-height))] overflow-y-auto px-2 py-2"
              />
            </div>
          </>
        )}
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 px-4 pt-4 pb-16 md:px-6">
          {children}
        </main>
      </div>
      <ToastRegion />
    </div>
  );
}

const centerLinks = (frame: Parameters<typeof memberMenu>[0]) =>
  memberMenu(frame).flatMap(({ label, href = "" }) =>
    href.startsWith("/Admin/Centers/") ? [{ label, href, words: ["주소", "전화", "오시는 길"] }] : [],
  );

function ConsoleHelp({ page }: { page: ConsolePage }) {
  const say = useWords();
  const [open, setOpen] = useState(false);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its summary is the control
    <details
      className="relative"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !open) return;
        event.preventDefault();
        setOpen(false);
        event.currentTarget.querySelector("summary")?.focus();
      }}
    >
      <summary className={BAR_LINK}>
        <CircleHelp aria-hidden="true" className="size-4.5" />
        <span className="max-md:sr-only">도움말</span>
      </summary>
      <div className="absolute top-full right-0 z-10 mt-2 w-80 max-w-[calc(100vw-2rem)] rounded-lg border border-gray-20 bg-white p-4 text-sm text-gray-80 shadow-lg max-md:fixed max-md:top-(--header-height) max-md:right-4">
        <p>{say(page.purpose)}</p>
        <p className="mt-2">{say(page.advice)}</p>
      </div>
    </details>
  );
}

interface ConsoleNavigationProps {
  menu: ConsoleMenuArea[];
  pathname: string;
  className: string;
}

function ConsoleNavigation({ menu, pathname, className }: ConsoleNavigationProps) {
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

type ConsoleDensity = "dense" | "roomy";

const kept = keptText("consoleDensity");

/** Is kept by the browser; dense by default. */
const useConsoleDensity = (): [ConsoleDensity, (density: ConsoleDensity) => void] => [
  kept.useText() === "roomy" ? "roomy" : "dense",
  kept.store,
];
