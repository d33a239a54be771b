import { board } from "#db/schema/board.ts";
import { type RetentionRule, RETENTION_RULE_CODES } from "#worker/contract/audit/retention-rules.ts";
import type { PrivacySettings } from "#worker/contract/audit/retention-input.ts";
import type { SitePermission } from "#worker/contract/kernel/permissions.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { authorizeEveryAccount } from "../access/account-authority.server.ts";
import { type AccessQuestion, authorize, can } from "../kernel/authorize.server.ts";
import { authorizeConsole, type BatchGuard } from "../kernel/guarded-batch.server.ts";

/** Extra right of a rule that destroys an area's data. */
const RULE_RIGHTS: Partial<Record<RetentionRule, SitePermission>> = {
  inquiries: "Inquiry_Answer",
  "alumni-bin": "Alumni_Delete",
  messages: "Alumni_Write",
};
const BOARD_RULES: ReadonlySet<RetentionRule> = new Set(["board-bin", "comments", "drafts"]);

/** Rights required besides the console's; a board rule needs all boards. */
async function readRuleQuestions(ctx: AppContext): Promise<(rule: RetentionRule) => AccessQuestion[]> {
  const boards = await ctx.db.select({ boardCode: board.boardCode, isClosed: board.isClosed }).from(board);
  return (rule) => {
    if (BOARD_RULES.has(rule)) return boards.map((each) => ({ action: "Board.Manage" as const, board: each }));
    const right = RULE_RIGHTS[rule];
    return right ? [{ action: right }] : [];
  };
}

/** First line of viewing or running a rule. @throws AppError UNAUTHORIZED, FORBIDDEN */
export async function authorizeRule(ctx: AppContext, ...rules: readonly RetentionRule[]): Promise<void> {
  authorizeConsole(ctx);
  const questionsOf = await readRuleQuestions(ctx);
  for (const question of rules.flatMap(questionsOf)) authorize(ctx, question);
}

export async function readLockedRules(ctx: AppContext): Promise<ReadonlySet<RetentionRule>> {
  const questionsOf = await readRuleQuestions(ctx);
  return new Set(
    RETENTION_RULE_CODES.filter((rule) => !questionsOf(rule).every((question) => can(ctx.actor, question))),
  );
}

/** Automatic rules also require authority over every account they can destroy. */
export async function authorizeAutomaticRules(ctx: AppContext, rules: readonly RetentionRule[]): Promise<BatchGuard[]> {
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
