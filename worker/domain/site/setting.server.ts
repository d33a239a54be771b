import { eq, sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { unchanged } from "#db/sql.ts";
import type { AppContext, Parsed, RequestScope } from "#worker/domain/kernel/context.ts";
import type { AuthenticationSettingView } from "#worker/contract/account/view.ts";
import type { SiteSettingView } from "#worker/contract/site/view.ts";
import { authenticationSettings, type updateAuthenticationInput } from "#worker/contract/account/setting-input.ts";
import type { UpdateSiteInput } from "#worker/contract/site/input.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { siteSettings } from "#worker/contract/kernel/setting/site-setting.ts";
import { type BatchGuard, conflict } from "../kernel/guarded-batch.server.ts";
import { fieldChanges } from "#worker/contract/kernel/setting/field-changes.ts";
import { SITE_FIELDS } from "#worker/contract/kernel/setting/site-fields.ts";
import { readSetting, requireSetting, settingStatement, storeSetting } from "../kernel/setting.server.ts";
import { user, userKey } from "#db/schema/account.ts";
import type { SigninKeyCounts } from "#worker/contract/account/authentication-consequences.ts";
import { type AuthType, SIGNIN_KEY } from "#worker/contract/account/rules.ts";
import { USER_KEY_NAMES } from "#worker/contract/kernel/messages.ts";
import { authorize, authorizeConsole, authorizeSetting } from "../kernel/authorize.server.ts";
import { isAdministratorAt } from "../access/account-authority.server.ts";
import { guardFields } from "../mail/field-change.server.ts";

export const getSiteSetting = (scope: RequestScope): Promise<SiteSettingView> =>
  readSetting(scope, "site", siteSettings);

export const getAuthenticationSetting = (scope: RequestScope): Promise<AuthenticationSettingView> =>
  readSetting(scope, "authentication", authenticationSettings);

/** @throws AppError FORBIDDEN for a field without its right, INVALID_INPUT without a reason, CONFLICT */
export async function updateSiteSetting(ctx: AppContext, input: UpdateSiteInput): Promise<SiteSettingView> {
  authorizeSetting(ctx, "site");
  const { version, reason, ...value } = input;
  const before = await requireSetting(ctx, "site", version, siteSettings);
  const changes = fieldChanges(SITE_FIELDS, before, value);
  const parts = await guardFields(ctx, [{ setting: "사이트 정보", changes }], reason);
  const stored = await storeSetting(ctx, "site", version, value, siteSettings.parse({}), { parts, reason });
  return { value: siteSettings.parse({ ...before, ...value }), ...stored };
}

/** @throws AppError CONFLICT, INVALID_INPUT for a guest role that does not exist or could reach the console */
export async function updateAuthenticationSetting(
  ctx: AppContext,
  input: Parsed<typeof updateAuthenticationInput>,
): Promise<AuthenticationSettingView> {
  authorizeSetting(ctx, "authentication");
  const { version, ...value } = input;
  const [[row], [guestRole]] = await ctx.db.batch([
    settingStatement(ctx.db, "authentication"),
    ctx.db.select().from(role).where(eq(role.roleCode, value.roleCodeForGuest)),
  ]);
  if (!guestRole || guestRole.permissions.includes("ADMIN_Access"))
    throw invalidInput({ roleCodeForGuest: "방문자에게 줄 수 있는 역할이 아닙니다. 다른 역할을 골라 주십시오." });
  const before = authenticationSettings.parse(row?.value ?? {});
  const stored = await storeSetting(ctx, "authentication", version, value, authenticationSettings.parse({}), {
    guards: [
      ...(await authorizeAuthenticationChange(ctx, before, value, guestRole.permissions)),
      { holds: unchanged(role, guestRole.roleCode, guestRole.version), error: () => conflict() },
    ],
  });
  return { value: authenticationSettings.parse({ ...(row?.value as object), ...value }), ...stored };
}

interface AuthenticationChange {
  authType: AuthType;
  roleCodeForGuest: string;
}

const NAMES_SHOWN = 3;

/**
 * Guards changes of the sign-in key and the guest role: the caller needs the added rights, and no administrator is
 * locked out. @returns guards for the batch @param guestPermissions permissions of the new guest role @throws AppError
 * FORBIDDEN, CONFLICT
 */
export async function authorizeAuthenticationChange(
  ctx: AppContext,
  before: AuthenticationChange,
  after: AuthenticationChange,
  guestPermissions: readonly string[],
): Promise<BatchGuard[]> {
  if (after.roleCodeForGuest !== before.roleCodeForGuest) {
    const codes = guestPermissions.filter((code) => !ctx.guest.permissions.codes.has(code));
    authorize(ctx, { action: "Permission.Grant", codes });
  }
  return after.authType === before.authType ? [] : [await administratorsStayInsideGuard(ctx, after.authType)];
}

/** @throws AppError CONFLICT */
async function administratorsStayInsideGuard(ctx: AppContext, authType: AuthType): Promise<BatchGuard> {
  const key = SIGNIN_KEY[authType];
  if (key === "Mobile" && !ctx.messages.hasSms)
    throw conflict(
      "문자를 보낼 준비가 되어 있지 않아 휴대전화번호로는 로그인하게 할 수 없습니다. 문자 발송을 먼저 설정해 주십시오.",
    );
  const lockedOut = sql`"user"."status" = 'active' AND ${isAdministratorAt(ctx.now())}
    AND NOT EXISTS (SELECT 1 FROM user_key WHERE user_key.user_id = "user"."id" AND user_key.user_key_type = ${key})`;
  const people = await ctx.db
    .select({ userName: user.userName })
    .from(user)
    .where(lockedOut)
    .orderBy(user.createdDate)
    .limit(1000);
  if (people.length > 0) {
    const names = people.slice(0, NAMES_SHOWN).map(({ userName }) => `${userName}님`);
    const more = people.length > NAMES_SHOWN ? ` 외 ${people.length - NAMES_SHOWN}명` : "";
    const noun = USER_KEY_NAMES[key];
    throw conflict(
      `${noun}${key === "Email" ? "이" : "가"} 등록되지 않아 로그인할 수 없게 되는 관리자가 있습니다: ${names.join(", ")}${more}. 먼저 등록한 뒤에 바꾸어 주십시오.`,
    );
  }
  return { holds: sql`NOT EXISTS (SELECT 1 FROM "user" WHERE ${lockedOut})`, error: () => conflict() };
}

export async function countSigninKeys(scope: RequestScope): Promise<SigninKeyCounts> {
  const { rows } = await scope.readFor(authorizeConsole, [
    scope.db
      .select({ count: sql<number>`count(*)` })
      .from(user)
      .where(eq(user.status, "active")),
    scope.db
      .select({ type: userKey.userKeyType, count: sql<number>`count(DISTINCT ${userKey.userId})`.as("people") })
      .from(userKey)
      .innerJoin(user, eq(user.id, userKey.userId))
      .where(eq(user.status, "active"))
      .groupBy(userKey.userKeyType),
  ]);
  const [members, keys] = rows;
  return {
    members: members[0]?.count ?? 0,
    withKey: Object.fromEntries(keys.map(({ type, count }) => [type, count])),
  };
}
