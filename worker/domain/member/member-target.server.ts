import { sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { session, user } from "#db/schema/account.ts";
import { columnsOf } from "#db/sql.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { MemberStatus } from "#worker/contract/account/rules.ts";
import type { UserType } from "#worker/contract/kernel/permissions.ts";
import { authorizeAccounts, notifyAdministrators } from "../access/account-authority.server.ts";
import { memberNotFound } from "./member.server.ts";

export interface MemberTarget {
  id: string;
  userName: string;
  userType: UserType;
  roleCode: string;
  status: MemberStatus;
  email: string | null;
}

async function readMemberTargets(ctx: AppContext, ids: readonly string[], states: readonly MemberStatus[]) {
  const rows = await ctx.db
    .select({
      ...columnsOf(user, "id", "userName", "userType", "roleCode", "status"),
      email: sql<
        string | null
      >`(SELECT user_key_code FROM user_key WHERE user_key.user_id = "user"."id" AND user_key_type = 'Email')`,
    })
    .from(user)
    .where(sql`${user.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
  const known = rows.filter((row) => row.status !== "retired");
  if (known.length === 0) throw memberNotFound();
  return known.filter((row) => states.includes(row.status));
}

/** The caller must have rights over all ids; `stillTheirs` guards the batch. */
export async function authorizeMemberTargets(ctx: AppContext, ids: readonly string[], states: readonly MemberStatus[]) {
  const stillTheirs = await authorizeAccounts(ctx, ids);
  return { stillTheirs, targets: await readMemberTargets(ctx, ids, states) };
}

export const isAmongMembers = (targets: readonly { id: string }[]) =>
  sql`"user"."id" IN (SELECT value FROM json_each(${JSON.stringify(targets.map(({ id }) => id))}))`;

export const endSessionsOf = (ctx: AppContext, targets: readonly { id: string }[], reason: string) =>
  ctx.db
    .update(session)
    .set({ revokedDate: ctx.now(), revokedReason: reason })
    .where(
      sql`revoked_date IS NULL AND user_id IN (SELECT value FROM json_each(${JSON.stringify(targets.map(({ id }) => id))}))`,
    );

export const memberIdsOf = (targets: readonly MemberTarget[]) => targets.map(({ id }) => id);

async function touchesAdministrators(
  ctx: AppContext,
  targets: MemberTarget[],
  enters: boolean,
  userType: UserType | undefined,
): Promise<boolean> {
  if (enters || userType === "Admin" || targets.some((target) => target.userType === "Admin")) return true;
  const roles = await ctx.db.select().from(role);
  const entering = new Set(roles.filter((row) => row.permissions.includes("ADMIN_Access")).map((row) => row.roleCode));
  return targets.some((target) => entering.has(target.roleCode));
}

export const administratorMessages = async (
  ctx: AppContext,
  targets: MemberTarget[],
  text: string,
  change: { enters?: boolean; userType?: UserType | undefined } = {},
) =>
  (await touchesAdministrators(ctx, targets, change.enters ?? false, change.userType))
    ? notifyAdministrators(ctx, text, targets)
    : [];
