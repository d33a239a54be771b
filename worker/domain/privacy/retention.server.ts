import { eq, sql } from "drizzle-orm";
import { board, boardItem } from "#db/schema/board.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { RetentionDueList, RetentionDueRow, RetentionPage } from "#worker/contract/privacy/view.ts";
import { type RetentionRule, RETENTION_RULE_CODES } from "#worker/contract/audit/retention-rules.ts";
import type { RunRetentionRuleInput } from "#worker/contract/privacy/input.ts";
import { can } from "../kernel/authorize.server.ts";
import { authorizeAccounts } from "../access/account-authority.server.ts";
import { authorizeConsole, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { deliverMessageSoon } from "../mail/message.server.ts";
import {
  type DueRows,
  retentionDueStatement,
  dueIdsParameter,
  readDueRows,
  deletionWarningDueStatement,
} from "./due.server.ts";
import { countDueRules } from "./due-count.server.ts";
import { deletionWarningStatements } from "./deletion-warning.server.ts";
import { readPrivacySettings, privacySettingStatement, privacySettingView } from "../audit/retention-setting.server.ts";
import { destroyDue, dueListChanged } from "./destroy-due.server.ts";

/** Every rule with its numbers and how much is due by it now. */
export async function getRetentionPage(scope: RequestScope): Promise<RetentionPage> {
  const { ctx, rows } = await scope.readFor(authorizeConsole, [privacySettingStatement(scope.db)]);
  const { value, version } = privacySettingView(rows[0][0]);
  const rules = await countDueRules(ctx, value);
  return { rules, requestDays: value.requestDays, version };
}

/** What a rule would destroy now. Nothing happens; looking is on record. */
export async function getDueList(ctx: AppContext, rule: RetentionRule): Promise<RetentionDueList> {
  authorizeConsole(ctx);
  const { on, days } = (await readPrivacySettings(ctx)).rules[rule];
  const found = await readDueRows(ctx, retentionDueStatement(rule, days, ctx.now()), rule);
  const due = rule === "board-bin" ? { ...found, rows: await withTitles(ctx, found.rows) } : found;
  const tell =
    rule === "inactive" ? await readDueRows(ctx, deletionWarningDueStatement(days, ctx.now()), "tell") : null;
  const subjectCount = due.rows.length + (tell?.rows.length ?? 0);
  ctx.defer(audit(ctx, { action: "retention.list", targetType: "retention", targetId: rule, subjectCount }).run());
  return { rule, on, days, ...due, toTell: tell?.rows ?? [], toTellFingerprint: tell?.fingerprint ?? "" };
}

/** A title is for who manages the board; others see the number alone. */
async function withTitles(ctx: AppContext, rows: readonly RetentionDueRow[]): Promise<RetentionDueRow[]> {
  const items = await ctx.db
    .select({ id: boardItem.id, title: boardItem.title, boardCode: board.boardCode, isClosed: board.isClosed })
    .from(boardItem)
    .innerJoin(board, eq(board.boardCode, boardItem.boardCode))
    .where(
      sql`${boardItem.id} IN (SELECT value FROM json_each(${dueIdsParameter(
        "board-bin",
        rows.map(({ id }) => id),
      )}))`,
    );
  const titles = new Map(
    items
      .filter((item) => can(ctx.actor, { action: "Board.Manage", board: item }))
      .map(({ id, title }) => [String(id), title]),
  );
  return rows.map((row) => {
    const title = titles.get(row.id);
    return title ? { ...row, name: `${row.name} · ${title}` } : row;
  });
}

/** Destroys the list that was shown, and only that one. @throws AppError CONFLICT when it is another one by now */
export async function runRetentionRule(
  ctx: AppContext,
  rule: RetentionRule,
  input: RunRetentionRuleInput,
): Promise<{ destroyed: number }> {
  authorizeConsole(ctx);
  const { days } = (await readPrivacySettings(ctx)).rules[rule];
  const due = await readDueRows(ctx, retentionDueStatement(rule, days, ctx.now()), rule);
  if (due.rows.length === 0 || due.fingerprint !== input.fingerprint) throw dueListChanged();
  if (rule === "inactive")
    await authorizeAccounts(
      ctx,
      due.rows.map(({ id }) => id),
    );
  return { destroyed: await destroyDue(ctx, rule, days, due, input.reason) };
}

/** Mails those who were shown that their account ends. @throws AppError CONFLICT when the list is another one by now */
export async function warnInactiveMembers(ctx: AppContext, input: RunRetentionRuleInput): Promise<{ told: number }> {
  authorizeConsole(ctx);
  const { days } = (await readPrivacySettings(ctx)).rules.inactive;
  const due = await readDueRows(ctx, deletionWarningDueStatement(days, ctx.now()), "tell");
  if (due.rows.length === 0 || due.fingerprint !== input.fingerprint) throw dueListChanged();
  return { told: await sendDeletionWarnings(ctx, due, input.reason) };
}

async function sendDeletionWarnings(ctx: AppContext, due: DueRows, reason: string): Promise<number> {
  const ids = due.rows.map(({ id }) => id);
  const { statements, letterIds } = await deletionWarningStatements(ctx, ids);
  await runGuardedBatch(
    ctx,
    [],
    [
      ...statements,
      audit(ctx, {
        action: "retention.warn",
        targetType: "retention",
        targetId: "inactive",
        subjectCount: ids.length,
        reason,
        detail: { fingerprint: due.fingerprint },
      }),
    ],
  );
  for (const id of letterIds) deliverMessageSoon(ctx, id);
  return ids.length;
}

/** How many lists a rule may empty in one run of the job. */
const LISTS_A_RUN = 10;

const AUTOMATIC_REASON = "보유 기간이 지나 자동으로 파기";

/** The scheduled job: only rules that are on act; one that fails does not keep the others from it. */
export async function runRetentionRules(ctx: AppContext): Promise<void> {
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
