import type { BoardTexts } from "#app/lib/texts/korean-board.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";

const plural = (count: number, name: string) => `${count} ${name}${count === 1 ? "" : "s"}`;

export const ENGLISH_BOARD_TEXTS: BoardTexts = {
  pager: { first: "First page", previous: "Previous page", next: "Next page", last: "Last page", page: " (page)" },
  list: {
    caption: (name) => `${name}: number, title, author, date, views`,
    number: "No.",
    title: "Title",
    total: { before: "Posts: ", after: "" },
    pages: "pages",
    uncounted: "Only the first pages can be shown in this order. Please narrow the list by category or by a search.",
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
    title: "Search",
    places: (hasCenters) =>
      hasCenters
        ? "Looks through posts, their attachments, the pages of this site and the regional centres."
        : "Looks through posts, their attachments and the pages of this site.",
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
    board: "Board",
    allBoards: "All boards",
    from: "Posted from",
    to: "Posted until",
    newest: "Newest first",
    best: "Best match first",
    order: "Order",
    results: "Search results",
    found: { between: ": ", after: (isMore) => (isMore ? " or more results" : " found") },
    also: (words) => `Also found, since they mean the same: ${words}.`,
    near: "No post has all of the words. These lack one of them.",
    none: "Nothing was found.",
    noneHelp: "Try fewer or other words, or a wider choice of boards and dates.",
    noItems: "No post holds these words. Please see the pages above.",
    pager: "Pages of the search results",
    pages: "Pages and centres",
    page: "Page",
    center: "Centre",
    inFile: (name) => `In ${name}`,
    file: "Attachment",
    views: (count) => `Views: ${count}`,
    problem: () =>
      `The search could not be carried out. Please search for at most ${SIZE_LIMITS.keywordLength} characters, and try again in a minute if you have searched often.`,
  },
};
