import { type SQL, sql } from "drizzle-orm";
import { idsIn } from "#db/sql.ts";
import { user } from "#db/schema/account.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { SIGNUP_ROLE_CODE, type UserType } from "#worker/contract/kernel/permissions.ts";
import { authorize, can } from "../kernel/authorize.server.ts";
import { isAdministrator } from "./administrators.server.ts";
import { isGrantNotOver } from "./grant.server.ts";
import { type BatchGuard, conflict } from "../kernel/guarded-batch.server.ts";

/**
 * Combined rights of the accounts as `{"system": 0, "codes": […]}`. The sign-up role is omitted, because every member
 * has it.
 */
const authoritySql = (accounts: SQL, now: Date) =>
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
  const { account } = await readAuthority(ctx, sql`${idsIn(user.id, [id])} AND ${otherThanSelf(ctx)}`);
  return can(ctx.actor, { action: "Account.Administer", account });
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
  const { system, codes } = JSON.parse(read) as { system: number; codes: string[] };
  const userType: UserType = system ? "Admin" : "Member";
  return { account: { userType, codes }, authority, read };
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
export async function authorizeRoleChanges(
  ctx: AppContext,
  changes: readonly RolePermissionChange[],
): Promise<BatchGuard[]> {
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
