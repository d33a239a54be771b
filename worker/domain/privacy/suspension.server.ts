import { eq, sql } from "drizzle-orm";
import { userKey } from "#db/schema/account.ts";
import { message } from "#db/schema/mail.ts";
import { suspension } from "#db/schema/privacy.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { authorizeOwnAccount } from "../account/credential.server.ts";
import { authorizeAccounts } from "../access/account-authority.server.ts";
import { type BatchGuard, conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { authorizeConsole } from "#worker/domain/kernel/authorize.server.ts";
import { unlinkAlumniStatements } from "../alumni/own-entry.server.ts";
import { audit, type AuditEntry } from "../kernel/audit-entry.server.ts";

/**
 * Suspends processing (법 제37조): no bulk messages, queued ones are deleted, and shared address book fields are closed.
 */
export async function suspendMemberStatements(ctx: AppContext, userId: string, requestId: string) {
  const keys = await ctx.db
    .select({ code: userKey.userKeyCode })
    .from(userKey)
    .where(sql`${userKey.userId} = ${userId} AND ${userKey.userKeyType} = 'Email'`);
  const closed = await unlinkAlumniStatements(
    ctx,
    keys.map(({ code }) => code),
  );
  return [
    ctx.db.insert(suspension).values({ userId, requestId, createdDate: ctx.now() }).onConflictDoNothing(),
    // A started batch keeps its members over every retry: see `deliverBulk`.
    ctx.db
      .delete(message)
      .where(
        sql`${message.userId} = ${userId} AND ${message.isBulk} = 1 AND ${message.status} = 'queued' AND ${message.batchId} IS NULL`,
      ),
    ...closed,
    audit(ctx, {
      action: "user.suspend",
      targetId: userId,
      subjectCount: 1,
      detail: { requestId },
    }),
  ];
}

export async function getOwnSuspension(ctx: AppContext, userId: string): Promise<string | null> {
  authorizeOwnAccount(ctx, userId);
  const [row] = await ctx.db.select().from(suspension).where(eq(suspension.userId, userId));
  return row?.createdDate.toISOString() ?? null;
}

/** DELETE user/{id}/suspension: by the person. @throws AppError CONFLICT without a suspension */
export async function resumeOwnAccount(ctx: AppContext, userId: string): Promise<Record<string, never>> {
  authorizeOwnAccount(ctx, userId);
  return endSuspension(ctx, userId, [], { action: "user.resume" });
}

/** POST admin/member/{id}/resume: by the office. @throws AppError CONFLICT without a suspension */
export async function resumeMember(ctx: AppContext, userId: string, reason: string): Promise<Record<string, never>> {
  authorizeConsole(ctx);
  const stillTheirs = await authorizeAccounts(ctx, [userId]);
  return endSuspension(ctx, userId, [stillTheirs], { action: "member.resume", targetType: "user", reason });
}

async function endSuspension(ctx: AppContext, userId: string, more: readonly BatchGuard[], entry: AuditEntry) {
  const isSuspended = sql`EXISTS (SELECT 1 FROM suspension WHERE user_id = ${userId})`;
  const guards = [...more, { holds: isSuspended, error: () => conflict("처리정지 중이 아닙니다.") }];
  await runGuardedBatch(ctx, guards, [
    ctx.db.delete(suspension).where(eq(suspension.userId, userId)),
    audit(ctx, { ...entry, targetId: userId, subjectCount: 1 }),
  ]);
  return {};
}
