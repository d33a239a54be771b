import { asc, eq, sql } from "drizzle-orm";
import { boardItem } from "#db/schema/board.ts";
import { event, eventRegistration } from "#db/schema/event.ts";
import { REGISTRATION_LIMITS, REGISTRATION_MESSAGES } from "#worker/contract/event/event.ts";
import { addDays } from "#worker/contract/board/event-rules.ts";
import { daysLater } from "#worker/contract/kernel/day-ends.ts";
import { koreanDay, longDayTexts } from "#worker/contract/kernel/korea.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { cancelWithReason } from "./decide.server.ts";
import { auditRegistration } from "./desk.server.ts";
import { eventOfCase, isHeld, letterFieldsOf } from "./event-item.server.ts";
import { feeTexts, isOpenFeeSql } from "./fee.server.ts";
import { letterTo } from "./person.server.ts";

/** Registrations of a run; the next one comes ten minutes later. */
const RUN_MAX = 20;

const { graceDays } = REGISTRATION_LIMITS;

type Registration = typeof eventRegistration.$inferSelect;
type Unpaid = Awaited<ReturnType<typeof findUnpaid>>[number];

/** Confirmed registrations whose fee is open after its day, before their event, which is held, begins. */
const findUnpaid = (ctx: AppContext) =>
  ctx.db
    .select({
      registration: eventRegistration,
      cancels: sql<number>`${event.cancelsUnpaid}`.as("cancels_unpaid_now"),
    })
    .from(eventRegistration)
    .innerJoin(event, eq(event.itemId, eventRegistration.itemId))
    .innerJoin(boardItem, eq(boardItem.id, eventRegistration.itemId))
    .where(
      sql`${eventRegistration.status} = 'confirmed' AND ${isOpenFeeSql(koreanDay(ctx.now()))} AND ${boardItem.eventStart} > ${ctx.now().getTime()}
        AND ${boardItem.isEventCancelled} = 0 AND ${boardItem.deletedDate} IS NULL
        AND (${eventRegistration.feeRemindedDate} IS NULL OR ${event.cancelsUnpaid} AND ${eventRegistration.feeRemindedDate} < ${graceEnd(ctx)})`,
    )
    .orderBy(asc(eventRegistration.createdDate), asc(eventRegistration.id))
    .limit(RUN_MAX);

/** Letters from before this day have had their days. */
const graceEnd = ({ now }: AppContext): number => Date.parse(`${addDays(koreanDay(now()), -graceDays)}T00:00:00+09:00`);

async function remind(ctx: AppContext, { registration, cancels }: Unpaid): Promise<void> {
  const found = await eventOfCase(ctx, registration);
  const { id, userId } = registration;
  const fee = await feeTexts(ctx, found, registration, null);
  const last = longDayTexts(daysLater(ctx.now(), graceDays));
  const letter = await letterTo(ctx, registration, (write, 이름) =>
    write("eventFee", {
      이름,
      ...letterFieldsOf(ctx, found, registration),
      참가비: fee ?? "",
      안내: cancels
        ? {
            ko: `${last.ko}까지 확인되지 않으면 신청이 취소됩니다.`,
            en: `Without it by ${last.en}, your registration will be cancelled.`,
          }
        : { ko: "궁금하신 점은 사무국에 문의해 주십시오.", en: "If you have questions, please ask the office." },
    }),
  );
  await runGuardedBatch(
    ctx,
    sql`EXISTS (SELECT 1 FROM event_registration WHERE id = ${id} AND fee_reminded_date IS NULL AND status = 'confirmed')`,
    [
      ctx.db.update(eventRegistration).set({ feeRemindedDate: ctx.now() }).where(eq(eventRegistration.id, id)),
      isHeld(found) ? letter : null,
      ...auditRegistration(ctx, found, userId, { action: "event.remind" }),
    ],
  );
}

const cancel = async (ctx: AppContext, row: Registration): Promise<void> =>
  cancelWithReason(ctx, await eventOfCase(ctx, row), row, {
    reason: REGISTRATION_MESSAGES.unpaid,
    guards: [
      {
        holds: sql`EXISTS (SELECT 1 FROM due WHERE id = ${row.id} AND NOT is_exempt AND paid = 0)`,
        error: () => new AppError("CONFLICT"),
      },
    ],
  });

/** Reminds of unpaid fees once, and cancels those registrations some days later where the office chose so. */
export async function runEventFees(ctx: AppContext): Promise<void> {
  for (const unpaid of await findUnpaid(ctx)) {
    const act = unpaid.registration.feeRemindedDate === null ? remind(ctx, unpaid) : cancel(ctx, unpaid.registration);
    await act.catch((error: unknown) => {
      // Paid or cancelled meanwhile.
      if (!(error instanceof AppError && error.code === "CONFLICT")) throw error;
    });
  }
}
