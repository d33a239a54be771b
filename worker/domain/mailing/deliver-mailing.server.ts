import { and, eq, sql } from "drizzle-orm";
import { message } from "#db/schema/mail.ts";
import { mailing, mailingRecipient } from "#db/schema/mailing.ts";
import { idsIn } from "#db/sql.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { readAges } from "#worker/domain/audit/ages.server.ts";
import type { MailingCause } from "#worker/contract/mailing/mailing.ts";
import { sha256Base64Url } from "#worker/adapters/secrets.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { abortBatchUnless, isBatchAborted, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { isNightInKorea } from "../mail/advertising.server.ts";
import { queueBulkMessages, secretTokenOf } from "../mail/message.server.ts";
import { hasLink, type Mailing, mailingPeople, type MailingPerson, readMailingPerson } from "./people.server.ts";
import { readFrame } from "./preview-mailing.server.ts";
import { stopNotices, stopReason } from "./stop.server.ts";
import { MAILING_ONCE_KEY_SQL, mailingMessage, mailingOnceKey, releaseAttachments } from "./render-mailing.server.ts";

/** One step's mails are one D1 parameter of at most 2 MB. */
const PEOPLE_PER_STEP = 200;
/** 4,000 mails a minute, the capacity of the provider's queue. */
const STEPS_PER_RUN = 20;

/**
 * Queues mails in steps, one batch each, so that a killed run can resume. Leaves out recipients who are refused or
 * changed address.
 */
export async function writeMailings(ctx: AppContext): Promise<void> {
  for (let step = 0; step < STEPS_PER_RUN; step += 1) {
    const next = await findStep(ctx);
    if (!next) break;
    await writeStep(ctx, next.row, next.people);
  }
}

export async function deleteOldDrafts(ctx: Pick<AppContext, "db" | "now">): Promise<void> {
  const ages = await readAges(ctx);
  const isOld = sql`status = 'draft' AND modified_date < ${ages.before("mailing-draft").getTime()}`;
  await ctx.db.batch([releaseAttachments(ctx.db, isOld), ctx.db.delete(mailing).where(isOld)]);
}

interface WaitingPerson {
  personId: string;
  address: string;
}

async function findStep(ctx: AppContext): Promise<{ row: Mailing; people: WaitingPerson[] } | null> {
  const now = ctx.now();
  const byDay = isNightInKorea(now) ? sql` AND kind <> 'advertising'` : sql``;
  const [row] = await ctx.db
    .select()
    .from(mailing)
    .where(
      sql`status = 'sending' AND send_date <= ${now.getTime()}${byDay} AND EXISTS (SELECT 1 FROM mailing_recipient WHERE mailing_id = mailing.id AND state = 'waiting')`,
    )
    .orderBy(mailing.sendDate)
    .limit(1);
  if (!row) return null;
  const people = await ctx.db
    .select({ personId: mailingRecipient.personId, address: mailingRecipient.address })
    .from(mailingRecipient)
    .where(and(eq(mailingRecipient.mailingId, row.id), eq(mailingRecipient.state, "waiting")))
    .limit(PEOPLE_PER_STEP);
  return { row, people };
}

async function writeStep(ctx: AppContext, row: Mailing, waiting: WaitingPerson[]): Promise<void> {
  if (await stopIfRefused(ctx, row)) return;
  const frame = await readFrame(ctx, row);
  const { reached, left } = await lookAgain(ctx, row, waiting);
  const [begin, ...rest] = [
    // Aborts after a cancellation, which already left these people out.
    abortBatchUnless(ctx, sql`EXISTS (SELECT 1 FROM mailing WHERE id = ${row.id} AND status = 'sending')`),
    ...queueBulkMessages(
      ctx,
      reached.map((person) => mailingMessage(ctx, row, frame, person)),
      { isAdvertising: row.kind === "advertising" },
    ),
    ctx.db
      .update(mailingRecipient)
      .set({
        state: "queued",
        stateDate: ctx.now(),
        ...(hasLink(row) ? { linkHash: linkHashOf(ctx, row, reached) } : {}),
      })
      .where(
        and(
          eq(mailingRecipient.mailingId, row.id),
          eq(mailingRecipient.state, "waiting"),
          idsIn(
            mailingRecipient.personId,
            reached.map(({ personId }) => personId),
          ),
        ),
      ),
    leaveOutStatement(ctx, row.id, left),
  ] as const;
  try {
    await ctx.db.batch([begin, ...rest]);
  } catch (error) {
    if (!isBatchAborted(error)) throw error;
  }
}

