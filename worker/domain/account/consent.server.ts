import { and, asc, eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { userConsent } from "#db/schema/account.ts";
import { agreement } from "#db/schema/content.ts";
import { columnsOf } from "#db/sql.ts";
import type { consentsInput } from "#worker/contract/account/input.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { particleOf } from "#worker/contract/kernel/wording.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { authorize } from "../kernel/authorize.server.ts";
import type { AppContext, Parsed, View } from "../kernel/context.ts";
import { refusalKind } from "./refusal-kind.ts";

/** Required agreements whose current version has no consent yet. */
export function pendingAgreementsStatement(db: Db, userId: string) {
  return db
    .select({
      ...columnsOf(agreement, "code", "title", "required", "version"),
    })
    .from(agreement)
    .where(
      and(
        eq(agreement.isCurrent, true),
        eq(agreement.required, true),
        sql`NOT EXISTS (SELECT 1 FROM user_consent AS given WHERE given.user_id = ${userId} AND given.code = ${agreement.code} AND given.version = ${agreement.version} AND given.agreed = 1)`,
      ),
    )
    .orderBy(asc(agreement.sortOrder));
}

/** Consents by current agreement: this version for required ones, the last answer for optional ones. */
export async function listConsents(ctx: AppContext, userId: string) {
  authorize(ctx, { action: "User.Self", userId }, refusalKind(ctx));
  const [agreements, given] = await ctx.db.batch([
    ctx.db.select().from(agreement).where(eq(agreement.isCurrent, true)).orderBy(asc(agreement.sortOrder)),
    ctx.db.select().from(userConsent).where(eq(userConsent.userId, userId)).orderBy(asc(userConsent.createdDate)),
  ]);
  return agreements.map(({ code, title, required, version }) => {
    const last = given.findLast((row) => row.code === code && (!required || row.version === version));
    return {
      code,
      title,
      required,
      version,
      agreed: last?.agreed ?? false,
      /** When it was last accepted or declined; null when never asked. */
      consentDate: last?.createdDate.toISOString() ?? null,
      /** For an optional agreement an earlier version stays valid until it changes. */
      consentVersion: last?.version ?? null,
    };
  });
}

export type ConsentView = View<typeof listConsents>[number];

/**
 * Appends answers to the consent record. @throws AppError INVALID_INPUT for an outdated version or a declined required
 * agreement
 */
export async function changeConsents(
  ctx: AppContext,
  userId: string,
  input: Parsed<typeof consentsInput>,
): Promise<ConsentView[]> {
  authorize(ctx, { action: "User.Self", userId }, refusalKind(ctx));
  const current = await ctx.db.select().from(agreement).where(eq(agreement.isCurrent, true));
  const errors: Record<string, string> = {};
  const now = ctx.now();
  const choices = new Map(input.agreements.map((choice) => [choice.code, choice]));
  const rows = [...choices.values()].flatMap((choice) => {
    const row = current.find(({ code, version }) => code === choice.code && version === choice.version);
    if (!row) errors[`agreements.${choice.code}`] = "약관이 바뀌었습니다. 새로 불러온 뒤 다시 선택해 주십시오.";
    else if (row.required && !choice.agreed)
      errors[`agreements.${choice.code}`] =
        `'${row.title}'${particleOf(row.title, "은/는")} 필수 동의 항목입니다. 동의하지 않으시려면 탈퇴해 주십시오.`;
    if (!row) return [];
    const { code, version, textHash } = row;
    return [{ userId, code, version, textHash, agreed: choice.agreed, createdDate: now }];
  });
  if (Object.keys(errors).length > 0) throw invalidInput(errors);
  await ctx.db.batch([
    audit(ctx, {
      action: "user.consent",
      targetId: userId,
      subjectCount: 1,
      detail: { agreements: rows.map(({ code, version, agreed }) => ({ code, version, agreed })) },
    }),
    ...rows.map((row) =>
      ctx.db
        .insert(userConsent)
        .values(row)
        .onConflictDoUpdate({
          target: [userConsent.userId, userConsent.code, userConsent.version, userConsent.createdDate],
          set: { agreed: row.agreed },
        }),
    ),
  ]);
  return listConsents(ctx, userId);
}
