import type { MailTemplateValue } from "#worker/contract/mail/templates.ts";
import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import {
  type RecoveryView,
  SECOND_FACTOR_KINDS,
  type SecondFactorPage,
} from "#worker/contract/account/second-factor.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import { secondFactor, secondFactorRecovery, user } from "#db/schema/account.ts";
import type { AppContext, Parsed, PendingPerson, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";
import { authorizeConsole, requireSignedIn } from "../../kernel/authorize.server.ts";
import { passkeyRequestOptions } from "./passkey.server.ts";
import { recoveryCodesLeftStatement } from "./code.server.ts";
import { queueOwnerMessage, userKeysStatement } from "../../mail/message.server.ts";
import { loadLetterRenderer } from "../../mail/render-template.server.ts";
import { role } from "#db/schema/access.ts";
import { countRows, makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import { needsSecondFactor } from "#worker/contract/kernel/second-factor.ts";
import type { listSecondFactorsQuery } from "#worker/contract/account/second-factor-input.ts";
import { hasSecondFactor, isGrantActive, permissionsAt, permissionsOfRow } from "../../access/actor.server.ts";
import { auditLook } from "../../kernel/audit-entry.server.ts";

export type FactorRow = typeof secondFactor.$inferSelect;

export const factorsStatement = (ctx: Pick<AppContext, "db">, userId: string) =>
  ctx.db.select().from(secondFactor).where(eq(secondFactor.userId, userId)).orderBy(asc(secondFactor.createdDate));

const openRecoveryStatement = (ctx: Pick<AppContext, "db" | "now">, userId: string) =>
  ctx.db
    .select()
    .from(secondFactorRecovery)
    .where(
      and(
        eq(secondFactorRecovery.userId, userId),
        isNull(secondFactorRecovery.closedDate),
        gt(secondFactorRecovery.expiresDate, ctx.now()),
      ),
    );

/** Allows sessions without a proven second factor. @throws AppError UNAUTHORIZED for a guest */
export function requireSession(ctx: Pick<AppContext, "actor">): PendingPerson & { isPending: boolean } {
  const { actor } = ctx;
  if (actor.kind === "guest" && actor.pending) return { ...actor.pending, isPending: true };
  const { userId, userName, sessionId } = requireSignedIn(ctx);
  return { userId, userName, sessionId, isPending: false };
}

/** Own factors; an unproven session gets only the data it needs for the proof. */
export async function getOwnSecondFactor(ctx: AppContext) {
  const person = requireSession(ctx);
  const { factors, recoveryCodesLeft, recovery } = await readOwn(ctx, person.userId);
  return {
    userName: person.userName,
    isPending: person.isPending,
    isRequired: ctx.actor.kind !== "guest" && !!ctx.actor.secondFactor?.isRequired,
    methods: methodsOf(factors, recoveryCodesLeft),
    factors: person.isPending ? [] : factors.map(factorView),
    recoveryCodesLeft: person.isPending ? 0 : recoveryCodesLeft,
    recovery,
  };
}

export type OwnSecondFactor = View<typeof getOwnSecondFactor>;

export async function getVerifyOptions(
  ctx: AppContext,
): Promise<{ methods: VerifyMethods; passkey: PublicKeyCredentialRequestOptionsJSON | null }> {
  const person = requireSession(ctx);
  const { factors, recoveryCodesLeft } = await readOwn(ctx, person.userId);
  const methods = methodsOf(factors, recoveryCodesLeft);
  const use = { purpose: "verify" as const, subject: person.sessionId };
  return { methods, passkey: methods.passkey ? await passkeyRequestOptions(ctx, use, factors) : null };
}

async function readOwn(ctx: AppContext, userId: string) {
  const [factors, left, recoveries] = await ctx.db.batch([
    factorsStatement(ctx, userId),
    recoveryCodesLeftStatement(ctx, userId),
    openRecoveryStatement(ctx, userId),
  ]);
  return { factors, recoveryCodesLeft: left[0]?.count ?? 0, recovery: recoveryView(ctx, recoveries[0]) };
}

function recoveryView(
  ctx: Pick<AppContext, "now">,
  row: Pick<typeof secondFactorRecovery.$inferSelect, "createdDate" | "usableDate" | "expiresDate"> | undefined,
): RecoveryView | null {
  if (!row) return null;
  return { ...fieldsOf(row, "createdDate", "usableDate", "expiresDate"), isUsable: row.usableDate <= ctx.now() };
}

const methodsOf = (factors: readonly FactorRow[], recoveryCodesLeft: number) => ({
  passkey: factors.some(({ kind }) => kind === "passkey"),
  totp: factors.some(({ kind }) => kind === "totp"),
  recoveryCode: factors.length > 0 && recoveryCodesLeft > 0,
  password: factors.length === 0,
});

export type VerifyMethods = View<typeof methodsOf>;

const factorView = ({ id, kind, name, createdDate, lastUsedDate }: FactorRow) => ({
  id,
  kind,
  name,
  createdDate: createdDate.toISOString(),
  lastUsedDate: lastUsedDate?.toISOString() ?? null,
});

const ENGLISH_KINDS = { passkey: "Passkey", totp: "Authenticator app" };

export const factorTexts = ({ kind, name }: Pick<FactorRow, "kind" | "name">, change: Record<Language, string>) => ({
  ko: `${SECOND_FACTOR_KINDS[kind]}(${name}) ${change.ko}`,
  en: `${ENGLISH_KINDS[kind]} (${name}) ${change.en}`,
});

/** The owner's message about a change, for its batch. */
export async function secondFactorMessage(ctx: AppContext, userId: string, what: MailTemplateValue) {
  const write = await loadLetterRenderer(ctx, userId);
  const keys = await userKeysStatement(ctx, userId);
  return queueOwnerMessage(ctx, userId, keys, write("secondFactorChanged", { 내용: what }));
}

export async function listSecondFactors(
  scope: RequestScope,
  query: Parsed<typeof listSecondFactorsQuery>,
): Promise<SecondFactorPage> {
  const now = scope.now();
  // Same codes as `isSensitivePermission`, checked by a test.
  const isRequired = sql`("user"."user_type" = 'Admin' OR EXISTS (
    SELECT 1 FROM role AS r, json_each(r.permissions) AS p
    WHERE (r.role_code = "user"."role_code"
        OR r.role_code IN (SELECT role_code FROM role_grant WHERE user_id = "user"."id" AND ${isGrantActive(now)}))
      AND (p.value = 'ADMIN_Access' OR p.value GLOB 'Member_[A-Za-z]*'
        OR (p.value NOT LIKE '%\\_%\\_%' ESCAPE '\\' AND (p.value GLOB '*_Export' OR p.value GLOB '*_Import')))))`;
  const isMissing = sql`(${isRequired} AND NOT ${hasSecondFactor})`;
  const isListed = sql`("user"."status" = 'active' AND ${query.show === "missing" ? isMissing : sql`(${isRequired} OR ${hasSecondFactor})`})`;
  const open = sql`second_factor_recovery WHERE user_id = "user"."id" AND closed_date IS NULL AND expires_date > ${now.getTime()}`;
  const { ctx, rows } = await scope.readFor(authorizeConsole, [
    rowsOfPage(
      scope.db
        .select({
          userId: user.id,
          userName: user.userName,
          userType: user.userType,
          roleName: role.roleName,
          permissions: permissionsAt(now),
          kinds: sql<string>`(SELECT json_group_array(kind ORDER BY created_date) FROM second_factor WHERE user_id = "user"."id")`,
          lastUsedDate: sql<number | null>`(SELECT max(last_used_date) FROM second_factor WHERE user_id = "user"."id")`,
          recoveryCodesLeft: sql<number>`(SELECT count(*) FROM recovery_code WHERE user_id = "user"."id" AND used_date IS NULL)`,
          recovery: sql<
            string | null
          >`(SELECT json_object('createdDate', created_date, 'usableDate', usable_date, 'expiresDate', expires_date) FROM ${open})`,
        })
        .from(user)
        .innerJoin(role, eq(role.roleCode, user.roleCode))
        .where(isListed)
        .orderBy(sql`${isMissing} DESC`, asc(user.userName), asc(user.id)),
      query,
    ),
    countRows(scope.db, user, isListed),
    countRows(scope.db, user, sql`"user"."status" = 'active' AND ${isMissing}`),
  ]);
  const [people, total, missing] = rows;
  auditLook(
    ctx,
    { action: "second-factor.list", targetType: "user" },
    people.map(({ userId }) => userId),
  );
  const content = people.map((row) => ({
    userId: row.userId,
    userName: row.userName,
    roleName: row.roleName,
    isRequired: needsSecondFactor(permissionsOfRow(row)),
    kinds: [...new Set(JSON.parse(row.kinds) as ("passkey" | "totp")[])],
    recoveryCodesLeft: row.recoveryCodesLeft,
    lastUsedDate: row.lastUsedDate === null ? null : new Date(row.lastUsedDate).toISOString(),
    recovery: recoveryView(ctx, parseRecovery(row.recovery)),
  }));
  return {
    ...makeCountedPage(query, content, total),
    missingCount: missing[0]?.count ?? 0,
    isEnforced: ctx.config.SECOND_FACTOR === "required",
  };
}

function parseRecovery(text: string | null) {
  if (text === null) return undefined;
  const row = JSON.parse(text) as Record<"createdDate" | "usableDate" | "expiresDate", number>;
  return {
    createdDate: new Date(row.createdDate),
    usableDate: new Date(row.usableDate),
    expiresDate: new Date(row.expiresDate),
  };
}
