import { and, eq, sql } from "drizzle-orm";
import { confirmationRound } from "#db/schema/mailing.ts";
import { unchanged } from "#db/sql.ts";
import type { AppContext, BatchStatement, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { readAges } from "#worker/domain/audit/ages.server.ts";
import type { ParsedAlumniSelection } from "#worker/contract/alumni/input.ts";
import type { createRoundInput, repeatRoundInput, startRoundInput } from "#worker/contract/mailing/input.ts";
import { siteSettings } from "#worker/contract/kernel/setting/site-setting.ts";
import { REMINDER_DAYS, ROUND_WAVES } from "#worker/contract/mailing/round.ts";
import { describeSegment, requireSegment } from "../alumni/segment.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { requireSignedIn } from "../kernel/authorize.server.ts";
import { type BatchGuard, conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { rendererOf, siteOf, templateStatements } from "../mail/render-template.server.ts";
import { SECRET_TOKEN_MARK } from "../mail/message.server.ts";
import { authorizeMailing } from "./mailing.server.ts";
import { stopNotices, stopReason } from "./stop.server.ts";
import type { MailingPerson } from "./people.server.ts";
import { countPeople, reachedOf, requireSamePeople } from "./preview-mailing.server.ts";
import { NO_TOKEN, renderMailing } from "./render-mailing.server.ts";
import { beginWaveStatements, type Round, roundEnd, waveMailing, waveText, writeWave } from "./round-wave.server.ts";

const EXAMPLE: MailingPerson = { personId: "", userId: null, address: "", cause: "", name: "홍길동" };

export const roundNotFound = () => new AppError("NOT_FOUND", { message: "정보 확인 요청을 찾을 수 없습니다." });

async function requireRound(ctx: AppContext, id: string): Promise<Round> {
  authorizeMailing(ctx, "alumni");
  const [row] = await ctx.db.select().from(confirmationRound).where(eq(confirmationRound.id, id));
  if (!row) throw roundNotFound();
  authorizeMailing(ctx, "alumni", row.target);
  return row;
}

const stillAs = (id: string, version: number, status: Round["status"]): BatchGuard => ({
  holds: sql`${unchanged(confirmationRound, id, version)} AND EXISTS (SELECT 1 FROM confirmation_round WHERE id = ${id} AND status = ${status})`,
  error: () => conflict("그사이 다른 관리자가 바꾸었습니다. 화면을 새로 확인해 주십시오."),
});

export async function createRound(
  ctx: AppContext,
  { target }: Parsed<typeof createRoundInput>,
): Promise<{ id: string }> {
  authorizeMailing(ctx, "alumni", target);
  requireSegment(ctx, target, { path: "target" });
  const id = crypto.randomUUID();
  const now = ctx.now();
  await ctx.db.batch([
    ctx.db.insert(confirmationRound).values({
      id,
      target,
      status: "draft",
      reminderDays: REMINDER_DAYS.standard,
      createdUserId: requireSignedIn(ctx).userId,
      createdDate: now,
      modifiedDate: now,
    }),
    ...storeIdempotentAnswer(ctx, { id }),
  ]);
  return { id };
}

/** Null for a started round. Counts people in a second step, because their filter comes with the round. */
export async function previewDraftRound(scope: RequestScope, id: string) {
  const { ctx, rows } = await scope.readFor((asked) => authorizeMailing(asked, "alumni"), [
    scope.db.select().from(confirmationRound).where(eq(confirmationRound.id, id)),
    ...templateStatements(scope.db),
  ] as const);
  const [[round], ...words] = rows;
  if (!round) throw roundNotFound();
  authorizeMailing(ctx, "alumni", round.target);
  if (round.status !== "draft") return null;
  const end = roundEnd(ctx.now(), round.reminderDays);
  const wave = waveMailing(ctx, round, writeWave(ctx, rendererOf(words, ctx.origin), 0, end));
  const frame = { site: siteSettings.parse(siteOf(words)), files: [], asked: null };
  const { subject, text } = renderMailing(ctx, wave, frame, EXAMPLE, NO_TOKEN);
  return {
    ...reachedOf(await countPeople(ctx, wave)),
    sample: { subject, text: text.replaceAll(SECRET_TOKEN_MARK, () => NO_TOKEN) },
  };
}

export type RoundPreview = NonNullable<View<typeof previewDraftRound>>;

/** @throws AppError CONFLICT for a started round */
export async function previewRound(scope: RequestScope, id: string): Promise<RoundPreview> {
  const preview = await previewDraftRound(scope, id);
  if (!preview) throw conflict("이미 시작한 정보 확인입니다.");
  return preview;
}

/** Freezes the recipients and sends the first mail; the version lets one of two parallel calls win. */
export async function startRound(
  ctx: AppContext,
  id: string,
  { version, count, reminderDays, repeats, reason }: Parsed<typeof startRoundInput>,
): Promise<{ count: number }> {
  const round = { ...(await requireRound(ctx, id)), reason, createdUserId: requireSignedIn(ctx).userId };
  const draft = stillAs(id, version, "draft");
  if (round.status !== "draft" || round.version !== version) throw draft.error();
  if (repeats && "ids" in round.target)
    throw invalidInput({
      repeats: "한 사람씩 고른 요청은 해마다 되풀이할 수 없습니다. 조건으로 찾아 시작해 주십시오.",
    });
  requireSegment(ctx, round.target as ParsedAlumniSelection, { path: "target" });
  const now = ctx.now();
  const end = roundEnd(now, reminderDays);
  const text = await waveText(ctx, 0, end);
  const { all, sameCount } = await requireSamePeople(ctx, waveMailing(ctx, round, text), count);
  const guards = [draft, sameCount];
  await runGuardedBatch(ctx, guards, [
    ctx.db
      .update(confirmationRound)
      .set({
        status: "open",
        reason,
        createdUserId: round.createdUserId,
        reminderDays,
        waves: 1,
        startDate: now,
        nextDate: new Date(now.getTime() + reminderDays * DAY_MS),
        endDate: end,
        repeatDate: repeats ? yearAfter(now) : null,
        modifiedDate: now,
        version: version + 1,
      })
      .where(eq(confirmationRound.id, id)),
    ...beginWaveStatements(ctx, waveMailing(ctx, round, text, { roundId: id }), round, {
      action: "round.start",
      targetId: id,
      reason,
      detail: {
        ...describeSegment(ctx, round.target as ParsedAlumniSelection),
        leftOut: all - count,
        reminderDays,
        repeats,
      },
    }),
  ]);
  return { count };
}

export async function closeRound(ctx: AppContext, id: string, version: number): Promise<Record<string, never>> {
  const round = await requireRound(ctx, id);
  await runGuardedBatch(ctx, [stillAs(id, version, "open")], endRoundStatements(ctx, { ...round, version }));
  return {};
}

export async function repeatRound(
  ctx: AppContext,
  id: string,
  { version, repeats }: Parsed<typeof repeatRoundInput>,
): Promise<{ version: number }> {
  const round = await requireRound(ctx, id);
  if (repeats && "ids" in round.target)
    throw invalidInput({ repeats: "한 사람씩 고른 요청은 해마다 되풀이할 수 없습니다." });
  if (round.startDate === null) throw conflict("아직 시작하지 않았습니다.");
  await runGuardedBatch(ctx, unchanged(confirmationRound, id, version), [
    ctx.db
      .update(confirmationRound)
      .set({ repeatDate: repeats ? yearAfter(round.startDate, ctx.now()) : null, version: version + 1 })
      .where(eq(confirmationRound.id, id)),
    audit(ctx, { action: "round.repeat", targetId: id, detail: { repeats } }),
  ]);
  return { version: version + 1 };
}

export async function deleteRound(ctx: AppContext, id: string, version: number): Promise<Record<string, never>> {
  await requireRound(ctx, id);
  await runGuardedBatch(ctx, stillAs(id, version, "draft"), [
    ctx.db.delete(confirmationRound).where(eq(confirmationRound.id, id)),
    audit(ctx, { action: "round.delete", targetId: id }),
  ]);
  return {};
}

export async function deleteOldRoundDrafts(ctx: Pick<AppContext, "db" | "now">): Promise<void> {
  const ages = await readAges(ctx);
  await ctx.db
    .delete(confirmationRound)
    .where(sql`status = 'draft' AND modified_date < ${ages.before("round-draft").getTime()}`);
}

const ROUNDS_PER_RUN = 5;

/** Sends reminders, ends and repeats due rounds; a guard per batch lets one of two parallel runs win. */
export async function runRounds(ctx: AppContext): Promise<void> {
  const now = ctx.now().getTime();
  const due = await ctx.db
    .select()
    .from(confirmationRound)
    .where(
      sql`(status = 'open' AND (end_date < ${now} OR next_date <= ${now})) OR (repeat_date <= ${now} AND status <> 'draft')`,
    )
    .limit(ROUNDS_PER_RUN);
  for (const round of due) {
    try {
      const isOver = round.status === "open" && round.endDate !== null && round.endDate.getTime() < now;
      const reason = isOver ? null : await stopReason(ctx, { ...round, source: "alumni" });
      if (isOver) await endRound(ctx, round);
      else if (reason !== null) await stopRound(ctx, round, reason);
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
    ...beginWaveStatements(ctx, waveMailing(ctx, round, text, { wave, roundId: round.id }), round, {
      action: "round.remind",
      targetId: round.id,
      detail: { wave },
    }),
  ]);
}

function endRoundStatements(ctx: AppContext, round: Round): BatchStatement[] {
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

/** Ends the round and its repetition, and tells the administrators. */
async function stopRound(ctx: AppContext, round: Round, reason: string): Promise<void> {
  const now = ctx.now();
  const isOpen = round.status === "open";
  const notices = await stopNotices(ctx, {
    subject: "정보 확인 요청을 멈추었습니다",
    what: isOpen
      ? "정보 확인 요청을 멈추었습니다. 다시 묻는 메일을 보내지 않습니다."
      : "해마다 되풀이하던 정보 확인 요청을 멈추었습니다. 아무에게도 보내지 않았습니다.",
    reason,
    path: `/Admin/Rounds/${round.id}`,
  });
  await runGuardedBatch(ctx, isUnmoved(round), [
    ctx.db
      .update(confirmationRound)
      .set({
        ...(isOpen ? { status: "closed", nextDate: null, endDate: now } : {}),
        repeatDate: null,
        modifiedDate: now,
        version: round.version + 1,
      })
      .where(eq(confirmationRound.id, round.id)),
    audit(ctx, { action: "round.close", targetId: round.id, detail: { cause: reason } }),
    ...notices,
  ]);
}

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
    ...beginWaveStatements(ctx, waveMailing(ctx, round, text, { roundId: id }), round, {
      action: "round.start",
      targetId: id,
      detail: { after: round.id },
    }),
  ]);
}

function yearAfter(date: Date, now = date): Date {
  const inYear = (year: number) => new Date(new Date(date).setUTCFullYear(year));
  const next = inYear(now.getUTCFullYear());
  return next > now ? next : inYear(now.getUTCFullYear() + 1);
}
