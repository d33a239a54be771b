import type { SettingDocument } from "#worker/contract/site/transfer-input.ts";
import { ALUMNI_MENU_TARGET } from "#worker/contract/site/rules.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { particleOf } from "#worker/contract/kernel/wording.ts";
import { isKnownPermission, permissionCodes } from "#worker/contract/kernel/permissions.ts";
import { isLegalPage } from "#worker/contract/content/info-pages.ts";
import type { MenuLink } from "#worker/contract/site/input.ts";
import type { SettingChange } from "#worker/contract/site/view.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { BatchGuard } from "../kernel/guarded-batch.server.ts";
import { newBoardCodes } from "../board/board-transfer.server.ts";
import { linkFormProblem } from "./link.server.ts";
import {
  DOCUMENT_SECTIONS,
  documentTransferOf,
  ROW_SECTIONS,
  rowTransferOf,
  settingDocumentOf,
  type StoredSettings,
} from "./setting-sections.server.ts";

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

/** Each changed section needs its area's right. @returns guards for the batch @throws AppError FORBIDDEN */
export async function authorizeSections(
  ctx: AppContext,
  document: SettingDocument,
  stored: StoredSettings,
  changes: readonly SettingChange[],
): Promise<BatchGuard[]> {
  const here = settingDocumentOf(stored);
  const guards: BatchGuard[] = [];
  for (const section of DOCUMENT_SECTIONS)
    if (changes.some((change) => change.section === section))
      guards.push(...((await documentTransferOf(section).authorize?.(ctx, here[section], document[section])) ?? []));
  for (const section of ROW_SECTIONS) {
    const { keyOf, rowKeyOf, authorize } = rowTransferOf(section);
    const rows: readonly object[] = document[section] ?? [];
    for (const { code } of changes.filter((change) => change.section === section))
      authorize?.(
        ctx,
        rows.find((row) => keyOf(row) === code),
        (stored[section] as object[]).find((row) => rowKeyOf(row) === code),
      );
  }
  return guards;
}
