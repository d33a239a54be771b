import { and, eq, sql } from "drizzle-orm";
import { confirmationRound, mailing } from "#db/schema/mailing.ts";
import type { AppContext, BatchStatement } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import type { MailTemplateText } from "#worker/contract/mail/templates.ts";
import { CONFIRMATION_PATH, ROUND_WAVES } from "#worker/contract/mailing/round.ts";
import { koreanLongDay } from "#worker/contract/kernel/korea.ts";
import { audit, type AuditEntry, auditPeople } from "../kernel/audit-entry.server.ts";
import { runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { loadTemplateRenderer, type TemplateRenderer } from "../mail/render-template.server.ts";
import { SECRET_TOKEN_MARK } from "../mail/message.server.ts";
import { duesFilterOf, type Mailing } from "./people.server.ts";
import { countFrozenStatement, freezeStatement, frozenPeople } from "./send-mailing.server.ts";

export type Round = typeof confirmationRound.$inferSelect;

const ROUNDS_PER_RUN = 5;

export const roundEnd = (start: Date, reminderDays: number) =>
  new Date(start.getTime() + ROUND_WAVES * reminderDays * DAY_MS);

export const waveText = async (ctx: AppContext, wave: number, end: Date): Promise<MailTemplateText> =>
  writeWave(ctx, await loadTemplateRenderer(ctx), wave, end);

export const writeWave = (ctx: AppContext, write: TemplateRenderer, wave: number, end: Date): MailTemplateText =>
  write(wave === 0 ? "confirmRequest" : "confirmReminder", {
    이름: "{{이름}}",
    주소: `${ctx.config.SITE_ORIGIN}${CONFIRMATION_PATH}${SECRET_TOKEN_MARK}`,
    기한: koreanLongDay(end),
  });

/** An office mail to each person separately. @param roundId null for a preview */
export function waveMailing(
  ctx: AppContext,
  round: Pick<Round, "target" | "reason" | "createdUserId">,
  { subject, text }: MailTemplateText,
  { wave = 0, roundId = null }: { wave?: number; roundId?: string | null } = {},
): Mailing {
  const now = ctx.now();
  return {
    id: crypto.randomUUID(),
    source: "alumni",
    target: wave === 0 || roundId === null ? round.target : { unansweredOf: roundId, dues: duesFilterOf(round.target) },
    kind: "informational",
    channel: "email",
    templateCode: "",
    templateValues: {},
    subject,
    body: text,
    fileIds: [],
    attachmentId: null,
    isEach: true,
    keepsEmpty: true,
    status: "sending",
    reason: round.reason,
    sendDate: now,
    createdUserId: round.createdUserId,
    createdDate: now,
    modifiedDate: now,
    doneDate: null,
    version: 1,
    roundId,
    wave,
    people: 0,
  };
}

export const beginWaveStatements = (
  ctx: AppContext,
  wave: Mailing,
  entry: Omit<AuditEntry, "targetType" | "subjectCount">,
): BatchStatement[] => [
  ctx.db.insert(mailing).values({ ...wave, target: { ids: [], dues: duesFilterOf(wave.target) } }),
  freezeStatement(ctx, wave),
  countFrozenStatement(ctx, wave.id),
  ...auditPeople(ctx, { targetType: "round", ...entry }, frozenPeople(wave.id)),
];

/** Sends reminders, ends and repeats due rounds; a guard per batch lets one of two parallel runs win. */
export async function runRounds(ctx: AppContext): Promise<void> {
  const now = ctx.now().getTime();
  const due = await ctx.db
    .select()
    .from(confirmationRound)
    .where(
      sql`(status = 'open' AND (end_date <= ${now} OR next_date <= ${now})) OR (repeat_date <= ${now} AND status <> 'draft')`,
    )
    .limit(ROUNDS_PER_RUN);
  for (const round of due) {
    try {
      if (round.status === "open" && round.endDate && round.endDate.getTime() <= now) await endRound(ctx, round);
      else if (round.status === "open" && round.nextDate && round.nextDate.getTime() <= now) await remind(ctx, round);
      else await beginNextRound(ctx, round);
    } catch (error) {
      if (!(error instanceof AppError && error.code === "CONFLICT")) throw error;
    }
  }
}

const isUnmoved = ({ id, version }: Round) =>
  sql`EXISTS (SELECT 1 FROM confirmation_round WHERE id = ${id} AND version = ${version})`;

async function remind(ctx: AppContext, round: Round): Promise<void> {
  const wave = round.waves;
  const end = round.endDate ?? ctx.now();
  const next = wave + 1 < ROUND_WAVES ? new Date(ctx.now().getTime() + round.reminderDays * DAY_MS) : null;
  const text = await waveText(ctx, wave, end);
  await runGuardedBatch(ctx, isUnmoved(round), [
    ctx.db
      .update(confirmationRound)
      .set({ waves: wave + 1, nextDate: next, modifiedDate: ctx.now(), version: round.version + 1 })
      .where(eq(confirmationRound.id, round.id)),
    ...beginWaveStatements(ctx, waveMailing(ctx, round, text, { wave, roundId: round.id }), {
      action: "round.remind",
      targetId: round.id,
      detail: { wave },
    }),
  ]);
}

export function endRoundStatements(ctx: AppContext, round: Round): BatchStatement[] {
  const now = ctx.now();
  return [
    ctx.db
      .update(confirmationRound)
      .set({ status: "closed", nextDate: null, endDate: now, modifiedDate: now, version: round.version + 1 })
      .where(eq(confirmationRound.id, round.id)),
    audit(ctx, { action: "round.close", targetId: round.id }),
  ];
}

const endRound = (ctx: AppContext, round: Round) =>
  runGuardedBatch(ctx, [isUnmoved(round)], endRoundStatements(ctx, round));

/** Applies the filter again; only the new round repeats from now on. */
async function beginNextRound(ctx: AppContext, round: Round): Promise<void> {
  const now = ctx.now();
  const id = crypto.randomUUID();
  const end = roundEnd(now, round.reminderDays);
  const text = await waveText(ctx, 0, end);
  await runGuardedBatch(ctx, isUnmoved(round), [
    ctx.db
      .update(confirmationRound)
      .set({ repeatDate: null, version: round.version + 1 })
      .where(and(eq(confirmationRound.id, round.id), eq(confirmationRound.version, round.version))),
    ctx.db.insert(confirmationRound).values({
      id,
      target: round.target,
      status: "open",
      reason: round.reason,
      reminderDays: round.reminderDays,
      waves: 1,
      startDate: now,
      nextDate: new Date(now.getTime() + round.reminderDays * DAY_MS),
      endDate: end,
      repeatDate: yearAfter(now),
      createdUserId: round.createdUserId,
      createdDate: now,
      modifiedDate: now,
    }),
    ...beginWaveStatements(ctx, waveMailing(ctx, round, text, { roundId: id }), {
      action: "round.start",
      targetId: id,
      detail: { after: round.id },
    }),
  ]);
}

export function yearAfter(date: Date, now = date): Date {
  const inYear = (year: number) => new Date(new Date(date).setUTCFullYear(year));
  const next = inYear(now.getUTCFullYear());
  return next > now ? next : inYear(now.getUTCFullYear() + 1);
}
