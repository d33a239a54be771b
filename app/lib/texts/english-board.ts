import type { BoardTexts } from "#app/lib/texts/korean-board.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import type { SearchTexts } from "#app/lib/texts/korean-search.ts";
import type { PostTexts } from "#app/lib/texts/korean-post.ts";
import { UI_MESSAGES, writerIn } from "#worker/contract/kernel/messages.ts";
import type { ItemTexts } from "#app/lib/texts/korean-item.ts";
import { isKorean } from "#worker/contract/kernel/language.ts";
import { englishMonth } from "#app/lib/texts/english-dates.ts";
import type { CalendarTexts } from "#app/lib/texts/korean-calendar.ts";
import { formatDateTime } from "#app/lib/format.ts";
import type { EventTexts } from "#app/lib/texts/korean-events.ts";
import type { EventView } from "#worker/contract/board/view.ts";

const plural = (count: number, name: string) => `${count} ${name}${count === 1 ? "" : "s"}`;

export const ENGLISH_BOARD_TEXTS: BoardTexts = {
  pager: { first: "First page", previous: "Previous page", next: "Next page", last: "Last page", page: " (page)" },
  list: {
    caption: (name) => `${name}: number, title, author, date, views`,
    number: "No.",
    title: "Title",
    total: { before: "", after: " posts" },
    pageOf: (page, total) => (page ? `page ${page} of ${total}` : `${total} pages`),
    asCalendar: "Show as a calendar",
    sizes: "Posts per page",
    each: "\u00a0per page",
    categories: "Categories",
    allCategories: "All",
    empty: "Nothing has been posted yet.",
    emptyCategory: "Nothing has been posted in this category.",
    emptyPage: "There is nothing on this page.",
    firstPage: "Back to the first page",
    pager: (name) => `Pages of ${name}`,
    pageTitle: (number) => `page ${number}`,
    write: "Write",
    all: "All posts",
    whole: (files) => `Open the whole post${files > 0 ? `, ${plural(files, "attachment")}` : ""}`,
  },
  search: {
    resultsOf: (words) => `Results for “${words}”`,
    targetLabel: "Search in",
    targets: {
      titleContent: "Title and text",
      title: "Title",
      content: "Text",
      writer: "Author",
      file: "Attachments",
      all: "Everything",
    },
    keyword: "Search words",
    placeholder: "What are you looking for?",
    submit: "Search",
  },
};

export const ENGLISH_SEARCH_TEXTS: SearchTexts = {
  title: "Search",
  places: (hasCenters) =>
    hasCenters
      ? "Looks through posts, their attachments, the pages of this site and the regional centres."
      : "Looks through posts, their attachments and the pages of this site.",
  board: "Board",
  allBoards: "All boards",
  from: "Posted from",
  to: "Posted until",
  newest: "Newest first",
  best: "Best match",
  order: "Order",
  results: "Search results",
  found: { between: ": ", after: (isMore) => (isMore ? " or more results" : " results") },
  also: (words) => `Also found, since they mean the same: ${words}.`,
  near: "No post has all of the words. These have some of them.",
  corrected: (words) => `Searched for ${words} instead.`,
  suggested: "Did you mean",
  none: "Nothing was found.",
  noneHelp: "Try fewer or other words, or a wider choice of boards and dates.",
  office: (phone) => `Office ${phone}`,
  inquiry: "",
  noItems: "No posts match, but the pages above do.",
  pager: "Pages of the search results",
  pages: "Pages and centres",
  kinds: { page: "Page", center: "Centre", screen: "Go to" },
  phone: "Telephone",
  comment: "Comment:",
  inFile: (name) => `In ${name}`,
  file: "Attachment",
  views: (count) => `Views: ${count}`,
  problem: () =>
    `The search could not be carried out. Please search for at most ${SIZE_LIMITS.keywordLength} characters, and try again in a minute if you have searched often.`,
};

