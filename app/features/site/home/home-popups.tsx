import X from "lucide-react/icons/x";
import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { ArticleBody } from "#app/features/file/article.tsx";
import { showPopups } from "#app/features/site/home/show-popups.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { Button, IconButton } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";
import type { PopupView } from "#worker/contract/site/view.ts";

const PLACES = { left: "md:right-auto md:left-6", center: "md:mx-auto", right: "md:right-6 md:left-auto" };
const WIDTHS = { sm: "md:w-80", md: "md:w-96", lg: "md:w-[32rem]" };
const MORE_LINK = "font-semibold text-primary-60 underline underline-offset-4";

/** Is not modal; Esc closes. Small screens show a strip with the title that unfolds. */
export function HomePopups({ popups }: { popups: readonly PopupView[] }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => (ref.current ? showPopups(ref.current) : undefined), [popups]);
  if (popups.length === 0) return null;
  return (
    <div ref={ref} id="home-popups">
      {popups.map((popup) => (
        <Popup key={popup.id} popup={popup} />
      ))}
    </div>
  );
}

function Popup({ popup }: { popup: PopupView }) {
  const { id, title, content, linkUrl } = popup;
  const { home, newWindowShort } = useTexts();
  return (
    <section
      aria-label={home.popup(title)}
      data-popup={id}
      hidden
      className={cx(
        "group/popup fixed inset-x-4 bottom-4 z-20 flex max-h-[min(32rem,70dvh)] flex-col overflow-hidden rounded-xl border border-gray-20 bg-white shadow-lg print:hidden",
        PLACES[popup.position],
        WIDTHS[popup.size],
      )}
    >
      <div className="flex items-start justify-between gap-3 bg-primary-80 py-1 pr-2 pl-4 md:py-2 md:pl-5 text-white on-dark">
        <h2 className="py-2 text-base text-white md:text-lg">{title}</h2>
        <IconButton label={home.close} data-popup-act="close" className="text-white!">
          <X aria-hidden="true" className="size-5" />
        </IconButton>
      </div>
      <div
        id={`popup-${id}`}
        className="min-h-0 overflow-y-auto px-5 group-not-data-unfolded/popup:max-md:hidden group-not-data-unfolded/popup:[@media(max-height:30rem)]:hidden [&_.article]:py-4 [&_.article]:text-base"
        tabIndex={0}
        role="region"
        aria-label={home.popupText}
      >
        <ArticleBody html={content} />
        {linkUrl && (
          <p className="pb-4">
            {linkUrl.startsWith("/") ? (
              <Link to={linkUrl} className={MORE_LINK}>
                <span className="sr-only">{title} </span>
                {home.popupMore}
              </Link>
            ) : (
              <a href={linkUrl} target="_blank" rel="noopener noreferrer" className={MORE_LINK}>
                <span className="sr-only">{title} </span>
                {home.popupMore} {newWindowShort}
              </a>
            )}
          </p>
        )}
      </div>
      <div className="flex flex-wrap justify-between gap-x-1 border-t border-gray-20 bg-gray-5 px-1 py-1 md:px-3 md:py-2">
        <Button
          variant="quiet"
          size="sm"
          aria-expanded={false}
          aria-controls={`popup-${id}`}
          data-popup-act="unfold"
          className="text-primary-70! group-data-unfolded/popup:hidden md:[@media(min-height:30.01rem)]:hidden"
        >
          {home.popupOpen}
        </Button>
        <Button variant="quiet" size="sm" data-popup-act="day">
          {home.popupNotToday}
        </Button>
        <Button
          variant="quiet"
          size="sm"
          data-popup-act="close"
          className="group-not-data-unfolded/popup:max-md:hidden group-not-data-unfolded/popup:[@media(max-height:30rem)]:hidden"
        >
          {home.close}
        </Button>
      </div>
    </section>
  );
}
