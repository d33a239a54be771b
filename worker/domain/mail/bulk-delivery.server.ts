import { idsIn } from "#db/sql.ts";
import { and, eq, inArray, sql } from "drizzle-orm";
import { message } from "#db/schema/mail.ts";
import type { Attachment } from "#worker/adapters/mail.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { ADVERTISING_AGREEMENT, type MessageChannel, TEXT_ADVERTISING_AGREEMENT } from "#worker/contract/mail/mail.ts";
import {
  fillSecretToken,
  GUEST_KEY,
  isAttemptDue,
  isNotifiable,
  readAttachment,
  replyAddress,
  RETRY_MINUTES,
} from "./message.server.ts";
import { isConsentGivenBy, isNightInKorea } from "./advertising.server.ts";

const MESSAGES_PER_BATCH = 100;
/** 2,500 mails a minute, in fewer than 500 statements. */
const BATCHES_PER_RUN = 25;
/** Mails with an attachment take a request each: 80 a run. */
const ATTACHED_PER_BATCH = 10;
const ATTACHED_BATCH_SHARE = 3;

export type BulkDeliveryContext = Pick<AppContext, "db" | "files" | "messages" | "now" | "tokens">;

/**
 * Sends bulk mail, a hundred per request. A batch keeps its id and members over every retry: the id is the provider's
 * idempotency key.
 */
export async function deliverBulkMessages(
  ctx: BulkDeliveryContext,
  /** Removes mails that may not be sent any more, right before the batch is sent. */
  takeOut: (batchId: string) => Promise<void> = async () => {},
): Promise<void> {
  const last: LastAttachment = { fileId: null, attachment: null };
  for (let sent = 0; sent < BATCHES_PER_RUN; sent += last.fileId === null ? 1 : ATTACHED_BATCH_SHARE) {
    const batchId = await nextBatch(ctx, ["email"]);
    if (batchId === null) return;
    await takeOut(batchId);
    if (!(await deliverBatch(ctx, batchId, last))) return;
  }
}

/** Kept over the batches of a run, because those of a mailing follow each other. */
type LastAttachment = { fileId: string | null; attachment: Attachment | null };

const isDue = (ctx: BulkDeliveryContext) =>
  sql`status = 'queued' AND is_bulk = 1 AND ${isAttemptDue(ctx.now())}${isNightInKorea(ctx.now()) ? sql` AND is_advertising = 0` : sql``}`;

export async function nextBatch(ctx: BulkDeliveryContext, channels: readonly MessageChannel[]): Promise<string | null> {
  const started = await findStartedBatch(ctx, channels);
  if (started !== null) return started;
  for (const channel of channels)
    for (const isAdvertising of [false, true]) {
      const batchId = await claimNewBatch(ctx, channel, isAdvertising);
      if (batchId !== null) return batchId;
    }
  return null;
}

async function findStartedBatch(ctx: BulkDeliveryContext, channels: readonly MessageChannel[]): Promise<string | null> {
  const [row] = await ctx.db
    .select({ batchId: message.batchId })
    .from(message)
    .where(and(inArray(message.channel, [...channels]), sql`${isDue(ctx)} AND batch_id > ''`))
    .limit(1);
  return row?.batchId ?? null;
}

/** One sort and one attachment per batch, so that at night all of it waits or nothing. */
async function claimNewBatch(ctx: BulkDeliveryContext, channel: MessageChannel, isAdvertising: boolean) {
  const batchId = crypto.randomUUID();
  const isTakable = sql`channel = ${channel} AND ${isDue(ctx)} AND batch_id IS NULL AND is_advertising = ${Number(isAdvertising)}`;
  const taken = await ctx.db
    .update(message)
    .set({ batchId })
    .where(
      sql`id IN (SELECT id FROM message WHERE ${isTakable} AND file_id IS (SELECT file_id FROM message WHERE ${isTakable} LIMIT 1)
        LIMIT coalesce((SELECT iif(file_id IS NULL, ${MESSAGES_PER_BATCH}, ${ATTACHED_PER_BATCH}) FROM message WHERE ${isTakable} LIMIT 1), 0)) AND batch_id IS NULL`,
    )
    .returning({ id: message.id });
  return taken.length > 0 ? batchId : null;
}

/**
 * Counts an attempt and schedules the next. After too many, the batch fails, or is held if it may have been sent.
 * @returns its messages by id
 */
export async function claimBatch(ctx: BulkDeliveryContext, batchId: string) {
  const waits = JSON.stringify(RETRY_MINUTES);
  const rows = await ctx.db
    .update(message)
    .set({
      attempts: sql`${message.attempts} + 1`,
      nextAttemptDate: sql`${ctx.now().getTime()} + 60000 * coalesce((SELECT value FROM json_each(${waits}) WHERE key = ${message.attempts}), 0)`,
      status: sql`CASE WHEN ${message.attempts} < ${RETRY_MINUTES.length} THEN 'queued' WHEN provider_group IS NULL THEN 'failed' ELSE 'held' END`,
    })
    .where(sql`batch_id = ${batchId} AND ${isDue(ctx)}`)
    .returning();
  return rows.toSorted((a, b) => a.id.localeCompare(b.id));
}

