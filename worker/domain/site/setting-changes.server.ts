import { idsIn } from "#db/sql.ts";
import { eq, sql } from "drizzle-orm";
import { contentFile } from "#db/schema/content.ts";
import { file } from "#db/schema/file.ts";
import { imageFileIds } from "#worker/contract/kernel/rich-text.ts";
import type { SettingDocument } from "#worker/contract/site/transfer-input.ts";
import type { SettingChange, SettingStay } from "#worker/contract/site/view.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { authorizeSetting, decideSetting } from "../kernel/authorize.server.ts";
import type { BatchGuard } from "../kernel/guarded-batch.server.ts";
import { auditDifference } from "../kernel/audit-difference.ts";
import type { TransferSite } from "../kernel/row-transfer.server.ts";
import {
  DOCUMENT_SECTIONS,
  documentTransferOf,
  ROW_SECTIONS,
  rowTransferOf,
  settingDocumentOf,
  type StoredSettings,
} from "./setting-sections.server.ts";
import { fieldChanges, type SettingFields } from "#worker/contract/kernel/setting/field-changes.ts";
import {
  SETTING_SECTION_NAMES,
  SETTING_SECTIONS,
  sectionRule,
  type SettingSection,
} from "#worker/contract/kernel/setting/setting-sections.ts";
import { valuesOf } from "#worker/contract/kernel/labels.ts";
import { settingFieldsOf } from "#worker/contract/site/setting-fields.ts";
import { ALUMNI_MENU_TARGET } from "#worker/contract/site/rules.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { particleOf } from "#worker/contract/kernel/wording.ts";
import { isKnownPermission, permissionCodes } from "#worker/contract/kernel/permissions.ts";
import { isLegalPage } from "#worker/contract/content/info-pages.ts";
import type { MenuLink } from "#worker/contract/site/input.ts";
import { newBoardCodes } from "../board/board-transfer.server.ts";
import { linkFormProblem } from "./link.server.ts";

const SECTIONS = valuesOf(SETTING_SECTIONS);
const NAMED_MAX = 10;

/** Files left out, by `section code`. */
type LeftFiles = ReadonlyMap<string, readonly string[]>;

export async function findExistingFiles(ctx: AppContext, document: SettingDocument): Promise<Set<string>> {
  const texts = [document.popups, document.agreements, document.pageTexts].flatMap(
    (rows: { content: string; englishContent: string }[] = []) => rows.map((row) => row.content + row.englishContent),
  );
  const ids = [
    ...texts.flatMap(imageFileIds),
    ...(document.pageTexts ?? []).flatMap(({ files }) => files.map(({ fileId }) => fileId)),
  ];
  if (ids.length === 0) return new Set();
  const rows = await ctx.db
    .select({ id: file.id, code: contentFile.code })
    .from(file)
    .leftJoin(contentFile, eq(contentFile.fileId, file.id))
    .where(sql`${idsIn(file.id, ids)} AND ${file.purpose} = 'content'`);
  return new Set(rows.flatMap(({ id, code }) => (code === null ? [id] : [id, `${code} ${id}`])));
}

export function adaptDocument(document: SettingDocument, site: TransferSite) {
  const left = new Map<string, string[]>();
  const adapted: Record<string, unknown> = { ...document };
  for (const section of ROW_SECTIONS) {
    const { adapt, keyOf } = rowTransferOf(section);
    const rows: readonly object[] | undefined = document[section];
    if (!adapt || !rows) continue;
    adapted[section] = rows.map((row) => {
      const one = adapt(row, site);
      if (one.left.length > 0) left.set(`${section} ${keyOf(row)}`, one.left);
      return one.document;
    });
  }
  return { document: adapted as SettingDocument, left };
}

