import { type SQL, sql } from "drizzle-orm";
import { sha256Base64Url } from "#worker/adapters/secrets.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import type { RetentionDueRow } from "#worker/contract/privacy/privacy.ts";
import {
  DELETION_WARNING_DAYS,
  RETENTION_RULE_CODES,
  RETENTION_RULES,
  type RetentionRule,
} from "#worker/contract/audit/retention-rules.ts";
import { destroyCommentStatements, destroyItemStatements, isDestroyableComment } from "../board/deleted.server.ts";
import { type AuditedPeople, auditPeople } from "../kernel/audit-entry.server.ts";
import { isAdministrator } from "../access/account-authority.server.ts";
import { isOptionalConsent } from "./account-columns.server.ts";
import { destroyPeople } from "./destroy.server.ts";
import type { PrivacySettings } from "#worker/contract/audit/retention-input.ts";
import type { BatchItem } from "drizzle-orm/batch";
import { userConsent } from "#db/schema/account.ts";
import { alumni } from "#db/schema/alumni.ts";
import { auditLog, auditSubject, destroyedTrace } from "#db/schema/audit.ts";
import { boardItem, boardItemComment, itemDraft } from "#db/schema/board.ts";
import { eventRegistration } from "#db/schema/event.ts";
import { mailingRecipient } from "#db/schema/mailing.ts";
import { message } from "#db/schema/mail.ts";
import { privacyRequest, retentionPermit } from "#db/schema/privacy.ts";
import { type BatchGuard, conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { destroyedWith, forgetAlumniStatements, keepAlumniTraces } from "../alumni/deleted.server.ts";
import { destroyDuesStatements } from "../alumni/dues/work.server.ts";
import { alumniSettings } from "../alumni/setting.server.ts";
import { releaseUnusedFiles } from "../alumni/own-field.server.ts";
import { cleanUpFiles } from "../file/clean-up.server.ts";
import { bumpAlumniRevision } from "../alumni/row.server.ts";
import { destroyInquiryStatements } from "../inquiry/inquiry.server.ts";
import {
  isInExport,
  registerDestroyedPeople,
  registerDestroyedThings,
  restoredSql,
} from "../audit/destruction.server.ts";

/** Rows shown and destroyed at once. */
const DUE_ROWS_MAX = 200;

/** Members of an old site count from the move, not from their old sign-up. */
const MOVED_AT = sql`coalesce((SELECT max(moving.created_date) FROM moved_thing JOIN moving ON moving.id = moved_thing.moving_id WHERE moved_thing.kind = 'member' AND moved_thing.target_id = user.id), 0)`;
const LAST_USE = sql`max(coalesce(user.last_signin_date, 0), user.created_date, ${MOVED_AT}, coalesce((SELECT max(last_used_date) FROM session WHERE session.user_id = user.id), 0))`;
const isDormant = (before: number) =>
  sql`user.status = 'active' AND NOT ${isAdministrator} AND user.created_date < ${before} AND ${LAST_USE} < ${before}`;
const WARNED_AT = sql`(SELECT max(created_date) FROM retention_notice WHERE retention_notice.user_id = user.id)`;

const ITEM_LABEL = sql`coalesce(board.board_name, board_item.board_code) || ' ' || board_item.item_no || '번 글'`;
const TITLED_ITEM = sql`${ITEM_LABEL} || CASE board_item.title WHEN '' THEN '' ELSE ' · ' || board_item.title END`;

/** An item that lost its event counts from the close. */
const EVENT_OVER = sql`coalesce(board_item.event_end, event.close_date)`;

const registrationsOver = (name: SQL, which: SQL, before: number) => sql`
    SELECT joined.id AS id, ${name} || '님의 행사 신청' AS name, ${EVENT_OVER} AS since
    FROM event_registration AS joined JOIN event ON event.item_id = joined.item_id
    LEFT JOIN board_item ON board_item.id = joined.item_id WHERE ${which} AND ${EVENT_OVER} < ${before}`;

const DUE_SINCE = sql`iif(charged.due_day = '', charged.created_date, unixepoch(charged.due_day || ' 00:00:00', '-9 hours') * 1000)`;

/** Selects `id`, `name` and `since` (ms) of due rows; `before` is the rule's cut-off. */
const DUE_STATEMENTS: Record<RetentionRule, (before: number, now: number) => SQL> = {
  leftover: (before) => sql`
    SELECT user.id AS id, user.user_name AS name, user.modified_date AS since FROM user
    WHERE user.status = 'retired' AND user.modified_date < ${before} AND (
      user.profile <> '{}' OR user.password_hash <> ''
      OR EXISTS (SELECT 1 FROM user_key WHERE user_id = user.id) OR EXISTS (SELECT 1 FROM session WHERE user_id = user.id)
      OR EXISTS (SELECT 1 FROM message WHERE user_id = user.id) OR EXISTS (SELECT 1 FROM item_draft WHERE user_id = user.id)
      OR EXISTS (SELECT 1 FROM privacy_request WHERE user_id = user.id AND contact <> '')
      OR EXISTS (SELECT 1 FROM user_consent WHERE user_id = user.id AND ${isOptionalConsent}))`,
  inactive: (before, now) => sql`
    SELECT user.id AS id, user.user_name AS name, ${LAST_USE} AS since FROM user
    WHERE ${isDormant(before)} AND ${WARNED_AT} > ${LAST_USE} AND ${WARNED_AT} < ${now - DELETION_WARNING_DAYS * DAY_MS}`,
  refused: (before) => sql`
    SELECT user.id AS id, user.user_name AS name, user.modified_date AS since FROM user
    WHERE user.status = 'refused' AND user.modified_date < ${before}`,
  consents: (before) => sql`
    SELECT user.id AS id, user.user_name AS name, user.modified_date AS since FROM user
    WHERE user.status = 'retired' AND user.modified_date < ${before}
      AND EXISTS (SELECT 1 FROM user_consent WHERE user_consent.user_id = user.id)`,
  requests: (before) => sql`
    SELECT id, requester_name AS name, closed_date AS since FROM privacy_request WHERE closed_date < ${before}`,
  inquiries: (before) => sql`
    SELECT id, (SELECT user_name FROM user WHERE user.id = inquiry.user_id) || '님의 문의' AS name, last_date AS since
    FROM inquiry WHERE status <> 'waiting' AND last_date < ${before}`,
  registrations: (before) =>
    registrationsOver(sql`(SELECT user_name FROM user WHERE user.id = joined.user_id)`, sql`guest_email = ''`, before),
  "guest-registrations": (before) => registrationsOver(sql`guest_name`, sql`guest_email <> ''`, before),
  "alumni-bin": (before) => sql`
    SELECT id, name, deleted_date AS since FROM alumni WHERE deleted_date IS NOT NULL AND deleted_date < ${before}`,
  "board-bin": (before) => sql`
    SELECT board_item.id AS id, ${TITLED_ITEM} AS name, board_item.deleted_date AS since
    FROM board_item LEFT JOIN board ON board.board_code = board_item.board_code
    WHERE board_item.deleted_date IS NOT NULL AND board_item.deleted_date < ${before}`,
  comments: (before) => sql`
    SELECT board_item_comment.id AS id, ${ITEM_LABEL} || '의 댓글' AS name, board_item_comment.deleted_date AS since
    FROM board_item_comment JOIN board_item ON board_item.id = board_item_comment.item_id
    LEFT JOIN board ON board.board_code = board_item.board_code
    WHERE board_item_comment.deleted_date IS NOT NULL AND ${isDestroyableComment(before)}`,
  drafts: (before) => sql`
    SELECT user_id || '/' || board_code || '/' || item_no AS id, title AS name, modified_date AS since
    FROM item_draft WHERE modified_date < ${before}`,
  dues: (before) => sql`
    SELECT charged.id AS id, coalesce((SELECT name FROM alumni WHERE alumni.id = charged.alumni_id) || ' · ', '') || period || ' 회비' AS name, ${DUE_SINCE} AS since
    FROM due AS charged WHERE ${DUE_SINCE} < ${before}
    UNION ALL SELECT id, '회비와 맞추지 않은 입금', paid_date FROM deposit
    WHERE paid_date < ${before} AND NOT EXISTS (SELECT 1 FROM due_allocation WHERE deposit_id = deposit.id)`,
  messages: (before) => sql`
    SELECT id, recipient || ' · ' || subject AS name, created_date AS since
    FROM message WHERE created_date < ${before} AND status <> 'queued'`,
  // The trigger counts whole seconds; a minute of margin avoids a mismatch.
  "access-log": (before) => sql`
    SELECT id, action AS name, created_date AS since FROM audit_log WHERE created_date < ${before - 60_000}`,
};

const dueBefore = (now: Date, days: number) => now.getTime() - days * DAY_MS;

export function retentionDueStatement(rule: RetentionRule, days: number, now: Date, limit = DUE_ROWS_MAX + 1): SQL {
  return sql`SELECT * FROM (${DUE_STATEMENTS[rule](dueBefore(now, days), now.getTime())}) ORDER BY since, id LIMIT ${limit}`;
}

const areAllStillDue = (rule: RetentionRule, days: number, now: Date, ids: readonly string[]): SQL =>
  sql`(SELECT count(*) FROM (${DUE_STATEMENTS[rule](dueBefore(now, days), now.getTime())}) WHERE id IN (SELECT value FROM json_each(${dueIdsParameter(rule, ids)}))) = ${ids.length}`;

const dueIdsParameter = (rule: RetentionRule, ids: readonly string[]) =>
  JSON.stringify(rule === "access-log" || rule === "board-bin" ? ids.map(Number) : ids);

/** Owners of due rows. Board items and comments have none. */
export function ownersOfDue(rule: RetentionRule, ids: readonly string[]): AuditedPeople {
  const owner = OWNERS[rule];
  return owner
    ? {
        ids: sql`SELECT ${owner} AS id FROM (SELECT value AS due FROM json_each(${JSON.stringify(ids)}))`,
        count: ids.length,
      }
    : [];
}

const REGISTERED = sql`(SELECT user_id FROM event_registration WHERE id = due)`;

const OWNERS: Partial<Record<RetentionRule, SQL>> = {
  leftover: sql`due`,
  inactive: sql`due`,
  refused: sql`due`,
  consents: sql`due`,
  "alumni-bin": sql`due`,
  requests: sql`(SELECT user_id FROM privacy_request WHERE id = due)`,
  inquiries: sql`(SELECT user_id FROM inquiry WHERE id = due)`,
  registrations: REGISTERED,
  "guest-registrations": REGISTERED,
  dues: sql`(SELECT alumni_id FROM due AS charged WHERE charged.id = due)`,
  messages: sql`(SELECT user_id FROM message WHERE id = due)`,
  drafts: sql`substr(due, 1, instr(due, '/') - 1)`,
};

export const deletionWarningDueStatement = (days: number, now: Date, limit = DUE_ROWS_MAX + 1): SQL => sql`
  SELECT user.id AS id, user.user_name AS name, ${LAST_USE} AS since FROM user
  WHERE ${isDormant(dueBefore(now, days - DELETION_WARNING_DAYS))} AND coalesce(${WARNED_AT}, 0) <= ${LAST_USE}
  ORDER BY since, id LIMIT ${limit}`;

export interface DueRows {
  rows: RetentionDueRow[];
  more: boolean;
  fingerprint: string;
}

export async function readDueRows(ctx: Pick<AppContext, "db">, statement: SQL, mark: string): Promise<DueRows> {
  const found = await ctx.db.all<{ id: string | number; name: string; since: number }>(statement);
  const rows = found
    .slice(0, DUE_ROWS_MAX)
    .map(({ id, name, since }) => ({ id: String(id), name, sinceDate: new Date(since).toISOString() }));
  const fingerprint = sha256Base64Url(
    [mark, ...rows.map(({ id, sinceDate }) => `${id} ${sinceDate}`)].join("\n"),
  ).slice(0, 32);
  return { rows, more: found.length > DUE_ROWS_MAX, fingerprint };
}

const COUNT_MAX = 1000;

const countOf = (statement: SQL) => sql<{ count: number }>`SELECT count(*) AS count FROM (${statement})`;

/** Counts up to a thousand per rule; `toTell` get a notice before their account ends. The caller authorises. */
export function countDueRules(ctx: AppContext, { rules }: PrivacySettings) {
  const now = ctx.now();
  return Promise.all(
    RETENTION_RULE_CODES.map(async (rule) => {
      const { on, days } = rules[rule];
      const [due] = await ctx.db.all<{ count: number }>(countOf(retentionDueStatement(rule, days, now, COUNT_MAX)));
      const [tell] =
        rule === "inactive"
          ? await ctx.db.all<{ count: number }>(countOf(deletionWarningDueStatement(days, now, COUNT_MAX)))
          : [{ count: 0 }];
      return { rule, on, days, due: due?.count ?? 0, toTell: tell?.count ?? 0 };
    }),
  );
}

export const dueListChanged = () => conflict("그사이 대상이 바뀌었습니다. 목록을 다시 확인해 주십시오.");

type BatchStatement = BatchItem<"sqlite">;

interface DestroyWork {
  statements: readonly BatchStatement[];
  after?: () => void;
}

type DestroyDue = (ctx: AppContext, ids: readonly string[], before: number) => Promise<DestroyWork> | DestroyWork;

const idListSql = (ids: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;

const destroyRegistrations = (ctx: AppContext, ids: readonly string[]) =>
  ctx.db.delete(eventRegistration).where(sql`${eventRegistration.id} IN ${idListSql(ids)}`);

/** Each deletion repeats the rule's condition as a guard: see `destroyDue`. */
const DESTROY_BY_RULE: Record<RetentionRule, DestroyDue> = {
  leftover: destroyPeople,
  inactive: destroyPeople,
  refused: destroyPeople,
  consents: (ctx, ids) => ({
    statements: [ctx.db.delete(userConsent).where(sql`${userConsent.userId} IN ${idListSql(ids)}`)],
  }),
  requests: (ctx, ids) => ({
    statements: [ctx.db.delete(privacyRequest).where(sql`${privacyRequest.id} IN ${idListSql(ids)}`)],
  }),
  inquiries: (ctx, ids) => ({
    statements: destroyInquiryStatements(ctx.db, sql`SELECT value FROM json_each(${JSON.stringify(ids)})`),
  }),
  registrations: (ctx, ids) => ({ statements: [destroyRegistrations(ctx, ids)] }),
  "guest-registrations": (ctx, ids) => {
    const guests = sql`(SELECT user_id FROM event_registration WHERE id IN ${idListSql(ids)})`;
    return {
      statements: [
        ctx.db.delete(message).where(sql`${message.userId} IN ${guests}`),
        ctx.db.delete(mailingRecipient).where(sql`${mailingRecipient.personId} IN ${guests}`),
        destroyRegistrations(ctx, ids),
      ],
    };
  },
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
  dues: (ctx, ids, before) => ({ statements: destroyDuesStatements(ctx, idListSql(ids), before) }),
  messages: (ctx, ids) => ({
    statements: [ctx.db.delete(message).where(sql`${message.id} IN ${idListSql(ids)}`)],
  }),
  // Triggers allow deleting rows older than a year, with this permit only.
  "access-log": (ctx, ids, before) => ({
    statements: [
      ctx.db.insert(retentionPermit).values({ rule: "access-log", beforeDate: new Date(before) }),
      ctx.db
        .delete(auditSubject)
        .where(sql`${auditSubject.auditId} IN (SELECT value FROM json_each(${dueIdsParameter("access-log", ids)}))`),
      ctx.db
        .delete(auditLog)
        .where(sql`${auditLog.id} IN (SELECT value FROM json_each(${dueIdsParameter("access-log", ids)}))`),
      // Newer exports may still contain these people, from older backups.
      ctx.db.delete(destroyedTrace).where(sql`created_date < ${before} AND NOT ${isInExport(sql`subject_id`)}`),
      ctx.db.delete(retentionPermit),
    ],
  }),
};

const RULES_ON_PERSONS: readonly RetentionRule[] = [
  "leftover",
  "inactive",
  "refused",
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
