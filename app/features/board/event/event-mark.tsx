import { Badge } from "#app/ui/inline.tsx";
import { cx } from "#app/ui/cx.ts";
import type { EventView } from "#worker/contract/board/view.ts";
import { useSection } from "#app/lib/page-language.ts";
import { KOREAN_EVENT_TEXTS } from "#app/lib/texts/korean-events.ts";

export function EventDistance({ event }: { event: EventView }) {
  const texts = useEventTexts();
  const text = texts.distanceText(event);
  if (!text) return null;
  return (
    <Badge
      tone={event.isCancelled ? "danger" : event.daysLeft <= 0 ? "success" : "accent"}
      className="tabular shrink-0"
    >
      {event.daysLeft > 0 && !event.isCancelled ? (
        <>
          <span aria-hidden="true">{text}</span>
          <span className="sr-only">{texts.daysLeft(event.daysLeft)}</span>
        </>
      ) : (
        text
      )}
    </Badge>
  );
}

export function EventMark({ event }: { event: EventView }) {
  const texts = useEventTexts();
  return (
    <span className="inline-flex shrink-0 items-center gap-1.5 text-sm">
      <span className={cx("tabular", event.isOver ? "text-gray-60" : "font-semibold text-accent-60")}>
        <span className="sr-only">{texts.event} </span>
        {texts.dayText(event)}
      </span>
      <EventDistance event={event} />
    </span>
  );
}

/** Is hidden from screen readers; the time next to it says the same. */
export function EventLeaf({ day, isOver }: { day: string; isOver: boolean }) {
  const texts = useEventTexts();
  return (
    <span
      aria-hidden="true"
      className={cx(
        "tabular inline-flex w-14 shrink-0 flex-col overflow-hidden rounded-md border text-center",
        isOver ? "border-gray-30 text-gray-60" : "border-primary-30 text-primary-80",
      )}
    >
      <span className={cx("py-0.5 text-xs font-semibold", isOver ? "bg-gray-10" : "bg-primary-10")}>
        {texts.monthOnLeaf(Number(day.slice(5, 7)))}
      </span>
      <span className="bg-white pt-0.5 text-xl/tight font-extrabold">{Number(day.slice(8))}</span>
      <span className="bg-white pb-1 text-xs text-gray-60">{texts.weekdayOf(day)}</span>
    </span>
  );
}

export const useEventTexts = () => useSection("events", KOREAN_EVENT_TEXTS);
