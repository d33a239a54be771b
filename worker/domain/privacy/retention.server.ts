import { sql } from "drizzle-orm";
import { siteSetting } from "#db/schema/kernel.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { PrivacySettings, UpdatePrivacyInput } from "#worker/contract/audit/retention-input.ts";
import type { PrivacySettingView } from "#worker/contract/audit/view.ts";
import type { RetentionDueList, RetentionPage } from "#worker/contract/privacy/view.ts";
import { type RetentionRule, RETENTION_RULE_CODES } from "#worker/contract/audit/retention-rules.ts";
import type { RunRetentionRuleInput } from "#worker/contract/privacy/input.ts";
import { authorizeAccounts } from "../access/account-authority.server.ts";
import {
  auditDifference,
  authorizeConsole,
  type BatchGuard,
  conflict,
  runGuardedBatch,
} from "../kernel/guarded-batch.server.ts";
import { audit, auditPeople } from "../kernel/audit-entry.server.ts";
import { deliverMessageSoon } from "../mail/message.server.ts";
import {
  type DueRows,
  retentionDueStatement,
  readDueRows,
  deletionWarningDueStatement,
  ownersOfDue,
} from "./due.server.ts";
import { countDueRules } from "./due-count.server.ts";
import { deletionWarningStatements } from "./deletion-warning.server.ts";
import {
  PRIVACY_SETTING_KEY,
  readPrivacySettings,
  privacySettingStatement,
  privacySettingView,
} from "../audit/retention-setting.server.ts";
import { destroyDue, destroyRestored, dueListChanged } from "./destroy-due.server.ts";
import {
  authorizeAutomaticRules,
  authorizeRetentionChange,
  authorizeRule,
  readLockedRules,
} from "./retention-right.server.ts";

export async function getRetentionPage(scope: RequestScope): Promise<RetentionPage> {
  const { ctx, rows } = await scope.readFor(authorizeConsole, [privacySettingStatement(scope.db)]);
  const { value, version } = privacySettingView(rows[0][0]);
  const [counts, locked] = await Promise.all([countDueRules(ctx, value), readLockedRules(ctx)]);
  const rules = counts.map((count) => ({ ...count, isLocked: locked.has(count.rule) }));
  return { rules, requestDays: value.requestDays, version };
}

/** @throws AppError CONFLICT */
export async function updatePrivacySetting(ctx: AppContext, input: UpdatePrivacyInput): Promise<PrivacySettingView> {
  authorizeConsole(ctx);
  const { version, ...value } = input;
  const before = await readPrivacySettings(ctx);
  const stillTheirs = await authorizeRetentionChange(ctx, before.rules, value.rules);
  const unchanged = {
    holds: sql`coalesce((SELECT version FROM site_setting WHERE key = ${PRIVACY_SETTING_KEY}), 1) = ${version}`,
    error: () => conflict(),
  };
  const row = { value, version: version + 1, modifiedDate: ctx.now() };
  await runGuardedBatch(
    ctx,
    [unchanged, ...stillTheirs],
    [
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
    ],
  );
  return { value, version: version + 1 };
}

const flattenSettings = (value: PrivacySettings): Record<string, unknown> => ({
  requestDays: value.requestDays,
  ...Object.fromEntries(
    Object.entries(value.rules).map(([rule, { on, days }]) => [rule, `${on ? "켬" : "끔"}, ${days}일`]),
  ),
});

export async function getDueList(ctx: AppContext, rule: RetentionRule): Promise<RetentionDueList> {
  await authorizeRule(ctx, rule);
  const { on, days } = (await readPrivacySettings(ctx)).rules[rule];
  const due = await readDueRows(ctx, retentionDueStatement(rule, days, ctx.now()), rule);
  const tell =
    rule === "inactive" ? await readDueRows(ctx, deletionWarningDueStatement(days, ctx.now()), "tell") : null;
  const seen = [...due.rows, ...(tell?.rows ?? [])].map(({ id }) => id);
  if (seen.length > 0)
    ctx.defer(
      ctx.db.batch(
        auditPeople(
          ctx,
          { action: "retention.list", targetType: "retention", targetId: rule },
          ownersOfDue(rule, seen),
        ),
      ),
    );
  return { rule, on, days, ...due, toTell: tell?.rows ?? [], toTellFingerprint: tell?.fingerprint ?? "" };
}

/** Destroys exactly the previewed list. @throws AppError CONFLICT when the list has changed */
export async function runRetentionRule(
  ctx: AppContext,
  rule: RetentionRule,
  input: RunRetentionRuleInput,
): Promise<{ destroyed: number }> {
  await authorizeRule(ctx, rule);
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
  const { days } = (await readPrivacySettings(ctx)).rules.inactive;
  const due = await readDueRows(ctx, deletionWarningDueStatement(days, ctx.now()), "tell");
  if (due.rows.length === 0 || due.fingerprint !== input.fingerprint) throw dueListChanged();
  const stillTheirs = await authorizeAccounts(
    ctx,
    due.rows.map(({ id }) => id),
  );
  return { told: await sendDeletionWarnings(ctx, due, input.reason, [stillTheirs]) };
}

async function sendDeletionWarnings(
  ctx: AppContext,
  due: DueRows,
  reason: string,
  guards: readonly BatchGuard[] = [],
): Promise<number> {
  const ids = due.rows.map(({ id }) => id);
  const { statements, letterIds } = await deletionWarningStatements(ctx, ids);
  await runGuardedBatch(ctx, guards, [
    ...statements,
    ...auditPeople(
      ctx,
      {
        action: "retention.warn",
        targetType: "retention",
        targetId: "inactive",
        reason,
        detail: { fingerprint: due.fingerprint },
      },
      ids,
    ),
  ]);
  for (const id of letterIds) deliverMessageSoon(ctx, id);
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
