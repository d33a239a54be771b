import CalendarPlus from "lucide-react/icons/calendar-plus";
import { EventDistance } from "#app/features/board/event/event-mark.tsx";
import { eventSpanText } from "#app/features/board/event/event-text.ts";
import { formatDateTime } from "#app/lib/format.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";
import { Fact } from "#app/ui/fact.tsx";
import type { EventView } from "#worker/contract/board/view.ts";

interface EventSummaryProps {
  event: EventView;
  boardCode: string;
  itemNo: number;
}

/** When, where and until when, beside the text of an event. */
export function EventSummary({ event, boardCode, itemNo }: EventSummaryProps) {
  const { isCancelled, isAllDay, place, deadline, firstDay, startDate } = event;
  return (
    <section
      aria-label="일정 안내"
      className={cx(
        "rounded-lg border p-5 lg:p-6",
        isCancelled ? "border-danger-50 bg-danger-5" : "border-primary-20 bg-primary-5",
      )}
    >
      <h2 className="flex items-center gap-2 text-lg">
        일정
        <EventDistance event={event} />
      </h2>
      {isCancelled && <p className="mt-2 font-semibold text-danger-60">취소된 일정입니다.</p>}
      <dl className="mt-4 grid gap-4 md:max-lg:grid-cols-3">
        <Fact name="일시" className="font-semibold">
          <time dateTime={isAllDay ? firstDay : startDate} className={cx("tabular", isCancelled && "line-through")}>
            {eventSpanText(event)}
          </time>
        </Fact>
        {place && (
          <Fact name="장소" className="font-semibold">
            {place}
          </Fact>
        )}
        {deadline && (
          <Fact name="신청 마감" className="font-semibold">
            <time dateTime={deadline} className="tabular">
              {formatDateTime(deadline)}
            </time>
          </Fact>
        )}
      </dl>
      <ButtonLink
        to={`/api/board-item/${boardCode}/${itemNo}/calendar`}
        reloadDocument
        download
        size="sm"
        className="mt-5 max-md:w-full lg:w-full print:hidden"
      >
        <CalendarPlus aria-hidden="true" className="size-4.5" />내 달력에 담기
      </ButtonLink>
    </section>
  );
}
