import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { user } from "#db/schema/account.ts";
import { auditLog } from "#db/schema/audit.ts";
import { columnsOf } from "#db/sql.ts";
import { makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import type { AppContext, Parsed, RequestScope } from "#worker/domain/kernel/context.ts";
import type { exportAuditInput, listAuditQuery } from "#worker/contract/audit/input.ts";
import { numberDigits } from "#worker/contract/kernel/text.ts";
import { CONSOLE_ROWS } from "#worker/contract/kernel/console/console-pages.ts";
import { auditLackText, type AuditSubjectRow, auditTargetText } from "#worker/contract/audit/log.ts";
import { AUDIT_AREAS, AUDIT_READ_ACTIONS, auditActionLabel } from "#worker/contract/kernel/audit-actions.ts";
import { koreanDateTime } from "#worker/contract/kernel/korea.ts";
import { destroyedBetween, destroyedPeopleSql, traceDigest } from "./destruction.server.ts";
import { hasPermission, type PermissionCode } from "#worker/contract/kernel/permissions.ts";
import { authorizeConsole, can, requireSignedIn } from "../kernel/authorize.server.ts";
import { closedProposalsSql } from "../kernel/proposal-facts.server.ts";
import { audit, type AuditedPeople } from "../kernel/audit-entry.server.ts";
import { onKoreanDays } from "../kernel/korean-days.server.ts";
import { auditedSheet, countExport } from "../kernel/sheet-download.server.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";

const EXPORT_MAX = 20_000;
const HISTORY_MAX = 50;

const ROW_NAMES = CONSOLE_ROWS.map(
  ({ code, title }) =>
    `WHEN '${code}' THEN (SELECT t.${title} FROM ${code.replaceAll("-", "_")} AS t WHERE t.id = "audit_log"."target_id")`,
).join("\n    ");

const GROUP = sql`substr("audit_log"."action", 1, instr("audit_log"."action" || '.', '.') - 1)`;
const OWN = "own:";

/** Whether a mailing's or a round's people are chosen by what they owe. */
export const targetsDues = (target: SQL) => sql<number>`instr(${target}, '"dues":')`;

/** Whether a mailing's people are chosen by their registration for an event. */
export const targetsRegistered = (target: SQL) => sql<number>`(json_type(${target}, '$.registered') IS NOT NULL)`;

const IS_BY_DUES = sql`(instr(coalesce("audit_log"."detail", ''), '"dues ') OR ${GROUP} IN ('mailing', 'round') AND EXISTS (
    SELECT 1 FROM (SELECT id, target FROM mailing UNION ALL SELECT id, target FROM confirmation_round) AS m
    WHERE m.id = "audit_log"."target_id" AND ${targetsDues(sql`m.target`)}))`;

/** Permission required to see the row's names (`AUDIT_AREAS`); an export needs that of its content. */
const AREA = sql<string>`CASE
  WHEN "audit_log"."action" = 'board.export' OR ${GROUP} IN (SELECT key FROM json_each(${JSON.stringify(AUDIT_AREAS)}) WHERE value = 'board')
    THEN 'Board_' || substr("audit_log"."target_id", 1, instr("audit_log"."target_id" || '/', '/') - 1) || '_Manage'
  WHEN ${GROUP} IN (SELECT key FROM json_each(${JSON.stringify(AUDIT_AREAS)}) WHERE value = 'own')
    THEN ${OWN} || coalesce("audit_log"."actor_user_id", '')
  WHEN "audit_log"."action" = 'moving.export' THEN 'Alumni_Write'
  WHEN ${GROUP} = 'mailing' AND EXISTS (SELECT 1 FROM mailing AS m
      WHERE m.id = "audit_log"."target_id" AND ${targetsRegistered(sql`m.target`)})
    THEN 'Event_Manage'
  WHEN ${GROUP} = 'mailing' AND EXISTS (SELECT 1 FROM mailing AS m WHERE m.id = "audit_log"."target_id" AND m.source = 'member')
    THEN 'ADMIN_Access'
  WHEN ${GROUP} IN ('alumni', 'certificate', 'mailing', 'round') AND ${IS_BY_DUES} THEN 'Dues_Manage'
  ELSE coalesce((SELECT value FROM json_each(${JSON.stringify(AUDIT_AREAS)}) WHERE key = ${GROUP}), 'system') END`;

const ownArea = ({ actor }: Pick<AppContext, "actor">) => (actor.kind === "guest" ? OWN : `${OWN}${actor.userId}`);

function isAreaOpen(ctx: Pick<AppContext, "actor">, area: string): boolean {
  if (area.startsWith(OWN)) return area === ownArea(ctx);
  return hasPermission(ctx.actor.permissions, area as PermissionCode);
}

/** Areas visible to the reader; hits in other areas would reveal their content. */
function openAreas(ctx: Pick<AppContext, "actor">): SQL {
  const { all, codes } = ctx.actor.permissions;
  if (all) return sql`(${AREA} NOT LIKE ${`${OWN}%`} OR ${AREA} = ${ownArea(ctx)})`;
  return sql`${AREA} IN (SELECT value FROM json_each(${JSON.stringify([...codes, ownArea(ctx)])}))`;
}

const AUDIT_COLUMNS = {
  ...columnsOf(auditLog, "id", "createdDate", "actorUserId"),
  actorName: sql<string>`coalesce("user"."user_name", '')`,
  ...columnsOf(auditLog, "address", "action", "targetType", "targetId"),
  targetName: sql<string>`coalesce(CASE "audit_log"."target_type"
    WHEN 'user' THEN (SELECT t.user_name FROM user AS t WHERE t.id = "audit_log"."target_id")
    WHEN 'board' THEN (SELECT t.board_name FROM board AS t WHERE t.board_code = "audit_log"."target_id")
    WHEN 'role' THEN (SELECT t.role_name FROM role AS t WHERE t.role_code = "audit_log"."target_id")
    WHEN 'agreement' THEN (SELECT t.title FROM agreement AS t WHERE t.code = "audit_log"."target_id" ORDER BY t.is_current DESC LIMIT 1)
    WHEN 'center' THEN (SELECT t.region_name FROM center AS t WHERE t.region_code = "audit_log"."target_id")
    ${sql.raw(ROW_NAMES)}
    WHEN 'profile-field' THEN (SELECT t.name FROM profile_field AS t WHERE t.code = "audit_log"."target_id")
    WHEN 'alumni-field' THEN (SELECT t.name FROM alumni_field AS t WHERE t.code = "audit_log"."target_id")
    WHEN 'mailing' THEN (SELECT t.subject FROM mailing AS t WHERE t.id = "audit_log"."target_id")
    END, '')`.as("target_name"),
  ...columnsOf(auditLog, "subjectCount", "reason", "detail"),
  area: AREA.as("area"),
};

const auditRowsStatement = (db: Db, where: SQL | undefined) =>
  db
    .select(AUDIT_COLUMNS)
    .from(auditLog)
    .leftJoin(user, eq(user.id, auditLog.actorUserId))
    .where(where)
    .orderBy(desc(auditLog.id));

/** History of a target, without views of it (`viewAction`). */
export const targetHistoryStatement = (db: Db, targetType: string, targetId: string, viewAction: string) =>
  auditRowsStatement(
    db,
    sql`target_type = ${targetType} AND target_id = ${targetId} AND action <> ${viewAction}`,
  ).limit(HISTORY_MAX);

type StoredAuditRow = Awaited<ReturnType<typeof auditRowsStatement>>[number];

/** Without the permission, a row shows only actor, kind and time. */
export function auditRowView(ctx: Pick<AppContext, "actor">, { area, createdDate, ...row }: StoredAuditRow) {
  const isOpen = isAreaOpen(ctx, area);
  const closed = { targetId: "", targetName: "", subjectCount: 0, reason: "", detail: null };
  const lacks = area.startsWith(OWN) ? "own" : area;
  return { ...row, ...(!isOpen && closed), createdDate: createdDate.toISOString(), lacks: isOpen ? null : lacks };
}

export type AuditRow = ReturnType<typeof auditRowView>;

type AuditFilter = Pick<
  Parsed<typeof listAuditQuery>,
  "action" | "subject" | "actor" | "targetId" | "address" | "from" | "to"
>;

interface FoundSubject {
  subject: string;
  digest: string;
  inBook: boolean;
}

const foundSubject = (ctx: AppContext, subject: string | undefined): FoundSubject | undefined =>
  subject
    ? { subject, digest: traceDigest(ctx, subject), inBook: can(ctx.actor, { action: "Alumni_Write" }) }
    : undefined;

const PERSON_ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Ids of a person, even after destruction: account and alumni entry with the same address. */
function peopleSql({ subject, digest, inBook }: FoundSubject): SQL {
  const lower = subject.toLowerCase();
  const digits = numberDigits(subject) ?? "";
  const mobile = /^01\d{8,9}$/.test(digits) ? digits.replace(/^(\d{3})(\d+)(\d{4})$/, "$1-$2-$3") : "";
  return sql`WITH named (id) AS (
      SELECT id FROM user WHERE id = ${subject} OR user_name = ${subject}
      UNION SELECT user_id FROM user_key WHERE user_key_code IN (${lower}, ${mobile})
      UNION SELECT id FROM (
        SELECT id FROM alumni WHERE id = ${subject}
        UNION ALL SELECT id FROM alumni INDEXED BY alumni_name WHERE deleted_date IS NULL AND name = ${subject}
        UNION ALL SELECT id FROM alumni INDEXED BY alumni_email WHERE email <> '' AND email = ${lower}
        UNION ALL SELECT id FROM alumni INDEXED BY alumni_mobile WHERE deleted_date IS NULL AND mobile <> '' AND mobile IN (${subject}, ${mobile})
        UNION ALL SELECT id FROM alumni INDEXED BY alumni_bin WHERE deleted_date IS NOT NULL AND (name = ${subject} OR mobile = ${mobile || subject})
      ) WHERE ${inBook ? 1 : 0}
      UNION ${destroyedPeopleSql(digest)}
      UNION SELECT ${subject} WHERE ${PERSON_ID.test(subject) ? 1 : 0})
    SELECT id FROM named
    UNION SELECT a.id FROM named CROSS JOIN user_key AS k ON k.user_id = named.id AND k.user_key_type = 'Email' AND k.verified_date IS NOT NULL
      CROSS JOIN alumni AS a INDEXED BY alumni_email ON a.email <> '' AND a.email = k.user_key_code WHERE ${inBook ? 1 : 0}
    UNION SELECT k.user_id FROM named CROSS JOIN alumni AS a ON a.id = named.id AND a.email <> ''
      CROSS JOIN user_key AS k ON k.user_key_type = 'Email' AND k.user_key_code = a.email AND k.verified_date IS NOT NULL`;
}

/** Rows about a person: as target or among the people of an act. Each part reads an index. */
const subjectWhere = (found: FoundSubject): SQL => sql`"audit_log"."id" IN (
    WITH person AS MATERIALIZED (${peopleSql(found)})
    SELECT a.audit_id FROM person CROSS JOIN audit_person AS a ON a.subject_id = person.id
    UNION ALL SELECT l.id FROM person CROSS JOIN audit_log AS l ON l.target_type IN ('user', 'alumni') AND l.target_id = person.id)`;

/**
 * A named subject is searched only in rows that the reader sees in full. @param ctx for filters with a subject or
 * target
 */
function auditWhere(filter: AuditFilter, ctx: AppContext | null): SQL | undefined {
  const subject = ctx ? foundSubject(ctx, filter.subject) : undefined;
  return and(
    filter.action
      ? sql`"audit_log"."action" >= ${filter.action} AND "audit_log"."action" < ${`${filter.action}\u{10FFFF}`}`
      : undefined,
    filter.actor ? sql`instr("user"."user_name", ${filter.actor})` : undefined,
    ctx ? openAreas(ctx) : undefined,
    filter.targetId ? eq(auditLog.targetId, filter.targetId) : undefined,
    filter.address ? eq(auditLog.address, filter.address) : undefined,
    subject ? subjectWhere(subject) : undefined,
    onKoreanDays(auditLog.createdDate, filter),
  );
}

/** Without entries of proposals that a conflict of interest closes to the reader; a list shows several. */
export const isEntryShown = (viewerId: string, now: Date): SQL =>
  sql`NOT ("audit_log"."target_type" = 'proposal' AND iif("audit_log"."target_id" = '', EXISTS ${closedProposalsSql(viewerId, now)},
    "audit_log"."target_id" IN ${closedProposalsSql(viewerId, now)}))`;

export async function listAuditLog(scope: RequestScope, query: Parsed<typeof listAuditQuery>) {
  // Only a search by subject or target must know the reader's permissions first.
  const names = query.subject !== undefined || query.targetId !== undefined;
  const searched = auditWhere(query, names ? await scope.context() : null);
  const isRead = sql`"audit_log"."action" IN (SELECT value FROM json_each(${JSON.stringify(AUDIT_READ_ACTIONS)}))`;
  const { ctx, rows } = await scope.readFor(authorizeConsole, (viewerId) => {
    const found = and(searched, isEntryShown(viewerId, scope.now()));
    const where = query.reads === "folded" ? and(found, sql`NOT ${isRead}`) : found;
    return [
      rowsOfPage(auditRowsStatement(scope.db, where), query),
      scope.db
        .select({
          count: sql<number>`count(*)`,
          reads: sql<number>`coalesce(sum(${isRead}), 0)`.as("reads"),
        })
        .from(auditLog)
        .leftJoin(user, eq(user.id, auditLog.actorUserId))
        .where(found),
    ];
  });
  const { page: _page, size: _size, reads: _reads, subject, ...asked } = query;
  const [counted] = rows[1];
  const foldedReads = query.reads === "folded" ? (counted?.reads ?? 0) : 0;
  ctx.defer(
    audit(ctx, {
      action: "audit.list",
      detail: { ...asked, page: query.page, ...(subject ? { withSubject: true } : {}) },
    }).run(),
  );
  const count = (counted?.count ?? 0) - foldedReads;
  return {
    ...makeCountedPage(
      query,
      rows[0].map((row) => auditRowView(ctx, row)),
      [{ count }],
    ),
    foldedReads,
  };
}

/** @throws AppError TOO_MANY_REQUESTS above ten exports a day */
export async function exportAuditLog(ctx: AppContext, input: Parsed<typeof exportAuditInput>) {
  authorizeConsole(ctx);
  await countExport(ctx);
  const { subject, ...filter } = input.filter;
  const names = subject !== undefined || filter.targetId !== undefined;
  const where = and(auditWhere(input.filter, names ? ctx : null), isEntryShown(requireSignedIn(ctx).userId, ctx.now()));
  const stored = await auditRowsStatement(ctx.db, where).limit(EXPORT_MAX);
  const rows = stored.map((row) => auditRowView(ctx, row));
  const entry = { action: "audit.export", detail: { filter: { ...filter, withSubject: Boolean(subject) } } } as const;
  return auditedSheet(ctx, input, entry, "감사기록", rows, [
    { label: "번호", text: ({ id }) => id },
    { label: "일시", text: ({ createdDate }) => koreanDateTime(new Date(createdDate)) },
    { label: "행위자", text: ({ actorName }) => actorName },
    { label: "접속 IP", text: ({ address }) => address },
    { label: "행위", text: ({ action }) => auditActionLabel(action) },
    { label: "대상", text: auditTargetText },
    { label: "정보주체 수", text: ({ subjectCount }) => subjectCount },
    { label: "사유", text: ({ reason }) => reason },
    {
      label: "내용",
      text: ({ lacks, detail }) => (lacks ? auditLackText(lacks) : detail ? JSON.stringify(detail) : ""),
    },
  ]);
}

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
  const [row] = await auditRowsStatement(
    ctx.db,
    and(eq(auditLog.id, id), isEntryShown(requireSignedIn(ctx).userId, ctx.now())),
  );
  if (!row) throw new AppError("NOT_FOUND", { message: "기록을 찾을 수 없습니다." });
  const view = auditRowView(ctx, row);
  // The address book shows names to its readers, and every address to its editors.
  const seesAddresses = can(ctx.actor, { action: "Alumni_Write" });
  const seesNames = seesAddresses || can(ctx.actor, { action: "Alumni_Read" });
  const within = sql`FROM audit_subject AS e, json_each(e.ids) AS j WHERE e.audit_id = ${id} AND ${view.lacks === null ? 1 : 0}`;
  const [people, counts] = await Promise.all([
    ctx.db.all<AuditSubjectRow>(sql`
      SELECT t.id AS id, iif(u.id IS NULL, 'alumni', 'user') AS subjectType, coalesce(u.user_name, ${seesNames ? sql`a.name` : sql`NULL`}, '') AS name,
        coalesce((SELECT user_key_code FROM user_key WHERE user_key.user_id = u.id AND user_key_type = 'Email'), ${seesAddresses ? sql`a.email` : sql`NULL`}, '') AS email,
        (u.id IS NULL AND a.id IS NOT NULL AND ${seesNames ? 0 : 1}) AS isHidden
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
