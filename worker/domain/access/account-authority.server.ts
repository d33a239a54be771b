import { eq, type SQL, sql } from "drizzle-orm";
import { idsIn } from "#db/sql.ts";
import { user, userKey } from "#db/schema/account.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { SIGNUP_ROLE_CODE, type SitePermission, type UserType } from "#worker/contract/kernel/permissions.ts";
import { authorize, can } from "../kernel/authorize.server.ts";
import { isGrantActive, isGrantNotOver } from "./actor.server.ts";
import { type BatchGuard, conflict } from "../kernel/guarded-batch.server.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import { type NamedPerson, queueMessage } from "../mail/message.server.ts";

/**
 * Combined rights of the accounts as `{"system": 0, "codes": […]}`. The sign-up role is omitted, because every member
 * has it.
 */
export const authoritySql = (accounts: SQL, now: Date) =>
  sql<string>`json_object(
    'system', EXISTS (SELECT 1 FROM "user" WHERE ${accounts} AND "user"."user_type" = 'Admin'),
    'codes', json((SELECT json_group_array(code) FROM (
      SELECT DISTINCT held.value AS code FROM role AS held_role, json_each(held_role.permissions) AS held
      WHERE held_role.role_code <> ${SIGNUP_ROLE_CODE} AND held_role.role_code IN (
        SELECT "user"."role_code" FROM "user" WHERE ${accounts}
        UNION SELECT role_grant.role_code FROM role_grant JOIN "user" ON "user"."id" = role_grant.user_id
          WHERE ${isGrantNotOver(now)} AND ${accounts})
      ORDER BY 1))))`;

const otherThanSelf = (ctx: AppContext) =>
  ctx.actor.kind === "guest" ? sql`1` : sql`"user"."id" <> ${ctx.actor.userId}`;

/**
 * First check of every act on other people's accounts; the caller's own is skipped. @returns the guard for the batch,
 * against rights granted meanwhile @throws AppError FORBIDDEN when an account has a current or future right that the
 * caller lacks
 */
export async function authorizeAccounts(ctx: AppContext, ids: readonly string[]): Promise<BatchGuard> {
  const self = ctx.actor.kind === "guest" ? "" : ctx.actor.userId;
  const others = ids.filter((id) => id !== self);
  if (others.length === 0) return { holds: sql`1`, error: () => conflict() };
  return authorizeAccountsWhere(ctx, idsIn(user.id, others));
}

/** Returns whether `authorizeAccounts` would allow an act on this account. */
export async function canAdministerAccount(ctx: AppContext, id: string): Promise<boolean> {
  const { read } = await readAuthority(ctx, sql`${idsIn(user.id, [id])} AND ${otherThanSelf(ctx)}`);
  return canAdminister(ctx, read);
}

/** @param authority value of `authoritySql` */
export const canAdminister = (ctx: Pick<AppContext, "actor">, authority: string): boolean =>
  can(ctx.actor, { action: "Account.Administer", account: accountOf(authority) });

function accountOf(authority: string) {
  const { system, codes } = JSON.parse(authority) as { system: number; codes: string[] };
  const userType: UserType = system ? "Admin" : "Member";
  return { userType, codes };
}

/**
 * Required for a rule that destroys accounts, because it reaches all except administrators. @throws AppError FORBIDDEN
 */
export const authorizeEveryAccount = (ctx: AppContext): Promise<BatchGuard> =>
  authorizeAccountsWhere(ctx, sql`"user"."status" <> 'retired' AND NOT ${isAdministrator}`);

async function readAuthority(ctx: AppContext, accounts: SQL) {
  const authority = authoritySql(accounts, ctx.now());
  const [row] = await ctx.db.all<{ authority: string }>(sql`SELECT ${authority} AS authority`);
  const read = row?.authority ?? "";
  return { account: accountOf(read), authority, read };
}

async function authorizeAccountsWhere(ctx: AppContext, where: SQL): Promise<BatchGuard> {
  const { account, authority, read } = await readAuthority(ctx, sql`${where} AND ${otherThanSelf(ctx)}`);
  authorize(ctx, { action: "Account.Administer", account });
  return { holds: sql`${authority} = ${read}`, error: () => conflict() };
}

