import { and, asc, count, desc, eq, gte, isNull, notInArray, sql } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import { auditLog } from "#db/schema/audit.ts";
import { board, boardItem, boardItemComment } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import { message } from "#db/schema/mail.ts";
import { job } from "#db/schema/operation.ts";
import { privacyRequest } from "#db/schema/privacy.ts";
import type { AppContext, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { EVERY_MINUTES, JOB_LABELS, type JobName } from "#worker/contract/operation/operation.ts";
import type { HealthState } from "#worker/contract/audit/log.ts";
import { isEntryShown } from "../audit/audit-log.server.ts";
import { AUDIT_READ_ACTIONS } from "#worker/contract/kernel/audit-actions.ts";
import { koreanDay, startOfKoreanDay } from "#worker/contract/kernel/korea.ts";
import { DAY_MS, HOUR_MS } from "#worker/contract/kernel/limits.ts";
import { authorizeConsole, can } from "../kernel/authorize.server.ts";
import { waitingCorrectionsStatement } from "../alumni/correction.server.ts";
import { undecidedAddressesStatement } from "../alumni/held-address.server.ts";
import { waitingInquiriesStatement } from "../inquiry/inquiry.server.ts";
import { managedReports, openReportsStatement } from "../board/report.server.ts";
import { lastBackupStatement } from "./backup-run.server.ts";
import { probePart, reachHost } from "./configuration.server.ts";
import { countRows } from "#worker/domain/kernel/page.server.ts";
import { connectDatabase, tripsOf } from "#db/client.ts";
import { isSameSecret } from "#worker/adapters/secrets.server.ts";
import type { Config } from "#worker/config.ts";
import { pageStamp } from "#db/schema/page-stamp.ts";
import { UNFINISHED, UNFINISHED_SQL } from "#db/page-stamps.ts";
import { jobLateMs } from "./job-schedule.server.ts";
import { openAlarmsStatement } from "./alarm.server.ts";

const DAYS = 30;
const BACKUP_LATE_MS = 26 * 60 * 60 * 1000;

const dayOf = (column: string) => sql<string>`date(${sql.raw(column)} / 1000 + 32400, 'unixepoch')`;

/** Each figure needs the right to see the counted data. */
export async function getDashboard(scope: RequestScope) {
  const now = scope.now().getTime();
  const since = startOfKoreanDay(koreanDay(new Date(now - (DAYS - 1) * DAY_MS)));
  const everyBoard = sql`${boardItem.boardCode} IN (SELECT board_code FROM board)`;
  const { ctx, rows } = await scope.readFor(authorizeConsole, (viewerId) => [
    scope.db.select().from(board).orderBy(asc(board.sortOrder)),
    scope.db.select({ status: user.status, count: count() }).from(user).groupBy(user.status),
    scope.db
      .select({ count: count() })
      .from(user)
      .where(gte(user.createdDate, new Date(now - 7 * DAY_MS))),
    scope.db
      .select({ boardCode: boardItem.boardCode, day: dayOf("created_date"), count: count() })
      .from(boardItem)
      .where(and(everyBoard, gte(boardItem.createdDate, since), isNull(boardItem.deletedDate)))
      .groupBy(boardItem.boardCode, dayOf("created_date")),
    scope.db
      .select({ boardCode: boardItem.boardCode, day: dayOf("board_item_comment.created_date"), count: count() })
      .from(boardItemComment)
      .innerJoin(boardItem, eq(boardItem.id, boardItemComment.itemId))
      .where(and(gte(boardItemComment.createdDate, since), isNull(boardItemComment.deletedDate)))
      .groupBy(boardItem.boardCode, dayOf("board_item_comment.created_date")),
    scope.db.select({ status: message.status, count: count() }).from(message).groupBy(message.status),
    scope.db.select({ files: count(), bytes: sql<number>`coalesce(sum(size), 0)` }).from(file),
    scope.db
      .select({ createdDate: auditLog.createdDate, action: auditLog.action, actorName: user.userName })
      .from(auditLog)
      .leftJoin(user, eq(user.id, auditLog.actorUserId))
      .where(and(notInArray(auditLog.action, [...AUDIT_READ_ACTIONS]), isEntryShown(viewerId, scope.now())))
      .orderBy(desc(auditLog.id))
      .limit(8),
    scope.db
      .select({
        open: count(),
        overdue: sql<number>`coalesce(sum(due_date < ${now}), 0)`.as("overdue"),
        next: sql<number | null>`min(due_date)`.as("next"),
      })
      .from(privacyRequest)
      .where(isNull(privacyRequest.closedDate)),
    scope.db
      .select({ count: count() })
      .from(auditLog)
      .where(and(eq(auditLog.action, "alumni.importFailed"), gte(auditLog.createdDate, new Date(now - 7 * DAY_MS)))),
    scope.db.select({ name: job.name, status: job.status }).from(job),
    scope.db.select({ createdDate: user.createdDate }).from(user).orderBy(asc(user.createdDate)).limit(1),
    openReportsStatement(scope.db),
    lastBackupStatement(scope.db, scope.now()),
    waitingCorrectionsStatement(scope.db),
    waitingInquiriesStatement(scope.db),
    undecidedAddressesStatement(scope.db),
    scope.db.run(sql`SELECT 1`),
  ]);
  const [boards, statuses, newcomers, items, comments, messages, files, recent, requests, imports, jobs, ...more] =
    rows;
  const [firstMember, reports, backups, corrections, inquiries, addresses, { meta }] = more;
  const lastBackupDate = backups[0]?.finishedDate?.toISOString() ?? null;
  const seen = boards.filter((row) => can(ctx.actor, { action: "Board.List", board: row }));
  const visible = new Set(seen.map(({ boardCode }) => boardCode));
  const status = (name: string) => statuses.find((row) => row.status === name)?.count ?? 0;
  const sent = (name: string) => messages.find((row) => row.status === name)?.count ?? 0;
  const onDay = (rowsOf: typeof items, day: string) =>
    rowsOf.reduce((sum, row) => sum + (row.day === day && visible.has(row.boardCode) ? row.count : 0), 0);
  const states = await readServiceStates(ctx, sent("failed"));
  const days = Array.from({ length: DAYS }, (_, at) => koreanDay(new Date(now - (DAYS - 1 - at) * DAY_MS)));
  return {
    members: {
      active: status("active"),
      waiting: status("waiting"),
      blocked: status("blocked"),
      retired: status("retired"),
      newThisWeek: newcomers[0]?.count ?? 0,
    },
    boards: seen.map(({ boardCode, boardName, itemCount }) => ({ boardCode, boardName, itemCount })),
    days: days.map((day) => ({ day, items: onDay(items, day), comments: onDay(comments, day) })),
    messages: { failed: sent("failed"), queued: sent("queued") },
    storage: { files: files[0]?.files ?? 0, bytes: files[0]?.bytes ?? 0 },
    databaseBytes: meta.size_after,
    /** Requests under 법 제35조 to 제37조, and the earliest due day. */
    privacy: {
      open: requests[0]?.open ?? 0,
      overdue: requests[0]?.overdue ?? 0,
      nextDueDate: requests[0]?.next ? new Date(requests[0].next).toISOString() : null,
    },
    openReports: managedReports(ctx, reports),
    waitingCorrections: can(ctx.actor, { action: "Alumni_Write" }) ? (corrections[0]?.count ?? 0) : 0,
    undecidedAddresses: can(ctx.actor, { action: "Alumni_Write" }) ? (addresses[0]?.count ?? 0) : 0,
    waitingInquiries: can(ctx.actor, { action: "Inquiry_Answer" }) ? (inquiries[0]?.count ?? 0) : 0,
    failedImports: imports[0]?.count ?? 0,
    failedJobs: jobs.flatMap(({ name, status: last }) =>
      last === "failed" ? ((JOB_LABELS as Record<string, string>)[name] ?? []) : [],
    ),
    states,
    lastBackupDate,
    backup: backupState(now, lastBackupDate, firstMember[0]?.createdDate),
    recent: recent.map((row) => ({
      createdDate: row.createdDate.toISOString(),
      actorName: row.actorName ?? "",
      action: row.action,
    })),
  };
}

export type DashboardView = View<typeof getDashboard>;

function backupState(now: number, last: string | null, siteSince: Date | undefined) {
  const since = last ? Date.parse(last) : (siteSince?.getTime() ?? now);
  if (now - since > BACKUP_LATE_MS) return "late";
  return last ? "ok" : "first";
}

async function readServiceStates(
  ctx: AppContext,
  failed: number,
): Promise<Record<"database" | "storage" | "mail" | "caseReport", HealthState>> {
  const url = ctx.config.CASE_REPORT_URL;
  const [storage, caseReport] = await Promise.all([
    probePart(() => ctx.files.head("health")),
    url ? probePart(() => reachHost(url)) : ("off" as const),
  ]);
  return { database: "ok", storage, mail: ctx.messages.isLocal ? "local" : failed > 0 ? "failed" : "ok", caseReport };
}

export function isMonitor(header: string | null, config: Pick<Config, "HEALTH_TOKEN">): boolean {
  const token = /^Bearer (.{32,200})$/.exec(header ?? "")?.[1];
  return Boolean(config.HEALTH_TOKEN && token && isSameSecret(token, config.HEALTH_TOKEN));
}

export const isUnfinished = async (d1: D1Database) => (await d1.prepare(UNFINISHED_SQL).first()) !== null;

/** For monitoring only; contains no personal data. */
export async function readOperation(d1: D1Database, now: Date) {
  const db = connectDatabase(d1);
  const [jobs, alarms, [backup], [failed], [mark]] = await db.batch([
    db.select().from(job),
    openAlarmsStatement(db),
    lastBackupStatement(db, now),
    countRows(db, message, sql`status = 'failed' AND created_date > ${now.getTime() - HOUR_MS}`),
    db.select({ scope: pageStamp.scope }).from(pageStamp).where(eq(pageStamp.scope, UNFINISHED)),
  ]);
  return {
    isUnfinished: mark !== undefined,
    trips: tripsOf(db, now),
    jobs: jobs.map(({ name, status, startedDate, okDate }) => {
      const lateMs = jobLateMs(startedDate, EVERY_MINUTES[name as JobName] ?? 0, now);
      return {
        name,
        status,
        age: okDate ? Math.round((now.getTime() - okDate.getTime()) / 1000) : null,
        late: lateMs === null ? null : Math.round(lateMs / 1000),
      };
    }),
    alarms: alarms.map(({ kind, text }) => ({ kind, text })),
    lastBackupDate: backup?.finishedDate?.toISOString() ?? null,
    mail: (failed?.count ?? 0) > 0 ? ("failed" as const) : ("ok" as const),
  };
}
