import { useSiteFrame, useWords } from "#app/lib/page-language.ts";
import ChevronDown from "lucide-react/icons/chevron-down";
import CircleHelp from "lucide-react/icons/circle-question-mark";
import ExternalLink from "lucide-react/icons/external-link";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import {
  type ConsoleHit,
  type ConsoleLink,
  type ConsoleMenuArea,
  consoleMenuFor,
  searchConsoleLinks,
} from "#app/features/site/console/console-menu.ts";
import { SignoutButton } from "#app/features/site/shell/account-links.tsx";
import { NavigationProgress } from "#app/features/site/shell/site-header.tsx";
import { memberMenu } from "#app/features/site/shell/site-menu.ts";
import { SkipLink, useFocusOnHeading } from "#app/features/site/shell/site-shell.tsx";
import { ToastRegion } from "#app/ui/toast.tsx";
import { useDisclosure } from "#app/ui/use-disclosure.ts";
import {
  type ConsoleWaiting,
  findConsolePage,
  isCurrentConsoleLink,
} from "#worker/contract/kernel/console/console-pages.ts";
import type { ConsolePage } from "#worker/contract/kernel/console/console-page.ts";
import { cx } from "#app/ui/cx.ts";
import { keptText } from "#app/lib/kept-text.ts";
import Search from "lucide-react/icons/search";
import { Dialog } from "#app/ui/dialog.tsx";
import { CONTROL_CLASS } from "#app/ui/field.tsx";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { formatCount } from "#app/lib/format.ts";
import { api, callApi } from "#app/lib/api.ts";

const BAR_LINK =
  "inline-flex min-h-9 items-center gap-1.5 rounded-md px-2 text-sm whitespace-nowrap text-white hover:bg-white/15";

interface ConsoleShellProps {
  /** Missing where the page itself could not be read. */
  waiting: ConsoleWaiting | undefined;
  children: ReactNode;
}

