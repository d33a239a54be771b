import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { SiteFooter } from "#app/features/site/shell/site-footer.tsx";
import { useSiteFrame } from "#app/lib/root-data.ts";
import { SiteHeader } from "#app/features/site/shell/site-header.tsx";
import { useTexts } from "#app/lib/page-language.ts";
import { ToastRegion } from "#app/ui/toast.tsx";
import { formatLongDate } from "#app/lib/format.ts";
import type { AnnouncedAgreement } from "#worker/contract/content/view.ts";

/** Never moves the focus away from inputs and dialogs. */
const KEEPS_FOCUS = "input, textarea, select, [contenteditable], dialog[open] *";

/** Focuses the heading after navigation, and after paging or searching if the focused element is gone. */
export function useFocusOnHeading(): void {
  const { pathname, search, hash } = useLocation();
  const shown = useRef({ pathname, search });
  const steppedFrom = useRef<Element | null>(null);
  useEffect(() => {
    const onStep = ({ target }: Event) => {
      // A click on a menu opener is not navigation.
      if (!(target instanceof Element && target.closest("summary"))) steppedFrom.current = document.activeElement;
    };
    document.addEventListener("click", onStep, true);
    addEventListener("popstate", onStep);
    return () => {
      document.removeEventListener("click", onStep, true);
      removeEventListener("popstate", onStep);
    };
  }, []);
  useEffect(() => {
    const isSamePage = shown.current.pathname === pathname;
    if (isSamePage && shown.current.search === search) return;
    shown.current = { pathname, search };
    const focused = document.activeElement;
    if (isSamePage && focused !== document.body && isInView(focused)) return;
    // Keeps the focus if the user moved to another control while the page was loading.
    const hasGoneOn = focused !== document.body && focused !== steppedFrom.current;
    if (hash || hasGoneOn || focused?.matches(KEEPS_FOCUS)) return;
    const heading = document.querySelector<HTMLElement>("#main h1") ?? document.getElementById("main");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
  }, [pathname, search, hash]);
}

function isInView(element: Element | null): boolean {
  const { top = 0, bottom = 0 } = element?.getBoundingClientRect() ?? {};
  return bottom > 0 && top < innerHeight;
}

export function SkipLink() {
  const { shell } = useTexts();
  return (
    <a
      href="#main"
      className="fixed top-2 left-4 z-50 -translate-y-24 rounded-md bg-primary-80 px-5 py-3 font-semibold text-white focus:translate-y-0"
    >
      {shell.skip}
    </a>
  );
}

export function SiteShell({ children }: { children: ReactNode }) {
  const frame = useSiteFrame();
  useFocusOnHeading();
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      {frame?.announced && <AnnouncedAgreements announced={frame.announced} />}
      <SiteHeader frame={frame} />
      <main id="main" tabIndex={-1} className="flex-1">
        {children}
      </main>
      {frame && <SiteFooter frame={frame} />}
      <ToastRegion />
    </div>
  );
}

/** Is shown on every public page until the agreement changes. */
const AnnouncedAgreements = ({ announced }: { announced: readonly AnnouncedAgreement[] }) => (
  <aside aria-label="약관 변경 예고" className="container-page print:hidden">
    {announced.map(({ code, title, effectiveDate }) => (
      <p key={code + effectiveDate} className="py-2">
        {formatLongDate(effectiveDate)}부터 ‘{title}’ 내용이 바뀝니다.{" "}
        <a href={`/Account/Agreements/${code}`} className="font-semibold text-primary-70 underline">
          달라지는 점 보기<span className="sr-only">: {title}</span>
        </a>
      </p>
    ))}
  </aside>
);
