import { eq, sql } from "drizzle-orm";
import { confirmationRound } from "#db/schema/mailing.ts";
import { unchanged } from "#db/sql.ts";
import type { AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import type { ParsedAlumniSelection } from "#worker/contract/alumni/input.ts";
import type { createRoundInput, repeatRoundInput, startRoundInput } from "#worker/contract/mailing/input.ts";
import { siteSettings } from "#worker/contract/kernel/site-setting.ts";
import { REMINDER_DAYS } from "#worker/contract/mailing/round.ts";
import { describeSegment } from "../alumni/segment.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { requireSignedIn } from "../kernel/authorize.server.ts";
import { type BatchGuard, conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { rendererOf, siteOf, templateStatements } from "../mail/render-template.server.ts";
import { SECRET_TOKEN_MARK } from "../mail/message.server.ts";
import { authorizeMailing } from "./mailing.server.ts";
import type { MailingPerson } from "./people.server.ts";
import { countPeople, reachedOf, requireSamePeople } from "./preview-mailing.server.ts";
import { renderMailing } from "./render-mailing.server.ts";
import {
  beginWaveStatements,
  endRoundStatements,
  type Round,
  roundEnd,
  waveMailing,
  waveText,
  writeWave,
  yearAfter,
} from "./round-wave.server.ts";

const EXAMPLE: MailingPerson = { personId: "", userId: null, address: "", cause: "", name: "홍길동" };

const DRAFT_DAYS = 30;

export const roundNotFound = () => new AppError("NOT_FOUND", { message: "정보 확인 요청을 찾을 수 없습니다." });

export async function requireRound(ctx: AppContext, id: string): Promise<Round> {
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
  const mailing = waveMailing(ctx, round, writeWave(ctx, rendererOf(words, ctx.origin), 0, end));
  const frame = { site: siteSettings.parse(siteOf(words)), files: [] };
  const { subject, text } = renderMailing(ctx, mailing, frame, EXAMPLE, "…");
  return {
    ...reachedOf(await countPeople(ctx, mailing)),
    sample: { subject, text: text.replaceAll(SECRET_TOKEN_MARK, "…") },
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
  const round = { ...(await requireRound(ctx, id)), reason };
  const draft = stillAs(id, version, "draft");
  if (round.status !== "draft" || round.version !== version) throw draft.error();
  if (repeats && "ids" in round.target)
    throw invalidInput({
      repeats: "한 사람씩 고른 요청은 해마다 되풀이할 수 없습니다. 조건으로 찾아 시작해 주십시오.",
    });
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
    ...beginWaveStatements(ctx, waveMailing(ctx, round, text, { roundId: id }), {
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
  await ctx.db
    .delete(confirmationRound)
    .where(sql`status = 'draft' AND modified_date < ${ctx.now().getTime() - DRAFT_DAYS * DAY_MS}`);
}
