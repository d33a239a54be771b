import { type SQL, sql } from "drizzle-orm";
import { boardItem } from "#db/schema/board.ts";
import { event, eventRegistration } from "#db/schema/event.ts";
import {
  EVENT_DESK,
  type EventLetter,
  PLACE_TAKEN,
  REGISTRATION_LIMITS,
  REGISTRATION_MESSAGES,
} from "#worker/contract/event/event.ts";
import { LANGUAGES, type Language } from "#worker/contract/kernel/language.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { auditFoundPeople } from "../kernel/audit-entry.server.ts";
import { type BatchPart, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { queueFoundMessage } from "../mail/message.server.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import { chargeFees, releaseFees } from "./fee.server.ts";
import {
  eventOfCase,
  eventTarget,
  isHeld,
  letterFieldsOf,
  type OpenedEvent,
  takenPlaces,
} from "./event-item.server.ts";

/** @param but a registration whose place is given up */
const takenSql = (itemId: number | SQL, but: string): SQL =>
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
  const fields = { 이름: NAME_MARK, ...letterFieldsOf(ctx, found) };
  const letters = await Promise.all(
    LANGUAGES.map(async (language) => {
      const write = await loadTemplateRenderer(ctx, language);
      return [language, write(EVENT_DESK.letters.moveUp, fields)] as const;
    }),
  );
  const entry = { action: "event.moveUp", targetId: eventTarget(found), detail: { byQueue: true } } as const;
  return (leaving = "") => {
    const first = sql`SELECT waits.id, waits.user_id, person.user_name, person.language FROM event_registration AS waits
      LEFT JOIN user AS person ON person.id = waits.user_id
      WHERE (person.status = 'active' OR waits.guest_email <> '') AND waits.item_id = ${item.id} AND waits.status = 'waiting' AND waits.id <> ${leaving} AND ${isFreeSql(item.id, leaving)}
      ORDER BY waits.turn LIMIT 1`;
    const addressed = (
      language: Language,
    ) => sql`SELECT first.user_id, first.user_name AS name, held.user_key_code AS address FROM (${first}) AS first
      JOIN user_key AS held ON held.user_id = first.user_id AND held.user_key_type = 'Email' AND held.verified_date IS NOT NULL
      WHERE first.language = ${language} LIMIT 1`;
    return [
      ...letters.map(([language, text]) => queueFoundMessage(ctx, text, NAME_MARK, addressed(language))),
      ...auditFoundPeople(ctx, entry, sql`SELECT user_id AS id FROM (${first})`),
      chargeFees(ctx, sql`SELECT id FROM (${first})`),
      ctx.db
        .update(eventRegistration)
        .set({
          status: "confirmed",
          // The job signs the link of a guest.
          letter: sql`iif(${eventRegistration.guestEmail} = '', ${eventRegistration.letter}, ${withLetter("movedUp")})`,
          modifiedDate: ctx.now(),
          version: sql`${eventRegistration.version} + 1`,
        })
        .where(sql`${eventRegistration.id} = (SELECT id FROM (${first}))`),
    ];
  };
}

/** The letters that wait, with one more. */
export const withLetter = (letter: EventLetter): SQL => sql`ltrim(${eventRegistration.letter} || ${` ${letter}`})`;

/** How many of the queue free places would take. */
const movableCount = ({ event: { places }, counts }: OpenedEvent): number =>
  places === null ? counts.waiting : Math.min(counts.waiting, Math.max(0, places - takenPlaces(counts)));

/** Each in a batch of its own; the next minute moves up those behind the limit. */
export async function fillPlaces(ctx: AppContext, found: OpenedEvent): Promise<void> {
  const count = Math.min(movableCount(found), REGISTRATION_LIMITS.movedAtOnce);
  if (count === 0) return;
  const moveUp = await prepareMoveUp(ctx, found);
  for (let at = 0; at < count; at += 1) await runGuardedBatch(ctx, [], moveUp());
}

const EVENTS_AT_ONCE = 10;

/** Registrations of accounts that were closed; people who left have none. */
const closedAt = (itemId: SQL): SQL => sql`FROM event_registration AS gone
  JOIN user AS person ON person.id = gone.user_id AND person.status IN ('blocked', 'refused', 'retired')
  WHERE gone.item_id = ${itemId} AND gone.status IN ('waiting', 'confirmed')`;

/** Gives places of people who left or whose account was closed to the queue. */
export async function freePlaces(ctx: AppContext): Promise<void> {
  const due = await ctx.db
    .select({ itemId: event.itemId })
    .from(event)
    .innerJoin(boardItem, sql`${boardItem.id} = ${event.itemId}`)
    .where(
      sql`${boardItem.eventEnd} > ${ctx.now().getTime()} AND (EXISTS (SELECT 1 ${closedAt(sql`${event.itemId}`)})
        OR (EXISTS (SELECT 1 FROM event_registration AS waits WHERE waits.item_id = ${event.itemId} AND waits.status = 'waiting')
          AND (${event.places} IS NULL OR ${event.places} > ${takenSql(sql`${event.itemId}`, "")})))`,
    )
    .limit(EVENTS_AT_ONCE);
  for (const row of due) {
    const found = await eventOfCase(ctx, row);
    await cancelClosed(ctx, found);
    await fillPlaces(ctx, await eventOfCase(ctx, row));
  }
}

async function cancelClosed(ctx: AppContext, found: OpenedEvent): Promise<void> {
  const entry = {
    action: "event.cancelByOffice",
    targetId: eventTarget(found),
    reason: REGISTRATION_MESSAGES.accountClosed,
  } as const;
  const closed = closedAt(sql`${found.item.id}`);
  await runGuardedBatch(
    ctx,
    [],
    [
      ...auditFoundPeople(ctx, entry, sql`SELECT gone.user_id AS id ${closed}`),
      ...releaseFees(ctx, sql`SELECT gone.id ${closed}`),
      ctx.db
        .update(eventRegistration)
        .set({
          status: "cancelled",
          reason: REGISTRATION_MESSAGES.accountClosed,
          modifiedDate: ctx.now(),
          version: sql`${eventRegistration.version} + 1`,
        })
        .where(sql`${eventRegistration.id} IN (SELECT gone.id ${closed})`),
    ],
  );
}
