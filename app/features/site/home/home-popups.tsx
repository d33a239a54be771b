import X from "lucide-react/icons/x";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { ReadyArticle } from "#app/features/file/ready-article.tsx";
import { Button, IconButton } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";
import { useIsHydrated } from "#app/ui/use-is-hydrated.ts";
import type { PopupView } from "#worker/contract/site/view.ts";

const PLACES = { left: "md:right-auto md:left-6", center: "md:mx-auto", right: "md:right-6 md:left-auto" };
const WIDTHS = { sm: "md:w-80", md: "md:w-96", lg: "md:w-[32rem]" };
const MORE_LINK = "font-semibold text-primary-60 underline underline-offset-4";
const KEY = "hiddenPopups";
const DAY_MS = 86_400_000;

function readHiddenUntil(): Record<string, number> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Record<string, number>) : {};
  } catch {
    return {};
  }
}

function readHiddenIds(): Set<string> {
  const now = Date.now();
  return new Set(Object.entries(readHiddenUntil()).flatMap(([id, until]) => (until > now ? [id] : [])));
}

function hidePopupForDay(id: string): void {
  const now = Date.now();
  const kept = Object.entries(readHiddenUntil()).filter(([, until]) => until > now);
  localStorage.setItem(KEY, JSON.stringify({ ...Object.fromEntries(kept), [id]: now + DAY_MS }));
}

/**
 * Messages of the day, one after the other, in a corner: nothing behind them is locked, Esc closes. Where there is little
 * room, a strip with the title alone, which unfolds.
 */
export function HomePopups({ popups }: { popups: readonly PopupView[] }) {
  const hydrated = useIsHydrated();
  const [closed, setClosed] = useState<readonly string[]>([]);
  const [unfolded, setUnfolded] = useState<string | null>(null);
  const hidden = hydrated ? readHiddenIds() : null;
  const current = hidden && popups.find(({ id }) => !closed.includes(id) && !hidden.has(id));
  const currentId = current?.id;
  const close = () => setClosed((ids) => (currentId === undefined ? ids : [...ids, currentId]));
  useEffect(() => {
    if (currentId === undefined) return;
    const onKey = (event: KeyboardEvent) => {
      // A menu or a dialog over the page is closed first.
      if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      setClosed((ids) => [...ids, currentId]);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [currentId]);
  if (!current) return null;
  return (
    <section
      aria-label={`알림: ${current.title}`}
      className={cx(
        "fixed inset-x-4 bottom-4 z-20 flex max-h-[min(32rem,70dvh)] flex-col overflow-hidden rounded-xl border border-gray-20 bg-white shadow-lg print:hidden",
        PLACES[current.position],
        WIDTHS[current.size],
      )}
    >
      <div className="flex items-start justify-between gap-3 bg-primary-80 py-1 pr-2 pl-4 md:py-2 md:pl-5 text-white on-dark">
        <h2 className="py-2 text-base text-white md:text-lg">{current.title}</h2>
        <IconButton label="닫기" onClick={close} className="text-white!">
          <X aria-hidden="true" className="size-5" />
        </IconButton>
      </div>
      <div
        id="popup-content"
        className={cx(
          "min-h-0 overflow-y-auto px-5 [&_.article]:py-4 [&_.article]:text-base",
          unfolded !== current.id && "max-md:hidden [@media(max-height:30rem)]:hidden",
        )}
        tabIndex={0}
        role="region"
        aria-label="알림 내용"
      >
        <ReadyArticle html={current.content} />
        {current.linkUrl && (
          <p className="pb-4">
            {current.linkUrl.startsWith("/") ? (
              <Link to={current.linkUrl} className={MORE_LINK}>
                <span className="sr-only">{current.title} </span>자세히 보기
              </Link>
            ) : (
              <a href={current.linkUrl} target="_blank" rel="noopener noreferrer" className={MORE_LINK}>
                <span className="sr-only">{current.title} </span>자세히 보기 (새 창)
              </a>
            )}
          </p>
        )}
      </div>
      <div className="flex flex-wrap justify-between gap-x-1 border-t border-gray-20 bg-gray-5 px-1 py-1 md:px-3 md:py-2">
        {unfolded !== current.id && (
          <Button
            variant="quiet"
            size="sm"
            aria-expanded={false}
            aria-controls="popup-content"
            onClick={() => setUnfolded(current.id)}
            className="text-primary-70! md:[@media(min-height:30.01rem)]:hidden"
          >
            내용 보기
          </Button>
        )}
        <Button
          variant="quiet"
          size="sm"
          onClick={() => {
            hidePopupForDay(current.id);
            close();
          }}
        >
          24시간 동안 보지 않기
        </Button>
        <Button
          variant="quiet"
          size="sm"
          onClick={close}
          className={unfolded === current.id ? undefined : "max-md:hidden [@media(max-height:30rem)]:hidden"}
        >
          닫기
        </Button>
      </div>
    </section>
  );
}
