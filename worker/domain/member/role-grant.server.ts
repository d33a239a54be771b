import { eq, sql } from "drizzle-orm";
import { role, roleGrant } from "#db/schema/access.ts";
import { user } from "#db/schema/account.ts";
import { unchanged } from "#db/sql.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import type { grantRoleInput } from "#worker/contract/access/input.ts";
import { AppError, type BulkResult, invalidInput } from "#worker/contract/kernel/errors.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { authorize, authorizeConsole, requireSignedIn } from "../kernel/authorize.server.ts";
import {
  administratorRemainsGuard,
  authorizeAccounts,
  notifyAdministrators,
} from "../access/account-authority.server.ts";
import { audit, auditEach } from "../kernel/audit-entry.server.ts";
import { confirmConsoleEntry } from "../access/password-attempt.server.ts";
import { type BatchPart, conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { koreanDayRange } from "../kernel/korean-days.server.ts";
import { memberNotFound } from "./member.server.ts";
import type { memberRoleInput } from "#worker/contract/member/input.ts";
import { activityStatements } from "../mail/activity.server.ts";
import {
  administratorMessages,
  authorizeMemberTargets,
  endSessionsOf,
  isAmongMembers,
  memberIdsOf,
} from "./member-target.server.ts";

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
 * Grants an additional role for whole days in Korea, or until it is ended. @param letter tells the member @throws
 * AppError NOT_FOUND, FORBIDDEN for rights that the caller lacks, INVALID_INPUT, CONFLICT for an overlapping grant
 */
export async function grantRole(
  ctx: AppContext,
  userId: string,
  input: Parsed<typeof grantRoleInput>,
  letter: BatchPart = null,
): Promise<{ grantId: string }> {
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
  const guards = [
    person.stillTheirs,
    {
      holds: sql`NOT EXISTS (SELECT 1 FROM role_grant WHERE user_id = ${userId} AND role_code = ${roleCode}
          AND (end_date IS NULL OR end_date > ${start}) AND (${end} IS NULL OR start_date < ${end}))`,
      error: () => conflict("그 기간에 이미 같은 역할이 있습니다. 기간을 다시 확인해 주십시오."),
    },
    unchanged(role, roleCode, given.version),
  ];
  await runGuardedBatch(ctx, guards, [
    ctx.db.insert(roleGrant).values({ id: grantId, userId, roleCode, startDate, endDate, createdDate: ctx.now() }),
    audit(ctx, {
      action: "member.role-grant",
      targetType: "user",
      targetId: userId,
      subjectCount: 1,
      reason: input.reason,
      detail: { after: { grantId, roleCode, from: input.from, to: input.to ?? "" } },
    }),
    letter,
    ...messages,
    ...storeIdempotentAnswer(ctx, { grantId }),
  ]);
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
  const guards = [
    person.stillTheirs,
    {
      holds: sql`EXISTS (SELECT 1 FROM role_grant WHERE id = ${grantId} AND (end_date IS NULL OR end_date > ${now.getTime()}))`,
      error: () => conflict("이미 끝난 역할입니다."),
    },
  ];
  await runGuardedBatch(ctx, guards, [
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
    ...messages,
  ]);
  return { grantId };
}

/** @throws AppError FORBIDDEN, INVALID_INPUT, CONFLICT when no administrator would be left */
export async function changeMemberRole(ctx: AppContext, input: Parsed<typeof memberRoleInput>): Promise<BulkResult> {
  authorizeConsole(ctx);
  const { stillTheirs, targets: all } = await authorizeMemberTargets(ctx, input.ids, ["active", "waiting", "blocked"]);
  const [next] = await ctx.db.select().from(role).where(eq(role.roleCode, input.roleCode));
  if (!next) throw invalidInput({ roleCode: "없는 역할입니다." });
  const codes = next.permissions;
  authorize(ctx, { action: "Permission.Grant", codes });
  if (input.userType) authorize(ctx, { action: "Account.Administer", account: { userType: input.userType, codes } });
  const targets = all.filter(
    (target) => target.roleCode !== next.roleCode || (input.userType && target.userType !== input.userType),
  );
  if (targets.length === 0) return { changed: 0 };

  const enters = next.permissions.includes("ADMIN_Access");
  if (enters || input.userType === "Admin") await confirmConsoleEntry(ctx, input);
  const systemLeaves = input.userType === "Member" && targets.some(({ userType }) => userType === "Admin");
  const stays =
    enters || input.userType === "Admin" ? sql`0` : sql`${isAmongMembers(targets)} AND user.user_type <> 'Admin'`;
  const leaving = systemLeaves ? isAmongMembers(targets) : stays;
  const names = targets.map(({ userName }) => userName).join(", ");
  const toSystem = input.userType === "Admin" ? " (시스템 관리자)" : "";
  const text = `대상: ${names}\n새 역할: ${next.roleName}${toSystem}`;
  const queuedMessages = await administratorMessages(ctx, targets, text, { enters, userType: input.userType });
  const detail = {
    before: Object.fromEntries(targets.slice(0, 20).map((target) => [target.id, target.roleCode])),
    after: { roleCode: next.roleCode, ...(input.userType ? { userType: input.userType } : {}) },
  };
  const guards = [
    stillTheirs,
    unchanged(role, next.roleCode, next.version),
    administratorRemainsGuard(leaving, systemLeaves),
  ];
  await runGuardedBatch(ctx, guards, [
    ctx.db
      .update(user)
      .set({
        roleCode: next.roleCode,
        ...(input.userType ? { userType: input.userType } : {}),
        modifiedDate: ctx.now(),
        version: sql`version + 1`,
      })
      .where(isAmongMembers(targets)),
    endSessionsOf(
      ctx,
      targets.filter(({ id }) => id !== requireSignedIn(ctx).userId),
      "role changed",
    ),
    auditEach(ctx, memberIdsOf(targets), {
      action: "member.role",
      targetType: "user",
      reason: input.reason ?? "",
      detail,
    }),
    ...activityStatements(
      ctx,
      targets.map(({ id }) => ({ userId: id, kind: "role", detail: { roleName: next.roleName } })),
    ),
    ...queuedMessages,
  ]);
  return { changed: targets.length };
}
