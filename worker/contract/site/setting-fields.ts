import { ALUMNI_PERIOD_FIELDS } from "../alumni/alumni-settings.ts";
import { certificateKindRow, dueKindRow } from "../alumni/rows.ts";
import { BOARD_FIELDS } from "../board/fields.ts";
import { CASE_REPORT_FIELDS } from "../case-report/fields.ts";
import type { RowFields } from "../kernel/row.ts";
import type { SettingSection } from "../kernel/setting/setting-sections.ts";
import { IDENTITY_FIELDS, SITE_FIELDS } from "../kernel/setting/site-fields.ts";
import { type MailTemplateKind, mailTemplateFields } from "../mail/templates.ts";
import { popupRow, quickLinkRow } from "./rows.ts";

/** Fields declared as data, by section of the settings file. */
export const SETTING_FIELDS: Partial<Record<SettingSection, RowFields>> = {
  site: SITE_FIELDS,
  identity: IDENTITY_FIELDS,
  alumni: ALUMNI_PERIOD_FIELDS,
  caseReport: CASE_REPORT_FIELDS,
  boards: BOARD_FIELDS,
  popups: popupRow.fields,
  certificateKinds: certificateKindRow.fields,
  dueKinds: dueKindRow.fields,
  quickLinks: quickLinkRow.fields,
};

/** @param row of the section, or its whole document */
export const settingFieldsOf = (section: SettingSection, row: object): RowFields =>
  section === "mailTemplates"
    ? mailTemplateFields((row as { kind: MailTemplateKind }).kind)
    : (SETTING_FIELDS[section] ?? {});
