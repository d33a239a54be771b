import X from "lucide-react/icons/x";
import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { ArticleBody } from "#app/ui/article.tsx";
import { showPopups } from "#app/features/site/home/show-popups.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { Button, IconButton } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";
import type { PopupView } from "#worker/contract/site/view.ts";

const PLACES = { left: "md:right-auto", center: "md:mx-auto", right: "md:left-auto" };
const WIDTHS = { sm: "md:w-80", md: "md:w-96", lg: "md:w-[32rem]" };
const MORE_LINK = "font-semibold text-primary-60 underline underline-offset-4";

/** Is not modal; Esc closes. Narrow screens show a strip with the title that unfolds. */
export function HomePopups({ popups }: { popups: readonly PopupView[] }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => (ref.current ? showPopups(ref.current) : undefined), [popups]);
  if (popups.length === 0) return null;
  return (
    <div ref={ref} id="home-popups" className="container-page">
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
      className={cx("shadow-lg", PLACES[popup.position], WIDTHS[popup.size])}
    >
      <div className="on-dark">
        <h2>{title}</h2>
        <Button variant="quiet" size="sm" aria-expanded={false} aria-controls={`popup-${id}`} data-popup-act="unfold">
          {home.popupOpen}
        </Button>
        <IconButton label={home.close} data-popup-act="close">
          <X aria-hidden="true" className="size-5" />
        </IconButton>
      </div>
      <div id={`popup-${id}`} tabIndex={0} role="region" aria-label={home.popupText}>
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
      <div>
        <Button variant="quiet" size="sm" data-popup-act="day">
          {home.popupNotToday}
        </Button>
        <Button variant="quiet" size="sm" data-popup-act="close">
          {home.close}
        </Button>
      </div>
    </section>
  );
}
