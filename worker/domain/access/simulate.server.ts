import { and, eq, sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { user, userKey } from "#db/schema/account.ts";
import { board, boardItem } from "#db/schema/board.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { SimulateQuery } from "#worker/contract/access/input.ts";
import type { AccessSimulation } from "#worker/contract/access/view.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import type { BoardAction, SitePermission } from "#worker/contract/kernel/permissions.ts";
import { inOwnWords } from "../kernel/identity.server.ts";
import { decideAccess, type AccessDecision, type AccessQuestion } from "../kernel/authorize.server.ts";
import { type Actor } from "../kernel/actor.ts";
import { permissionsAt } from "./grant.server.ts";
import { guestRoleStatement } from "./actor.server.ts";
import { itemResource } from "../kernel/resource.server.ts";
import { authorizeConsole } from "../kernel/guarded-batch.server.ts";
import { BOARD_ACTION_NAMES, SITE_PERMISSION_NAMES } from "#worker/contract/access/permission-names.ts";

type SimulatedTarget =
  | { kind: "everyone"; what: string }
  | { kind: "signed-in"; what: string }
  | { kind: "site"; action: SitePermission }
  | { kind: "center"; regionCode: string }
  | { kind: "board"; boardCode: string; action: BoardAction }
  | { kind: "item"; boardCode: string; itemNo: number; action: "Read" | "Change" | "Comment" };

/** May this person open that page or make that call, and which rule says so? The rule is `decide`'s own. */
export async function simulateAccess(ctx: AppContext, query: SimulateQuery): Promise<AccessSimulation> {
  authorizeConsole(ctx);
  const actor = await simulatedActor(ctx, query.who);
  const asked = targetOfPath(query.path, query.method);
  if (!asked) throw invalidInput({ path: "이 사이트의 페이지나 호출 주소가 아닙니다." });
  const { decision, what } = await decideTarget(ctx, actor, asked);
  return {
    who: actor.kind === "guest" ? "방문자" : actor.userName,
    roleName: actor.kind === "guest" ? "방문자" : actor.roleName,
    what,
    ...decision,
  };
}

async function simulatedActor(ctx: AppContext, who: string): Promise<Actor> {
  if (who === "guest" || who === "방문자") {
    const [guest] = await guestRoleStatement(ctx.db).all();
    return { kind: "guest", permissions: { all: false, codes: new Set(guest?.permissions ?? []) } };
  }
  const [row] = await ctx.db
    .select({ user, roleName: role.roleName, permissions: permissionsAt(ctx.now()) })
    .from(user)
    .innerJoin(role, eq(role.roleCode, user.roleCode))
    .where(
      sql`${user.status} <> 'retired' AND (${user.id} = ${who} OR ${user.id} IN (SELECT ${userKey.userId} FROM ${userKey} WHERE ${userKey.userKeyCode} = ${who.toLowerCase()}))`,
    );
  if (!row) throw invalidInput({ who: "회원을 찾을 수 없습니다. 아이디나 이메일, 또는 '방문자'를 입력해 주십시오." });
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

const SITE_PATHS: [RegExp, SitePermission][] = [
  [/^\/admin\/inquiries(\/|$)|^\/api\/admin\/inquiry(\/|$)/, "Inquiry_Answer"],
  [/^(\/api)?\/admin(\/|$)/, "ADMIN_Access"],
  [/^\/alumni\/import(\/|$)|^\/api\/alumni\/(import|upload)/, "Alumni_Import"],
  [/^\/api\/alumni\/export/, "Alumni_Export"],
  [/^(\/api)?\/alumni\/(duplicates?|distinct)$/, "Alumni_Write"],
  [/^(\/api)?\/alumni\/(bin|delete-data|restore-data|destroy-data|merge(\/.*)?)$/, "Alumni_Delete"],
  [/^\/api\/case-report\/token$/, "CaseReport_Access"],
];

/** The question behind an address; null for one of another site. */
function targetOfPath(given: string, method: SimulateQuery["method"]): SimulatedTarget | null {
  const path = (URL.canParse(given) ? new URL(given).pathname : given.replace(/[?#].*$/s, ""))
    .toLowerCase()
    .replace(/(?<!\/)\/+$/, "");
  if (path !== "" && !path.startsWith("/")) return null;
  const region = /^\/(?:api\/admin\/center|admin\/centers)\/(?!order$)([a-z]+)(?!.*\/withdraw$)/.exec(path)?.[1];
  if (region) return { kind: "center", regionCode: region };
  for (const [pattern, action] of SITE_PATHS) if (pattern.test(path)) return { kind: "site", action };
  if (/^(\/api)?\/alumni(\/|$)/.test(path)) {
    const action = { GET: "Alumni_Read", DELETE: "Alumni_Delete" }[method as string] ?? "Alumni_Write";
    return { kind: "site", action: action as SitePermission };
  }
  if (/^\/mypage(\/|$)/.test(path)) return { kind: "signed-in", what: "마이페이지" };
  const managed =
    /^\/board\/([a-z0-9-]+)\/(?:bin|reports)$|^\/api\/board-item\/(?:bin|download-data)\/([a-z0-9-]+)$/.exec(path);
  if (managed) return { kind: "board", boardCode: managed[1] ?? managed[2] ?? "", action: "Manage" };
  const report = /^\/api\/board-item-report\/([a-z0-9-]+)(?:\/(\d+))?$/.exec(path);
  if (report?.[2] && method === "PUT")
    return { kind: "item", boardCode: report[1] ?? "", itemNo: Number(report[2]), action: "Read" };
  if (report) return { kind: "board", boardCode: report[1] ?? "", action: "Manage" };
  const history = /^\/board\/([a-z0-9-]+)\/history\/(\d+)$/.exec(path);
  if (history) return { kind: "item", boardCode: history[1] ?? "", itemNo: Number(history[2]), action: "Change" };
  const page = /^\/board\/([a-z0-9-]+)\/(list|view|write)(?:\/(\d+))?$/.exec(path);
  if (page) return targetOfBoardPage(page[1] ?? "", page[2] ?? "", page[3]);
  const comment = /^\/api\/board-item-comment\/([a-z0-9-]+)\/(\d+)/.exec(path);
  if (comment) return { kind: "item", boardCode: comment[1] ?? "", itemNo: Number(comment[2]), action: "Comment" };
  const item = /^\/api\/board-item\/([a-z0-9-]+)(?:\/(\d+))?$/.exec(path);
  if (item?.[2]) {
    const action = method === "GET" ? "Read" : "Change";
    return { kind: "item", boardCode: item[1] ?? "", itemNo: Number(item[2]), action };
  }
  if (item) return { kind: "board", boardCode: item[1] ?? "", action: method === "PUT" ? "Write" : "List" };
  return { kind: "everyone", what: path || "/" };
}

function targetOfBoardPage(boardCode: string, page: string, number: string | undefined): SimulatedTarget {
  if (page === "list") return { kind: "board", boardCode, action: "List" };
  if (!number) return { kind: "board", boardCode, action: page === "write" ? "Write" : "View" };
  return { kind: "item", boardCode, itemNo: Number(number), action: page === "write" ? "Change" : "Read" };
}

async function decideTarget(
  ctx: AppContext,
  actor: Actor,
  asked: SimulatedTarget,
): Promise<{ decision: AccessDecision; what: string }> {
  if (asked.kind === "everyone") return { what: asked.what, decision: { allowed: true, rule: "open to everyone" } };
  if (asked.kind === "signed-in") {
    return { what: asked.what, decision: { allowed: actor.kind !== "guest", rule: "signed in" } };
  }
  if (asked.kind === "site") {
    return { what: SITE_PERMISSION_NAMES[asked.action], decision: decideAccess(actor, { action: asked.action }) };
  }
  if (asked.kind === "center") {
    const { regionCode } = asked;
    return {
      what: inOwnWords(ctx, `{센터} ${regionCode}`),
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
  const action = `Item.${asked.action}` as const;
  const label = { Read: "읽기", Change: "수정·삭제", Comment: "댓글 쓰기" }[asked.action];
  return {
    what: `${row.boardName} ${asked.itemNo}번 글 ${label}`,
    decision: decideAccess(actor, { action, item: itemResource(row, item), now: ctx.now() }),
  };
}
