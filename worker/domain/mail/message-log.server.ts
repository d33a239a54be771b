import { idsIn } from "#db/sql.ts";
import { and, desc, eq, sql } from "drizzle-orm";
import { message } from "#db/schema/mail.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { countRows, makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import type { ListMessagesQuery, RetryMessagesInput } from "#worker/contract/mail/input.ts";
import type { MessageRow } from "#worker/contract/mail/view.ts";
import type { BulkResult, Page } from "#worker/contract/kernel/envelope.ts";
import { maskRecipient } from "#worker/contract/mail/rules.ts";
import { deliverDueMessages } from "./message.server.ts";
import { can } from "../kernel/authorize.server.ts";
import { auditPeople } from "../kernel/audit-entry.server.ts";
import { authorizeConsole, holdsText } from "../kernel/guarded-batch.server.ts";

/** Shows the mailing's unfilled subject: the filled one contains address book data for its own office only. */
const shownSubject = sql<string>`CASE WHEN coalesce(${message.onceKey}, '') LIKE 'mailing:%'
  THEN coalesce((SELECT mailing.subject FROM mailing WHERE mailing.id = substr(${message.onceKey}, 9, 36)), '') ELSE ${message.subject} END`;

const MESSAGE_COLUMNS = {
  id: message.id,
  channel: message.channel,
  recipient: message.recipient,
  userId: sql<string>`coalesce(${message.userId}, '')`.as("reader_id"),
  userName:
    sql<string>`coalesce((SELECT user_name FROM user WHERE user.id = ${message.userId} AND user.status <> 'retired'), '')`.as(
      "reader_name",
    ),
  // Written as a bare column so that its index is used.
  alumni: sql<string | null>`CASE WHEN ${message.userId} IS NULL AND ${message.channel} = 'email' THEN
    (SELECT json_object('id', alumni.id, 'name', alumni.name) FROM alumni WHERE alumni.email <> '' AND alumni.email = ${message.recipient} AND alumni.deleted_date IS NULL LIMIT 1) END`.as(
    "alumni_person",
  ),
  subject: shownSubject.as("shown_subject"),
  status: message.status,
  attempts: message.attempts,
  createdDate: message.createdDate,
  sentDate: message.sentDate,
  nextAttemptDate: message.nextAttemptDate,
  // A mailing retries its own messages, because it checks again who may be written to.
  isElsewhere: sql<number>`coalesce(${message.onceKey}, '') LIKE 'mailing:%'`,
  isLost: sql<number>`${message.status} IN ('failed', 'held') AND instr(${message.body}, '******') > 0`,
};
/** The count stops here, so that no page counts a whole year. */
const COUNT_MAX = 10_000;
const RETRY_MAX = 1000;

/** Newest first. Omits texts, because some contain codes; addresses are searchable but masked. */
export async function listMessages(scope: RequestScope, query: ListMessagesQuery): Promise<Page<MessageRow>> {
  const where = and(
    query.status ? eq(message.status, query.status) : undefined,
    query.keyword
      ? sql`(${holdsText(sql`recipient`, query.keyword)} OR instr(${shownSubject}, ${query.keyword}))`
      : undefined,
  );
  const { ctx, rows } = await scope.readFor(authorizeConsole, [
    rowsOfPage(
      scope.db.select(MESSAGE_COLUMNS).from(message).where(where).orderBy(desc(message.createdDate), desc(message.id)),
      query,
    ),
    countRows(scope.db, sql`(SELECT 1 FROM ${message} WHERE ${where ?? sql`1`} LIMIT ${COUNT_MAX})`),
  ]);
  const readsAlumni = can(ctx.actor, { action: "Alumni_Read" });
  const personOf = ({ userId, userName, alumni }: { userId: string; userName: string; alumni: string | null }) => {
    if (userName !== "") return { kind: "member" as const, id: userId, name: userName };
    if (alumni === null || !readsAlumni) return null;
    return { kind: "alumni" as const, ...(JSON.parse(alumni) as { id: string; name: string }) };
  };
  const content = rows[0].map(({ isLost, isElsewhere, userId, userName, alumni, ...row }): MessageRow => ({
    ...row,
    person: personOf({ userId, userName, alumni }),
    recipient: maskRecipient(row.recipient),
    // Hides codes in subjects.
    subject: row.subject.replace(/\d{6}/g, "******"),
    createdDate: row.createdDate.toISOString(),
    sentDate: row.sentDate?.toISOString() ?? null,
    nextAttemptDate: row.status === "queued" ? (row.nextAttemptDate?.toISOString() ?? null) : null,
    canRetry: (row.status === "failed" || row.status === "held") && !isLost && !isElsewhere,
  }));
  return makeCountedPage(query, content, rows[1]);
}

/** Retries the named or all failed messages at once. Messages that carried a code cannot be retried. */
export async function retryMessages(ctx: AppContext, input: RetryMessagesInput): Promise<BulkResult> {
  authorizeConsole(ctx);
  const named = "ids" in input ? idsIn(message.id, input.ids) : sql`1`;
  // Held messages may have been sent before a restore, so they must be named.
  const states = "ids" in input ? sql`status IN ('failed', 'held')` : sql`status = 'failed'`;
  const rows = await ctx.db
    .select({ id: message.id, userId: message.userId })
    .from(message)
    .where(sql`${named} AND ${states} AND instr(body, '******') = 0 AND coalesce(once_key, '') NOT LIKE 'mailing:%'`)
    .limit(RETRY_MAX);
  if (rows.length === 0) return { changed: 0 };
  const ids = rows.map(({ id }) => id);
  await ctx.db.batch([
    ctx.db
      .update(message)
      // Starts a new batch: the provider would treat the old id as already sent.
      .set({ status: "queued", attempts: 0, nextAttemptDate: ctx.now(), batchId: null })
      .where(sql`${idsIn(message.id, ids)} AND ${states}`),
    ...auditPeople(
      ctx,
      { action: "message.retry", targetType: "message", detail: { ids } },
      rows.map(({ userId }) => userId),
    ),
  ]);
  // Bulk messages wait for their job, which checks again who may still be written to.
  ctx.defer(deliverDueMessages(ctx));
  return { changed: ids.length };
}