export const ENGLISH_POST_TEXTS: PostTexts = {
  onlyInKorean: {
    item: "This post is available in Korean only.",
    list: "Posts are shown as they were written. KO marks a post in Korean.",
  },
  doInKorean: "Posting, commenting, following and managing are done on the Korean page.",
  koreanPage: "Open the Korean page",
  titleOf: (title) => (title === UI_MESSAGES.secretTitle ? "Private post" : title),
  pinned: "Pinned",
  writer: "Author",
  writerOf: (name) => writerIn("en", name),
  date: "Date",
  views: "Views",
};

export const ENGLISH_ITEM_TEXTS: ItemTexts = {
  pageTitle: (board, itemNo, title) => (isKorean(title) ? `${board} no. ${itemNo} (in Korean)` : title),
  list: "List",
  share: "Share",
  copy: "Copy link",
  copied: "The link has been copied.",
  copyFailed: "The link could not be copied. Please copy the address from the address bar.",
  print: "Print",
  neighbours: "Previous and next post",
  previous: "Previous",
  next: "Next",
  noPrevious: "This is the oldest post.",
  noNext: "This is the newest post.",
  comments: "Comments",
  reply: "Reply",
  deletedComment: "This comment has been deleted.",
  memberOnly: "Please sign in to comment.",
  signin: "Sign in",
};

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
  coming: "Upcoming events",
  noneComing: "No events are planned.",
  subscribe: "Add to your calendar",
  subscribeHow:
    "Subscribe in your calendar app with one of these addresses. New and changed events then appear there by themselves.",
  feedOf: (board) => `Subscribe to ${board}`,
};

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

const weekdayOf = (day: string) => WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? "";

const shortDay = (day: string) =>
  `${weekdayOf(day)} ${Number(day.slice(8))} ${englishMonth(Number(day.slice(5, 7))).slice(0, 3)}`;
const fullDay = (day: string) => `${shortDay(day)} ${day.slice(0, 4)}`;

const timeOf = (iso: string) => formatDateTime(iso).slice(11);
const endTimeOf = (iso: string) => (timeOf(iso) === "00:00" ? "midnight" : timeOf(iso));

function hoursText({ isAllDay, firstDay, lastDay, startDate, endDate }: EventView): string {
  if (isAllDay || firstDay !== lastDay) return "";
  return startDate === endDate ? timeOf(startDate) : `${timeOf(startDate)}–${endTimeOf(endDate)}`;
}

/** Fri 11 Dec 2026, 09:30–17:40 KST */
function spanText(event: EventView): string {
  const { isAllDay, firstDay, lastDay, startDate, endDate } = event;
  const hours = hoursText(event);
  if (firstDay === lastDay) return fullDay(firstDay) + (hours && `, ${hours} KST`);
  const first = firstDay.slice(0, 4) === lastDay.slice(0, 4) ? shortDay(firstDay) : fullDay(firstDay);
  if (isAllDay) return `${first} to ${fullDay(lastDay)}`;
  return `${first}, ${timeOf(startDate)} to ${fullDay(lastDay)}, ${endTimeOf(endDate)} KST`;
}

const daysLeft = (days: number) => (days === 1 ? "tomorrow" : `in ${days} days`);

function distanceText({ daysLeft: days, isOver, isCancelled }: EventView): string {
  if (isCancelled) return "cancelled";
  if (isOver) return "";
  if (days === 0) return "today";
  return days > 0 ? daysLeft(days) : "under way";
}

export const ENGLISH_EVENT_TEXTS: EventTexts = {
  weekdayOf,
  monthOnLeaf: (month) => englishMonth(month).slice(0, 3),
  dayText: ({ firstDay, lastDay }) =>
    firstDay === lastDay ? shortDay(firstDay) : `${shortDay(firstDay)} – ${shortDay(lastDay)}`,
  hoursText,
  spanText,
  distanceText,
  daysLeft,
  event: "Event",
  about: "About the event",
  cancelled: "This event has been cancelled.",
  when: "When",
  where: "Where",
  deadline: "Register by",
  keep: "Add to my calendar",
};