function linkHashOf(ctx: AppContext, row: Mailing, people: readonly MailingPerson[]) {
  const hashes = people.map(({ personId }) => [
    personId,
    sha256Base64Url(secretTokenOf(ctx, mailingOnceKey(row.id, personId))),
  ]);
  return sql`(SELECT value FROM json_each(${JSON.stringify(Object.fromEntries(hashes))}) WHERE key = person_id)`;
}

const IS_OF_QUEUED = sql.raw(`message.status = 'queued' AND message.once_key = ${MAILING_ONCE_KEY_SQL}`);

/** Stops a mailing whose sender may not write to these people now. @returns whether it is stopped */
async function stopIfRefused(ctx: AppContext, row: Mailing): Promise<boolean> {
  const reason = await stopReason(ctx, row);
  if (reason === null) return false;
  const now = ctx.now();
  const notices = await stopNotices(ctx, {
    subject: "메일·문자 발송을 멈추었습니다",
    what: `‘${row.subject}’ 발송을 멈추었습니다. 아직 받지 않은 사람에게는 보내지 않습니다.`,
    reason,
    path: `/Admin/Mailings/${row.id}`,
  });
  const isLeft = sql`mailing_id = ${row.id} AND (state = 'waiting' OR state = 'queued' AND EXISTS (SELECT 1 FROM message WHERE ${IS_OF_QUEUED}))`;
  try {
    await runGuardedBatch(ctx, sql`EXISTS (SELECT 1 FROM mailing WHERE id = ${row.id} AND status = 'sending')`, [
      ctx.db.update(mailingRecipient).set({ state: "left", cause: "cancelled", stateDate: now }).where(isLeft),
      ctx.db
        .delete(message)
        .where(
          sql`status = 'queued' AND once_key IN (SELECT ${sql.raw(MAILING_ONCE_KEY_SQL)} FROM mailing_recipient WHERE mailing_id = ${row.id})`,
        ),
      ctx.db
        .update(mailing)
        .set({ status: "cancelled", doneDate: now, modifiedDate: now, version: row.version + 1 })
        .where(eq(mailing.id, row.id)),
      audit(ctx, { action: "mailing.cancel", targetId: row.id, detail: { cause: reason } }),
      ...notices,
    ]);
  } catch (error) {
    if (!(error instanceof AppError && error.code === "CONFLICT")) throw error;
  }
  return true;
}

interface LeftPerson {
  personId: string;
  cause: MailingCause;
}

async function lookAgain(ctx: AppContext, row: Mailing, waiting: readonly WaitingPerson[]) {
  const ids = waiting.map(({ personId }) => personId);
  const rows = await ctx.db.all<Record<string, string | null>>(mailingPeople(ctx, row, ids));
  const found = new Map(rows.map((each) => [each.person_id, readMailingPerson(each)]));
  const reached: MailingPerson[] = [];
  const left: LeftPerson[] = [];
  for (const { personId, address } of waiting) {
    const person = found.get(personId);
    const cause = person?.cause ?? "inactive";
    if (!person || cause !== "") left.push({ personId, cause });
    else if (person.address !== address) left.push({ personId, cause: "changed" });
    else reached.push(person);
  }
  return { reached, left };
}

