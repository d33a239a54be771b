/** The site is Korean. What the office has written in English too stands under an address of its own. */
export const LANGUAGES = ["ko", "en"] as const;

export type Language = (typeof LANGUAGES)[number];

/** The first part of every English address. */
export const ENGLISH_ROOT = "/en";

/** An address of a page, or of its data (`/en.data`). */
export const languageOf = (pathname: string): Language => (/^\/en(?=[/.]|$)/i.test(pathname) ? "en" : "ko");

/** The address of the Korean page that an English one belongs to. */
export const koreanPath = (pathname: string): string => pathname.replace(/^\/en(?=\/|$)/i, "") || "/";

const WITH_ENGLISH = new Set([
  "/",
  "/calendar",
  "/search",
  "/account/signin",
  "/account/secondfactor",
  "/account/signup",
  "/account/signup/welcome",
  "/account/agreements",
  "/account/findid",
  "/account/findpassword",
  "/account/password/process/success",
  "/registry",
  "/research/proposal",
  "/research/rules",
  "/terms",
  "/privacy",
  "/sitemap",
]);

/** What a board shows to readers: its list, its items, its feeds. */
const BOARD_PAGE = /^\/board\/[^/]+\/(?:list|view\/[^/]+|rss\.xml|calendar\.ics)$/;

/** Is it a page that both languages have an address for? @param address with its query, or without */
export function isInBothLanguages(productCode: string, address: string): boolean {
  const path = (address.split(/[?#]/)[0] ?? "").toLowerCase().replace(/(?<=.)\/$/, "");
  return WITH_ENGLISH.has(path) || path.startsWith(`/${productCode}/`) || BOARD_PAGE.test(path);
}

const HANGUL = /[ㄱ-ㆎ가-힣]/;

/** A text that somebody wrote is in no language but by its letters. */
export const isKorean = (text: string): boolean => HANGUL.test(text);

/** The English page that belongs to a Korean one; an address that has none stays what it is. */
export const englishPath = (productCode: string, path: string): string =>
  isInBothLanguages(productCode, path) ? ENGLISH_ROOT + (path === "/" ? "" : path) : path;
