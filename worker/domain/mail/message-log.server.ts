import { columnsOf, idsIn } from "#db/sql.ts";
import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import { mailAddress, mailReport, message } from "#db/schema/mail.ts";
import type { Actor, AppContext, Parsed, RequestScope } from "#worker/domain/kernel/context.ts";
import { countRows, makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import { type listMessagesQuery, mailReportInput, type retryMessagesInput } from "#worker/contract/mail/input.ts";
import { letterCauseSql } from "#worker/contract/mail/letters.ts";
import { ADVERTISING_AGREEMENT, BOOK_MAILING_SUBJECT, maskRecipient } from "#worker/contract/mail/mail.ts";
import { deliverDueMessages } from "./message.server.ts";
import { authorizeConsole, can } from "../kernel/authorize.server.ts";
import { closedProposalsSql } from "../kernel/proposal-facts.server.ts";
import { auditPeople } from "../kernel/audit-entry.server.ts";
import { isUniqueViolation } from "../kernel/guarded-batch.server.ts";
import { holdsText } from "../kernel/text-condition.server.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import { userKey } from "#db/schema/account.ts";
import { mailingRecipient } from "#db/schema/mailing.ts";
import { readSignedReport, type ReportSignature } from "#worker/adapters/mail.server.ts";
import { AppError, type BulkResult } from "#worker/contract/kernel/errors.ts";
import { targetsDues } from "../audit/audit-log.server.ts";
import { withdrawConsent } from "./advertising.server.ts";

/** Shows the mailing's unfilled subject: the filled one contains address book data for its own office only. */
const shownSubject = sql<string>`CASE WHEN coalesce(${message.onceKey}, '') LIKE 'mailing:%'
  THEN coalesce((SELECT mailing.subject FROM mailing WHERE mailing.id = substr(${message.onceKey}, 9, 36)), '') ELSE ${message.subject} END`;

const isOfBook = sql<number>`coalesce(${message.onceKey}, '') LIKE 'mailing:%' AND EXISTS (SELECT 1 FROM mailing
  WHERE mailing.id = substr(${message.onceKey}, 9, 36) AND mailing.source = 'alumni')`;

const isByDues = sql<number>`coalesce(${message.onceKey}, '') LIKE 'mailing:%' AND EXISTS (SELECT 1 FROM mailing
  WHERE mailing.id = substr(${message.onceKey}, 9, 36) AND ${targetsDues(sql`mailing.target`)})`;

const MESSAGE_COLUMNS = {
  ...columnsOf(message, "id", "channel", "recipient"),
  userId: sql<string>`coalesce(${message.userId}, '')`.as("reader_id"),
  userName:
    sql<string>`coalesce((SELECT user_name FROM user WHERE user.id = ${message.userId} AND user.status <> 'retired'), '')`.as(
      "reader_name",
    ),
  // Written as a bare column so that its index is used.
  alumni: sql<string | null>`CASE WHEN ${message.userId} IS NULL AND ${message.channel} = 'email' THEN
    (SELECT json_object('id', alumni.id, 'name', alumni.name, 'isDeleted', alumni.deleted_date IS NOT NULL, 'isGone', ${sql.raw(letterCauseSql("alumni", "paper"))} <> '')
      FROM alumni WHERE alumni.email <> '' AND alumni.email = ${message.recipient} ORDER BY alumni.deleted_date IS NOT NULL LIMIT 1) END`.as(
    "alumni_person",
  ),
  subject: shownSubject.as("shown_subject"),
  isOfBook: isOfBook.as("is_of_book"),
  isByDues: isByDues.as("is_by_dues"),
  ...columnsOf(message, "status", "attempts", "createdDate", "sentDate", "nextAttemptDate"),
  // A mailing retries its own messages, because it checks again who may be written to.
  isElsewhere: sql<number>`coalesce(${message.onceKey}, '') LIKE 'mailing:%'`,
  isLost: sql<number>`${message.status} IN ('failed', 'held') AND instr(${message.body}, '******') > 0`,
};
/** Letters about a proposal that a conflict of interest closes to the reader. */
const isOfClosedProposal = (userId: string, now: Date) =>
  sql`(coalesce(${message.onceKey}, '') LIKE 'proposal:%' AND substr(${message.onceKey}, 10, 36) IN ${closedProposalsSql(userId, now)})`;

/** The count stops here, so that no page counts a whole year. */
const COUNT_MAX = 10_000;
const RETRY_MAX = 1000;

/** Sees every address of the book; readers see closed ones masked. */
const seesBook = (actor: Actor) => can(actor, { action: "Alumni_Write" });

/** A part of an address of the book finds it for those alone who see it, or others would guess it letter by letter. */
function holdsAddress(searcher: Actor, keyword: string) {
  const held = holdsText(sql`recipient`, keyword);
  if (seesBook(searcher)) return held;
  return sql`(${held} AND ${message.userId} IS NOT NULL OR lower(recipient) = ${keyword.toLowerCase()})`;
}

const holdsSubject = (searcher: Actor, keyword: string) =>
  sql`instr(${seesBook(searcher) ? shownSubject : sql`iif(${isOfBook}, ${BOOK_MAILING_SUBJECT}, ${shownSubject})`}, ${keyword})`;

interface BookPerson {
  id: string;
  name: string;
  isDeleted: number;
  isGone: number;
}

/**
 * Newest first. Omits texts, because some contain codes; addresses are searchable but masked. Only the right to manage
 * dues shows who owes.
 */
export async function listMessages(scope: RequestScope, query: Parsed<typeof listMessagesQuery>) {
  const searcher = query.keyword ? (await scope.context()).actor : null;
  const asked = and(
    searcher && !can(searcher, { action: "Dues_Manage" }) ? sql`NOT (${isByDues})` : undefined,
    query.status ? eq(message.status, query.status) : undefined,
    query.keyword && searcher
      ? sql`(${holdsAddress(searcher, query.keyword)} OR ${holdsSubject(searcher, query.keyword)})`
      : undefined,
  );
  const { ctx, rows } = await scope.readFor(authorizeConsole, (viewerId) => {
    const where = and(asked, sql`NOT ${isOfClosedProposal(viewerId, scope.now())}`);
    return [
      rowsOfPage(
        scope.db
          .select(MESSAGE_COLUMNS)
          .from(message)
          .where(where)
          .orderBy(desc(message.createdDate), desc(message.id)),
        query,
      ),
      countRows(scope.db, sql`(SELECT 1 FROM ${message} WHERE ${where ?? sql`1`} LIMIT ${COUNT_MAX})`),
    ];
  });
  const [seesAll, readsNames] = [seesBook(ctx.actor), can(ctx.actor, { action: "Alumni_Read" })];
  const personOf = (userId: string, userName: string, entry: BookPerson | null) => {
    if (userName !== "") return { kind: "member" as const, id: userId, name: userName };
    if (!entry || entry.isDeleted || !(seesAll || readsNames)) return null;
    return { kind: "alumni" as const, id: entry.id, name: entry.name };
  };
  /** As the address book shows it: masked to readers, of nobody who is gone. */
  const seesAddress = (isBook: boolean, entry: BookPerson | null) =>
    seesAll || !(isBook || entry) || (readsNames && entry !== null && !entry.isDeleted && !entry.isGone);
  const hidesDues = !can(ctx.actor, { action: "Dues_Manage" });
  const content = rows[0].map(
    ({ isLost, isElsewhere, isOfBook: ofBook, isByDues: byDues, userId, userName, alumni, ...row }) => {
      const entry = alumni === null ? null : (JSON.parse(alumni) as BookPerson);
      const isHidden = Boolean(byDues) && hidesDues;
      return {
        ...row,
        person: isHidden ? null : personOf(userId, userName, entry),
        recipient:
          isHidden || !seesAddress(Boolean(ofBook) && userId === "", entry) ? "***" : maskRecipient(row.recipient),
        // Hides codes in subjects.
        subject: ofBook && !seesAll ? BOOK_MAILING_SUBJECT : row.subject.replace(/\d{6}/g, "******"),
        createdDate: row.createdDate.toISOString(),
        sentDate: row.sentDate?.toISOString() ?? null,
        nextAttemptDate: row.status === "queued" ? (row.nextAttemptDate?.toISOString() ?? null) : null,
        canRetry: (row.status === "failed" || row.status === "held") && !isLost && !isElsewhere,
      };
    },
  );
  return makeCountedPage(query, content, rows[1]);
}

/** Retries the named or all failed messages at once. Messages that carried a code cannot be retried. */
export async function retryMessages(ctx: AppContext, input: Parsed<typeof retryMessagesInput>): Promise<BulkResult> {
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
      { action: "message.retry", detail: { ids } },
      rows.map(({ userId }) => userId),
    ),
  ]);
  // Bulk messages wait for their job, which checks again who may still be written to.
  ctx.defer(deliverDueMessages(ctx));
  return { changed: ids.length };
}

