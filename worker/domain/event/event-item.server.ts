import { asc, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#db/client.ts";
import { type Place, prepareOnce } from "#db/prepared.ts";
import { board, boardItem } from "#db/schema/board.ts";
import { event } from "#db/schema/event.ts";
import {
  EVENT_DESK,
  guestHref,
  phaseAt,
  PLACE_TAKEN,
  REGISTRATION_MESSAGES,
  type RegistrationPhase,
  registrationHref,
} from "#worker/contract/event/event.ts";
import type { RegisteredItem, RegistrationCounts, RegistrationSummary } from "#worker/contract/event/view.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { eventDays } from "#worker/contract/board/event-rules.ts";
import { englishPath, type Language } from "#worker/contract/kernel/language.ts";
import { koreanClock, koreanLongDay, longDayTexts, startOfKoreanDay } from "#worker/contract/kernel/korea.ts";
import { eventView } from "../board/row.server.ts";
import { authorizeItem, type ItemPath } from "../board/view.server.ts";
import { authorize, authorizeConsole, can, itemResource } from "../kernel/authorize.server.ts";

/** @throws AppError UNAUTHORIZED, FORBIDDEN without ADMIN_Access and Event_Manage */
export function authorizeEvents(ctx: Pick<AppContext, "actor">): void {
  authorizeConsole(ctx);
  authorize(ctx, { action: "Event_Manage" });
}

/** Columns under names of their own: a joined read on D1 keeps one of two with the same name. */
const named = <Table extends SQLiteTable, Name extends keyof Table["_"]["columns"] & string>(
  table: Table,
  prefix: string,
  ...names: Name[]
) =>
  Object.fromEntries(
    names.map((name) => {
      const column = (table as unknown as Record<string, AnySQLiteColumn>)[name] as AnySQLiteColumn;
      return [name, sql`${column}`.mapWith(column).as(`${prefix}_${name}`)];
    }),
  ) as { [K in Name]: SQL.Aliased<Table["_"]["columns"][K]["_"]["data"] | Nullable<Table["_"]["columns"][K]>> };
type Nullable<Column extends AnySQLiteColumn> = Column["_"]["notNull"] extends true ? never : null;

const EVENT_COLUMNS = {
  ...named(
    event,
    "event",
    "openDate",
    "closeDate",
    "cancelUntil",
    "places",
    "useWaiting",
    "hidesCounts",
    "takesGuests",
  ),
  ...named(
    event,
    "event",
    "roleCodes",
    "confirmation",
    "attendance",
    "certificateKindId",
    "questions",
    "questionsVersion",
    "version",
  ),
  ...named(event, "event", "fees", "feeDays", "cancelsUnpaid", "reminderDays", "notice", "englishNotice"),
};

const COLUMNS = {
  board: named(board, "board", "boardCode", "boardName", "englishName", "isClosed", "useEvents"),
  item: {
    ...named(boardItem, "item", "id", "itemNo", "title", "createdUserId", "isSecret", "createdDate", "deletedDate"),
    ...named(boardItem, "item", "eventStart", "eventEnd", "isEventAllDay", "eventPlace", "eventDeadline"),
    ...named(boardItem, "item", "isEventCancelled"),
  },
  event: EVENT_COLUMNS,
  counts: sql`(SELECT json_group_object(status, people) FROM (
      SELECT status, count(*) AS people FROM event_registration WHERE item_id = ${boardItem.id} GROUP BY status))`
    .mapWith((value: string) => ({ ...NOBODY, ...(JSON.parse(value) as Partial<RegistrationCounts>) }))
    .as("event_counts"),
};
const NOBODY = Object.fromEntries(EVENT_DESK.names.map((status) => [status, 0])) as RegistrationCounts;

export const itemsStatement = (db: Db) =>
  db
    .select(COLUMNS)
    .from(boardItem)
    .innerJoin(board, eq(board.boardCode, boardItem.boardCode))
    .leftJoin(event, eq(event.itemId, boardItem.id));

type Row = Awaited<ReturnType<typeof itemsStatement>>[number];
type EventSettings = { [K in keyof typeof EVENT_COLUMNS]: (typeof EVENT_COLUMNS)[K]["_"]["type"] };
export interface EventItem extends Omit<Row, "event"> {
  event: EventSettings | null;
}
export interface OpenedEvent extends EventItem {
  event: EventSettings;
}

/** A joined row without an event has columns without a value. */
export const eventItemOf = (row: Row): EventItem => ({
  ...row,
  event: (row.event as Partial<EventSettings> | null)?.version == null ? null : (row.event as EventSettings),
});

const isAt = ({ boardCode, itemNo }: { [K in keyof ItemPath]: Place<ItemPath[K]> }) =>
  sql`${boardItem.boardCode} = ${boardCode} AND ${boardItem.itemNo} = ${itemNo}`;

const AT = { boardCode: sql.placeholder("boardCode"), itemNo: sql.placeholder("itemNo") };

const preparedEvent = prepareOnce((db) => itemsStatement(db).where(sql`${isAt(AT)} AND ${event.itemId} IS NOT NULL`));

/** The item at an address if it has an event. */
export const eventAtStatement = (db: Db, { boardCode, itemNo }: ItemPath) => preparedEvent(db, { boardCode, itemNo });

export const itemAtStatement = (db: Db, path: ItemPath) => itemsStatement(db).where(isAt(path));

const itemOfStatement = (db: Db, itemId: number) => itemsStatement(db).where(eq(boardItem.id, itemId));

const EVENTS_MAX = 500;

/** The newest events, by their first day. */
export const eventsStatement = (db: Db) =>
  itemsStatement(db)
    .where(sql`${event.itemId} IS NOT NULL`)
    .orderBy(desc(boardItem.eventStart), desc(boardItem.id))
    .limit(EVENTS_MAX);

/** Items whose event is not over and takes no registrations yet. */
export const openableStatement = (db: Db, now: Date) =>
  itemsStatement(db)
    .where(
      sql`${isNull(event.itemId)} AND ${boardItem.eventEnd} > ${now.getTime()} AND ${boardItem.isEventCancelled} = 0
        AND ${boardItem.deletedDate} IS NULL AND ${board.useEvents} = 1`,
    )
    .orderBy(asc(boardItem.eventStart), asc(boardItem.id))
    .limit(EVENTS_MAX);

export const eventMissing = () => new AppError("NOT_FOUND", { message: REGISTRATION_MESSAGES.missing });

/** The item for somebody who reads it; nobody else learns of its event. @throws AppError as the item's page */
export function authorizeEventItem(ctx: AppContext, row: Row | undefined): EventItem {
  if (!row) throw eventMissing();
  authorizeItem(ctx, [row.board], [row.item]);
  return eventItemOf(row);
}

export function requireOpened(found: EventItem): OpenedEvent {
  const { event: settings } = found;
  if (!settings) throw eventMissing();
  return { ...found, event: settings };
}

export const canRead = (ctx: AppContext, { board: parent, item }: Pick<Row, "board" | "item">): boolean =>
  can(ctx.actor, { action: "Item.Read", item: itemResource(parent, item), now: ctx.now() });

/** @throws AppError as the item's page, NOT_FOUND without an event */
export async function requireEvent(ctx: AppContext, path: ItemPath): Promise<OpenedEvent> {
  const [row] = await eventAtStatement(ctx.db, path).all();
  return requireOpened(authorizeEventItem(ctx, row));
}

/** The event of a registration, which its person or the office was authorized for. */
export async function eventOfCase(ctx: AppContext, { itemId }: { itemId: number }): Promise<OpenedEvent> {
  const [row] = await itemOfStatement(ctx.db, itemId);
  if (!row) throw eventMissing();
  return requireOpened(eventItemOf(row));
}

/** The event of a registration, for an officer who reads its item. @throws AppError NOT_FOUND */
export async function requireReadable(ctx: AppContext, registration: { itemId: number }): Promise<OpenedEvent> {
  const found = await eventOfCase(ctx, registration);
  if (!canRead(ctx, found)) throw eventMissing();
  return found;
}

export const isHeld = ({ board: { useEvents }, item }: EventItem): boolean =>
  useEvents && item.eventStart !== null && !item.isEventCancelled && item.deletedDate === null;

export const phaseOf = (ctx: Pick<AppContext, "now">, found: OpenedEvent): RegistrationPhase =>
  phaseAt(found.event, isHeld(found), ctx.now());

export const takenPlaces = (counts: RegistrationCounts): number =>
  PLACE_TAKEN.reduce((sum, status) => sum + counts[status], 0);

/** Whether the next person gets a place: those who wait come first. */
export const hasRoom = ({ event: { places }, counts }: OpenedEvent): boolean =>
  (places === null || takenPlaces(counts) < places) && counts.waiting === 0;

export const registeredItem = (
  ctx: Pick<AppContext, "now">,
  { board: { boardCode, useEvents }, item }: Pick<Row, "board" | "item">,
): RegisteredItem => ({
  boardCode,
  itemNo: item.itemNo,
  title: item.title,
  event: eventView({ useEvents }, item, ctx.now()),
});

/** For each reader of the item. */
export function summaryView(ctx: Pick<AppContext, "now">, found: OpenedEvent): RegistrationSummary {
  const { event: settings, counts } = found;
  const { places, hidesCounts, useWaiting, takesGuests } = settings;
  return {
    phase: phaseOf(ctx, found),
    openDate: settings.openDate.toISOString(),
    closeDate: settings.closeDate.toISOString(),
    places,
    isFull: !hasRoom(found),
    useWaiting,
    takesGuests,
    free: hidesCounts || places === null ? null : Math.max(0, places - takenPlaces(counts)),
    waiting: hidesCounts ? null : counts.waiting,
  };
}

type Days = Pick<EventItem["item"], "eventStart" | "eventEnd">;

const daysIn = ({ eventStart, eventEnd }: Days): Date[] => {
  const startDate = eventStart ?? new Date(0);
  const { first, last } = eventDays({ startDate, endDate: eventEnd ?? startDate });
  return [...new Set([first, last])].map(startOfKoreanDay);
};

/** The days of an event as words. */
export function daysText(item: Days): string {
  const days = daysIn(item).map(koreanLongDay);
  return days.join("부터 ") + (days.length > 1 ? "까지" : "");
}

type InBoth = Readonly<Record<Language, string>>;

/** The days of an event, with the time at which it begins. */
export function heldTexts(item: Days & Pick<EventItem["item"], "isEventAllDay">): InBoth {
  const clock = !item.isEventAllDay && item.eventStart ? koreanClock(item.eventStart) : "";
  const english = daysIn(item).map((day) => longDayTexts(day).en);
  return {
    ko: [daysText(item), clock].filter(Boolean).join(" "),
    en: [english.join(" to "), clock && `${clock} KST`].filter(Boolean).join(", "),
  };
}

/** As `heldTexts`, with the place. */
export function whereTexts(item: Parameters<typeof heldTexts>[0] & Pick<EventItem["item"], "eventPlace">): InBoth {
  const { ko, en } = heldTexts(item);
  const withPlace = (held: string) => [held, item.eventPlace].filter(Boolean).join(", ");
  return { ko: withPlace(ko), en: withPlace(en) };
}

/** Words of the letters about an event. */
export function letterFieldsOf(
  ctx: AppContext,
  { board: { boardCode }, item }: EventItem,
  whose?: { id: string; guestEmail: string },
) {
  const path = whose?.guestEmail ? guestPath(ctx, whose.id) : registrationHref(boardCode, item.itemNo);
  const { SITE_ORIGIN, PRODUCT_CODE } = ctx.config;
  return { 행사: item.title, 주소: { ko: SITE_ORIGIN + path, en: SITE_ORIGIN + englishPath(PRODUCT_CODE, path) } };
}

const GUEST_PURPOSE = "eventGuest";

/** The address of a guest's own registration, whose signature prevents forgery. */
export const guestPath = ({ tokens }: Pick<AppContext, "tokens">, id: string): string =>
  guestHref(tokens.sign(GUEST_PURPOSE, id));

/** The registration of a guest's link; null for a forged one. */
export const linkedRegistration = ({ tokens }: Pick<AppContext, "tokens">, token: string): string | null =>
  tokens.unsign(GUEST_PURPOSE, token);

/** Names the event in the audit log. */
export const eventTarget = ({ board: { boardCode }, item: { itemNo } }: EventItem): string => `${boardCode}/${itemNo}`;
