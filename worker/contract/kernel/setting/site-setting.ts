import { z } from "zod";
import { withDefaults } from "../fields.ts";
import { storedShape } from "../row-input.ts";
import { IDENTITY_FIELDS, SITE_FIELDS } from "./site-fields.ts";
import { PRODUCT_WORD_NAMES } from "../wording.ts";
import { DEFAULT_SYNONYMS } from "./synonyms.ts";

/** A broken row falls back instead of failing every page. */
export const siteSettings = withDefaults(z.object(storedShape(SITE_FIELDS)));

const HIDDEN = ["replyTo", "chair", "duesAccount", "duesHolder", "duesGuide", "duesLink"] as const;

export type PublicSite = Omit<SiteSettings, (typeof HIDDEN)[number]>;

/** Without the values that only mails, certificates and people with dues carry. */
export function publicSite(value: unknown): PublicSite {
  const site: Partial<SiteSettings> = siteSettings.parse(value ?? {});
  for (const name of HIDDEN) delete site[name];
  return site as PublicSite;
}

export type SiteSettings = z.output<typeof siteSettings>;

export const HOME_PARTS = ["quickLinks", "events", "boards", "centers"] as const;

const shownParts = z.array(z.object({ part: z.enum(HOME_PARTS), isHidden: z.boolean() }));

export type ShownHomePart = z.output<typeof shownParts>[number];

/** Links without an English name are omitted from English pages. */
const link = z.object({ label: z.string(), href: z.string(), english: z.string().default("") });

export type SiteLink = z.output<typeof link>;

export const DEFAULT_HOME_PARTS: ShownHomePart[] = HOME_PARTS.map((part) => ({ part, isHidden: false }));

/** `site_setting.identity`: everything that distinguishes one society's site from another's. */
export const identitySettings = withDefaults(
  z.object({
    words: z.partialRecord(z.enum(PRODUCT_WORD_NAMES), z.string()).catch({}),
    /** The version in the address of its pictures; empty without a logo. */
    logo: z.string().catch(""),
    home: shownParts.catch(DEFAULT_HOME_PARTS),
    actions: z.array(link).nullable().catch(null),
    homeBoards: z.array(z.string()).catch(["notice", "reference"]),
    footerLinks: z.array(link).catch([]),
    ...storedShape(IDENTITY_FIELDS),
    synonyms: z.string().catch(DEFAULT_SYNONYMS),
  }),
);

export type IdentitySettings = z.output<typeof identitySettings>;
