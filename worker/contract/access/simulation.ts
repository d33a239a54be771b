import { CONSOLE_ROWS, CONSOLE_SCREENS } from "../kernel/console/console-pages.ts";
import {
  BOARD_ACTION_NAMES,
  type BoardAction,
  SITE_PERMISSION_NAMES,
  type SitePermission,
} from "../kernel/permissions.ts";
import { particleOf } from "../kernel/wording.ts";

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
  "board/:boardCode/register/:itemNo",
  "mail/event/:token",
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

/** Every route of the site; `test/contract/kernel/addresses.test.ts` keeps it in sync. */
export const SITE_PAGES: readonly string[] = [
  "account/agreements/:code",
  "account/left",
  "mypage",
  "mypage/info",
  "mypage/password",
  "mypage/email",
  "mypage/activity",
  "mypage/notices",
  "mypage/security",
  "mypage/sessions",
  "mypage/certificate",
  "mypage/events",
  "mypage/proposals",
  "mypage/dues",
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
  "alumni/undo",
  "alumni/bin",
  "alumni/print",
  "certificate/:token?",
  "ticket/:token",
  "research/projects",
  "proposal/write/:id",
  "proposal/view/:id",
  "proposal/review/:id",
  "cohort",
  "answer/:token/:answer",
  "confirm/done",
  "confirm/:token",
  "mail/join/:token",
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
  "event",
  "event-guest",
  "file",
  "inquiry",
  "mail",
  "mailing-answer",
  "project",
  "proposal",
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
  "admin/due",
  "admin/event",
  "admin/job",
  "admin/mail-template",
  "admin/mailing",
  "admin/member",
  "admin/message",
  "admin/moving",
  "admin/openapi.json",
  "admin/privacy",
  "admin/proposal",
  "admin/proposal-call",
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
  /^\/api\/certificate(?!\/(?:check|issued|preview)$)(?:\/|$)/,
  /^\/api\/board\/[^/]+\/follow$/,
  /^\/api\/inquiry(?:\/|$)/,
  /^\/api\/event$/,
  /^\/api\/proposal(?:\/|$)/,
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

/** Reading the registration of an event asks the item's rules. */
export const isForSignedIn = (path: string, method: string): boolean =>
  SIGNED_IN.some((pattern) => pattern.test(path)) || (method !== "GET" && path.startsWith("/api/event/"));
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

interface ChangePlace {
  label: string;
  href: string;
}

interface DecisionReason {
  reason: string;
  /** Null where the site itself sets the rule. */
  change: ChangePlace | null;
}

interface Decided {
  allowed: boolean;
  rule: string;
}

const REPRESENTATIVES: ChangePlace = { label: "기수 대표", href: "/Admin/Representatives" };
const ROLES: ChangePlace = { label: "역할과 권한", href: "/Admin/Roles" };
const BOARDS: ChangePlace = { label: "게시판", href: "/Admin/Boards" };
const MEMBERS: ChangePlace = { label: "회원 관리", href: "/Admin/Members" };

const REASONS: Record<string, string | [reason: string, change: ChangePlace]> = {
  "open to everyone": "누구에게나 열려 있는 화면입니다.",
  "signed in": "로그인한 사람만 쓸 수 있습니다.",
  "system administrator": "시스템 관리자는 모든 권한을 가집니다.",
  "of system administrators alone": "시스템 관리자만 할 수 있습니다.",
  "account of a system administrator": "시스템 관리자의 계정은 시스템 관리자만 다룰 수 있습니다.",
  "own account": "자기 계정입니다.",
  "account of another person": "다른 사람의 계정입니다.",
  "own inquiry": "자기가 한 문의입니다.",
  "represents no cohort": ["기수 대표로 정해진 사람이 아닙니다.", REPRESENTATIVES],
  "own proposal": "자기가 낸 연구 제안입니다.",
  "proposal of another person": "다른 사람의 연구 제안입니다.",
  "proposal is a draft": "아직 제출하지 않은 연구 제안입니다.",
  "conflict of interest": "이해상충이 있어 볼 수 없는 연구 제안입니다.",
  reviewer: "이 연구 제안의 심의위원입니다.",
  "no reviewer of the proposal": "이 연구 제안의 심의위원이 아닙니다.",
  "own upload": "자기가 올린 파일입니다.",
  "upload of another person": "다른 사람이 올린 파일입니다.",
  "no permission to write anywhere": ["글을 쓸 수 있는 곳이 없습니다.", ROLES],
  "board is closed": ["닫힌 게시판이어서 관리하는 사람에게만 보입니다.", BOARDS],
  "manages the board": ["이 게시판을 관리하는 권한이 있습니다.", ROLES],
  "item is in the bin": "휴지통에 있는 글이어서 게시판을 관리하는 사람만 볼 수 있습니다.",
  "item is not published yet": "아직 게시할 때가 되지 않은 예약 글입니다.",
  "item of another person": "다른 사람이 쓴 글은 작성자와 게시판을 관리하는 사람만 고칠 수 있습니다.",
  "secret item of another person": "비밀글은 작성자와 게시판을 관리하는 사람만 읽을 수 있습니다.",
  "guests do not comment": "로그인해야 댓글을 쓸 수 있습니다.",
  "comment is deleted": "지운 댓글입니다.",
  "own entry": "자기가 쓴 것입니다.",
  "entry of another person": "다른 사람이 쓴 것입니다.",
};
const BEGINNINGS: [string, string, ChangePlace][] = [
  ["account holds what the actor does not", "그 계정에 이 사람에게 없는 권한이 있습니다.", MEMBERS],
  ["nobody hands on what they do not hold", "자기에게 없는 권한은 남에게 줄 수 없습니다.", ROLES],
];

function permissionReason(code: string, allowed: boolean, nameOf: (code: string) => string): DecisionReason {
  const [, boardCode, action] = /^Board_(.+)_([A-Z][a-z]+)$/.exec(code) ?? [];
  const [, region] = /^Center_([a-z]+)_Manage$/.exec(code) ?? [];
  const [, cohort] = /^Alumni_Cohort_(\d+)$/.exec(code) ?? [];
  if (cohort) return { reason: `${cohort}기의 대표입니다.`, change: REPRESENTATIVES };
  const name =
    boardCode && action
      ? `‘${nameOf(boardCode)}’ ${BOARD_ACTION_NAMES[action as BoardAction]}`
      : region
        ? `‘${nameOf(region)}’ 관리`
        : (SITE_PERMISSION_NAMES[code as SitePermission] ?? code);
  const change = boardCode ? { label: `게시판 ‘${nameOf(boardCode)}’`, href: `/Admin/Boards/${boardCode}` } : ROLES;
  return { reason: `역할에 ${name} 권한${particleOf("권한", "이/가")} ${allowed ? "있습니다." : "없습니다."}`, change };
}

export function decisionReason({ allowed, rule }: Decided, nameOf: (code: string) => string): DecisionReason {
  const code = /^permission (\S+)$/.exec(rule)?.[1];
  if (code) return permissionReason(code, allowed, nameOf);
  const known = REASONS[rule];
  if (known)
    return typeof known === "string" ? { reason: known, change: null } : { reason: known[0], change: known[1] };
  const [, reason = rule, change = null] = BEGINNINGS.find(([beginning]) => rule.startsWith(beginning)) ?? [];
  return { reason, change };
}