/** @returns false after a refused batch, so that the provider rests until the next run */
async function deliverBatch(ctx: BulkDeliveryContext, batchId: string, last: LastAttachment): Promise<boolean> {
  await ctx.db.batch([
    excludeUnwantedStatement(ctx, batchId),
    // Addresses with a bounce or complaint get no bulk mail.
    ctx.db
      .update(message)
      .set({ status: "failed" })
      .where(
        sql`batch_id = ${batchId} AND status = 'queued' AND recipient IN (SELECT address FROM mail_address WHERE bounced_date IS NOT NULL OR complained_date IS NOT NULL)`,
      ),
  ]);
  const claimed = (await claimBatch(ctx, batchId)).filter(({ status }) => status === "queued");
  if (claimed.length === 0) return true;
  try {
    const fileId = claimed[0]?.fileId ?? null;
    if (fileId !== last.fileId)
      Object.assign(last, { attachment: fileId && (await readAttachment(ctx, fileId)), fileId });
    const { attachment } = last;
    const replyTo = await replyAddress(ctx);
    const { refused, providerIds } = await ctx.messages.sendAll(
      batchId,
      claimed.map((row) => ({ ...row, text: fillSecretToken(ctx, row), replyTo, attachment })),
    );
    await ctx.db.batch([
      ctx.db.update(message).set({ status: "failed" }).where(idsIn(message.id, refused)),
      ctx.db
        .update(message)
        .set({
          status: "sent",
          sentDate: ctx.now(),
          // Uses the table's name because json_each has an `id` too.
          providerId: sql`(SELECT value FROM json_each(${JSON.stringify(providerIds)}) WHERE key = "message"."id")`,
        })
        .where(sql`${eq(message.batchId, batchId)} AND status = 'queued'`),
    ]);
    return true;
  } catch (error) {
    warnOnFailure(batchId, claimed.length, error);
    return false;
  }
}

export const warnOnFailure = (batchId: string, count: number, error: unknown): void =>
  console.warn(JSON.stringify({ level: "warn", event: "messages.failed", batchId, count, error: String(error) }));

const READER = sql`"message"."user_id"`;
const startsWith = (kind: string) => sql`once_key >= ${`${kind}:`} AND once_key < ${`${kind};`}`;
/** The CAST reads a number up to the next colon. */
const KEY_ITEM = sql`CAST(substr(once_key, instr(once_key, ':') + 1) AS INTEGER)`;

const isAddressTheirs = sql`EXISTS (SELECT 1 FROM user JOIN user_key ON user_key.user_id = user.id
  WHERE user.id = ${READER} AND user.status = 'active' AND user_key_type = 'Email' AND user_key_code = recipient AND verified_date IS NOT NULL)`;
const isItemGone = sql`NOT EXISTS (SELECT 1 FROM board_item WHERE id = ${KEY_ITEM} AND deleted_date IS NULL)`;
const followsBoard = sql`EXISTS (SELECT 1 FROM notice_choice JOIN board_item ON board_code = target
  WHERE kind = 'item' AND is_on = 1 AND notice_choice.user_id = ${READER} AND board_item.id = ${KEY_ITEM})`;
const refusesComments = sql`EXISTS (SELECT 1 FROM notice_choice WHERE kind = 'comment' AND target = '' AND is_on = 0 AND notice_choice.user_id = ${READER})`;
const refusesOffice = sql`EXISTS (SELECT 1 FROM mail_address WHERE address = recipient AND refused_date IS NOT NULL)`;
const tookBackConsent = sql`EXISTS (SELECT 1 FROM agreement WHERE required = 0
  AND substr(once_key, 1, length(code) + 11) = 'agreement:' || code || ':'
  AND coalesce((SELECT agreed FROM user_consent WHERE user_consent.user_id = ${READER} AND user_consent.code = agreement.code
    ORDER BY user_consent.created_date DESC LIMIT 1), 0) = 0)`;

/** Drops messages refused or disallowed since they were queued. Mailings have their own check. */
const excludeUnwantedStatement = ({ db }: Pick<AppContext, "db">, batchId: string) =>
  db.delete(message).where(
    sql`${eq(message.batchId, batchId)} AND status = 'queued' AND NOT (${startsWith("mailing")} OR ${startsWith(GUEST_KEY)}) AND (
      NOT ${isAddressTheirs} OR NOT (${isNotifiable(READER)})
      OR (${startsWith("item")} AND (${isItemGone} OR NOT ${followsBoard}))
      OR ((${startsWith("comment")} OR ${startsWith("comments")}) AND (${isItemGone} OR ${refusesComments}))
      OR ${sql.join(
        [ADVERTISING_AGREEMENT, TEXT_ADVERTISING_AGREEMENT].map(
          (code) => sql`(${startsWith(`consent:${code}`)} AND NOT (${isConsentGivenBy(READER, code)}))`,
        ),
        sql` OR `,
      )}
      OR (${startsWith("agreement")} AND (${refusesOffice} OR ${tookBackConsent})))`,
  );
