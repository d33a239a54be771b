import { ownValue } from "#worker/contract/kernel/labels.ts";
import { type SQL, eq, sql } from "drizzle-orm";
import { userKey } from "#db/schema/account.ts";
import { mailAddress, mailReport, message } from "#db/schema/mail.ts";
import { mailingRecipient } from "#db/schema/mailing.ts";
import { type ReportSignature, readSignedReport } from "#worker/adapters/mail.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { mailReportInput } from "#worker/contract/mail/input.ts";
import { ADVERTISING_AGREEMENT } from "#worker/contract/mail/rules.ts";
import { isUniqueViolation } from "../kernel/guard.server.ts";
import { withdrawConsent } from "./advertising-consent.server.ts";

type Outcome = "delivered" | "bounced" | "complained";

const OUTCOMES: Record<string, Outcome> = {
  "email.delivered": "delivered",
  "email.bounced": "bounced",
  "email.suppressed": "bounced",
  "email.complained": "complained",
};

/** States that each outcome replaces; a late report never improves a worse state. */
const REPLACED: Record<Outcome, string> = {
  delivered: "'queued', 'sent', 'failed'",
  bounced: "'queued', 'sent', 'failed', 'delivered'",
  complained: "'queued', 'sent', 'failed', 'delivered', 'bounced'",
};

/**
 * A report can arrive before the provider returned the id. Later, unknown ids are accepted, since endless retries would
 * block all reports.
 */
const UNKNOWN_YET_MS = 10 * 60_000;

/**
 * Applies a delivery report, authenticated by its signature alone. Repeated reports change nothing. @throws AppError
 * UNAUTHORIZED, NOT_FOUND for a mail not known yet, so that the provider retries
 */
export async function recordMailReport(
  ctx: AppContext,
  payload: string,
  signed: ReportSignature,
): Promise<Record<string, never>> {
  const report = mailReportInput.safeParse(await readSignedReport(ctx.config, payload, signed));
  if (!report.success) throw new AppError("UNAUTHORIZED");
  const { type, data, created_at: happened } = report.data;
  const outcome = ownValue(OUTCOMES, type);
  if (!outcome) return {};
  const [mails, before] = await ctx.db.batch([
    ctx.db
      .select({ recipient: message.recipient, onceKey: message.onceKey })
      .from(message)
      .where(eq(message.providerId, data.email_id)),
    ctx.db.select().from(mailReport).where(eq(mailReport.id, signed.id)),
  ]);
  if (before.length > 0) return {};
  const [mail] = mails;
  if (!mail) {
    const age = ctx.now().getTime() - Date.parse(happened);
    if (age < UNKNOWN_YET_MS) throw new AppError("NOT_FOUND", { message: "보낸 적이 없는 메일입니다." });
    return {};
  }
  if (outcome === "complained") await withdrawConsentOf(ctx, mail.recipient);
  const isForGood = data.bounce?.type !== "Transient";
  const statements = [
    ctx.db.insert(mailReport).values({ id: signed.id, createdDate: ctx.now() }),
    recipientStatement(ctx, mail.onceKey ?? "", outcome),
    ...(outcome === "bounced" && isForGood ? [addressStatement(ctx, mail.recipient, "bouncedDate")] : []),
    ...(outcome === "complained" ? [addressStatement(ctx, mail.recipient, "complainedDate")] : []),
  ] as const;
  try {
    await ctx.db.batch(statements as unknown as [(typeof statements)[0], ...(typeof statements)[number][]]);
  } catch (error) {
    if (!isUniqueViolation(error, "mail_report")) throw error;
  }
  return {};
}

function recipientStatement(ctx: AppContext, onceKey: string, outcome: Outcome) {
  const [, mailingId = "", personId = ""] = onceKey.startsWith("mailing:") ? onceKey.split(":") : [];
  const replaced: SQL = sql.raw(REPLACED[outcome]);
  return ctx.db
    .update(mailingRecipient)
    .set({ state: outcome, stateDate: ctx.now() })
    .where(sql`mailing_id = ${mailingId} AND person_id = ${personId} AND state IN (${replaced})`);
}

function addressStatement(ctx: AppContext, address: string, column: "bouncedDate" | "complainedDate") {
  const set = { [column]: ctx.now() };
  return ctx.db
    .insert(mailAddress)
    .values({ address, ...set })
    .onConflictDoUpdate({ target: mailAddress.address, set });
}

async function withdrawConsentOf(ctx: AppContext, address: string): Promise<void> {
  const [owner] = await ctx.db
    .select({ userId: userKey.userId })
    .from(userKey)
    .where(sql`${userKey.userKeyType} = 'Email' AND ${userKey.userKeyCode} = ${address}`);
  if (owner) await withdrawConsent(ctx, owner.userId, ADVERTISING_AGREEMENT);
}
