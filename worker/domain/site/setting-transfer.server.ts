import { createHash } from "node:crypto";
import { asc, sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { profileField } from "#db/schema/account.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import type { ImportSettingsInput, SettingDocument } from "#worker/contract/site/transfer-input.ts";
import type { SettingChange, SettingImport } from "#worker/contract/site/view.ts";
import { permissionCodes } from "#worker/contract/kernel/permissions.ts";
import { authorizeRoleChanges } from "../access/account-authority.server.ts";
import { authorizeImportedBoards } from "../board/board-transfer.server.ts";
import { authorizeAuthenticationChange } from "./authentication-change.server.ts";
import { ALUMNI_SETTING_KEY } from "../alumni/alumni-settings.server.ts";
import { requireWrittenPagesKept } from "../content/info-page.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { storeLogoStatements } from "./identity.server.ts";
import { deliverMessageSoon } from "../mail/message.server.ts";
import { administratorRemainsGuard, notifyAdministrators } from "../access/administrators.server.ts";
import { authorizeConsole, runGuardedBatch, conflict, type BatchGuard } from "../kernel/guarded-batch.server.ts";
import {
  type SettingSection,
  type StoredSettings,
  checkDocument,
  permissionChanges,
  settingChangesOf,
  settingDocumentOf,
} from "./setting-document.server.ts";
import { importRowStatements, ROW_VERSIONS, rowVersionsOf, settingRowStatements } from "./setting-rows.server.ts";

const storedSettingsStatements = (db: RequestScope["db"]) =>
  [
    db.select({ key: siteSetting.key, value: siteSetting.value, version: siteSetting.version }).from(siteSetting),
    db.select().from(profileField).orderBy(asc(profileField.sortOrder)),
    db.select().from(role).orderBy(asc(role.roleCode)),
    ...settingRowStatements(db),
  ] as const;

type StoredRowLists = readonly [
  StoredSettings["settings"],
  StoredSettings["fields"],
  StoredSettings["roles"],
  StoredSettings["boards"],
  StoredSettings["centers"],
  StoredSettings["alumniFields"],
  StoredSettings["quickLinks"],
  StoredSettings["mailTemplates"],
];

const storedSettingsOf = ([
  settings,
  fields,
  roles,
  boards,
  centers,
  alumniFields,
  quickLinks,
  mailTemplates,
]: StoredRowLists): StoredSettings => ({
  settings,
  fields,
  roles,
  boards,
  centers,
  alumniFields,
  quickLinks,
  mailTemplates,
});

/** The settings as they stand, in the form that an import takes. */
export async function exportSettings(scope: RequestScope): Promise<SettingDocument> {
  const { ctx, rows } = await scope.readFor(authorizeConsole, storedSettingsStatements(scope.db));
  ctx.defer(audit(ctx, { action: "setting.export", targetType: "setting", targetId: "all" }).run());
  return settingDocumentOf(storedSettingsOf(rows));
}

/**
 * Without a fingerprint a preview that writes nothing; with it all of it in one batch, or nothing.
 * @throws AppError INVALID_INPUT at its place in the document, FORBIDDEN, CONFLICT when something changed since the preview
 */
export async function importSettings(ctx: AppContext, input: ImportSettingsInput): Promise<SettingImport> {
  authorizeConsole(ctx);
  const stored = storedSettingsOf(await ctx.db.batch([...storedSettingsStatements(ctx.db)]));
  const known = new Set<string>(
    permissionCodes(
      [...stored.boards, ...(input.document.boards ?? [])].map(({ boardCode }) => boardCode),
      [...stored.centers, ...(input.document.centers ?? [])].map(({ regionCode }) => regionCode),
    ),
  );
  checkDocument(input.document, stored, known);
  authorizeImportedBoards(ctx, input.document.boards ?? [], stored.boards);
  if (input.document.pages) await requireWrittenPagesKept(ctx, input.document.pages, "document.pages");
  const changes = settingChangesOf(input.document, settingDocumentOf(stored));
  const roleChanges = permissionChanges(input.document, stored);
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
    { holds: sql`${ROW_VERSIONS} = ${inNameOrder(rowVersionsOf(stored))}`, error: () => conflict() },
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
    ...importRowStatements(ctx, input.document, stored, touchedBy(changes)),
    audit(ctx, { action: "setting.import", ...note }),
    ...messages.map((queued) => queued.statement),
  ]);
  for (const { id } of messages) deliverMessageSoon(ctx, id);
  return { changes, fingerprint, isApplied: true };
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

const touchedBy =
  (changes: readonly SettingChange[]) =>
  (section: SettingSection, code = "") =>
    changes.some((each) => each.section === section && each.code === code);

function importStatements(ctx: AppContext, document: SettingDocument, changes: readonly SettingChange[]) {
  const touched = touchedBy(changes);
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
    ...(document.identity && touched("identity") ? [store("identity", document.identity)] : []),
    ...(document.logo !== undefined && touched("logo") ? storeLogoStatements(ctx, document.logo) : []),
    ...(document.pages && touched("pages") ? [store("pages", { pages: document.pages })] : []),
    ...(document.alumni && touched("alumni") ? [store(ALUMNI_SETTING_KEY, document.alumni)] : []),
    ...(document.limits && touched("limits") ? [store("limits", document.limits)] : []),
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
  return inNameOrder([
    ...settings.map(({ key, version }) => `s.${key}:${version}`),
    ...fields.map(({ code, version }) => `f.${code}:${version}`),
    ...roles.map(({ roleCode, version }) => `r.${roleCode}:${version}`),
  ]);
}

function inNameOrder(versions: string[]): string {
  const name = (entry: string) => entry.slice(0, entry.lastIndexOf(":"));
  return JSON.stringify(versions.toSorted((a, b) => (name(a) < name(b) ? -1 : 1)));
}

const fingerprintOf = (stored: StoredSettings) =>
  createHash("sha256")
    .update(versionsOf(stored) + inNameOrder(rowVersionsOf(stored)))
    .digest("hex")
    .slice(0, 32);
