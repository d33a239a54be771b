import { z } from "zod";
import { flagField, lineField, reasonField, requiredLineField, versionField, withDefaults } from "../kernel/fields.ts";
import { ALUMNI_MENU_TARGET, ENGLISH_LABEL_MAX, MENU_ENTRIES_MAX, MENU_LABEL_MAX, MENU_TARGET_MAX } from "./rules.ts";
import { fieldShape } from "../kernel/row-input.ts";
import { SITE_FIELDS } from "../kernel/setting/site-fields.ts";
import { isEmail } from "../account/rules.ts";
import { hasAddress, NAME_WITH_ADDRESS } from "../mail/addresses.ts";
import { WIDEST_ACCOUNT_RULES } from "../kernel/setting/identity-rules.ts";
import { INFO_PAGES, type InfoPageCode } from "../content/info-pages.ts";
import { CONFIRMED_STEPS } from "./setup-rules.ts";

const site = fieldShape(SITE_FIELDS);
const contact = fieldShape(SITE_FIELDS.contact.fields);
const isOptionalEmail = [
  (value = "") => value === "" || isEmail(value, WIDEST_ACCOUNT_RULES),
  "이메일을 형식에 맞게 입력해 주십시오.",
] as const;

export const updateSiteInput = z.object({
  ...site,
  siteName: site.siteName.refine((name) => !hasAddress(name), NAME_WITH_ADDRESS),
  contact: z.object({ ...contact, email: contact.email.refine(...isOptionalEmail) }),
  replyTo: site.replyTo.refine(...isOptionalEmail),
  duesLink: site.duesLink.refine(
    (value = "") => value === "" || (/^https:\/\/[^\s/]+\.[^\s/]/.test(value) && URL.canParse(value)),
    "결제 페이지 주소는 https://로 시작해야 합니다.",
  ),
  reason: reasonField.optional(),
  version: versionField,
});

export type UpdateSiteInput = z.output<typeof updateSiteInput>;

const labelField = requiredLineField(MENU_LABEL_MAX);
/** Without it, the English menu omits the entry. */
const englishField = lineField(ENGLISH_LABEL_MAX).default("");

/** An information page by code, the address book, or a path on this site. */
const menuLink = z.object({
  kind: z.literal("link"),
  target: lineField(MENU_TARGET_MAX),
  label: labelField,
  english: englishField,
  isHidden: flagField,
});

/** Every board that the visitor may list, in board order. */
const menuBoards = z.object({
  kind: z.literal("boards"),
  label: labelField,
  english: englishField,
  isHidden: flagField,
});

const menuGroup = z.object({
  kind: z.literal("group"),
  label: labelField,
  english: englishField,
  isHidden: flagField,
  children: z.array(menuLink).max(MENU_ENTRIES_MAX),
});

export const menuEntries = z
  .array(z.discriminatedUnion("kind", [menuLink, menuBoards, menuGroup]))
  .max(MENU_ENTRIES_MAX);

/** 0 until the first change. */
const settingVersion = z.number().int().min(0);

export const updateMenuInput = z.object({ entries: menuEntries.min(1), version: settingVersion });

export type UpdateMenuInput = z.output<typeof updateMenuInput>;

export type MenuLink = z.output<typeof menuLink>;

export type MenuEntry = UpdateMenuInput["entries"][number];

const ENGLISH_LABELS: Record<InfoPageCode, string> = {
  about: "About the network",
  organization: "Organisation",
  target: "Who can be registered",
  registration: "How to register",
  residence: "Registrations by region",
  registry: "Registry",
  center: "Regional centres",
  proposal: "Research proposals",
  rules: "Research rules",
};

const pageLink = (target: InfoPageCode): MenuLink => ({
  kind: "link",
  target,
  label: INFO_PAGES[target].label,
  english: ENGLISH_LABELS[target],
  isHidden: false,
});

const pageGroup = (name: string, english: string, ...targets: InfoPageCode[]): MenuEntry => ({
  kind: "group",
  label: name,
  english,
  isHidden: false,
  children: targets.map(pageLink),
});

export const DEFAULT_MENU: MenuEntry[] = [
  pageGroup("{연구망}", "The network", "about", "organization"),
  pageGroup("{환자} 등록", "Patient registry", "target", "registration", "residence", "registry"),
  pageLink("center"),
  pageGroup("연구", "Research", "proposal", "rules"),
  { kind: "boards", label: "게시판", english: "News and documents", isHidden: false },
  { kind: "link", target: ALUMNI_MENU_TARGET, label: "{동문주소록}", english: "", isHidden: false },
];

export const menuSettings = withDefaults(z.object({ entries: menuEntries.catch(DEFAULT_MENU).default(DEFAULT_MENU) }));

export const setupStepPath = z.object({ step: z.enum(CONFIRMED_STEPS) });

/** The value of `site_setting.setup`. */
export const setupSettings = z.object({ confirmed: z.array(z.enum(CONFIRMED_STEPS)).catch([]).default([]) });
