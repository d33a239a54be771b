import { eq, sql } from "drizzle-orm";
import { boardItem } from "#db/schema/board.ts";
import { event, eventRegistration } from "#db/schema/event.ts";
import { unchanged } from "#db/sql.ts";
import { EVENT_DESK, type EventLetter, REGISTRATION_MESSAGES } from "#worker/contract/event/event.ts";
import type { callOffEventInput, moveEventInput } from "#worker/contract/event/input.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import { invalidInput, type NewVersion } from "#worker/contract/kernel/errors.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import type { ItemPath } from "../board/view.server.ts";
import { auditPeople } from "../kernel/audit-entry.server.ts";
import { inStateFor } from "../kernel/desk.server.ts";
import { type BatchPart, conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import {
  authorizeEvents,
  eventTarget,
  isHeld,
  type OpenedEvent,
  requireEvent,
  whereTexts,
} from "./event-item.server.ts";
import { markForLetter } from "./event-letter.server.ts";
import { releaseFees } from "./fee.server.ts";
import { noteTold } from "./told.server.ts";

type ItemChange = Partial<typeof boardItem.$inferInsert>;

/** Changes the item, which its calendar feed shows, and tells all registered people. */
async function changeEvent(
  ctx: AppContext,
  found: OpenedEvent,
  { reason, version }: { reason: string; version: number },
  change: {
    letter: EventLetter;
    notice: Record<Language, string>;
    item: ItemChange;
    detail?: object;
    parts?: readonly BatchPart[];
  },
): Promise<NewVersion> {
  const { id: itemId } = found.item;
  const { letter, notice, item, detail, parts = [] } = change;
  const registered = sql`item_id = ${itemId} AND ${inStateFor(EVENT_DESK, "cancelByOffice", eventRegistration.status)}`;
  const action = letter === "moved" ? "event.move" : "event.callOff";
  const entry = { action, targetId: eventTarget(found), reason, ...(detail && { detail: { ...detail } }) } as const;
  await runGuardedBatch(
    ctx,
    [
      unchanged(event, itemId, version),
      {
        holds: sql`${letter} <> 'moved' OR NOT EXISTS (SELECT 1 FROM event_registration WHERE item_id = ${itemId} AND ' ' || letter || ' ' LIKE '% moved %')`,
        error: () => conflict(REGISTRATION_MESSAGES.stillTelling),
      },
    ],
    [
      ...auditPeople(ctx, entry, { ids: sql`SELECT user_id AS id FROM event_registration WHERE ${registered}` }),
      markForLetter(ctx, letter, registered),
      ...parts,
      ctx.db
        .update(event)
        .set({ notice: notice.ko, englishNotice: notice.en, modifiedDate: ctx.now(), version: version + 1 })
        .where(eq(event.itemId, itemId)),
      ctx.db
        .update(boardItem)
        .set({ ...item, modifiedDate: ctx.now(), version: sql`${boardItem.version} + 1` })
        .where(eq(boardItem.id, itemId)),
      noteTold(ctx, sql`item_id = ${itemId}`),
    ],
  );
  return { version: version + 1 };
}

/** Keeps the registrations. @throws AppError NOT_FOUND, CONFLICT, INVALID_INPUT */
export async function moveEvent(
  ctx: AppContext,
  path: ItemPath,
  sent: Parsed<typeof moveEventInput>,
): Promise<NewVersion> {
  authorizeEvents(ctx);
  const found = await requireEvent(ctx, path);
  if (!isHeld(found)) throw conflict(REGISTRATION_MESSAGES.calledOff);
  const { isAllDay, startDate, endDate, place, reason } = sent;
  const { item } = found;
  const next = { eventStart: startDate, eventEnd: endDate, isEventAllDay: isAllDay, eventPlace: place };
  const isSame = startDate.getTime() === item.eventStart?.getTime() && endDate.getTime() === item.eventEnd?.getTime();
  if (isSame && place === item.eventPlace) throw invalidInput({ startDate: REGISTRATION_MESSAGES.sameTime });
  const before = whereTexts(item);
  return changeEvent(ctx, found, sent, {
    letter: "moved",
    notice: {
      ko: `바뀌기 전: ${before.ko}\n사유: ${reason}`,
      en: `Before the change: ${before.en}\nReason: ${reason}`,
    },
    item: { ...next, eventDeadline: item.eventDeadline && item.eventDeadline > endDate ? endDate : item.eventDeadline },
    detail: { before: before.ko, after: whereTexts({ ...item, ...next }).ko },
  });
}

/** Cancels the registrations; paid fees wait to be given back. @throws AppError NOT_FOUND, CONFLICT */
export async function callOffEvent(
  ctx: AppContext,
  path: ItemPath,
  sent: Parsed<typeof callOffEventInput>,
): Promise<NewVersion> {
  authorizeEvents(ctx);
  const found = await requireEvent(ctx, path);
  const { counts, item } = found;
  if (!isHeld(found) && counts.waiting + counts.confirmed === 0) throw conflict(REGISTRATION_MESSAGES.calledOff);
  const marked = sql`item_id = ${item.id} AND letter = 'calledOff'`;
  return changeEvent(ctx, found, sent, {
    letter: "calledOff",
    notice: { ko: `사유: ${sent.reason}`, en: `Reason: ${sent.reason}` },
    item: { isEventCancelled: true },
    parts: [
      ...releaseFees(ctx, sql`SELECT id FROM event_registration WHERE ${marked}`),
      ctx.db
        .update(eventRegistration)
        .set({
          status: "cancelled",
          reason: sent.reason,
          modifiedDate: ctx.now(),
          version: sql`${eventRegistration.version} + 1`,
        })
        .where(sql`${marked} AND status <> 'cancelled'`),
    ],
  });
}