export interface RolePermissionChange {
  roleCode: string;
  added: readonly string[];
  removed: readonly string[];
}

/**
 * Allows only granting rights that the caller holds, and only changing accounts without further rights. @returns guards
 * for the batch @throws AppError FORBIDDEN
 */
export async function authorizeRoleChanges(ctx: AppContext, changes: readonly RolePermissionChange[]) {
  authorize(ctx, {
    action: "Permission.Grant",
    codes: changes.flatMap(({ added, removed }) => [...added, ...removed]),
  });
  const reduced = changes.filter(({ removed }) => removed.length > 0).map(({ roleCode }) => roleCode);
  if (reduced.length === 0) return [];
  const roles = JSON.stringify(reduced);
  // A system administrator has every permission regardless of the role.
  return [
    await authorizeAccountsWhere(
      ctx,
      sql`"user"."user_type" <> 'Admin' AND "user"."status" <> 'retired' AND ("user"."role_code" IN (SELECT value FROM json_each(${roles}))
        OR EXISTS (SELECT 1 FROM role_grant WHERE role_grant.user_id = "user"."id" AND ${isGrantNotOver(ctx.now())}
          AND role_grant.role_code IN (SELECT value FROM json_each(${roles}))))`,
    ),
  ];
}

/** Console access by the own role; temporary roles do not count as a remaining administrator. */
export const isAdministrator = sql`(user.user_type = 'Admin' OR EXISTS (SELECT 1 FROM role AS r, json_each(r.permissions) AS p WHERE r.role_code = user.role_code AND p.value = 'ADMIN_Access'))`;

/** Whether a row of `user` has the right at that moment, by its role or a temporary one. */
export const holdsAt = (right: SitePermission, now: Date) =>
  sql`(user.user_type = 'Admin' OR EXISTS (SELECT 1 FROM role AS r, json_each(r.permissions) AS p
    WHERE p.value = ${right} AND (r.role_code = user.role_code
      OR r.role_code IN (SELECT role_code FROM role_grant WHERE user_id = user.id AND ${isGrantActive(now)}))))`;

export const isAdministratorAt = (now: Date) => holdsAt("ADMIN_Access", now);

/** Ensures that an administrator remains, and a system administrator when one of them leaves. */
export function administratorRemainsGuard(leaving: SQL, systemLeaves: boolean): BatchGuard {
  const who = systemLeaves ? sql`user.user_type = 'Admin'` : isAdministrator;
  return {
    holds: sql`EXISTS (SELECT 1 FROM user WHERE status = 'active' AND ${who} AND NOT (${leaving}))`,
    error: () =>
      new AppError("CONFLICT", {
        message: "마지막 관리자의 권한은 없앨 수 없습니다. 다른 관리자를 먼저 지정해 주십시오.",
      }),
  };
}

export const administratorAddressesStatement = (ctx: AppContext) =>
  ctx.db
    .select({ address: userKey.userKeyCode })
    .from(user)
    .innerJoin(userKey, eq(userKey.userId, user.id))
    .where(
      sql`${user.status} = 'active' AND ${isAdministratorAt(ctx.now())} AND ${userKey.userKeyType} = 'Email' AND ${user.id} <> ${ctx.actor.kind === "guest" ? "" : ctx.actor.userId}`,
    )
    .limit(50);

/**
 * Prepares a message to all other administrators that names the caller and `people`; add its statements to the batch.
 */
export async function notifyAdministrators(ctx: AppContext, what: string, people: readonly NamedPerson[] = []) {
  const self = ctx.actor.kind === "guest" ? "" : ctx.actor.userId;
  const name = ctx.actor.kind === "guest" ? "" : ctx.actor.userName;
  const rows = await administratorAddressesStatement(ctx);
  const write = await loadTemplateRenderer(ctx);
  const text = write("administratorsChanged", {
    이름: name,
    내용: what,
    주소: `${ctx.config.SITE_ORIGIN}/Admin/Audit`,
  });
  return rows.map(({ address }) =>
    queueMessage(ctx, {
      channel: "email",
      recipient: address,
      ...text,
      about: [...(self ? [{ id: self, userName: name }] : []), ...people],
    }),
  );
}
