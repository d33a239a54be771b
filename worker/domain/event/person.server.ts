import { eq, sql } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import { eventRegistration } from "#db/schema/event.ts";
import type { MailTemplateText } from "#worker/contract/mail/templates.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { contactOf, queueMessage, userKeysStatement } from "../mail/message.server.ts";
import { loadLetterRenderer, loadTemplateRenderer, type TemplateRenderer } from "../mail/render-template.server.ts";

type Person = Pick<typeof eventRegistration.$inferSelect, "userId" | "guestName" | "guestEmail" | "language">;

/** Of a member or a guest; needs a left join with the account. */
export const PERSON_NAME = sql<string>`coalesce(nullif(${eventRegistration.guestName}, ''), ${user.userName}, '')`;

/** A letter to a registered person in their language, by mail only; null without an address. */
export async function letterTo(
  ctx: AppContext,
  { userId, language, ...guest }: Person,
  text: (write: TemplateRenderer, userName: string) => MailTemplateText,
) {
  if (guest.guestEmail) {
    const write = await loadTemplateRenderer(ctx, language);
    return queueMessage(ctx, {
      channel: "email",
      recipient: guest.guestEmail,
      userId,
      ...text(write, guest.guestName),
    });
  }
  const [keys, [person]] = await ctx.db.batch([
    userKeysStatement(ctx, userId),
    ctx.db.select({ userName: user.userName }).from(user).where(eq(user.id, userId)),
  ]);
  const contact = contactOf(keys);
  if (!person || contact?.channel !== "email") return null;
  const write = await loadLetterRenderer(ctx, userId);
  return queueMessage(ctx, { ...contact, ...text(write, person.userName), userId });
}
