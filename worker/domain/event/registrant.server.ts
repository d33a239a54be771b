import { type SQL, sql } from "drizzle-orm";
import type { eventRegistration } from "#db/schema/event.ts";
import { REGISTRATION_MESSAGES } from "#worker/contract/event/event.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { BatchGuard } from "../kernel/guarded-batch.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import type { OpenedEvent } from "./event-item.server.ts";

type Registration = typeof eventRegistration.$inferSelect;

export type Registrant = Pick<Registration, "userId"> & Partial<Pick<Registration, "guestEmail">>;

/** Registrations under the same address: of a guest who has an account since, or of a member who comes as a guest. */
const sameAddressSql = ({ userId, guestEmail = "" }: Registrant): SQL =>
  guestEmail === ""
    ? sql`(guest_email <> '' AND guest_email IN (${ownAddresses(sql`${userId}`)}))`
    : sql`user_id IN (SELECT user_id FROM user_key WHERE user_key_type = 'Email' AND user_key_code = ${guestEmail} AND verified_date IS NOT NULL)`;

/** Of an account. */
export const ownAddresses = (userId: SQL): SQL =>
  sql`SELECT user_key_code FROM user_key WHERE user_id = ${userId} AND user_key_type = 'Email' AND verified_date IS NOT NULL`;

/** Neither the person nor the address is registered yet. */
export const notYetGuards = ({ item }: OpenedEvent, who: Registrant): BatchGuard[] => {
  const refuse = (registered: SQL, message: string): BatchGuard => ({
    holds: sql`NOT EXISTS (SELECT 1 FROM event_registration WHERE item_id = ${item.id} AND ${registered} AND status <> 'cancelled')`,
    error: () => new AppError("ALREADY_EXISTS", { message }),
  });
  const { twice, twiceAsGuest, twiceAsMember } = REGISTRATION_MESSAGES;
  return [
    refuse(sql`user_id = ${who.userId}`, twice),
    refuse(sameAddressSql(who), who.guestEmail ? twiceAsMember : twiceAsGuest),
  ];
};

/** @throws AppError TOO_MANY_REQUESTS, which tells a guest of the address */
export async function countRegistration(ctx: AppContext, { userId, guestEmail }: Registrant): Promise<void> {
  await countLimits(ctx, ["registrationDay", userId]).catch((error: unknown) => {
    if (!guestEmail || !(error instanceof AppError) || error.retryAfterSeconds === undefined) throw error;
    const { code, message, retryAfterSeconds } = error;
    throw new AppError(code, { message: `이메일 ${guestEmail}: ${message}`, retryAfterSeconds, cause: error });
  });
}
