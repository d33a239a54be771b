import { MAILED_PEOPLE, mailedStatuses } from "#worker/contract/event/event.ts";
import type { mailRegisteredInput } from "#worker/contract/event/input.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import type { ItemPath } from "../board/view.server.ts";
import { createMailing } from "../mailing/mailing.server.ts";
import { authorizeEvents, requireEvent } from "./event-item.server.ts";

/** A draft to members of an event, by the registration that they have when it is sent. */
export async function mailRegistered(
  ctx: AppContext,
  path: ItemPath,
  { to }: Parsed<typeof mailRegisteredInput>,
): Promise<{ id: string }> {
  authorizeEvents(ctx);
  const { item } = await requireEvent(ctx, path);
  const words = `행사 ‘${item.title}’ 신청자: ${MAILED_PEOPLE[to]}`;
  const registered = { itemId: item.id, statuses: [...mailedStatuses(to)], isUnpaid: to === "unpaid", words };
  return createMailing(ctx, { source: "member", target: { registered } });
}
