import { and, eq, inArray, sql } from "drizzle-orm";
import { message } from "#db/schema/mail.ts";
import { mailing, mailingRecipient } from "#db/schema/mailing.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import type { resendMailingInput, sendMailingInput } from "#worker/contract/mailing/input.ts";
import { MAILING_AHEAD_DAYS } from "#worker/contract/mailing/mailing.ts";
import type { ParsedAlumniSelection } from "#worker/contract/alumni/input.ts";
import type { AlumniFilter } from "#worker/contract/alumni/conditions.ts";
import { bookForCaller } from "../alumni/filter.server.ts";
import { describeSegment, requireSegment, requireUsableFilter } from "../alumni/segment.server.ts";
import { audit, auditPeople } from "../kernel/audit-entry.server.ts";
import { requireSignedIn } from "../kernel/authorize.server.ts";
import { conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { nextDaytime } from "../mail/advertising.server.ts";
import { requireSameTemplate, requireUsable } from "./channel.server.ts";
import { askHeldPeople } from "./held.server.ts";
import { isStillDraftGuard, requireMailing } from "./mailing.server.ts";
import { countFrozenStatement, freezeStatement, frozenPeople, sentTarget } from "./frozen-people.server.ts";
import { type Mailing, mailingPeople, registeredOf } from "./people.server.ts";
import { longestText, readFrame, requireSamePeople, requireUsableQuestion } from "./preview-mailing.server.ts";
import { MAILING_ONCE_KEY_SQL } from "./render-mailing.server.ts";

/** Freezes the recipients; a job writes and sends in steps. Requires the current version and the previewed count. */
export async function sendMailing(
  ctx: AppContext,
  id: string,
  { version, count, sendDate, reason }: Parsed<typeof sendMailingInput>,
): Promise<{ count: number; sendDate: string }> {
  const row = await requireMailing(ctx, id);
  const draft = isStillDraftGuard(id, version);
  // Checked before counting: a sent mailing no longer has a filter.
  if (row.status !== "draft" || row.version !== version) throw draft.error();
  requireUsable(ctx, row);
  await requireUsableQuestion(ctx, id);
  requireTarget(ctx, row);
  await requireSameTemplate(ctx, row);
  const now = ctx.now();
  if (sendDate && sendDate.getTime() > now.getTime() + MAILING_AHEAD_DAYS * DAY_MS)
    throw invalidInput({ sendDate: `${MAILING_AHEAD_DAYS}일 안의 때로 정해 주십시오.` });
  const asked = sendDate && sendDate > now ? sendDate : now;
  const start = row.kind === "advertising" ? nextDaytime(asked) : asked;
  if (row.source === "alumni") await askHeldPeople(ctx, isUnproven(ctx, row));
  const { all, counts, sameCount } = await requireSamePeople(ctx, row, count);
  if (row.channel === "sms") longestText(ctx, row, await readFrame(ctx, row), counts);
  const guards = [draft, sameCount];
  await runGuardedBatch(ctx, guards, [
    freezeStatement(ctx, row),
    countFrozenStatement(ctx, id),
    ctx.db
      .update(mailing)
      .set({
        status: "sending",
        sendDate: start,
        reason,
        // The sender answers for it: jobs ask whether they still may.
        createdUserId: requireSignedIn(ctx).userId,
        target: sentTarget(ctx, row),
        modifiedDate: now,
        version: version + 1,
      })
      .where(eq(mailing.id, id)),
    ...auditPeople(
      ctx,
      {
        action: "mailing.send",
        targetId: id,
        reason,
        detail: { ...describeMailing(ctx, row), leftOut: all - count, sendDate: start.toISOString() },
      },
      frozenPeople(id),
    ),
  ]);
  return { count, sendDate: start.toISOString() };
}

/** People whom the mailing leaves out because their address is held. */
const isUnproven = (ctx: AppContext, row: Mailing) =>
  sql`alumni.id IN (SELECT person_id FROM (${mailingPeople(ctx, row)}) WHERE cause = 'unproven')`;

/** @throws AppError INVALID_INPUT for a condition that the caller cannot use, of a reminder's first mailing too */
function requireTarget(ctx: AppContext, { source, target }: Mailing): void {
  if (source !== "alumni") return;
  if ("unansweredTo" in target)
    requireUsableFilter(bookForCaller(ctx), (target.asked ?? {}) as AlumniFilter, "target.filter");
  else requireSegment(ctx, target as ParsedAlumniSelection, { path: "target" });
}

/** Omits keywords, which may contain a person's name. */
function describeMailing(ctx: AppContext, { source, channel, kind, subject, target }: Mailing) {
  if ("unansweredTo" in target) return { source, channel, kind, subject, unansweredTo: target.unansweredTo };
  if (source === "alumni")
    return { source, channel, kind, subject, ...describeSegment(ctx, target as ParsedAlumniSelection) };
  const registered = registeredOf(target);
  if (registered) return { source, channel, kind, subject, filter: registered.words };
  const filter = "filter" in target ? Object.keys(target.filter).filter((key) => target.filter[key] !== undefined) : [];
  return { source, channel, kind, subject, chosen: "ids" in target ? target.ids.length : undefined, filter };
}

/** Cancels every message that is not sent yet. */
export async function cancelMailing(ctx: AppContext, id: string, version: number): Promise<Record<string, never>> {
  await requireMailing(ctx, id);
  const now = ctx.now();
  const guard = {
    holds: sql`EXISTS (SELECT 1 FROM mailing WHERE id = ${id} AND status = 'sending' AND version = ${version})`,
    error: () => conflict("이미 모두 보냈거나 취소하였습니다."),
  };
  await runGuardedBatch(ctx, guard, [
    ctx.db
      .update(mailingRecipient)
      .set({ state: "left", cause: "cancelled", stateDate: now })
      .where(and(eq(mailingRecipient.mailingId, id), eq(mailingRecipient.state, "waiting"))),
    ctx.db
      .update(mailing)
      .set({ status: "cancelled", doneDate: now, modifiedDate: now, version: version + 1 })
      .where(eq(mailing.id, id)),
    audit(ctx, { action: "mailing.cancel", targetId: id }),
  ]);
  return {};
}

/**
 * Retries failures as new messages, since the provider treats old ids as sent. Includes unknown results only on
 * request.
 */
export async function resendMailing(
  ctx: AppContext,
  id: string,
  { version, reason, isUnknownToo }: Parsed<typeof resendMailingInput>,
): Promise<{ count: number }> {
  await requireMailing(ctx, id);
  const now = ctx.now();
  const states = isUnknownToo ? (["failed", "unknown"] as const) : (["failed"] as const);
  const failed = and(eq(mailingRecipient.mailingId, id), inArray(mailingRecipient.state, [...states]));
  const [counted] = await ctx.db
    .select({ count: sql<number>`count(*)` })
    .from(mailingRecipient)
    .where(failed);
  const count = counted?.count ?? 0;
  if (count === 0) throw conflict("보내지 못한 사람이 없습니다.");
  const isSent = sql`EXISTS (SELECT 1 FROM mailing WHERE id = ${id} AND status IN ('sending', 'done', 'cancelled') AND version = ${version})`;
  await runGuardedBatch(ctx, isSent, [
    ctx.db
      .delete(message)
      .where(
        sql`${message.status} IN ('failed', 'held') AND ${message.onceKey} IN (SELECT ${sql.raw(MAILING_ONCE_KEY_SQL)} FROM mailing_recipient WHERE ${failed})`,
      ),
    ctx.db.update(mailingRecipient).set({ state: "waiting", stateDate: now }).where(failed),
    ctx.db
      .update(mailing)
      .set({
        status: "sending",
        createdUserId: requireSignedIn(ctx).userId,
        doneDate: null,
        modifiedDate: now,
        version: version + 1,
      })
      .where(eq(mailing.id, id)),
    ...auditPeople(
      ctx,
      {
        action: "mailing.resend",
        targetId: id,
        reason,
        ...(isUnknownToo ? { detail: { isUnknownToo } } : {}),
      },
      { ids: frozenPeople(id).ids, count },
    ),
  ]);
  return { count };
}
