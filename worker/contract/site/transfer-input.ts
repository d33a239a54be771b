import { z } from "zod";
import { SETTING_FILE_FORMAT, SETTING_FILE_LIMITS, UNREADABLE_SETTING_FILE } from "./rules.ts";
import { menuEntries, updateSiteInput } from "./input.ts";
import { profileFieldInputs, updateAuthenticationInput } from "../account/setting-input.ts";
import { PROFILE_FIELDS_MAX } from "../account/rows.ts";
import { agreementDocument, infoPages, pageTextDocument } from "../content/input.ts";
import { identityDocument, logoDocument } from "./identity-input.ts";
import { alumniSettingsDocument } from "../alumni/setting-input.ts";
import { roleDocument } from "../access/input.ts";
import { alumniFieldInputs } from "../alumni/own-field-input.ts";
import { certificateKindInputs } from "../alumni/input.ts";
import { certificateKindRow, dueKindRow } from "../alumni/rows.ts";
import { OWN_FIELD_LIMITS } from "../alumni/own-fields.ts";
import { updatePrivacyInput } from "../audit/retention-input.ts";
import { boardDocument } from "../board/board-setting-input.ts";
import { updateCaseReportInput } from "../case-report/case-report.ts";
import { centerDocument } from "../content/center-input.ts";
import { consoleEntryShape, optionalParameter } from "../kernel/fields.ts";
import { mailTemplateDocument } from "../mail/input.ts";
import { updateConsentReminderInput } from "../member/input.ts";
import { rowInputs } from "../kernel/row-input.ts";
import { popupRow, QUICK_LINKS_MAX, quickLinkRow } from "./rows.ts";

/** Settings of a site as a file; omitted sections and unknown keys change nothing. */
export const settingDocument = z.object({
  kind: z.literal("hoewon-settings", UNREADABLE_SETTING_FILE),
  format: z.literal(SETTING_FILE_FORMAT, UNREADABLE_SETTING_FILE),
  site: updateSiteInput.omit({ version: true, reason: true }).optional(),
  authentication: updateAuthenticationInput.omit({ version: true }).optional(),
  menu: menuEntries.min(1).optional(),
  identity: identityDocument.optional(),
  logo: logoDocument.nullable().optional(),
  pages: infoPages.optional(),
  alumni: alumniSettingsDocument.optional(),
  retention: updatePrivacyInput.omit({ version: true }).optional(),
  consent: updateConsentReminderInput.omit({ version: true }).optional(),
  caseReport: updateCaseReportInput.omit({ version: true }).optional(),
  roles: z.array(roleDocument).max(100).optional(),
  /** Sorted, like every list below that is ordered by hand. */
  profileFields: z.array(profileFieldInputs.document).max(PROFILE_FIELDS_MAX).optional(),
  boards: z.array(boardDocument).max(100).optional(),
  centers: z.array(centerDocument).max(100).optional(),
  alumniFields: z.array(alumniFieldInputs.document).max(OWN_FIELD_LIMITS.fields).optional(),
  /** Without their seals, which are files. */
  certificateKinds: z
    .array(certificateKindInputs.document)
    .max(certificateKindRow.most ?? 0)
    .optional(),
  dueKinds: z
    .array(rowInputs(dueKindRow).document)
    .max(dueKindRow.most ?? 0)
    .optional(),
  mailTemplates: z.array(mailTemplateDocument).max(100).optional(),
  quickLinks: z.array(rowInputs(quickLinkRow).create).max(QUICK_LINKS_MAX).optional(),
  popups: z.array(rowInputs(popupRow).document).max(SETTING_FILE_LIMITS.popups).optional(),
  agreements: z.array(agreementDocument).max(SETTING_FILE_LIMITS.agreements).optional(),
  pageTexts: z.array(pageTextDocument).max(SETTING_FILE_LIMITS.pageTexts).optional(),
});

export type SettingDocument = z.output<typeof settingDocument>;

export type SettingFile = z.input<typeof settingDocument>;

export const exportSettingsQuery = z.object({
  /** `none` omits long texts: popups, agreements and page texts. */
  texts: optionalParameter(z.enum(["none"])),
});

export const importSettingsInput = z.object({
  document: settingDocument,
  fingerprint: z.string().max(100).optional(),
  ...consoleEntryShape,
});
