import { sql } from "drizzle-orm";
import { type Moment, timeOf } from "#db/prepared.ts";
import { roleGrant } from "#db/schema/access.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";

/** True for a grant that counts at a moment. */
export const isGrantActive = (now: Moment) =>
  sql`start_date <= ${timeOf(now)} AND (end_date IS NULL OR end_date > ${timeOf(now)})`;

/** True for a grant that counts at a moment or will. */
export const isGrantNotOver = (now: Date) =>
  sql`(role_grant.end_date IS NULL OR role_grant.end_date > ${now.getTime()})`;

/** What a row of `user` may do now: by the own role, and by those held for a period, which few have. */
export const permissionsAt = (now: Moment) => {
  const held = sql`FROM role_grant WHERE user_id = "user"."id" AND ${isGrantActive(now)}`;
  return sql`CASE WHEN EXISTS (SELECT 1 ${held}) THEN
    (SELECT json_group_array(DISTINCT each.value) FROM role AS held_role, json_each(held_role.permissions) AS each
      WHERE held_role.role_code = "user"."role_code" OR held_role.role_code IN (SELECT role_code ${held}))
    ELSE (SELECT permissions FROM role WHERE role_code = "user"."role_code") END`
    .mapWith((value: string): string[] => JSON.parse(value))
    .as("permissions_now");
};

/** True for a role that nobody holds, now or from a day to come, beside their own. */
export const isGrantedToNobody = (roleCode: string, now: Date) =>
  sql`NOT EXISTS (SELECT 1 FROM role_grant WHERE role_code = ${roleCode} AND ${isGrantNotOver(now)})`;

/** Those that count or will count; what is over stands in the audit log. */
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
