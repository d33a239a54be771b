import { eq, sql } from "drizzle-orm";
import { auditLog } from "#db/schema/audit.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { AuditSubjectRow } from "#worker/contract/audit/log.ts";
import { makeCountedPage } from "#worker/domain/kernel/page.server.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { audit, type AuditedPeople } from "../kernel/audit-entry.server.ts";
import { destroyedBetween } from "./destruction.server.ts";
import { auditRowsStatement, auditRowView } from "./audit-log.server.ts";
import { authorizeConsole } from "#worker/domain/kernel/authorize.server.ts";

const PAGE_SIZE = 100;

/** Everyone in the database at that time, including people destroyed since. */
export async function everybodyAt(ctx: AppContext, at: Date): Promise<AuditedPeople> {
  const ids = sql`SELECT id FROM user WHERE created_date <= ${at.getTime()}
    UNION SELECT id FROM alumni WHERE created_date <= ${at.getTime()}
    UNION SELECT subject_id FROM backup_trace WHERE subject_type <> 'item' AND ${destroyedBetween(at)}`;
  const [row] = await ctx.db.all<{ count: number }>(sql`SELECT count(*) AS count FROM (${ids})`);
  return { ids, count: row?.count ?? 0 };
}

/** People of an audit row under their current names; the view is audited. */
export async function listAuditSubjects(ctx: AppContext, id: number, page: number) {
  authorizeConsole(ctx);
  const [row] = await auditRowsStatement(ctx.db, eq(auditLog.id, id));
  if (!row) throw new AppError("NOT_FOUND", { message: "기록을 찾을 수 없습니다." });
  const view = auditRowView(ctx, row);
  const within = sql`FROM audit_subject AS e, json_each(e.ids) AS j WHERE e.audit_id = ${id} AND ${view.lacks === null ? 1 : 0}`;
  const [people, counts] = await Promise.all([
    ctx.db.all<AuditSubjectRow>(sql`
      SELECT t.id AS id, iif(u.id IS NULL, 'alumni', 'user') AS subjectType, coalesce(u.user_name, a.name, '') AS name,
        coalesce((SELECT user_key_code FROM user_key WHERE user_key.user_id = u.id AND user_key_type = 'Email'), a.email, '') AS email
      FROM (SELECT j.value AS id ${within} ORDER BY e.part, j.key LIMIT ${PAGE_SIZE} OFFSET ${(page - 1) * PAGE_SIZE}) AS t
      LEFT JOIN user AS u ON u.id = t.id LEFT JOIN alumni AS a ON a.id = t.id`),
    ctx.db.all<{ count: number }>(sql`SELECT count(*) AS count ${within}`),
    audit(ctx, {
      action: "audit.subjects",
      targetId: String(id),
      detail: { page },
    }).run(),
  ]);
  return { row: view, people: makeCountedPage({ page, size: PAGE_SIZE }, people, counts) };
}
