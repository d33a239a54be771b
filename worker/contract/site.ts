import { z } from "zod";
import type { MenuItem } from "./menu.ts";
import type { BoardAction } from "./permissions.ts";
import { AUTH_TYPES, type AuthType, type RULES } from "./user.ts";

export const INPUT_TYPES = ["text", "textarea", "phone", "email", "date", "select", "radio", "checkbox"] as const;
export type InputType = (typeof INPUT_TYPES)[number];

export interface ProfileField {
  code: string;
  name: string;
  inputType: InputType;
  required: boolean;
  /** The options of select, radio and checkbox. */
  detail: string[];
  order: number;
}

export interface AgreementInfo {
  code: string;
  title: string;
  required: boolean;
  version: string;
}

/** What stands under `site_setting.site`; a broken row falls back instead of failing every page. */
export const siteSettings = z.object({
  siteName: z.string().catch("회원"),
  productName: z.string().catch(""),
  description: z.string().catch(""),
  contact: z
    .object({ organization: z.string(), address: z.string(), phone: z.string(), fax: z.string(), email: z.string() })
    .catch({ organization: "", address: "", phone: "", fax: "", email: "" }),
  copyright: z.string().catch(""),
});
export type SiteSettings = z.output<typeof siteSettings>;

export const authenticationSettings = z.object({
  authType: z.enum(AUTH_TYPES).catch("IdAndPassword"),
  roleCodeForGuest: z.string().catch("guest"),
  /** Must an administrator approve a new member before the first sign-in? */
  signupApproval: z.boolean().catch(false),
});
export type AuthenticationSettings = z.output<typeof authenticationSettings>;

export interface BoardLink {
  boardCode: string;
  boardName: string;
}

export interface SiteInfo extends SiteSettings {
  productCode: string;
  boards: BoardLink[];
  centers: {
    regionCode: string;
    regionName: string;
    centerName: string;
    address: string;
    phone: string;
    url: string;
  }[];
  caseReport: { enabled: boolean };
}

export interface AuthenticationInfo {
  authType: AuthType;
  userProfiles: ProfileField[];
  roleCodeForGuest: string;
  roleForGuest: { roleCode: string; permissions: string[] };
  rules: typeof RULES;
  agreements: AgreementInfo[];
}

/** What the sign-up page is made of: the same with the text of each agreement. */
export interface SignupForm extends AuthenticationInfo {
  agreements: (AgreementInfo & { content: string })[];
}

/** What every page's shell shows. */
export interface Frame {
  site: Pick<SiteSettings, "siteName" | "productName" | "description" | "contact" | "copyright"> & {
    productCode: string;
  };
  boards: BoardLink[];
  /** Codes of the boards that have a feed. */
  feeds: string[];
  menu: MenuItem[];
  user: {
    id: string;
    userName: string;
    isAdministrator: boolean;
    /** Whose pages he looks after, without being an administrator. */
    centers: { regionCode: string; regionName: string }[];
  } | null;
}

export type BoardPermissions = Record<Lowercase<BoardAction>, boolean>;
