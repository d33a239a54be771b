import { z } from "zod";
import { withDefaults } from "./fields.ts";
import { PRODUCT_WORD_NAMES } from "./product-words.ts";
import { DEFAULT_SYNONYMS } from "./synonyms.ts";

/** What stands on the home page, in the order of a new site. */
export const HOME_PARTS = ["quickLinks", "events", "boards", "centers"] as const;

export type HomePart = (typeof HOME_PARTS)[number];

const shownParts = z.array(z.object({ part: z.enum(HOME_PARTS), isHidden: z.boolean() }));

export type ShownHomePart = z.output<typeof shownParts>[number];

/** Without an English name it is on no English page. */
const link = z.object({ label: z.string(), href: z.string(), english: z.string().default("") });

export type SiteLink = z.output<typeof link>;

/** What the English pages call the site; there are none as long as it has no name in English. */
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

/** What stands under `site_setting.identity`, by which one society's site differs from another's. */
export const identitySettings = withDefaults(
  z.object({
    words: z.partialRecord(z.enum(PRODUCT_WORD_NAMES), z.string()).catch({}),
    /** Of which all shades are made; empty for the stylesheet's own. */
    color: z.string().catch(""),
    /** By which the address of its pictures changes with them; empty without a logo. */
    logo: z.string().catch(""),
    hasCenters: z.boolean().catch(true),
    hasCaseReport: z.boolean().catch(true),
    home: shownParts.catch(DEFAULT_HOME_PARTS),
    /** The two ways on in the first picture; null as long as they are those of a new site. */
    actions: z.array(link).nullable().catch(null),
    /** Whose newest items stand on the home page. */
    homeBoards: z.array(z.string()).catch(["notice", "reference"]),
    footerLinks: z.array(link).catch([]),
    footerText: z.string().catch(""),
    english: englishSite.catch(NO_ENGLISH_SITE),
    /** What the search takes for the same. */
    synonyms: z.string().catch(DEFAULT_SYNONYMS),
  }),
);

export type IdentitySettings = z.output<typeof identitySettings>;
