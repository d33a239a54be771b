import { englishMonth } from "#app/lib/texts/english-dates.ts";
import type { CalendarTexts } from "#app/lib/texts/korean-calendar.ts";

export const ENGLISH_CALENDAR_TEXTS: CalendarTexts = {
  title: "Calendar",
  titleOf: (year, month) => `Calendar, ${englishMonth(month)} ${year}`,
  description: "Meetings, courses and deadlines at a glance. All times are Korean time (KST, UTC+9).",
  month: (year, month) => `${englishMonth(month)} ${year}`,
  eventsOf: (month) => `Events in ${month}`,
  boards: "Boards",
  all: "All",
  months: "Other months",
  before: (month) => `Previous month, ${month}`,
  after: (month) => `Next month, ${month}`,
  thisMonth: "This month",
  weekdayEnd: "",
  dayOf: (weekday) => `, ${weekday}`,
  none: "There are no events this month.",
  coming: "Coming events",
  noneComing: "No events are planned.",
  subscribe: "In your own calendar",
  subscribeHow:
    "Add one of these addresses to your calendar program (“subscribe” or “add by URL”). New and changed events will then appear there by themselves.",
  feedOf: (board) => `${board} (ics)`,
};
