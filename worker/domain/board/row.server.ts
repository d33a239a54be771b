import { type BoardRow, can, itemResource, type ListedItem } from "../kernel/authorize.server.ts";
import { getTableColumns, sql } from "drizzle-orm";
import { type Moment, timeOf } from "#db/prepared.ts";
import { boardItem } from "#db/schema/board.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import type { EventView, ItemRow } from "#worker/contract/board/view.ts";
import { thumbnailUrl } from "#worker/contract/file/view.ts";
import { NEW_ITEM_MS } from "#worker/contract/kernel/limits.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import type { eventInput } from "#worker/contract/board/input.ts";
import { daysBetween, eventDays } from "#worker/contract/board/event-rules.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";

const { content: _content, ...listColumns } = getTableColumns(boardItem);
export const ITEM_ROW_COLUMNS = listColumns;
export const isPinnedNow = (now: Moment) =>
  sql`(${boardItem.isPinned} = 1 AND (${boardItem.pinnedUntil} IS NULL OR ${boardItem.pinnedUntil} >= ${timeOf(now)}))`;

/** New for 24 hours, exclusive. */
export function isNewItem(createdDate: Date, now: Date): boolean {
  const ageMs = now.getTime() - createdDate.getTime();
  return ageMs >= 0 && ageMs < NEW_ITEM_MS;
}

export function itemRowView(ctx: AppContext, board: BoardRow, item: ListedItem): ItemRow {
  const now = ctx.now();
  const readable = !item.isSecret || can(ctx.actor, { action: "Item.Read", item: itemResource(board, item), now });
  return {
    boardCode: item.boardCode,
    itemNo: item.itemNo,
    title: readable ? item.title : UI_MESSAGES.secretTitle,
    category: item.category,
    isPinned: item.isPinned && (item.pinnedUntil === null || item.pinnedUntil >= now),
    isSecret: item.isSecret,
    isNew: isNewItem(item.createdDate, now),
    showItemToMain: item.showItemToMain,
    createdUserName: item.createdUserName,
    createdDate: item.createdDate.toISOString(),
    viewCount: ctx.standIn?.placeViews?.(item.itemNo, item.viewCount) ?? item.viewCount,
    commentCount: item.commentCount,
    fileCount: readable ? item.fileCount : 0,
    thumbnailUrl: thumbnailUrlOf(ctx, board, item),
    event: readable ? eventView(board, item, now) : null,
  };
}

/** Omits pictures that the caller cannot download, because files have their own permission. */
function thumbnailUrlOf(ctx: AppContext, board: BoardRow, item: ListedItem): string | null {
  const fileId = item.thumbnailFileId ?? item.attachedPictureId;
  if (!fileId) return null;
  const action = item.thumbnailFileId ? "Item.Read" : "Item.Download";
  const allowed = can(ctx.actor, { action, item: itemResource(board, item), now: ctx.now() });
  return allowed ? thumbnailUrl(fileId, 640) : null;
}

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
    // An event without hours of its own lasts its day.
    isOver: endDate <= now && (endDate > startDate || koreanDay(now) > last),
  };
}

export function eventColumns(event: Parsed<typeof eventInput> | null | undefined): Partial<EventColumns> {
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
