import { and, asc, desc, eq, gt, isNull, sql } from "drizzle-orm";
import { session, user, userConsent, userKey } from "#db/schema/account.ts";
import type { AppContext, Parsed, View } from "#worker/domain/kernel/context.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { checkProfileChange } from "#worker/contract/account/own-field.ts";
import { isLatinName, type ProfileInput, userNameProblem } from "#worker/contract/account/rules.ts";
import type { consentsInput, updateUserInput } from "#worker/contract/account/input.ts";
import { authorizeAccounts } from "../access/account-authority.server.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { confirmPassword } from "../access/password-attempt.server.ts";
import { abortBatchUnless, isBatchAborted, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { openProfileFields, profileFieldView } from "./profile.server.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";
import type { Db } from "#db/client.ts";
import { agreement } from "#db/schema/content.ts";
import { columnsOf } from "#db/sql.ts";
import { particleOf } from "#worker/contract/kernel/wording.ts";

const refusalKind = (ctx: AppContext) => (ctx.actor.kind === "guest" ? ("told" as const) : ("hidden" as const));

export async function getUser(ctx: AppContext, id: string) {
  authorize(ctx, { action: "User.Read", userId: id }, refusalKind(ctx));
  const [[row], keys] = await ctx.db.batch([
    ctx.db.select().from(user).where(eq(user.id, id)),
    ctx.db.select().from(userKey).where(eq(userKey.userId, id)),
  ]);
  if (!row || row.status === "retired") throw new AppError("NOT_FOUND");
  if (requireSignedIn(ctx).userId !== id)
    ctx.defer(audit(ctx, { action: "user.view", targetId: id, subjectCount: 1 }).run());
  return {
    ...fieldsOf(row, "id", "userName", "userType", "roleCode"),
    userKeys: keys.map((key) => ({
      userKeyType: key.userKeyType,
      userKeyCode: key.userKeyCode,
      verified: key.verifiedDate !== null,
    })),
    ...fieldsOf(row, "profile", "createdDate", "version"),
  };
}

export type UserView = View<typeof getUser>;

/**
 * Updates name and the given profile fields; `currentPassword` is the caller's own. @throws AppError
 * INVALID_CREDENTIAL, INVALID_INPUT, NOT_FOUND, CONFLICT for an outdated `version`
 */
export async function updateUser(
  ctx: AppContext,
  id: string,
  input: Parsed<typeof updateUserInput>,
): Promise<UserView> {
  authorize(ctx, { action: "User.Change", userId: id }, refusalKind(ctx));
  if (input.currentPassword !== undefined) await confirmPassword(ctx, input.currentPassword, "user.update");
  const stillTheirs = await authorizeAccounts(ctx, [id]);
  const [[row], fields] = await ctx.db.batch([
    ctx.db.select().from(user).where(eq(user.id, id)),
    openProfileFields(ctx.db),
  ]);
  if (!row || row.status === "retired") throw new AppError("NOT_FOUND");
  const renamed = input.userName !== undefined && input.userName !== row.userName;
  const misnamed = renamed ? userNameProblem(input.userName ?? "", ctx.rules, isLatinName(row.userName)) : null;
  if (misnamed) throw invalidInput({ userName: misnamed });
  const profile = input.profile ? mergeProfile(fields.map(profileFieldView), row.profile, input.profile) : row.profile;
  const work = ctx.db.batch([
    abortBatchUnless(
      ctx,
      sql`${stillTheirs.holds} AND EXISTS (SELECT 1 FROM user WHERE id = ${id} AND version = ${input.version} AND status <> 'retired')`,
    ),
    ctx.db
      .update(user)
      .set({
        userName: input.userName ?? row.userName,
        profile,
        modifiedDate: ctx.now(),
        version: sql`${user.version} + 1`,
      })
      .where(eq(user.id, id)),
    audit(ctx, { action: "user.update", targetId: id, subjectCount: 1 }),
  ]);
  await work.catch((cause: unknown) => {
    throw isBatchAborted(cause) ? new AppError("CONFLICT", { cause }) : cause;
  });
  return getUser(ctx, id);
}

/** Keeps values that are not changed. @throws AppError INVALID_INPUT */
function mergeProfile(
  fields: ReturnType<typeof profileFieldView>[],
  stored: Record<string, unknown>,
  given: ProfileInput,
) {
  const { profile, errors, checked } = checkProfileChange(fields, stored, given);
  if (Object.keys(errors).length > 0) throw invalidInput(errors);
  return { ...Object.fromEntries(Object.entries(stored).filter(([code]) => !checked.has(code))), ...profile };
}

const BROWSERS: [name: string, pattern: RegExp][] = [
  ["네이버 앱", /NAVER\(inapp/],
  ["카카오톡", /KAKAOTALK/],
  ["웨일", /Whale\//],
  ["삼성 인터넷", /SamsungBrowser\//],
  ["Edge", /Edg(?:e|A|iOS)?\//],
  ["Opera", /OPR\//],
  ["Firefox", /(?:Firefox|FxiOS)\//],
  ["Chrome", /(?:Chrome|CriOS)\//],
  ["Safari", /Safari\//],
];
const SYSTEMS: [name: string, pattern: RegExp][] = [
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Android", /Android/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X/],
  ["ChromeOS", /CrOS/],
  ["Linux", /Linux/],
];

export function deviceName(userAgent: string): string {
  const name = (list: [string, RegExp][]) => list.find(([, pattern]) => pattern.test(userAgent))?.[0];
  return [name(BROWSERS), name(SYSTEMS)].filter(Boolean).join(" · ") || "알 수 없는 기기";
}

export async function listSessions(ctx: AppContext, userId: string) {
  authorize(ctx, { action: "User.Read", userId }, refusalKind(ctx));
  const rows = await ctx.db
    .select()
    .from(session)
    .where(and(eq(session.userId, userId), isNull(session.revokedDate), gt(session.expiresDate, ctx.now())))
    .orderBy(desc(session.lastUsedDate));
  if (requireSignedIn(ctx).userId !== userId)
    ctx.defer(audit(ctx, { action: "user.sessions", targetId: userId, subjectCount: 1 }).run());
  return rows.map((row) => ({
    sid: row.id,
    device: deviceName(row.userAgent),
    address: row.address,
    createdDate: row.createdDate.toISOString(),
    lastUsedDate: row.lastUsedDate.toISOString(),
    current: ctx.actor.kind !== "guest" && ctx.actor.sessionId === row.id,
  }));
}

export type SessionView = View<typeof listSessions>[number];

/** Revokes the access token from the next request on. @throws AppError NOT_FOUND for a foreign or ended session */
export async function endUserSession(ctx: AppContext, userId: string, sid: string): Promise<Record<string, never>> {
  authorize(ctx, { action: "User.Change", userId }, refusalKind(ctx));
  const stillTheirs = await authorizeAccounts(ctx, [userId]);
  const isOpen = and(eq(session.id, sid), eq(session.userId, userId), isNull(session.revokedDate));
  const guards = [
    { holds: sql`EXISTS (SELECT 1 FROM ${session} WHERE ${isOpen})`, error: () => new AppError("NOT_FOUND") },
    stillTheirs,
  ];
  await runGuardedBatch(ctx, guards, [
    ctx.db.update(session).set({ revokedDate: ctx.now(), revokedReason: "ended by hand" }).where(isOpen),
    audit(ctx, { action: "session.end", targetType: "user", targetId: userId, detail: { sid } }),
  ]);
  return {};
}

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
