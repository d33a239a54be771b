import { eq, sql, type SQL } from "drizzle-orm";
import { boardItem } from "#db/schema/board.ts";
import { event, eventRegistration } from "#db/schema/event.ts";
import { EVENT_DESK } from "#worker/contract/event/event.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { auditPeople } from "../kernel/audit-entry.server.ts";
import { inStateFor } from "../kernel/desk.server.ts";
import { runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { eventOfCase, eventTarget, whereTexts } from "./event-item.server.ts";
import { markForLetter } from "./event-letter.server.ts";

/** Times and place of the item as one text. */
const TOLD = sql`coalesce(event_start, '') || ' ' || coalesce(event_end, '') || ' ' || is_event_all_day || ' ' || event_place`;

function readTold(told: string) {
  const [, start, end, isAllDay, eventPlace = ""] = /^(\d+) (\d+) ([01]) (.*)$/s.exec(told) ?? [];
  return {
    eventStart: new Date(Number(start)),
    eventEnd: new Date(Number(end)),
    isEventAllDay: isAllDay === "1",
    eventPlace,
  };
}

/** Registered people know the times and place of the item. @param which events */
export const noteTold = ({ db }: Pick<AppContext, "db">, which: SQL) =>
  db
    .update(event)
    .set({ told: sql`coalesce((SELECT ${TOLD} FROM board_item WHERE board_item.id = event.item_id), 'none')` })
    .where(which);

/** An author who edits an item may correct it until then. */
const QUIET_MS = 10 * 60_000;
const EVENTS_A_RUN = 10;

/** Events whose item was edited since its registered people were told, and that are still to come. */
const findEdited = (ctx: AppContext) =>
  ctx.db
    .select({ itemId: event.itemId, told: event.told })
    .from(event)
    .innerJoin(boardItem, eq(boardItem.id, event.itemId))
    .where(
      sql`event.told <> '' AND event.told <> ${TOLD} AND board_item.modified_date <= ${ctx.now().getTime() - QUIET_MS}
        AND board_item.event_end > ${ctx.now().getTime()} AND board_item.is_event_cancelled = 0 AND board_item.deleted_date IS NULL
        AND NOT EXISTS (SELECT 1 FROM event_registration WHERE item_id = event.item_id AND ' ' || letter || ' ' LIKE '% moved %')`,
    )
    .limit(EVENTS_A_RUN);

/** Tells registered people when somebody moved the event by editing its item, as the office's move does. */
export async function tellOfEdits(ctx: AppContext): Promise<void> {
  await noteTold(ctx, sql`told = ''`);
  for (const { itemId, told } of await findEdited(ctx)) {
    const found = await eventOfCase(ctx, { itemId });
    const before = whereTexts(readTold(told));
    const after = whereTexts(found.item);
    const registered = sql`item_id = ${itemId} AND ${inStateFor(EVENT_DESK, "cancelByOffice", eventRegistration.status)}`;
    const entry = {
      action: "event.move",
      targetId: eventTarget(found),
      detail: { before: before.ko, after: after.ko },
    } as const;
    await runGuardedBatch(
      ctx,
      sql`EXISTS (SELECT 1 FROM event WHERE item_id = ${itemId} AND told = ${told})`,
      before.ko === after.ko
        ? [noteTold(ctx, sql`item_id = ${itemId}`)]
        : [
            ...auditPeople(ctx, entry, { ids: sql`SELECT user_id AS id FROM event_registration WHERE ${registered}` }),
            markForLetter(ctx, "moved", registered),
            noteTold(ctx, sql`item_id = ${itemId}`),
            ctx.db
              .update(event)
              .set({
                notice: `바뀌기 전: ${before.ko}`,
                englishNotice: `Before the change: ${before.en}`,
                version: sql`${event.version} + 1`,
              })
              .where(eq(event.itemId, itemId)),
          ],
    );
  }
}
