import { sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { userConsent } from "#db/schema/account.ts";
import { alumni } from "#db/schema/alumni.ts";
import { auditLog, auditSubject, destroyedTrace } from "#db/schema/audit.ts";
import { boardItem, boardItemComment, itemDraft } from "#db/schema/board.ts";
import { message } from "#db/schema/mail.ts";
import { privacyRequest, retentionRunWindow } from "#db/schema/privacy.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { RETENTION_RULES, type RetentionRule } from "#worker/contract/audit/retention-rules.ts";
import { type BatchGuard, runGuardedBatch, conflict } from "../kernel/guarded-batch.server.ts";
import { keepAlumniTraces } from "../alumni/alumni-trace.server.ts";
import { destroyedWith, forgetAlumniStatements } from "../alumni/deleted.server.ts";
import { alumniSettings } from "../alumni/alumni-settings.server.ts";
import { releaseUnusedFiles } from "../alumni/own-file.server.ts";
import { cleanUpFiles } from "../file/clean-up.server.ts";
import { bumpAlumniRevision } from "../alumni/row.server.ts";
import { auditPeople } from "../kernel/audit-entry.server.ts";
import { destroyInquiryStatements } from "../inquiry/row.server.ts";
import { destroyCommentStatements, destroyItemStatements } from "../board/deleted.server.ts";
import { destroyPeople } from "./destroy.server.ts";
import { areAllStillDue, dueBefore, type DueRows, dueIdsParameter, ownersOfDue } from "./due.server.ts";
import { isInExport, restoredSql } from "../audit/destroyed-trace.server.ts";
import { registerDestroyedPeople, registerDestroyedThings } from "../audit/destruction-register.server.ts";

export const dueListChanged = () => conflict("그사이 대상이 바뀌었습니다. 목록을 다시 확인해 주십시오.");

type BatchStatement = BatchItem<"sqlite">;

interface DestroyWork {
  statements: readonly BatchStatement[];
  after?: () => void;
}

type DestroyDue = (ctx: AppContext, ids: readonly string[], before: number) => Promise<DestroyWork> | DestroyWork;

const idListSql = (ids: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;

/** Each deletion repeats the rule's condition as a guard: see `destroyDue`. */
const DESTROY_BY_RULE: Record<RetentionRule, DestroyDue> = {
  leftover: destroyPeople,
  inactive: destroyPeople,
  consents: (ctx, ids) => ({
    statements: [ctx.db.delete(userConsent).where(sql`${userConsent.userId} IN ${idListSql(ids)}`)],
  }),
  requests: (ctx, ids) => ({
    statements: [ctx.db.delete(privacyRequest).where(sql`${privacyRequest.id} IN ${idListSql(ids)}`)],
  }),
  inquiries: (ctx, ids) => ({
    statements: destroyInquiryStatements(ctx.db, sql`SELECT value FROM json_each(${JSON.stringify(ids)})`),
  }),
  "alumni-bin": async (ctx, ids) => {
    const people = await destroyedWith(ctx, ids);
    const gone = sql`${alumni.id} IN ${idListSql(people.map(({ id }) => id))}`;
    return {
      statements: [
        ...keepAlumniTraces(ctx, people),
        ...forgetAlumniStatements(ctx.db, gone),
        ctx.db.delete(alumni).where(gone),
        bumpAlumniRevision(ctx.db),
        releaseUnusedFiles(ctx.db),
      ],
      after: () => ctx.defer(cleanUpFiles(ctx, alumniSettings(ctx).exportHours)),
    };
  },
  "board-bin": (ctx, ids) => ({
    statements: destroyItemStatements(
      ctx,
      sql`${boardItem.id} IN (SELECT value FROM json_each(${dueIdsParameter("board-bin", ids)}))`,
    ),
  }),
  comments: (ctx, ids) => ({
    statements: destroyCommentStatements(ctx, sql`${boardItemComment.id} IN ${idListSql(ids)}`),
  }),
  drafts: (ctx, ids) => ({
    statements: [
      ctx.db.delete(itemDraft).where(sql`user_id || '/' || board_code || '/' || item_no IN ${idListSql(ids)}`),
    ],
  }),
  messages: (ctx, ids) => ({
    statements: [ctx.db.delete(message).where(sql`${message.id} IN ${idListSql(ids)}`)],
  }),
  // Triggers allow deleting rows older than a year, with this permit only.
  "access-log": (ctx, ids, before) => ({
    statements: [
      ctx.db.insert(retentionRunWindow).values({ rule: "access-log", beforeDate: new Date(before) }),
      ctx.db
        .delete(auditSubject)
        .where(sql`${auditSubject.auditId} IN (SELECT value FROM json_each(${dueIdsParameter("access-log", ids)}))`),
      ctx.db
        .delete(auditLog)
        .where(sql`${auditLog.id} IN (SELECT value FROM json_each(${dueIdsParameter("access-log", ids)}))`),
      // Newer exports may still contain these people, from older backups.
      ctx.db.delete(destroyedTrace).where(sql`created_date < ${before} AND NOT ${isInExport(sql`subject_id`)}`),
      ctx.db.delete(retentionRunWindow),
    ],
  }),
};

const RULES_ON_PERSONS: readonly RetentionRule[] = [
  "leftover",
  "inactive",
  "consents",
  "alumni-bin",
  "requests",
  "inquiries",
];

/** Destroys restored people and items again that a later backup knows as destroyed. */
export async function destroyRestored(ctx: AppContext): Promise<void> {
  const basis = "옛 백업에서 되살아난 것을 다시 파기";
  for (const [type, rule] of [
    ["user", "leftover"],
    ["alumni", "alumni-bin"],
    ["item", "board-bin"],
  ] as const) {
    const ids = (await ctx.db.all<{ id: string }>(restoredSql(type))).map(({ id }) => id);
    if (ids.length > 0)
      await destroyRows(ctx, rule, ids, { basis }, { reason: basis, before: 0, detail: { count: ids.length } });
  }
}

/** @param guards of the authority over its people, for a manual run */
export async function destroyDue(
  ctx: AppContext,
  rule: RetentionRule,
  days: number,
  due: DueRows,
  reason: string,
  guards: readonly BatchGuard[] = [],
) {
  const ids = due.rows.map(({ id }) => id);
  const now = ctx.now();
  const { fingerprint } = due;
  await destroyRows(
    ctx,
    rule,
    ids,
    { basis: `${RETENTION_RULES[rule].since} 뒤 ${days}일`, fingerprint },
    { reason, before: dueBefore(now, days), detail: { days, count: ids.length, fingerprint } },
    [{ holds: areAllStillDue(rule, days, now, ids), error: dueListChanged }, ...guards],
  );
  return ids.length;
}

async function destroyRows(
  ctx: AppContext,
  rule: RetentionRule,
  ids: readonly string[],
  record: { basis: string; fingerprint?: string },
  { reason, before, detail }: { reason: string; before: number; detail: object },
  guards: readonly BatchGuard[] = [],
) {
  const what = { kind: RETENTION_RULES[rule].kind, rule, ...record };
  const work = await DESTROY_BY_RULE[rule](ctx, ids, before);
  await runGuardedBatch(ctx, guards, [
    // Reads the owners before their rows are deleted.
    ...auditPeople(
      ctx,
      { action: "retention.run", targetType: "retention", targetId: rule, reason, detail: { ...detail } },
      ownersOfDue(rule, ids),
    ),
    ...work.statements,
    RULES_ON_PERSONS.includes(rule)
      ? registerDestroyedPeople(ctx, ids, what)
      : registerDestroyedThings(ctx, ids.length, what),
  ]);
  work.after?.();
}
