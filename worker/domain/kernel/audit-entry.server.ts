import { type SQL, sql } from "drizzle-orm";
import { auditLog } from "#db/schema/audit.ts";
import type { AuditAction } from "#worker/contract/kernel/audit-actions.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";

export interface AuditEntry {
  action: AuditAction;
  targetType: string;
  targetId?: string;
  /** Whose act it was, where that is not the caller. */
  actorUserId?: string;
  /** How many persons' data were touched. */
  subjectCount?: number;
  reason?: string;
  /** Never a password, token, code or whole address. */
  detail?: Record<string, unknown>;
}

/** One appended row, to stand in the batch of the change it tells of. */
export function audit(ctx: AppContext, entry: AuditEntry) {
  return ctx.db.insert(auditLog).values({
    createdDate: ctx.now(),
    actorUserId: entry.actorUserId ?? (ctx.actor.kind === "guest" ? null : ctx.actor.userId),
    address: ctx.client.address,
    action: entry.action,
    targetType: entry.targetType,
    targetId: entry.targetId ?? "",
    subjectCount: entry.subjectCount ?? 0,
    reason: entry.reason ?? "",
    detail: entry.detail ?? null,
    requestId: ctx.requestId,
  });
}

/** The same, written only when the statement before it in the batch changed a row: for guarded updates. */
export const auditIfChanged = (ctx: AppContext, entry: Omit<AuditEntry, "actorUserId">) =>
  auditIf(ctx, entry, sql`changes() > 0`);

/** The same, written only where the condition holds. */
export function auditIf(ctx: AppContext, entry: AuditEntry, condition: SQL) {
  const actorUserId = entry.actorUserId ?? (ctx.actor.kind === "guest" ? null : ctx.actor.userId);
  const detail = entry.detail ? JSON.stringify(entry.detail) : null;
  // In the order of the table's columns, as drizzle writes them.
  return ctx.db.insert(auditLog).select(sql`
    SELECT NULL, ${ctx.now().getTime()}, ${actorUserId}, ${ctx.client.address}, ${entry.action}, ${entry.targetType},
      ${entry.targetId ?? ""}, ${entry.subjectCount ?? 0}, ${entry.reason ?? ""}, ${detail}, ${ctx.requestId}
    WHERE ${condition}`);
}
