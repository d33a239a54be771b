import { CONSOLE_ROWS, CONSOLE_SCREENS } from "../kernel/console/console-pages.ts";

const PAGES_IN_BOTH = [
  "",
  "account/signin",
  "account/secondfactor",
  "account/signup",
  "account/signup/welcome",
  "account/agreements",
  "account/findid",
  "account/findpassword",
  "account/password/process/success",
  "board/:boardCode/list",
  "board/:boardCode/view/:itemNo",
  "board/:boardCode/rss.xml",
  "board/:boardCode/calendar.ics",
  "calendar",
  "search",
  ":product/center",
  ":product/center/:region",
  ":product/:page",
  "registry",
  "research/proposal",
  "research/rules",
  "terms",
  "privacy",
  "sitemap",
];

/** Every route of the site; `test/contract/kernel/site-addresses.test.ts` keeps it in sync. */
export const SITE_PAGES: readonly string[] = [
  "account/agreements/:code",
  "mypage",
  "mypage/info",
  "mypage/password",
  "mypage/email",
  "mypage/activity",
  "mypage/notices",
  "mypage/security",
  "mypage/sessions",
  "mypage/certificate",
  "mypage/privacy",
  "mypage/retire",
  "mypage/inquiries",
  "mypage/inquiries/new",
  "mypage/inquiries/:id",
  "tos/content/privacycontent",
  "tos/content/termscontent",
  "board/:boardCode/write/:itemNo?",
  "board/:boardCode/bin",
  "board/:boardCode/reports",
  "board/:boardCode/history/:itemNo",
  "alumni",
  "alumni/import",
  "alumni/addresses",
  "alumni/duplicates",
  "alumni/merge",
  "alumni/bin",
  "alumni/print",
  "certificate/:token?",
  "cohort",
  "confirm/done",
  "confirm/:token",
  "mail/off/:token",
  "mail/undo/:token",
  ...PAGES_IN_BOTH,
  ...PAGES_IN_BOTH.map((page) => ["en", page].filter(Boolean).join("/")),
  ...CONSOLE_SCREENS.map(({ path }) => ["admin", path].filter(Boolean).join("/")),
  "sitemap.xml",
  "sitemap/:part",
  "manifest.webmanifest",
  "robots.txt",
];

/** First segments of API calls; those of the console follow `admin/`. */
export const SITE_CALLS: readonly string[] = [
  "alumni",
  "board",
  "board-item",
  "board-item-comment",
  "board-item-draft",
  "board-item-file",
  "board-item-report",
  "case-report",
  "certificate",
  "cohort",
  "confirmation",
  "file",
  "inquiry",
  "mail",
  "second-factor",
  "site-setting",
  "user",
  "user-key",
  "admin/audit",
  "admin/board",
  "admin/center",
  "admin/consent",
  "admin/correction",
  "admin/inquiry",
  "admin/content",
  "admin/dashboard",
  "admin/job",
  "admin/mail-template",
  "admin/mailing",
  "admin/member",
  "admin/message",
  "admin/moving",
  "admin/privacy",
  "admin/report",
  "admin/representative",
  "admin/role",
  "admin/round",
  "admin/second-factor",
  "admin/setting",
  "admin/setup",
  ...CONSOLE_ROWS.map(({ code }) => `admin/${code}`),
];

const SIGNED_IN = [
  /^\/mypage(?:\/|$)/,
  /^(?:\/en)?\/account\/agreements$/,
  /^\/api\/user\/(?!(?:signup|signin|signin-by-refresh-token|signout|find-id|reset-password-token|reset-password)$)/,
  /^\/api\/second-factor(?!\/signin(?:-options)?$)(?:\/|$)/,
  /^\/api\/certificate(?!\/(?:check|issued)$)(?:\/|$)/,
  /^\/api\/board\/[^/]+\/follow$/,
  /^\/api\/inquiry(?:\/|$)/,
  /^\/api\/file\/upload-url$/,
  /^\/api\/board-item-file\/[^/]+\/text$/,
];
/** Access depends on the request's content. */
const DECIDED_BY_BODY = [
  /^\/api\/board-item(?:\/(?:search|images))?$/,
  /^\/api\/board-item-file\/upload-url$/,
  /^\/api\/board-item-comment$/,
  /^\/api\/file\/(?!upload)[^/]+$/,
];

export const isForSignedIn = (path: string): boolean => SIGNED_IN.some((pattern) => pattern.test(path));
export const isDecidedByBody = (path: string): boolean => DECIDED_BY_BODY.some((pattern) => pattern.test(path));

/** `:product` matches one segment. */
function matchesRoute(route: string, path: string, productCode: string): boolean {
  const parts = path.split("/").filter((part) => part !== "");
  const names = route.split("/").filter((name) => name !== "");
  const least = names.filter((name) => !name.endsWith("?")).length;
  if (parts.length < least || parts.length > names.length) return false;
  return parts.every((part, at) => {
    const name = names[at] ?? "";
    return name === ":product" ? part === productCode : name.startsWith(":") || name === part;
  });
}

/** @param path in lower case, with a leading and no trailing slash */
export function isSiteAddress(path: string, productCode: string): boolean {
  const call = /^\/api\/(.+)$/.exec(path)?.[1];
  if (call === undefined) return SITE_PAGES.some((route) => matchesRoute(route, path, productCode));
  return SITE_CALLS.some((root) => call === root || call.startsWith(`${root}/`));
}
