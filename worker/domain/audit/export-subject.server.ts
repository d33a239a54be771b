import { eq, sql } from "drizzle-orm";
import { auditLog, exportSubject } from "#db/schema/audit.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { AuditSubjectRow, AuditSubjectsView } from "#worker/contract/audit/view.ts";
import { makeCountedPage } from "#worker/domain/kernel/page.server.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { destroyedBetween } from "./destroyed-trace.server.ts";
import { auditRowsStatement, auditRowView } from "./audit-log.server.ts";
import { authorizeConsole } from "../kernel/guarded-batch.server.ts";

/** About 200 kB a row, far below D1's limit. */
const IDS_PER_PART = 5000;
const EVERYBODY_PARTS = 1_000_000;
const PAGE_SIZE = 100;

/**
 * Records the people of an export, who must be notified after a breach (법 제34조). @param exportId `targetId` of the
 * audit row
 */
export function recordExportSubjects(
  ctx: AppContext,
  exportId: string,
  subjectType: "user" | "alumni",
  ids: readonly string[],
) {
  const createdDate = ctx.now();
  return Array.from({ length: Math.ceil(ids.length / IDS_PER_PART) }, (_, part) =>
    ctx.db.insert(exportSubject).values({
      exportId,
      part,
      subjectType,
      ids: ids.slice(part * IDS_PER_PART, (part + 1) * IDS_PER_PART),
      createdDate,
    }),
  );
}

/** IDs of everyone in the database at that time, including people destroyed since. */
const everybodyAt = (subjectType: "user" | "alumni", at: Date) =>
  sql`(SELECT id FROM ${sql.raw(subjectType)} WHERE created_date <= ${at.getTime()}
    UNION SELECT subject_id FROM backup_trace WHERE subject_type = ${subjectType} AND ${destroyedBetween(at)})`;

/** Records the people of a released backup. Members and the address book have separate part numbers. */
export const recordEverybody = (ctx: AppContext, exportId: string, at: Date) =>
  (["user", "alumni"] as const).map((subjectType, index) =>
    ctx.db.insert(exportSubject).select(
      sql`SELECT ${exportId}, ${index * EVERYBODY_PARTS} + part, ${subjectType}, json_group_array(id), ${ctx.now().getTime()}
        FROM (SELECT id, (row_number() OVER (ORDER BY id) - 1) / ${IDS_PER_PART} AS part
          FROM ${everybodyAt(subjectType, at)}) GROUP BY part`,
    ),
  );

export async function countEverybody(ctx: AppContext, at: Date): Promise<number> {
  const [row] = await ctx.db.all<{ count: number }>(
    sql`SELECT (SELECT count(*) FROM ${everybodyAt("user", at)}) + (SELECT count(*) FROM ${everybodyAt("alumni", at)}) AS count`,
  );
  return row?.count ?? 0;
}

/** People of an export under their current names; the view is audited. */
export async function listAuditSubjects(ctx: AppContext, id: number, page: number): Promise<AuditSubjectsView> {
  authorizeConsole(ctx);
  const [row] = await auditRowsStatement(ctx.db, eq(auditLog.id, id));
  if (!row) throw new AppError("NOT_FOUND", { message: "기록을 찾을 수 없습니다." });
  const view = auditRowView(ctx, row);
  const within = sql`FROM export_subject AS e, json_each(e.ids) AS j WHERE e.export_id = ${view.targetId} AND ${view.targetId} <> ''`;
  const [people, counts] = await Promise.all([
    ctx.db.all<AuditSubjectRow>(sql`
      SELECT t.id AS id, t.kind AS subjectType,
        coalesce(CASE WHEN t.kind = 'user' THEN (SELECT user_name FROM user WHERE user.id = t.id) ELSE (SELECT name FROM alumni WHERE alumni.id = t.id) END, '') AS name,
        coalesce(CASE WHEN t.kind = 'user' THEN (SELECT user_key_code FROM user_key WHERE user_key.user_id = t.id AND user_key_type = 'Email') ELSE (SELECT email FROM alumni WHERE alumni.id = t.id) END, '') AS email
      FROM (SELECT e.subject_type AS kind, j.value AS id ${within} ORDER BY e.part, j.key LIMIT ${PAGE_SIZE} OFFSET ${(page - 1) * PAGE_SIZE}) AS t`),
    ctx.db.all<{ count: number }>(sql`SELECT count(*) AS count ${within}`),
    audit(ctx, {
      action: "audit.subjects",
      targetType: "audit",
      targetId: String(id),
      detail: { page },
    }).run(),
  ]);
  return { row: view, people: makeCountedPage({ page, size: PAGE_SIZE }, people, counts) };
}
