import { and, eq, lte, sql } from "drizzle-orm";
import { message } from "#db/schema/mail.ts";
import type { AlimtalkContent } from "#worker/adapters/text-message.server.ts";
import type { MessageChannel } from "#worker/contract/mail/rules.ts";
import { jsonArrays } from "../kernel/json-arrays.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { fillSecretToken } from "./secret-address.server.ts";

export interface NamedPerson {
  id: string;
  userName: string;
}

const namesById = (people: readonly NamedPerson[] | undefined) =>
  people && Object.fromEntries(people.map(({ id, userName }) => [id, userName]));

export interface NewMessage {
  channel: MessageChannel;
  recipient: string;
  subject: string;
  text: string;
  /** Whom it tells of; retirement destroys it. */
  userId?: string | null;
  /** Whose names stand in the text beside the reader's. */
  about?: readonly NamedPerson[];
  alimtalk?: AlimtalkContent | null;
}

export const RETRY_MINUTES = [1, 5, 30, 120, 720];

/** One recipient and one subject line, whatever a name brought in. */
function safeHeader(value: string): string {
  return value.replace(/[\r\n\u2028\u2029]+/g, " ").slice(0, 200);
}

/** The row to put into the batch of the change that the message tells of; `deliverSoon` sends it afterwards. */
export function queueMessage(ctx: AppContext, newMessage: NewMessage) {
  const id = crypto.randomUUID();
  const now = ctx.now();
  const statement = ctx.db.insert(message).values({
    id,
    channel: newMessage.channel,
    userId: newMessage.userId ?? null,
    recipient: safeHeader(newMessage.recipient),
    subject: safeHeader(newMessage.subject),
    body: newMessage.text,
    status: ctx.messages.isLocal ? "sent" : "queued",
    nextAttemptDate: now,
    createdDate: now,
    sentDate: ctx.messages.isLocal ? now : null,
    aboutPeople: namesById(newMessage.about),
  });
  return { id, statement };
}

/** One of many messages alike, by mail unless another channel is said. */
export interface NewBulkMessage {
  channel?: MessageChannel;
  /** The account of the reader, if they have one. */
  userId: string | null;
  recipient: string;
  subject: string;
  text: string;
  /** The same message to the same person is queued once, however often it is asked for. */
  onceKey: string;
  offToken: string | null;
  about?: readonly NamedPerson[];
  alimtalk?: AlimtalkContent | null;
}

/** As few statements as D1 lets hold all of them, for the batch of what they tell of; the scheduled job sends them. */
export function queueBulkMessages(
  ctx: Pick<AppContext, "db" | "now" | "messages">,
  messages: readonly NewBulkMessage[],
  { isAdvertising = false, notBefore = ctx.now() }: { isAdvertising?: boolean; notBefore?: Date } = {},
) {
  if (messages.length === 0) return [];
  const now = ctx.now().getTime();
  const rows = messages.map(({ about, ...newMessage }) => ({
    ...newMessage,
    aboutPeople: namesById(about),
    id: crypto.randomUUID(),
    recipient: safeHeader(newMessage.recipient),
    subject: safeHeader(newMessage.subject),
  }));
  const isSent = ctx.messages.isLocal && notBefore.getTime() <= now;
  // In the order of the table's columns, as drizzle writes them.
  return jsonArrays(rows).map((json) =>
    ctx.db
      .insert(message)
      .select(
        sql`SELECT value ->> 'id', coalesce(value ->> 'channel', 'email'), value ->> 'userId', value ->> 'recipient', value ->> 'subject', value ->> 'text', NULL,
          ${isSent ? "sent" : "queued"}, 0, ${notBefore.getTime()}, ${now}, ${isSent ? now : null}, value ->> 'onceKey', 1,
          ${Number(isAdvertising)}, value ->> 'offToken', NULL, NULL, value ->> 'aboutPeople', value ->> 'alimtalk', NULL FROM json_each(${json}) WHERE 1`,
      )
      .onConflictDoNothing(),
  );
}

/** Sends after the answer; what fails is tried again by the scheduled job, and never undoes the change. */
export function deliverMessageSoon(ctx: AppContext, id: string): void {
  if (!ctx.messages.isLocal) ctx.defer(deliverDueMessages(ctx, id));
}

/**
 * Sends a message with a code at once. A code is not kept in the database and not tried again: the person asks for a new one.
 * @throws when the provider did not take it
 */
