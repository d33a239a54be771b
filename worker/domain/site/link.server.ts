import { and, eq } from "drizzle-orm";
import { board, boardItem } from "#db/schema/board.ts";
import { center } from "#db/schema/content.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { infoPagesOf } from "../content/info-page.server.ts";
import { infoPath, LEGAL_PAGES } from "#worker/contract/content/info-pages.ts";

const FIXED_PATHS = [
  "/",
  "/search",
  "/alumni",
  "/account/signin",
  "/account/signup",
  "/account/findid",
  "/account/findpassword",
  "/mypage",
  ...Object.values(LEGAL_PAGES).map(({ path }) => path),
];

/** Ignores permissions: the page checks them itself. */
export async function pageExists(ctx: Pick<AppContext, "db" | "config" | "storedSettings">, href: string) {
  const path = (href.split(/[?#]/)[0] ?? "").toLowerCase().replace(/(?<=[^/])\/+$/, "");
  const product = ctx.config.PRODUCT_CODE;
  const info = infoPagesOf(ctx).map(({ code }) => infoPath(product, code).toLowerCase());
  if ([...FIXED_PATHS, ...info].includes(path)) return true;
  const region = path.startsWith(`/${product}/center/`) ? path.slice(`/${product}/center/`.length) : null;
  if (region) {
    const rows = await ctx.db.select({ code: center.regionCode }).from(center).where(eq(center.regionCode, region));
    return rows.length > 0;
  }
  const [, boardCode = "", itemNo] = /^\/board\/([a-z0-9-]+)\/(?:list|view\/(\d{1,9}))$/.exec(path) ?? [];
  if (boardCode === "") return false;
  const rows =
    itemNo === undefined
      ? await ctx.db.select({ code: board.boardCode }).from(board).where(eq(board.boardCode, boardCode))
      : await ctx.db
          .select({ code: boardItem.boardCode })
          .from(boardItem)
          .where(and(eq(boardItem.boardCode, boardCode), eq(boardItem.itemNo, Number(itemNo))));
  return rows.length > 0;
}

/** Checks the form only: a path of this site or a full external address. */
export function linkFormProblem(href: string): string | null {
  if (/^https?:\/\//i.test(href))
    return URL.canParse(href) && new URL(href).hostname.includes(".") ? null : "주소를 다시 확인해 주십시오.";
  return href.startsWith("/") && !href.startsWith("//") && !href.includes("\\")
    ? null
    : "이 사이트의 주소는 /로, 다른 사이트의 주소는 https://로 시작해야 합니다.";
}

export async function linkProblem(ctx: Pick<AppContext, "db" | "config" | "storedSettings">, href: string) {
  const problem = linkFormProblem(href);
  if (problem || !href.startsWith("/") || (await pageExists(ctx, href))) return problem;
  return "이 사이트에 없는 주소입니다. 열어 본 뒤 주소창에서 복사해 주십시오.";
}
