import type { eventRegistration as table } from "#db/schema/event.ts";
import { eventRegistration } from "#db/schema/event.ts";
import { EVENT_DESK, REGISTRATION_MESSAGES } from "#worker/contract/event/event.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { AuditEntry } from "../kernel/audit-entry.server.ts";
import { auditCase, type Desk } from "../kernel/desk.server.ts";
import { authorizeEvents, type EventItem, eventTarget } from "./event-item.server.ts";

export const DESK: Desk<typeof EVENT_DESK, typeof table> = {
  rules: EVENT_DESK,
  table: eventRegistration,
  state: "status",
  target: "event",
  authorize: authorizeEvents,
  missing: REGISTRATION_MESSAGES.registrationMissing,
  ended: REGISTRATION_MESSAGES.ended,
};

/** The log names the event, and finds the entry by the person. */
export const auditRegistration = (
  ctx: AppContext,
  found: EventItem,
  userId: string,
  entry: Pick<AuditEntry, "action" | "detail" | "reason">,
) => auditCase(ctx, DESK, { id: eventTarget(found), userId }, entry);
