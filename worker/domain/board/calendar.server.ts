import { and, asc, desc, eq, lt, lte, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { prepareOnce } from "#db/prepared.ts";
import { board, boardItem } from "#db/schema/board.ts";
import type { calendarPageQuery } from "#worker/contract/board/input.ts";
import { addMonths, EVENT_LIMITS } from "#worker/contract/board/event-rules.ts";
import { koreanDateTime, koreanDay, startOfKoreanDay } from "#worker/contract/kernel/korea.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import type { AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { englishPath, type Language } from "#worker/contract/kernel/language.ts";
import { type BoardRow, can, itemResource, type ListedItem } from "../kernel/authorize.server.ts";
import { requireLanguage } from "../kernel/site-identity.server.ts";
import { boardNameIn, boardStatement, hasFeed } from "./board.server.ts";
import { type Feed, newestChange } from "./feed.server.ts";
import { eventView, ITEM_ROW_COLUMNS } from "./row.server.ts";
import { writeCalendar } from "#worker/adapters/icalendar.server.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { summaryOf } from "../kernel/html-text.server.ts";
import { authorizeItem, type ItemPath, itemWhere } from "./view.server.ts";

/** Matches the partial index on board and end. */
const isEvent = sql`${boardItem.eventStart} IS NOT NULL AND ${boardItem.deletedDate} IS NULL`;

/** Filters by readable boards, so that hidden events use up no place in the limit. */
function readableEvent(ctx: AppContext, boards: readonly BoardRow[]) {
  const codes = (rows: readonly BoardRow[]) => JSON.stringify(rows.map((row) => row.boardCode));
  const managed = boards.filter((row) => can(ctx.actor, { action: "Board.Manage", board: row }));
  const me = ctx.actor.kind === "guest" ? "" : ctx.actor.userId;
  return and(
    sql`${boardItem.boardCode} IN (SELECT value FROM json_each(${codes(boards)}))`,
    isEvent,
    lte(boardItem.createdDate, ctx.now()),
    sql`(${boardItem.isSecret} = 0 OR ${boardItem.createdUserId} = ${me} OR ${boardItem.boardCode} IN (SELECT value FROM json_each(${codes(managed)})))`,
  );
}

const eventsBetween = (ctx: AppContext, boards: readonly BoardRow[], from: Date, to: Date) =>
  ctx.db
    .select(ITEM_ROW_COLUMNS)
    .from(boardItem)
    .where(
      and(
        readableEvent(ctx, boards),
        sql`${boardItem.eventEnd} >= ${from.getTime()} AND ${boardItem.eventEnd} <= ${to.getTime() + EVENT_LIMITS.daysMax * DAY_MS}`,
        lt(boardItem.eventStart, to),
      ),
    )
    .orderBy(asc(boardItem.eventStart), asc(boardItem.id));

const DAYS_AHEAD = 2 * EVENT_LIMITS.daysMax;

/** Next public events of each board, for the home page. */
export const comingEventStatements = (db: Db, now: Date) =>
  [preparedEventBoards(db, {}), preparedComing(db, { now: now.getTime() })] as const;

const preparedEventBoards = prepareOnce((db) =>
  db
    .select()
    .from(board)
    .where(sql`${board.useEvents} = 1 AND ${board.isClosed} = 0`)
    .orderBy(asc(board.sortOrder)),
);
const preparedComing = prepareOnce((db) => {
  const now = sql.placeholder("now");
  return db
    .select(ITEM_ROW_COLUMNS)
    .from(boardItem)
    .where(
      sql`${boardItem.id} IN (SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY board_code ORDER BY event_start, id) AS place
        FROM board_item INDEXED BY board_item_event
        WHERE board_code IN (SELECT board_code FROM board WHERE use_events = 1 AND is_closed = 0) AND event_start IS NOT NULL AND deleted_date IS NULL
          AND event_end > ${now} AND is_secret = 0 AND is_event_cancelled = 0 AND created_date <= ${now})
        WHERE place <= ${EVENT_LIMITS.onHome})`,
    )
    .orderBy(asc(boardItem.eventStart), asc(boardItem.id));
});

export const comingEventViews = (
  ctx: AppContext,
  boards: readonly BoardRow[],
  items: readonly ListedItem[],
  language: Language,
) => eventViews(ctx, boards, items, language).slice(0, EVENT_LIMITS.onHome);

function eventViews(ctx: AppContext, boards: readonly BoardRow[], items: readonly ListedItem[], language: Language) {
  const now = ctx.now();
  return items.flatMap((item) => {
    const parent = boards.find((row) => row.boardCode === item.boardCode);
    if (!parent || !can(ctx.actor, { action: "Board.List", board: parent })) return [];
    if (!can(ctx.actor, { action: "Item.Read", item: itemResource(parent, item), now })) return [];
    const event = eventView(parent, item, now);
    const { boardCode, itemNo, title } = item;
    return event ? [{ boardCode, boardName: boardNameIn(language, parent), itemNo, title, event }] : [];
  });
}

export async function getCalendarPage(
  scope: RequestScope,
  query: Parsed<typeof calendarPageQuery>,
  language: Language = "ko",
) {
  const { ctx, rows } = await scope.read([
    scope.db.select().from(board).where(eq(board.useEvents, true)).orderBy(asc(board.sortOrder)),
  ]);
  requireLanguage(ctx, language);
  const now = ctx.now();
  const boards = rows[0].filter((row) => !row.isClosed && can(ctx.actor, { action: "Board.List", board: row }));
  const chosen = boards.find((row) => row.boardCode === query.board);
  const shown = chosen ? [chosen] : boards;
  const today = koreanDay(now);
  const month = query.month ?? today.slice(0, 7);
  const from = startOfKoreanDay(`${month}-01`);
  const to = startOfKoreanDay(`${addMonths(month, 1)}-01`);
  const ahead = new Date(now.getTime() + DAYS_AHEAD * DAY_MS);
  const [events, coming] = await ctx.db.batch([
    eventsBetween(ctx, shown, from, to).limit(EVENT_LIMITS.inMonth),
    eventsBetween(ctx, shown, now, ahead).limit(EVENT_LIMITS.coming),
  ]);
  return {
    month,
    today,
    boards: boards.map((row) => ({ boardCode: row.boardCode, boardName: boardNameIn(language, row) })),
    /** Public boards, which offer a calendar feed. */
    feeds: boards.filter((row) => hasFeed(ctx, row)).map((row) => row.boardCode),
    boardCode: chosen?.boardCode ?? "",
    events: eventViews(ctx, boards, events, language).filter(({ event }) => event.lastDay.slice(0, 7) >= month),
    /** Upcoming events, regardless of the month. */
    coming: eventViews(ctx, boards, coming, language).filter(({ event }) => !event.isOver),
  };
}

export type CalendarPage = View<typeof getCalendarPage>;

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

function calendarEntry(ctx: AppContext, item: ListedItem & { beginning: string }, language: Language) {
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
  const { board: boardRow, item } = authorizeItem(ctx, rows[0], rows[1]);
  const entry = boardRow.useEvents ? calendarEntry(ctx, item, language) : null;
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
): Promise<Feed> {
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
  const readable = items.filter((item) => can(ctx.guest, { action: "Item.Read", item: itemResource(row, item), now }));
  const entries = readable.flatMap((item) => calendarEntry(ctx, item, language) ?? []);
  return { text: writeCalendar(boardNameIn(language, row), entries), changedDate: newestChange(readable) };
}
