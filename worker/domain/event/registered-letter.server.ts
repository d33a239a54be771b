import type { eventRegistration } from "#db/schema/event.ts";
import { NO_CONFIRMATION, REGISTERED_LETTERS, SHOW_TICKET } from "#worker/contract/event/event.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import { letterFieldsOf, type OpenedEvent } from "./event-item.server.ts";
import { feeText } from "./fee.server.ts";
import { letterTo } from "./person.server.ts";
import { ticketOf } from "./ticket.server.ts";

type Registration = typeof eventRegistration.$inferSelect;

/** For somebody with a place. */
export function ticketText(ctx: AppContext, found: OpenedEvent, id: string): string {
  const ticket = ticketOf(ctx, found, { id, status: "confirmed" });
  const text = found.event.confirmation || NO_CONFIRMATION;
  return ticket ? `${text}\n\n${SHOW_TICKET}\n${ctx.config.SITE_ORIGIN}${ticket}` : text;
}

/** The letter to a registered person, by mail only: it is too long for an SMS. */
export async function registeredLetter(
  ctx: AppContext,
  found: OpenedEvent,
  row: Pick<Registration, "id" | "userId" | "guestName" | "guestEmail" | "feeCode" | "fee">,
  status: keyof typeof REGISTERED_LETTERS,
) {
  const write = await loadTemplateRenderer(ctx);
  const fee = status === "confirmed" ? await feeText(ctx, found, row) : "";
  return letterTo(ctx, row, (이름) => {
    const fields = { 이름, ...letterFieldsOf(ctx, found, row) };
    return status === "confirmed"
      ? write(REGISTERED_LETTERS.confirmed, {
          ...fields,
          안내: [fee, ticketText(ctx, found, row.id)].filter(Boolean).join("\n\n"),
        })
      : write(REGISTERED_LETTERS.waiting, fields);
  });
}
