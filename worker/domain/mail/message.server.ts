import { and, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import { file } from "#db/schema/file.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import { message } from "#db/schema/mail.ts";
import type { AlimtalkContent } from "#worker/adapters/text-message.server.ts";
import { letterCauseSql, type LetterMeans } from "#worker/contract/mail/letters.ts";
import type { MessageChannel } from "#worker/contract/mail/mail.ts";
import { siteSettings } from "#worker/contract/kernel/setting/site-setting.ts";
import type { QueuedLetter } from "../kernel/guarded-batch.server.ts";
import { jsonArrays } from "../kernel/json-arrays.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { HOUR_MS } from "#worker/contract/kernel/limits.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { userKey } from "#db/schema/account.ts";
import type { MailTemplateText } from "#worker/contract/mail/templates.ts";
import type { TemplateRenderer } from "./render-template.server.ts";

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
  /** The person the message is about; retirement deletes the message. */
  userId?: string | null;
  about?: readonly NamedPerson[];
  alimtalk?: AlimtalkContent | null;
  fileId?: string | null;
}

export const RETRY_MINUTES = [1, 5, 30, 120, 720];
const LONGEST_WAIT_MS = Math.max(...RETRY_MINUTES) * 60_000 + HOUR_MS;

/** A time beyond the longest wait was set by a clock that was ahead. */
export const isAttemptDue = (now: Date) =>
  sql`(next_attempt_date <= ${now.getTime()} OR next_attempt_date > ${now.getTime() + LONGEST_WAIT_MS})`;

/** Prevents header injection through names. */
function safeHeader(value: string): string {
  return value.replace(/[\r\n\u2028\u2029]+/g, " ").slice(0, 200);
}

/** A part of the batch of the deed that it tells; `runGuardedBatch` sends it afterwards. */
export function queueMessage(ctx: AppContext, newMessage: NewMessage): QueuedLetter {
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
    fileId: newMessage.fileId ?? null,
  });
  return { statement, deliver: () => deliverMessageSoon(ctx, id) };
}

/**
 * A letter to whom the batch finds. @param found the columns `user_id`, `name` and `address` of one person at most, whose
 * name replaces `nameMark`
 */
export function queueFoundMessage(
  ctx: AppContext,
  { subject, text }: MailTemplateText,
  nameMark: string,
  found: SQL,
): QueuedLetter {
  const id = crypto.randomUUID();
  const now = ctx.now().getTime();
  const isSent = ctx.messages.isLocal;
  const statement = ctx.db.insert(message).select(
    // In the order of the table's columns.
    sql`SELECT ${id}, 'email', user_id, address, replace(${safeHeader(subject)}, ${nameMark}, name), replace(${text}, ${nameMark}, name), NULL,
      ${isSent ? "sent" : "queued"}, 0, ${now}, ${now}, ${isSent ? now : null}, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL
      FROM (${found})`,
  );
  return { statement, deliver: () => deliverMessageSoon(ctx, id) };
}

/** Begins the keys of letters to guests of events, who have no account. */
export const GUEST_KEY = "eventGuest";

export interface NewBulkMessage extends Omit<NewMessage, "channel" | "userId"> {
  channel?: MessageChannel;
  userId: string | null;
  /** Idempotency key: a message is queued once per key. */
  onceKey: string;
  offToken: string | null;
}

export function queueBulkMessages(
  ctx: Pick<AppContext, "db" | "now" | "messages">,
  messages: readonly NewBulkMessage[],
  { isAdvertising = false }: { isAdvertising?: boolean } = {},
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
  const isSent = ctx.messages.isLocal;
  return jsonArrays(rows).map((json) =>
    ctx.db
      .insert(message)
      .select(
        sql`SELECT value ->> 'id', coalesce(value ->> 'channel', 'email'), value ->> 'userId', value ->> 'recipient', value ->> 'subject', value ->> 'text', NULL,
          ${isSent ? "sent" : "queued"}, 0, ${now}, ${now}, ${isSent ? now : null}, value ->> 'onceKey', 1,
          ${Number(isAdvertising)}, value ->> 'offToken', NULL, NULL, value ->> 'aboutPeople', value ->> 'alimtalk', NULL, value ->> 'fileId' FROM json_each(${json}) WHERE 1`,
      )
      .onConflictDoNothing(),
  );
}

/** Sends after the response; the scheduled job retries failures. */
function deliverMessageSoon(ctx: AppContext, id: string): void {
  if (!ctx.messages.isLocal) ctx.defer(deliverDueMessages(ctx, id));
}

/** Where answers to mails go: the office's own choice, or its contact address. */
export async function replyAddress({ db }: Pick<AppContext, "db">): Promise<string> {
  const [row] = await db.select({ value: siteSetting.value }).from(siteSetting).where(eq(siteSetting.key, "site"));
  const { replyTo, contact } = siteSettings.parse(row?.value ?? {});
  return replyTo || contact.email;
}

/** Sends at once without a trace; a failure is only logged. */
export async function sendUnstoredMail(ctx: AppContext, recipient: string, { subject, text }: MailTemplateText) {
  const id = crypto.randomUUID();
  const mail = { id, channel: "email" as const, recipient: safeHeader(recipient), subject: safeHeader(subject), text };
  try {
    await ctx.messages.send({ ...mail, replyTo: await replyAddress(ctx) });
  } catch (error) {
    console.warn(JSON.stringify({ level: "warn", event: "message.failed", id, error: String(error) }));
  }
}

