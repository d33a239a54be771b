import type { eventRegistration } from "#db/schema/event.ts";
import { NO_CONFIRMATION, REGISTERED_LETTERS, SHOW_TICKET } from "#worker/contract/event/event.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { letterFieldsOf, type OpenedEvent } from "./event-item.server.ts";
import { feeTexts } from "./fee.server.ts";
import { letterTo } from "./person.server.ts";
import { ticketOf } from "./ticket.server.ts";

type Registration = typeof eventRegistration.$inferSelect;

/** For somebody with a place. */
export function ticketTexts(ctx: AppContext, found: OpenedEvent, id: string): Record<Language, string> {
  const ticket = ticketOf(ctx, found, { id, status: "confirmed" });
  return inEachLanguage((language) => {
    const text = found.event.confirmation || NO_CONFIRMATION[language];
    return ticket ? `${text}\n\n${SHOW_TICKET[language]}\n${ctx.config.SITE_ORIGIN}${ticket}` : text;
  });
}

export const inEachLanguage = (text: (language: Language) => string): Record<Language, string> => ({
  ko: text("ko"),
  en: text("en"),
});

/** The letter to a registered person, by mail only: it is too long for an SMS. */
export async function registeredLetter(
  ctx: AppContext,
  found: OpenedEvent,
  row: Pick<Registration, "id" | "userId" | "guestName" | "guestEmail" | "language" | "feeCode" | "fee">,
  status: keyof typeof REGISTERED_LETTERS,
) {
  const fee = status === "confirmed" ? await feeTexts(ctx, found, row) : null;
  const ticket = ticketTexts(ctx, found, row.id);
  return letterTo(ctx, row, (write, 이름) => {
    const fields = { 이름, ...letterFieldsOf(ctx, found, row) };
    return status === "confirmed"
      ? write(REGISTERED_LETTERS.confirmed, {
          ...fields,
          안내: inEachLanguage((language) => [fee?.[language], ticket[language]].filter(Boolean).join("\n\n")),
        })
      : write(REGISTERED_LETTERS.waiting, fields);
  });
}
