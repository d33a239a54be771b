import { desc, sql } from "drizzle-orm";
import { boardItem } from "#db/schema/board.ts";
import { type CalendarEntry, writeCalendar } from "#worker/adapters/icalendar.server.ts";
import { EVENT_LIMITS } from "#worker/contract/board/event-rules.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { englishPath, type Language } from "#worker/contract/kernel/language.ts";
import { koreanDateTime } from "#worker/contract/kernel/korea.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { can } from "../kernel/authorize.server.ts";
import { summaryOf } from "../kernel/html-text.server.ts";
import { itemResource, type ListedItem } from "../kernel/resource.server.ts";
import { requireLanguage } from "../kernel/identity.server.ts";
import { boardNameIn, boardStatement } from "./board.server.ts";
import { hasFeed } from "./feed.server.ts";
import { ITEM_ROW_COLUMNS } from "./row.server.ts";
import { authorizeItem, type ItemPath, itemWhere } from "./view.server.ts";

const noEvent = () => new AppError("NOT_FOUND", { message: "일정을 찾을 수 없습니다." });

/** Characters read for the beginning of a text. */
const BEGINNING_LETTERS = 4000;
const CALENDAR_COLUMNS = {
  ...ITEM_ROW_COLUMNS,
  beginning: sql<string>`substr(${boardItem.content}, 1, ${BEGINNING_LETTERS})`.as("beginning"),
};

const DEADLINE: Record<Language, (time: string) => string> = {
  ko: (time) => `신청 마감: ${time}`,
  en: (time) => `Registration closes: ${time} KST`,
};

function calendarEntry(
  ctx: AppContext,
  item: ListedItem & { beginning: string },
  language: Language,
): CalendarEntry | null {
  if (!item.eventStart || !item.eventEnd) return null;
  const path = `/board/${item.boardCode}/View/${item.itemNo}`;
  const url = ctx.origin + (language === "en" ? englishPath(ctx.config.PRODUCT_CODE, path) : path);
  return {
    // Stays the same after a move, which changes the item number.
    uid: `item-${item.id}@${new URL(ctx.origin).hostname}`,
    sequence: item.version,
    changedDate: item.modifiedDate,
    isAllDay: item.isEventAllDay,
    startDate: item.eventStart,
    endDate: item.eventEnd,
    summary: item.title,
    location: item.eventPlace,
    description: [
      summaryOf(item.beginning),
      ...(item.eventDeadline ? [DEADLINE[language](koreanDateTime(item.eventDeadline).slice(0, 16))] : []),
      url,
    ].join("\n\n"),
    url,
    isCancelled: item.isEventCancelled,
  };
}

/** Needs read access to the item. @throws AppError NOT_FOUND without an event */
export async function renderItemCalendar(scope: RequestScope, path: ItemPath, language: Language): Promise<string> {
  const { ctx, rows } = await scope.read([
    boardStatement(scope.db, path.boardCode),
    scope.db.select(CALENDAR_COLUMNS).from(boardItem).where(itemWhere(path)),
  ]);
  const { board, item } = authorizeItem(ctx, rows[0], rows[1]);
  const entry = board.useEvents ? calendarEntry(ctx, item, language) : null;
  if (!entry) throw noEvent();
  return writeCalendar(item.title, [entry]);
}

/**
 * Calendar feed of a board with the guest's view for every caller. @throws AppError NOT_FOUND for a board without guest
 * access or events
 */
export async function renderBoardCalendar(
  scope: RequestScope,
  boardCode: string,
  language: Language = "ko",
): Promise<string> {
  const since = scope.now().getTime() - EVENT_LIMITS.daysMax * DAY_MS;
  const { ctx, rows } = await scope.read([
    boardStatement(scope.db, boardCode),
    scope.db
      .select(CALENDAR_COLUMNS)
      .from(boardItem)
      .where(
        sql`${boardItem.boardCode} = ${boardCode} AND ${boardItem.eventStart} IS NOT NULL AND ${boardItem.deletedDate} IS NULL
          AND ${boardItem.eventEnd} > ${since} AND ${boardItem.createdDate} <= ${scope.now().getTime()}`,
      )
      .orderBy(desc(boardItem.eventEnd), desc(boardItem.id))
      .limit(EVENT_LIMITS.inFeed),
  ]);
  const [[row], items] = rows;
  if (!row || !row.useEvents || !hasFeed(ctx, row)) throw noEvent();
  requireLanguage(ctx, language);
  const now = ctx.now();
  const entries = items
    .filter((item) => can(ctx.guest, { action: "Item.Read", item: itemResource(row, item), now }))
    .flatMap((item) => calendarEntry(ctx, item, language) ?? []);
  return writeCalendar(boardNameIn(language, row), entries);
}
