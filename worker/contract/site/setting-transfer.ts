import { z } from "zod";
import { bookDocument } from "../alumni/setting.ts";
import { roleCode, profileFieldCode, updateAuthenticationInput, updateSiteInput } from "./setting.ts";
import { flag, requiredLine } from "../kernel/fields.ts";
import { menuEntries } from "./menu.ts";
import { INPUT_TYPES } from "./site.ts";

export const TRANSFER_FORMAT = 1;
const unreadable = "설정 파일이 아니거나, 다른 판의 설정 파일입니다.";

/** Settings of a site as a file: what a section leaves out, or what stands here beside it, stays as it is. */
export const settingDocument = z.object({
  kind: z.literal("hoewon-settings", unreadable),
  format: z.literal(TRANSFER_FORMAT, unreadable),
  site: updateSiteInput.omit({ version: true }).optional(),
  authentication: updateAuthenticationInput.omit({ version: true }).optional(),
  menu: menuEntries.min(1).optional(),
  alumni: bookDocument.optional(),
  profileFields: z
    .array(
      z.object({
        code: profileFieldCode,
        name: requiredLine(30),
        inputType: z.enum(INPUT_TYPES),
        required: flag,
        detail: z.array(requiredLine(50)).max(50),
        isClosed: flag,
      }),
    )
    .max(50)
    .optional(),
  roles: z
    .array(z.object({ roleCode, roleName: requiredLine(30), permissions: z.array(z.string().max(100)).max(2000) }))
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

export interface SettingChange {
  section: keyof Omit<SettingDocument, "kind" | "format">;
  /** Which field or role; empty for a section that is one document. */
  code: string;
  kind: "new" | "changed";
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}
export interface SettingImport {
  changes: SettingChange[];
  fingerprint: string;
  isApplied: boolean;
}
