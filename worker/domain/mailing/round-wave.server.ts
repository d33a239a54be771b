import { type confirmationRound, mailing } from "#db/schema/mailing.ts";
import type { AppContext, BatchStatement } from "#worker/domain/kernel/context.ts";
import { koreanLongDay } from "#worker/contract/kernel/korea.ts";
import { daysLater } from "#worker/contract/kernel/day-ends.ts";
import type { MailTemplateText } from "#worker/contract/mail/templates.ts";
import { CONFIRMATION_PATH, REMINDER_DAYS, ROUND_WAVES } from "#worker/contract/mailing/round.ts";
import { type AuditEntry, auditPeople } from "../kernel/audit-entry.server.ts";
import { SECRET_TOKEN_MARK } from "../mail/message.server.ts";
import { loadTemplateRenderer, type TemplateRenderer } from "../mail/render-template.server.ts";
import { countFrozenStatement, freezeStatement, frozenPeople, sentTarget } from "./frozen-people.server.ts";
import { duesFilterOf, type Mailing } from "./people.server.ts";

export type Round = typeof confirmationRound.$inferSelect;

export const roundEnd = (start: Date, reminderDays: number) => daysLater(start, ROUND_WAVES * reminderDays);

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
    isQuestion: true,
    wave,
    people: 0,
    question: null,
    answerUntil: null,
    questionId: null,
  };
}

export const beginWaveStatements = (
  ctx: AppContext,
  { isQuestion: _isQuestion, ...wave }: Mailing,
  { target }: Pick<Round, "target">,
  entry: Omit<AuditEntry, "targetType" | "subjectCount">,
): BatchStatement[] => [
  ctx.db.insert(mailing).values({ ...wave, target: sentTarget(ctx, { source: "alumni", target }) }),
  freezeStatement(ctx, wave),
  countFrozenStatement(ctx, wave.id),
  ...auditPeople(ctx, { targetType: "round", ...entry }, frozenPeople(wave.id)),
];

/** A round of these people without reminders, which asks them about their entry. */
export async function askStatements(ctx: AppContext, target: { ids: string[] }, createdUserId: string) {
  const now = ctx.now();
  const reminderDays = REMINDER_DAYS.standard;
  const end = roundEnd(now, reminderDays);
  const round = {
    id: crypto.randomUUID(),
    target,
    status: "open" as const,
    reason: "바뀐 이메일의 확인",
    reminderDays,
    waves: ROUND_WAVES,
    startDate: now,
    nextDate: null,
    endDate: end,
    repeatDate: null,
    createdUserId,
    createdDate: now,
    modifiedDate: now,
  };
  const wave = waveMailing(ctx, round, await waveText(ctx, 0, end), { roundId: round.id });
  const entry = { action: "round.start" as const, targetId: round.id, reason: round.reason };
  return { round, statements: beginWaveStatements(ctx, wave, round, entry) };
}
