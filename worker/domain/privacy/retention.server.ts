import { sql } from "drizzle-orm";
import { siteSetting } from "#db/schema/kernel.ts";
import type { AppContext, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { PrivacySettings, UpdatePrivacyInput } from "#worker/contract/audit/retention-input.ts";
import type { PrivacySettingView } from "#worker/contract/audit/log.ts";
import {
  DELETION_WARNING_DAYS,
  RETENTION_RULE_CODES,
  RETENTION_RULES,
  type RetentionRule,
  type RetentionRuleText,
} from "#worker/contract/audit/retention-rules.ts";
import type { RunRetentionRuleInput } from "#worker/contract/privacy/input.ts";
import { readAges, requireTrustedClock } from "../audit/ages.server.ts";
import { authorizeAccounts, authorizeEveryAccount } from "../access/account-authority.server.ts";
import { type BatchGuard, conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { auditDifference } from "../kernel/audit-difference.ts";
import { audit, auditPeople } from "../kernel/audit-entry.server.ts";
import { contactOf, queueMessage } from "../mail/message.server.ts";
import {
  countDueRules,
  deletionWarningDueStatement,
  destroyDue,
  destroyRestored,
  dueListChanged,
  type DueRows,
  ownersOfDue,
  readDueRows,
  retentionDueStatement,
} from "./due.server.ts";
import {
  PRIVACY_SETTING_KEY,
  privacySettingStatement,
  privacySettingView,
  readPrivacySettings,
} from "../audit/retention-setting.server.ts";
import { user, userKey } from "#db/schema/account.ts";
import { retentionNotice } from "#db/schema/privacy.ts";
import { loadLetterRenderers } from "../mail/render-template.server.ts";
import { board } from "#db/schema/board.ts";
import { type AccessQuestion, authorize, authorizeConsole, authorizeSetting, can } from "../kernel/authorize.server.ts";

export async function getRetentionPage(scope: RequestScope) {
  const { ctx, rows } = await scope.readFor(authorizeConsole, [privacySettingStatement(scope.db)]);
  const { value, version } = privacySettingView(rows[0][0]);
  const [counts, locked] = await Promise.all([countDueRules(ctx, value), readLockedRules(ctx)]);
  const rules = counts.map((count) => ({ ...count, isLocked: locked.has(count.rule) }));
  return { rules, requestDays: value.requestDays, version };
}

export type RetentionPage = View<typeof getRetentionPage>;

/** @throws AppError CONFLICT */
export async function updatePrivacySetting(ctx: AppContext, input: UpdatePrivacyInput): Promise<PrivacySettingView> {
  authorizeSetting(ctx, "retention");
  const { version, ...value } = input;
  const before = await readPrivacySettings(ctx);
  const stillTheirs = await authorizeRetentionChange(ctx, before.rules, value.rules);
  const unchanged = {
    holds: sql`coalesce((SELECT version FROM site_setting WHERE key = ${PRIVACY_SETTING_KEY}), 1) = ${version}`,
    error: () => conflict(),
  };
  const row = { value, version: version + 1, modifiedDate: ctx.now() };
  const guards = [unchanged, ...stillTheirs];
  await runGuardedBatch(ctx, guards, [
    ctx.db
      .insert(siteSetting)
      .values({ key: PRIVACY_SETTING_KEY, ...row })
      .onConflictDoUpdate({ target: siteSetting.key, set: row }),
    audit(ctx, {
      action: "privacy.setting",
      targetType: "setting",
      targetId: PRIVACY_SETTING_KEY,
      detail: auditDifference(flattenSettings(before), flattenSettings(value)),
    }),
  ]);
  return { value, version: version + 1 };
}

const flattenSettings = (value: PrivacySettings): Record<string, unknown> => ({
  requestDays: value.requestDays,
  ...Object.fromEntries(
    Object.entries(value.rules).map(([rule, { on, days }]) => [rule, `${on ? "켬" : "끔"}, ${days}일`]),
  ),
});

export async function getDueList(ctx: AppContext, rule: RetentionRule) {
  await authorizeRule(ctx, rule);
  const { on, days } = (await readPrivacySettings(ctx)).rules[rule];
  const due = await readDueRows(ctx, retentionDueStatement(rule, days, ctx.now()), rule);
  const tell =
    rule === "inactive" ? await readDueRows(ctx, deletionWarningDueStatement(days, ctx.now()), "tell") : null;
  const seen = [...due.rows, ...(tell?.rows ?? [])].map(({ id }) => id);
  if (seen.length > 0)
    ctx.defer(ctx.db.batch(auditPeople(ctx, { action: "retention.list", targetId: rule }, ownersOfDue(rule, seen))));
  return { rule, on, days, ...due, toTell: tell?.rows ?? [], toTellFingerprint: tell?.fingerprint ?? "" };
}

/** Destroys exactly the previewed list. @throws AppError CONFLICT when the list has changed */
export async function runRetentionRule(
  ctx: AppContext,
  rule: RetentionRule,
  input: RunRetentionRuleInput,
): Promise<{ destroyed: number }> {
  await authorizeRule(ctx, rule);
  await requireTrustedClock(ctx);
  const { days } = (await readPrivacySettings(ctx)).rules[rule];
  const due = await readDueRows(ctx, retentionDueStatement(rule, days, ctx.now()), rule);
  if (due.rows.length === 0 || due.fingerprint !== input.fingerprint) throw dueListChanged();
  const ids = due.rows.map(({ id }) => id);
  const stillTheirs = rule === "inactive" ? [await authorizeAccounts(ctx, ids)] : [];
  return { destroyed: await destroyDue(ctx, rule, days, due, input.reason, stillTheirs) };
}

/** Warns exactly the previewed members. @throws AppError CONFLICT when the list has changed */
export async function warnInactiveMembers(ctx: AppContext, input: RunRetentionRuleInput): Promise<{ told: number }> {
  await authorizeRule(ctx, "inactive");
  await requireTrustedClock(ctx);
  const { days } = (await readPrivacySettings(ctx)).rules.inactive;
  const due = await readDueRows(ctx, deletionWarningDueStatement(days, ctx.now()), "tell");
  if (due.rows.length === 0 || due.fingerprint !== input.fingerprint) throw dueListChanged();
  const stillTheirs = await authorizeAccounts(
    ctx,
    due.rows.map(({ id }) => id),
  );
  return { told: await sendDeletionWarnings(ctx, due, input.reason, [stillTheirs]) };
}

async function sendDeletionWarnings(ctx: AppContext, due: DueRows, reason: string, guards: readonly BatchGuard[] = []) {
  const ids = due.rows.map(({ id }) => id);
  await runGuardedBatch(ctx, guards, [
    ...(await deletionWarningParts(ctx, ids)),
    ...auditPeople(
      ctx,
      {
        action: "retention.warn",
        targetId: "inactive",
        reason,
        detail: { fingerprint: due.fingerprint },
      },
      ids,
    ),
  ]);
  return ids.length;
}

const LISTS_A_RUN = 10;

const AUTOMATIC_REASON = "보유 기간이 지나 자동으로 파기";

/** First line of a manual run. @throws AppError FORBIDDEN when the caller lacks a right of an active rule */
export async function authorizeRetentionRun(ctx: AppContext): Promise<void> {
  const { rules } = await readPrivacySettings(ctx);
  await authorizeAutomaticRules(
    ctx,
    RETENTION_RULE_CODES.filter((rule) => rules[rule].on),
  );
}

/** Scheduled job: runs active rules; a failing rule does not stop the others. */
export async function runRetentionRules(ctx: AppContext): Promise<void> {
  await destroyRestored(ctx);
  if ((await readAges(ctx)).jump) return;
  const { rules } = await readPrivacySettings(ctx);
  const failures: unknown[] = [];
  for (const rule of RETENTION_RULE_CODES) {
    const { on, days } = rules[rule];
    if (!on) continue;
    try {
      if (rule === "inactive") {
        const due = await readDueRows(ctx, deletionWarningDueStatement(days, ctx.now()), "tell");
        if (due.rows.length > 0) await sendDeletionWarnings(ctx, due, "휴면 예정 안내");
      }
      for (let list = 0, more = true; more && list < LISTS_A_RUN; list += 1) {
        const due = await readDueRows(ctx, retentionDueStatement(rule, days, ctx.now()), rule);
        if (due.rows.length > 0) await destroyDue(ctx, rule, days, due, AUTOMATIC_REASON);
        ({ more } = due);
      }
    } catch (cause) {
      failures.push(cause);
    }
  }
  if (failures.length > 0) throw failures[0] instanceof Error ? failures[0] : new AppError("INTERNAL_ERROR");
}

async function deletionWarningParts(ctx: AppContext, ids: readonly string[]) {
  const within = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const [people, keys] = await ctx.db.batch([
    ctx.db
      .select({ id: user.id, userName: user.userName })
      .from(user)
      .where(sql`${user.id} IN ${within}`),
    ctx.db
      .select()
      .from(userKey)
      .where(sql`${userKey.userId} IN ${within}`),
  ]);
  const writeTo = await loadLetterRenderers(ctx, ids);
  const messages = people.flatMap(({ id, userName }) => {
    const contact = contactOf(keys.filter((key) => key.userId === id));
    if (!contact) return [];
    return [
      queueMessage(ctx, {
        ...contact,
        ...writeTo(id)("inactive", {
          이름: userName,
          일수: String(DELETION_WARNING_DAYS),
          주소: `${ctx.config.SITE_ORIGIN}/Account/Signin`,
        }),
        userId: id,
      }),
    ];
  });
  const now = ctx.now();
  return [
    ctx.db.insert(retentionNotice).select(sql`SELECT value, ${now.getTime()} FROM json_each(${JSON.stringify(ids)})`),
    ...messages,
  ];
}

/** Rights required besides the console's; a board rule needs all boards. */
async function readRuleQuestions(ctx: AppContext): Promise<(rule: RetentionRule) => AccessQuestion[]> {
  const boards = await ctx.db.select({ boardCode: board.boardCode, isClosed: board.isClosed }).from(board);
  return (rule) => {
    const { right } = RETENTION_RULES[rule] as RetentionRuleText;
    if (right === "every board") return boards.map((each) => ({ action: "Board.Manage" as const, board: each }));
    return right ? [{ action: right }] : [];
  };
}

/** First line of viewing or running a rule. @throws AppError UNAUTHORIZED, FORBIDDEN */
async function authorizeRule(ctx: AppContext, ...rules: readonly RetentionRule[]): Promise<void> {
  authorizeConsole(ctx);
  const questionsOf = await readRuleQuestions(ctx);
  for (const question of rules.flatMap(questionsOf)) authorize(ctx, question);
}

async function readLockedRules(ctx: AppContext): Promise<ReadonlySet<RetentionRule>> {
  const questionsOf = await readRuleQuestions(ctx);
  return new Set(
    RETENTION_RULE_CODES.filter((rule) => !questionsOf(rule).every((question) => can(ctx.actor, question))),
  );
}

/** Automatic rules also require authority over every account they can destroy. */
async function authorizeAutomaticRules(ctx: AppContext, rules: readonly RetentionRule[]): Promise<BatchGuard[]> {
  await authorizeRule(ctx, ...rules);
  return rules.includes("inactive") ? [await authorizeEveryAccount(ctx)] : [];
}

/** Guards changes by the form or a settings file. @returns guards for the batch @throws AppError FORBIDDEN */
export const authorizeRetentionChange = (
  ctx: AppContext,
  before: PrivacySettings["rules"],
  after: PrivacySettings["rules"],
): Promise<BatchGuard[]> =>
  authorizeAutomaticRules(
    ctx,
    RETENTION_RULE_CODES.filter((rule) => before[rule].on !== after[rule].on || before[rule].days !== after[rule].days),
  );
