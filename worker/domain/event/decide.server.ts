import { eq, sql } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import { eventRegistration } from "#db/schema/event.ts";
import {
  type AttendanceMark,
  EVENT_DESK,
  isMarked,
  REGISTRATION_MESSAGES,
  SAME_SCAN_MS,
  takesMark,
} from "#worker/contract/event/event.ts";
import type { addRegistrationInput, attendanceInput, decideRegistrationInput } from "#worker/contract/event/input.ts";
import { invalidInput, type NewVersion } from "#worker/contract/kernel/errors.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";
import type { ItemPath } from "../board/view.server.ts";
import { caseMissing, requireCase, runCommand } from "../kernel/desk.server.ts";
import { type BatchGuard, conflict, refuseExisting, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { auditRegistration, DESK } from "./desk.server.ts";
import {
  authorizeEvents,
  isHeld,
  letterFieldsOf,
  type OpenedEvent,
  requireEvent,
  requireReadable,
} from "./event-item.server.ts";
import { chargeFees, releaseFees, requireFee } from "./fee.server.ts";
import { letterTo } from "./person.server.ts";
import { addPlaceIfFull, prepareMoveUp } from "./queue.server.ts";
import { registeredLetter } from "./registered-letter.server.ts";
import { notYetGuards } from "./registrant.server.ts";
import { newRegistration } from "./registration.server.ts";

type Registration = typeof eventRegistration.$inferSelect;

function decisionLetter(
  ctx: AppContext,
  found: OpenedEvent,
  row: Registration,
  command: keyof typeof EVENT_DESK.letters,
  reason: string,
) {
  return letterTo(ctx, row, (write, 이름) => {
    const fields = { 이름, ...letterFieldsOf(ctx, found, row) };
    return command === "moveUp"
      ? write(EVENT_DESK.letters.moveUp, fields)
      : write(EVENT_DESK.letters.cancelByOffice, { ...fields, 사유: reason });
  });
}

/** Ahead of the queue; adds a place where none is free. @throws AppError NOT_FOUND, CONFLICT */
export async function moveUpRegistration(
  ctx: AppContext,
  id: string,
  { reason, version }: Parsed<typeof decideRegistrationInput>,
): Promise<NewVersion> {
  const row = await requireCase(ctx, DESK, "moveUp", id);
  const found = await requireReadable(ctx, row);
  if (!isHeld(found)) throw conflict(REGISTRATION_MESSAGES.closed);
  await runCommand(ctx, DESK, "moveUp", row, {
    version,
    set: { reason, modifiedDate: ctx.now() },
    parts: [
      addPlaceIfFull(ctx, row.itemId),
      chargeFees(ctx, sql`${id}`),
      await decisionLetter(ctx, found, row, "moveUp", reason),
      ...auditRegistration(ctx, found, row.userId, { action: "event.moveUp", reason }),
    ],
  });
  return { version: version + 1 };
}

/** With a letter; the first in the queue gets the place. */
export async function cancelWithReason(
  ctx: AppContext,
  found: OpenedEvent,
  row: Registration,
  { reason, ...change }: { reason: string; version?: number; guards?: BatchGuard[] },
): Promise<void> {
  const moveUp = await prepareMoveUp(ctx, found);
  await runCommand(ctx, DESK, "cancelByOffice", row, {
    ...change,
    set: { reason, modifiedDate: ctx.now() },
    parts: [
      ...moveUp(row.id),
      ...releaseFees(ctx, sql`${row.id}`),
      await decisionLetter(ctx, found, row, "cancelByOffice", reason),
      ...auditRegistration(ctx, found, row.userId, { action: "event.cancelByOffice", reason }),
    ],
  });
}

/** The first in the queue gets the place. @throws AppError NOT_FOUND, CONFLICT */
export async function cancelByOffice(
  ctx: AppContext,
  id: string,
  { reason, version }: Parsed<typeof decideRegistrationInput>,
): Promise<NewVersion> {
  const row = await requireCase(ctx, DESK, "cancelByOffice", id);
  const found = await requireReadable(ctx, row);
  await cancelWithReason(ctx, found, row, { reason, version });
  return { version: version + 1 };
}

/** A member who asked by phone or at the door; adds a place where none is free. @throws AppError ALREADY_EXISTS, INVALID_INPUT */
export async function addRegistration(
  ctx: AppContext,
  path: ItemPath,
  { who, feeCode, reason, isPresent }: Parsed<typeof addRegistrationInput>,
): Promise<{ id: string }> {
  authorizeEvents(ctx);
  const found = await requireEvent(ctx, path);
  if (!isHeld(found)) throw conflict(REGISTRATION_MESSAGES.closed);
  if (isPresent) requireMark(found, "present");
  const [person] = await ctx.db
    .select({ id: user.id })
    .from(user)
    .where(
      sql`${user.status} = 'active' AND ${user.id} IN (SELECT user_id FROM user_key WHERE user_key_code = ${who.toLowerCase()})`,
    );
  if (!person) throw invalidInput({ who: REGISTRATION_MESSAGES.memberMissing });
  const { id: userId } = person;
  const state = isPresent ? { status: "present" as const, attendedDate: ctx.now() } : { status: "confirmed" as const };
  const given = { ...state, userId, answers: {}, reason, ...requireFee(found, feeCode) };
  const { row, parts } = newRegistration(ctx, found, given);
  const letter = isPresent ? null : await registeredLetter(ctx, found, row, "confirmed");
  const { id } = row;
  await refuseExisting(REGISTRATION_MESSAGES.registered, () =>
    runGuardedBatch(ctx, notYetGuards(found, { userId }).slice(1), [
      addPlaceIfFull(ctx, found.item.id),
      ...parts,
      letter,
      ...auditRegistration(ctx, found, userId, { action: "event.add", reason }),
      ...storeIdempotentAnswer(ctx, { id }),
    ]),
  );
  return { id };
}

function requireMark({ event: { attendance } }: OpenedEvent, mark: AttendanceMark): void {
  if (!takesMark(attendance, mark)) throw conflict(REGISTRATION_MESSAGES.unmarkable);
}

/** The times that a mark sets. */
const timesOf = (mark: AttendanceMark, now: Date) =>
  mark === "leave" ? { leftDate: now } : { attendedDate: mark === "present" ? now : null, leftDate: null };

/** The last scan is a minute ago. */
const laterGuard = (id: string, now: Date): BatchGuard => ({
  holds: sql`EXISTS (SELECT 1 FROM event_registration WHERE id = ${id}
    AND coalesce(left_date, attended_date, 0) <= ${now.getTime() - SAME_SCAN_MS})`,
  error: conflict,
});

const attendanceView = (row: Registration, already: boolean) => ({
  ...fieldsOf(row, "status", "attendedDate", "leftDate"),
  /** Marked so before, perhaps by somebody at another door. */
  already,
});

/** Once a person, however often and by whomever it is tapped. @throws AppError NOT_FOUND, CONFLICT */
export async function markAttendance(ctx: AppContext, id: string, { mark }: Parsed<typeof attendanceInput>) {
  authorizeEvents(ctx);
  const row = await requireRegistration(ctx, id);
  const found = await requireReadable(ctx, row);
  requireMark(found, mark);
  const now = ctx.now();
  if (isMarked(mark, row, now)) return attendanceView(row, true);
  if (row.status === "waiting") throw conflict(REGISTRATION_MESSAGES.stillWaiting);
  await requireCase(ctx, DESK, mark, id);
  const times = timesOf(mark, now);
  try {
    await runCommand(ctx, DESK, mark, row, {
      set: { ...times, modifiedDate: now },
      guards: mark === "leave" ? [laterGuard(id, now)] : [],
      parts: auditRegistration(ctx, found, row.userId, { action: "event.attend", detail: { status: mark } }),
    });
  } catch (error) {
    const latest = await requireRegistration(ctx, id);
    if (!isMarked(mark, latest, now)) throw error;
    return attendanceView(latest, true);
  }
  return attendanceView(await requireRegistration(ctx, id), false);
}

async function requireRegistration(ctx: AppContext, id: string): Promise<Registration> {
  const [row] = await ctx.db.select().from(eventRegistration).where(eq(eventRegistration.id, id));
  if (!row) throw caseMissing(DESK);
  return row;
}
