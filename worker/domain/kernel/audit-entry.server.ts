import { type SQL, sql } from "drizzle-orm";
import { auditLog, auditSubject } from "#db/schema/audit.ts";
import type { AuditAction } from "#worker/contract/kernel/audit-actions.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { jsonArrays } from "./json-arrays.ts";

export interface AuditEntry {
  action: AuditAction;
  /** The action's first word where left out. */
  targetType?: string;
  targetId?: string;
  actorUserId?: string;
  /** Only where the target is the person; `auditPeople` records others. */
  subjectCount?: 1;
  reason?: string;
  /** Never contains a password, token, code or full address. */
  detail?: Record<string, unknown>;
}

const targetTypeOf = ({ action, targetType = action.slice(0, action.indexOf(".")) }: AuditEntry) => targetType;

const actorOf = ({ actor }: AppContext, { actorUserId }: AuditEntry) =>
  actorUserId ?? (actor.kind === "guest" ? null : actor.userId);

const auditRow = (ctx: AppContext, entry: AuditEntry, subjectCount: number | SQL<number>) =>
  ctx.db.insert(auditLog).values({
    createdDate: ctx.now(),
    actorUserId: actorOf(ctx, entry),
    address: ctx.client.address,
    action: entry.action,
    targetType: targetTypeOf(entry),
    targetId: entry.targetId ?? "",
    subjectCount,
    reason: entry.reason ?? "",
    detail: entry.detail ?? null,
    requestId: ctx.requestId,
  });

/** Audit row for the batch of the change that it records. */
export const audit = (ctx: AppContext, entry: AuditEntry) => auditRow(ctx, entry, entry.subjectCount ?? 0);

/** About 200 kB a row. */
const IDS_PER_PART = 5000;

type Person = string | { id: string } | null;
/** Accounts and alumni entries, or a query of their `id`, with their number if it is known. */
export type AuditedPeople = readonly Person[] | { ids: SQL; count?: number | SQL<number> };

/** Audit row of an act over people, which the search of the log finds by each of them. */
export function auditPeople(
  ctx: AppContext,
  entry: Omit<AuditEntry, "subjectCount">,
  people: AuditedPeople,
): [ReturnType<typeof auditRow>, ...ReturnType<typeof subjectsStatement>[]] {
  if ("ids" in people) {
    const { ids, count = sql<number>`(SELECT count(*) FROM (${ids}))` } = people;
    return [auditRow(ctx, entry, count), subjectsStatement(ctx, ids)];
  }
  const ids = people.flatMap((person) => (typeof person === "string" ? person : (person?.id ?? [])));
  const known = jsonArrays([...new Set(ids)]);
  return [
    auditRow(ctx, entry, people.length),
    ...known.map((json, at) => subjectsStatement(ctx, sql`SELECT value AS id FROM json_each(${json})`, at * 1000)),
  ];
}

/** Belongs to the audit row directly before it in the batch. */
const subjectsStatement = (ctx: AppContext, ids: SQL, firstPart = 0) =>
  // In the order of the table's columns.
  ctx.db.insert(auditSubject).select(sql`
    SELECT (SELECT max(id) FROM audit_log), ${firstPart} + part, json_group_array(id) FROM (
      SELECT id, (row_number() OVER (ORDER BY id) - 1) / ${sql.raw(String(IDS_PER_PART))} AS part FROM (${ids}) WHERE id IS NOT NULL)
    GROUP BY part`);

/** As `auditPeople`, without a row where the query finds nobody. */
export const auditFoundPeople = (ctx: AppContext, entry: Omit<AuditEntry, "subjectCount">, ids: SQL) => [
  auditRowsSql(
    ctx,
    entry,
    sql`${entry.targetId ?? ""}, (SELECT count(*) FROM (${ids}))`,
    sql`WHERE EXISTS (SELECT 1 FROM (${ids}))`,
  ),
  subjectsStatement(ctx, ids),
];

/** Records that somebody looked at people. */
export function auditLook(ctx: AppContext, entry: Omit<AuditEntry, "subjectCount">, people: readonly Person[]) {
  if (people.length > 0) ctx.defer(ctx.db.batch(auditPeople(ctx, entry, people)));
}

/** Writes the row only if the previous statement in the batch changed one, for guarded updates. */
export const auditIfChanged = (ctx: AppContext, entry: Omit<AuditEntry, "actorUserId">) =>
  auditIf(ctx, entry, sql`changes() > 0`);

/** @param target the columns target and count of people */
const auditRowsSql = (ctx: AppContext, entry: AuditEntry, target: SQL, from: SQL) =>
  // In the order of the table's columns.
  ctx.db.insert(auditLog).select(sql`
    SELECT NULL, ${ctx.now().getTime()}, ${actorOf(ctx, entry)}, ${ctx.client.address}, ${entry.action}, ${targetTypeOf(entry)},
      ${target}, ${entry.reason ?? ""}, ${entry.detail ? JSON.stringify(entry.detail) : null}, ${ctx.requestId}
    ${from}`);

export const auditIf = (ctx: AppContext, entry: AuditEntry, condition: SQL) =>
  auditRowsSql(ctx, entry, sql`${entry.targetId ?? ""}, ${entry.subjectCount ?? 0}`, sql`WHERE ${condition}`);

/** A row for each of the people. */
export const auditEach = (ctx: AppContext, ids: readonly string[], entry: Omit<AuditEntry, "targetId">) =>
  auditRowsSql(ctx, entry, sql`value, 1`, sql`FROM json_each(${JSON.stringify(ids)})`);
