import { eq, sql } from "drizzle-orm";
import { message } from "#db/schema/mail.ts";
import { idsIn } from "#db/sql.ts";
import { type BulkDeliveryContext, claimBatch, nextBatch, warnOnFailure } from "./bulk-delivery.server.ts";
import { fillSecretToken } from "./message.server.ts";

/** 2,500 texts a minute, in fewer than 500 statements. */
const BATCHES_PER_RUN = 25;

/**
 * Sends bulk text messages. The provider has no idempotency keys, so the group is stored before it is sent, and checked
 * on retry. @param takeOut removes messages that may not be sent any more, right before the batch is handed over
 */
export async function deliverTextMessages(ctx: BulkDeliveryContext, takeOut: (batchId: string) => Promise<void>) {
  for (let sent = 0; sent < BATCHES_PER_RUN; sent += 1) {
    const batchId = await nextBatch(ctx, ["sms", "alimtalk"]);
    if (batchId === null || !(await deliverTextBatch(ctx, batchId, takeOut))) return;
  }
}

/** @returns false after a refused batch, so that the provider rests until the next run */
async function deliverTextBatch(
  ctx: BulkDeliveryContext,
  batchId: string,
  takeOut: (batchId: string) => Promise<void>,
): Promise<boolean> {
  const claimed = await claimBatch(ctx, batchId);
  const [first] = claimed;
  if (!first) return true;
  try {
    if (first.providerGroup && (await settleGroup(ctx, batchId, first.providerGroup))) return true;
    if (first.status !== "queued") return await giveUp(ctx, batchId);
    await takeOut(batchId);
    await sendAsGroup(ctx, batchId);
    return true;
  } catch (error) {
    warnOnFailure(batchId, claimed.length, error);
    return false;
  }
}

/** Messages with an unknown result; held ones ran out of retries. */
const waiting = (batchId: string) => sql`${eq(message.batchId, batchId)} AND ${message.status} IN ('queued', 'held')`;

/** For a batch that was certainly not sent and ran out of retries. */
async function giveUp(ctx: BulkDeliveryContext, batchId: string): Promise<true> {
  await ctx.db.update(message).set({ status: "failed" }).where(waiting(batchId));
  return true;
}

/**
 * Resolves a group that was handed over before. An open one is dropped, because its recipients may have changed.
 * @returns whether nothing is left to do
 */
async function settleGroup(ctx: BulkDeliveryContext, batchId: string, groupId: string): Promise<boolean> {
  const state = await ctx.messages.texts.readGroup(groupId);
  if (state === "sent") await markSent(ctx, batchId);
  else if (state === "failed") await giveUp(ctx, batchId);
  else if (state === "unknown") await ctx.db.update(message).set({ status: "held" }).where(waiting(batchId));
  else {
    if (state === "open") await ctx.messages.texts.dropGroup(groupId);
    await ctx.db.update(message).set({ providerGroup: null, providerId: null }).where(waiting(batchId));
    return false;
  }
  return true;
}

const markSent = (ctx: BulkDeliveryContext, batchId: string) =>
  ctx.db.update(message).set({ status: "sent", sentDate: ctx.now() }).where(waiting(batchId));

async function sendAsGroup(ctx: BulkDeliveryContext, batchId: string): Promise<void> {
  const rows = await ctx.db.select().from(message).where(waiting(batchId)).orderBy(message.id);
  if (rows.length === 0) return;
  const texts = rows.map((row) => ({ ...row, text: fillSecretToken(ctx, row) }));
  const { groupId, refused, providerIds } = await ctx.messages.texts.openGroup(texts);
  // Stored before sending: without its id the group would never be sent.
  await ctx.db.batch([
    ctx.db.update(message).set({ status: "failed" }).where(idsIn(message.id, refused)),
    ctx.db
      .update(message)
      .set({
        providerGroup: groupId,
        // Uses the table's name because json_each has an `id` too.
        providerId: sql`(SELECT value FROM json_each(${JSON.stringify(providerIds)}) WHERE key = "message"."id")`,
      })
      .where(waiting(batchId)),
  ]);
  if (refused.length === rows.length) return;
  await ctx.messages.texts.sendGroup(groupId);
  await markSent(ctx, batchId);
}
