import { idField, reasonField, versionField, consoleEntryShape } from "../kernel/fields.ts";
import { z } from "zod";
import { roleCode } from "../access/input.ts";
import { mailTemplateVersion } from "../mail/input.ts";
import { emailField, userName } from "../account/input.ts";

/** The value of `site_setting.consent`; on by default, because the law requires the reminder. */
export const consentReminderSettings = z.object({ automatic: z.boolean().catch(true) });

export const updateConsentReminderInput = z.object({ automatic: z.boolean(), version: mailTemplateVersion });

export type UpdateConsentReminderInput = z.output<typeof updateConsentReminderInput>;

const memberIds = z.array(idField).min(1, "회원을 한 명 이상 선택해 주십시오.").max(500);

export const memberIdsInput = z.object({ ids: memberIds });

export const memberIdsReasonInput = z.object({ ids: memberIds, reason: reasonField });

export const memberRoleInput = z.object({
  ids: memberIds,
  roleCode,
  userType: z.enum(["Member", "Admin"]).optional(),
  ...consoleEntryShape,
});

export const memberEmailInput = z.object({ email: emailField, reason: reasonField, version: versionField });

export type MemberEmailInput = z.output<typeof memberEmailInput>;

export const memberNameInput = z.object({ userName, reason: reasonField, version: versionField });

export type MemberNameInput = z.output<typeof memberNameInput>;
