import { eq, sql } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import { eventRegistration } from "#db/schema/event.ts";
import {
  doorAct,
  type DoorAct,
  hasTicket,
  type RegistrationStatus,
  TICKET_MESSAGES,
} from "#worker/contract/event/event.ts";
import type { DoorTicket } from "#worker/contract/event/view.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { ownEntriesSql } from "../alumni/own-entry.server.ts";
import { eventDays } from "#worker/contract/board/event-rules.ts";
import { can } from "../kernel/authorize.server.ts";
import { PERSON_NAME } from "./person.server.ts";
import { canRead, eventOfCase, isHeld, type OpenedEvent, registeredItem } from "./event-item.server.ts";

const PURPOSE = "eventTicket";

type Registration = typeof eventRegistration.$inferSelect;

/** The address of a ticket, whose signature prevents forgery; empty without one. */
export const ticketOf = (
  ctx: AppContext,
  { event }: OpenedEvent,
  { id, status }: { id: string; status: RegistrationStatus },
): string => (hasTicket(event, status) ? `/Ticket/${ctx.tokens.sign(PURPOSE, id)}` : "");

/** Of the entry with the person's verified address. */
export const AFFILIATION = sql<string>`coalesce((SELECT affiliation FROM alumni
  WHERE id IN ${ownEntriesSql(sql`${eventRegistration.userId}`)} LIMIT 1), '')`;

function doorOf(ctx: AppContext, found: OpenedEvent, row: Registration): DoorAct {
  const { eventStart, eventEnd } = found.item;
  if (!isHeld(found) || !eventStart) return { act: null, said: TICKET_MESSAGES.notHeld };
  const days = eventDays({ startDate: eventStart, endDate: eventEnd ?? eventStart });
  return doorAct(found.event.attendance, row, days, ctx.now());
}

export interface TicketPage {
  isGenuine: boolean;
  /** For an officer of the event alone; others learn nothing of the person. */
  door: DoorTicket | null;
}

/** Public, so that a phone shows its own ticket. */
export async function getTicket(scope: RequestScope, token: string): Promise<TicketPage> {
  const ctx = await scope.context();
  const id = ctx.tokens.unsign(PURPOSE, token);
  if (id === null) return { isGenuine: false, door: null };
  const isOfficer = can(ctx.actor, { action: "ADMIN_Access" }) && can(ctx.actor, { action: "Event_Manage" });
  return isOfficer ? readDoor(ctx, id) : { isGenuine: true, door: null };
}

async function readDoor(ctx: AppContext, id: string): Promise<TicketPage> {
  const [row] = await ctx.db
    .select({
      registration: eventRegistration,
      userName: PERSON_NAME.as("door_name"),
      affiliation: AFFILIATION.as("affiliation"),
    })
    .from(eventRegistration)
    .leftJoin(user, eq(user.id, eventRegistration.userId))
    .where(eq(eventRegistration.id, id));
  if (!row) return { isGenuine: false, door: null };
  const { registration, userName, affiliation } = row;
  const found = await eventOfCase(ctx, registration);
  if (!canRead(ctx, found)) return { isGenuine: true, door: null };
  const { status } = registration;
  const door = {
    id,
    userName,
    affiliation,
    status,
    item: registeredItem(ctx, found),
    ...doorOf(ctx, found, registration),
  };
  return { isGenuine: true, door };
}
