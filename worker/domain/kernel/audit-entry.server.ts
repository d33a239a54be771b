import { type SQL, sql } from "drizzle-orm";
import { auditLog } from "#db/schema/audit.ts";
import type { AuditAction } from "#worker/contract/kernel/audit-actions.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";

export interface AuditEntry {
  action: AuditAction;
  targetType: string;
  targetId?: string;
  actorUserId?: string;
  subjectCount?: number;
  reason?: string;
  /** Never contains a password, token, code or full address. */
  detail?: Record<string, unknown>;
}

/** Audit row for the batch of the change that it records. */
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

/** Writes the row only if the previous statement in the batch changed one, for guarded updates. */
export const auditIfChanged = (ctx: AppContext, entry: Omit<AuditEntry, "actorUserId">) =>
  auditIf(ctx, entry, sql`changes() > 0`);

export function auditIf(ctx: AppContext, entry: AuditEntry, condition: SQL) {
  const actorUserId = entry.actorUserId ?? (ctx.actor.kind === "guest" ? null : ctx.actor.userId);
  const detail = entry.detail ? JSON.stringify(entry.detail) : null;
  return ctx.db.insert(auditLog).select(sql`
    SELECT NULL, ${ctx.now().getTime()}, ${actorUserId}, ${ctx.client.address}, ${entry.action}, ${entry.targetType},
      ${entry.targetId ?? ""}, ${entry.subjectCount ?? 0}, ${entry.reason ?? ""}, ${detail}, ${ctx.requestId}
    WHERE ${condition}`);
}
