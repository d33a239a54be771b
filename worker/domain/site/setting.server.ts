import { eq, sql } from "drizzle-orm";
import { siteSetting } from "#db/schema/kernel.ts";
import type { AppContext, Door } from "#worker/domain/kernel/context.ts";
import type { AuthenticationSettingView } from "#worker/contract/account/view.ts";
import type { SiteSettingView } from "#worker/contract/site/view.ts";
import { type UpdateAuthenticationInput, authenticationSettings } from "#worker/contract/account/setting-input.ts";
import type { UpdateSiteInput } from "#worker/contract/site/input.ts";
import { invalid } from "#worker/contract/kernel/errors.ts";
import { siteSettings } from "#worker/contract/kernel/site-setting.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { administrating, change, conflict, difference } from "../kernel/change.server.ts";

type Key = "site" | "authentication";
const settingStatement = (db: Door["db"], key: Key) => db.select().from(siteSetting).where(eq(siteSetting.key, key));

export async function getSiteSetting(door: Door): Promise<SiteSettingView> {
  const { ctx, rows } = await door.read([settingStatement(door.db, "site")]);
  administrating(ctx);
  const [row] = rows[0];
  return { value: siteSettings.parse(row?.value ?? {}), version: row?.version ?? 1 };
}

export async function getAuthenticationSetting(door: Door): Promise<AuthenticationSettingView> {
  const { ctx, rows } = await door.read([settingStatement(door.db, "authentication")]);
  administrating(ctx);
  const [row] = rows[0];
  return { value: authenticationSettings.parse(row?.value ?? {}), version: row?.version ?? 1 };
}

/** @throws AppError CONFLICT when somebody saved since `version` was read */
export async function updateSiteSetting(ctx: AppContext, input: UpdateSiteInput): Promise<SiteSettingView> {
  administrating(ctx);
  const { version, ...value } = input;
  const [row] = await settingStatement(ctx.db, "site");
  await change(ctx, [unchanged("site", version)], store(ctx, "site", siteSettings.parse(row?.value ?? {}), value));
  return { value: siteSettings.parse({ ...(row?.value as object), ...value }), version: version + 1 };
}

/** @throws AppError CONFLICT, INVALID_INPUT for a guest role that does not exist or could reach the console */
export async function updateAuthenticationSetting(
  ctx: AppContext,
  input: UpdateAuthenticationInput,
): Promise<AuthenticationSettingView> {
  administrating(ctx);
  const { version, ...value } = input;
  const [row] = await settingStatement(ctx.db, "authentication");
  const roleFits = sql`EXISTS (SELECT 1 FROM role WHERE role_code = ${value.roleCodeForGuest}
    AND NOT EXISTS (SELECT 1 FROM json_each(role.permissions) WHERE value = 'ADMIN_Access'))`;
  await change(
    ctx,
    [
      unchanged("authentication", version),
      {
        holds: roleFits,
        error: () => invalid({ roleCodeForGuest: "방문자에게 줄 수 있는 역할이 아닙니다. 다른 역할을 골라 주십시오." }),
      },
    ],
    store(ctx, "authentication", authenticationSettings.parse(row?.value ?? {}), value),
  );
  return { value: authenticationSettings.parse({ ...(row?.value as object), ...value }), version: version + 1 };
}

const unchanged = (key: Key, version: number) => ({
  holds: sql`(SELECT version FROM site_setting WHERE key = ${key}) = ${version}`,
  error: () => conflict(),
});

/** Merged into the stored document, so that what another screen keeps there stays. */
function store(ctx: AppContext, key: Key, before: Record<string, unknown>, value: Record<string, unknown>) {
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
      detail: difference(before, value),
    }),
  ];
}
