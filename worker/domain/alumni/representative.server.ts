import { sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { user, userKey } from "#db/schema/account.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import {
  cohortRoleCode,
  cohortRoleName,
  COHORT_PATH,
  type Representative,
} from "#worker/contract/alumni/representative.ts";
import type { AppointRepresentativeInput } from "#worker/contract/alumni/representative-input.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { koreanDay, koreanLongDay, startOfKoreanDay } from "#worker/contract/kernel/korea.ts";
import { cohortOfPermission, cohortPermission } from "#worker/contract/kernel/permissions.ts";
import { isGrantNotOver } from "../access/grant.server.ts";
import { queueOwnerMessage, userKeysStatement } from "../mail/owner-message.server.ts";
import { auditIfChanged } from "../kernel/audit-entry.server.ts";
import { authorize } from "../kernel/authorize.server.ts";
import { deliverMessageSoon } from "../mail/message.server.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import { grantRole } from "../member/role-grant.server.ts";
import { authorizeOffice } from "./office.server.ts";

const REPRESENTATIVES_MAX = 1000;

const iso = (date: number | null) => (date === null ? null : new Date(date).toISOString());

const holders = (now: Date) => sql`(
  SELECT role.role_name, role.permissions, role_grant.user_id, role_grant.id AS grant_id, start_date, end_date
  FROM role JOIN role_grant ON role_grant.role_code = role.role_code
  WHERE role.permissions LIKE '%"Alumni_Cohort_%' AND ${isGrantNotOver(now)}
  UNION ALL SELECT role.role_name, role.permissions, user.id, NULL, NULL, NULL
  FROM role JOIN user ON user.role_code = role.role_code WHERE role.permissions LIKE '%"Alumni_Cohort_%'
) held JOIN json_each(held.permissions) code ON code.value GLOB 'Alumni_Cohort_*'
JOIN user u ON u.id = held.user_id AND u.status <> 'retired'`;

export async function listRepresentatives(scope: RequestScope): Promise<Representative[]> {
  const { rows } = await scope.readFor(authorizeOffice, [
    scope.db
      .select({
        userId: sql<string>`u.id`.as("held_by"),
        userName: sql<string>`u.user_name`.as("held_by_name"),
        roleName: sql<string>`held.role_name`.as("held_name"),
        code: sql<string>`code.value`.as("held_code"),
        grantId: sql<string | null>`held.grant_id`.as("held_grant"),
        startDate: sql<number | null>`held.start_date`.as("held_start"),
        endDate: sql<number | null>`held.end_date`.as("held_end"),
        unreached: sql<number>`coalesce((SELECT sum(count) FROM alumni_figure
          WHERE kind = 'cohort' AND key = substr(code.value, 15) AND reach <> 'mail'), 0)`.as("unreached"),
      })
      .from(holders(scope.now()))
      .orderBy(sql`CAST(substr(code.value, 15) AS INTEGER), u.user_name, u.id`)
      .limit(REPRESENTATIVES_MAX),
  ]);
  return rows[0].flatMap(({ code, startDate, endDate, ...row }): Representative[] => {
    const cohort = cohortOfPermission(code);
    if (cohort === null) return [];
    return [
      {
        userId: row.userId,
        userName: row.userName,
        cohort,
        roleName: row.roleName,
        grantId: row.grantId,
        startDate: iso(startDate),
        endDate: iso(endDate),
        unreached: row.unreached,
      },
    ];
  });
}

/**
 * Grants the cohort's role from today to a last day, by the usual rules. @throws AppError FORBIDDEN, INVALID_INPUT,
 * CONFLICT for an overlapping grant
 */
export async function appointRepresentative(
  ctx: AppContext,
  { who, cohort, to, reason }: AppointRepresentativeInput,
): Promise<{ grantId: string }> {
  authorizeOffice(ctx);
  authorize(ctx, { action: "Permission.Grant", codes: [cohortPermission(cohort)] });
  const [person] = await ctx.db
    .select({ id: user.id, userName: user.userName })
    .from(user)
    .where(
      sql`${user.status} = 'active' AND ${user.id} IN (SELECT ${userKey.userId} FROM ${userKey} WHERE ${userKey.userKeyCode} = ${who.toLowerCase()})`,
    );
  if (!person) throw invalidInput({ who: "회원을 찾을 수 없습니다. 아이디나 이메일, 휴대전화로 입력해 주십시오." });
  const roleCode = await requireCohortRole(ctx, cohort);
  const answer = await grantRole(ctx, person.id, { roleCode, from: koreanDay(ctx.now()), to, reason });
  await tellRepresentative(ctx, person, cohort, to);
  return answer;
}

/** Creates the cohort's role on first use. @throws AppError INVALID_INPUT */
async function requireCohortRole(ctx: AppContext, cohort: number): Promise<string> {
  const roleCode = cohortRoleCode(cohort);
  const permissions = [cohortPermission(cohort)];
  const [, , rows] = await ctx.db.batch([
    ctx.db
      .insert(role)
      .values({ roleCode, roleName: cohortRoleName(cohort), permissions })
      .onConflictDoNothing(),
    auditIfChanged(ctx, {
      action: "role.create",
      targetType: "role",
      targetId: roleCode,
      detail: { after: { roleName: cohortRoleName(cohort), permissions } },
    }),
    ctx.db
      .select({ permissions: role.permissions })
      .from(role)
      .where(sql`role_code = ${roleCode}`),
  ]);
  if (!rows[0]?.permissions.includes(permissions[0] ?? ""))
    throw invalidInput({
      cohort: `'${roleCode}' 역할에 ${cohortRoleName(cohort)} 권한이 없습니다. '역할과 권한'에서 먼저 넣어 주십시오.`,
    });
  return roleCode;
}

/** The message names the page's address, which nothing else does. */
async function tellRepresentative(
  ctx: AppContext,
  person: { id: string; userName: string },
  cohort: number,
  to: string,
) {
  const [keys, write] = await Promise.all([userKeysStatement(ctx, person.id), loadTemplateRenderer(ctx)]);
  const text = write("representative", {
    이름: person.userName,
    기수: String(cohort),
    기한: koreanLongDay(startOfKoreanDay(to)),
    주소: `${ctx.config.SITE_ORIGIN}${COHORT_PATH}`,
  });
  const message = queueOwnerMessage(ctx, person.id, keys, text);
  if (!message) return;
  await message.statement;
  deliverMessageSoon(ctx, message.id);
}
