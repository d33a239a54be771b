import { and, eq, sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { user, userKey } from "#db/schema/account.ts";
import { board, boardItem } from "#db/schema/board.ts";
import { center } from "#db/schema/content.ts";
import type { Actor, AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import type { simulateQuery } from "#worker/contract/access/input.ts";
import { decisionReason, isDecidedByBody, isForSignedIn, isSiteAddress } from "#worker/contract/access/simulation.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import {
  BOARD_ACTION_NAMES,
  type BoardAction,
  SITE_PERMISSION_NAMES,
  type SitePermission,
} from "#worker/contract/kernel/permissions.ts";
import { type AccessQuestion, authorizeConsole, decideAccess, itemResource } from "../kernel/authorize.server.ts";
import { inSiteWords } from "../kernel/site-identity.server.ts";
import { siteSettingsStatement, permissionsAt } from "./actor.server.ts";

type SimulatedTarget =
  | { kind: "everyone"; what: string }
  | { kind: "signed-in"; what: string }
  | { kind: "site"; action: SitePermission }
  | { kind: "cohort" }
  | { kind: "center"; regionCode: string }
  | { kind: "board"; boardCode: string; action: BoardAction }
  | { kind: "item"; boardCode: string; itemNo: number; action: ItemAction };

type ItemAction = "Read" | "Change" | "Comment" | "Download" | "Manage";

/** Decides a page or call for a person, with the matching rule of `decide`. */
export async function simulateAccess(ctx: AppContext, query: Parsed<typeof simulateQuery>) {
  authorizeConsole(ctx);
  const actor = await simulatedActor(ctx, query.who);
  const path = pathOnSite(ctx, query.path);
  if (path === null) throw invalidInput({ path: "이 사이트에 없는 주소입니다. 주소창에서 복사해 주십시오." });
  if (isDecidedByBody(path))
    throw invalidInput({ path: "이 주소는 무엇에 쓰는지에 따라 다릅니다. 글이나 게시판의 주소로 확인해 주십시오." });
  const { decision, what } = await decideTarget(ctx, actor, targetOfPath(path, query.method));
  return {
    ...decisionReason(decision, await readNames(ctx, decision.rule)),
    ...namesOfActor(actor),
    what,
    ...decision,
  };
}

/** A person by a sign-in key, a role by its code or name, or a guest. @throws AppError INVALID_INPUT */
export async function simulatedActor(ctx: AppContext, who: string): Promise<Actor> {
  if (who === "guest" || who === "방문자") {
    const [guest] = await siteSettingsStatement(ctx.db).all();
    return { kind: "guest", permissions: { all: false, codes: new Set(guest?.permissions ?? []) } };
  }
  const [row] = await ctx.db
    .select({ user, roleName: role.roleName, permissions: permissionsAt(ctx.now()) })
    .from(user)
    .innerJoin(role, eq(role.roleCode, user.roleCode))
    .where(
      sql`${user.status} <> 'retired' AND (${user.id} = ${who} OR ${user.id} IN (SELECT ${userKey.userId} FROM ${userKey} WHERE ${userKey.userKeyCode} = ${who.toLowerCase()}))`,
    );
  if (!row) return roleActor(ctx, who);
  return {
    kind: row.user.userType === "Admin" ? "admin" : "member",
    userId: row.user.id,
    userName: row.user.userName,
    sessionId: "",
    roleCode: row.user.roleCode,
    roleName: row.roleName,
    permissions: { all: row.user.userType === "Admin", codes: new Set(row.permissions) },
    lastingCodes: new Set(),
  };
}

/** Somebody who has this role alone. */
async function roleActor(ctx: AppContext, named: string): Promise<Actor> {
  const [found] = await ctx.db
    .select()
    .from(role)
    .where(sql`${named} IN (${role.roleCode}, ${role.roleName})`)
    .orderBy(sql`${role.roleCode} <> ${named}`)
    .limit(1);
  if (!found)
    throw invalidInput({
      who: "회원이나 역할을 찾을 수 없습니다. 아이디나 이메일, 역할의 이름, 또는 '방문자'를 입력해 주십시오.",
    });
  const { roleCode, roleName, permissions } = found;
  return {
    kind: "member",
    userId: "",
    userName: "그 역할을 가진 회원",
    sessionId: "",
    roleCode,
    roleName,
    permissions: { all: false, codes: new Set(permissions) },
    lastingCodes: new Set(),
  };
}

export const namesOfActor = (actor: Actor) =>
  actor.kind === "guest" ? { who: "방문자", roleName: "방문자" } : { who: actor.userName, roleName: actor.roleName };

const SITE_PATHS: [RegExp, SitePermission][] = [
  [/^\/admin\/inquiries(\/|$)|^\/api\/admin\/inquiry(\/|$)/, "Inquiry_Answer"],
  [/^(\/api)?\/admin(\/|$)/, "ADMIN_Access"],
  [/^\/alumni\/import(\/|$)|^\/api\/alumni\/(import|upload)/, "Alumni_Import"],
  [/^\/api\/alumni\/export/, "Alumni_Export"],
  [/^(\/api)?\/alumni\/(duplicates?|distinct)$/, "Alumni_Write"],
  [/^(\/api)?\/alumni\/(bin|delete-data|restore-data|destroy-data|merge(\/.*)?)$/, "Alumni_Delete"],
  [/^\/api\/alumni\/[^/]+\/dues$/, "Dues_Manage"],
  [/^\/api\/case-report\/token$/, "CaseReport_Access"],
  [/^\/api\/certificate\/(issued|preview)$/, "ADMIN_Access"],
];

type ActionOf<A> = (method: Parsed<typeof simulateQuery>["method"]) => A;
const BOARD_PATHS: [RegExp, ActionOf<BoardAction>][] = [
  [/^\/board\/([a-z0-9-]+)\/(?:bin|reports)$/, () => "Manage"],
  [/^\/api\/board-item\/(?:bin|download-data)\/([a-z0-9-]+)$/, () => "Manage"],
  [/^\/api\/board-item\/([a-z0-9-]+)\/(?:bulk|\d+\/restore)$/, () => "Manage"],
  [/^\/api\/board-item-report\/([a-z0-9-]+)$/, () => "Manage"],
  [/^\/board\/([a-z0-9-]+)\/(?:list|rss\.xml|calendar\.ics)$/, () => "List"],
  [/^\/api\/board\/([a-z0-9-]+)$/, () => "List"],
  [/^\/board\/([a-z0-9-]+)\/write$/, () => "Write"],
  [/^\/api\/board-item-draft\/([a-z0-9-]+)$/, () => "Write"],
  [/^\/api\/board-item\/([a-z0-9-]+)$/, (method) => (method === "PUT" ? "Write" : "List")],
];
const ITEM_PATHS: [RegExp, ActionOf<ItemAction>][] = [
  [/^\/api\/board-item-report\/([a-z0-9-]+)\/(\d+)$/, (method) => (method === "PUT" ? "Read" : "Manage")],
  [/^\/board\/([a-z0-9-]+)\/(?:view|register)\/(\d+)$/, () => "Read"],
  [/^\/api\/event\/([a-z0-9-]+)\/(\d+)$/, () => "Read"],
  [/^\/board\/([a-z0-9-]+)\/(?:write|history)\/(\d+)$/, () => "Change"],
  [/^\/api\/board-item-comment\/([a-z0-9-]+)\/(\d+)(?:\/|$)/, () => "Comment"],
  [/^\/api\/board-item-file\/([a-z0-9-]+)\/(\d+)\/archive$/, () => "Download"],
  [/^\/api\/board-item\/([a-z0-9-]+)\/(\d+)\/calendar$/, () => "Read"],
  [/^\/api\/board-item\/([a-z0-9-]+)\/(\d+)\/revision(?:\/|$)/, () => "Change"],
  [/^\/api\/board-item\/([a-z0-9-]+)\/(\d+)$/, (method) => (method === "GET" ? "Read" : "Change")],
];

/** Returns the lower-case path on this site, or null for other sites and empty text. */
function pathOnSite({ config, origin }: Pick<AppContext, "config" | "origin">, given: string): string | null {
  const text = given.trim();
  const url = URL.canParse(text, origin) ? new URL(text, origin) : null;
  if (!url || !(text.startsWith("/") || URL.canParse(text))) return null;
  if (url.origin !== origin && url.origin !== config.SITE_ORIGIN) return null;
  const path = url.pathname.toLowerCase().replace(/(?<!\/)\/+$/, "");
  return isSiteAddress(path, config.PRODUCT_CODE) ? path : null;
}

async function readNames(ctx: AppContext, rule: string): Promise<(code: string) => string> {
  const [, kind, code = ""] = /^permission (Board|Center)_(.+)_[A-Z][a-z]+$/.exec(rule) ?? [];
  const rows =
    kind === "Board"
      ? await ctx.db.select({ name: board.boardName }).from(board).where(eq(board.boardCode, code))
      : kind === "Center"
        ? await ctx.db.select({ name: center.regionName }).from(center).where(eq(center.regionCode, code))
        : [];
  return (asked) => rows[0]?.name || asked;
}

function targetOfPath(path: string, method: Parsed<typeof simulateQuery>["method"]): SimulatedTarget {
  const region = /^\/(?:api\/admin\/center|admin\/centers)\/(?!order$)([a-z]+)(?!.*\/withdraw$)/.exec(path)?.[1];
  if (region) return { kind: "center", regionCode: region };
  for (const [pattern, action] of SITE_PATHS) if (pattern.test(path)) return { kind: "site", action };
  if (/^(\/api)?\/alumni(\/|$)/.test(path)) {
    const action = { GET: "Alumni_Read", DELETE: "Alumni_Delete" }[method as string] ?? "Alumni_Write";
    return { kind: "site", action: action as SitePermission };
  }
  if (/^(\/api)?\/cohort(\/|$)/.test(path)) return { kind: "cohort" };
  if (isForSignedIn(path, method)) return { kind: "signed-in", what: "로그인한 사람의 화면" };
  for (const [pattern, actionOf] of BOARD_PATHS) {
    const [, boardCode] = pattern.exec(path) ?? [];
    if (boardCode) return { kind: "board", boardCode, action: actionOf(method) };
  }
  for (const [pattern, actionOf] of ITEM_PATHS) {
    const [, boardCode, itemNo] = pattern.exec(path) ?? [];
    if (boardCode) return { kind: "item", boardCode, itemNo: Number(itemNo), action: actionOf(method) };
  }
  return { kind: "everyone", what: path || "/" };
}

const ITEM_ACTION_NAMES: Record<ItemAction, string> = {
  Read: "읽기",
  Change: "수정·삭제",
  Comment: "댓글 쓰기",
  Download: "파일 내려받기",
  Manage: "신고 처리",
};

async function decideTarget(ctx: AppContext, actor: Actor, asked: SimulatedTarget) {
  if (asked.kind === "everyone") return { what: asked.what, decision: { allowed: true, rule: "open to everyone" } };
  if (asked.kind === "signed-in") {
    return { what: asked.what, decision: { allowed: actor.kind !== "guest", rule: "signed in" } };
  }
  if (asked.kind === "site") {
    return { what: SITE_PERMISSION_NAMES[asked.action], decision: decideAccess(actor, { action: asked.action }) };
  }
  if (asked.kind === "cohort")
    return { what: "기수 대표의 화면", decision: decideAccess(actor, { action: "Alumni.Represent", cohort: "any" }) };
  if (asked.kind === "center") {
    const { regionCode } = asked;
    return {
      what: inSiteWords(ctx, `{센터} ${regionCode}`),
      decision: decideAccess(actor, { action: "Center.Manage", regionCode }),
    };
  }
  const [row] = await ctx.db.select().from(board).where(eq(board.boardCode, asked.boardCode));
  if (!row) throw invalidInput({ path: "그런 게시판이 없습니다." });
  if (asked.kind === "board") {
    const question: AccessQuestion = { action: `Board.${asked.action}`, board: row };
    return { what: `${row.boardName} ${BOARD_ACTION_NAMES[asked.action]}`, decision: decideAccess(actor, question) };
  }
  const [item] = await ctx.db
    .select()
    .from(boardItem)
    .where(and(eq(boardItem.boardCode, asked.boardCode), eq(boardItem.itemNo, asked.itemNo)));
  if (!item) throw invalidInput({ path: "그런 번호의 글이 없습니다." });
  const what = `${row.boardName} ${asked.itemNo}번 글 ${ITEM_ACTION_NAMES[asked.action]}`;
  if (asked.action === "Manage") return { what, decision: decideAccess(actor, { action: "Board.Manage", board: row }) };
  const action = `Item.${asked.action}` as const;
  return { what, decision: decideAccess(actor, { action, item: itemResource(row, item), now: ctx.now() }) };
}
