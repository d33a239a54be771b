import { board } from "#db/schema/board.ts";
import { caseReportSettings, type UpdateCaseReportInput } from "#worker/contract/case-report/case-report.ts";
import { CASE_REPORT_FIELDS } from "#worker/contract/case-report/fields.ts";
import { fieldChanges } from "#worker/contract/kernel/setting/field-changes.ts";
import { invalidInput, type NewVersion } from "#worker/contract/kernel/errors.ts";
import {
  DEFAULT_MENU,
  type MenuEntry,
  type MenuLink,
  menuSettings,
  type UpdateMenuInput,
} from "#worker/contract/site/input.ts";
import { ALUMNI_MENU_TARGET } from "#worker/contract/site/rules.ts";
import type { MenuSettingView } from "#worker/contract/site/view.ts";
import type { AppContext, RequestScope } from "../kernel/context.ts";
import { infoPagesOf, shownPagesOf } from "../content/info-page.server.ts";
import { authorizeConsole, authorizeSetting } from "#worker/domain/kernel/authorize.server.ts";
import { inSiteWords } from "#worker/domain/kernel/site-identity.server.ts";
import { authorizeFields } from "../kernel/field-change.server.ts";
import { readSetting, requireSetting, settingStatement, storeSetting } from "../kernel/setting.server.ts";
import { linkProblem, pageExists } from "./link.server.ts";

const namedEntry = (ctx: AppContext, entry: MenuEntry): MenuEntry => ({
  ...entry,
  label: inSiteWords(ctx, entry.label),
  ...(entry.kind === "group"
    ? { children: entry.children.map((link) => ({ ...link, label: inSiteWords(ctx, link.label) })) }
    : {}),
});

export async function getMenuSetting(scope: RequestScope): Promise<MenuSettingView> {
  const { ctx, rows } = await scope.readFor(authorizeConsole, [
    settingStatement(scope.db, "menu"),
    scope.db.select({ boardCode: board.boardCode, boardName: board.boardName }).from(board).orderBy(board.sortOrder),
  ]);
  const [[row], boards] = rows;
  const { entries } = menuSettings.parse(row?.value ?? { entries: DEFAULT_MENU });
  return {
    value: { entries: entries.map((entry) => namedEntry(ctx, entry)) },
    version: row?.version ?? 0,
    targets: [
      ...shownPagesOf(ctx).map(({ code, label }) => ({ target: code, label })),
      { target: ALUMNI_MENU_TARGET, label: inSiteWords(ctx, "{동문주소록}") },
      ...boards.map(({ boardCode, boardName }) => ({ target: `/board/${boardCode}/List/`, label: boardName })),
    ],
  };
}

/** @throws AppError INVALID_INPUT for a page that does not exist, CONFLICT */
export async function updateMenuSetting(ctx: AppContext, input: UpdateMenuInput): Promise<NewVersion> {
  authorizeSetting(ctx, "menu");
  const { version, entries } = input;
  const problems: Record<string, string> = {};
  const check = async ({ target }: MenuLink, field: string) => {
    if (target === ALUMNI_MENU_TARGET || infoPagesOf(ctx).some(({ code }) => code === target)) return;
    if (target.startsWith("https://") && (await linkProblem(ctx, target)) === null) return;
    if (!target.startsWith("/") || target.startsWith("//") || !(await pageExists(ctx, target)))
      problems[field] = "이 사이트에 없는 주소입니다.";
  };
  for (const [at, entry] of entries.entries()) {
    if (entry.kind === "link") await check(entry, `entries.${at}.target`);
    if (entry.kind !== "group") continue;
    for (const [inner, link] of entry.children.entries()) await check(link, `entries.${at}.children.${inner}.target`);
  }
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
  return storeSetting(ctx, "menu", version, { entries });
}

export const getCaseReportSetting = (scope: RequestScope) => readSetting(scope, "case-report", caseReportSettings);

/** Minimum count to show for a region. @throws AppError FORBIDDEN, CONFLICT */
export async function updateCaseReportSetting(ctx: AppContext, input: UpdateCaseReportInput): Promise<NewVersion> {
  authorizeSetting(ctx, "caseReport");
  const { version, ...value } = input;
  const before = await requireSetting(ctx, "case-report", version, caseReportSettings);
  authorizeFields(ctx, fieldChanges(CASE_REPORT_FIELDS, before, value));
  return storeSetting(ctx, "case-report", version, value, before);
}
