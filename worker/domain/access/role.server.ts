import { asc, eq, sql } from "drizzle-orm";
import { role, roleGrant } from "#db/schema/access.ts";
import { board } from "#db/schema/board.ts";
import { center } from "#db/schema/content.ts";
import { unchanged } from "#db/sql.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import type { AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { type createRoleInput, roleDocument, type updateRoleInput } from "#worker/contract/access/input.ts";
import { AppError, invalidInput, type NewVersion } from "#worker/contract/kernel/errors.ts";
import {
  BOARD_ACTION_NAMES,
  BOARD_ACTIONS,
  boardPermission,
  centerPermission,
  cohortOfPermission,
  cohortPermission,
  isKnownPermission,
  permissionCodes,
  SITE_PERMISSION_NAMES,
  SITE_PERMISSIONS,
} from "#worker/contract/kernel/permissions.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { authorize, authorizeConsole, authorizeSetting } from "../kernel/authorize.server.ts";
import { identityOf, inSiteWords } from "../kernel/site-identity.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { administratorRemainsGuard, authorizeRoleChanges, notifyAdministrators } from "./account-authority.server.ts";
import { confirmConsoleEntry } from "./password-attempt.server.ts";
import { conflict, refuseExisting, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { auditDifference } from "../kernel/audit-difference.ts";
import { isUngranted } from "./actor.server.ts";
import { transferOf } from "../kernel/row-transfer.server.ts";

const roleNotFound = () => new AppError("NOT_FOUND", { message: "역할을 찾을 수 없습니다." });

export async function listRoles(scope: RequestScope) {
  const { ctx, rows } = await scope.readFor(authorizeConsole, [
    scope.db
      .select({
        role,
        userCount: sql<number>`(SELECT count(*) FROM user WHERE user.role_code = "role"."role_code" AND status <> 'retired')`,
      })
      .from(role)
      .orderBy(sql`is_built_in DESC`, asc(role.roleCode)),
    scope.db
      .select({ boardCode: board.boardCode, boardName: board.boardName })
      .from(board)
      .orderBy(asc(board.sortOrder)),
    scope.db
      .select({ code: sql<string>`json_extract(value, '$.roleCodeForGuest')` })
      .from(siteSetting)
      .where(eq(siteSetting.key, "authentication")),
    centerNamesStatement(scope.db),
  ]);
  const [roles, boards, guest, centers] = rows;
  return {
    roles: roles.map((row) => ({
      ...row.role,
      isGuest: row.role.roleCode === guest[0]?.code,
      userCount: row.userCount,
    })),
    groups: [
      { label: "사이트", codes: sitePermissionsOf(ctx).map((code) => ({ code, label: SITE_PERMISSION_NAMES[code] })) },
      ...boards.map(({ boardCode, boardName }) => ({
        label: boardName,
        codes: BOARD_ACTIONS.map((action) => ({
          code: boardPermission(boardCode, action) as string,
          label: BOARD_ACTION_NAMES[action],
        })),
      })),
      ...(centers.length > 0 && identityOf(ctx).hasCenters
        ? [
            {
              label: inSiteWords(ctx, "{권역센터}"),
              codes: centers.map(({ regionCode, regionName }) => ({
                code: centerPermission(regionCode) as string,
                label: inSiteWords(ctx, `${regionName} {센터} 관리`),
              })),
            },
          ]
        : []),
      ...cohortGroup(roles.map((row) => row.role)),
    ],
  };
}

export type RolesPage = View<typeof listRoles>;
export type AdminRole = RolesPage["roles"][number];

function cohortGroup(roles: readonly { permissions: string[] }[]) {
  const cohorts = new Set(
    roles.flatMap(({ permissions }) => permissions.flatMap((code) => cohortOfPermission(code) ?? [])),
  );
  if (cohorts.size === 0) return [];
  const codes = [...cohorts]
    .toSorted((a, b) => a - b)
    .map((cohort) => ({ code: cohortPermission(cohort) as string, label: `${cohort}기 대표` }));
  return [{ label: "기수 대표", codes }];
}

/** Omits the permissions of what the site does not use. */
const sitePermissionsOf = (ctx: AppContext) =>
  SITE_PERMISSIONS.filter((code) =>
    code.startsWith("Research_")
      ? identityOf(ctx).hasProposals
      : code !== "CaseReport_Access" || identityOf(ctx).hasCaseReport,
  );

const centerNamesStatement = (db: RequestScope["db"]) =>
  db
    .select({ regionCode: center.regionCode, regionName: center.regionName })
    .from(center)
    .orderBy(asc(center.sortOrder), asc(center.regionCode));

/** @throws AppError INVALID_INPUT for a code without a board, centre or feature */
async function checkPermissionCodes(ctx: AppContext, codes: readonly string[]): Promise<void> {
  const [boards, centers] = await ctx.db.batch([
    ctx.db.select({ boardCode: board.boardCode }).from(board),
    centerNamesStatement(ctx.db),
  ]);
  const known = new Set<string>(
    permissionCodes(
      boards.map(({ boardCode }) => boardCode),
      centers.map(({ regionCode }) => regionCode),
    ),
  );
  const unknown = codes.filter((code) => !isKnownPermission(known, code));
  if (unknown.length > 0) throw invalidInput({ permissions: `없는 권한입니다: ${unknown.slice(0, 5).join(", ")}` });
}

/** @throws AppError INVALID_INPUT, FORBIDDEN, ALREADY_EXISTS */
export async function createRole(
  ctx: AppContext,
  input: Parsed<typeof createRoleInput>,
): Promise<{ roleCode: string }> {
  authorizeSetting(ctx, "roles");
  const permissions = [...new Set(input.permissions)];
  await checkPermissionCodes(ctx, permissions);
  authorize(ctx, { action: "Permission.Grant", codes: permissions });
  if (permissions.includes("ADMIN_Access")) await confirmConsoleEntry(ctx, input);
  const { roleCode, roleName, reason = "" } = input;
  await refuseExisting("이미 사용 중인 역할 코드입니다.", () =>
    ctx.db.batch([
      ctx.db.insert(role).values({ roleCode, roleName, permissions }),
      audit(ctx, {
        action: "role.create",
        targetId: roleCode,
        reason,
        detail: { after: { roleName, permissions } },
      }),
      ...storeIdempotentAnswer(ctx, { roleCode }),
    ]),
  );
  return { roleCode };
}

/** @throws AppError NOT_FOUND, INVALID_INPUT, FORBIDDEN, CONFLICT also if no one could enter the console */
export async function updateRole(
  ctx: AppContext,
  roleCode: string,
  input: Parsed<typeof updateRoleInput>,
): Promise<NewVersion> {
  authorizeSetting(ctx, "roles");
  const [before] = await ctx.db.select().from(role).where(eq(role.roleCode, roleCode));
  if (!before) throw roleNotFound();
  const permissions = [...new Set(input.permissions)];
  const added = permissions.filter((code) => !before.permissions.includes(code));
  const removed = before.permissions.filter((code) => !permissions.includes(code));
  await checkPermissionCodes(ctx, added);
  const stillTheirs = await authorizeRoleChanges(ctx, [{ roleCode, added, removed }]);
  if (added.includes("ADMIN_Access")) await confirmConsoleEntry(ctx, input);
  const { version, roleName, reason = "" } = input;
  const guards = [unchanged(role, roleCode, version), ...stillTheirs];
  if (added.includes("ADMIN_Access")) {
    guards.push({
      holds: sql`(SELECT json_extract(value, '$.roleCodeForGuest') FROM site_setting WHERE key = 'authentication') <> ${roleCode}`,
      error: () => invalidInput({ permissions: "방문자 역할에는 관리 화면 권한을 줄 수 없습니다." }),
    });
  }
  if (removed.includes("ADMIN_Access"))
    guards.push(administratorRemainsGuard(sql`user.user_type <> 'Admin' AND user.role_code = ${roleCode}`, false));
  const entered = [...added, ...removed].includes("ADMIN_Access");
  const messages = entered
    ? await notifyAdministrators(
        ctx,
        `'${roleName}' 역할에 관리 화면 권한을 ${added.includes("ADMIN_Access") ? "주었습니다" : "없앴습니다"}.`,
      )
    : [];
  await runGuardedBatch(ctx, guards, [
    ctx.db
      .update(role)
      .set({ roleName, permissions, version: version + 1 })
      .where(eq(role.roleCode, roleCode)),
    audit(ctx, {
      action: "role.change",
      targetId: roleCode,
      reason,
      detail: { ...auditDifference(before, { roleName }), added, removed },
    }),
    ...messages,
  ]);
  return { version: version + 1 };
}

/** @throws AppError NOT_FOUND, FORBIDDEN, CONFLICT while a person or the guest has it */
export async function deleteRole(ctx: AppContext, roleCode: string): Promise<{ roleCode: string }> {
  authorizeSetting(ctx, "roles");
  const [row] = await ctx.db.select().from(role).where(eq(role.roleCode, roleCode));
  if (!row) throw roleNotFound();
  if (row.isBuiltIn) throw conflict("처음부터 있던 역할은 삭제할 수 없습니다.");
  authorize(ctx, { action: "Permission.Grant", codes: row.permissions });
  const [used] = await ctx.db.all<{ count: number }>(
    sql`SELECT count(*) AS count FROM user WHERE role_code = ${roleCode}`,
  );
  const inUse = () =>
    conflict(`회원 ${used?.count || 1}명이 쓰고 있는 역할입니다. 그 회원들의 역할을 먼저 바꾸어 주십시오.`);
  const guards = [
    { holds: sql`NOT EXISTS (SELECT 1 FROM user WHERE role_code = ${roleCode})`, error: inUse },
    {
      holds: isUngranted(roleCode, ctx.now()),
      error: () => conflict("기간을 정해 이 역할을 준 회원이 있습니다. 회원 화면에서 그 역할을 먼저 끝내 주십시오."),
    },
    {
      holds: sql`(SELECT json_extract(value, '$.roleCodeForGuest') FROM site_setting WHERE key = 'authentication') <> ${roleCode}`,
      error: () => conflict("방문자에게 쓰고 있는 역할은 삭제할 수 없습니다."),
    },
  ];
  await runGuardedBatch(ctx, guards, [
    ctx.db.delete(roleGrant).where(eq(roleGrant.roleCode, roleCode)),
    ctx.db.delete(role).where(eq(role.roleCode, roleCode)),
    audit(ctx, {
      action: "role.delete",
      targetId: roleCode,
      detail: { before: { roleName: row.roleName, permissions: row.permissions } },
    }),
  ]);
  return { roleCode };
}

/** The importer's right to grant is checked separately (`authorizeRoleChanges`). */
export const roleTransfer = transferOf<Parsed<typeof roleDocument>>()(
  role,
  "roleCode",
  "roleName",
  Object.keys(roleDocument.shape),
);
