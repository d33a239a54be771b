import {
  siteSettingsStatement,
  permissionsOfRow,
  type SessionOwner,
  sessionPersonColumns,
  siteStateStatement,
  storedSettingsOf,
} from "../access/actor.server.ts";
import { and, eq, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { prepareOnce } from "#db/prepared.ts";
import { deriveOnce } from "#db/site-reads.ts";
import { role } from "#db/schema/access.ts";
import { refreshToken, session, user } from "#db/schema/account.ts";
import { randomToken, sha256Base64Url } from "#worker/adapters/secrets.server.ts";
import type { AccessClaims } from "#worker/adapters/token.server.ts";
import type { Actor, AppContext, BatchRows, SignedInActor } from "#worker/domain/kernel/context.ts";
import { TOKEN_LIMITS } from "#worker/contract/kernel/token-limits.ts";
import type { UserType } from "#worker/contract/kernel/permissions.ts";
import {
  needsSecondFactor,
  type SecondFactorMode,
  withoutSensitivePermissions,
} from "#worker/contract/kernel/second-factor.ts";
import type { AgreementInfo, SignedInUser, TokenPair } from "#worker/contract/account/view.ts";
import { accountRuleSettings } from "#worker/contract/account/setting-input.ts";
import {
  type AccountRules,
  buildAccountRules,
  DEFAULT_RULE_SETTINGS,
} from "#worker/contract/kernel/setting/identity-rules.ts";
import { audit } from "../kernel/audit-entry.server.ts";

const LAST_USED_STEP_MS = 60_000;
const NOBODY = "";

export function sessionStatements(db: Db, claims: AccessClaims | null, now: Date) {
  return [siteStateStatement(db), siteSettingsStatement(db), personStatement(db, claims, now)] as const;
}

const personStatement = (db: Db, claims: AccessClaims | null, now: Date) =>
  preparedPerson(db, { sessionId: claims?.sid ?? NOBODY, now: now.getTime() });

const preparedPerson = prepareOnce((db) => selectPerson(db, {}));

export const selectPerson = <T extends Record<string, SQL<number | string>>>(db: Db, more: T) =>
  db
    .select({ ...sessionPersonColumns(sql.placeholder("now")), ...more })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .innerJoin(role, eq(role.roleCode, user.roleCode))
    .where(eq(session.id, sql.placeholder("sessionId")));

type SessionRows = BatchRows<ReturnType<typeof sessionStatements>>;
type SessionPersonRow = SessionRows[2][number];

/** @param stored JSON of the settings */
export const storedAccountRules = (stored: string | null): AccountRules =>
  buildAccountRules(accountRuleSettings.catch(DEFAULT_RULE_SETTINGS).parse(JSON.parse(stored ?? "null")));

const rulesOf = deriveOnce(([row]: SessionRows[1]) => storedAccountRules(row?.rules ?? null));

/** Treats an ended or expired session, or a blocked account, as a guest. */
export function actorFromSession(
  db: Db,
  [states, siteSettings, people]: SessionRows,
  claims: AccessClaims | null,
  now: Date,
  mode: SecondFactorMode,
): {
  actor: Actor;
  guest: Actor;
  rules: AccountRules;
  storedSettings: AppContext["storedSettings"];
  touch?: Promise<unknown>;
} {
  const storedSettings = storedSettingsOf(states, siteSettings);
  const rules = rulesOf(siteSettings);
  const guest: Actor = {
    kind: "guest",
    permissions: { all: false, codes: new Set(siteSettings[0]?.permissions ?? []) },
  };
  return { ...personActor(db, people[0], claims, now, { guest, mode }), guest, rules, storedSettings };
}

export function personActor(
  db: Db,
  row: SessionPersonRow | undefined,
  claims: AccessClaims | null,
  now: Date,
  { guest, mode }: { guest: Actor; mode: SecondFactorMode },
): { actor: Actor; touch?: Promise<unknown> } {
  if (!claims || !row || row.userId !== claims.sub || !isSessionAlive(row, now)) return { actor: guest };
  const person: SignedInActor = {
    kind: row.userType === "Admin" ? "admin" : "member",
    userId: row.userId,
    userName: row.userName,
    sessionId: row.sessionId,
    roleCode: row.roleCode,
    roleName: row.roleName,
    permissions: permissionsOfRow(row),
    lastingCodes: new Set(row.lastingPermissions),
  };
  const actor = gateBySecondFactor(person, guest, row, mode);
  if (now.getTime() - row.lastUsedDate.getTime() < LAST_USED_STEP_MS) return { actor };
  return { actor, touch: db.update(session).set({ lastUsedDate: now }).where(eq(session.id, row.sessionId)).run() };
}

const isAdministratorRow = (row: { userType: UserType; permissions: string[] }) =>
  row.userType === "Admin" || row.permissions.includes("ADMIN_Access");

export function isSessionAlive(row: SessionPersonRow, now: Date): boolean {
  if (row.revokedDate || row.expiresDate <= now || row.status !== "active") return false;
  const ageMs = now.getTime() - row.createdDate.getTime();
  if (!isAdministratorRow(row)) return ageMs < TOKEN_LIMITS.memberAbsoluteSeconds * 1000;
  const idleMs = now.getTime() - row.lastUsedDate.getTime();
  return idleMs < TOKEN_LIMITS.adminIdleSeconds * 1000 && ageMs < TOKEN_LIMITS.adminAbsoluteSeconds * 1000;
}

/** Statements that open a session after the password check, and the tokens to send afterwards. */
export async function newSession(ctx: AppContext, owner: SessionOwner, secondFactorDate: Date | null = null) {
  const now = ctx.now();
  const sessionId = crypto.randomUUID();
  const refresh = newRefreshToken(sessionId, now);
  const statements = [
    ctx.db.insert(session).values({
      id: sessionId,
      userId: owner.id,
      createdDate: now,
      lastUsedDate: now,
      expiresDate: new Date(now.getTime() + TOKEN_LIMITS.refreshTtlSeconds * 1000),
      userAgent: ctx.client.userAgent,
      address: ctx.client.address,
      secondFactorDate,
    }),
    ctx.db.insert(refreshToken).values(refresh.row),
    ctx.db
      .update(session)
      .set({ revokedDate: now, revokedReason: "too many sessions" })
      .where(
        and(
          eq(session.userId, owner.id),
          isNull(session.revokedDate),
          sql`${session.id} NOT IN (SELECT id FROM session WHERE user_id = ${owner.id} AND revoked_date IS NULL ORDER BY rowid DESC LIMIT ${TOKEN_LIMITS.sessionsMax})`,
        ),
      ),
  ] as const;
  return { statements, tokens: await createTokenPair(ctx, owner, sessionId, refresh.token, now) };
}

/** @param sessionStart 90 days later every token expires */
export function newRefreshToken(sessionId: string, now: Date, sessionStart = now) {
  const token = randomToken();
  const ttlEnd = now.getTime() + TOKEN_LIMITS.refreshTtlSeconds * 1000;
  const absoluteEnd = sessionStart.getTime() + TOKEN_LIMITS.memberAbsoluteSeconds * 1000;
  const expiresDate = new Date(Math.min(ttlEnd, absoluteEnd));
  return { token, row: { hash: sha256Base64Url(token), sessionId, createdDate: now, expiresDate } };
}

export async function createTokenPair(ctx: AppContext, owner: SessionOwner, sid: string, refresh: string, now: Date) {
  const claims = { sub: owner.id, sid, userType: owner.userType, roleCode: owner.roleCode };
  return { accessToken: await ctx.tokens.signAccess(claims, now), refreshToken: refresh, user: signedInUser(owner) };
}

function signedInUser(owner: SessionOwner): SignedInUser {
  const { id, userName, userType, roleCode, roleName, permissions } = owner;
  return { id, userName, userType, role: { roleCode, roleName, permissions } };
}

export function withPendingAgreements(tokens: TokenPair, pendingAgreements: AgreementInfo[]): TokenPair {
  return pendingAgreements.length > 0 ? { ...tokens, pendingAgreements } : tokens;
}

/** Ends a person's live sessions except `exceptId`. */
export function endSessions(ctx: AppContext, userId: string, reason: string, exceptId = NOBODY) {
  return ctx.db
    .update(session)
    .set({ revokedDate: ctx.now(), revokedReason: reason })
    .where(and(eq(session.userId, userId), isNull(session.revokedDate), ne(session.id, exceptId)));
}

export function endSession(ctx: AppContext, sessionId: string, reason: string) {
  return ctx.db
    .update(session)
    .set({ revokedDate: ctx.now(), revokedReason: reason })
    .where(and(eq(session.id, sessionId), isNull(session.revokedDate)))
    .returning({ userId: session.userId });
}

/** Ends the caller's session by bearer or refresh token; always succeeds, so that a stale tab can sign out. */
export async function signout(ctx: AppContext, input: { refreshToken?: string | undefined }): Promise<void> {
  const bearer = ctx.actor.kind === "guest" ? NOBODY : ctx.actor.sessionId;
  const hash = input.refreshToken ? sha256Base64Url(input.refreshToken) : NOBODY;
  const ended = await ctx.db
    .update(session)
    .set({ revokedDate: ctx.now(), revokedReason: "sign-out" })
    .where(
      and(
        isNull(session.revokedDate),
        sql`(${session.id} = ${bearer} OR ${session.id} = (SELECT session_id FROM refresh_token WHERE hash = ${hash}))`,
      ),
    )
    .returning({ userId: session.userId });
  const userId = ended[0]?.userId;
  if (userId) await audit(ctx, { action: "signout", actorUserId: userId, targetType: "user", targetId: userId });
}

interface ProofRow {
  createdDate: Date;
  secondFactorDate: Date | null;
  passwordDate: Date | null;
  hasSecondFactor: number;
}

function gateBySecondFactor(person: SignedInActor, guest: Actor, row: ProofRow, mode: SecondFactorMode): Actor {
  const { userId, userName, sessionId, permissions } = person;
  const hasFactor = row.hasSecondFactor === 1;
  if (hasFactor && !row.secondFactorDate) {
    return { kind: "guest", permissions: guest.permissions, pending: { userId, userName, sessionId } };
  }
  const isRequired = mode === "required" && needsSecondFactor(permissions);
  // Falls back to the session's start, which required the right password.
  const provenDate = hasFactor ? row.secondFactorDate : (row.passwordDate ?? row.createdDate);
  if (hasFactor || !isRequired) return { ...person, secondFactor: { hasFactor, isRequired, provenDate } };
  return {
    ...person,
    permissions: withoutSensitivePermissions(permissions),
    secondFactor: { hasFactor, isRequired, provenDate, withheld: permissions },
  };
}