type Outcome = "delivered" | "bounced" | "complained";

const OUTCOMES: Record<string, Outcome> = {
  "email.delivered": "delivered",
  "email.bounced": "bounced",
  "email.suppressed": "bounced",
  "email.complained": "complained",
};

/** States that each outcome replaces; a late report never improves a worse state. */
const REPLACED: Record<Outcome, string> = {
  delivered: "'queued', 'sent', 'failed'",
  bounced: "'queued', 'sent', 'failed', 'delivered'",
  complained: "'queued', 'sent', 'failed', 'delivered', 'bounced'",
};

/**
 * A report can arrive before the provider returned the id. Later, unknown ids are accepted, since endless retries would
 * block all reports.
 */
const UNKNOWN_YET_MS = 10 * 60_000;

/**
 * Applies a delivery report, authenticated by its signature alone. Repeated reports change nothing. @throws AppError
 * UNAUTHORIZED, NOT_FOUND for a mail not known yet, so that the provider retries
 */
export async function recordMailReport(ctx: AppContext, payload: string, signed: ReportSignature) {
  const report = mailReportInput.safeParse(await readSignedReport(ctx.config, payload, signed));
  if (!report.success) throw new AppError("UNAUTHORIZED");
  const { type, data, created_at: happened } = report.data;
  const outcome = lookUp(OUTCOMES, type);
  if (!outcome) return {};
  const [mails, before] = await ctx.db.batch([
    ctx.db
      .select({ recipient: message.recipient, onceKey: message.onceKey })
      .from(message)
      .where(eq(message.providerId, data.email_id)),
    ctx.db.select().from(mailReport).where(eq(mailReport.id, signed.id)),
  ]);
  if (before.length > 0) return {};
  const [mail] = mails;
  if (!mail) {
    const age = ctx.now().getTime() - Date.parse(happened);
    if (age < UNKNOWN_YET_MS) throw new AppError("NOT_FOUND", { message: "보낸 적이 없는 메일입니다." });
    return {};
  }
  if (outcome === "complained") await withdrawConsentOf(ctx, mail.recipient);
  const isForGood = data.bounce?.type !== "Transient";
  const statements = [
    ctx.db.insert(mailReport).values({ id: signed.id, createdDate: ctx.now() }),
    recipientStatement(ctx, mail.onceKey ?? "", outcome, isForGood),
    ...(outcome === "bounced" && isForGood ? [addressStatement(ctx, mail.recipient, "bouncedDate")] : []),
    ...(outcome === "complained" ? [addressStatement(ctx, mail.recipient, "complainedDate")] : []),
  ] as const;
  try {
    await ctx.db.batch(statements as unknown as [(typeof statements)[0], ...(typeof statements)[number][]]);
  } catch (error) {
    if (!isUniqueViolation(error, "mail_report")) throw error;
  }
  return {};
}