const leftText = (names: readonly string[]): string => {
  const more = names.length > NAMED_MAX ? ` 외 ${names.length - NAMED_MAX}개` : "";
  return `이 사이트에 없어 옮기지 않습니다: ${names.slice(0, NAMED_MAX).join(", ")}${more}. 불러온 뒤 그 글에 다시 넣어 주십시오.`;
};

/**
 * Lists changes by section and unchanged rows. @param given the original document, since sanitising alone is no change
 */
export function settingChangesOf(
  document: SettingDocument,
  given: SettingDocument,
  stored: StoredSettings,
  site: TransferSite,
  left: LeftFiles,
): { changes: SettingChange[]; stays: SettingStay[] } {
  const changes: SettingChange[] = [];
  const stays: SettingStay[] = [];
  const here = settingDocumentOf(stored);
  const difference = (before: object | undefined, after: object) => {
    const found = auditDifference((before ?? {}) as Record<string, unknown>, after as Record<string, unknown>);
    return Object.keys(found.after).length > 0 ? found : null;
  };
  for (const section of DOCUMENT_SECTIONS) {
    const value = document[section];
    if (value === undefined) continue;
    const { stored: asStored } = documentTransferOf(section);
    const found = difference(asStored(here[section]), asStored(value));
    if (found) changes.push({ section, code: "", name: "", kind: "changed", ...found, follows: [] });
  }
  if (document.logo !== undefined && JSON.stringify(document.logo) !== JSON.stringify(here.logo))
    changes.push({
      section: "logo",
      code: "",
      name: "",
      kind: here.logo ? "changed" : "new",
      before: { logo: here.logo ? "있음" : "없음" },
      after: { logo: document.logo ? "새 그림" : "없음" },
      follows: [],
    });
  for (const section of ROW_SECTIONS) {
    const rows: readonly object[] | undefined = document[section];
    if (!rows) continue;
    const transfer = rowTransferOf(section);
    if (transfer.isWhole) {
      const found = difference({ [section]: here[section] }, { [section]: rows });
      if (found) changes.push({ section, code: "", name: "", kind: "changed", ...found, follows: [] });
      continue;
    }
    const givenRows: readonly object[] = given[section] ?? [];
    const keys = rows.map(transfer.keyOf);
    const standing = new Map<string, object>((here[section] as object[]).map((row) => [transfer.keyOf(row), row]));
    const storedRows = new Map<string, object>(
      (stored[section] as object[]).map((row) => [transfer.rowKeyOf(row), row]),
    );
    for (const [at, row] of rows.entries()) {
      const code = keys[at] ?? "";
      const [name, before] = [transfer.nameOf(row), standing.get(code)];
      const found = difference(before, row);
      if (!found || (before && !difference(before, givenRows[at] ?? row))) {
        stays.push({ section, code, name, inFile: true });
        continue;
      }
      const judged = transfer.judge?.(row, storedRows.get(code), site) ?? { follows: [] };
      if ("kept" in judged) {
        changes.push({ section, code, name, kind: "kept", before: {}, after: {}, follows: [judged.kept] });
        continue;
      }
      const behind = left.get(`${section} ${code}`);
      const follows = [...judged.follows, ...(behind ? [leftText(behind)] : [])];
      changes.push({ section, code, name, kind: before ? "changed" : "new", ...found, follows });
    }
    for (const [code, row] of standing)
      if (!keys.includes(code)) stays.push({ section, code, name: transfer.nameOf(row), inFile: false });
    if (!transfer.ordered) continue;
    const order = [...standing.keys()];
    const common = keys.filter((key) => standing.has(key));
    const after = [...common, ...order.filter((key) => !keys.includes(key))];
    if (common.join() !== order.filter((key) => keys.includes(key)).join())
      changes.push({
        section,
        code: "",
        name: "",
        kind: "changed",
        before: { order },
        after: { order: after },
        follows: [],
      });
  }
  return { changes, stays };
}

type Problems = Record<string, string>;

