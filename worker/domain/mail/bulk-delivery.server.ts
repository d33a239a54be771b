import { idsIn } from "#db/sql.ts";
import { eq, sql } from "drizzle-orm";
import { message } from "#db/schema/mail.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { RETRY_MINUTES } from "./message.server.ts";
import { isNightInKorea } from "./advertising-hours.ts";
import { fillSecretToken } from "./secret-address.server.ts";
import { takeOutUnwantedStatement } from "./unwanted-message.server.ts";

const MESSAGES_PER_BATCH = 100;
/** What one run sends at most: 2,500 mails a minute, in fewer than 500 statements. */
const BATCHES_PER_RUN = 25;

type DeliveryContext = Pick<AppContext, "db" | "messages" | "now" | "tokens">;

/**
 * Sends what goes to many, a hundred a request. A hundred keeps its id and its members over every retry: the provider
 * knows it by that, so that a run that was killed behind the request sends nobody a second message.
 */
export async function deliverBulkMessages(
  ctx: DeliveryContext,
  /** Takes out of a hundred, right before it goes, those mails of a mailing that may not be sent any more. */
  takeOut: (batchId: string) => Promise<void> = async () => {},
): Promise<void> {
  for (let sent = 0; sent < BATCHES_PER_RUN; sent += 1) {
    const batchId =
      (await findStartedBatch(ctx)) ?? (await claimNewBatch(ctx, false)) ?? (await claimNewBatch(ctx, true));
    if (batchId === null) return;
    await takeOut(batchId);
    if (!(await deliverBatch(ctx, batchId))) return;
  }
}

const isBulkDue = (ctx: DeliveryContext) =>
  sql`status = 'queued' AND is_bulk = 1 AND next_attempt_date <= ${ctx.now().getTime()}${isNightInKorea(ctx.now()) ? sql` AND is_advertising = 0` : sql``}`;

async function findStartedBatch(ctx: DeliveryContext): Promise<string | null> {
  const [row] = await ctx.db
    .select({ batchId: message.batchId })
    .from(message)
    .where(sql`${isBulkDue(ctx)} AND batch_id > ''`)
    .limit(1);
  return row?.batchId ?? null;
}

/** Of one sort, so that at night all of it waits or nothing. */
async function claimNewBatch(ctx: DeliveryContext, isAdvertising: boolean): Promise<string | null> {
  const batchId = crypto.randomUUID();
  const taken = await ctx.db
    .update(message)
    .set({ batchId })
    .where(
      sql`id IN (SELECT id FROM message WHERE ${isBulkDue(ctx)} AND batch_id IS NULL AND is_advertising = ${Number(isAdvertising)} LIMIT ${MESSAGES_PER_BATCH}) AND batch_id IS NULL`,
    )
    .returning({ id: message.id });
  return taken.length > 0 ? batchId : null;
}

/** @returns whether to go on: a provider that refused one hundred is left alone until the next run */
async function deliverBatch(ctx: DeliveryContext, batchId: string): Promise<boolean> {
  await ctx.db.batch([
    takeOutUnwantedStatement(ctx, batchId),
    // Where mail bounced, or was complained of, nothing goes that nobody waits for.
    ctx.db
      .update(message)
      .set({ status: "failed" })
      .where(
        sql`batch_id = ${batchId} AND status = 'queued' AND recipient IN (SELECT address FROM mail_address WHERE bounced_date IS NOT NULL OR complained_date IS NOT NULL)`,
      ),
  ]);
  const now = ctx.now().getTime();
  const waits = JSON.stringify(RETRY_MINUTES);
  const rows = await ctx.db
    .update(message)
    .set({
      attempts: sql`${message.attempts} + 1`,
      nextAttemptDate: sql`${now} + 60000 * coalesce((SELECT value FROM json_each(${waits}) WHERE key = ${message.attempts}), 0)`,
      status: sql`iif(${message.attempts} < ${RETRY_MINUTES.length}, 'queued', 'failed')`,
    })
    .where(sql`batch_id = ${batchId} AND ${isBulkDue(ctx)}`)
    .returning();
  const claimed = rows.filter(({ status }) => status === "queued").toSorted((a, b) => a.id.localeCompare(b.id));
  if (claimed.length === 0) return true;
  try {
    const { refused, providerIds } = await ctx.messages.sendAll(
      batchId,
      claimed.map((row) => ({ ...row, text: fillSecretToken(ctx, row) })),
    );
    await ctx.db.batch([
      ctx.db.update(message).set({ status: "failed" }).where(idsIn(message.id, refused)),
      ctx.db
        .update(message)
        .set({
          status: "sent",
          sentDate: ctx.now(),
          // By the table's name: an id stands in json_each, too.
          providerId: sql`(SELECT value FROM json_each(${JSON.stringify(providerIds)}) WHERE key = "message"."id")`,
        })
        .where(sql`${eq(message.batchId, batchId)} AND status = 'queued'`),
    ]);
    return true;
  } catch (error) {
    console.warn(
      JSON.stringify({ level: "warn", event: "messages.failed", batchId, count: claimed.length, error: String(error) }),
    );
    return false;
  }
}
