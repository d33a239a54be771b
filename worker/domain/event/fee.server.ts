import { eq, type SQL, sql } from "drizzle-orm";
import { eventRegistration } from "#db/schema/event.ts";
import { deposit, due } from "#db/schema/alumni-dues.ts";
import {
  type DueAmounts,
  dueState,
  FEE_PERIOD,
  formatWon,
  openAmount,
  payDigits,
} from "#worker/contract/alumni/dues/dues.ts";
import { type EventFee, type FeeState, REGISTRATION_MESSAGES } from "#worker/contract/event/event.ts";
import type { refundFeeInput } from "#worker/contract/event/input.ts";
import type { FeePayment, RegistrationFee } from "#worker/contract/event/view.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { daysLater } from "#worker/contract/kernel/day-ends.ts";
import { longDayTexts } from "#worker/contract/kernel/korea.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import { formatCount } from "#worker/contract/kernel/wording.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import { IS_OPEN_DUE, payAccountOf } from "../alumni/dues/person.server.ts";
import { authorizeDues, recountStatements } from "../alumni/dues/work.server.ts";
import { ownEntriesSql } from "../alumni/own-entry.server.ts";
import { caseMissing } from "../kernel/desk.server.ts";
import { type BatchGuard, type BatchPart, conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { settingStatement } from "../kernel/setting.server.ts";
import { auditRegistration, DESK } from "./desk.server.ts";
import { authorizeEvents, type OpenedEvent, requireReadable } from "./event-item.server.ts";

type Registration = typeof eventRegistration.$inferSelect;
type Owed = DueAmounts & { dueDay: string; name: string };

/** What is owed and paid of a registration's fee, as JSON. */
export const owedSql = sql<
  string | null
>`(SELECT json_object('amount', amount, 'paid', paid, 'isExempt', is_exempt, 'dueDay', due_day, 'name', name)
  FROM due WHERE due.id = "event_registration"."id")`;

export function feeView(
  fees: readonly EventFee[],
  { feeCode, fee }: Pick<Registration, "feeCode" | "fee">,
  owed: string | null,
): RegistrationFee | null {
  if (feeCode === "") return null;
  const name = fees.find(({ code }) => code === feeCode)?.name ?? "";
  if (owed === null) return { name, amount: fee, paid: 0, state: null, dueDay: "" };
  const { paid, dueDay, ...rest } = JSON.parse(owed) as Owed;
  return { name, amount: fee, paid, state: dueState({ ...rest, paid }), dueDay };
}

/** A fee of which nothing was paid, after its day. @param today a Korean day */
export const isOpenFeeSql = (today: string): SQL =>
  sql`EXISTS (SELECT 1 FROM due WHERE due.id = "event_registration"."id" AND NOT due.is_exempt AND due.paid = 0
    AND due.amount > 0 AND due.due_day <> '' AND due.due_day < ${today})`;

/** Registrations whose fee is in a state. */
export const hasFeeState = (state: FeeState): SQL =>
  sql`EXISTS (SELECT 1 FROM due WHERE due.id = "event_registration"."id" AND ${IN_STATE[state]})`;

const IS_CANCELLED = sql`"event_registration"."status" = 'cancelled'`;
const IN_STATE: Record<FeeState, SQL> = {
  unpaid: IS_OPEN_DUE,
  paid: sql`NOT ${IS_OPEN_DUE} AND NOT ${IS_CANCELLED}`,
  refund: sql`due.paid > 0 AND ${IS_CANCELLED}`,
};

/** The fee of a code that the caller chose. @throws AppError INVALID_INPUT */
export function requireFee({ event: { fees } }: OpenedEvent, feeCode: string): Pick<Registration, "feeCode" | "fee"> {
  const chosen = fees.find(({ code }) => code === feeCode);
  if (!chosen && (fees.length > 0 || feeCode !== ""))
    throw invalidInput({ feeCode: REGISTRATION_MESSAGES[feeCode === "" ? "feeMissing" : "feeNotTheirs"] });
  return { feeCode, fee: chosen?.amount ?? 0 };
}

const entryOf = (userId: SQL) => sql`(SELECT min(id) FROM ${ownEntriesSql(userId)})`;

/** Owes the fee of registrations that get a place, once each. @param which a query of their ids */
export const chargeFees = (ctx: Pick<AppContext, "db" | "now">, which: SQL) => {
  const now = ctx.now().getTime();
  const entry = entryOf(sql`r.user_id`);
  // In the order of the table's columns.
  const rows = sql`SELECT r.id, coalesce(${entry}, r.id), r.id,
      strftime('%Y', e.created_date / 1000 + 32400, 'unixepoch') || ${FEE_PERIOD} || e.item_id, r.fee, 0, 0, '',
      coalesce(date(${now} / 1000 + 32400, 'unixepoch', e.fee_days || ' days'), ''),
      iif(${entry} IS NULL, coalesce(nullif(r.guest_name, ''), u.user_name, ''), ''), NULL, 0, '', ${now}, ${now}, 1
    FROM event_registration r JOIN event e ON e.item_id = r.item_id LEFT JOIN user u ON u.id = r.user_id
    WHERE r.fee > 0 AND r.id IN (${which})`;
  return ctx.db.insert(due).select(rows).onConflictDoNothing();
};

/** Of cancelled registrations: nothing more is owed, and what was paid waits to be given back. @param which a query of their ids */
export const releaseFees = (ctx: Pick<AppContext, "db">, which: SQL): BatchPart[] => [
  ctx.db.run(sql`DELETE FROM due WHERE id IN (${which}) AND paid = 0`),
  ctx.db.run(sql`UPDATE due SET amount = paid, version = version + 1 WHERE id IN (${which}) AND amount > paid`),
];

/** Where a registration's open fee is paid; null where nothing is open. */
export function feePayment(id: string, owed: string | null, site: { value: unknown } | undefined): FeePayment | null {
  if (owed === null) return null;
  const { name, ...amounts } = JSON.parse(owed) as Owed;
  const open = openAmount(amounts);
  return open > 0 ? { ...payAccountOf(site), open, payName: name + payDigits(id) } : null;
}

/** The name under which a member pays: that of their entry in the address book, or their own. */
const payerNameSql = (userId: string) =>
  sql<string>`coalesce((SELECT name FROM alumni WHERE id = ${entryOf(sql`${userId}`)}), (SELECT user_name FROM user WHERE id = ${userId}), '')`;

/** Lines of a letter about a fee that is owed; null without one. */
export async function feeTexts(
  ctx: AppContext,
  { event: { fees, feeDays } }: OpenedEvent,
  { id, userId, guestName, feeCode, fee }: Pick<Registration, "id" | "userId" | "guestName" | "feeCode" | "fee">,
  /** When the place was given; null once the last day is over. */
  from: Date | null = ctx.now(),
): Promise<Record<Language, string> | null> {
  if (fee === 0) return null;
  const [[site], [payer]] = await ctx.db.batch([
    settingStatement(ctx.db, "site"),
    ctx.db.select({ name: payerNameSql(userId).as("payer_name") }).from(sql`(SELECT 1)`),
  ]);
  const { account, holder, guide } = payAccountOf(site);
  const kind = fees.find(({ code }) => code === feeCode)?.name ?? "";
  const payName = `${guestName || (payer?.name ?? "")}${payDigits(id)}`;
  const lastDay = feeDays === null || from === null ? null : longDayTexts(daysLater(from, feeDays));
  const lines = (...texts: (string | null)[]) => texts.filter(Boolean).join("\n");
  return {
    ko: lines(
      `참가비: ${kind} ${formatWon(fee)}`,
      account && `계좌: ${account}${holder && ` (예금주 ${holder})`}`,
      `입금자명: ${payName}`,
      lastDay && `납부 기한: ${lastDay.ko}`,
      guide,
    ),
    en: lines(
      `Fee: ${kind}, ${formatCount(fee)} won`,
      account && `Bank account: ${account}${holder && ` (${holder})`}`,
      `Name to give as the sender: ${payName}`,
      lastDay && `To be paid by: ${lastDay.en}`,
      guide,
    ),
  };
}

/** Marks the money of a cancelled registration as given back: its deposits pay nothing any more. @throws AppError NOT_FOUND, CONFLICT */
export async function refundFee(
  ctx: AppContext,
  id: string,
  { reason, paid }: Parsed<typeof refundFeeInput>,
): Promise<Record<string, never>> {
  authorizeEvents(ctx);
  authorizeDues(ctx);
  const [row] = await ctx.db.select().from(eventRegistration).where(eq(eventRegistration.id, id));
  if (!row) throw caseMissing(DESK);
  const found = await requireReadable(ctx, row);
  const ofFee = sql`due_id = ${id}`;
  const guards: BatchGuard[] = [
    {
      holds: sql`(SELECT status FROM event_registration WHERE id = ${id}) = 'cancelled'`,
      error: () => conflict(REGISTRATION_MESSAGES.refundOpen),
    },
    {
      holds: sql`(SELECT paid FROM due WHERE id = ${id}) = ${paid}`,
      error: () => conflict(REGISTRATION_MESSAGES.refundChanged),
    },
  ];
  await runGuardedBatch(ctx, guards, [
    ...recountStatements(ctx, ofFee, sql`NOT (${ofFee})`),
    ctx.db
      .update(deposit)
      .set({ isClosed: true, note: "참가비 환불", version: sql`${deposit.version} + 1` })
      .where(sql`id IN (SELECT deposit_id FROM due_allocation WHERE ${ofFee})`),
    ctx.db.run(sql`DELETE FROM due_allocation WHERE ${ofFee}`),
    ctx.db.delete(due).where(eq(due.id, id)),
    ...auditRegistration(ctx, found, row.userId, { action: "event.refund", reason, detail: { amount: paid } }),
  ]);
  return {};
}
