import type { role } from "#db/schema/access.ts";
import type { profileField } from "#db/schema/account.ts";
import type { SettingDocument } from "#worker/contract/site/transfer-input.ts";
import type { SettingChange } from "#worker/contract/site/view.ts";
import { ALUMNI_MENU_TARGET, SETTING_FILE_FORMAT } from "#worker/contract/site/rules.ts";
import { storedAlumniSettings } from "#worker/contract/alumni/setting-input.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { identitySettings } from "#worker/contract/kernel/identity-setting.ts";
import { PRODUCT_WORD_NAMES } from "#worker/contract/kernel/product-words.ts";
import { infoPageSettings } from "#worker/contract/content/info-page-input.ts";
import { logoDocument } from "#worker/contract/site/identity-input.ts";
import { type MenuLink, menuSettings } from "#worker/contract/site/menu-input.ts";
import { authenticationSettings } from "#worker/contract/account/setting-input.ts";
import type { ProfileInputType } from "#worker/contract/account/rules.ts";
import { siteSettings } from "#worker/contract/kernel/site-setting.ts";
import { type RolePermissionChange } from "../access/account-authority.server.ts";
import { PROFILE_FIELDS_MAX } from "../account/profile-field.server.ts";
import { ALUMNI_SETTING_KEY } from "../alumni/alumni-settings.server.ts";
import { auditDifference } from "../kernel/guarded-batch.server.ts";
import { particleOf } from "#worker/contract/kernel/particles.ts";
import { linkFormProblem } from "./link.server.ts";
import { isKnownPermission, permissionCodes } from "#worker/contract/kernel/permissions.ts";
import { storedLimitSettings } from "#worker/contract/kernel/limit-input.ts";
import { noteRowChanges, rowDocumentsOf, rowProblems, type StoredRows } from "./setting-rows.server.ts";

export interface StoredSettings extends StoredRows {
  settings: { key: string; value: unknown; version: number }[];
  fields: (typeof profileField.$inferSelect)[];
  roles: (typeof role.$inferSelect)[];
}

export function settingDocumentOf(stored: StoredSettings) {
  const { settings, fields, roles } = stored;
  const valueOf = (key: string) => settings.find((row) => row.key === key)?.value ?? {};
  return {
    kind: "hoewon-settings" as const,
    format: SETTING_FILE_FORMAT as typeof SETTING_FILE_FORMAT,
    site: siteSettings.parse(valueOf("site")),
    authentication: authenticationSettings.parse(valueOf("authentication")),
    menu: menuSettings.parse(valueOf("menu")).entries,
    identity: identityOfStored(valueOf("identity")),
    logo: logoDocument.safeParse(valueOf("logo")).data ?? null,
    pages: infoPageSettings.parse(valueOf("pages")).pages,
    alumni: storedAlumniSettings.parse(valueOf(ALUMNI_SETTING_KEY)),
    profileFields: fields.map(({ code, name, inputType, required, detail, isClosed }) => ({
      code,
      name,
      inputType: inputType as ProfileInputType,
      required,
      detail,
      isClosed,
    })),
    ...rowDocumentsOf(stored),
    limits: storedLimitSettings.parse(valueOf("limits")),
    roles: roles.map(({ roleCode, roleName, permissions }) => ({ roleCode, roleName, permissions })),
  };
}

/** Without the mark of the logo, which comes with its pictures. */
function identityOfStored(value: unknown) {
  const { logo: _logo, ...identity } = identitySettings.parse(value);
  return {
    ...identity,
    words: Object.fromEntries(PRODUCT_WORD_NAMES.map((name) => [name, identity.words[name] ?? ""])),
  };
}

/** What stands in the file's links, by where: boards and pages of another site may follow, a form that leads astray may not. */
function linkProblems({ identity, menu, pages }: SettingDocument, stored: StoredSettings): Record<string, string> {
  const errors: Record<string, string> = {};
  const note = (place: string, problem: string | null) => {
    if (problem) errors[place] = problem;
  };
  for (const name of ["actions", "footerLinks"] as const)
    for (const [at, { href }] of (identity?.[name] ?? []).entries())
      note(`document.identity.${name}.${at}.href`, linkFormProblem(href));
  const codes = (pages ?? settingDocumentOf(stored).pages).map(({ code }) => code);
  const targetProblem = ({ target }: MenuLink) =>
    target === ALUMNI_MENU_TARGET || codes.includes(target) ? null : linkFormProblem(target);
  for (const [at, entry] of (menu ?? []).entries()) {
    const place = `document.menu.${at}`;
    if (entry.kind === "link") note(`${place}.target`, targetProblem(entry));
    if (entry.kind === "group")
      for (const [inner, link] of entry.children.entries())
        note(`${place}.children.${inner}.target`, targetProblem(link));
  }
  return errors;
}

