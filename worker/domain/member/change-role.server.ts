import { eq, sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { user } from "#db/schema/account.ts";
import { unchanged } from "#db/sql.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { BulkResult } from "#worker/contract/kernel/envelope.ts";
import type { MemberRoleInput } from "#worker/contract/member/input.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { activityStatements } from "../mail/activity.server.ts";
import { deliverMessageSoon } from "../mail/message.server.ts";
import { administratorRemainsGuard } from "../access/administrators.server.ts";
import { confirmConsoleEntry } from "../access/password-attempt.server.ts";
import { authorizeConsole, auditEach, runGuardedBatch, conflict } from "../kernel/guarded-batch.server.ts";
import {
  endSessionsOf,
  memberIdsOf,
  isAmongMembers,
  authorizeMemberTargets,
  administratorMessages,
} from "./member-target.server.ts";

/** @throws AppError FORBIDDEN, INVALID_INPUT, CONFLICT when no administrator would be left */
export async function changeMemberRole(ctx: AppContext, input: MemberRoleInput): Promise<BulkResult> {
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
  await runGuardedBatch(
    ctx,
    [
      stillTheirs,
      { holds: unchanged(role, next.roleCode, next.version), error: () => conflict() },
      administratorRemainsGuard(leaving, systemLeaves),
    ],
    [
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
      ...queuedMessages.map((queued) => queued.statement),
    ],
  );
  for (const { id } of queuedMessages) deliverMessageSoon(ctx, id);
  return { changed: targets.length };
}
