import { sql } from "drizzle-orm";
import { user, userKey } from "#db/schema/account.ts";
import { message } from "#db/schema/mail.ts";
import { idsIn } from "#db/sql.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { BulkResult } from "#worker/contract/kernel/errors.ts";
import type { MemberStatus } from "#worker/contract/account/rules.ts";
import { authorizeConsole, requireSignedIn } from "../kernel/authorize.server.ts";
import { loadLetterRenderers } from "../mail/render-template.server.ts";
import { queueMessage } from "../mail/message.server.ts";
import { endCodes } from "../account/verification.server.ts";
import { administratorRemainsGuard } from "../access/account-authority.server.ts";
import { type BatchGuard, type BatchPart, conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { auditEach } from "../kernel/audit-entry.server.ts";
import {
  type MemberTarget,
  endSessionsOf,
  memberIdsOf,
  isAmongMembers,
  authorizeMemberTargets,
  administratorMessages,
} from "./member-target.server.ts";

function setStatus(ctx: AppContext, targets: MemberTarget[], status: MemberStatus) {
  const was = JSON.stringify(targets.map((target) => target.status));
  return ctx.db
    .update(user)
    .set({ status, modifiedDate: ctx.now(), version: sql`version + 1` })
    .where(sql`${isAmongMembers(targets)} AND "user"."status" IN (SELECT value FROM json_each(${was}))`);
}

async function activate(
  ctx: AppContext,
  targets: MemberTarget[],
  action: "member.approve" | "member.unblock",
  guards: BatchGuard[],
  messages: readonly BatchPart[],
): Promise<BulkResult> {
  await runGuardedBatch(ctx, guards, [
    setStatus(ctx, targets, "active"),
    auditEach(ctx, memberIdsOf(targets), { action, targetType: "user" }),
    ...messages,
  ]);
  return { changed: targets.length };
}

/** Ends their sessions; their content stays. @throws AppError CONFLICT for the last administrator or oneself */
export async function blockMembers(ctx: AppContext, input: { ids: string[]; reason: string }): Promise<BulkResult> {
  authorizeConsole(ctx);
  const { stillTheirs, targets } = await authorizeMemberTargets(ctx, input.ids, ["active", "waiting"]);
  if (targets.some(({ id }) => id === requireSignedIn(ctx).userId)) throw conflict("자기 자신은 차단할 수 없습니다.");
  if (targets.length === 0) return { changed: 0 };
  const system = targets.some(({ userType }) => userType === "Admin");
  const names = targets.map(({ userName }) => userName).join(", ");
  const queuedMessages = await administratorMessages(ctx, targets, `차단: ${names}\n사유: ${input.reason}`);
  const guards = [stillTheirs, administratorRemainsGuard(isAmongMembers(targets), system)];
  await runGuardedBatch(ctx, guards, [
    setStatus(ctx, targets, "blocked"),
    ...queuedMessages,
    endSessionsOf(ctx, targets, "blocked"),
    auditEach(ctx, memberIdsOf(targets), { action: "member.block", targetType: "user", reason: input.reason }),
  ]);
  return { changed: targets.length };
}

export async function unblockMembers(ctx: AppContext, input: { ids: string[] }): Promise<BulkResult> {
  authorizeConsole(ctx);
  const { stillTheirs, targets } = await authorizeMemberTargets(ctx, input.ids, ["blocked"]);
  if (targets.length === 0) return { changed: 0 };
  const queuedMessages = await administratorMessages(
    ctx,
    targets,
    `차단 해제: ${targets.map(({ userName }) => userName).join(", ")}`,
  );
  return activate(ctx, targets, "member.unblock", [stillTheirs], queuedMessages);
}

/** Prevents two administrators from mailing the same person. */
const stillWaiting = (targets: MemberTarget[]): BatchGuard => ({
  holds: sql`(SELECT count(*) FROM user WHERE ${isAmongMembers(targets)} AND status = 'waiting') = ${targets.length}`,
  error: () => conflict("다른 관리자가 먼저 처리한 회원이 있습니다. 목록을 새로 고쳐 주십시오."),
});

export async function approveMembers(ctx: AppContext, input: { ids: string[] }): Promise<BulkResult> {
  authorizeConsole(ctx);
  const { stillTheirs, targets } = await authorizeMemberTargets(ctx, input.ids, ["waiting"]);
  if (targets.length === 0) return { changed: 0 };
  const writeTo = await loadLetterRenderers(ctx, memberIdsOf(targets));
  const signin = `${ctx.config.SITE_ORIGIN}/Account/Signin`;
  const queuedMessages = targets.flatMap(({ id, email, userName }) =>
    email
      ? [
          queueMessage(ctx, {
            channel: "email",
            recipient: email,
            userId: id,
            ...writeTo(id)("memberApproved", { 이름: userName, 주소: signin }),
          }),
        ]
      : [],
  );
  return activate(ctx, targets, "member.approve", [stillTheirs, stillWaiting(targets)], queuedMessages);
}

/**
 * Deletes ID and addresses, so that the person can apply again; the retention rule `refused` destroys the rest. @throws
 * AppError CONFLICT
 */
export async function refuseApplicants(ctx: AppContext, input: { ids: string[]; reason: string }): Promise<BulkResult> {
  authorizeConsole(ctx);
  const { stillTheirs, targets } = await authorizeMemberTargets(ctx, input.ids, ["waiting"]);
  if (targets.length === 0) return { changed: 0 };
  const writeTo = await loadLetterRenderers(ctx, memberIdsOf(targets));
  const theirs = idsIn(userKey.userId, memberIdsOf(targets));
  const keys = await ctx.db.select().from(userKey).where(theirs);
  const guards = [stillTheirs, stillWaiting(targets)];
  await runGuardedBatch(ctx, guards, [
    setStatus(ctx, targets, "refused"),
    endSessionsOf(ctx, targets, "refused"),
    endCodes(ctx, keys),
    // Keeps the messages findable for destruction.
    ctx.db
      .update(message)
      .set({ userId: sql`(SELECT user_id FROM user_key WHERE user_key_code = ${message.recipient} AND ${theirs})` })
      .where(sql`${message.recipient} IN (SELECT user_key_code FROM user_key WHERE ${theirs})`),
    ctx.db.delete(userKey).where(theirs),
    auditEach(ctx, memberIdsOf(targets), { action: "member.refuse", targetType: "user", reason: input.reason }),
    ...targets.map(({ id, email, userName }) =>
      email
        ? queueMessage(ctx, {
            channel: "email",
            recipient: email,
            userId: id,
            ...writeTo(id)("memberRefused", { 이름: userName, 사유: input.reason }),
          })
        : null,
    ),
  ]);
  return { changed: targets.length };
}

export async function endMemberSessions(ctx: AppContext, input: { ids: string[] }): Promise<BulkResult> {
  authorizeConsole(ctx);
  const { stillTheirs, targets } = await authorizeMemberTargets(ctx, input.ids, ["active", "waiting", "blocked"]);
  await runGuardedBatch(ctx, stillTheirs, [
    endSessionsOf(ctx, targets, "ended by an administrator"),
    auditEach(ctx, memberIdsOf(targets), { action: "member.end-sessions", targetType: "user" }),
  ]);
  return { changed: targets.length };
}
