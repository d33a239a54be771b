import type { Db } from "#db/client.ts";
import { UNFINISHED_SQL } from "#db/page-stamps.ts";
import { type Moment, prepareOnce, timeOf } from "#db/prepared.ts";
import { prepareSiteRead } from "#db/site-reads.ts";
import { eq, sql } from "drizzle-orm";
import { role, roleGrant } from "#db/schema/access.ts";
import { session, user } from "#db/schema/account.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import { columnsOf } from "#db/sql.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { PermissionSet, UserType } from "#worker/contract/kernel/permissions.ts";
import type { Actor, AppContext } from "../kernel/context.ts";

/** Reads the site's stamp, the restore mark and the own fields; returns one row even in an empty database. */
export const siteStateStatement = (db: Db) => preparedSiteState(db, {});

const preparedSiteState = prepareOnce((db) =>
  db
    .select({
      stamp: sql<string | null>`(SELECT stamp FROM page_stamp WHERE scope = 'site')`.as("site_stamp"),
      unfinished: sql<string | null>`(${sql.raw(UNFINISHED_SQL)})`.as("unfinished"),
      bookFields: sql<
        string | null
      >`(SELECT json_group_array(json_object('code', code, 'name', name, 'kind', kind, 'choices', json(choices),
        'required', required, 'access', access, 'personEdits', person_edits, 'inList', in_list))
        FROM (SELECT * FROM alumni_field WHERE is_closed = 0 ORDER BY sort_order, code))`.as("book_fields"),
      closedFields: sql<
        string | null
      >`(SELECT json_group_array(json_object('code', code, 'name', name)) FROM alumni_field WHERE is_closed = 1)`.as(
        "closed_fields",
      ),
    })
    .from(sql`(SELECT 1)`),
);

type SiteStateRow = Awaited<ReturnType<ReturnType<typeof siteStateStatement>["all"]>>[number];

/** Proves site reads of the same batch (db/site-reads.ts); empty after a write and during a restore. */
export const siteStampOf = ([state]: readonly SiteStateRow[]): string =>
  state?.unfinished === null ? (state.stamp ?? "") : "";

/** Reads guest rights and settings for every request; returns one row even in an empty database. */
export const siteSettingsStatement = prepareSiteRead((db) => {
  const code = sql`(SELECT json_extract(${siteSetting.value}, '$.roleCodeForGuest') FROM ${siteSetting} WHERE ${siteSetting.key} = 'authentication')`;
  return db
    .select({
      roleCode: role.roleCode,
      permissions: role.permissions,
      rules: sql<
        string | null
      >`(SELECT json_extract(value, '$.rules') FROM site_setting WHERE key = 'authentication')`.as("rule_settings"),
      identity: sql<string | null>`(SELECT value FROM site_setting WHERE key = 'identity')`.as("identity_settings"),
      pages: sql<string | null>`(SELECT value FROM site_setting WHERE key = 'pages')`.as("page_settings"),
      book: sql<string | null>`(SELECT value FROM site_setting WHERE key = 'alumni')`.as("book_settings"),
      certificateIssuers: sql<
        AppContext["storedSettings"]["certificateIssuers"]
      >`(SELECT CASE WHEN max(self_issue <> 'office') = 1 THEN 'own'
        WHEN count(*) > 0 THEN 'office' ELSE 'none' END FROM certificate_kind WHERE is_closed = 0)`.as(
        "certificate_issuers",
      ),
    })
    .from(sql`(SELECT 1)`)
    .leftJoin(role, eq(role.roleCode, code));
});

type SiteSettingsRow = Awaited<ReturnType<ReturnType<typeof siteSettingsStatement>["all"]>>[number];

/** Settings of kept rows, which are parsed once (`identityOf`). */
const settingsOfRows = new WeakMap<SiteSettingsRow, AppContext["storedSettings"]>();

export function storedSettingsOf(
  [state]: readonly SiteStateRow[],
  [row]: readonly SiteSettingsRow[],
): AppContext["storedSettings"] {
  const [alumniFields, closedAlumniFields] = [state?.bookFields ?? null, state?.closedFields ?? null];
  const known = row && settingsOfRows.get(row);
  if (known?.alumniFields === alumniFields && known.closedAlumniFields === closedAlumniFields) return known;
  const settings = {
    alumni: row?.book ?? null,
    alumniFields,
    closedAlumniFields,
    identity: row?.identity ?? null,
    pages: row?.pages ?? null,
    certificateIssuers: row?.certificateIssuers ?? "none",
  };
  if (row) settingsOfRows.set(row, settings);
  return settings;
}

const UNFINISHED_MESSAGE =
  "백업에서 되살리는 일이 아직 끝나지 않아 사이트를 열 수 없습니다. 도중에 멈추었다면 운영하는 분이 npm run restore 명령을 다시 실행해 주십시오.";

/** @throws AppError UPSTREAM_UNAVAILABLE during an unfinished restore */
export function refuseUnfinished([state]: readonly SiteStateRow[]): void {
  if (state && state.unfinished !== null) throw new AppError("UPSTREAM_UNAVAILABLE", { message: UNFINISHED_MESSAGE });
}

export const hasSecondFactor = sql<number>`EXISTS (SELECT 1 FROM second_factor WHERE user_id = "user"."id")`;

export const sessionPersonColumns = (now: Moment) => ({
  sessionId: session.id,
  ...columnsOf(session, "userId", "createdDate", "lastUsedDate", "expiresDate", "revokedDate", "secondFactorDate"),
  passwordDate: session.passwordDate,
  hasSecondFactor: hasSecondFactor.as("has_second_factor"),
  ...columnsOf(user, "userName", "userType", "status"),
  roleCode: role.roleCode,
  roleName: role.roleName,
  permissions: permissionsAt(now),
  lastingPermissions: role.permissions,
});

export function permissionsOfRow(row: { userType: UserType; permissions: string[] }): PermissionSet {
  return { all: row.userType === "Admin", codes: new Set(row.permissions) };
}

export interface SessionOwner {
  id: string;
  userName: string;
  userType: UserType;
  roleCode: string;
  roleName: string;
  permissions: string[];
}

/** Actor for a message recipient, without the right to grant anything. */
export function absentActor(owner: SessionOwner): Exclude<Actor, { kind: "guest" }> {
  const { id: userId, userName, userType, roleCode, roleName } = owner;
  const kind = userType === "Admin" ? "admin" : "member";
  const permissions = permissionsOfRow(owner);
  return { kind, userId, userName, sessionId: "", roleCode, roleName, permissions, lastingCodes: new Set() };
}

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