function recipientStatement(ctx: AppContext, onceKey: string, outcome: Outcome, isForGood: boolean) {
  const [, mailingId = "", personId = ""] = onceKey.startsWith("mailing:") ? onceKey.split(":") : [];
  const replaced: SQL = sql.raw(REPLACED[outcome]);
  const cause = outcome === "bounced" ? (isForGood ? "no-mailbox" : "mailbox-busy") : "";
  return ctx.db
    .update(mailingRecipient)
    .set({ state: outcome, cause, stateDate: ctx.now() })
    .where(sql`mailing_id = ${mailingId} AND person_id = ${personId} AND state IN (${replaced})`);
}

function addressStatement(ctx: AppContext, address: string, column: "bouncedDate" | "complainedDate") {
  const set = { [column]: ctx.now() };
  return ctx.db
    .insert(mailAddress)
    .values({ address, ...set })
    .onConflictDoUpdate({ target: mailAddress.address, set });
}

async function withdrawConsentOf(ctx: AppContext, address: string): Promise<void> {
  const [owner] = await ctx.db
    .select({ userId: userKey.userId })
    .from(userKey)
    .where(sql`${userKey.userKeyType} = 'Email' AND ${userKey.userKeyCode} = ${address}`);
  if (owner) await withdrawConsent(ctx, owner.userId, ADVERTISING_AGREEMENT);
}
