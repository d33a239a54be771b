import CalendarPlus from "lucide-react/icons/calendar-plus";
import { EventDistance, useEventTexts } from "#app/features/board/event/event-mark.tsx";
import { useTexts } from "#app/lib/page-language.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";
import { LabeledValue } from "#app/ui/labeled-value.tsx";
import { UserText } from "#app/ui/user-text.tsx";
import type { EventView } from "#worker/contract/board/view.ts";

export function EventSummary({ event, boardCode, itemNo }: { event: EventView; boardCode: string; itemNo: number }) {
  const texts = useEventTexts();
  const { date, language } = useTexts();
  const { isCancelled, isAllDay, place, deadline, firstDay, startDate } = event;
  return (
    <section
      aria-label={texts.about}
      className={cx(
        "flex flex-wrap items-center gap-x-4 rounded-lg border p-4 md:p-5 lg:col-start-2 lg:block lg:p-6",
        isCancelled ? "border-danger-50 bg-danger-5" : "border-primary-20 bg-primary-5",
      )}
    >
      <h2 className="flex items-center gap-2 text-lg">
        {texts.event}
        <EventDistance event={event} />
      </h2>
      {isCancelled && <p className="order-1 mt-2 w-full font-semibold text-danger-60">{texts.cancelled}</p>}
      <dl className="order-1 mt-2 grid w-full gap-x-4 gap-y-1 max-md:[&>div]:grid max-md:[&>div]:grid-cols-[4.5rem_1fr] max-md:[&>div]:items-baseline @max-[20rem]/page:[&>div]:block! md:mt-4 md:max-lg:grid-cols-3 lg:gap-4">
        <LabeledValue name={texts.when} className="font-semibold">
          <time dateTime={isAllDay ? firstDay : startDate} className={cx("tabular", isCancelled && "line-through")}>
            {texts.spanText(event)}
          </time>
        </LabeledValue>
        {place && (
          <LabeledValue name={texts.where} className="font-semibold">
            <UserText>{place}</UserText>
          </LabeledValue>
        )}
        {deadline && (
          <LabeledValue name={texts.deadline} className="font-semibold">
            <time dateTime={deadline} className="tabular">
              {date.datetime(deadline)}
            </time>
          </LabeledValue>
        )}
      </dl>
      <ButtonLink
        to={`/api/board-item/${boardCode}/${itemNo}/calendar${language === "en" ? "?language=en" : ""}`}
        reloadDocument
        download
        size="sm"
        className="max-lg:ml-auto lg:mt-5 lg:w-full print:hidden"
      >
        <CalendarPlus aria-hidden="true" className="size-4.5" />
        {texts.keep}
      </ButtonLink>
    </section>
  );
}
