import { eq, sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { user, userKey } from "#db/schema/account.ts";
import { alumni } from "#db/schema/alumni.ts";
import { unchanged } from "#db/sql.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { BulkResult, NewVersion } from "#worker/contract/kernel/envelope.ts";
import type { MemberEmailInput, MemberRoleInput } from "#worker/contract/member/input.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { userKeyTakenMessage } from "#worker/contract/kernel/messages.ts";
import { userKeyProblem } from "#worker/contract/account/rules.ts";
import { authorize, can, requireSignedIn } from "../kernel/authorize.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { activityStatements } from "../mail/activity.server.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import { deliverMessageSoon, type NewMessage, queueMessage } from "../mail/message.server.ts";
import { authorizeAccounts } from "../access/account-authority.server.ts";
import { administratorRemainsGuard, notifyAdministrators } from "../access/administrators.server.ts";
import { authorizeConsole, auditEach, runGuardedBatch, conflict } from "../kernel/guarded-batch.server.ts";
import { refuseExisting } from "../kernel/guard.server.ts";
import { memberNotFound } from "./list.server.ts";
import {
  type MemberTarget,
  endSessionsOf,
  memberIdsOf,
  isAmongMembers,
  readMemberTargets,
  touchesAdministrators,
} from "./member-target.server.ts";

/** @throws AppError FORBIDDEN, INVALID_INPUT, CONFLICT when no administrator would be left */
export async function changeMemberRole(ctx: AppContext, input: MemberRoleInput): Promise<BulkResult> {
  authorizeConsole(ctx);
  const stillTheirs = await authorizeAccounts(ctx, input.ids);
  const all = await readMemberTargets(ctx, input.ids, ["active", "waiting", "blocked"]);
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
  const systemLeaves = input.userType === "Member" && targets.some(({ userType }) => userType === "Admin");
  const stays =
    enters || input.userType === "Admin" ? sql`0` : sql`${isAmongMembers(targets)} AND user.user_type <> 'Admin'`;
  const leaving = systemLeaves ? isAmongMembers(targets) : stays;
  const names = targets.map(({ userName }) => userName).join(", ");
  const toSystem = input.userType === "Admin" ? " (시스템 관리자)" : "";
  const queuedMessages = (await touchesAdministrators(ctx, targets, enters, input.userType))
    ? await notifyAdministrators(ctx, `대상: ${names}\n새 역할: ${next.roleName}${toSystem}`, targets)
    : [];
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
      auditEach(ctx, memberIdsOf(targets), { action: "member.role", targetType: "user", detail }),
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

/**
 * For a mailbox that is lost for good. Both addresses are told, and all sessions end.
 * @throws AppError NOT_FOUND, FORBIDDEN, CONFLICT, ALREADY_EXISTS
 */
export async function correctMemberEmail(ctx: AppContext, id: string, input: MemberEmailInput): Promise<NewVersion> {
  authorizeConsole(ctx);
  const stillTheirs = await authorizeAccounts(ctx, [id]);
  const [target] = await readMemberTargets(ctx, [id], ["active", "waiting", "blocked"]);
  if (!target) throw memberNotFound();
  const problem = userKeyProblem("Email", input.email, ctx.rules);
  if (problem) throw invalidInput({ email: problem });
  const now = ctx.now();
  const write = await loadTemplateRenderer(ctx);
  const changeMessage = (recipient: string, text: string): NewMessage => ({
    channel: "email",
    recipient,
    userId: id,
    ...write("emailCorrected", { 이름: target.userName, 내용: text }),
  });
  const queuedMessages = [
    ...(target.email && target.email !== input.email
      ? [queueMessage(ctx, changeMessage(target.email, "관리자가 회원님의 이메일을 다른 주소로 변경하였습니다."))]
      : []),
    queueMessage(ctx, changeMessage(input.email, "관리자가 회원님의 이메일을 이 주소로 변경하였습니다.")),
  ];
  await authorizeAddressOfBook(ctx, target, input.email);
  await refuseExisting(userKeyTakenMessage("Email"), () =>
    runGuardedBatch(
      ctx,
      [stillTheirs, { holds: unchanged(user, id, input.version), error: () => conflict() }],
      [
        ctx.db.delete(userKey).where(sql`user_id = ${id} AND user_key_type = 'Email'`),
        ctx.db
          .insert(userKey)
          .values({ userKeyType: "Email", userKeyCode: input.email, userId: id, verifiedDate: now }),
        ctx.db
          .update(user)
          .set({ modifiedDate: now, version: input.version + 1 })
          .where(eq(user.id, id)),
        endSessionsOf(ctx, [target], "e-mail corrected"),
        audit(ctx, {
          action: "member.email",
          targetType: "user",
          targetId: id,
          subjectCount: 1,
          reason: input.reason,
          detail: { before: { email: maskedEmail(target.email) }, after: { email: maskedEmail(input.email) } },
        }),
        ...queuedMessages.map(({ statement }) => statement),
      ],
    ),
  );
  for (const sent of queuedMessages) deliverMessageSoon(ctx, sent.id);
  return { version: input.version + 1 };
}

/**
 * Who signs in with an entry's e-mail address owns that entry of the address book: the address is given by who may
 * change the entry. @throws AppError FORBIDDEN
 */
async function authorizeAddressOfBook(ctx: AppContext, target: MemberTarget, email: string): Promise<void> {
  if (email === target.email || can(ctx.actor, { action: "Alumni_Write" })) return;
  const [entry] = await ctx.db.select({ id: alumni.id }).from(alumni).where(eq(alumni.email, email)).limit(1);
  if (entry)
    throw new AppError("FORBIDDEN", {
      message: "주소록에 있는 이메일입니다. 주소록을 고칠 수 있는 관리자에게 요청하여 주십시오.",
    });
}

/** h***@example.kr: enough to recognise, too little to write to. */
const maskedEmail = (email: string | null) => (email ? email.replace(/^(.).*@/, "$1***@") : "");