/** Links to missing boards and pages are allowed, malformed ones are not. */
function linkProblems({ identity, menu }: SettingDocument, pageCodes: readonly string[]): Problems {
  const errors: Problems = {};
  const note = (place: string, problem: string | null) => {
    if (problem) errors[place] = problem;
  };
  for (const name of ["actions", "footerLinks"] as const)
    for (const [at, { href }] of (identity?.[name] ?? []).entries())
      note(`document.identity.${name}.${at}.href`, linkFormProblem(href));
  const targetProblem = ({ target }: MenuLink) =>
    target === ALUMNI_MENU_TARGET || pageCodes.includes(target) ? null : linkFormProblem(target);
  for (const [at, entry] of (menu ?? []).entries()) {
    const place = `document.menu.${at}`;
    if (entry.kind === "link") note(`${place}.target`, targetProblem(entry));
    if (entry.kind === "group")
      for (const [inner, link] of entry.children.entries())
        note(`${place}.children.${inner}.target`, targetProblem(link));
  }
  return errors;
}

function rowProblems(document: SettingDocument, stored: StoredSettings): Problems {
  const errors: Problems = {};
  for (const section of ROW_SECTIONS) {
    const rows: readonly object[] = document[section] ?? [];
    const { keyOf, problems, isWhole } = rowTransferOf(section);
    for (const [place, problem] of Object.entries(problems?.(rows, stored[section]) ?? {}))
      errors[place === "" ? `document.${section}` : `document.${section}.${place}`] = problem;
    const keys = isWhole ? [] : rows.map(keyOf);
    const twice = keys.find((key, at) => keys.indexOf(key) !== at);
    if (twice !== undefined) errors[`document.${section}`] = `'${twice}'${particleOf(twice, "이/가")} 두 번 있습니다.`;
  }
  return errors;
}

function roleProblems(document: SettingDocument, stored: StoredSettings, known: ReadonlySet<string>): Problems {
  const errors: Problems = {};
  for (const [at, { permissions }] of (document.roles ?? []).entries()) {
    const unknown = permissions.filter((code) => !isKnownPermission(known, code));
    if (unknown.length > 0)
      errors[`document.roles.${at}.permissions`] = `없는 권한 코드입니다: ${unknown.slice(0, 5).join(", ")}`;
  }
  const guest = (document.authentication ?? settingDocumentOf(stored).authentication).roleCodeForGuest;
  const guestRoleAt = (document.roles ?? []).findIndex(({ roleCode }) => roleCode === guest);
  const guestRole = document.roles?.[guestRoleAt] ?? stored.roles.find(({ roleCode }) => roleCode === guest);
  if (!guestRole || guestRole.permissions.includes("ADMIN_Access")) {
    if (document.authentication)
      errors["document.authentication.roleCodeForGuest"] = "방문자에게 줄 수 있는 역할이 아닙니다.";
    else if (guestRoleAt >= 0)
      errors[`document.roles.${guestRoleAt}.permissions`] = "방문자 역할에는 관리 화면 권한을 줄 수 없습니다.";
  }
  return errors;
}

/** @throws AppError INVALID_INPUT at the field: a file obeys the rules of the form */
export function checkDocument(document: SettingDocument, stored: StoredSettings): void {
  const known = new Set<string>(
    permissionCodes(
      [...stored.boards, ...(document.boards ?? [])].map(({ boardCode }) => boardCode),
      [...stored.centers, ...(document.centers ?? [])].map(({ regionCode }) => regionCode),
    ),
  );
  const pageCodes = (document.pages ?? settingDocumentOf(stored).pages).map(({ code }) => code);
  const errors = {
    ...linkProblems(document, pageCodes),
    ...rowProblems(document, stored),
    ...roleProblems(document, stored, known),
  };
  for (const [at, { code }] of (document.pageTexts ?? []).entries())
    if (code !== "banner" && !isLegalPage(code) && !pageCodes.includes(code))
      errors[`document.pageTexts.${at}.code`] = "안내 페이지의 구성에 없는 페이지입니다.";
  if (Object.keys(errors).length > 0) throw invalidInput(errors);
}

