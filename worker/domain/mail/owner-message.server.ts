import { type SQL, sql } from "drizzle-orm";
import { userKey } from "#db/schema/account.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { MailTemplateText } from "#worker/contract/mail/templates.ts";
import type { TemplateRenderer } from "./render-template.server.ts";
import { type NewMessage, queueMessage } from "./message.server.ts";

type ContactKey = Pick<typeof userKey.$inferSelect, "userKeyType" | "userKeyCode" | "verifiedDate">;

export function contactOf(keys: readonly ContactKey[]): Pick<NewMessage, "channel" | "recipient"> | null {
  const verified = (type: ContactKey["userKeyType"]) =>
    keys.find((key) => key.userKeyType === type && key.verifiedDate);
  const email = verified("Email");
  if (email) return { channel: "email", recipient: email.userKeyCode };
  const mobile = verified("Mobile");
  return mobile ? { channel: "sms", recipient: mobile.userKeyCode } : null;
}

export function userKeysStatement(ctx: Pick<AppContext, "db">, userId: string | SQL) {
  return ctx.db
    .select()
    .from(userKey)
    .where(sql`${userKey.userId} = ${userId}`);
}

export function queueOwnerMessage(
  ctx: AppContext,
  userId: string,
  keys: readonly ContactKey[],
  text: MailTemplateText,
) {
  const contact = contactOf(keys);
  return contact ? queueMessage(ctx, { ...contact, ...text, userId }) : null;
}

/** An SMS holds 90 bytes; a longer one costs several times as much, so it has its own wording. */
export function codeMessage(
  write: TemplateRenderer,
  channel: "email" | "sms",
  pincode: string,
  where: string,
): MailTemplateText {
  if (channel === "sms") return write("codeSms", { 인증번호: pincode });
  return write("code", { 인증번호: pincode, 화면: where });
}
