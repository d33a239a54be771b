import { and, desc, eq, sql } from "drizzle-orm";
import { message } from "#db/schema.ts";
import type { AppContext, Door } from "#worker/context.server.ts";
import type { ListMessagesQuery, MessageRow } from "#worker/contract/admin-log.ts";
import type { BulkResult } from "#worker/contract/admin-member.ts";
import { type Page, pageOf } from "#worker/contract/envelope.ts";
import { auditEach, administrating } from "./change.server.ts";
import { deliverDue } from "../message.server.ts";

const COLUMNS = {
  id: message.id,
  channel: message.channel,
  recipient: message.recipient,
  subject: message.subject,
  status: message.status,
  attempts: message.attempts,
  createdDate: message.createdDate,
  sentDate: message.sentDate,
  nextAttemptDate: message.nextAttemptDate,
};

/** Mail and SMS, newest first, without their texts: a code stands in some of them. */
export async function listMessages(door: Door, query: ListMessagesQuery): Promise<Page<MessageRow>> {
  const where = and(
    query.status ? eq(message.status, query.status) : undefined,
    query.keyword ? sql`(instr(recipient, ${query.keyword}) OR instr(subject, ${query.keyword}))` : undefined,
  );
  const { ctx, rows } = await door.read([
    door.db
      .select(COLUMNS)
      .from(message)
      .where(where)
      .orderBy(desc(message.createdDate), desc(message.id))
      .limit(query.size)
      .offset((query.page - 1) * query.size),
    door.db
      .select({ count: sql<number>`count(*)` })
      .from(message)
      .where(where),
  ]);
  administrating(ctx);
  const content = rows[0].map((row): MessageRow => ({
    ...row,
    // A code in a subject is as good as the code itself.
    subject: row.subject.replace(/\d{6}/g, "******"),
    createdDate: row.createdDate.toISOString(),
    sentDate: row.sentDate?.toISOString() ?? null,
    nextAttemptDate: row.status === "queued" ? (row.nextAttemptDate?.toISOString() ?? null) : null,
  }));
  return pageOf(content, { page: query.page, size: query.size, totalElements: rows[1][0]?.count ?? 0 });
}

/** Failed letters go out again at once. One that carried a code is not kept and cannot: its reader asks for a new one. */
export async function retryMessages(ctx: AppContext, input: { ids: string[] }): Promise<BulkResult> {
  administrating(ctx);
  const named = sql`id IN (SELECT value FROM json_each(${JSON.stringify(input.ids)})) AND status = 'failed' AND instr(body, '******') = 0`;
  const rows = await ctx.db.select({ id: message.id }).from(message).where(named);
  if (rows.length === 0) return { changed: 0 };
  const ids = rows.map(({ id }) => id);
  await ctx.db.batch([
    ctx.db
      .update(message)
      .set({ status: "queued", attempts: 0, nextAttemptDate: ctx.now() })
      .where(sql`id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND status = 'failed'`),
    auditEach(ctx, ids, { action: "message.retry", targetType: "message" }),
  ]);
  ctx.defer(deliverDue(ctx));
  return { changed: ids.length };
}
