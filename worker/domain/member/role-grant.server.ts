import { eq, sql } from "drizzle-orm";
import { role, roleGrant } from "#db/schema/access.ts";
import { user } from "#db/schema/account.ts";
import { unchanged } from "#db/sql.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { GrantRoleInput } from "#worker/contract/access/input.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { authorize } from "../kernel/authorize.server.ts";
import { authorizeAccounts } from "../access/account-authority.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { deliverMessageSoon } from "../mail/message.server.ts";
import { notifyAdministrators } from "../access/administrators.server.ts";
import { confirmConsoleEntry } from "../access/password-attempt.server.ts";
import { authorizeConsole, runGuardedBatch, conflict, koreanDayRange } from "../kernel/guarded-batch.server.ts";
import { memberNotFound } from "./list.server.ts";

async function requireGrantee(ctx: AppContext, userId: string) {
  const stillTheirs = await authorizeAccounts(ctx, [userId]);
  const [person] = await ctx.db
    .select({ id: user.id, userName: user.userName, status: user.status, roleCode: user.roleCode })
    .from(user)
    .where(eq(user.id, userId));
  if (!person || person.status === "retired") throw memberNotFound();
  return { ...person, stillTheirs };
}

/**
 * Grants an additional role for whole days in Korea, or until it is ended. @throws AppError NOT_FOUND, FORBIDDEN for
 * rights that the caller lacks, INVALID_INPUT, CONFLICT for an overlapping grant
 */
export async function grantRole(ctx: AppContext, userId: string, input: GrantRoleInput): Promise<{ grantId: string }> {
  authorizeConsole(ctx);
  const person = await requireGrantee(ctx, userId);
  const [given] = await ctx.db.select().from(role).where(eq(role.roleCode, input.roleCode));
  if (!given) throw invalidInput({ roleCode: "없는 역할입니다." });
  if (given.roleCode === person.roleCode)
    throw invalidInput({ roleCode: "이 회원의 기본 역할입니다. 다른 역할을 골라 주십시오." });
  authorize(ctx, { action: "Permission.Grant", codes: given.permissions });
  const { since: startDate, before: endDate = null } = koreanDayRange(input.from, input.to);
  if (!startDate) throw invalidInput({ from: "시작일을 입력해 주십시오." });
  if (endDate && endDate <= ctx.now()) throw invalidInput({ to: "종료일은 오늘 이후로 입력해 주십시오." });
  const enters = given.permissions.includes("ADMIN_Access");
  if (enters) await confirmConsoleEntry(ctx, input);
  const grantId = crypto.randomUUID();
  const { roleCode } = given;
  const start = startDate.getTime();
  const end = endDate?.getTime() ?? null;
  const period = `${input.from}부터 ${input.to ? `${input.to}까지` : "끝낼 때까지"}`;
  const messages = enters
    ? await notifyAdministrators(ctx, `대상: ${person.userName}\n더한 역할: ${given.roleName} (${period})`, [person])
    : [];
  await runGuardedBatch(
    ctx,
    [
      person.stillTheirs,
      {
        holds: sql`NOT EXISTS (SELECT 1 FROM role_grant WHERE user_id = ${userId} AND role_code = ${roleCode}
          AND (end_date IS NULL OR end_date > ${start}) AND (${end} IS NULL OR start_date < ${end}))`,
        error: () => conflict("그 기간에 이미 같은 역할이 있습니다. 기간을 다시 확인해 주십시오."),
      },
      {
        holds: unchanged(role, roleCode, given.version),
        error: () => conflict(),
      },
    ],
    [
      ctx.db.insert(roleGrant).values({ id: grantId, userId, roleCode, startDate, endDate, createdDate: ctx.now() }),
      audit(ctx, {
        action: "member.role-grant",
        targetType: "user",
        targetId: userId,
        subjectCount: 1,
        reason: input.reason,
        detail: { after: { grantId, roleCode, from: input.from, to: input.to ?? "" } },
      }),
      ...messages.map((queued) => queued.statement),
      ...storeIdempotentAnswer(ctx, { grantId }),
    ],
  );
  for (const { id } of messages) deliverMessageSoon(ctx, id);
  return { grantId };
}

/** Ends a grant now or cancels a future one. @throws AppError NOT_FOUND, FORBIDDEN, CONFLICT when it is over */
export async function endRoleGrant(ctx: AppContext, userId: string, grantId: string): Promise<{ grantId: string }> {
  authorizeConsole(ctx);
  const person = await requireGrantee(ctx, userId);
  const [row] = await ctx.db
    .select({ grant: roleGrant, permissions: role.permissions, roleName: role.roleName })
    .from(roleGrant)
    .innerJoin(role, eq(role.roleCode, roleGrant.roleCode))
    .where(sql`${roleGrant.id} = ${grantId} AND ${roleGrant.userId} = ${userId}`);
  if (!row) throw new AppError("NOT_FOUND", { message: "역할을 찾을 수 없습니다." });
  const now = ctx.now();
  const messages = row.permissions.includes("ADMIN_Access")
    ? await notifyAdministrators(ctx, `대상: ${person.userName}\n끝낸 역할: ${row.roleName}`, [person])
    : [];
  await runGuardedBatch(
    ctx,
    [
      person.stillTheirs,
      {
        holds: sql`EXISTS (SELECT 1 FROM role_grant WHERE id = ${grantId} AND (end_date IS NULL OR end_date > ${now.getTime()}))`,
        error: () => conflict("이미 끝난 역할입니다."),
      },
    ],
    [
      row.grant.startDate > now
        ? ctx.db.delete(roleGrant).where(eq(roleGrant.id, grantId))
        : ctx.db.update(roleGrant).set({ endDate: now }).where(eq(roleGrant.id, grantId)),
      audit(ctx, {
        action: "member.role-grant-end",
        targetType: "user",
        targetId: userId,
        subjectCount: 1,
        detail: { before: { grantId, roleCode: row.grant.roleCode } },
      }),
      ...messages.map((queued) => queued.statement),
    ],
  );
  for (const { id } of messages) deliverMessageSoon(ctx, id);
  return { grantId };
}
