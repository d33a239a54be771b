import { asc, eq, sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { user } from "#db/schema/account.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import { countRows, makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import { needsSecondFactor } from "#worker/contract/kernel/second-factor.ts";
import type { ListSecondFactorsQuery } from "#worker/contract/account/second-factor-input.ts";
import type { SecondFactorPage } from "#worker/contract/account/second-factor-view.ts";
import { hasSecondFactor, permissionsOfRow } from "../../access/actor.server.ts";
import { isGrantActive, permissionsAt } from "../../access/grant.server.ts";
import { auditLook } from "../../kernel/audit-entry.server.ts";
import { authorizeConsole } from "../../kernel/guarded-batch.server.ts";
import { recoveryView } from "./own.server.ts";

export async function listSecondFactors(scope: RequestScope, query: ListSecondFactorsQuery): Promise<SecondFactorPage> {
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
