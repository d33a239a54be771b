import { z } from "zod";
import type { PicturePlace } from "../board/board.ts";
import type { MenuItem } from "./menu.ts";
import type { BoardAction } from "../kernel/permissions.ts";
import {
  AUTH_TYPES,
  type AuthType,
  DEFAULT_RULES,
  type Rules,
  type RuleSettings,
  WIDEST_RULES,
} from "../account/rules.ts";

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

/** For settings of which each part falls back by itself: a row that holds none at all is as if it were not there. */
export const forgiving = <T extends z.ZodObject>(settings: T) => settings.catch(settings.parse({}) as z.output<T>);

/** What stands under `site_setting.site`; a broken row falls back instead of failing every page. */
const siteFields = z.object({
  siteName: z.string().catch("회원"),
  productName: z.string().catch(""),
  description: z.string().catch(""),
  contact: z
    .object({ organization: z.string(), address: z.string(), phone: z.string(), fax: z.string(), email: z.string() })
    .catch({ organization: "", address: "", phone: "", fax: "", email: "" }),
  copyright: z.string().catch(""),
});
export const siteSettings = forgiving(siteFields);
export type SiteSettings = z.output<typeof siteSettings>;

const between = (min: number, max: number) => {
  const message = `${min}에서 ${max} 사이의 숫자로 입력해 주십시오.`;
  return z.number({ error: message }).int(message).min(min, message).max(max, message);
};
const range = (min: number, max: number) => ({ min: between(min, max), max: between(min, max) });
const inOrder = { path: ["max"], message: "가장 긴 길이는 가장 짧은 길이보다 작을 수 없습니다." };
const { userName, password, email } = WIDEST_RULES;
export const ruleSettings: z.ZodType<RuleSettings> = z.object({
  userName: z
    .object({ ...range(userName.min, userName.max), foreign: z.boolean() })
    .refine(({ min, max }) => min <= max, inOrder),
  password: z.object(range(password.min, password.max)).refine(({ min, max }) => min <= max, inOrder),
  email: z.object({ endingMax: between(2, email.endingMax) }),
});

const authenticationFields = z.object({
  authType: z.enum(AUTH_TYPES).catch("IdAndPassword"),
  roleCodeForGuest: z.string().catch("guest"),
  /** Must an administrator approve a new member before the first sign-in? */
  signupApproval: z.boolean().catch(false),
  rules: ruleSettings.catch(DEFAULT_RULES),
});
export const authenticationSettings = forgiving(authenticationFields);
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
  rules: Rules;
  agreements: AgreementInfo[];
}

/** What the sign-up page is made of: the same with the text of each agreement. */
export interface SignupForm extends AuthenticationInfo {
  agreements: (AgreementInfo & { content: string; pictures: PicturePlace[] })[];
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
  rules: Rules;
}

export type BoardPermissions = Record<Lowercase<BoardAction>, boolean>;
