import { eq, sql } from "drizzle-orm";
import { userKey } from "#db/schema/account.ts";
import { mailAddress } from "#db/schema/mail.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { authorize } from "../kernel/authorize.server.ts";

/** The verified address of a person with what was said of mail there, as a statement of a batch. */
export const ownMailAddressStatement = (ctx: Pick<AppContext, "db">, userId: string) =>
  ctx.db
    .select({
      address: userKey.userKeyCode,
      refusedDate: mailAddress.refusedDate,
      complainedDate: mailAddress.complainedDate,
    })
    .from(userKey)
    .leftJoin(mailAddress, eq(mailAddress.address, userKey.userKeyCode))
    .where(
      sql`${userKey.userId} = ${userId} AND ${userKey.userKeyType} = 'Email' AND ${userKey.verifiedDate} IS NOT NULL`,
    );

/** Whether the office's mail to many goes there: refused by the way off in a mail, or complained of, it does not. */
export const isOfficeMailOn = (
  own: { refusedDate: Date | null; complainedDate: Date | null } | undefined,
): boolean | null => (own ? own.refusedDate === null && own.complainedDate === null : null);

/**
 * On or off by the person themselves, who is signed in with the address. On takes back their refusal and their complaint;
 * that mail bounced there stays known. @throws AppError INVALID_INPUT without a verified address
 */
export async function setOfficeMail(ctx: AppContext, userId: string, isOn: boolean): Promise<void> {
  authorize(ctx, { action: "User.Self", userId });
  const [own] = await ownMailAddressStatement(ctx, userId);
  if (!own) throw invalidInput({ office: "확인된 이메일이 없어 바꿀 수 없습니다." });
  if (isOfficeMailOn(own) === isOn) return;
  const set = isOn ? { refusedDate: null, complainedDate: null } : { refusedDate: ctx.now() };
  await ctx.db.batch([
    ctx.db
      .insert(mailAddress)
      .values({ address: own.address, ...set })
      .onConflictDoUpdate({ target: mailAddress.address, set }),
    // Of an address of which nothing is known any more no row is kept.
    ctx.db
      .delete(mailAddress)
      .where(
        sql`address = ${own.address} AND refused_date IS NULL AND complained_date IS NULL AND bounced_date IS NULL`,
      ),
    audit(ctx, {
      action: isOn ? "mailing.accept" : "mailing.refuse",
      targetType: "user",
      targetId: userId,
      subjectCount: 1,
    }),
  ]);
}