export async function sendCodeMessage(ctx: AppContext, newMessage: NewMessage, pincode: string | null): Promise<void> {
  const id = crypto.randomUUID();
  const now = ctx.now();
  const row = {
    id,
    channel: newMessage.channel,
    userId: newMessage.userId ?? null,
    recipient: safeHeader(newMessage.recipient),
    subject: safeHeader(newMessage.subject),
    createdDate: now,
    alimtalk: newMessage.alimtalk ?? null,
  };
  if (ctx.messages.isLocal) {
    await ctx.db
      .insert(message)
      .values({ ...row, body: newMessage.text, pincode, status: "sent", attempts: 1, sentDate: now });
    return;
  }
  // What is kept tells that a code was sent, not which.
  const hidden = (text: string) => (pincode ? text.replaceAll(pincode, "******") : text);
  const kept = { ...row, subject: hidden(row.subject), body: hidden(newMessage.text) };
  let providerId: string | null;
  try {
    providerId = await ctx.messages.send({ ...row, text: newMessage.text });
  } catch (error) {
    ctx.defer(
      ctx.db
        .insert(message)
        .values({ ...kept, status: "failed", attempts: 1 })
        .run(),
    );
    throw error;
  }
  ctx.defer(
    ctx.db
      .insert(message)
      .values({ ...kept, status: "sent", attempts: 1, sentDate: now, providerId })
      .run(),
  );
}

type DeliveryContext = Pick<AppContext, "db" | "messages" | "now">;

/** Sends what is due, or one message; the guarded update claims a row, so that two runs never send it twice. */
export async function deliverDueMessages(ctx: DeliveryContext, id?: string): Promise<void> {
  const now = ctx.now();
  const single = sql`${message.status} = 'queued' AND ${message.isBulk} = 0`;
  const due = await ctx.db
    .select({ id: message.id, attempts: message.attempts })
    .from(message)
    .where(and(single, lte(message.nextAttemptDate, now), id ? eq(message.id, id) : undefined))
    .limit(50);
  for (const row of due) await deliverMessage(ctx, row.id, row.attempts);
}

async function deliverMessage(ctx: DeliveryContext, id: string, attempts: number): Promise<void> {
  const now = ctx.now();
  const waitMinutes = RETRY_MINUTES[attempts];
  const [claimed] = await ctx.db
    .update(message)
    .set({
      attempts: attempts + 1,
      nextAttemptDate: new Date(now.getTime() + (waitMinutes ?? 0) * 60_000),
      status: waitMinutes === undefined ? "failed" : "queued",
    })
    .where(and(eq(message.id, id), eq(message.status, "queued"), eq(message.attempts, attempts)))
    .returning();
  if (!claimed || claimed.status === "failed") return;
  try {
    const providerId = await ctx.messages.send({ ...claimed, text: claimed.body });
    await ctx.db.update(message).set({ status: "sent", sentDate: ctx.now(), providerId }).where(eq(message.id, id));
  } catch (error) {
    console.warn(
      JSON.stringify({ level: "warn", event: "message.failed", id, attempts: attempts + 1, error: String(error) }),
    );
  }
}

export interface OutboxEntry {
  to: string;
  channel: MessageChannel;
  subject: string;
  text: string;
  pincode?: string;
  createdDate: string;
}

/** Newest first; the page /dev/outbox, on this machine alone. */
export async function listOutbox(ctx: Pick<AppContext, "db" | "tokens">): Promise<OutboxEntry[]> {
  const rows = await ctx.db
    .select()
    .from(message)
    .orderBy(sql`${message.createdDate} DESC, ${message}.rowid DESC`)
    .limit(100);
  return rows.map((row) => ({
    to: row.recipient,
    channel: row.channel,
    subject: row.subject,
    text: fillSecretToken(ctx, row),
    ...(row.pincode ? { pincode: row.pincode } : {}),
    createdDate: row.createdDate.toISOString(),
  }));
}

/** The same for somebody who waits for it. @throws AppError UPSTREAM_UNAVAILABLE with `failed` */
export async function sendCodeMessageNow(
  ctx: AppContext,
  newMessage: NewMessage,
  pincode: string | null,
  failed: string,
): Promise<void> {
  try {
    await sendCodeMessage(ctx, newMessage, pincode);
  } catch (cause) {
    throw new AppError("UPSTREAM_UNAVAILABLE", { message: failed, cause });
  }
}
