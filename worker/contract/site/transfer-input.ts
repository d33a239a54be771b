import { z } from "zod";
import { QUICK_LINKS_MAX, UNREADABLE_SETTING_FILE, SETTING_FILE_FORMAT } from "./rules.ts";
import { createQuickLinkInput, updateSiteInput } from "./input.ts";
import { updateAuthenticationInput, profileFieldCode } from "../account/setting-input.ts";
import { infoPages } from "../content/info-page-input.ts";
import { identityDocument, logoDocument } from "./identity-input.ts";
import { menuEntries } from "./menu-input.ts";
import { alumniSettingsDocument } from "../alumni/setting-input.ts";
import { requiredLineField, flagField } from "../kernel/fields.ts";
import { PROFILE_INPUT_TYPES } from "../account/rules.ts";
import { roleCode } from "../access/input.ts";
import { alumniFieldDocument } from "../alumni/own-field-input.ts";
import { OWN_FIELD_LIMITS } from "../alumni/own-fields.ts";
import { boardDocument } from "../board/board-setting-input.ts";
import { centerDocument } from "../content/center-input.ts";
import { updateLimitsInput } from "../kernel/limit-input.ts";
import { mailTemplateTextInput } from "../mail/input.ts";
import { MAIL_TEMPLATE_KINDS } from "../mail/templates.ts";

/** Settings of a site as a file: what a section leaves out, or what stands here beside it, stays as it is. */
export const settingDocument = z.object({
  kind: z.literal("hoewon-settings", UNREADABLE_SETTING_FILE),
  format: z.literal(SETTING_FILE_FORMAT, UNREADABLE_SETTING_FILE),
  site: updateSiteInput.omit({ version: true }).optional(),
  authentication: updateAuthenticationInput.omit({ version: true }).optional(),
  menu: menuEntries.min(1).optional(),
  identity: identityDocument.optional(),
  /** The society's pictures; null where it has none. */
  logo: logoDocument.nullable().optional(),
  pages: infoPages.optional(),
  alumni: alumniSettingsDocument.optional(),
  profileFields: z
    .array(
      z.object({
        code: profileFieldCode,
        name: requiredLineField(30),
        inputType: z.enum(PROFILE_INPUT_TYPES),
        required: flagField,
        detail: z.array(requiredLineField(50)).max(50),
        isClosed: flagField,
      }),
    )
    .max(50)
    .optional(),
  /** In their order, as centres, fields and links are. */
  boards: z.array(boardDocument).max(100).optional(),
  centers: z.array(centerDocument).max(100).optional(),
  alumniFields: z.array(alumniFieldDocument).max(OWN_FIELD_LIMITS.fields).optional(),
  /** All of them: those that are not in the file go. */
  quickLinks: z.array(createQuickLinkInput).max(QUICK_LINKS_MAX).optional(),
  /** What the office worded anew. */
  mailTemplates: z
    .array(mailTemplateTextInput.extend({ kind: z.enum(MAIL_TEMPLATE_KINDS) }))
    .max(100)
    .optional(),
  limits: updateLimitsInput.shape.limits.optional(),
  roles: z
    .array(z.object({ roleCode, roleName: requiredLineField(30), permissions: z.array(z.string().max(100)).max(2000) }))
    .max(100)
    .optional(),
});

export type SettingDocument = z.output<typeof settingDocument>;

export const importSettingsInput = z.object({
  document: settingDocument,
  /** Of the state that a preview compared with; without it nothing is written and the preview is the answer. */
  fingerprint: z.string().max(100).optional(),
});

export type ImportSettingsInput = z.output<typeof importSettingsInput>;
