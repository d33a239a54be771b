import { sql } from "drizzle-orm";
import { type Moment, timeOf } from "#db/prepared.ts";
import { roleGrant } from "#db/schema/access.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";

export const isGrantActive = (now: Moment) =>
  sql`start_date <= ${timeOf(now)} AND (end_date IS NULL OR end_date > ${timeOf(now)})`;

/** True for a current or future grant. */
export const isGrantNotOver = (now: Date) =>
  sql`(role_grant.end_date IS NULL OR role_grant.end_date > ${now.getTime()})`;

/** Current permissions of a `user` row: the own role and the temporary roles. */
export const permissionsAt = (now: Moment) => {
  const held = sql`FROM role_grant WHERE user_id = "user"."id" AND ${isGrantActive(now)}`;
  return sql`CASE WHEN EXISTS (SELECT 1 ${held}) THEN
    (SELECT json_group_array(DISTINCT each.value) FROM role AS held_role, json_each(held_role.permissions) AS each
      WHERE held_role.role_code = "user"."role_code" OR held_role.role_code IN (SELECT role_code ${held}))
    ELSE (SELECT permissions FROM role WHERE role_code = "user"."role_code") END`
    .mapWith((value: string): string[] => JSON.parse(value))
    .as("permissions_now");
};

export const isUngranted = (roleCode: string, now: Date) =>
  sql`NOT EXISTS (SELECT 1 FROM role_grant WHERE role_code = ${roleCode} AND ${isGrantNotOver(now)})`;

/** Current and future grants; past ones are in the audit log. */
export const roleGrantsStatement = (ctx: Pick<AppContext, "db" | "now">, userId: string) =>
  ctx.db
    .select({
      grantId: roleGrant.id,
      roleCode: roleGrant.roleCode,
      roleName: sql<string>`(SELECT role_name FROM role WHERE role.role_code = "role_grant"."role_code")`,
      startDate: roleGrant.startDate,
      endDate: roleGrant.endDate,
      isNow: sql<number>`(${isGrantActive(ctx.now())})`,
    })
    .from(roleGrant)
    .where(sql`user_id = ${userId} AND ${isGrantNotOver(ctx.now())}`)
    .orderBy(roleGrant.startDate);