/** Changed fields of the applied changes, by the name of their section and row. */
export function changedFields(
  ctx: AppContext,
  document: SettingDocument,
  stored: StoredSettings,
  changes: readonly SettingChange[],
): SettingFields[] {
  const here = settingDocumentOf(stored);
  const fieldsOf = (section: SettingSection, code: string, before: object, after: object) => ({
    setting: [SETTING_SECTION_NAMES[section], code].filter(Boolean).join(" "),
    changes: fieldChanges(settingFieldsOf(section, after), before, after),
  });
  const documents = DOCUMENT_SECTIONS.filter((section) => changes.some((change) => change.section === section));
  const rows = ROW_SECTIONS.flatMap((section) => {
    const { keyOf, nameOf, unstored, isWhole } = rowTransferOf(section);
    const given: readonly object[] = document[section] ?? [];
    return given.flatMap((row) => {
      const isChanged = changes.some((change) => change.section === section && (isWhole || change.code === keyOf(row)));
      if (!isChanged) return [];
      const before = (here[section] as object[]).find((each) => keyOf(each) === keyOf(row)) ?? unstored?.(ctx, row);
      return [fieldsOf(section, nameOf(row), before ?? {}, row)];
    });
  });
  return [
    ...documents.map((section) => fieldsOf(section, "", here[section] as object, document[section] as object)),
    ...rows,
  ];
}

/** Ignores the default rights of new boards in the file. */
export function permissionChanges(document: SettingDocument, { roles, boards }: StoredSettings) {
  const made = (document.boards ?? []).filter(({ boardCode }) => boards.every((row) => row.boardCode !== boardCode));
  return (document.roles ?? []).map(({ roleCode, permissions }) => {
    const before = roles.find((row) => row.roleCode === roleCode)?.permissions ?? [];
    const byDefault = made.flatMap(({ boardCode }) => newBoardCodes(boardCode, roleCode));
    const added = permissions.filter((code) => ![...before, ...byDefault].includes(code));
    return { roleCode, added, removed: before.filter((code) => !permissions.includes(code)) };
  });
}

/** Sections that the caller may not know. */
export const hiddenSections = ({ actor }: Pick<AppContext, "actor">): SettingSection[] =>
  SECTIONS.filter((section) => sectionRule(section).isHidden && !decideSetting(actor, section).allowed);

/** A comparison with a hidden section would answer guesses. @throws AppError FORBIDDEN */
export function authorizeHiddenSections(ctx: AppContext, document: SettingDocument): void {
  for (const section of hiddenSections(ctx)) if (document[section] !== undefined) authorizeSetting(ctx, section);
}

/** Each changed section needs its rights. @returns guards for the batch @throws AppError FORBIDDEN */
export async function authorizeSections(
  ctx: AppContext,
  document: SettingDocument,
  stored: StoredSettings,
  changes: readonly SettingChange[],
): Promise<BatchGuard[]> {
  const here = settingDocumentOf(stored);
  const guards: BatchGuard[] = [];
  for (const section of SECTIONS)
    if (changes.some((change) => change.section === section)) authorizeSetting(ctx, section);
  for (const section of DOCUMENT_SECTIONS)
    if (changes.some((change) => change.section === section))
      guards.push(...((await documentTransferOf(section).authorize?.(ctx, here[section], document[section])) ?? []));
  for (const section of ROW_SECTIONS) {
    const { keyOf, rowKeyOf, authorize } = rowTransferOf(section);
    if (!authorize) continue;
    const rows: readonly object[] = document[section] ?? [];
    for (const { code } of changes.filter((change) => change.section === section))
      authorize(
        ctx,
        rows.find((row) => keyOf(row) === code),
        (stored[section] as object[]).find((row) => rowKeyOf(row) === code),
      );
  }
  return guards;
}
