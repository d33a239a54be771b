import { createHash } from "node:crypto";
import { asc, sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { profileField } from "#db/schema/account.ts";
import { board } from "#db/schema/board.ts";
import { center } from "#db/schema/content.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import type { ImportSettingsInput, SettingDocument } from "#worker/contract/site/transfer-input.ts";
import type { SettingChange, SettingImport } from "#worker/contract/site/view.ts";
import { SETTING_FILE_FORMAT } from "#worker/contract/site/rules.ts";
import { storedAlumniSettings } from "#worker/contract/alumni/setting-input.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { menuSettings } from "#worker/contract/site/menu-input.ts";
import { permissionCodes } from "#worker/contract/kernel/permissions.ts";
import { authenticationSettings } from "#worker/contract/account/setting-input.ts";
import type { ProfileInputType } from "#worker/contract/account/rules.ts";
import { siteSettings } from "#worker/contract/kernel/site-setting.ts";
import { authorizeRoleChanges, type RolePermissionChange } from "../access/account-authority.server.ts";
import { authorizeAuthenticationChange } from "./authentication-change.server.ts";
import { ALUMNI_SETTING_KEY } from "../alumni/alumni-settings.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { deliverMessageSoon } from "../mail/message.server.ts";
import { administratorRemainsGuard, notifyAdministrators } from "../access/administrators.server.ts";
import {
  authorizeConsole,
  runGuardedBatch,
  conflict,
  auditDifference,
  type BatchGuard,
} from "../kernel/guarded-batch.server.ts";
import { particleOf } from "#worker/contract/kernel/particles.ts";

const storedSettingsStatements = (db: RequestScope["db"]) =>
  [
    db.select({ key: siteSetting.key, value: siteSetting.value, version: siteSetting.version }).from(siteSetting),
    db.select().from(profileField).orderBy(asc(profileField.sortOrder)),
    db.select().from(role).orderBy(asc(role.roleCode)),
    db.select({ boardCode: board.boardCode }).from(board),
    db.select({ regionCode: center.regionCode }).from(center),
  ] as const;
type StoredSettings = {
  settings: { key: string; value: unknown; version: number }[];
  fields: (typeof profileField.$inferSelect)[];
  roles: (typeof role.$inferSelect)[];
};

/** The settings as they stand, in the form that an import takes. */
export async function exportSettings(scope: RequestScope): Promise<SettingDocument> {
  const { ctx, rows } = await scope.readFor(authorizeConsole, storedSettingsStatements(scope.db));
  const [settings, fields, roles] = rows;
  ctx.defer(audit(ctx, { action: "setting.export", targetType: "setting", targetId: "all" }).run());
  return settingDocumentOf({ settings, fields, roles });
}

function settingDocumentOf({ settings, fields, roles }: StoredSettings) {
  const valueOf = (key: string) => settings.find((row) => row.key === key)?.value ?? {};
  return {
    kind: "hoewon-settings" as const,
    format: SETTING_FILE_FORMAT as typeof SETTING_FILE_FORMAT,
    site: siteSettings.parse(valueOf("site")),
    authentication: authenticationSettings.parse(valueOf("authentication")),
    menu: menuSettings.parse(valueOf("menu")).entries,
    alumni: storedAlumniSettings.parse(valueOf(ALUMNI_SETTING_KEY)),
    profileFields: fields.map(({ code, name, inputType, required, detail, isClosed }) => ({
      code,
      name,
      inputType: inputType as ProfileInputType,
      required,
      detail,
      isClosed,
    })),
    roles: roles.map(({ roleCode, roleName, permissions }) => ({ roleCode, roleName, permissions })),
  };
}

/**
 * Without a fingerprint a preview that writes nothing; with it all of it in one batch, or nothing.
 * @throws AppError INVALID_INPUT at its place in the document, FORBIDDEN, CONFLICT when something changed since the preview
 */
export async function importSettings(ctx: AppContext, input: ImportSettingsInput): Promise<SettingImport> {
  authorizeConsole(ctx);
  const [settings, fields, roles, boards, centers] = await ctx.db.batch([...storedSettingsStatements(ctx.db)]);
  const stored = { settings, fields, roles };
  const known = new Set<string>(
    permissionCodes(
      boards.map(({ boardCode }) => boardCode),
      centers.map(({ regionCode }) => regionCode),
    ),
  );
  checkDocument(input.document, stored, known);
  const changes = settingChangesOf(input.document, settingDocumentOf(stored));
  const roleChanges = permissionChanges(input.document, roles);
  const rightGuards = [
    ...(await authorizeRoleChanges(ctx, roleChanges)),
    ...(await authorizeImportedAuthentication(ctx, input.document, stored)),
  ];
  const fingerprint = fingerprintOf(stored);
  const named = changes.map(({ section, code, kind }) => ({ section, code, kind }));
  const note = { targetType: "setting", targetId: "all", detail: { changes: named } };
  if (input.fingerprint === undefined) {
    await audit(ctx, { action: "setting.import-preview", ...note });
    return { changes, fingerprint, isApplied: false };
  }
  if (input.fingerprint !== fingerprint)
    throw conflict("미리보기를 한 뒤에 설정이 바뀌었습니다. 다시 미리보기해 주십시오.");
  if (changes.length === 0) return { changes, fingerprint, isApplied: true };

  const leaving = roleChanges.filter(({ removed }) => removed.includes("ADMIN_Access")).map(({ roleCode }) => roleCode);
  const entering = leaving.length > 0 || roleChanges.some(({ added }) => added.includes("ADMIN_Access"));
  const messages = entering
    ? await notifyAdministrators(ctx, "설정 파일을 불러와 역할의 관리 화면 권한이 바뀌었습니다.")
    : [];
  const guards: BatchGuard[] = [
    { holds: sql`${STORED_VERSIONS} = ${versionsOf(stored)}`, error: () => conflict() },
    ...rightGuards,
  ];
  if (leaving.length > 0) {
    guards.push(
      administratorRemainsGuard(
        sql`user.user_type <> 'Admin' AND user.role_code IN (SELECT value FROM json_each(${JSON.stringify(leaving)}))`,
        false,
      ),
    );
  }
  await runGuardedBatch(ctx, guards, [
    ...importStatements(ctx, input.document, changes),
    audit(ctx, { action: "setting.import", ...note }),
    ...messages.map((queued) => queued.statement),
  ]);
  for (const { id } of messages) deliverMessageSoon(ctx, id);
  return { changes, fingerprint, isApplied: true };
}

function checkDocument(document: SettingDocument, { roles }: StoredSettings, known: ReadonlySet<string>): void {
  const errors: Record<string, string> = {};
  for (const [at, { permissions }] of (document.roles ?? []).entries()) {
    const unknown = permissions.filter((code) => !known.has(code));
    if (unknown.length > 0)
      errors[`document.roles.${at}.permissions`] = `없는 권한 코드입니다: ${unknown.slice(0, 5).join(", ")}`;
  }
  for (const name of ["profileFields", "roles"] as const) {
    const codes = (document[name] ?? []).map((row) => ("code" in row ? row.code : row.roleCode));
    const twice = codes.find((code, at) => codes.indexOf(code) !== at);
    if (twice !== undefined) errors[`document.${name}`] = `'${twice}'${particleOf(twice, "이/가")} 두 번 있습니다.`;
  }
  for (const [at, field] of (document.profileFields ?? []).entries()) {
    if (["select", "radio"].includes(field.inputType) && field.detail.length === 0)
      errors[`document.profileFields.${at}.detail`] = "고를 수 있는 항목이 없습니다.";
  }
  const guest = document.authentication?.roleCodeForGuest;
  const guestRole = [...(document.roles ?? []), ...roles].find(({ roleCode }) => roleCode === guest);
  if (guest !== undefined && (!guestRole || guestRole.permissions.includes("ADMIN_Access")))
    errors["document.authentication.roleCodeForGuest"] = "방문자에게 줄 수 있는 역할이 아닙니다.";
  if (Object.keys(errors).length > 0) throw invalidInput(errors);
}

type SettingSection = SettingChange["section"];

/** What the document would change, section by section; what is the same is not named. */
function settingChangesOf(document: SettingDocument, stored: ReturnType<typeof settingDocumentOf>): SettingChange[] {
  const changes: SettingChange[] = [];
  const note = (section: SettingSection, code: string, before: object | undefined, after: object) => {
    const differs = auditDifference((before ?? {}) as Record<string, unknown>, after as Record<string, unknown>);
    if (Object.keys(differs.after).length === 0) return;
    changes.push({ section, code, kind: before ? "changed" : "new", ...differs });
  };
  if (document.site) note("site", "", stored.site, document.site);
  if (document.authentication) note("authentication", "", stored.authentication, document.authentication);
  if (document.menu) note("menu", "", { entries: stored.menu }, { entries: document.menu });
  if (document.alumni) note("alumni", "", stored.alumni, document.alumni);
  const fieldsBefore = new Map(stored.profileFields.map((field) => [field.code, field]));
  const rolesBefore = new Map(stored.roles.map((row) => [row.roleCode, row]));
  for (const field of document.profileFields ?? [])
    note("profileFields", field.code, fieldsBefore.get(field.code), field);
  for (const row of document.roles ?? []) note("roles", row.roleCode, rolesBefore.get(row.roleCode), row);
  return changes;
}

function permissionChanges(document: SettingDocument, stored: StoredSettings["roles"]): RolePermissionChange[] {
  return (document.roles ?? []).map(({ roleCode, permissions }) => {
    const before = stored.find((row) => row.roleCode === roleCode)?.permissions ?? [];
    const added = permissions.filter((code) => !before.includes(code));
    return { roleCode, added, removed: before.filter((code) => !permissions.includes(code)) };
  });
}

/** The guest's role as it is after the import. */
async function authorizeImportedAuthentication(ctx: AppContext, document: SettingDocument, stored: StoredSettings) {
  const after = document.authentication;
  if (!after) return [];
  const before = settingDocumentOf(stored).authentication;
  const guestRole = [...(document.roles ?? []), ...stored.roles].find(
    ({ roleCode }) => roleCode === after.roleCodeForGuest,
  );
  return authorizeAuthenticationChange(ctx, before, after, guestRole?.permissions ?? []);
}

function importStatements(ctx: AppContext, document: SettingDocument, changes: readonly SettingChange[]) {
  const touched = (section: SettingSection, code = "") =>
    changes.some((each) => each.section === section && each.code === code);
  const now = ctx.now();
  const store = (key: string, value: unknown) =>
    ctx.db
      .insert(siteSetting)
      .values({ key, value, modifiedDate: now })
      .onConflictDoUpdate({
        target: siteSetting.key,
        set: {
          value: sql`json_patch(${siteSetting.value}, ${JSON.stringify(value)})`,
          version: sql`${siteSetting.version} + 1`,
          modifiedDate: now,
        },
      });
  return [
    ...(document.site && touched("site") ? [store("site", document.site)] : []),
    ...(document.authentication && touched("authentication") ? [store("authentication", document.authentication)] : []),
    ...(document.menu && touched("menu") ? [store("menu", { entries: document.menu })] : []),
    ...(document.alumni && touched("alumni") ? [store(ALUMNI_SETTING_KEY, document.alumni)] : []),
    ...(document.profileFields ?? [])
      .filter(({ code }) => touched("profileFields", code))
      .map((field) =>
        ctx.db
          .insert(profileField)
          .values({ ...field, sortOrder: sql`(SELECT coalesce(max(sort_order), 0) + 1 FROM profile_field)` })
          .onConflictDoUpdate({
            target: profileField.code,
            set: { ...field, version: sql`${profileField.version} + 1` },
          }),
      ),
    ...(document.roles ?? [])
      .filter(({ roleCode }) => touched("roles", roleCode))
      .map((row) =>
        ctx.db
          .insert(role)
          .values(row)
          .onConflictDoUpdate({ target: role.roleCode, set: { ...row, version: sql`${role.version} + 1` } }),
      ),
  ];
}

/** Every version that counts, as the database sees it inside the batch, and as it was read. */
const STORED_VERSIONS = sql`(SELECT json_group_array(name || ':' || version) FROM (
  SELECT 's.' || key AS name, version FROM site_setting UNION ALL SELECT 'f.' || code, version FROM profile_field
  UNION ALL SELECT 'r.' || role_code, version FROM role ORDER BY name))`;

function versionsOf({ settings, fields, roles }: StoredSettings): string {
  const names = [
    ...settings.map(({ key, version }) => `s.${key}:${version}`),
    ...fields.map(({ code, version }) => `f.${code}:${version}`),
    ...roles.map(({ roleCode, version }) => `r.${roleCode}:${version}`),
  ];
  const name = (entry: string) => entry.slice(0, entry.lastIndexOf(":"));
  return JSON.stringify(names.toSorted((a, b) => (name(a) < name(b) ? -1 : 1)));
}

const fingerprintOf = (stored: StoredSettings) =>
  createHash("sha256").update(versionsOf(stored)).digest("hex").slice(0, 32);
