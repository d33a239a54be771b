import { eq, sql } from "drizzle-orm";
import { idsIn } from "#db/sql.ts";
import { userKey } from "#db/schema/account.ts";
import { mailAddress } from "#db/schema/mail.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { authorize } from "../kernel/authorize.server.ts";

export const ownMailAddressStatement = (ctx: Pick<AppContext, "db">, userId: string) =>
  ctx.db
    .select({
      type: userKey.userKeyType,
      address: userKey.userKeyCode,
      refusedDate: mailAddress.refusedDate,
      complainedDate: mailAddress.complainedDate,
    })
    .from(userKey)
    .leftJoin(mailAddress, eq(mailAddress.address, userKey.userKeyCode))
    .where(
      sql`${userKey.userId} = ${userId} AND ${userKey.userKeyType} IN ('Email', 'Mobile') AND ${userKey.verifiedDate} IS NOT NULL`,
    );

type OwnMailAddress = Awaited<ReturnType<typeof ownMailAddressStatement>>[number];

const isOnAt = ({ refusedDate, complainedDate }: OwnMailAddress) => refusedDate === null && complainedDate === null;

export const isOfficeMailOn = (own: readonly OwnMailAddress[]): boolean | null =>
  own.length === 0 ? null : own.every(isOnAt);

/**
 * Switching on clears the refusal and the complaint; a bounce stays recorded. @throws AppError INVALID_INPUT without a
 * verified address or number
 */
export async function setOfficeMail(ctx: AppContext, userId: string, isOn: boolean): Promise<void> {
  authorize(ctx, { action: "User.Self", userId });
  const own = await ownMailAddressStatement(ctx, userId);
  if (own.length === 0) throw invalidInput({ office: "확인된 이메일이나 휴대전화가 없어 바꿀 수 없습니다." });
  const changed = own.filter((each) => isOnAt(each) !== isOn).map(({ address }) => address);
  if (changed.length === 0) return;
  const set = isOn ? { refusedDate: null, complainedDate: null } : { refusedDate: ctx.now() };
  await ctx.db.batch([
    ctx.db
      .insert(mailAddress)
      .values(changed.map((address) => ({ address, ...set })))
      .onConflictDoUpdate({ target: mailAddress.address, set }),
    ctx.db
      .delete(mailAddress)
      .where(
        sql`${idsIn(mailAddress.address, changed)} AND refused_date IS NULL AND complained_date IS NULL AND bounced_date IS NULL`,
      ),
    audit(ctx, {
      action: isOn ? "mailing.accept" : "mailing.refuse",
      targetType: "user",
      targetId: userId,
      subjectCount: 1,
    }),
  ]);
}
