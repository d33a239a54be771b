import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { user } from "#db/schema/account.ts";
import { auditLog } from "#db/schema/audit.ts";
import { makeCountedPage } from "#worker/domain/kernel/page.server.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import type { ExportAuditInput, ListAuditQuery } from "#worker/contract/audit/input.ts";
import type { AuditRow } from "#worker/contract/audit/view.ts";
import type { Page } from "#worker/contract/kernel/envelope.ts";
import { koreanDateTime } from "#worker/contract/kernel/korea.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { authorizeConsole, koreanDayRange } from "../kernel/guarded-batch.server.ts";
import { type SheetDownload, sheetDownload } from "../kernel/sheet-download.server.ts";

const EXPORT_MAX = 20_000;
const HISTORY_MAX = 50;

const AUDIT_COLUMNS = {
  id: auditLog.id,
  createdDate: auditLog.createdDate,
  actorUserId: auditLog.actorUserId,
  actorName: sql<string>`coalesce("user"."user_name", '')`,
  address: auditLog.address,
  action: auditLog.action,
  targetType: auditLog.targetType,
  targetId: auditLog.targetId,
  subjectCount: auditLog.subjectCount,
  reason: auditLog.reason,
  detail: auditLog.detail,
};

/** Rows of the audit log with the actor's name, newest first. */
export const auditRowsStatement = (db: Db, where: SQL | undefined) =>
  db
    .select(AUDIT_COLUMNS)
    .from(auditLog)
    .leftJoin(user, eq(user.id, auditLog.actorUserId))
    .where(where)
    .orderBy(desc(auditLog.id));

/** What was done to one thing or person; that somebody looked at it (`viewAction`) left out. */
export const targetHistoryStatement = (db: Db, targetType: string, targetId: string, viewAction: string) =>
  auditRowsStatement(
    db,
    sql`target_type = ${targetType} AND target_id = ${targetId} AND action <> ${viewAction}`,
  ).limit(HISTORY_MAX);

export const auditRowView = (row: Omit<AuditRow, "createdDate"> & { createdDate: Date }): AuditRow => ({
  ...row,
  createdDate: row.createdDate.toISOString(),
});

type AuditFilter = Pick<ListAuditQuery, "action" | "actor" | "targetId" | "subject" | "address" | "from" | "to">;

/** Rows about a person: named in them, or in the list of an export. */
function subjectWhere(subject: string, since: Date | undefined, before: Date | undefined): SQL {
  const people = sql`(SELECT id FROM user WHERE id = ${subject} OR user_name = ${subject}
    UNION SELECT user_id FROM user_key WHERE user_key_code = ${subject.toLowerCase()}
    UNION SELECT id FROM alumni WHERE id = ${subject} OR name = ${subject} OR email = ${subject.toLowerCase()})`;
  const time = and(
    since ? sql`e.created_date >= ${since.getTime()}` : undefined,
    before ? sql`e.created_date < ${before.getTime()}` : undefined,
  );
  return sql`("audit_log"."target_id" IN ${people} OR "audit_log"."target_id" IN (
    SELECT e.export_id FROM export_subject AS e WHERE ${time ?? sql`1`} AND EXISTS (SELECT 1 FROM ${people} AS p WHERE instr(e.ids, p.id))))`;
}

function auditWhere(filter: AuditFilter): SQL | undefined {
  const { since, before } = koreanDayRange(filter.from, filter.to);
  return and(
    filter.action
      ? sql`"audit_log"."action" >= ${filter.action} AND "audit_log"."action" < ${`${filter.action}\u{10FFFF}`}`
      : undefined,
    filter.actor ? sql`instr("user"."user_name", ${filter.actor})` : undefined,
    filter.targetId ? eq(auditLog.targetId, filter.targetId) : undefined,
    filter.address ? eq(auditLog.address, filter.address) : undefined,
    filter.subject ? subjectWhere(filter.subject, since, before) : undefined,
    since ? gte(auditLog.createdDate, since) : undefined,
    before ? lt(auditLog.createdDate, before) : undefined,
  );
}

/** Newest first. No function changes or removes a row. */
export async function listAuditLog(scope: RequestScope, query: ListAuditQuery): Promise<Page<AuditRow>> {
  const where = auditWhere(query);
  const { ctx, rows } = await scope.readFor(authorizeConsole, [
    auditRowsStatement(scope.db, where)
      .limit(query.size)
      .offset((query.page - 1) * query.size),
    scope.db
      .select({ count: sql<number>`count(*)` })
      .from(auditLog)
      .leftJoin(user, eq(user.id, auditLog.actorUserId))
      .where(where),
  ]);
  const { page: _page, size: _size, subject, ...asked } = query;
  ctx.defer(
    audit(ctx, {
      action: "audit.list",
      targetType: "audit",
      detail: { ...asked, page: query.page, ...(subject ? { withSubject: true } : {}) },
    }).run(),
  );
  return makeCountedPage(query, rows[0].map(auditRowView), rows[1]);
}

/** @throws AppError TOO_MANY_REQUESTS above ten exports a day */
export async function exportAuditLog(ctx: AppContext, input: ExportAuditInput): Promise<SheetDownload> {
  authorizeConsole(ctx);
  if (ctx.actor.kind !== "guest") await countLimits(ctx, ["exportDay", ctx.actor.userId]);
  const rows = await auditRowsStatement(ctx.db, auditWhere(input.filter)).limit(EXPORT_MAX);
  const { reason, format } = input;
  const { subject, ...filter } = input.filter;
  await audit(ctx, {
    action: "audit.export",
    targetType: "audit",
    reason,
    detail: { filter: { ...filter, withSubject: Boolean(subject) }, format, rows: rows.length },
  }).run();
  const header = ["번호", "일시", "행위자", "접속 주소", "행위", "대상 종류", "대상", "정보주체 수", "사유", "내용"];
  const lines = rows.map((row) => [
    row.id,
    koreanDateTime(row.createdDate),
    row.actorName,
    row.address,
    row.action,
    row.targetType,
    row.targetId,
    row.subjectCount,
    row.reason,
    row.detail ? JSON.stringify(row.detail) : "",
  ]);
  return sheetDownload(format, "감사기록", ctx.now(), header, lines);
}
