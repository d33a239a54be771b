import { type SQL, sql } from "drizzle-orm";
import { event, eventRegistration } from "#db/schema/event.ts";
import { EVENT_DESK, PLACE_TAKEN } from "#worker/contract/event/event.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { auditFoundPeople } from "../kernel/audit-entry.server.ts";
import type { BatchPart } from "../kernel/guarded-batch.server.ts";
import { queueFoundMessage } from "../mail/message.server.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import { eventTarget, isHeld, letterFieldsOf, type OpenedEvent, takenPlaces } from "./event-item.server.ts";

/** @param but a registration whose place is given up */
const takenSql = (itemId: number, but: string): SQL =>
  sql`(SELECT count(*) FROM event_registration WHERE item_id = ${itemId} AND id <> ${but}
    AND status IN (${sql.join(
      PLACE_TAKEN.map((status) => sql`${status}`),
      sql`, `,
    )}))`;

const isFreeSql = (itemId: number, but = ""): SQL =>
  sql`EXISTS (SELECT 1 FROM event WHERE item_id = ${itemId} AND (places IS NULL OR ${takenSql(itemId, but)} < places))`;

/** True inside the batch if the next person gets a place. */
export const hasRoomSql = (itemId: number): SQL =>
  sql`(${isFreeSql(itemId)} AND NOT EXISTS (SELECT 1 FROM event_registration WHERE item_id = ${itemId} AND status = 'waiting'))`;

export const queuePlaceSql = sql<number | null>`CASE WHEN "event_registration"."status" = 'waiting' THEN
  (SELECT count(*) FROM event_registration AS ahead WHERE ahead.item_id = "event_registration"."item_id"
    AND ahead.status = 'waiting' AND ahead.turn <= "event_registration"."turn") END`;

/** Adds a place if none is free, for somebody whom the office lets in. */
export const addPlaceIfFull = ({ db }: Pick<AppContext, "db">, itemId: number) =>
  db
    .update(event)
    .set({ places: sql`${event.places} + 1`, version: sql`${event.version} + 1` })
    .where(sql`${event.itemId} = ${itemId} AND NOT ${isFreeSql(itemId)}`);

const NAME_MARK = "{이름}";

/**
 * Gives a free place to the first in the queue, with a letter, in the caller's batch. @returns the parts of a batch; its
 * parameter is the registration that the batch cancels afterwards
 */
export async function prepareMoveUp(ctx: AppContext, found: OpenedEvent): Promise<(leaving?: string) => BatchPart[]> {
  const { item } = found;
  if (!isHeld(found) || (item.eventEnd ?? ctx.now()) < ctx.now()) return () => [];
  const write = await loadTemplateRenderer(ctx);
  const text = write(EVENT_DESK.letters.moveUp, { 이름: NAME_MARK, ...letterFieldsOf(ctx, found) });
  const entry = { action: "event.moveUp", targetId: eventTarget(found), detail: { byQueue: true } } as const;
  return (leaving = "") => {
    const first = sql`SELECT waits.id, waits.user_id, person.user_name FROM event_registration AS waits
      JOIN user AS person ON person.id = waits.user_id AND person.status = 'active'
      WHERE waits.item_id = ${item.id} AND waits.status = 'waiting' AND waits.id <> ${leaving} AND ${isFreeSql(item.id, leaving)}
      ORDER BY waits.turn LIMIT 1`;
    const addressed = sql`SELECT first.user_id, first.user_name AS name, held.user_key_code AS address FROM (${first}) AS first
      JOIN user_key AS held ON held.user_id = first.user_id AND held.user_key_type = 'Email' AND held.verified_date IS NOT NULL LIMIT 1`;
    return [
      queueFoundMessage(ctx, text, NAME_MARK, addressed),
      ...auditFoundPeople(ctx, entry, sql`SELECT user_id AS id FROM (${first})`),
      ctx.db
        .update(eventRegistration)
        .set({ status: "confirmed", modifiedDate: ctx.now(), version: sql`${eventRegistration.version} + 1` })
        .where(sql`${eventRegistration.id} = (SELECT id FROM (${first}))`),
    ];
  };
}

/** How many of the queue free places would take. */
export const movableCount = ({ event: { places }, counts }: OpenedEvent): number =>
  places === null ? counts.waiting : Math.min(counts.waiting, Math.max(0, places - takenPlaces(counts)));