export function ConsoleShell({ waiting, children }: ConsoleShellProps) {
  const say = useWords();
  const frame = useSiteFrame();
  const { pathname, key } = useLocation();
  const [density, setDensity] = useConsoleDensity();
  useFocusOnHeading();
  const user = frame?.user;
  const menu =
    frame && user?.isAdministrator
      ? consoleMenuFor(frame.look, user, waiting)
      : // Editors of one centre get its page alone, without a menu.
        [{ label: say("{센터}"), links: frame ? centerLinks(frame) : [] }];
  const page = user?.isAdministrator ? findConsolePage(pathname) : undefined;
  return (
    <div className="console flex min-h-dvh flex-col" data-density={density}>
      <SkipLink />
      <header className="on-dark page-part sticky top-0 z-30 bg-primary-90 text-white print:hidden">
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
      <div className="page-part flex flex-1">
        <div className="flex min-w-0 flex-1 flex-col lg:flex-row">
          {user?.isAdministrator && (
            <>
              <details key={key} className="group mx-4 mt-4 rounded-lg border border-gray-20 lg:hidden print:hidden">
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
      </div>
      <ToastRegion />
    </div>
  );
}

const centerLinks = (frame: Parameters<typeof memberMenu>[0]) =>
  memberMenu(frame).flatMap(({ label, href = "" }) =>
    href.startsWith("/Admin/Centers/")
      ? [{ label, href, words: ["주소", "전화", "오시는 길"], count: 0, waits: "" }]
      : [],
  );

function ConsoleHelp({ page }: { page: ConsolePage }) {
  const say = useWords();
  const { details } = useDisclosure();
  return (
    <details className="relative" {...details}>
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
        <div key={area.label} role="group" aria-label={area.label || undefined} className="mb-1.5 last:mb-0">
          {area.label && <p className="px-2 pt-1 text-xs font-semibold text-gray-60">{area.label}</p>}
          <ul>
            {area.links.map((link) => (
              <ConsoleNavigationLink key={link.href} link={link} isCurrent={isCurrentConsoleLink(link, pathname)} />
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** The number describes the link and is not part of its name. */
function ConsoleNavigationLink({ link, isCurrent }: { link: ConsoleLink; isCurrent: boolean }) {
  const id = useId();
  return (
    <li className="relative">
      <Link
        to={link.href}
        aria-current={isCurrent ? "page" : undefined}
        aria-describedby={link.count > 0 ? id : undefined}
        className={cx(
          "flex min-h-11 items-center rounded-md px-2 lg:min-h-6.5 lg:text-sm",
          link.count > 0 && "pr-12",
          isCurrent ? "bg-primary-10 font-semibold text-primary-80" : "text-gray-80 hover:bg-gray-10",
        )}
      >
        {link.label}
      </Link>
      {link.count > 0 && (
        <span
          id={id}
          title={link.waits}
          className="tabular pointer-events-none absolute top-1/2 right-1.5 min-w-6 -translate-y-1/2 rounded-full bg-accent-10 px-1.5 text-center text-xs font-semibold text-gray-90"
        >
          <span className="sr-only">{link.waits} </span>
          {formatCount(link.count)}
        </span>
      )}
    </li>
  );
}

type ConsoleDensity = "dense" | "roomy";

const kept = keptText("consoleDensity");

/** Is kept by the browser; dense by default. */
const useConsoleDensity = (): [ConsoleDensity, (density: ConsoleDensity) => void] => [
  kept.useText() === "roomy" ? "roomy" : "dense",
  kept.store,
];

interface ConsoleSearchProps {
  menu: ConsoleMenuArea[];
  findsPeople: boolean;
}

function ConsoleSearch({ menu, findsPeople }: ConsoleSearchProps) {
  const [open, setOpen] = useState(false);
  const title = findsPeople ? "화면·설정·회원 찾기" : "화면 찾기";
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      // Leaves Ctrl+K to open dialogs and to editors, which use it for links.
      if (document.querySelector("dialog[open]") || document.activeElement?.closest("[contenteditable=true]")) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        aria-keyshortcuts="Control+K"
        className="inline-flex min-h-9 items-center gap-2 rounded-md border border-white/30 px-2.5 text-sm text-white hover:bg-white/15 md:min-w-48"
      >
        <Search aria-hidden="true" className="size-4" />
        <span className="max-md:sr-only">찾기</span>
        <span className="sr-only">: {title}</span>
        <kbd aria-hidden="true" className="ml-auto font-sans text-xs text-white/80 max-md:hidden">
          Ctrl K
        </kbd>
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title={title} size="md">
        <SearchBox menu={menu} findsPeople={findsPeople} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

/** Sets `autofocus` for the dialog by hand because React does not render it. */
const markForFocus = (field: HTMLInputElement | null): void => {
  field?.setAttribute("autofocus", "");
};

function SearchBox({ menu, findsPeople, onDone }: ConsoleSearchProps & { onDone: () => void }) {
  const navigate = useNavigate();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [keyword, setKeyword] = useState("");
  const [at, setAt] = useState(0);
  const people = usePeopleSearch(findsPeople ? keyword : "");
  const pages = searchConsoleLinks(menu, keyword);
  const hits: ConsoleHit[] = [...pages, ...people.hits];
  const chosen = Math.min(at, hits.length - 1);
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const go = ({ href }: ConsoleHit) => {
    onDone();
    void navigate(href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Ignores keys during IME composition.
    if (event.nativeEvent.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const hit = hits[chosen];
    if (step !== 0 && hits.length > 0) setAt((chosen + step + hits.length) % hits.length);
    else if (event.key === "Enter" && hit) go(hit);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        ref={markForFocus}
        role="combobox"
        aria-label="찾을 말"
        aria-expanded={hits.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={hits.length > 0 ? `${id}-${chosen}` : undefined}
        autoComplete="off"
        value={keyword}
        maxLength={SIZE_LIMITS.keywordLength}
        onChange={(event) => {
          setKeyword(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        placeholder={findsPeople ? "화면, 설정, 회원의 이름이나 아이디" : "화면, 설정"}
        className={cx(CONTROL_CLASS, "min-h-12")}
      />
      <p role="status" className="my-2 text-sm text-gray-60">
        {people.busy ? "회원을 찾고 있습니다." : hits.length === 0 ? "찾은 것이 없습니다." : `${hits.length}개`}
        {people.failed && " 회원을 찾지 못했습니다. 잠시 후 다시 시도해 주십시오."}
      </p>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label="찾은 것" className="max-h-80 overflow-y-auto">
        {hits.map((hit, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above has the keys
          <div
            key={hit.href}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => go(hit)}
            onPointerMove={() => setAt(index)}
            className="flex min-h-11 cursor-pointer items-center justify-between gap-4 rounded-md px-3 aria-selected:bg-primary-10"
          >
            <span className="font-medium">{hit.label}</span>
            <span className="min-w-0 truncate text-sm text-gray-70">{hit.note}</span>
          </div>
        ))}
      </div>
    </>
  );
}

const PEOPLE_SHOWN = "5";
/** Debounce in ms; every member search is written to the audit log. */
const REST_MS = 300;
const SHORTEST = 2;

const NOBODY: { keyword: string; hits: ConsoleHit[]; failed: boolean } = { keyword: "", hits: [], failed: false };

function usePeopleSearch(keyword: string): { hits: ConsoleHit[]; busy: boolean; failed: boolean } {
  const asked = keyword.trim().length >= SHORTEST ? keyword.trim() : "";
  const [found, setFound] = useState(NOBODY);
  useEffect(() => {
    if (asked === "") return;
    let stale = false;
    const find = async () => {
      try {
        const { content } = await callApi(api.admin.member.$get({ query: { keyword: asked, size: PEOPLE_SHOWN } }));
        const hits = content.map(({ id, userName, keys, roleName }) => ({
          label: userName,
          href: `/Admin/Members/${id}`,
          note: [keys[0]?.userKeyCode, roleName].filter(Boolean).join(" · "),
        }));
        if (!stale) setFound({ keyword: asked, hits, failed: false });
      } catch {
        if (!stale) setFound({ keyword: asked, hits: [], failed: true });
      }
    };
    const timer = setTimeout(() => void find(), REST_MS);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [asked]);
  const isCurrent = found.keyword === asked;
  return { hits: isCurrent ? found.hits : [], busy: asked !== "" && !isCurrent, failed: isCurrent && found.failed };
}