/** Sends a code at once; the code is neither stored nor retried. @throws when the provider refuses it */
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
  const hidden = (text: string) => (pincode ? text.replaceAll(pincode, "******") : text);
  const kept = { ...row, subject: hidden(row.subject), body: hidden(newMessage.text) };
  let providerId: string | null;
  try {
    providerId = await ctx.messages.send({ ...row, text: newMessage.text, replyTo: await replyAddress(ctx) });
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

/** @throws when it is gone, so that no mail goes out without it */
export async function readAttachment({ db, files }: Pick<AppContext, "db" | "files">, fileId: string) {
  const [row] = await db.select().from(file).where(eq(file.id, fileId));
  const object = row && (await files.get(row.storageKey));
  if (!object) throw new Error(`no attachment ${fileId}`);
  const base64 = new TextEncoder().encode(Buffer.from(await object.arrayBuffer()).toString("base64"));
  return { fileName: row.fileName, contentType: row.contentType, base64 };
}

type DeliveryContext = Pick<AppContext, "db" | "files" | "messages" | "now">;

/** Sends due messages or one; a guarded update claims each row, so that none is sent twice. */
export async function deliverDueMessages(ctx: DeliveryContext, id?: string): Promise<void> {
  const now = ctx.now();
  const single = sql`${message.status} = 'queued' AND ${message.isBulk} = 0`;
  const due = await ctx.db
    .select({ id: message.id, attempts: message.attempts })
    .from(message)
    .where(and(single, isAttemptDue(now), id ? eq(message.id, id) : undefined))
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
    const attachment = claimed.fileId === null ? null : await readAttachment(ctx, claimed.fileId);
    const replyTo = await replyAddress(ctx);
    const providerId = await ctx.messages.send({ ...claimed, text: claimed.body, replyTo, attachment });
    await ctx.db.update(message).set({ status: "sent", sentDate: ctx.now(), providerId }).where(eq(message.id, id));
  } catch (error) {
    console.warn(
      JSON.stringify({ level: "warn", event: "message.failed", id, attempts: attempts + 1, error: String(error) }),
    );
  }
}

export async function listOutbox(ctx: Pick<AppContext, "db" | "tokens" | "config">) {
  const rows = await ctx.db
    .select({ ...getTableColumns(message), fileName: file.fileName, size: file.size })
    .from(message)
    .leftJoin(file, eq(file.id, message.fileId))
    .orderBy(sql`${message.createdDate} DESC, ${message}.rowid DESC`)
    .limit(100);
  const replyTo = (await replyAddress(ctx)) || ctx.config.MAIL_FROM;
  return rows.map((row) => ({
    to: row.recipient,
    channel: row.channel,
    subject: row.subject,
    text: fillSecretToken(ctx, row),
    ...(row.channel === "email" ? { replyTo } : {}),
    ...(row.fileName !== null ? { attachment: { fileName: row.fileName, size: row.size ?? 0 } } : {}),
    ...(row.pincode ? { pincode: row.pincode } : {}),
    createdDate: row.createdDate.toISOString(),
  }));
}

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

/** Placeholder for the token of a secret address, so that logs and backups never hold it. */
export const SECRET_TOKEN_MARK = "{비공개}";

export const secretTokenOf = (ctx: Pick<AppContext, "tokens">, onceKey: string) =>
  ctx.tokens.hash("secretAddress", onceKey);

export const fillSecretToken = (
  ctx: Pick<AppContext, "tokens">,
  { body, onceKey }: Pick<typeof message.$inferSelect, "body" | "onceKey">,
): string => (onceKey === null ? body : body.replaceAll(SECRET_TOKEN_MARK, () => secretTokenOf(ctx, onceKey)));

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
export function codeMessage(write: TemplateRenderer, channel: "email" | "sms", pincode: string, where: string) {
  if (channel === "sms") return write("codeSms", { 인증번호: pincode });
  return write("code", { 인증번호: pincode, 화면: where });
}

/** Required in every bulk mail query. */
export const isNotSuspended = (userId: SQL) =>
  sql`NOT EXISTS (SELECT 1 FROM suspension WHERE suspension.user_id = ${userId})`;

/** The cause by the entries with an account's verified address; one that may be written to decides. */
export const accountLetterCause = (userId: SQL, means: LetterMeans) =>
  sql`coalesce((SELECT min(${sql.raw(letterCauseSql("entry", means))}) FROM user_key AS k
    JOIN alumni AS entry ON entry.email = k.user_key_code AND entry.email <> ''
    WHERE k.user_id = ${userId} AND k.user_key_type = 'Email' AND k.verified_date IS NOT NULL
      AND entry.deleted_date IS NULL AND entry.email_hold IS NULL), '')`;

/** Required in every query of notices to accounts: neither suspended nor gone by the address book. */
export const isNotifiable = (userId: SQL) =>
  sql`(${isNotSuspended(userId)} AND ${accountLetterCause(userId, "paper")} = '')`;