const leaveOutStatement = (ctx: AppContext, mailingId: string, left: readonly LeftPerson[]) =>
  ctx.db
    .update(mailingRecipient)
    .set({
      state: "left",
      cause: sql`(SELECT value ->> 'cause' FROM json_each(${JSON.stringify(left)}) WHERE value ->> 'personId' = person_id)`,
      stateDate: ctx.now(),
    })
    .where(
      sql`mailing_id = ${mailingId} AND state IN ('waiting', 'queued') AND person_id IN (SELECT value ->> 'personId' FROM json_each(${JSON.stringify(left)}))`,
    );

/** Removes readers who were deleted, suspended, moved or refused since the mails were queued. */
export async function excludeRefused(ctx: AppContext, batchId: string): Promise<void> {
  const rows = await ctx.db
    .select({ onceKey: message.onceKey, recipient: message.recipient })
    .from(message)
    .where(sql`batch_id = ${batchId} AND status = 'queued' AND once_key LIKE 'mailing:%'`);
  const queued = rows.map(({ onceKey, recipient }) => {
    const [, mailingId = "", personId = ""] = onceKey?.split(":") ?? [];
    return { mailingId, personId, address: recipient };
  });
  for (const mailingId of new Set(queued.map((each) => each.mailingId))) {
    const [row] = await ctx.db.select().from(mailing).where(eq(mailing.id, mailingId));
    if (!row || (row.status === "sending" && (await stopIfRefused(ctx, row)))) continue;
    const waiting = queued.filter((each) => each.mailingId === mailingId);
    const { left } = await lookAgain(ctx, row, waiting);
    if (left.length === 0) continue;
    const keys = left.map(({ personId }) => mailingOnceKey(mailingId, personId));
    await ctx.db.batch([
      ctx.db.delete(message).where(sql`status = 'queued' AND ${idsIn(message.onceKey, keys)}`),
      leaveOutStatement(ctx, mailingId, left),
    ]);
  }
}

const MESSAGE_OF_RECIPIENT = sql.raw(`message.once_key = ${MAILING_ONCE_KEY_SQL}`);

export async function settleMailings(ctx: AppContext): Promise<void> {
  const now = ctx.now().getTime();
  const [open] = await ctx.db
    .select({ id: mailing.id })
    .from(mailing)
    .where(
      sql`status = 'sending' OR (status = 'cancelled' AND EXISTS (SELECT 1 FROM mailing_recipient WHERE mailing_id = mailing.id AND state = 'queued'))`,
    )
    .limit(1);
  if (!open) return;
  const queued = sql`state = 'queued' AND mailing_id IN (SELECT id FROM mailing WHERE status IN ('sending', 'cancelled'))`;
  await ctx.db.batch([
    ctx.db
      .update(mailingRecipient)
      .set({
        state: sql`(SELECT CASE message.status WHEN 'sent' THEN 'sent' WHEN 'held' THEN 'unknown' ELSE 'failed' END FROM message WHERE ${MESSAGE_OF_RECIPIENT})`,
        stateDate: ctx.now(),
      })
      .where(
        sql`${queued} AND EXISTS (SELECT 1 FROM message WHERE ${MESSAGE_OF_RECIPIENT} AND message.status <> 'queued')`,
      ),
    // The message was deleted with a suspended or retired account.
    ctx.db
      .update(mailingRecipient)
      .set({ state: "left", cause: "inactive", stateDate: ctx.now() })
      .where(sql`${queued} AND NOT EXISTS (SELECT 1 FROM message WHERE ${MESSAGE_OF_RECIPIENT})`),
    ctx.db
      .update(mailing)
      .set({ status: "done", doneDate: ctx.now(), version: sql`${mailing.version} + 1` })
      .where(
        sql`status = 'sending' AND send_date <= ${now} AND NOT EXISTS (SELECT 1 FROM mailing_recipient WHERE mailing_id = mailing.id AND state IN ('waiting', 'queued'))`,
      ),
  ]);
}
