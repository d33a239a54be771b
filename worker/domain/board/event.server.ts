import type { boardItem } from "#db/schema/board.ts";
import type { EventInput } from "#worker/contract/board/event-input.ts";
import { daysBetween, eventDays } from "#worker/contract/board/event-rules.ts";
import type { EventView } from "#worker/contract/board/view.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";

type EventColumns = Pick<
  typeof boardItem.$inferSelect,
  "eventStart" | "eventEnd" | "isEventAllDay" | "eventPlace" | "eventDeadline" | "isEventCancelled"
>;

/** The item's event; null without one or on a board with events disabled. */
export function eventView(board: { useEvents: boolean }, item: EventColumns, now: Date): EventView | null {
  const { eventStart: startDate, eventEnd: endDate } = item;
  if (!board.useEvents || !startDate || !endDate) return null;
  const { first, last } = eventDays({ startDate, endDate });
  return {
    isAllDay: item.isEventAllDay,
    startDate: startDate.toISOString(),
    endDate: endDate.toISOString(),
    firstDay: first,
    lastDay: last,
    place: item.eventPlace,
    deadline: item.eventDeadline?.toISOString() ?? null,
    isCancelled: item.isEventCancelled,
    daysLeft: daysBetween(koreanDay(now), first),
    isOver: endDate <= now && koreanDay(now) > last,
  };
}

export function eventColumns(event: EventInput | null | undefined): Partial<EventColumns> {
  if (event === undefined) return {};
  return {
    eventStart: event?.startDate ?? null,
    eventEnd: event?.endDate ?? null,
    isEventAllDay: event?.isAllDay ?? false,
    eventPlace: event?.place ?? "",
    eventDeadline: event?.deadline ?? null,
    isEventCancelled: event?.isCancelled ?? false,
  };
}
