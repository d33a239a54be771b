import { z } from "zod";
import { withDefaults } from "./fields.ts";
import { PALETTE_NAMES } from "./palette.ts";
import { PRODUCT_WORD_NAMES } from "./wording.ts";
import { DEFAULT_SYNONYMS } from "./synonyms.ts";

/** `site_setting.site`; a broken row falls back instead of failing every page. */
const siteFields = z.object({
  siteName: z.string().catch("회원"),
  productName: z.string().catch(""),
  description: z.string().catch(""),
  contact: z
    .object({ organization: z.string(), address: z.string(), phone: z.string(), fax: z.string(), email: z.string() })
    .catch({ organization: "", address: "", phone: "", fax: "", email: "" }),
  copyright: z.string().catch(""),
  /** Where answers to mails go; empty for the contact address. */
  replyTo: z.string().catch(""),
});

export const siteSettings = withDefaults(siteFields);

/** Without the address that only mails carry. */
export function publicSite(value: unknown) {
  const { replyTo: _, ...site } = siteSettings.parse(value ?? {});
  return site;
}

export type SiteSettings = z.output<typeof siteSettings>;

export const HOME_PARTS = ["quickLinks", "events", "boards", "centers"] as const;

const shownParts = z.array(z.object({ part: z.enum(HOME_PARTS), isHidden: z.boolean() }));

export type ShownHomePart = z.output<typeof shownParts>[number];

/** Links without an English name are omitted from English pages. */
const link = z.object({ label: z.string(), href: z.string(), english: z.string().default("") });

export type SiteLink = z.output<typeof link>;

/** Without an English site name there are no English pages. */
const englishSite = z.object({
  siteName: z.string(),
  productName: z.string(),
  description: z.string(),
  organization: z.string(),
  address: z.string(),
  copyright: z.string(),
  footerText: z.string(),
});

export type EnglishSite = z.output<typeof englishSite>;

const NO_ENGLISH_SITE: EnglishSite = {
  siteName: "",
  productName: "",
  description: "",
  organization: "",
  address: "",
  copyright: "",
  footerText: "",
};

export const DEFAULT_HOME_PARTS: ShownHomePart[] = HOME_PARTS.map((part) => ({ part, isHidden: false }));

/** `site_setting.identity`: everything that distinguishes one society's site from another's. */
export const identitySettings = withDefaults(
  z.object({
    words: z.partialRecord(z.enum(PRODUCT_WORD_NAMES), z.string()).catch({}),
    color: z.enum(PALETTE_NAMES).catch("teal"),
    /** The version in the address of its pictures; empty without a logo. */
    logo: z.string().catch(""),
    hasCenters: z.boolean().catch(true),
    hasCaseReport: z.boolean().catch(true),
    home: shownParts.catch(DEFAULT_HOME_PARTS),
    actions: z.array(link).nullable().catch(null),
    homeBoards: z.array(z.string()).catch(["notice", "reference"]),
    footerLinks: z.array(link).catch([]),
    footerText: z.string().catch(""),
    english: englishSite.catch(NO_ENGLISH_SITE),
    synonyms: z.string().catch(DEFAULT_SYNONYMS),
  }),
);

export type IdentitySettings = z.output<typeof identitySettings>;
