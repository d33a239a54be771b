/** Pages are Korean; English translations have their own addresses. */
export const LANGUAGES = ["ko", "en"] as const;

export type Language = (typeof LANGUAGES)[number];

export const ENGLISH_ROOT = "/en";

/** Accepts a page's address or that of its data (`/en.data`). */
export const languageOf = (pathname: string): Language => (/^\/en(?=[/.]|$)/i.test(pathname) ? "en" : "ko");

/** `/en//host` becomes `/host`, because a link to `//host` would leave the site. */
export const koreanPath = (pathname: string): string => pathname.replace(/^\/en(?:\/+(?=\/)|(?=\/|$))/i, "") || "/";

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

const BOARD_PAGE = /^\/board\/[^/]+\/(?:list|(?:view|register)\/[^/]+|rss\.xml|calendar\.ics)$/;
/** A guest's own registration. */
const GUEST_PAGE = /^\/mail\/event\/[^/]+$/;

/** @param address with or without its query */
export function isInBothLanguages(productCode: string, address: string): boolean {
  const path = (address.split(/[?#]/)[0] ?? "").toLowerCase().replace(/(?<=.)\/$/, "");
  return (
    WITH_ENGLISH.has(path) || path.startsWith(`/${productCode}/`) || BOARD_PAGE.test(path) || GUEST_PAGE.test(path)
  );
}

const HANGUL = /[ㄱ-ㆎ가-힣]/;

export const isKorean = (text: string): boolean => HANGUL.test(text);

/** Returns the path unchanged when it has no English page. */
export const englishPath = (productCode: string, path: string): string =>
  isInBothLanguages(productCode, path) ? ENGLISH_ROOT + (path === "/" ? "" : path) : path;