/** @throws AppError INVALID_INPUT at its place: what a form would refuse a file does not bring in either */
export function checkDocument(document: SettingDocument, stored: StoredSettings, known: ReadonlySet<string>): void {
  const { roles } = stored;
  const errors = { ...linkProblems(document, stored), ...rowProblems(document, stored) };
  for (const [at, { permissions }] of (document.roles ?? []).entries()) {
    const unknown = permissions.filter((code) => !isKnownPermission(known, code));
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
  const fieldCodes = new Set([...stored.fields, ...(document.profileFields ?? [])].map(({ code }) => code));
  if (fieldCodes.size > PROFILE_FIELDS_MAX)
    errors["document.profileFields"] = `가입 항목은 ${PROFILE_FIELDS_MAX}개까지 만들 수 있습니다.`;
  const guest = (document.authentication ?? settingDocumentOf(stored).authentication).roleCodeForGuest;
  const guestRoleAt = (document.roles ?? []).findIndex(({ roleCode }) => roleCode === guest);
  const guestRole = document.roles?.[guestRoleAt] ?? roles.find(({ roleCode }) => roleCode === guest);
  if (!guestRole || guestRole.permissions.includes("ADMIN_Access")) {
    if (document.authentication)
      errors["document.authentication.roleCodeForGuest"] = "방문자에게 줄 수 있는 역할이 아닙니다.";
    else if (guestRoleAt >= 0)
      errors[`document.roles.${guestRoleAt}.permissions`] = "방문자 역할에는 관리 화면 권한을 줄 수 없습니다.";
  }
  if (Object.keys(errors).length > 0) throw invalidInput(errors);
}

export type SettingSection = SettingChange["section"];

/** What the document would change, section by section; what is the same is not named. */
export function settingChangesOf(
  document: SettingDocument,
  stored: ReturnType<typeof settingDocumentOf>,
): SettingChange[] {
  const changes: SettingChange[] = [];
  const note = (section: SettingSection, code: string, before: object | undefined, after: object) => {
    const differs = auditDifference((before ?? {}) as Record<string, unknown>, after as Record<string, unknown>);
    if (Object.keys(differs.after).length === 0) return;
    changes.push({ section, code, kind: before ? "changed" : "new", ...differs });
  };
  if (document.site) note("site", "", stored.site, document.site);
  if (document.authentication) note("authentication", "", stored.authentication, document.authentication);
  if (document.menu) note("menu", "", { entries: stored.menu }, { entries: document.menu });
  if (document.identity) note("identity", "", stored.identity, document.identity);
  if (document.logo !== undefined && JSON.stringify(document.logo) !== JSON.stringify(stored.logo))
    changes.push({
      section: "logo",
      code: "",
      kind: stored.logo ? "changed" : "new",
      before: { logo: stored.logo ? "있음" : "없음" },
      after: { logo: document.logo ? "새 그림" : "없음" },
    });
  if (document.pages) note("pages", "", { pages: stored.pages }, { pages: document.pages });
  if (document.alumni) note("alumni", "", stored.alumni, document.alumni);
  if (document.limits) note("limits", "", stored.limits, document.limits);
  noteRowChanges(document, stored, note);
  const fieldsBefore = new Map(stored.profileFields.map((field) => [field.code, field]));
  const rolesBefore = new Map(stored.roles.map((row) => [row.roleCode, row]));
  for (const field of document.profileFields ?? [])
    note("profileFields", field.code, fieldsBefore.get(field.code), field);
  for (const row of document.roles ?? []) note("roles", row.roleCode, rolesBefore.get(row.roleCode), row);
  return changes;
}

/** What roles get and lose; of a board that comes with the file they get what its maker says, as when it is made by hand. */
export function permissionChanges(
  document: SettingDocument,
  { roles, boards }: StoredSettings,
): RolePermissionChange[] {
  const made = (document.boards ?? []).filter(({ boardCode }) => boards.every((row) => row.boardCode !== boardCode));
  const ofMade = new Set<string>(
    permissionCodes(
      made.map(({ boardCode }) => boardCode),
      [],
    ).filter((code) => code.startsWith("Board_")),
  );
  return (document.roles ?? []).map(({ roleCode, permissions }) => {
    const before = roles.find((row) => row.roleCode === roleCode)?.permissions ?? [];
    const added = permissions.filter((code) => !before.includes(code) && !ofMade.has(code));
    return { roleCode, added, removed: before.filter((code) => !permissions.includes(code)) };
  });
}
