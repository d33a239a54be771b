import type { z } from "zod";
import { eq, sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import { unchanged as isRowUnchanged } from "#db/sql.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import type { AuthenticationSettingView } from "#worker/contract/account/view.ts";
import type { SiteSettingView } from "#worker/contract/site/view.ts";
import { type UpdateAuthenticationInput, authenticationSettings } from "#worker/contract/account/setting-input.ts";
import type { UpdateSiteInput } from "#worker/contract/site/input.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { siteSettings } from "#worker/contract/kernel/site-setting.ts";
import { authorizeAuthenticationChange } from "./authentication-change.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { authorizeConsole, runGuardedBatch, conflict, auditDifference } from "../kernel/guarded-batch.server.ts";

type SiteSettingKey = "site" | "authentication";
const siteSettingStatement = (db: RequestScope["db"], key: SiteSettingKey) =>
  db.select().from(siteSetting).where(eq(siteSetting.key, key));

async function readSiteSetting<S extends z.ZodType>(scope: RequestScope, key: SiteSettingKey, schema: S) {
  const { rows } = await scope.readFor(authorizeConsole, [siteSettingStatement(scope.db, key)]);
  const [row] = rows[0];
  return { value: schema.parse(row?.value ?? {}), version: row?.version ?? 1 };
}

export const getSiteSetting = (scope: RequestScope): Promise<SiteSettingView> =>
  readSiteSetting(scope, "site", siteSettings);

export const getAuthenticationSetting = (scope: RequestScope): Promise<AuthenticationSettingView> =>
  readSiteSetting(scope, "authentication", authenticationSettings);

/** @throws AppError CONFLICT */
export async function updateSiteSetting(ctx: AppContext, input: UpdateSiteInput): Promise<SiteSettingView> {
  authorizeConsole(ctx);
  const { version, ...value } = input;
  const [row] = await siteSettingStatement(ctx.db, "site");
  await runGuardedBatch(
    ctx,
    [unchanged("site", version)],
    storeSiteSettingStatements(ctx, "site", siteSettings.parse(row?.value ?? {}), value),
  );
  return { value: siteSettings.parse({ ...(row?.value as object), ...value }), version: version + 1 };
}

/** @throws AppError CONFLICT, INVALID_INPUT for a guest role that does not exist or could reach the console */
export async function updateAuthenticationSetting(
  ctx: AppContext,
  input: UpdateAuthenticationInput,
): Promise<AuthenticationSettingView> {
  authorizeConsole(ctx);
  const { version, ...value } = input;
  const [[row], [guestRole]] = await ctx.db.batch([
    siteSettingStatement(ctx.db, "authentication"),
    ctx.db.select().from(role).where(eq(role.roleCode, value.roleCodeForGuest)),
  ]);
  if (!guestRole || guestRole.permissions.includes("ADMIN_Access"))
    throw invalidInput({ roleCodeForGuest: "방문자에게 줄 수 있는 역할이 아닙니다. 다른 역할을 골라 주십시오." });
  const before = authenticationSettings.parse(row?.value ?? {});
  const guards = await authorizeAuthenticationChange(ctx, before, value, guestRole.permissions);
  await runGuardedBatch(
    ctx,
    [
      unchanged("authentication", version),
      ...guards,
      { holds: isRowUnchanged(role, guestRole.roleCode, guestRole.version), error: () => conflict() },
    ],
    storeSiteSettingStatements(ctx, "authentication", before, value),
  );
  return { value: authenticationSettings.parse({ ...(row?.value as object), ...value }), version: version + 1 };
}

const unchanged = (key: SiteSettingKey, version: number) => ({
  holds: isRowUnchanged(siteSetting, key, version),
  error: () => conflict(),
});

/** Merges into the stored document, which other forms share. */
function storeSiteSettingStatements(
  ctx: AppContext,
  key: SiteSettingKey,
  before: Record<string, unknown>,
  value: Record<string, unknown>,
) {
  return [
    ctx.db
      .update(siteSetting)
      .set({
        value: sql`json_patch(value, ${JSON.stringify(value)})`,
        version: sql`version + 1`,
        modifiedDate: ctx.now(),
      })
      .where(eq(siteSetting.key, key)),
    audit(ctx, {
      action: "setting.change",
      targetType: "setting",
      targetId: key,
      detail: auditDifference(before, value),
    }),
  ];
}
